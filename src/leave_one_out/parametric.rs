//! Models that differ in their parameters only: what influence, Newton steps and re-minimisation have in common.

use ndarray::{Array1, Array2, ArrayView2, Axis};
use rayon::prelude::*;

use super::Models;
use crate::error::{Error, Result};
use crate::model::erased::AnyDifferentiable;
use crate::sample::Sample;

/// A power of 2, so that dividing by it loses nothing.
const STEPS: f64 = 64.0;

pub(super) struct Parametric {
    pub(super) full: Box<dyn AnyDifferentiable>,
    /// θ₋ᵢ, one row each.
    pub(super) thetas: Array2<f64>,
}

impl Parametric {
    /// f(xᵢ; θ₋ᵢ) for every row.
    pub(super) fn left_out(&self, sample: &Sample) -> Array1<f64> {
        let rows = sample.x().axis_iter(Axis(0)).into_par_iter().zip(self.thetas.axis_iter(Axis(0)));
        let predictions: Vec<f64> =
            rows.map(|(x, theta)| self.full.moved(theta).evaluate(x.insert_axis(Axis(0)))[0]).collect();
        predictions.into()
    }
}

impl Parametric {
    /// f(xᵢ; θ̂) for every row.
    pub(super) fn fitted(&self, sample: &Sample) -> Array1<f64> {
        self.full.evaluate(sample.x().view())
    }

    /// Jᵢ(θ₋ᵢ − θ̂) for every row, in units of the target: the change of its own prediction to first order.
    pub(super) fn first_order(&self, sample: &Sample, fitted: &Array1<f64>) -> Array1<f64> {
        let theta = self.full.parameters();
        let near = Self { full: self.full.boxed(), thetas: (&self.thetas - &theta) / STEPS + &theta };
        (near.left_out(sample) - fitted) * STEPS
    }
}

impl Models for Parametric {
    fn full(&self, x: ArrayView2<f64>) -> Result<Array1<f64>> {
        Ok(self.full.evaluate(x))
    }

    /// vᵢ(x) from a step of 1/64 towards θ₋ᵢ: a whole step along directions that the rows hardly determine is long, and
    /// what it does beyond first order would drown the rest.
    fn shifts(&self, x: ArrayView2<f64>) -> Result<Array2<f64>> {
        let (theta, fitted) = (self.full.parameters(), self.full.evaluate(x));
        let mut shifts = Array2::zeros((x.nrows(), self.thetas.nrows()));
        for (mut column, moved) in shifts.columns_mut().into_iter().zip(self.thetas.rows()) {
            let near = &theta + &((&moved - &theta) / STEPS);
            column.assign(&((&fitted - &self.full.moved(near.view()).evaluate(x)) * STEPS));
        }
        Ok(shifts)
    }

    fn contributions(&self, x: ArrayView2<f64>) -> Option<Array2<f64>> {
        self.full.contributions(x)
    }

    fn without(&self, x: ArrayView2<f64>) -> Result<Array2<f64>> {
        let mut without = Array2::zeros((x.nrows(), self.thetas.nrows()));
        for (mut column, theta) in without.columns_mut().into_iter().zip(self.thetas.rows()) {
            column.assign(&self.full.moved(theta).evaluate(x));
        }
        Ok(without)
    }
}

/// Refuses a model that was trained on other columns than the sample's, or that is not finite there.
pub(super) fn check_model(model: &dyn AnyDifferentiable, sample: &Sample) -> Result<()> {
    super::check_rows(sample)?;
    if model.columns() != sample.columns() {
        return Err(Error::Columns { trained: model.columns(), given: sample.columns() });
    }
    if model.evaluate(sample.x().view()).iter().any(|f| !f.is_finite()) {
        return Err(Error::NotFinite {
            what: "a prediction of the model on its training rows".into(),
            advice: "check the weights and that these are the rows it was trained on",
        });
    }
    Ok(())
}
