//! What an audit of many rows or parameters needs, found before anything is allocated.

use super::Audit;
use crate::error::Result;
use crate::hat;
use crate::interval::Method;
use crate::learner::Learner;
use crate::leave_one_out::Engine;
use crate::leave_one_out::shifts::kept;
use crate::memory;
use crate::sample::Sample;

/// Operations of asking each model at each row, and of factorising a Hessian, in all splits, from which on that takes minutes.
const LONG: f64 = 5e11;
/// Seconds on two cores that an audit may take if nobody says how long it is to go on.
const SECONDS: f64 = 60.0;
/// Operations in a second, on two cores: of a training, whose products are small, and of the decomposition of a tangent.
const TRAINED: f64 = 8e9;
const DECOMPOSED: f64 = 6e10;
/// Epochs, splits and refits, from what is wanted to the least that says something.
const EFFORTS: [(usize, usize, usize); 8] =
    [(1000, 10, 10), (300, 10, 10), (300, 10, 3), (100, 10, 3), (100, 5, 2), (30, 5, 2), (30, 2, 0), (30, 1, 0)];

/// What an audit may change of itself to answer in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Free {
    /// The methods.
    pub methods: bool,
    /// The number of splits.
    pub splits: bool,
    /// How long networks are trained.
    pub epochs: bool,
}

impl Free {
    /// Everything.
    pub const ALL: Self = Self { methods: true, splits: true, epochs: true };
}

impl Audit {
    /// The same with as much as answers in about a minute on two cores, where it is `free`: methods that ask each leave-one-out
    /// model at each row are left out of the usual ones, networks are trained for fewer epochs, and there are fewer splits and
    /// fewer refits to hold the models against. [`Audit::changes`] says what it was.
    ///
    /// What is estimated are operations, so that the plan does not depend on the machine.
    ///
    /// # Example
    /// ```
    /// use jackknife::audit::Free;
    /// use jackknife::prelude::*;
    /// let (small, large) = (linear(300, 3, 0)?, linear(60_000, 3, 0)?);
    /// let audit = Audit::default();
    /// assert_eq!(audit.clone().suited_to(&small, Free::ALL), audit);
    /// let suited = audit.clone().suited_to(&large, Free::ALL);
    /// assert!(audit.changes(&suited, &large)[0].starts_with("jackknife, jackknife+, minmax"));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn suited_to(self, sample: &Sample, free: Free) -> Self {
        let (rows, parameters) = (sample.len() as f64, self.parameters(sample));
        let mut audit = self;
        let alone = matches!(audit.models[..], [Learner::Network { .. }]);
        let asked = (2.0 * rows * rows * parameters + parameters.powi(3)) * audit.trainings() as f64;
        if free.methods && audit.methods.is_none() && alone && asked > LONG {
            audit = audit.methods(&Method::QUICK);
        }
        let fits = |candidate: &Self| candidate.seconds(sample) <= SECONDS;
        let candidates: Vec<Self> = EFFORTS.iter().map(|&effort| audit.clone().with(effort, free)).collect();
        let last = candidates.last().cloned();
        candidates.into_iter().find(fits).or(last).unwrap_or(audit)
    }

    /// No more epochs, splits and refits than these, where they are free.
    fn with(mut self, (most, splits, refits): (usize, usize, usize), free: Free) -> Self {
        for model in &mut self.models {
            if let (Learner::Network { training, stages }, true) = (model, free.epochs)
                && stages.is_empty()
            {
                training.epochs = training.epochs.min(most);
            }
        }
        if free.splits {
            self.splits = self.splits.min(splits);
        }
        self.refits = self.refits.min(refits);
        self
    }

    /// About how long it takes on two cores.
    fn seconds(&self, sample: &Sample) -> f64 {
        let rows = sample.len() as f64;
        let of = |model: &Learner| {
            let parameters = model.parameters(sample.columns()) as f64;
            let epochs = match model {
                Learner::Network { training, stages } => stages.iter().copied().max().unwrap_or(training.epochs),
                _ => 0,
            };
            let rank = parameters.min(rows);
            let trained = 6.0 * rows * parameters * epochs as f64 / TRAINED;
            trained + 6.0 * rows * rank * parameters.min(rows) / DECOMPOSED
        };
        let checked = if self.models.iter().any(Learner::is_network) { self.refits } else { 0 };
        (self.trainings() + checked) as f64 * self.models.iter().map(of).sum::<f64>()
    }

    /// What another audit of the same sample has otherwise, in words.
    pub fn changes(&self, other: &Self, sample: &Sample) -> Vec<String> {
        let epochs = |audit: &Self| {
            let of = |model: &Learner| match model {
                Learner::Network { training, .. } => Some(training.epochs),
                _ => None,
            };
            audit.models.iter().find_map(of).unwrap_or(0)
        };
        let (rows, mut changes) = (sample.len(), Vec::new());
        if self.methods != other.methods {
            let names = Method::POST_HOC.iter().filter(|method| !Method::QUICK.contains(method)).map(Method::name);
            let names = names.collect::<Vec<_>>().join(", ");
            changes.push(format!(
                "{names} ask each model at each row or factorise its Hessian, which takes minutes on this table: left out, ask for \
                 them with --methods"
            ));
        }
        let mut fewer = Vec::new();
        let numbers = [
            (epochs(self), epochs(other), "epochs", " (--epochs)"),
            (self.splits, other.splits, if other.splits == 1 { "split" } else { "splits" }, " (--splits)"),
            (self.refits, other.refits, "refits that the models are held against", ""),
        ];
        for (wanted, kept, what, option) in numbers {
            if wanted != kept {
                fewer.push(format!("{kept} {what} in place of {wanted}{option}"));
            }
        }
        if !fewer.is_empty() {
            changes.push(format!("so that {rows} rows take about a minute: {}", fewer.join(", ")));
        }
        changes
    }

    /// Of the model that has most.
    fn parameters(&self, sample: &Sample) -> f64 {
        let of = |model: &Learner| match model {
            Learner::Kernel => sample.len(),
            model => model.parameters(sample.columns()),
        };
        self.models.iter().map(of).max().unwrap_or(0) as f64
    }

    /// Refuses what needs more memory than the machine has free.
    pub(super) fn check_size(&self, sample: &Sample) -> Result<()> {
        let (rows, parameters) = (sample.len() as f64, self.parameters(sample));
        let of = |method: &Method| match method {
            Method::Pair(Engine::Newton | Engine::Influence(1, _), _) => 8e-9 * kept(sample.len(), parameters as usize),
            // The derivatives, the steps and the models.
            Method::Pair(Engine::Influence(..) | Engine::Reminimised, _) => {
                8e-9 * (3.0 * rows * parameters + parameters * parameters)
            }
            Method::Pair(Engine::Tangent | Engine::TangentSplit | Engine::TangentFolds(_), _) => {
                hat::gigabytes(sample.len(), parameters as usize)
            }
            _ => 0.0,
        };
        let (lines, _) = self.lines()?;
        let largest = lines.iter().map(|(_, method)| of(method)).fold(0.0, f64::max);
        let together = rayon::current_num_threads().min(self.trainings()) as f64;
        let what =
            || format!("the derivatives of {parameters} parameters at {rows} rows, {together} splits at a time,");
        let advice = "audit fewer columns or rows, a smaller network, or --methods tangent";
        memory::check(what, largest * together, advice)
    }
}
