//! Intervals: a summary, and the first of them.

use super::html::numbered;
use super::{Html, ROWS, Shown, show_in_cells};
use crate::interval::{Guarantee, HeldOut, Intervals, Ratios};
use crate::metric::interpolation::interpolated;
use crate::wording::{alike, percent, short};

show_in_cells!(Intervals, HeldOut, Guarantee, Ratios);

impl Shown for Intervals {
    fn html(&self) -> Html {
        let width = self.width().to_vec();
        let count = width.len();
        let quantile = |level| short(interpolated(&width, level));
        let title = format!("{count} intervals by {} for {} coverage", self.method, percent(1.0 - self.alpha));
        let ends = self.lower.iter().zip(&self.upper);
        let own = |row: usize| self.own.as_ref().map_or(f64::NAN, |own| own[row]);
        let first: Vec<[f64; 5]> = (self.prediction.iter().zip(ends).take(ROWS).enumerate())
            .map(|(row, (&prediction, (&lower, &upper)))| [prediction, lower, upper, upper - lower, own(row)])
            .collect();
        // The last column is there where the model itself predicts something else.
        let columns = 5 + usize::from(self.own.is_some());
        let rows = alike(&first).into_iter().enumerate().map(|(row, numbers)| {
            let mut cells = numbered(row, numbers);
            cells.truncate(columns);
            cells
        });
        let headings = ["row", "prediction", "lower", "upper", "width", "the model's own"];
        let mut html = Html::titled(&title).table(&headings[..columns], rows);
        if count > ROWS {
            html = html.note(&format!("and {} more rows", count - ROWS));
        }
        if count > 0 {
            let range = format!("{} to {}", quantile(0.0), quantile(1.0));
            let facts = [
                ("mean width, in units of the target", short(self.mean_width())),
                ("median width", quantile(0.5)),
                ("widths from", range),
            ];
            html = html.facts(facts);
        }
        let infinite = width.iter().filter(|width| width.is_infinite()).count();
        if infinite > 0 {
            html =
                html.warning(&format!("{infinite} are infinite: the training rows are too few for α = {}", self.alpha));
        }
        if let Some(words) = self.outside_words() {
            html = html.warning(&words);
        }
        if let Some(words) = self.own_words() {
            html = html.note(&words);
        }
        html.note(&format!("proven: {}", self.guarantee))
    }
}

impl Shown for HeldOut {
    fn html(&self) -> Html {
        let residuals = self.residuals().to_vec();
        let quantile = |level| short(interpolated(&residuals, level));
        Html::titled(&format!("split conformal: a model, and its errors on {} rows held out", residuals.len())).facts([
            ("mean |y − f(x)|", short(residuals.iter().sum::<f64>() / residuals.len() as f64)),
            ("median", quantile(0.5)),
            ("90 %", quantile(0.9)),
            ("largest", quantile(1.0)),
        ])
    }
}

impl Shown for Guarantee {
    fn html(&self) -> Html {
        Html::titled("what is proven").words(&self.to_string())
    }
}

impl Shown for Ratios {
    fn html(&self) -> Html {
        let largest = |weights: &ndarray::Array1<f64>| short(weights.iter().copied().fold(0.0, f64::max));
        let html = Html::titled("how much likelier a row is among the new rows").facts([
            ("largest ratio of a training row", largest(&self.rows)),
            ("largest ratio of a new row", largest(&self.points)),
            ("training rows that are worth as much", format!("{:.0} of {}", self.effective_rows(), self.rows.len())),
        ]);
        if self.is_thin() { html.warning(&self.to_string()) } else { html.words(&self.to_string()) }
    }
}
