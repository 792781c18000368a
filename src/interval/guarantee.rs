//! What is proven about the coverage of a rule with an engine.

use std::fmt;

use super::Rule;
use crate::leave_one_out::{Engine, LeaveOneOut, Terms};
use crate::wording::percent;

/// What is proven about an interval's coverage, for rows that are exchangeable and α as asked.
#[derive(Clone, Copy, PartialEq)]
pub enum Guarantee {
    /// Covers with at least this probability.
    AtLeast(f64),
    /// Nothing for a finite sample; as the approximation of the leave-one-out models converges, this much.
    InTheLimit(f64),
    /// Nothing.
    None,
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
            Self::InTheLimit(level) => {
                write!(f, "no finite-sample guarantee; {} as the leave-one-out models become exact", percent(*level))
            }
            Self::None => write!(f, "no guarantee"),
        }
    }
}

impl LeaveOneOut {
    /// What the rule proves with this engine.
    pub(super) fn guarantee(&self, rule: Rule, alpha: f64) -> Guarantee {
        let plus = (1.0 - 2.0 * alpha).max(0.0);
        let n = self.len() as f64;
        let guarantee = match (rule, self.engine()) {
            (Rule::InSample | Rule::Jackknife | Rule::Studentised, _) => Guarantee::None,
            (_, Engine::Given) => Guarantee::None,
            (_, Engine::Influence(_, Terms::AsPrinted) | Engine::Newton) => Guarantee::None,
            // Kim, Xu & Barber (2020) prove 1 − 2α for a random number of bags; a given number comes to it as it grows.
            (Rule::Plus, Engine::Influence(..) | Engine::Bags(_)) => Guarantee::InTheLimit(plus),
            (Rule::Minmax, Engine::Influence(..) | Engine::Bags(_)) => Guarantee::InTheLimit(1.0 - alpha),
            // Barber et al. (2021), Theorem 4; the folds are of nearly equal size.
            (Rule::Plus, Engine::Folds(folds)) => {
                let k = folds as f64;
                let loss = (2.0 * (1.0 - 1.0 / k) / (n / k + 1.0)).min((1.0 - k / n) / (k + 1.0));
                Guarantee::AtLeast((plus - loss).max(0.0))
            }
            (Rule::Minmax, Engine::Folds(_)) => Guarantee::None,
            (Rule::Plus, _) => Guarantee::AtLeast(plus),
            (Rule::Minmax, _) => Guarantee::AtLeast(1.0 - alpha),
        };
        match guarantee {
            // The theorems are about n models of one learner.
            Guarantee::AtLeast(level) if self.is_mixed() => Guarantee::InTheLimit(level),
            guarantee => guarantee,
        }
    }
}
