//! Fitted models: what they are made of.

use ndarray::Array1;

use super::{Html, ROWS, Shown, show_in_cells};
use crate::model::Differentiable;
use crate::model::Model;
use crate::model::features::given::GivenFeatures;
use crate::model::formula::{Curve, Formula};
use crate::model::linear::Linear;
use crate::model::network::{Network, Training};
use crate::wording::short;

show_in_cells!(Linear, Network, Training, GivenFeatures);

impl<F: Formula> Curve<F> {
    /// Shows this in a notebook cell, as HTML and as text; evcxr calls it on the last expression.
    pub fn evcxr_display(&self) {
        self.show();
    }
}

impl Shown for Linear {
    fn html(&self) -> Html {
        let kind = self.learner();
        let mut rows = vec![vec!["b, the intercept".to_string(), short(self.intercept())]];
        rows.extend(numbered("β", self.coefficients().iter(), self.coefficients().len()));
        Html::titled(&format!("{kind} on {} features: f(x) = b + x·β", self.columns()))
            .table(&["parameter", "value"], rows)
    }
}

impl Shown for GivenFeatures {
    fn html(&self) -> Html {
        Html::titled("features made elsewhere").words(&format!("{self:?}"))
    }
}

impl<F: Formula> Shown for Curve<F> {
    fn html(&self) -> Html {
        formula(self.columns(), &self.parameters(), &self.penalty())
    }
}

fn formula(columns: usize, theta: &Array1<f64>, penalty: &Array1<f64>) -> Html {
    let lambda = penalty.first().copied().unwrap_or(0.0);
    Html::titled(&format!("formula f(x; θ) of {columns} features with {} parameters", theta.len()))
        .table(&["parameter", "value"], numbered("θ", theta.iter(), theta.len()))
        .note(&format!("penalty λ = {} on every parameter", short(lambda)))
}

/// The first of many parameters, named by their place.
fn numbered<'a>(letter: &str, values: impl Iterator<Item = &'a f64>, count: usize) -> Vec<Vec<String>> {
    let name = |k: usize| format!("{letter}{}", k.to_string().chars().filter_map(lowered).collect::<String>());
    let mut rows: Vec<Vec<String>> =
        values.take(2 * ROWS).enumerate().map(|(k, &value)| vec![name(k), short(value)]).collect();
    if count > 2 * ROWS {
        rows.push(vec![format!("and {} more", count - 2 * ROWS), String::new()]);
    }
    rows
}

/// ₀ … ₉.
fn lowered(digit: char) -> Option<char> {
    char::from_u32('₀' as u32 + digit.to_digit(10)?)
}

impl Shown for Network {
    fn html(&self) -> Html {
        let sizes = self.layers().iter().map(|layer| layer.bias.len().to_string());
        let layers: Vec<String> = std::iter::once(self.columns().to_string()).chain(sizes).collect();
        let mut facts = vec![
            ("layers", layers.join(" – ")),
            ("activation", self.activation().to_string()),
            ("parameters", self.parameters().len().to_string()),
            ("weight decay λ", short(self.l2())),
        ];
        match self.history().last() {
            Some(&loss) => {
                facts.push(("trained for", format!("{} epochs", self.history().len())));
                facts.push((
                    "loss at the end",
                    format!("{} (½ × squared error in the network's own units, and penalty)", short(loss)),
                ));
            }
            None => facts.push(("trained", "elsewhere".into())),
        }
        Html::titled("network").facts(facts)
    }
}

impl Shown for Training {
    fn html(&self) -> Html {
        Html::titled("how a network is trained").words(&self.to_string()).note(&format!("seed {}", self.seed))
    }
}
