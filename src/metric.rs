//! What intervals and predictions are worth, and how surely so many test rows can tell.
//!
//! | question | number | its uncertainty |
//! |---|---|---|
//! | do they hold what they promise? | [`Intervals::coverage`] | exact binomial |
//! | do they contradict what is proven? | [`Intervals::contradiction`] | exact for split conformal |
//! | everywhere? | [`Intervals::coverage_by_width`], [`Intervals::coverage_by_feature`] | exact binomial |
//! | at what cost? | mean and median width, [`Intervals::interval_score`] | |
//! | are they wide where errors are large? | [`Intervals::discrimination`] | bootstrap, permutation test |
//! | are the predictions worth anything? | [`Skill`] | standard error |
//! | how far off are the predictions? | [`rmse`] | |
//!
//! [`Intervals::metrics`] answers all of them at once.

mod binomial;
pub mod contradiction;
pub mod coverage;
pub mod curve;
pub mod discrimination;
pub mod interpolation;
mod permutation;
pub mod ranking;
pub mod score;
pub mod skill;
pub mod slice;

use std::fmt;

use ndarray::Array1;

use crate::error::{Error, Result};
use crate::interval::{Intervals, Method};
use crate::sample::Sample;
use crate::wording::percent;
pub use contradiction::Contradiction;
pub use coverage::{Coverage, Promise};
pub use curve::PrecisionRecall;
pub(crate) use discrimination::Ranked;
pub use discrimination::{Discrimination, Tells, average_precision_interval};
pub(crate) use permutation::holm;
pub use ranking::{auroc, average_precision, average_precision_by_chance};
pub use score::rmse;
pub use skill::Skill;
pub use slice::Slice;

/// Everything that one test sample says about one set of intervals.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
/// let intervals = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?.jackknife_plus(test.x(), 0.1)?;
/// let metrics = intervals.metrics(&test, 0)?;
/// assert_eq!(metrics.coverage, intervals.coverage(test.y())?);
/// assert!(format!("{metrics:?}").starts_with("jackknife+ (closed form) on 62 rows"));
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Metrics {
    /// Which method made the intervals.
    pub method: Method,
    /// The miscoverage that was asked for.
    pub alpha: f64,
    /// The share of targets inside their intervals.
    pub coverage: Coverage,
    /// Where the coverage is below what is proven, or asked for, beyond chance.
    pub contradiction: Option<Contradiction>,
    /// The mean width; +∞ if any interval is infinite.
    pub width: f64,
    /// The median width.
    pub width_median: f64,
    /// The mean interval score.
    pub interval_score: f64,
    /// The root mean squared error of the predictions.
    pub rmse: f64,
    /// How well the width tells large errors from small ones; `None` if no error stands out, as in a single row.
    pub discrimination: Option<Discrimination>,
    /// The coverage from the narrowest to the widest intervals.
    pub by_width: Vec<Slice>,
    /// The slice of a feature that is covered worst.
    pub worst: Slice,
}

impl Intervals {
    /// Everything that a test sample says about these intervals, which were made at its rows.
    ///
    /// `seed` is that of the bootstrap of the average precision.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one interval for each row, [`Error::Level`] unless 0 < α < 1.
    pub fn metrics(&self, test: &Sample, seed: u64) -> Result<Metrics> {
        let y = test.y();
        let discrimination = match self.discrimination(y, seed) {
            Err(Error::NoLargeError { .. }) => None,
            answer => Some(answer?),
        };
        Ok(Metrics {
            method: self.method,
            alpha: self.alpha,
            coverage: self.coverage(y)?,
            contradiction: self.contradiction(y)?,
            width: self.mean_width(),
            width_median: self.median_width(),
            interval_score: self.interval_score(y)?,
            rmse: rmse(y, &self.prediction)?,
            discrimination,
            by_width: self.coverage_by_width(y)?,
            worst: self.worst_slice(test)?,
        })
    }

    /// |y − f(x)| at each point; refuses targets that do not belong to the intervals, or none.
    pub(crate) fn errors(&self, y: &Array1<f64>) -> Result<Array1<f64>> {
        // The fields are public, so that they need not belong together either.
        for part in [&self.prediction, &self.lower, &self.upper] {
            if part.len() != y.len() {
                return Err(Error::Shape { what: "targets and intervals".into(), left: y.len(), right: part.len() });
            }
        }
        if y.is_empty() {
            return Err(Error::Rows { what: "a metric".into(), need: 1, have: 0 });
        }
        let errors = (y - &self.prediction).mapv(f64::abs);
        match errors.iter().all(|error| error.is_finite()) {
            true => Ok(errors),
            false => Err(Error::NotFinite { what: "a target or a prediction".into(), advice: "leave such rows out" }),
        }
    }

    /// The widths, with those equal that differ by rounding only.
    ///
    /// (f + q) − (f − q) is 2q up to the last digits of f: a constant width would be ranked by noise.
    pub(crate) fn tied_width(&self) -> Array1<f64> {
        let width = self.width();
        let ends = self.lower.iter().chain(&self.upper).map(|end| end.abs());
        let slack = 4.0 * f64::EPSILON * ends.filter(|end| end.is_finite()).fold(0.0, f64::max);
        let mut order: Vec<usize> = (0..width.len()).collect();
        order.sort_by(|&a, &b| width[a].total_cmp(&width[b]));
        let mut equal = width.clone();
        for tied in order.chunk_by(|&a, &b| width[b] - width[a] <= slack) {
            tied.iter().for_each(|&row| equal[row] = width[tied[0]]);
        }
        equal
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} on {} rows, {} asked for", self.method, self.coverage.of, percent(1.0 - self.alpha))?;
        writeln!(f, "  coverage           {:?}", self.coverage)?;
        writeln!(f, "  mean width         {:.4}", self.width)?;
        writeln!(f, "  median width       {:.4}", self.width_median)?;
        writeln!(f, "  interval score     {:.4}", self.interval_score)?;
        writeln!(f, "  RMSE               {:.4}", self.rmse)?;
        match &self.discrimination {
            Some(discrimination) => writeln!(f, "  discrimination     {discrimination:?}")?,
            None => writeln!(f, "  discrimination     no error stands out")?,
        }
        let by_width: Vec<String> = self.by_width.iter().map(|s| format!("{:.4}", s.coverage.rate)).collect();
        writeln!(f, "  narrow to wide     {}", by_width.join("  "))?;
        write!(f, "  worst slice        {:?}", self.worst)?;
        self.contradiction.iter().try_for_each(|contradiction| write!(f, "\n  {contradiction}"))
    }
}
