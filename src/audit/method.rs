//! The methods that an audit knows, by their names.

use std::fmt;
use std::str::FromStr;

use crate::baseline::Baseline;
use crate::error::Error;
use crate::interval::Rule;
use crate::leave_one_out::Terms;

/// A way to intervals for a network.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// assert_eq!("dj2".parse::<Method>()?, Method::Influence(2, Terms::Exact));
/// assert_eq!(Method::Baseline(Baseline::Ensemble).to_string(), "ensemble");
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// A rule on leave-one-out models by one Newton step each (`naive`, `jackknife`, `jackknife+`, `minmax`,
    /// `studentized`).
    Rule(Rule),
    /// The paper's discriminative jackknife of an order (`dj1`, `dj2`, …, `dj2-as-printed`).
    Influence(usize, Terms),
    /// CV+ with ten folds (`cv+`).
    Folds,
    /// The studentised rule on 25 bagged networks that state a mean and a deviation (`bagged`).
    Bags,
    /// Split conformal with half of the training rows (`split`).
    Split,
    /// One of the paper's baselines (`dropout`, `ensemble`, `pbp`, `sgld`, `rue`).
    Baseline(Baseline),
}

impl Method {
    /// Everything that needs no training beyond the one network.
    pub const POST_HOC: [Self; 8] = [
        Self::Rule(Rule::InSample),
        Self::Rule(Rule::Jackknife),
        Self::Rule(Rule::Plus),
        Self::Rule(Rule::Minmax),
        Self::Rule(Rule::Studentised),
        Self::Influence(1, Terms::Exact),
        Self::Influence(2, Terms::Exact),
        Self::Influence(2, Terms::AsPrinted),
    ];

    /// Those that train networks of their own, and are not among the paper's baselines.
    pub const RETRAINED: [Self; 3] = [Self::Folds, Self::Bags, Self::Split];

    /// The paper's baselines.
    pub const BASELINES: [Self; 5] = [
        Self::Baseline(Baseline::Dropout),
        Self::Baseline(Baseline::Ensemble),
        Self::Baseline(Baseline::Pbp),
        Self::Baseline(Baseline::Langevin),
        Self::Baseline(Baseline::Resampling),
    ];
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(rule) => write!(f, "{rule}"),
            Self::Influence(order, Terms::Exact) => write!(f, "dj{order}"),
            Self::Influence(order, Terms::AsPrinted) => write!(f, "dj{order}-as-printed"),
            Self::Folds => write!(f, "cv+"),
            Self::Bags => write!(f, "bagged"),
            Self::Split => write!(f, "split"),
            Self::Baseline(Baseline::Dropout) => write!(f, "dropout"),
            Self::Baseline(Baseline::Ensemble) => write!(f, "ensemble"),
            Self::Baseline(Baseline::Pbp) => write!(f, "pbp"),
            Self::Baseline(Baseline::Langevin) => write!(f, "sgld"),
            Self::Baseline(Baseline::Resampling) => write!(f, "rue"),
        }
    }
}

impl FromStr for Method {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let known = Self::POST_HOC.into_iter().chain(Self::BASELINES).chain(Self::RETRAINED);
        if let Some(method) = known.into_iter().find(|method| method.to_string() == name) {
            return Ok(method);
        }
        match name.strip_prefix("dj").and_then(|order| order.parse().ok()) {
            Some(order) if order > 0 => Ok(Self::Influence(order, Terms::Exact)),
            _ => Err(Error::Choice {
                name: "the method",
                value: format!("`{name}`"),
                range: "be naive, jackknife, jackknife+, minmax, studentized, dj1, dj2, …, dj2-as-printed, cv+, bagged, split, dropout, ensemble, pbp, sgld or rue",
                example: "studentized",
            }),
        }
    }
}
