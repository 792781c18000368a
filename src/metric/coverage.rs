//! How often the intervals hold what they promise, and how surely that is known.

use std::fmt;

use ndarray::Array1;

use super::binomial::exact_interval;
use crate::error::{Error, Result};
use crate::interval::Intervals;

/// The probability that the interval of a [`Coverage`] leaves outside.
const OUTSIDE: f64 = 0.05;

/// A share of rows covered, with its exact (Clopper–Pearson) 95 % interval.
///
/// ```text
/// low:  P(X ≥ covered | p) = 0.025        high:  P(X ≤ covered | p) = 0.025        X ~ Binomial(of, p)
/// ```
///
/// The interval speaks of new test rows for this one fit; another training sample would move the rate as well.
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
    /// Rows whose target lies in its interval.
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

    /// Whether a rate lies in the 95 % interval: if not, the rows contradict it.
    pub fn contains(&self, rate: f64) -> bool {
        self.low <= rate && rate <= self.high
    }

    /// What so many rows say of a rate that was promised.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// assert_eq!(Coverage::from_counts(50, 100)?.promise(0.9), Promise::Broken);
    /// assert_eq!(Coverage::from_counts(88, 100)?.promise(0.9), Promise::Kept);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn promise(&self, rate: f64) -> Promise {
        match () {
            () if self.high < rate => Promise::Broken,
            () if self.low > rate => Promise::Exceeded,
            () => Promise::Kept,
        }
    }
}

/// What the rows say of a promised rate: whether the 95 % interval of the coverage lies below it, around it or above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// Below.
    Broken,
    /// Around.
    Kept,
    /// Above.
    Exceeded,
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Broken => "do not cover",
            Self::Kept => "cover",
            Self::Exceeded => "cover with room to spare",
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
