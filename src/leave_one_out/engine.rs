//! The engines by name: where the leave-one-out models come from.

use std::fmt;
use std::str::FromStr;

use super::Terms;
use crate::check::refusal;
use crate::error::Error;

/// Where the leave-one-out models come from.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let engine = Engine::Influence(2, Terms::AsPrinted);
/// assert_eq!(engine.to_string(), "influence of order 2 as printed");
/// assert_eq!("influence of order 2 as printed".parse::<Engine>()?, engine);
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// Exact, from one decomposition.
    ClosedForm,
    /// A training without each row.
    Refit,
    /// A training without each of so many folds.
    Folds(usize),
    /// Averages of models that have each seen one of so many bags of rows.
    Bags(usize),
    /// Influence functions of this order.
    Influence(usize, Terms),
    /// One Newton step on each left-out loss.
    Newton,
    /// Each left-out loss minimised from θ̂.
    Reminimised,
    /// Exact, of the ridge on the model's tangent features.
    Tangent,
    /// The same over rows that the model has not seen.
    TangentSplit,
    /// The tangents of trainings without each of so many folds.
    TangentFolds(usize),
    /// Made elsewhere.
    Given,
}

impl Engine {
    /// Those that need no number.
    const PLAIN: [Self; 7] = [
        Self::ClosedForm,
        Self::Refit,
        Self::Newton,
        Self::Reminimised,
        Self::Tangent,
        Self::TangentSplit,
        Self::Given,
    ];
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ClosedForm => write!(f, "closed form"),
            Self::Refit => write!(f, "refit"),
            Self::Folds(folds) => write!(f, "{folds} folds"),
            Self::Bags(bags) => write!(f, "{bags} bags"),
            Self::Influence(order, Terms::Exact) => write!(f, "influence of order {order}"),
            Self::Influence(order, Terms::AsPrinted) => write!(f, "influence of order {order} as printed"),
            Self::Newton => write!(f, "one Newton step"),
            Self::Reminimised => write!(f, "re-minimised"),
            Self::Tangent => write!(f, "tangent"),
            Self::TangentSplit => write!(f, "tangent on unseen rows"),
            Self::TangentFolds(folds) => write!(f, "{folds} tangent folds"),
            Self::Given => write!(f, "given"),
        }
    }
}

impl FromStr for Engine {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let order = |text: &str, terms| Some(Self::Influence(text.parse().ok()?, terms));
        let influence = |text: &str| match text.strip_suffix(" as printed") {
            Some(number) => order(number, Terms::AsPrinted),
            None => order(text, Terms::Exact),
        };
        let number = |ending: &str| name.strip_suffix(ending)?.parse::<usize>().ok();
        Self::PLAIN
            .into_iter()
            .find(|engine| engine.to_string() == name)
            .or_else(|| number(" tangent folds").map(Self::TangentFolds))
            .or_else(|| number(" folds").map(Self::Folds))
            .or_else(|| number(" bags").map(Self::Bags))
            .or_else(|| influence(name.strip_prefix("influence of order ")?))
            .ok_or_else(|| refusal("the engine", format!("`{name}`"), "be closed form, refit, K folds, B bags, influence of order M, one Newton step, re-minimised, tangent, tangent on unseen rows, K tangent folds or given", "refit"))
    }
}
