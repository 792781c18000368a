//! One split: the model that every method is about, and what each makes of it.

use std::sync::OnceLock;

use super::Audit;
use crate::baseline::{Baseline, Dropout, Ensemble, Langevin, Pbp, Probabilistic, Resampling};
use crate::error::{Error, Result};
use crate::interval::{HeldOut, Intervals, Method};
use crate::learner::{Fitted, Learner};
use crate::leave_one_out::{Engine, LeaveOneOut};
use crate::model::network::Network;
use crate::sample::Sample;

/// What the methods of one split and one model share: the model, and its leave-one-out models once they are asked for.
pub(super) struct Shared<'a> {
    audit: &'a Audit,
    learner: &'a Learner,
    fitted: &'a Fitted,
    train: &'a Sample,
    seed: u64,
    newton: OnceLock<Result<LeaveOneOut>>,
    tangent: OnceLock<Result<LeaveOneOut>>,
    own: OnceLock<Result<LeaveOneOut>>,
}

impl<'a> Shared<'a> {
    pub(super) fn new(
        audit: &'a Audit,
        learner: &'a Learner,
        fitted: &'a Fitted,
        train: &'a Sample,
        seed: u64,
    ) -> Self {
        let (newton, tangent, own) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self { audit, learner, fitted, train, seed, newton, tangent, own }
    }
}

impl Shared<'_> {
    /// The leave-one-out models by an engine; those of one network, and a forest, serve several methods.
    fn models(&self, engine: Engine) -> Result<LeaveOneOut> {
        let make = || match (engine, self.fitted.network()) {
            (Engine::Bags(bags), Some(network)) => self.ensemble(network, bags),
            _ => self.learner.leave_one_out(self.fitted, engine, self.train, self.seed, self.audit.damping),
        };
        let kept = match engine {
            Engine::Newton => &self.newton,
            Engine::Tangent => &self.tangent,
            Engine::Bags(_) | Engine::Folds(_) | Engine::ClosedForm if engine == self.learner.usual() => &self.own,
            _ => return make(),
        };
        kept.get_or_init(make).clone()
    }

    /// A method's intervals at the test rows, and the leave-one-out models behind them.
    pub(super) fn answer(&self, method: Method, test: &Sample) -> Result<(Intervals, Option<LeaveOneOut>)> {
        let (x, alpha) = (test.x(), self.audit.alpha);
        match method {
            Method::InSample => Ok((Intervals::in_sample(self.fitted, self.train, x, alpha)?, None)),
            Method::Pair(engine, rule) => {
                let loo = self.models(engine)?;
                Ok((loo.intervals(rule, x, alpha)?, Some(loo)))
            }
            Method::HeldOut => {
                let fit = |rows: &Sample| self.learner.fit(rows, self.seed);
                Ok((HeldOut::fit(self.train, 0.5, self.seed, fit)?.intervals(x, alpha)?, None))
            }
            Method::Baseline(baseline) => Ok((self.baseline(baseline)?.intervals(x, alpha)?, None)),
            Method::Given => Err(Error::Conflict {
                options: "an audit makes its intervals itself",
                advice: "judge intervals of another program by AuditTable::of_intervals, or by the command score",
            }),
        }
    }

    /// Bags of the deep ensemble's networks, which state a mean and a deviation.
    fn ensemble(&self, network: &Network, bags: usize) -> Result<LeaveOneOut> {
        let network = Ensemble::default().members(1).hidden(&hidden(network));
        LeaveOneOut::bags(self.train, bags, self.seed, |rows, seed| network.clone().seed(seed).fit(rows))
    }

    /// A baseline with the audited network's layers and, where it has one like it, training.
    fn baseline(&self, baseline: Baseline) -> Result<Probabilistic> {
        let (train, seed) = (self.train, self.seed);
        let (Learner::Network { training, stages }, Some(network)) = (self.learner, self.fitted.network()) else {
            return Err(self.learner.suited(Method::Baseline(baseline)).expect_err("it is no network"));
        };
        let hidden = hidden(network);
        match baseline {
            Baseline::Dropout => {
                let epochs = if stages.is_empty() { training.epochs } else { network.history().len() };
                Dropout::default().training(training.clone().epochs(epochs)).seed(seed).fit(train)
            }
            // The likelihood needs a training of its own; the layers are the audited network's.
            Baseline::Ensemble => Ensemble::default().hidden(&hidden).seed(seed).fit(train),
            Baseline::Pbp => Pbp::default().hidden(&hidden).seed(seed).fit(train),
            Baseline::Langevin => {
                let activation = network.activation();
                Langevin::default().hidden(&hidden).activation(activation).seed(seed).fit(train)
            }
            Baseline::Resampling => Resampling::default().seed(seed).fit(network, train),
        }
    }
}

/// The units of each hidden layer.
fn hidden(network: &Network) -> Vec<usize> {
    let layers = network.layers();
    layers[..layers.len() - 1].iter().map(|layer| layer.bias.len()).collect()
}
