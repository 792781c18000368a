//! Whether wide intervals stand where errors are large.

use std::fmt;

use ndarray::Array1;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::curve::PrecisionRecall;
use super::interpolation::{interpolated, interpolated_of_sorted};
use super::ranking::{Ranking, auroc, average_precision, average_precision_of};
use crate::check;
use crate::error::{Error, Result};
use crate::interval::Intervals;

/// An error is large if it exceeds this quantile of all errors; numpy's quantile and the paper's level.
const LARGE: f64 = 0.9;

/// How many resamples the interval of a [`Discrimination`] has.
pub const RESAMPLES: usize = 1000;

/// How well the width tells large errors from small ones.
///
/// Positive are the errors |y − f(x)| above their 90 % quantile; the width ranks them. Raw, never folded: beside it
/// stands the prevalence, which is what a width that knows nothing would reach.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
/// let loo = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?;
/// let studentised = loo.studentised(test.x(), 0.1)?.discrimination(test.y(), 0)?;
/// assert!(studentised.low <= studentised.average_precision);
/// assert!(studentised.average_precision <= studentised.high);
/// assert!((studentised.prevalence - 7.0 / 62.0).abs() < 1e-15);
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Discrimination {
    /// The average precision.
    pub average_precision: f64,
    /// The lower end of its 95 % bootstrap interval.
    pub low: f64,
    /// The upper end of its 95 % bootstrap interval.
    pub high: f64,
    /// The share of positives.
    pub prevalence: f64,
    /// The area under the ROC curve; ½ is chance.
    pub auroc: f64,
}

impl fmt::Debug for Discrimination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { average_precision, low, high, prevalence, auroc } = self;
        write!(f, "average precision {average_precision:.4} (95 % interval {low:.4} to {high:.4}), ")?;
        write!(f, "chance {prevalence:.4}; AUROC {auroc:.4}")
    }
}

/// The 95 % percentile interval of the average precision over seeded resamples of the rows.
///
/// A resample draws as many rows as there are, with replacement; one without a positive is drawn again. The labels
/// stay as they are.
///
/// # Errors
/// As [`average_precision`]; [`Error::Choice`] for no resamples.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// use ndarray::array;
/// let (positive, score) = ([true, true, false, false], array![4.0, 3.0, 2.0, 1.0]);
/// assert_eq!(average_precision_interval(&positive, &score, 100, 0)?, (1.0, 1.0)); // perfect in any resample
/// # Ok::<(), jackknife::Error>(())
/// ```
pub fn average_precision_interval(
    positive: &[bool],
    score: &Array1<f64>,
    resamples: usize,
    seed: u64,
) -> Result<(f64, f64)> {
    let ranking = Ranking::new(positive, score)?;
    ranking.check_positives()?;
    check::at_least_one("the number of resamples", resamples, "1000")?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut ties = ranking.ties.clone();
    let mut precisions: Vec<f64> = (0..resamples)
        .map(|_| {
            // The order of the scores is known: a resample only counts anew.
            loop {
                ties.iter_mut().for_each(|tie| (tie.positives, tie.negatives) = (0, 0));
                for _ in 0..ranking.rows.len() {
                    let (tie, positive) = ranking.rows[rng.gen_range(0..ranking.rows.len())];
                    let count = if positive { &mut ties[tie].positives } else { &mut ties[tie].negatives };
                    *count += 1;
                }
                if ties.iter().any(|tie| tie.positives > 0) {
                    return average_precision_of(&ties);
                }
            }
        })
        .collect();
    precisions.sort_by(f64::total_cmp);
    Ok((interpolated_of_sorted(&precisions, 0.025), interpolated_of_sorted(&precisions, 0.975)))
}

impl Intervals {
    /// How well the width tells large errors from small ones, with what so many rows can tell.
    ///
    /// The interval has [`RESAMPLES`] resamples of the given seed. Infinite widths are allowed, and tie.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one target for each interval, [`Error::Rows`] if there are none,
    /// [`Error::NoLargeError`] if no error stands out from the others.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let loo = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?;
    /// // Intervals of constant width cannot discriminate: precision is the prevalence.
    /// let constant = loo.jackknife(test.x(), 0.1)?.discrimination(test.y(), 0)?;
    /// assert!((constant.average_precision - 7.0 / 62.0).abs() < 1e-9);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn discrimination(&self, y: &Array1<f64>, seed: u64) -> Result<Discrimination> {
        let (positive, width) = self.large_errors(y)?;
        let (low, high) = average_precision_interval(&positive, &width, RESAMPLES, seed)?;
        let positives = positive.iter().filter(|&&positive| positive).count();
        Ok(Discrimination {
            average_precision: average_precision(&positive, &width)?,
            low,
            high,
            prevalence: positives as f64 / positive.len() as f64,
            auroc: auroc(&positive, &width)?,
        })
    }

    /// The precision–recall curve behind [`Intervals::discrimination`].
    ///
    /// # Errors
    /// As [`Intervals::discrimination`].
    pub fn precision_recall(&self, y: &Array1<f64>) -> Result<PrecisionRecall> {
        let (positive, width) = self.large_errors(y)?;
        PrecisionRecall::from_scores(&positive, &width)
    }

    /// The error |y − f(x)| above which it counts as large: the 90 % quantile of all errors, numpy's.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one target for each interval, [`Error::Rows`] if there are none.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let intervals = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?.jackknife_plus(test.x(), 0.1)?;
    /// let threshold = intervals.large_error(test.y())?;
    /// let errors = test.y() - &intervals.prediction;
    /// assert_eq!(errors.iter().filter(|error| error.abs() > threshold).count(), 7);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn large_error(&self, y: &Array1<f64>) -> Result<f64> {
        Ok(interpolated(&self.errors(y)?.to_vec(), LARGE))
    }

    /// Which errors exceed their 90 % quantile, and the widths that are to tell.
    fn large_errors(&self, y: &Array1<f64>) -> Result<(Vec<bool>, Array1<f64>)> {
        let errors = self.errors(y)?;
        let threshold = self.large_error(y)?;
        let positive: Vec<bool> = errors.iter().map(|&error| error > threshold).collect();
        if positive.contains(&true) {
            return Ok((positive, self.tied_width()));
        }
        let rows = errors.len();
        Err(Error::NoLargeError { rows, threshold })
    }
}
