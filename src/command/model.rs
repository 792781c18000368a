//! The models that the command line knows, and the options of a network.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use crate::check::refusal;
use crate::prelude::*;

/// What `--model` of `intervals` names.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// Trained here.
    Learner(Learner),
    /// `FILE.safetensors`, trained elsewhere.
    Weights(PathBuf),
}

impl FromStr for Choice {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        match name.ends_with(".safetensors") {
            true => Ok(Self::Weights(name.into())),
            false => match name.parse() {
                Ok(learner) => Ok(Self::Learner(learner)),
                // Of several models only an audit can say something.
                Err(_) if name.contains(',') => {
                    Err(refusal("--model", format!("`{name}`"), "be one model: audit compares several", "ridge:0.1"))
                }
                Err(error) => Err(error),
            },
        }
    }
}

impl Choice {
    /// Whether it is a network, whose features have been trained.
    pub(super) fn is_network(&self) -> bool {
        match self {
            Self::Learner(learner) => learner.is_network(),
            Self::Weights(_) => true,
        }
    }
}

/// What `--epochs` says of a network that is trained here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Epochs {
    /// So many.
    Number(usize),
    /// `auto`: the stage of training at which the tangent errs least on rows left out.
    Auto,
}

impl FromStr for Epochs {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "auto" => Ok(Self::Auto),
            number => number
                .parse()
                .map(Self::Number)
                .map_err(|_| refusal("--epochs", format!("`{number}`"), "be a number of epochs or auto", "1000")),
        }
    }
}

/// The options of a network.
#[derive(Args, Clone, Debug, Default)]
pub struct NetworkOptions {
    /// Of a network: units of each hidden layer [default: 100]
    #[arg(long, value_name = "UNITS,…", value_delimiter = ',')]
    pub(super) hidden: Vec<usize>,
    /// Of a network: tanh, relu, softplus or sigmoid [default: tanh]
    #[arg(long)]
    pub(super) activation: Option<Activation>,
    /// Of a network: the penalty λ on every parameter [default: 0]
    #[arg(long, value_name = "λ", allow_negative_numbers = true)]
    pub(super) l2: Option<f64>,
    /// Of a network: passes over the rows, or auto for the stage of training where the tangent errs least on rows left out
    /// [default: 1000]
    #[arg(long, value_name = "N|auto", allow_negative_numbers = true)]
    pub(super) epochs: Option<Epochs>,
}

impl NetworkOptions {
    /// The learner with these options, if it is a network.
    ///
    /// # Errors
    /// [`Error::Conflict`] if they are given for another.
    pub(super) fn applied(&self, learners: &[Learner]) -> Result<Vec<Learner>> {
        let given = !self.hidden.is_empty() || self.activation.is_some() || self.l2.is_some() || self.epochs.is_some();
        if given && !learners.iter().any(Learner::is_network) {
            return Err(Error::Conflict {
                options: "--hidden, --activation, --l2 and --epochs are for networks",
                advice: "leave them away, or choose --model network; the penalty of a linear model is given as ridge:λ",
            });
        }
        let of = |learner: &Learner| match learner {
            Learner::Network { training, stages } => {
                let (mut training, mut stages) = (training.clone(), stages.clone());
                if !self.hidden.is_empty() {
                    training = training.hidden(&self.hidden);
                }
                training = training.activation(self.activation.unwrap_or_default()).l2(self.l2.unwrap_or(0.0));
                match self.epochs {
                    None => {}
                    Some(Epochs::Number(epochs)) => training = training.epochs(epochs),
                    Some(Epochs::Auto) => stages = Stopped::STAGES.to_vec(),
                }
                Learner::Network { training, stages }
            }
            other => other.clone(),
        };
        Ok(learners.iter().map(of).collect())
    }
}
