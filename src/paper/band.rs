//! Intervals over one feature, and what they are worth on new rows: what Figures 1 and 3 are made of.

use std::fmt;

use ndarray::{Array1, Array2, Axis};

use crate::error::Result;
use crate::interval::Intervals;
use crate::metric::Coverage;
use crate::sample::Sample;
use crate::sample::synthetic::{Feature, cubic};

/// Points of the even grid on which a band is drawn.
const GRID: usize = 121;
/// New rows on which it is judged.
const NEW: usize = 1000;

/// One panel: a band of intervals over x, the rows it was made from, and its worth on new rows of the same kind.
#[derive(Clone, PartialEq)]
pub struct Band {
    /// Which panel it is, in a few words.
    pub caption: String,
    /// The training rows.
    pub train: Sample,
    /// An even grid over the training rows.
    pub x: Array1<f64>,
    /// The intervals on the grid.
    pub intervals: Intervals,
    /// The coverage of 1000 new rows.
    pub coverage: Coverage,
    /// The average precision with which the width finds the largest tenth of the errors on the new rows, raw.
    pub precision: f64,
    /// The mean width at the new rows.
    pub width: f64,
    /// The widest interval over the narrowest, among those at the new rows.
    pub variation: f64,
}

/// Where the rows of a band come from.
#[derive(Clone, Copy)]
pub(super) struct Source {
    pub(super) feature: Feature,
    /// σ², the variance of ε.
    pub(super) variance: f64,
    pub(super) rows: usize,
    pub(super) seed: u64,
}

impl Source {
    pub(super) fn train(&self) -> Result<Sample> {
        cubic(self.rows, self.feature, self.variance.sqrt(), self.seed)
    }

    /// So many rows from the same source, not those of [`Source::train`].
    pub(super) fn new_rows(&self, rows: usize) -> Result<Sample> {
        // Another stream: neighbouring seeds are those of other panels and runs.
        cubic(rows, self.feature, self.variance.sqrt(), self.seed ^ 0x9e37_79b9_7f4a_7c15)
    }
}

impl Band {
    /// Asks for intervals on the grid and on new rows.
    pub(super) fn new(
        caption: String,
        source: &Source,
        train: &Sample,
        ask: impl Fn(&Array2<f64>) -> Result<Intervals>,
    ) -> Result<Self> {
        let seen = train.x().column(0);
        let (low, high) = seen.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &x| (l.min(x), h.max(x)));
        let x = Array1::linspace(low, high, GRID);
        let new = source.new_rows(NEW)?;
        let judged = ask(new.x())?;
        let widths = judged.width();
        let narrowest = widths.iter().copied().fold(f64::INFINITY, f64::min);
        let widest = widths.iter().copied().fold(0.0, f64::max);
        Ok(Self {
            caption,
            train: train.clone(),
            intervals: ask(&x.clone().insert_axis(Axis(1)))?,
            x,
            coverage: judged.coverage(new.y())?,
            precision: judged.discrimination(new.y(), source.seed)?.average_precision,
            width: judged.mean_width(),
            variation: widest / narrowest,
        })
    }
}

impl fmt::Debug for Band {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { caption, coverage, precision, width, variation, intervals, .. } = self;
        write!(f, "{caption}: {:.0} % promised, {:.3} covered, ", 100.0 * (1.0 - intervals.alpha), coverage.rate)?;
        write!(f, "mean width {width:.3}, widest over narrowest {variation:.2}, average precision {precision:.3}")
    }
}
