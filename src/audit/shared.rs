//! One split: the network that every method is about, and what each makes of it.

use std::sync::OnceLock;

use super::{Audit, Method};
use crate::baseline::{Baseline, Dropout, Ensemble, Langevin, Pbp, Probabilistic, Resampling};
use crate::curvature::Curvature;
use crate::error::Result;
use crate::interval::{HeldOut, Intervals, Rule};
use crate::leave_one_out::{Influence, LeaveOneOut};
use crate::model::network::{Network, Training};
use crate::sample::Sample;

/// Folds of CV+.
const FOLDS: usize = 10;

/// Networks of `bagged`.
const BAGS: usize = 25;

/// What the methods of one split share: the network, and its leave-one-out models once they are asked for.
pub(super) struct Shared<'a> {
    pub(super) audit: &'a Audit,
    pub(super) seed: u64,
    pub(super) training: &'a Training,
    pub(super) network: &'a Network,
    pub(super) train: &'a Sample,
    pub(super) loo: OnceLock<Result<LeaveOneOut>>,
}

impl Shared<'_> {
    fn damping(&self) -> f64 {
        self.audit.damping.unwrap_or_else(|| LeaveOneOut::usual_damping(self.train.len()))
    }

    /// The leave-one-out models by one Newton step each.
    fn newton(&self) -> Result<&LeaveOneOut> {
        let loo = || LeaveOneOut::newton(self.network, self.train, Curvature::GaussNewton, self.damping());
        self.loo.get_or_init(loo).as_ref().map_err(Clone::clone)
    }

    /// A method's intervals at the test rows, and the leave-one-out models behind them.
    pub(super) fn answer(&self, method: Method, test: &Sample) -> Result<(Intervals, Option<LeaveOneOut>)> {
        let (x, alpha) = (test.x(), self.audit.alpha);
        let fit = |rows: &Sample| self.training.fit(rows);
        let by = |loo: LeaveOneOut, rule: Rule| Ok((loo.intervals(rule, x, alpha)?, Some(loo)));
        match method {
            Method::Rule(Rule::InSample) => Ok((Intervals::in_sample(self.network, self.train, x, alpha)?, None)),
            Method::Rule(rule) => by(self.newton()?.clone(), rule),
            Method::Influence(order, terms) => {
                let how = Influence::order(order).terms(terms).curvature(Curvature::GaussNewton);
                let how = how.damping(self.damping());
                by(LeaveOneOut::influence(self.network, self.train, &how)?, Rule::Plus)
            }
            Method::Folds => by(LeaveOneOut::folds(self.train, FOLDS, fit)?, Rule::Plus),
            Method::Bags => by(self.bags()?, Rule::Studentised),
            Method::Split => Ok((HeldOut::fit(self.train, 0.5, self.seed, fit)?.intervals(x, alpha)?, None)),
            Method::Baseline(baseline) => Ok((self.baseline(baseline)?.intervals(x, alpha)?, None)),
        }
    }

    /// Bags of the deep ensemble's networks, which state a mean and a deviation.
    fn bags(&self) -> Result<LeaveOneOut> {
        let network = Ensemble::default().members(1).hidden(&self.hidden());
        LeaveOneOut::bags(self.train, BAGS, self.seed, |rows, seed| network.clone().seed(seed).fit(rows))
    }

    /// The units of each hidden layer.
    fn hidden(&self) -> Vec<usize> {
        let layers = self.network.layers();
        layers[..layers.len() - 1].iter().map(|layer| layer.bias.len()).collect()
    }

    /// A baseline with the audited network's layers and, where it has one like it, training.
    fn baseline(&self, baseline: Baseline) -> Result<Probabilistic> {
        let (training, train, seed) = (self.training.clone(), self.train, self.seed);
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
