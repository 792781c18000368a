//! What is proven about the coverage of a rule with an engine.

use std::fmt;

use crate::leave_one_out::{Engine, LeaveOneOut, Terms};
use crate::wording::percent;

/// What is proven about an interval's coverage, for rows that are exchangeable and α as asked.
#[derive(Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Guarantee {
    /// Covers with at least this probability.
    AtLeast(f64),
    /// This much where every loss without some rows has a single minimum, as that of a linear model has. Else nothing: the
    /// search for it started at weights that have seen the row.
    IfMinimumUnique(f64),
    /// Nothing for a finite sample; as the approximation of the leave-one-out models converges, this much.
    InTheLimit(f64),
    /// Nothing.
    None,
}

impl Guarantee {
    /// What a bound proven for exact leave-one-out models is with these models: for rules of your own.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let yacht = Table::Yacht.load();
    /// let exact = LeaveOneOut::closed_form(&Ridge::new(0.1), &yacht)?;
    /// assert_eq!(Guarantee::with_models(&exact, 0.8), Guarantee::AtLeast(0.8));
    /// let first = LeaveOneOut::influence(&Ridge::new(0.1).fit(&yacht)?, &yacht, &Influence::order(1))?;
    /// assert_eq!(Guarantee::with_models(&first, 0.8), Guarantee::InTheLimit(0.8));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn with_models(loo: &LeaveOneOut, level: f64) -> Self {
        let guarantee = match loo.engine() {
            Engine::Given | Engine::Newton | Engine::Influence(_, Terms::AsPrinted) => Self::None,
            // Kim, Xu & Barber (2020) prove 1 − 2α for a random number of bags; a given number comes to it as it grows.
            Engine::Influence(_, Terms::Exact) | Engine::Bags(_) => Self::InTheLimit(level),
            Engine::Reminimised => Self::IfMinimumUnique(level),
            Engine::ClosedForm | Engine::Refit | Engine::Folds(_) => Self::AtLeast(level),
        };
        match guarantee {
            // The theorems are about n models of one learner.
            Self::AtLeast(level) | Self::IfMinimumUnique(level) if loo.is_mixed() => Self::InTheLimit(level),
            guarantee => guarantee,
        }
    }

    /// The same where each training started at weights that have seen every row.
    pub fn from_seen_start(self) -> Self {
        match self {
            Self::AtLeast(level) => Self::IfMinimumUnique(level),
            other => other,
        }
    }
}

impl fmt::Debug for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(level) => write!(f, "covers with probability at least {}", percent(*level)),
            Self::IfMinimumUnique(level) => write!(
                f,
                "covers with probability at least {} if the loss has a single minimum, as a linear model's; else no guarantee",
                percent(*level)
            ),
            Self::InTheLimit(level) => {
                write!(f, "no finite-sample guarantee; {} as the leave-one-out models become exact", percent(*level))
            }
            Self::None => write!(f, "no guarantee"),
        }
    }
}
