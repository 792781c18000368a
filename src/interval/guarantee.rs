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
    /// This much where features made elsewhere were made without the training rows and their targets, so that they are
    /// constants for them. Else nothing.
    IfFeaturesFixed(f64),
    /// This much where the weights that were given are the true likelihood ratios and y depends on x as before.
    IfWeightsTrue(f64),
    /// Nothing, for the weights were estimated; this much if the estimates were the true likelihood ratios.
    IfEstimateTrue(f64),
    /// Nothing for a finite sample; as the approximation of the leave-one-out models converges, this much.
    InTheLimit(f64),
    /// Nothing.
    None,
}

impl Guarantee {
    /// For whom every guarantee is, over what it averages, and what it does not promise.
    pub const CONDITION: &'static str = "for new rows like the training rows (exchangeable with them), on average over \
                                         training sets and rows; not at each x or in each group";

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
            // The features of a network have seen the rows that are left out.
            Engine::Tangent if !loo.nested_models().is_some_and(|models| models.is_proven()) => Self::None,
            Engine::Tangent if loo.nested_models().is_some_and(|models| models.has_given_features()) => {
                Self::IfFeaturesFixed(level)
            }
            Engine::Tangent | Engine::TangentSplit | Engine::TangentFolds(_) => Self::AtLeast(level),
            Engine::ClosedForm | Engine::Refit | Engine::Folds(_) => Self::AtLeast(level),
        };
        match guarantee {
            // The theorems are about n models of one learner.
            Self::AtLeast(level) | Self::IfMinimumUnique(level) if loo.is_mixed() => Self::InTheLimit(level),
            Self::IfFeaturesFixed(_) if loo.is_mixed() => Self::None,
            guarantee => guarantee,
        }
    }

    /// The same where each training started at weights that have seen every row.
    pub fn from_seen_start(self) -> Self {
        match self {
            Self::AtLeast(level) => Self::IfMinimumUnique(level),
            // A promise with two conditions is none that a reader can check.
            Self::IfWeightsTrue(_) | Self::IfEstimateTrue(_) | Self::IfFeaturesFixed(_) => Self::None,
            other => other,
        }
    }

    /// The same where rows have weights: the user's, who answers for them.
    pub(super) fn with_weights(self) -> Self {
        match self {
            Self::AtLeast(level) => Self::IfWeightsTrue(level),
            Self::IfMinimumUnique(_) | Self::IfFeaturesFixed(_) => Self::None,
            other => other,
        }
    }

    /// The same where the weights were estimated.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// assert_eq!(Guarantee::IfWeightsTrue(0.8).with_estimated_weights(), Guarantee::IfEstimateTrue(0.8));
    /// assert_eq!(Guarantee::None.with_estimated_weights(), Guarantee::None);
    /// ```
    pub fn with_estimated_weights(self) -> Self {
        match self {
            Self::IfWeightsTrue(level) => Self::IfEstimateTrue(level),
            other => other,
        }
    }

    /// The coverage that is proven for a finite sample, whatever its further condition; `None` if there is no such proof.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// assert_eq!(Guarantee::AtLeast(0.8).level(), Some(0.8));
    /// assert_eq!(Guarantee::InTheLimit(0.8).level(), None);
    /// ```
    pub fn level(&self) -> Option<f64> {
        match *self {
            Self::AtLeast(level)
            | Self::IfMinimumUnique(level)
            | Self::IfFeaturesFixed(level)
            | Self::IfWeightsTrue(level) => Some(level),
            Self::IfEstimateTrue(_) | Self::InTheLimit(_) | Self::None => None,
        }
    }

    /// The same in a few words, for a column of a table under which [`Guarantee::CONDITION`] stands once.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// assert_eq!(Guarantee::AtLeast(0.8).brief(), "at least 80 %");
    /// assert!(Guarantee::AtLeast(0.8).to_string().ends_with(Guarantee::CONDITION));
    /// ```
    pub fn brief(&self) -> String {
        match self {
            Self::AtLeast(level) => format!("at least {}", percent(*level)),
            Self::IfMinimumUnique(level) => format!("at least {} if the loss has a single minimum", percent(*level)),
            Self::IfFeaturesFixed(level) => {
                format!("at least {} if the features were made without the training rows", percent(*level))
            }
            Self::IfWeightsTrue(level) => {
                format!("at least {} if the weights are the true likelihood ratios", percent(*level))
            }
            Self::IfEstimateTrue(level) => {
                format!("none for estimated weights; at least {} if they were the true ratios", percent(*level))
            }
            Self::InTheLimit(level) => format!("no finite-sample guarantee; {} with exact models", percent(*level)),
            Self::None => "none".into(),
        }
    }
}

impl fmt::Debug for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// One sentence, with its condition.
impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let condition = Self::CONDITION;
        match self {
            Self::AtLeast(level) => write!(f, "covers with probability at least {}, {condition}", percent(*level)),
            Self::IfMinimumUnique(level) => write!(
                f,
                "covers with probability at least {} if the loss has a single minimum, as a linear model's (else no \
                 guarantee is proven), {condition}",
                percent(*level)
            ),
            Self::IfFeaturesFixed(level) => write!(
                f,
                "covers with probability at least {} if the features were made without the training rows and their \
                 targets (else no guarantee is proven), {condition}",
                percent(*level)
            ),
            Self::IfWeightsTrue(level) => write!(
                f,
                "covers with probability at least {} if the weights are the true likelihood ratios and the target \
                 depends on the features as before, on average over training sets and rows; not at each x or in each group",
                percent(*level)
            ),
            Self::IfEstimateTrue(level) => write!(
                f,
                "no guarantee is proven for estimated weights; at least {} if they were the true likelihood ratios and \
                 the target depended on the features as before, on average over training sets and rows",
                percent(*level)
            ),
            Self::InTheLimit(level) => write!(
                f,
                "no finite-sample guarantee is proven; {} as the leave-one-out models become exact, for new rows like \
                 the training rows and on average over them",
                percent(*level)
            ),
            Self::None => write!(f, "no guarantee is proven"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_guarantee_is_one_line_and_says_for_whom_or_that_there_is_none() {
        let all = [
            Guarantee::AtLeast(0.8),
            Guarantee::IfMinimumUnique(0.8),
            Guarantee::IfFeaturesFixed(0.8),
            Guarantee::IfWeightsTrue(0.8),
            Guarantee::IfEstimateTrue(0.8),
            Guarantee::InTheLimit(0.8),
            Guarantee::None,
        ];
        for guarantee in all {
            let (text, brief) = (guarantee.to_string(), guarantee.brief());
            assert!(!text.contains('\n') && !text.contains("  "), "{text}");
            assert!(brief.chars().count() < 75, "{brief}");
            assert_eq!(guarantee.level().is_none(), text.starts_with("no "), "{text}");
            assert!(
                guarantee == Guarantee::None || text.contains("80 %") && text.contains("on average over"),
                "{text}"
            );
        }
    }

    #[test]
    fn a_promise_with_two_conditions_is_none() {
        let given = Guarantee::IfFeaturesFixed(0.8);
        assert_eq!((given.from_seen_start(), given.with_weights()), (Guarantee::None, Guarantee::None));
        assert_eq!(given.brief(), "at least 80 % if the features were made without the training rows");
        assert!(given.to_string().ends_with(Guarantee::CONDITION));
    }
}
