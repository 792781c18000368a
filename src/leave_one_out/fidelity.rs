//! A handful of real refits, held against what was claimed without refitting.

use std::fmt;

use ndarray::Array1;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Engine, LeaveOneOut};
use crate::check;
use crate::error::{Error, Result};
use crate::model::erased::{AnyDifferentiable, Fit, boxing, reminimised};
use crate::model::{Differentiable, Model};
use crate::sample::Sample;

/// How near the leave-one-out predictions of an engine come to those of real refits.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let yacht = Table::Yacht.load();
/// let ridge = Ridge::new(0.01);
/// let loo = LeaveOneOut::influence(&ridge.fit(&yacht)?, &yacht, &Influence::order(2))?;
/// let fidelity = Fidelity::measure(&loo, &yacht, 10, 0, |rest| ridge.fit(rest))?;
/// assert_eq!(fidelity.agreement(), Agreement::Close);
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Fidelity {
    /// The rows that were refitted, rising, counted from 0.
    pub rows: Vec<usize>,
    /// f(xᵢ; θ₋ᵢ) of those rows as the engine claims it.
    pub claimed: Array1<f64>,
    /// f(xᵢ; θ₋ᵢ) of those rows as refits have it.
    pub refitted: Array1<f64>,
    /// The root mean square of the difference over that of the refits' own residuals; 0 if both are 0.
    pub relative_rmse: f64,
    /// The correlation of the two shifts f(xᵢ; θ₋ᵢ) − f(xᵢ; θ̂); `None` if one of them does not vary.
    pub correlation: Option<f64>,
    /// Whose claims they are: it says what to try.
    engine: Engine,
}

/// What a [`Fidelity`] amounts to for the residuals, and with them for the width of the intervals.
///
/// Differences that do not depend on the residuals widen these by √(1 + δ²), δ the relative error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Agreement {
    /// δ ≤ 0.1: residuals change by half a percent.
    Close,
    /// δ ≤ 0.5: by up to an eighth.
    Rough,
    /// δ > 0.5, or not a number: refit instead.
    Poor,
}

impl Fidelity {
    /// How many rows are refitted unless another number is named.
    pub const HANDFUL: usize = 10;

    /// Refits a seeded random choice of `count` rows, all of them if there are fewer, and compares.
    ///
    /// ```text
    /// δ = √( Σ (f₋ᵢ(xᵢ) − f*₋ᵢ(xᵢ))² / Σ (yᵢ − f*₋ᵢ(xᵢ))² )      f₋ᵢ the engine's model, f*₋ᵢ the refit
    /// ```
    ///
    /// The residuals are those of the refits, since the claimed ones grow with the very error that is measured. `fit`
    /// should start where the model came from: what a fresh start with other seeds changes counts as error too.
    ///
    /// # Errors
    /// [`Error::Choice`] for a count of 0, [`Error::OtherRows`] if the sample is not what the models were made of, and
    /// whatever `fit` answers.
    pub fn measure<M: Model>(
        loo: &LeaveOneOut,
        sample: &Sample,
        count: usize,
        seed: u64,
        fit: impl Fn(&Sample) -> Result<M> + Sync,
    ) -> Result<Self> {
        Self::by_refits(loo, sample, count, seed, &boxing(fit))
    }

    fn by_refits(loo: &LeaveOneOut, sample: &Sample, count: usize, seed: u64, fit: Fit<'_, '_>) -> Result<Self> {
        check::at_least_one("the number of refits", count, "10")?;
        let rows = Self::chosen(loo.len(), count, seed);
        let refitted = loo.refits(sample, &rows, fit)?.into_iter().map(|(_, f)| f).collect();
        Ok(Self::compare(loo, rows, refitted))
    }

    /// The rows of a seeded choice, rising.
    pub(crate) fn chosen(of: usize, count: usize, seed: u64) -> Vec<usize> {
        let mut rows: Vec<usize> = (0..of).collect();
        rows.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        rows.truncate(count);
        rows.sort_unstable();
        rows
    }

