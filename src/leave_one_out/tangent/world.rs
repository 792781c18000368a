//! The tangent of one model.

use std::sync::Arc;

use ndarray::{Array1, Array2, ArrayView2, Axis, s};

use super::{Nested, Tangent};
use crate::check;
use crate::error::{Error, Result};
use crate::hat::{Asked, HELD, Hat, in_blocks};
use crate::leave_one_out::{Engine, LeaveOneOut, Models};
use crate::model::Features;
use crate::sample::Sample;
use crate::wording::short;

/// A tangent, and the rows that are left out of it in turn.
pub(in crate::leave_one_out) struct World {
    hat: Hat,
    /// The rows that are left out.
    rows: Vec<usize>,
    unit: f64,
    is_proven: bool,
    /// Whether the penalty was chosen here.
    by_likelihood: bool,
}

impl World {
    pub(in crate::leave_one_out) fn new(
        features: Arc<dyn Features>,
        sample: &Sample,
        rows: Vec<usize>,
        how: &Tangent,
        unseen: bool,
    ) -> Result<Self> {
        if features.columns() != sample.columns() {
            return Err(Error::Columns { trained: features.columns(), given: sample.columns() });
        }
        let x = Arc::new(sample.x().clone());
        let offset = in_blocks(x.view(), |x| features.offset(x));
        check_features(features.as_ref(), x.view(), &offset)?;
        let (unit, is_proven) = (features.unit(), features.are_fixed() || unseen);
        let penalty = features.penalty().filter(|_| !how.likelihood);
        let u = (sample.y() - &offset) / unit;
        let hat = Hat::new(features, x, u, penalty)?;
        Ok(Self { hat, rows, unit, is_proven, by_likelihood: penalty.is_none() })
    }

    /// Put together with the rows that are left out.
    pub(super) fn leave_one_out(self, engine: Engine, left_out: &Sample) -> Result<LeaveOneOut> {
        let residuals = self.hat.residuals().select(Axis(0), &self.rows) * self.unit;
        let left_out_predictions = left_out.y() - &residuals;
        match self.rows.len() == self.hat.len() {
            // The table is not stored twice.
            true => {
                let x = self.hat.x();
                LeaveOneOut::of_rows(self, engine, x, left_out.y().clone(), left_out_predictions, None)
            }
            false => LeaveOneOut::new(self, engine, left_out, left_out_predictions, None),
        }
    }

    fn offset(&self, x: ArrayView2<f64>) -> Array1<f64> {
        in_blocks(x, |x| self.hat.features().offset(x))
    }
}

/// Refuses features that are not what they say.
fn check_features(features: &dyn Features, x: ArrayView2<f64>, offset: &Array1<f64>) -> Result<()> {
    let same = |what: &str, left: usize, right: usize| match left == right {
        true => Ok(()),
        false => Err(Error::Shape { what: what.into(), left, right }),
    };
    check::at_least_one("the number of the model's features", features.width(), "features of at least one column")?;
    check::positive("the unit of the model's features", features.unit(), "1")?;
    features.penalty().map_or(Ok(()), |lambda| check::not_negative("the model's penalty λ", lambda, "0.1"))?;
    // A kernel's features are never written down.
    if features.width() < usize::MAX {
        let (rows, columns) = features.features(x.slice(s![..1, ..])).dim();
        same("rows of the features and of the table", rows, 1)?;
        same("columns of the features and their number", columns, features.width())?;
    }
    same("offsets and rows", offset.len(), x.nrows())?;
    if offset.iter().any(|offset| !offset.is_finite()) {
        return Err(Error::NotFinite {
            what: "a prediction of the model on its training rows".into(),
            advice: "check the weights and that these are the rows it was trained on",
        });
    }
    for x in x.axis_chunks_iter(Axis(0), HELD) {
        let Some(places) = features.place(x) else { return Ok(()) };
        same("places and rows", places.nrows(), x.nrows())?;
        if !places.iter().all(|place| place.is_finite()) {
            return Err(Error::NotFinite {
                what: "a place of a training row".into(),
                advice: "look for weights or columns of very large magnitude",
            });
        }
    }
    Ok(())
}

impl Models for World {
    fn full(&self, x: ArrayView2<f64>) -> Result<Array1<f64>> {
        Ok(self.hat.predictions(x) * self.unit + self.offset(x))
    }

    fn without(&self, x: ArrayView2<f64>) -> Result<Array2<f64>> {
        let without = self.hat.without(x);
        let without = if self.rows.len() < without.ncols() { without.select(Axis(1), &self.rows) } else { without };
        Ok(without * self.unit + self.offset(x).insert_axis(Axis(1)))
    }

    fn contributions(&self, x: ArrayView2<f64>) -> Option<Array2<f64>> {
        self.hat.features().place(x)
    }

    fn nested(&self) -> Option<&dyn Nested> {
        Some(self)
    }
}

impl Nested for World {
    fn scores(&self) -> Array1<f64> {
        self.hat.scores().select(Axis(0), &self.rows)
    }

    fn order_statistics(&self, x: ArrayView2<f64>, asked: &[Asked]) -> Result<Array2<f64>> {
        let unit = self.unit;
        // What is added as it is comes in units of the target.
        let inside: Vec<Vec<f64>> = asked
            .iter()
            .map(|asked| asked.multiples.iter().map(|m| if asked.scaled { *m } else { m / unit }).collect())
            .collect();
        let asked: Vec<Asked> = asked
            .iter()
            .zip(&inside)
            .map(|(asked, multiples)| Asked { multiples, scaled: asked.scaled, rank: asked.rank })
            .collect();
        let ends = self.hat.order_statistics(x, &self.rows, &asked)?;
        Ok(ends * unit + self.offset(x).insert_axis(Axis(1)))
    }

    fn own(&self, x: ArrayView2<f64>) -> Option<Array1<f64>> {
        self.hat.features().prediction(x)
    }

    fn scales(&self, x: ArrayView2<f64>) -> Array1<f64> {
        self.hat.scales(x) * self.unit
    }

    fn is_proven(&self) -> bool {
        self.is_proven
    }

    fn has_given_features(&self) -> bool {
        self.hat.features().are_given()
    }

    fn rows(&self) -> &[usize] {
        &self.rows
    }

    fn has_fixed_penalty(&self) -> bool {
        !self.by_likelihood
    }

    fn hat(&self) -> Option<(&Hat, f64)> {
        Some((&self.hat, self.unit))
    }

    fn notes(&self) -> Vec<String> {
        let (kappa, features, n) = (short(self.hat.kappa()), self.hat.features().words(), self.hat.len());
        let by = if self.by_likelihood { "by marginal likelihood" } else { "of the model's own penalty" };
        let mut notes = vec![format!("ridge on {features} of {n} rows, κ = {kappa} {by}")];
        let without = self.hat.kappas_without();
        if without.len() > 1 {
            let each: Vec<String> = without.iter().map(|(kappa, rows)| format!("{} ({rows})", short(*kappa))).collect();
            notes.push(format!("κ without a row (rows): {}", each.join(", ")));
        }
        if let Some(pool) = self.hat.pool() {
            notes.push(format!(
                "neighbours are the nearest of {pool} rows, each of which was drawn by a coin of its own"
            ));
        }
        if self.hat.is_at_end() {
            notes.push(
                "κ is at the end of its grid: below it 1 − h would lose its digits, above it the features explain nothing"
                    .into(),
            );
        }
        notes
    }
}
