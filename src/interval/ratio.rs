//! Likelihood ratios of new rows to training rows, estimated: what the weighted jackknife+ wants where nobody knows them.
//!
//! A classifier that tells the m new rows from the n training rows, by their features, knows how much likelier a row is among
//! the new ones (Tibshirani, Barber, Candès & Ramdas 2019):
//!
//! ```text
//! w(x) = p(x)/(1 − p(x)) · n/m,      ln p/(1 − p) = b + β·z      z: the features in units of their deviations
//! ```
//!
//! It is a logistic regression with the penalty ½λ‖β‖². It is asked at the rows that it was fitted to, and a classifier that
//! learns them by heart takes noise for a shift and leaves few rows with any weight. So λ is chosen among a few by the
//! likelihood on rows left out, and where no classifier tells new rows from old ones better than a coin, all weights are
//! nearly equal and the jackknife+ comes back. The log-ratio is linear in the features: new rows that are spread wider about
//! the same mean have no weight that such a ratio could give them.
//!
//! Nothing is proven with estimated weights: the bound 1 − 2α is that of the true ones.

use std::fmt;

use ndarray::{Array1, Array2, Axis, concatenate};

use super::Intervals;
use super::weighted::effective;
use crate::error::{Error, Result};
use crate::leave_one_out::LeaveOneOut;
use crate::model::logistic::Logistic;
use crate::sample::{Sample, check_points};

/// New rows below which no ratio can be learnt.
const LEAST: usize = 10;
/// Parts of the rows that are left out in turn to choose λ.
const PARTS: usize = 5;
/// The λ to choose from: the last of them leaves no weight that differs from another by more than a hair.
const PENALTIES: [f64; 5] = [1.0, 10.0, 100.0, 1e3, 1e6];
/// Rows that are worth less than so many, or than this share of all, carry no interval worth the name.
const FEW: f64 = 30.0;
const SMALL_SHARE: f64 = 0.1;
/// ln of a weight beyond which a point outweighs any table; its exponential is finite.
const LARGEST: f64 = 500.0;

/// Likelihood ratios of new rows to training rows, up to a common factor: those of the training rows have mean 1.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let train = cubic(300, Feature::Normal { deviation: 1.0 }, 0.5, 0)?;
/// let moved = cubic(300, Feature::Normal { deviation: 1.0 }, 0.5, 1)?.x() + 1.0;
/// let ratios = Ratios::estimate(&train, &moved)?;
/// // The true ratio of N(1, 1) to N(0, 1) is exp(x − ½), which is worth n/e rows.
/// assert!((80.0..160.0).contains(&ratios.effective_rows()));
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Ratios {
    /// The ratio at each training row.
    pub rows: Array1<f64>,
    /// The ratio at each new row.
    pub points: Array1<f64>,
}

impl Ratios {
    /// Estimates them from the features of both, by a classifier: see [`ratio`](crate::interval::ratio).
    ///
    /// # Errors
    /// [`Error::Rows`] for fewer than ten new rows, [`Error::Columns`] if they have not the columns of the sample,
    /// [`Error::Cell`] for cells that are not finite.
    pub fn estimate(train: &Sample, x: &Array2<f64>) -> Result<Self> {
        check_points(x, train.columns())?;
        let (rows, points) = (train.len(), x.nrows());
        if points < LEAST {
            return Err(Error::Rows { what: "an estimate of weights at new rows".into(), need: LEAST, have: points });
        }
        let all = concatenate(Axis(0), &[train.x().view(), x.view()])
            .map_err(|_| Error::Columns { trained: train.columns(), given: x.ncols() })?;
        let is_new: Vec<bool> = (0..rows + points).map(|row| row >= rows).collect();
        let odds = Logistic::penalised(&all, &is_new, best_penalty(&all, &is_new)).log_odds(&all);
        let (old, new) = odds.view().split_at(Axis(0), rows);
        // In units of the largest of a row: none overflows, and their sum is not 0.
        let largest = old.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weight = |odds: &f64| (odds - largest).min(LARGEST).exp();
        let (old, new): (Array1<f64>, Array1<f64>) =
            (old.iter().map(weight).collect(), new.iter().map(weight).collect());
        let mean = old.sum() / rows as f64;
        Ok(Self { rows: old / mean, points: new / mean })
    }

