//! Which methods suit a model, and why others do not.

use super::Learner;
use crate::error::{Error, Result};
use crate::interval::{Method, Rule};
use crate::leave_one_out::Engine;

/// Folds of a learner that has no other leave-one-out models.
const FOLDS: usize = 10;

impl Learner {
    /// Every method that suits it and needs no training beyond one, or few.
    pub fn methods(&self) -> Vec<Method> {
        let own = self.usual();
        let exact = |rules: &[Rule]| rules.iter().map(|&rule| Method::Pair(own, rule)).collect::<Vec<_>>();
        let tangent =
            |rules: &[Rule]| rules.iter().map(|&rule| Method::Pair(Engine::Tangent, rule)).collect::<Vec<_>>();
        let mut methods = vec![Method::InSample];
        match self {
            Self::Network { .. } => return Method::POST_HOC.to_vec(),
            Self::Linear(_) | Self::Likelihood => {
                methods.extend(exact(&[Rule::Jackknife, Rule::Plus, Rule::Minmax, Rule::Studentised]));
                methods.extend(tangent(&[Rule::Nested, Rule::Full]));
            }
            Self::Kernel => {
                methods.extend(tangent(&[Rule::Plus, Rule::Nested, Rule::Full, Rule::Laplace]));
            }
            #[cfg(feature = "trees")]
            Self::Forest(_) => {
                methods.extend(exact(&[Rule::Plus, Rule::Studentised]));
                methods.push(Method::HeldOut);
            }
            #[cfg(feature = "linfa")]
            Self::Linfa(_) => {
                methods.extend(exact(&[Rule::Plus, Rule::Studentised]));
                methods.push(Method::HeldOut);
            }
        }
        methods
    }

    /// The few of them to begin with, which are compared where there are several models.
    pub fn recommended(&self) -> Vec<Method> {
        let own = self.usual();
        match self {
            Self::Network { .. } => {
                vec![Method::Pair(Engine::Tangent, Rule::Nested), Method::Pair(Engine::TangentSplit, Rule::Nested)]
            }
            Self::Linear(_) | Self::Likelihood | Self::Kernel => {
                vec![Method::Pair(own, Rule::Plus), Method::Pair(Engine::Tangent, Rule::Nested)]
            }
            #[allow(unreachable_patterns, reason = "without trees and linfa there are no others")]
            _ => vec![Method::Pair(own, Rule::Plus), Method::Pair(own, Rule::Studentised)],
        }
    }

    /// Where the leave-one-out models come from if nobody says it.
    pub fn usual(&self) -> Engine {
        match self {
            Self::Network { .. } => Engine::Newton,
            Self::Linear(_) | Self::Likelihood => Engine::ClosedForm,
            Self::Kernel => Engine::Tangent,
            #[cfg(feature = "linfa")]
            Self::Linfa(_) => Engine::Folds(FOLDS),
            #[cfg(feature = "trees")]
            Self::Forest(forest) => Engine::Bags(forest.trees),
        }
    }

    /// The method with the engine that suits this model, where the name leaves it open: `jackknife+` is by one Newton step for a
    /// network, in closed form for least squares, by its own trees for a forest.
    ///
    /// # Errors
    /// [`Error::Unsuited`] with the reason if it asks more of the model than that has.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let least_squares: Learner = "ols".parse()?;
    /// assert_eq!(least_squares.suited("jackknife+".parse()?)?.to_string(), "jackknife+ (closed form)");
    /// let kernel: Learner = "kernel".parse()?;
    /// let refusal = kernel.suited("dj2".parse()?).unwrap_err().to_string();
    /// assert_eq!(refusal, "`dj2` does not suit the model `kernel`: influence functions ask for derivatives by its parameters; try \
    ///                      naive, jackknife+ (tangent), tangent, full, laplace");
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn suited(&self, method: Method) -> Result<Method> {
        let refuse = |reason: &'static str| {
            let names: Vec<String> = self.methods().iter().map(Method::name).collect();
            Err(Error::Unsuited { method: method.name(), model: self.name(), reason, instead: names.join(", ") })
        };
        let differentiable = matches!(self, Self::Network { .. } | Self::Linear(_) | Self::Likelihood);
        let linear = differentiable || *self == Self::Kernel;
        match method {
            Method::Baseline(_) if !self.is_network() => refuse("the paper's baselines are networks of their own"),
            Method::Pair(Engine::Newton, rule) if !self.is_network() => Ok(Method::Pair(self.usual(), rule)),
            #[cfg(feature = "trees")]
            Method::Pair(Engine::Bags(_), rule) if matches!(self, Self::Forest(_)) => {
                Ok(Method::Pair(self.usual(), rule))
            }
            Method::Pair(Engine::Influence(..) | Engine::Reminimised, _) if !differentiable => {
                refuse("influence functions ask for derivatives by its parameters")
            }
            Method::Pair(Engine::Tangent | Engine::TangentSplit | Engine::TangentFolds(_), _) if !linear => {
                refuse("the tangent asks for features that it is linear in, or nearly so")
            }
            Method::Pair(Engine::ClosedForm, _) if !matches!(self, Self::Linear(_) | Self::Likelihood) => {
                refuse("the closed form is for linear models")
            }
            Method::Given | Method::Pair(Engine::Given, _) => {
                refuse("the models are trained here, so that none are given")
            }
            method => Ok(method),
        }
    }
}
