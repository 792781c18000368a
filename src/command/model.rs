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
