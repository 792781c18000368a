//! The models that the command line knows.

use std::path::PathBuf;
use std::str::FromStr;

use crate::check::refusal;
use crate::prelude::*;

/// What `--model` names.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// `ols` or `ridge:λ`.
    Linear(Ridge),
    /// `ridge`: λ by marginal likelihood.
    Likelihood,
    /// `network`, trained here.
    Network,
    /// `FILE.safetensors`, trained elsewhere.
    Weights(PathBuf),
}

impl FromStr for Choice {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let refuse = |range| refusal("--model", format!("`{name}`"), range, "ridge:0.1");
        if let Some(lambda) = name.strip_prefix("ridge:") {
            let lambda: f64 = lambda.parse().map_err(|_| refuse("give the penalty as a number after `ridge:`"))?;
            return Ok(Self::Linear(Ridge::new(lambda)));
        }
        match name {
            "ols" => Ok(Self::Linear(Ridge::least_squares())),
            "ridge" => Ok(Self::Likelihood),
            "network" => Ok(Self::Network),
            _ if name.ends_with(".safetensors") => Ok(Self::Weights(name.into())),
            _ => Err(refuse("be ols, ridge, ridge:λ, network or FILE.safetensors")),
        }
    }
}

impl Choice {
    /// Whether it is a network, whose features have been trained.
    pub(super) fn is_network(&self) -> bool {
        matches!(self, Self::Network | Self::Weights(_))
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

impl Epochs {
    /// Trains for as long as it says; as the training says without it.
    pub fn fit(choice: Option<Self>, training: &Training, rows: &Sample) -> Result<Network> {
        match choice {
            None => training.fit(rows),
            Some(Self::Number(epochs)) => training.clone().epochs(epochs).fit(rows),
            Some(Self::Auto) => Ok(Stopped::train(training, rows, &Stopped::STAGES)?.network),
        }
    }
}
