//! Methods: an engine times a rule, rows held out, or a baseline; one list for audits, the command line and figures.

use std::fmt;
use std::str::FromStr;

use super::Rule;
use crate::check::refusal;
use crate::error::{Error, Result};
use crate::leave_one_out::{Engine, Terms};

/// A way to intervals.
///
/// Its `Display` says all of it, as `jackknife+ (refit)`; [`Method::name`] is what audits and the command line call it,
/// where the engine goes without saying. Either can be parsed.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let second = Method::Pair(Engine::Influence(2, Terms::Exact), Rule::Plus);
/// assert_eq!("dj2".parse::<Method>()?, second);
/// assert_eq!((second.name(), second.to_string()), ("dj2".into(), "jackknife+ (influence of order 2)".into()));
/// assert_eq!("minmax (refit)".parse::<Method>()?, Method::Pair(Engine::Refit, Rule::Minmax));
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// The residuals of one model on its own rows (`naive`): nothing is left out.
    InSample,
    /// A rule on leave-one-out models.
    Pair(Engine, Rule),
    /// Split conformal (`split`).
    HeldOut,
    /// One of the paper's baselines (`dropout`, `ensemble`, `pbp`, `sgld`, `rue`).
    Baseline(Baseline),
    /// Made by another program (`given`).
    Given,
}

/// The paper's baselines: see [`crate::baseline`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Baseline {
    /// Monte-Carlo dropout.
    Dropout,
    /// A deep ensemble.
    Ensemble,
    /// Probabilistic backpropagation.
    Pbp,
    /// A Bayesian network by stochastic-gradient Langevin dynamics.
    Langevin,
    /// Resampling uncertainty estimation.
    Resampling,
}

impl Baseline {
    /// Every one, in the paper's order.
    pub const ALL: [Self; 5] = [Self::Dropout, Self::Ensemble, Self::Pbp, Self::Langevin, Self::Resampling];

    /// What audits and the command line call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dropout => "dropout",
            Self::Ensemble => "ensemble",
            Self::Pbp => "pbp",
            Self::Langevin => "sgld",
            Self::Resampling => "rue",
        }
    }
}

impl fmt::Display for Baseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dropout => "MC dropout",
            Self::Ensemble => "deep ensemble",
            Self::Pbp => "PBP",
            Self::Langevin => "BNN (SGLD)",
            Self::Resampling => "RUE",
        })
    }
}

/// Folds of `cv+` and bags of `bagged`.
const FOLDS: usize = 10;
const BAGS: usize = 25;
/// Folds of `tangent-cv`.
const TANGENT_FOLDS: usize = 5;

impl Method {
    /// Everything that needs no training beyond the one network.
    pub const POST_HOC: [Self; 11] = [
        Self::InSample,
        Self::Pair(Engine::Newton, Rule::Jackknife),
        Self::Pair(Engine::Newton, Rule::Plus),
        Self::Pair(Engine::Newton, Rule::Minmax),
        Self::Pair(Engine::Newton, Rule::Studentised),
        Self::Pair(Engine::Influence(1, Terms::Exact), Rule::Plus),
        Self::Pair(Engine::Influence(2, Terms::Exact), Rule::Plus),
        Self::Pair(Engine::Influence(2, Terms::AsPrinted), Rule::Plus),
        Self::Pair(Engine::Tangent, Rule::Nested),
        Self::Pair(Engine::Tangent, Rule::Full),
        Self::Pair(Engine::Tangent, Rule::Laplace),
    ];

    /// Those of them that take no longer at each point with more rows, or hardly: the rest ask each model at each point.
    pub const QUICK: [Self; 4] = [
        Self::InSample,
        Self::Pair(Engine::Tangent, Rule::Nested),
        Self::Pair(Engine::Tangent, Rule::Full),
        Self::Pair(Engine::Tangent, Rule::Laplace),
    ];

    /// Those that train networks of their own, and are not among the paper's baselines: `split+`, `tangent-cv` with five folds,
    /// `cv+` with ten, `bagged`, the studentised rule on 25 bagged networks, and `split`.
    pub const RETRAINED: [Self; 5] = [
        Self::Pair(Engine::TangentSplit, Rule::Nested),
        Self::Pair(Engine::TangentFolds(TANGENT_FOLDS), Rule::Nested),
        Self::Pair(Engine::Folds(FOLDS), Rule::Plus),
        Self::Pair(Engine::Bags(BAGS), Rule::Studentised),
        Self::HeldOut,
    ];

