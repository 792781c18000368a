//! Least squares and ridge: every leave-one-out model from one decomposition.

use std::sync::Arc;

use ndarray::linalg::general_mat_mul;
use ndarray::{Array1, Array2, ArrayView2, Axis};

use super::tangent::World;
use super::{Engine, LeaveOneOut, Models, Nested, Tangent, check_rows};
use crate::check;
use crate::error::{Error, Result};
use crate::model::linear::{Columns, Linear, Ridge, Smoother};
use crate::model::{Differentiable, Model};
use crate::sample::Sample;

/// From so many rows on, order statistics are found without asking each model at each point.
const MANY: usize = 2048;
/// And from so many on no array of the size of the table is made, let alone decomposed.
const VERY_MANY: usize = 50_000;

impl LeaveOneOut {
    /// The exact leave-one-out models of least squares or ridge.
    ///
    /// ```text
    /// f₋ᵢ(x) = f(x) − wᵢ(x)·rᵢ,    rᵢ = eᵢ/(1 − hᵢ)
    /// ```
    ///
    /// with the smoother's weights wᵢ(x), f(x) = Σ wᵢ(x)yᵢ, and the leverage hᵢ = wᵢ(xᵢ). Everything is taken at
    /// the penalty (n−1)λ that a refit without row i has, so the answer is that of n refits. It is exact also for
    /// collinear features and for more features than rows, where least squares means the solution of least norm.
    ///
    /// A λ that [`Ridge::by_likelihood`] chose is chosen again without each row, as a refit of everything would choose it.
    ///
    /// # Errors
    /// [`Error::Rows`] for a single row, [`Error::Choice`] for a negative λ, [`Error::Memory`] for more than the machine has free.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let sample = Table::Yacht.load();
    /// let ridge = Ridge::new(0.5);
    /// let loo = LeaveOneOut::closed_form(&ridge, &sample)?;
    /// let refit = ridge.fit(&sample.without(3)?)?.predict(sample.x())?[3];
    /// assert!((loo.left_out_predictions()[3] - refit).abs() < 1e-9);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn closed_form(learner: &Ridge, sample: &Sample) -> Result<Self> {
        check_rows(sample)?;
        check::not_negative("the ridge penalty λ", learner.lambda(), "0.1")?;
        let penalty = (!learner.is_chosen()).then(|| learner.lambda());
        if penalty.is_none() || sample.len() > VERY_MANY {
            let columns = Arc::new(Columns { count: sample.columns(), penalty });
            match Self::tangent_by(Engine::ClosedForm, columns, sample, &Tangent::default()) {
                // A row that decides alone asks for a decomposition of all rows.
                Err(Error::Alone { .. }) if penalty.is_some() => {}
                answer => return answer,
            }
        }
        let smoother = Smoother::new(sample, learner.lambda())?;
        let full = smoother.fit(sample.y().view());
        let smoother = smoother.with_rows(sample.len() - 1);
        let residuals = smoother.left_out_residuals(sample.y().view());
        let left_out = sample.y() - &residuals;
        let (left, right) = smoother.weights();
        let ordered = match sample.len() >= MANY {
            true => {
                World::new(full.tangent().into(), sample, (0..sample.len()).collect(), &Tangent::default(), false).ok()
            }
            false => None,
        };
        let models = Smoothed {
            full,
            ordered,
            base: smoother.fit(sample.y().view()),
            x_mean: smoother.x_mean().clone(),
            left,
            right: right * &residuals,
            shares: residuals / sample.len() as f64,
        };
        Self::new(models, Engine::ClosedForm, sample, left_out, None)
    }
}

/// f₋ᵢ(x) = base(x) − wᵢ(x)·rᵢ with the weights in factors, wᵢ(x)·rᵢ = shareᵢ + (x − mean)·left·right[:, i].
struct Smoothed {
    full: Linear,
    /// The same models where they are many, asked for order statistics; there are none where a row alone decides.
    ordered: Option<World>,
    base: Linear,
    x_mean: Array1<f64>,
    left: Array2<f64>,
    right: Array2<f64>,
    shares: Array1<f64>,
}

impl Models for Smoothed {
    fn full(&self, x: ArrayView2<f64>) -> Result<Array1<f64>> {
        Ok(self.full.evaluate(x))
    }

    fn contributions(&self, x: ArrayView2<f64>) -> Option<Array2<f64>> {
        self.full.contributions(x)
    }

    fn ordered(&self) -> Option<&dyn Nested> {
        self.ordered.as_ref().map(|world| world as &dyn Nested)
    }

    fn without(&self, x: ArrayView2<f64>) -> Result<Array2<f64>> {
        let mut without = self.base.evaluate(x).insert_axis(Axis(1)) - &self.shares;
        let projected = (&x - &self.x_mean).dot(&self.left);
        general_mat_mul(-1.0, &projected, &self.right, 1.0, &mut without);
        Ok(without)
    }
}