    /// How many training rows of equal weight are worth as much as these.
    ///
    /// ```text
    /// ( Σ wᵢ )² / Σ wᵢ²
    /// ```
    pub fn effective_rows(&self) -> f64 {
        effective(&self.rows)
    }

    /// Whether so few rows carry the weight that the intervals stand on next to nothing: fewer than 30, or than a tenth.
    pub fn is_thin(&self) -> bool {
        self.effective_rows() < FEW.max(SMALL_SHARE * self.rows.len() as f64)
    }
}

/// The λ under which rows left out are likeliest, the largest of equals.
fn best_penalty(x: &Array2<f64>, is_new: &[bool]) -> f64 {
    // Every fifth row of either kind, for neighbours in a table are alike.
    let mut seen = [0_usize; 2];
    let part: Vec<usize> = (is_new.iter())
        .map(|&new| {
            seen[usize::from(new)] += 1;
            seen[usize::from(new)] % PARTS
        })
        .collect();
    let rows = |keep: &dyn Fn(usize) -> bool| -> (Array2<f64>, Vec<bool>) {
        let rows: Vec<usize> = (0..is_new.len()).filter(|&row| keep(part[row])).collect();
        (x.select(Axis(0), &rows), rows.iter().map(|&row| is_new[row]).collect())
    };
    let mut losses = [0.0; PENALTIES.len()];
    for left_out in 0..PARTS {
        let ((x, kind), (asked, truth)) = (rows(&|part| part != left_out), rows(&|part| part == left_out));
        for (loss, penalty) in losses.iter_mut().zip(PENALTIES) {
            *loss += Logistic::penalised(&x, &kind, penalty).unlikelihood(&asked, &truth);
        }
    }
    let least = losses.iter().copied().fold(f64::INFINITY, f64::min);
    let best = losses.iter().rposition(|&loss| loss <= least);
    best.map_or(PENALTIES[0], |best| PENALTIES[best])
}

impl LeaveOneOut {
    /// The weighted jackknife+ at new rows whose features are distributed otherwise than those of the training rows, with
    /// weights estimated from both: see [`ratio`](crate::interval::ratio).
    ///
    /// `train` is what the models were made of, and `x` the new rows, all of them: they say where the features have moved to.
    /// The target must depend on the features as before. [`Ratios::effective_rows`] tells how many rows the intervals stand on.
    ///
    /// # Errors
    /// As [`Ratios::estimate`] and [`LeaveOneOut::weighted_jackknife_plus`].
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// // A line through y = x³, used further out than it was fitted.
    /// let train = cubic(200, Feature::Normal { deviation: 1.0 }, 0.5, 0)?;
    /// let moved = cubic(100, Feature::Normal { deviation: 1.0 }, 0.5, 1)?.x() + 1.0;
    /// let loo = LeaveOneOut::closed_form(&Ridge::least_squares(), &train)?;
    /// let shifted = loo.shifted_jackknife_plus(&train, &moved, 0.1)?;
    /// assert!(shifted.mean_width() > loo.jackknife_plus(&moved, 0.1)?.mean_width());
    /// assert_eq!(shifted.guarantee, Guarantee::IfEstimateTrue(0.8));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn shifted_jackknife_plus(&self, train: &Sample, x: &Array2<f64>, alpha: f64) -> Result<Intervals> {
        let ratios = Ratios::estimate(train, x)?;
        let intervals = self.weighted_jackknife_plus(x, &ratios.rows, &ratios.points, alpha)?;
        Ok(Intervals { guarantee: intervals.guarantee.with_estimated_weights(), ..intervals })
    }
}

/// What the rows are worth, in a sentence.
impl fmt::Display for Ratios {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, worth) = (self.rows.len(), self.effective_rows());
        write!(
            f,
            "estimated for {} new rows: the {rows} training rows are worth {worth:.0} equally weighted ones",
            self.points.len()
        )?;
        match self.is_thin() {
            true => write!(f, ", too few to stand on; get training rows that are more like the new ones"),
            false => Ok(()),
        }
    }
}

impl fmt::Debug for Ratios {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "likelihood ratios {self}")
    }
}
