//! One split: the network that every method is about, and what each makes of it.

use std::sync::OnceLock;

use super::Audit;
use crate::baseline::{Baseline, Dropout, Ensemble, Langevin, Pbp, Probabilistic, Resampling};
use crate::curvature::Curvature;
use crate::error::{Error, Result};
use crate::interval::{HeldOut, Intervals, Method};
use crate::leave_one_out::{Engine, Influence, LeaveOneOut, Newton, Stopped, Tangent};
use crate::model::network::{Network, Training};
use crate::sample::Sample;

/// The share of the rows that `split+` does not show to its network.
const UNSEEN: f64 = 0.2;

impl Audit {
    /// A network trained for as long as the audit says.
    pub(super) fn fit(&self, training: &Training, rows: &Sample) -> Result<Network> {
        match self.stages[..] {
            [] => training.fit(rows),
            _ => Ok(Stopped::train(training, rows, &self.stages)?.network),
        }
    }
}

/// What the methods of one split share: the network, and its leave-one-out models once they are asked for.
pub(super) struct Shared<'a> {
    pub(super) audit: &'a Audit,
    pub(super) seed: u64,
    pub(super) training: &'a Training,
    pub(super) network: &'a Network,
    pub(super) train: &'a Sample,
    pub(super) loo: OnceLock<Result<LeaveOneOut>>,
    pub(super) tangent: OnceLock<Result<LeaveOneOut>>,
}

impl Shared<'_> {
    fn damping(&self) -> f64 {
        self.audit.damping.unwrap_or_else(|| LeaveOneOut::usual_damping(self.train.len()))
    }

    /// The leave-one-out models by one Newton step each.
    fn newton(&self) -> Result<&LeaveOneOut> {
        let loo = || LeaveOneOut::newton(self.network, self.train, &Newton::default().damping(self.damping()));
        self.loo.get_or_init(loo).as_ref().map_err(Clone::clone)
    }

    /// The leave-one-out models of the tangent.
    fn tangent(&self) -> Result<&LeaveOneOut> {
        let loo = || LeaveOneOut::tangent(self.network, self.train, &Tangent::default());
        self.tangent.get_or_init(loo).as_ref().map_err(Clone::clone)
    }

    /// A method's intervals at the test rows, and the leave-one-out models behind them.
    pub(super) fn answer(&self, method: Method, test: &Sample) -> Result<(Intervals, Option<LeaveOneOut>)> {
        let (x, alpha) = (test.x(), self.audit.alpha);
        match method {
            Method::InSample => Ok((Intervals::in_sample(self.network, self.train, x, alpha)?, None)),
            Method::Pair(engine, rule) => {
                let loo = self.models(engine)?;
                Ok((loo.intervals(rule, x, alpha)?, Some(loo)))
            }
            Method::HeldOut => {
                let fit = |rows: &Sample| self.audit.fit(self.training, rows);
                Ok((HeldOut::fit(self.train, 0.5, self.seed, fit)?.intervals(x, alpha)?, None))
            }
            Method::Baseline(baseline) => Ok((self.baseline(baseline)?.intervals(x, alpha)?, None)),
        }
    }

    /// The leave-one-out models of the network by an engine.
    fn models(&self, engine: Engine) -> Result<LeaveOneOut> {
        let fit = |rows: &Sample| self.audit.fit(self.training, rows);
        match engine {
            Engine::Newton => self.newton().cloned(),
            Engine::Influence(order, terms) => {
                let how = Influence::order(order).terms(terms).curvature(Curvature::GaussNewton);
                LeaveOneOut::influence(self.network, self.train, &how.damping(self.damping()))
            }
            Engine::Refit => LeaveOneOut::refit(self.train, fit),
            Engine::Folds(folds) => LeaveOneOut::folds(self.train, folds, fit),
            Engine::Bags(bags) => self.bags(bags),
            Engine::Tangent => self.tangent().cloned(),
            Engine::TangentSplit => LeaveOneOut::tangent_split(self.train, UNSEEN, self.seed, fit),
            Engine::TangentFolds(folds) => LeaveOneOut::tangent_folds(self.train, folds, fit),
            Engine::Reminimised => LeaveOneOut::reminimise(self.network, self.train),
            Engine::ClosedForm => Err(Error::Conflict {
                options: "the closed form is for linear models, and this audit is of a network",
                advice: "ask for `refit` or for one Newton step",
            }),
            Engine::Given => Err(Error::Conflict {
                options: "an audit trains its models itself, so that none are given",
                advice: "ask for `refit` or for one Newton step",
            }),
        }
    }

    /// Bags of the deep ensemble's networks, which state a mean and a deviation.
    fn bags(&self, bags: usize) -> Result<LeaveOneOut> {
        let network = Ensemble::default().members(1).hidden(&self.hidden());
        LeaveOneOut::bags(self.train, bags, self.seed, |rows, seed| network.clone().seed(seed).fit(rows))
    }

    /// The units of each hidden layer.
    fn hidden(&self) -> Vec<usize> {
        let layers = self.network.layers();
        layers[..layers.len() - 1].iter().map(|layer| layer.bias.len()).collect()
    }

    /// A baseline with the audited network's layers and, where it has one like it, training.
    fn baseline(&self, baseline: Baseline) -> Result<Probabilistic> {
        let (train, seed) = (self.train, self.seed);
        let training = match self.audit.stages[..] {
            [] => self.training.clone(),
            _ => self.training.clone().epochs(self.network.history().len()),
        };
        let hidden = self.hidden();
        match baseline {
            Baseline::Dropout => Dropout::default().training(training).seed(seed).fit(train),
            // The likelihood needs a training of its own; the layers are the audited network's.
            Baseline::Ensemble => Ensemble::default().hidden(&hidden).seed(seed).fit(train),
            Baseline::Pbp => Pbp::default().hidden(&hidden).seed(seed).fit(train),
            Baseline::Langevin => {
                let activation = self.network.activation();
                Langevin::default().hidden(&hidden).activation(activation).seed(seed).fit(train)
            }
            Baseline::Resampling => Resampling::default().seed(seed).fit(self.network, train),
        }
    }
}
