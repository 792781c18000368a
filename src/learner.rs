//! What is trained: a model of one kind, by the name that the command line has for it, and the methods that suit it.
//!
//! | name | model | leave-one-out models |
//! |---|---|---|
//! | `ols`, `ridge:λ` | least squares, ridge | in closed form |
//! | `ridge` | ridge, λ by marginal likelihood, chosen again without the row that is left out | of its hat matrix |
//! | `kernel` | kernel ridge, Gaussian, width and penalty by marginal likelihood | of its n × n hat matrix |
//! | `network` | a network, trained by Adam | of its tangent, by Newton steps and influence functions |
//! | `forest`, `forest:B` | a random forest (feature `trees`) | its own trees: those whose bag has not the row |
//! | `linfa-ols`, `tweedie`, `elasticnet`, `elasticnet:λ`, `svr` | learners of linfa (feature `linfa`) | by folds and bags |
//!
//! A method that asks more of a model than it has is refused, with the reason ([`Learner::suited`]).

mod fitted;
#[cfg(feature = "linfa")]
pub mod linfa;
mod models;
mod suited;

use std::fmt;
use std::str::FromStr;

use crate::check::refusal;
use crate::error::{Error, Result};
use crate::hat::KernelRidge;
use crate::leave_one_out::Stopped;
#[cfg(feature = "trees")]
use crate::model::forest::Forest;
use crate::model::linear::Ridge;
use crate::model::network::Training;
use crate::sample::Sample;
use crate::wording::exact;
pub use fitted::Fitted;
#[cfg(feature = "linfa")]
use linfa::Linfa;

/// A kind of model and how it is trained.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
/// for name in ["ols", "ridge", "kernel", "network"] {
///     let learner: Learner = name.parse()?;
///     assert_eq!(learner.name(), name);
///     let model = learner.fit(&train, 0)?;
///     assert!(rmse(&model.predict(test.x())?, test.y())? < 12.0);
/// }
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Learner {
    /// Least squares or ridge with a given penalty.
    Linear(Ridge),
    /// Ridge with the penalty that makes the targets likeliest.
    Likelihood,
    /// Kernel ridge, its width and penalty by marginal likelihood.
    Kernel,
    /// A network.
    Network {
        /// How it is trained.
        training: Training,
        /// Epochs among which the tangent's left-out error chooses, in place of the training's number; none to do as that says.
        stages: Vec<usize>,
    },
    /// A learner of linfa.
    #[cfg(feature = "linfa")]
    Linfa(Linfa),
    /// A random forest.
    #[cfg(feature = "trees")]
    Forest(Forest),
}

impl Default for Learner {
    /// The paper's network.
    fn default() -> Self {
        Training::default().into()
    }
}

impl From<Training> for Learner {
    fn from(training: Training) -> Self {
        Self::Network { training, stages: Vec::new() }
    }
}

impl From<Ridge> for Learner {
    fn from(ridge: Ridge) -> Self {
        Self::Linear(ridge)
    }
}

#[cfg(feature = "trees")]
impl From<Forest> for Learner {
    fn from(forest: Forest) -> Self {
        Self::Forest(forest)
    }
}

impl Learner {
    /// Trains on some rows; `seed` is of whatever is random.
    ///
    /// # Errors
    /// Whatever the learner answers.
    pub fn fit(&self, rows: &Sample, seed: u64) -> Result<Fitted> {
        Ok(match self {
            Self::Linear(ridge) => Fitted::Linear(ridge.fit(rows)?),
            Self::Likelihood => Fitted::Linear(Ridge::by_likelihood(rows)?.fit(rows)?),
            Self::Kernel => Fitted::Kernel(KernelRidge::fit(rows)?),
            Self::Network { training, stages } => {
                let training = training.clone().seed(seed);
                Fitted::Network(match stages[..] {
                    [] => training.fit(rows)?,
                    _ => Stopped::train(&training, rows, stages)?.network,
                })
            }
            #[cfg(feature = "linfa")]
            Self::Linfa(linfa) => Fitted::Other(linfa.fit(rows)?),
            #[cfg(feature = "trees")]
            Self::Forest(forest) => Fitted::Other(Box::new(forest.seed(seed).fit(rows)?)),
        })
    }

    /// What the command line calls it.
    pub fn name(&self) -> String {
        match self {
            Self::Linear(ridge) if ridge.lambda() == 0.0 => "ols".into(),
            Self::Linear(ridge) => format!("ridge:{}", exact(ridge.lambda())),
            Self::Likelihood => "ridge".into(),
            Self::Kernel => "kernel".into(),
            Self::Network { .. } => "network".into(),
            #[cfg(feature = "linfa")]
            Self::Linfa(linfa) => linfa.name(),
            #[cfg(feature = "trees")]
            Self::Forest(forest) if forest.trees == Forest::default().trees => "forest".into(),
            #[cfg(feature = "trees")]
            Self::Forest(forest) => format!("forest:{}", forest.trees),
        }
    }

    /// Whether it is a network.
    pub fn is_network(&self) -> bool {
        matches!(self, Self::Network { .. })
    }

    /// The numbers that are trained, with so many columns; 0 of models whose number depends on the rows.
    pub(crate) fn parameters(&self, columns: usize) -> usize {
        match self {
            Self::Network { training, .. } => training.parameters(columns),
            Self::Linear(_) | Self::Likelihood => columns + 1,
            _ => 0,
        }
    }
}

/// All of it, in words.
impl fmt::Display for Learner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Linear(ridge) => write!(f, "{ridge}"),
            Self::Likelihood => write!(f, "ridge, λ by marginal likelihood"),
            Self::Kernel => write!(
                f,
                "kernel ridge, Gaussian kernel of standardised columns, width and penalty by marginal likelihood"
            ),
            Self::Network { training, stages } if stages.is_empty() => write!(f, "{training}"),
            Self::Network { training, stages } => {
                let stages: Vec<String> = stages.iter().map(usize::to_string).collect();
                let training = training.with_words_for_epochs("as many epochs");
                write!(f, "{training}, as the tangent's left-out error chooses among {}", stages.join(", "))
            }
            #[cfg(feature = "linfa")]
            Self::Linfa(linfa) => write!(f, "{linfa}"),
            #[cfg(feature = "trees")]
            Self::Forest(forest) => write!(f, "{forest}"),
        }
    }
}

impl FromStr for Learner {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let refuse = |range| refusal("the model", format!("`{name}`"), range, "ridge:0.1");
        #[cfg(feature = "linfa")]
        if let Some(linfa) = Linfa::named(name)? {
            return Ok(Self::Linfa(linfa));
        }
        #[cfg(feature = "trees")]
        if let Some(trees) = name.strip_prefix("forest:") {
            let trees = trees.parse().map_err(|_| refuse("give the number of trees after `forest:`"))?;
            return Ok(Forest::default().trees(trees).into());
        }
        if let Some(lambda) = name.strip_prefix("ridge:") {
            let lambda: f64 = lambda.parse().map_err(|_| refuse("give the penalty as a number after `ridge:`"))?;
            return Ok(Ridge::new(lambda).into());
        }
        match name {
            "ols" => Ok(Ridge::least_squares().into()),
            "ridge" => Ok(Self::Likelihood),
            "kernel" => Ok(Self::Kernel),
            "network" => Ok(Self::default()),
            #[cfg(feature = "trees")]
            "forest" => Ok(Forest::default().into()),
            _ => Err(refuse(
                "be ols, ridge, ridge:λ, kernel, network, forest, forest:B, linfa-ols, tweedie, elasticnet, elasticnet:λ or svr",
            )),
        }
    }
}
