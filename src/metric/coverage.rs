//! How often the intervals hold what they promise, and how surely that is known.

use std::fmt;

use ndarray::Array1;

use super::binomial::{exact_interval, wilson_interval};
use crate::error::{Error, Result};
use crate::interval::Intervals;

/// The probability that the interval of a [`Coverage`] leaves outside.
const OUTSIDE: f64 = 0.05;

/// A row tested many times is never worth more than so many: what it has of its own does not average out.
const MOST: f64 = 2.0;

/// A share of rows covered, with its 95 % interval: exact (Clopper–Pearson) for the rows of one test sample.
///
/// ```text
/// low:  P(X ≥ covered | p) = 0.025        high:  P(X ≤ covered | p) = 0.025        X ~ Binomial(of, p)
/// ```
///
/// The interval speaks of new test rows for this one fit; another training sample would move the rate as well. That of
/// an audit's folds is Wilson's, over rows and not over tests: see [`Coverage::from_shares`].
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let coverage = Coverage::from_counts(8, 10)?;
/// assert_eq!(format!("{coverage:?}"), "0.8000 (8 of 10, 95 % interval 0.4439 to 0.9748)");
/// assert!(coverage.contains(0.9)); // ten rows cannot tell 80 % from 90 %
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq)]
pub struct Coverage {
    /// covered / of.
    pub rate: f64,
    /// The lower end of the 95 % interval of the rate.
    pub low: f64,
    /// The upper end of the 95 % interval of the rate.
    pub high: f64,
    /// Rows whose target lies in its interval; in most of its tests, where a row had several.
    pub covered: usize,
    /// Rows in all.
    pub of: usize,
}

impl Coverage {
    /// The coverage of `covered` rows among `of`.
    ///
    /// # Errors
    /// [`Error::Rows`] without rows, [`Error::Counts`] if more are covered than there are.
    pub fn from_counts(covered: usize, of: usize) -> Result<Self> {
        if of == 0 {
            return Err(Error::Rows { what: "a coverage".into(), need: 1, have: 0 });
        }
        if covered > of {
            return Err(Error::Counts { covered, of });
        }
        let (low, high) = exact_interval(covered, of, OUTSIDE);
        Ok(Self { rate: covered as f64 / of as f64, low, high, covered, of })
    }

    /// The coverage of rows that were tested several times, each with the share of its tests in which it was covered.
    ///
    /// ```text
    /// rate = mean of the shares,    Wilson's interval for  n·t·rate(1 − rate)/s²  rows
    /// ```
    ///
    /// n rows with shares of variance s², so that a row tested twice is still one row; t is `trust`, what a row is worth:
    /// 1 where every test came from one split. Rows of different folds train each other's models, so that folds know less
    /// than so many independent rows would; an audit takes 5/6 for t.
    ///
    /// For t < 1 the upper end is that of half a row more. In folds the rate is drawn to what the models were calibrated for,
    /// and it is their true coverage that varies, further up than Wilson's end goes, which is drawn to ½. Without the half row
    /// the truth lies above that end on up to an eighth of all tables of 30 rows, and below the lower end on hardly any
    /// (measured: [`guide::calibration`](crate::guide::calibration)).
    ///
    /// # Errors
    /// [`Error::Rows`] without rows.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let once = Coverage::from_shares(&[1.0, 1.0, 0.0, 1.0], 1.0)?;
    /// let twice = Coverage::from_shares(&[1.0, 0.5, 0.5, 1.0], 1.0)?; // as many rows, but they agree better
    /// assert_eq!((once.rate, once.of), (twice.rate, twice.of));
    /// assert!(once.low < twice.low && twice.high < once.high);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn from_shares(shares: &[f64], trust: f64) -> Result<Self> {
        let of = shares.len();
        if of == 0 {
            return Err(Error::Rows { what: "a coverage".into(), need: 1, have: 0 });
        }
        let n = of as f64;
        let rate = shares.iter().sum::<f64>() / n;
        let variance = shares.iter().map(|share| (share - rate).powi(2)).sum::<f64>() / n;
        // Shares that are all alike know no more than rows that were tested once.
        let known = if variance > 0.0 { (rate * (1.0 - rate) / variance).clamp(1.0, MOST) } else { 1.0 };
        let rows = n * known * trust;
        let (low, high) = wilson_interval(rate, rows);
        let high = if trust < 1.0 { wilson_interval((rate + 0.5 / rows).min(1.0), rows).1 } else { high };
        let covered = shares.iter().filter(|&&share| share >= 0.5).count();
        Ok(Self { rate, low, high, covered, of })
    }

    /// Whether a rate lies in the 95 % interval: if not, the rows contradict it.
    pub fn contains(&self, rate: f64) -> bool {
        self.low <= rate && rate <= self.high
    }

    /// What so many rows say of a rate that was asked for.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// assert_eq!(Coverage::from_counts(50, 100)?.promise(0.9), Promise::Broken);
    /// assert_eq!(Coverage::from_counts(440, 500)?.promise(0.9), Promise::Kept);
    /// assert_eq!(Coverage::from_counts(9, 10)?.promise(0.9), Promise::Unclear); // could be 60 %, too
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn promise(&self, rate: f64) -> Promise {
        match () {
            () if self.high < rate => Promise::Broken,
            () if self.low > rate => Promise::Exceeded,
            // Rows that cannot tell a miss in ten from two have not seen the promise kept.
            () if self.low < 2.0 * rate - 1.0 => Promise::Unclear,
            () => Promise::Kept,
        }
    }
}

/// What the rows say of a rate that was asked for: where the 95 % interval of the coverage lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// Below it: they cover too little.
    Broken,
    /// Around it, and nowhere do they miss twice as often as they may.
    Kept,
    /// Above it: they are wider than they need be.
    Exceeded,
    /// Around it, but so wide that they might miss twice as often: the rows are too few to tell.
    Unclear,
}

impl Promise {
    /// In a word, as tables have it: `yes`, `no`, `wide` or `unclear`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Broken => "no",
            Self::Kept => "yes",
            Self::Exceeded => "wide",
            Self::Unclear => "unclear",
        }
    }
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Broken => "do not cover",
            Self::Kept => "cover",
            Self::Exceeded => "cover with room to spare",
            Self::Unclear => "have too few test rows to tell whether they cover",
        })
    }
}

/// In brief: 0.903 (0.801 to 0.964).
impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} ({:.3} to {:.3})", self.rate, self.low, self.high)
    }
}

impl fmt::Debug for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rate, low, high, covered, of } = self;
        write!(f, "{rate:.4} ({covered} of {of}, 95 % interval {low:.4} to {high:.4})")
    }
}

impl Intervals {
    /// The share of targets inside their intervals, with what so many rows can tell.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one target for each interval, [`Error::Rows`] if there are none.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let intervals = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?.jackknife_plus(test.x(), 0.1)?;
    /// let coverage = intervals.coverage(test.y())?;
    /// assert_eq!(coverage.of, 62);
    /// assert!(coverage.contains(0.9));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn coverage(&self, y: &Array1<f64>) -> Result<Coverage> {
        let covers = self.covers(y)?;
        Coverage::from_counts(covers.iter().filter(|&&inside| inside).count(), covers.len())
    }
}
