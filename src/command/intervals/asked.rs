//! What `--method` asks for.

use crate::check::refusal;
use crate::prelude::*;

/// A method; where the models of a rule come from depends on the model and on `--order`.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Asked {
    InSample,
    Rule(Rule),
    /// The jackknife+ with estimated weights.
    Weighted,
    Folds,
    HeldOut,
    /// A rule on the tangent of the model.
    Tangent(Rule),
    /// `split+`.
    TangentSplit,
    /// `tangent-cv`.
    TangentFolds,
}

impl Asked {
    pub(super) fn named(name: &str, own: &[Rule]) -> Result<Self> {
        if name == "weighted" || name == Rule::Weighted.recipe().name() {
            return Ok(Self::Weighted);
        }
        match Method::named(name, own) {
            Ok(Method::InSample) => Ok(Self::InSample),
            Ok(Method::HeldOut) => Ok(Self::HeldOut),
            // By its short name only: in an audit the engine that goes without saying is another.
            Ok(Method::Pair(Engine::Newton, rule)) if rule.to_string() == name || name == "studentised" => {
                Ok(Self::Rule(rule))
            }
            Ok(Method::Pair(Engine::Tangent, rule)) => Ok(Self::Tangent(rule)),
            Ok(method) => match (method, name) {
                (_, "cv+") => Ok(Self::Folds),
                (_, "split+") => Ok(Self::TangentSplit),
                (_, "tangent-cv") => Ok(Self::TangentFolds),
                _ => Err(unknown(name)),
            },
            Err(_) => Err(unknown(name)),
        }
    }

    /// A rule for features from a file, of which there is one tangent.
    pub(super) fn of_features(name: Option<&str>, own: &[Rule]) -> Result<Rule> {
        let name = name.unwrap_or("tangent");
        match Self::named(name, own)? {
            Self::Tangent(rule) => Ok(rule),
            _ => Err(refusal(
                "--method with --features",
                format!("`{name}`"),
                "be one of tangent, full, laplace, signed",
                "tangent",
            )),
        }
    }

    /// A method that asks as much of the model.
    pub(super) fn method(self, order: Option<usize>) -> Option<Method> {
        match (self, order) {
            (Self::Rule(_) | Self::Weighted, Some(order)) => {
                Some(Method::Pair(Engine::Influence(order, Terms::Exact), Rule::Plus))
            }
            (Self::Tangent(rule), _) => Some(Method::Pair(Engine::Tangent, rule)),
            (Self::TangentSplit, _) => Some(Method::Pair(Engine::TangentSplit, Rule::Nested)),
            (Self::TangentFolds, _) => Some(Method::Pair(Engine::TangentFolds(5), Rule::Nested)),
            _ => None,
        }
    }

    /// Whether it is about the tangent of the model.
    pub(super) fn is_of_tangent(self) -> bool {
        matches!(self, Self::Tangent(_) | Self::TangentSplit | Self::TangentFolds)
    }
}

fn unknown(name: &str) -> Error {
    refusal(
        "--method",
        format!("`{name}`"),
        "be one of tangent, split+, tangent-cv, full, laplace, signed, naive, jackknife, jackknife+, minmax, studentized, \
         cv+, split, weighted",
        "tangent",
    )
}