    /// The same refits, which cost a training each, held against another engine's models of the same sample.
    ///
    /// # Errors
    /// [`Error::NoSuchRow`] if that engine has fewer rows.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let yacht = Table::Yacht.load();
    /// let model = Ridge::new(0.01).fit(&yacht)?;
    /// let by = |order| LeaveOneOut::influence(&model, &yacht, &Influence::order(order));
    /// let first = by(1)?.fidelity(&model, &yacht, 0)?;
    /// assert!(first.of(&by(2)?)?.relative_rmse < first.relative_rmse);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn of(&self, loo: &LeaveOneOut) -> Result<Self> {
        match self.rows.iter().find(|&&row| row >= loo.len()) {
            Some(&row) => Err(Error::NoSuchRow { row, rows: loo.len() }),
            None => Ok(Self::compare(loo, self.rows.clone(), self.refitted.clone())),
        }
    }

    /// What is claimed of some rows against f*₋ᵢ(xᵢ) of refits.
    pub(crate) fn compare(loo: &LeaveOneOut, rows: Vec<usize>, refitted: Array1<f64>) -> Self {
        let pick = |values: &Array1<f64>| values.select(ndarray::Axis(0), &rows);
        let (claimed, fitted, y) = (pick(&loo.left_out), pick(&loo.fitted), pick(&loo.y));
        let square = |v: Array1<f64>| v.dot(&v);
        let relative = (square(&claimed - &refitted) / square(y - &refitted)).sqrt();
        Self {
            // 0/0: a perfect fit, perfectly followed.
            relative_rmse: if claimed == refitted { 0.0 } else { relative },
            correlation: correlation(&(&claimed - &fitted), &(&refitted - &fitted)),
            rows,
            claimed,
            refitted,
            engine: loo.engine(),
        }
    }

    /// What the relative error amounts to.
    pub fn agreement(&self) -> Agreement {
        match self.relative_rmse {
            error if error <= 0.1 => Agreement::Close,
            error if error <= 0.5 => Agreement::Rough,
            _ => Agreement::Poor,
        }
    }
}

impl LeaveOneOut {
    /// Ten rows of a seeded choice, re-minimised from θ̂, against what this engine says of them.
    ///
    /// `model` is the one that the influence was asked of. See [`Fidelity::measure`] for another number of rows, or
    /// another way to refit.
    ///
    /// # Errors
    /// As [`Fidelity::measure`]; [`Error::Diverged`] if a loss without its row has no minimum nearby.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let yacht = Table::Yacht.load();
    /// let model = Ridge::new(0.01).fit(&yacht)?;
    /// let loo = LeaveOneOut::influence(&model, &yacht, &Influence::order(1))?;
    /// let fidelity = loo.fidelity(&model, &yacht, 0)?;
    /// assert!(fidelity.relative_rmse < 0.01);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn fidelity<M: Differentiable>(&self, model: &M, sample: &Sample, seed: u64) -> Result<Fidelity> {
        self.fidelity_to_minima(model, sample, seed)
    }

    fn fidelity_to_minima(&self, model: &dyn AnyDifferentiable, sample: &Sample, seed: u64) -> Result<Fidelity> {
        Fidelity::by_refits(self, sample, Fidelity::HANDFUL, seed, &|rest| reminimised(model, rest))
    }
}

/// Pearson's correlation; `None` if one side does not vary.
fn correlation(a: &Array1<f64>, b: &Array1<f64>) -> Option<f64> {
    let centre = |v: &Array1<f64>| v - v.mean().unwrap_or(0.0);
    let (a, b) = (centre(a), centre(b));
    let correlation = a.dot(&b) / (a.dot(&a) * b.dot(&b)).sqrt();
    correlation.is_finite().then(|| correlation.clamp(-1.0, 1.0))
}

impl fmt::Debug for Fidelity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seen = "; its features have seen the rows left out, those of `split+` and `tangent-cv` have not";
        let (word, advice) = match (self.agreement(), self.engine) {
            (Agreement::Close, _) => ("close", ""),
            (Agreement::Rough, Engine::Tangent) => ("rough", seen),
            (Agreement::Poor, Engine::Tangent) => ("poor", seen),
            (Agreement::Rough, _) => ("rough", "; try another damping or a higher order"),
            (Agreement::Poor, _) => ("poor", "; refit instead"),
        };
        write!(f, "{word}: on {} rows refitted, the left-out predictions differ by ", self.rows.len())?;
        write!(f, "{:.2} % of the residuals, ", 100.0 * self.relative_rmse)?;
        match self.correlation {
            Some(correlation) => write!(f, "their shifts correlate {correlation:.4}{advice}"),
            None => write!(f, "their shifts do not vary{advice}"),
        }
    }
}