    /// The paper's baselines.
    pub const BASELINES: [Self; 5] = [
        Self::Baseline(Baseline::Dropout),
        Self::Baseline(Baseline::Ensemble),
        Self::Baseline(Baseline::Pbp),
        Self::Baseline(Baseline::Langevin),
        Self::Baseline(Baseline::Resampling),
    ];

    /// Every method that has a short name, in the order of a table; `dj3`, `dj4`, … and every other pair of an engine and
    /// a rule are methods too.
    pub fn known() -> impl Iterator<Item = Self> {
        Self::POST_HOC.into_iter().chain(Self::RETRAINED).chain(Self::BASELINES)
    }

    /// What audits and the command line call it: the rule alone where the models come by one Newton step, `dj2` for the
    /// paper's discriminative jackknife, and all of it for pairs without a name of their own.
    pub fn name(&self) -> String {
        match *self {
            Self::InSample => Rule::InSample.to_string(),
            // The in-sample rule asked of left-out models is not what is called so, nor are the tangent's of others.
            Self::Pair(Engine::Newton, rule) if rule != Rule::InSample && !Rule::OF_TANGENT.contains(&rule) => {
                rule.to_string()
            }
            Self::Pair(Engine::Influence(order, Terms::Exact), rule) if rule == Rule::Plus => format!("dj{order}"),
            Self::Pair(Engine::Influence(order, Terms::AsPrinted), rule) if rule == Rule::Plus => {
                format!("dj{order}-as-printed")
            }
            Self::Pair(Engine::Folds(FOLDS), rule) if rule == Rule::Plus => "cv+".into(),
            Self::Pair(Engine::Bags(BAGS), rule) if rule == Rule::Studentised => "bagged".into(),
            Self::Pair(Engine::Tangent, rule) if rule == Rule::Nested => "tangent".into(),
            Self::Pair(Engine::Tangent, rule) if Rule::OF_TANGENT.contains(&rule) => rule.to_string(),
            Self::Pair(Engine::TangentSplit, rule) if rule == Rule::Nested => "split+".into(),
            Self::Pair(Engine::TangentFolds(TANGENT_FOLDS), rule) if rule == Rule::Nested => "tangent-cv".into(),
            Self::Pair(..) => self.to_string(),
            Self::HeldOut => "split".into(),
            Self::Baseline(baseline) => baseline.name().into(),
            Self::Given => "given".into(),
        }
    }

    /// The method of a name, short or whole, with rules of your own among those that are known.
    ///
    /// # Errors
    /// [`Error::Choice`] with the names that there are.
    pub fn named(name: &str, own: &[Rule]) -> Result<Self> {
        Self::short(name, own).or_else(|| Self::whole(name, own)).ok_or_else(|| refusal("the method", format!("`{name}`"), "be naive, jackknife, jackknife+, minmax, studentized, dj1, dj2, …, dj2-as-printed, tangent, split+, tangent-cv, full, laplace, cv+, bagged, split, dropout, ensemble, pbp, sgld, rue, or a rule and an engine as `minmax (refit)`", "tangent"))
    }

    fn short(name: &str, own: &[Rule]) -> Option<Self> {
        if name == Self::Given.name() {
            return Some(Self::Given);
        }
        if let Some(method) = Self::known().find(|method| method.name() == name) {
            return Some(method);
        }
        if let Some(rule) = Rule::find(name, own) {
            let engine = if Rule::OF_TANGENT.contains(&rule) { Engine::Tangent } else { Engine::Newton };
            return Some(Self::Pair(engine, rule));
        }
        let order = name.strip_prefix("dj")?;
        let (order, terms) = match order.strip_suffix("-as-printed") {
            Some(order) => (order, Terms::AsPrinted),
            None => (order, Terms::Exact),
        };
        let order: usize = order.parse().ok().filter(|&order| order > 0)?;
        Some(Self::Pair(Engine::Influence(order, terms), Rule::Plus))
    }

    fn whole(name: &str, own: &[Rule]) -> Option<Self> {
        if let Some(baseline) = Baseline::ALL.into_iter().find(|baseline| baseline.to_string() == name) {
            return Some(Self::Baseline(baseline));
        }
        let (rule, engine) = name.strip_suffix(')')?.rsplit_once(" (")?;
        Some(Self::Pair(engine.parse().ok()?, Rule::find(rule, own)?))
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pair(engine, rule) => f.pad(&format!("{rule} ({engine})")),
            Self::Baseline(baseline) => f.pad(&baseline.to_string()),
            Self::InSample | Self::HeldOut | Self::Given => f.pad(&self.name()),
        }
    }
}

impl fmt::Debug for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Method {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::named(name, &[])
    }
}
