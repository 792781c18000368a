//! The audit: can these intervals be trusted on this table?
//!
//! A table is cut into folds, each of which is tested by models that were trained on the others; one network is trained for
//! each and shared by every post-hoc method; every method answers on the test rows, and the [`AuditTable`] says what its
//! intervals were worth: whether they cover, how wide they are, and whether they are wide where the errors are large. A
//! method that fails on a split is reported with its reason, and the others go on.
//!
//! Every row is tested equally often, copies of a row together, and the order of the table does not matter. Whatever is
//! counted is counted by rows: a row that is tested twice is one row.

pub mod check;
mod given;
mod plan;
mod pooled;
mod settings;
mod shared;
mod size;
pub mod summary;
pub mod table;
mod text;
mod verdict;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use crate::check::at_least_one;
use crate::condition::Conditions;
use crate::curvature::{Curvature, Options, Solver};
use crate::error::{Error, Result};
use crate::interval::{Intervals, Method};
use crate::learner::Learner;
use crate::leave_one_out::Fidelity;
use crate::metric::{Discrimination, holm};
use crate::model::network::{Network, Training};
use crate::quantile;
use crate::sample::Sample;
use crate::setter::setters;
use crate::wording::exact;
pub use check::Check;
use plan::{Parts, Plan};
use shared::Shared;
pub use size::Free;
pub use summary::{Mean, Summary};
pub use table::{AuditTable, Row, Run};

/// A split with fewer rows says next to nothing.
const ROWS: usize = 20;

/// What is audited, and how.
///
/// | option | default | meaning | range |
/// |---|---|---|---|
/// | `models` | the paper's network | what is trained | at least one |
/// | `methods` | [`Learner::methods`] of one model, [`Learner::recommended`] of several | which intervals | at least one |
/// | `alpha` | 0.1 | miscoverage | 0 < α < 1 |
/// | `splits` | 10 | folds, each the test rows of one split; 1 is a single random split | ≥ 1 |
/// | `repeats` | 1 | rounds of folds | ≥ 1 |
/// | `random` | no | splits that are drawn independently and overlap, as the paper's | |
/// | `test_fraction` | 0.2 | share of the test rows of a single split and of random ones | 0 < · < 1 |
/// | `training` | the paper's | of the network, where that is the model | |
/// | `stages` | none | epochs among which the tangent's left-out error chooses, in place of the training's number | each ≥ 1 |
/// | `damping` | 1/(4n) | D of the Newton steps and influence functions, in Gauss–Newton curvature | ≥ 0 |
/// | `seed` | 0 | of the first split and model; the k-th has `seed` + k | |
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let sample = cubic(80, Feature::Normal { deviation: 1.0 }, 0.5, 0)?;
/// let training = Training::default().hidden(&[10]).epochs(200);
/// let table = Audit::default().splits(2).training(training).run("cubic", &sample)?;
/// let studentised = table.row("studentized".parse()?).expect("is among the defaults");
/// assert_eq!(studentised.coverage()?.of, 80); // every row was tested, by a network that had not seen it
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Audit {
    models: Vec<Learner>,
    /// None for those that suit the models.
    methods: Option<Vec<Method>>,
    pub(crate) alpha: f64,
    splits: usize,
    repeats: usize,
    random: bool,
    test_fraction: f64,
    damping: Option<f64>,
    /// Models that are trained without a row, to hold the others against.
    refits: usize,
    seed: u64,
}

impl Default for Audit {
    fn default() -> Self {
        Self {
            models: vec![Learner::default()],
            methods: None,
            alpha: 0.1,
            splits: 10,
            repeats: 1,
            random: false,
            test_fraction: 0.2,
            damping: None,
            refits: Fidelity::HANDFUL,
            seed: 0,
        }
    }
}

/// What one split gives: the answer and the seconds of each method, and what the report shows of the first split.
struct Split {
    answers: Vec<(Result<Intervals>, f64)>,
    first: Option<(Option<Network>, Vec<Check>)>,
}

/// A line of the table: the number of a model, and a method that suits it.
type Line = (usize, Method);
/// The lines, and why methods that were asked for are not among them.
type Lines = (Vec<Line>, Vec<Error>);

impl Audit {
    setters! {
        /// What is trained: one model, or several that are compared on the same folds.
        models(models: &[Learner]) => models.to_vec();

        /// The methods to audit. Where the name leaves the engine open, it is the one that suits the model
        /// ([`Learner::suited`]).
        methods(methods: &[Method]) => Some(methods.to_vec());

        /// The miscoverage.
        alpha(alpha: f64) => alpha;

        /// The number of folds: every row is tested once. A single one is a random split.
        splits(splits: usize) => splits;

        /// The number of rounds of folds: every row is tested so often.
        repeats(repeats: usize) => repeats;

        /// Whether the splits are drawn independently, so that they overlap: the paper's way.
        random(random: bool) => random;

        /// The share of the test rows of a single split and of random ones.
        test_fraction(fraction: f64) => fraction;

        /// D of the Newton steps and influence functions, in place of
        /// [`LeaveOneOut::usual_damping`](crate::leave_one_out::LeaveOneOut::usual_damping).
        damping(damping: f64) => Some(damping);

        /// The seed of the first split and model.
        seed(seed: u64) => seed;
    }

    /// How the network is trained, where that is the model.
    pub fn training(mut self, how: Training) -> Self {
        for model in &mut self.models {
            if let Learner::Network { training, .. } = model {
                training.clone_from(&how);
            }
        }
        self
    }

    /// The epochs among which [`Stopped`](crate::leave_one_out::Stopped) chooses for every network, in place of its number of
    /// epochs; none for that number. The baselines keep a training of their own, but for dropout, which is trained as long as
    /// the network of its split.
    pub fn stages(mut self, epochs: &[usize]) -> Self {
        for model in &mut self.models {
            if let Learner::Network { stages, .. } = model {
                *stages = epochs.to_vec();
            }
        }
        self
    }

    /// Audits a sample; `name` is what the table is called.
    ///
    /// # Errors
    /// [`Error::Rows`] for fewer than 20 rows, [`Error::Column`] for a target that is constant or has two values,
    /// [`Error::Choice`] and [`Error::Level`] for options out of their range, [`Error::Memory`] for more columns than
    /// the network's derivatives have room for.
    pub fn run(&self, name: &str, sample: &Sample) -> Result<AuditTable> {
        self.run_with(name, sample, |_| {})
    }

    /// As [`Audit::run`]; `progress(done)` is called after each split, of which there are `splits` × `repeats`.
    ///
    /// # Errors
    /// As [`Audit::run`].
    pub fn run_with(&self, name: &str, sample: &Sample, progress: impl Fn(usize) + Sync) -> Result<AuditTable> {
        self.audited(name, sample, &progress)
    }

    fn audited(&self, name: &str, sample: &Sample, progress: &(dyn Fn(usize) + Sync)) -> Result<AuditTable> {
        self.check(sample)?;
        let (plan, lines) = (Plan::new(self, sample)?, self.lines()?);
        let done = AtomicUsize::new(0);
        let splits: Result<Vec<Split>> = (0..plan.splits.len())
            .into_par_iter()
            .map(|k| {
                let split = self.split(sample, &plan.splits[k], &lines.0, k);
                progress(1 + done.fetch_add(1, Ordering::Relaxed));
                split
            })
            .collect();
        self.collect(name, sample, &plan, lines, splits?)
    }

    /// How many trainings there are, one for each split.
    pub(crate) fn trainings(&self) -> usize {
        if self.random || self.splits == 1 { self.splits } else { self.splits.saturating_mul(self.repeats) }
    }

    fn check(&self, sample: &Sample) -> Result<()> {
        quantile::check(self.alpha)?;
        at_least_one("the number of splits", self.splits, "10")?;
        at_least_one("the number of repeats", self.repeats, "1")?;
        at_least_one("the number of models", self.models.len(), "network")?;
        at_least_one("the number of methods", self.methods.as_ref().map_or(1, Vec::len), "jackknife+,studentized")?;
        if sample.len() < ROWS {
            return Err(Error::Rows { what: "an audit".into(), need: ROWS, have: sample.len() });
        }
        if let Some(damping) = self.damping {
            Options { curvature: Curvature::GaussNewton, solver: Solver::Auto, damping, seed: 0 }.check()?;
        }
        let refuse = |problem: String| Err(Error::Column { column: sample.target().into(), problem });
        let mut values = sample.y().to_vec();
        values.sort_by(f64::total_cmp);
        values.dedup();
        match values[..] {
            [value] => refuse(format!("is {} in every row: there is nothing to predict", exact(value)))?,
            [low, high] => refuse(format!(
                "has only the values {} and {}: that is classification, and intervals are for regression; choose another target",
                exact(low),
                exact(high)
            ))?,
            _ => {}
        }
        self.check_size(sample)
    }

    /// The lines of the table, and why methods that were asked for are not among them.
    fn lines(&self) -> Result<Lines> {
        let (mut lines, mut left_out) = (Vec::new(), Vec::new());
        for (m, model) in self.models.iter().enumerate() {
            let usual = if self.models.len() > 1 { model.recommended() } else { model.methods() };
            for &method in self.methods.as_ref().unwrap_or(&usual) {
                match model.suited(method) {
                    Ok(method) => lines.push((m, method)),
                    Err(reason) => left_out.push(reason),
                }
            }
        }
        // A method that suits none of the models was asked for in vain.
        for method in self.methods.iter().flatten() {
            if !self.models.iter().any(|model| model.suited(*method).is_ok()) {
                return self.models[0].suited(*method).map(|_| (lines, left_out));
            }
        }
        Ok((lines, left_out))
    }

    fn split(&self, sample: &Sample, parts: &Parts, lines: &[Line], k: usize) -> Result<Split> {
        let seed = self.seed.wrapping_add(k as u64);
        let (train, test) = sample.parts(&parts.train, &parts.test)?;
        let (mut answers, mut network, mut checks) = (Vec::new(), None, Vec::new());
        for (m, model) in self.models.iter().enumerate() {
            let methods = lines.iter().filter(|line| line.0 == m).map(|line| line.1);
            let fitted = match model.fit(&train, seed) {
                Ok(fitted) => fitted,
                Err(error) if self.models.len() == 1 => return Err(error),
                Err(error) => {
                    answers.extend(methods.map(|_| (Err(error.clone()), 0.0)));
                    continue;
                }
            };
            let shared = Shared::new(self, model, &fitted, &train, seed);
            let mut behind = Vec::new();
            answers.extend(methods.map(|method| {
                let start = Instant::now();
                let answer = shared.answer(method, &test);
                let seconds = start.elapsed().as_secs_f64();
                let intervals = answer.map(|(intervals, loo)| {
                    // One split shows how far the models can be trusted; the others need not keep theirs.
                    behind.extend(loo.filter(|_| k == 0).map(|loo| (method, loo)));
                    intervals
                });
                (intervals, seconds)
            }));
            if k == 0 {
                let label = (self.models.len() > 1).then(|| model.name());
                checks.extend(Check::all(label, behind, &train, |rows| model.fit(rows, seed), (self.refits, seed)));
                network = network.or_else(|| fitted.network().cloned());
            }
        }
        Ok(Split { answers, first: (k == 0).then_some((network, checks)) })
    }

    fn collect(
        &self,
        name: &str,
        sample: &Sample,
        plan: &Plan,
        lines: Lines,
        splits: Vec<Split>,
    ) -> Result<AuditTable> {
        let (lines, left_out) = lines;
        let several = self.models.len() > 1;
        let mut rows: Vec<Row> =
            lines.iter().map(|&(m, method)| Row::empty(self.models[m].name(), several, method)).collect();
        let mut first = None;
        for (k, (split, parts)) in splits.into_iter().zip(&plan.splits).enumerate() {
            first = first.or(split.first);
            for (row, (answer, seconds)) in rows.iter_mut().zip(split.answers) {
                match answer {
                    Ok(intervals) => {
                        let (rows, trained) = (parts.test.clone(), parts.train.clone());
                        row.runs.push(Run { split: k, rows, trained, intervals });
                        row.seconds.push(seconds);
                    }
                    Err(error) => row.failures.push((k, error)),
                }
            }
        }
        let mut tested: Vec<usize> = plan.splits.iter().flat_map(|parts| parts.test.iter().copied()).collect();
        tested.sort_unstable();
        tested.dedup();
        for row in &mut rows {
            row.shown = row.pooled(sample, &tested)?;
            row.summary = row.summed(sample, plan, self.seed)?;
        }
        adjust(&mut rows);
        let test = sample.rows(&tested)?;
        let mut conditions = Conditions::of_rows(sample);
        // Errors on rows not seen, in the order of the table.
        if let Some(shown) = rows.iter().find_map(|row| row.shown.as_ref()) {
            conditions = conditions.and(Conditions::of_order(&(test.y() - &shown.prediction))?);
        }
        let (network, checks) = first.unwrap_or_default();
        let (name, audit, sample) = (name.into(), self.clone(), sample.clone());
        Ok(AuditTable { name, audit, sample, rows, left_out, tested, test, network, checks, conditions })
    }
}

/// Takes the p-values of all methods together, by Holm: the more are tried, the likelier one has luck.
fn adjust(rows: &mut [Row]) {
    let mut tried: Vec<&mut Discrimination> = rows
        .iter_mut()
        .filter_map(|row| row.summary.as_mut()?.discrimination.as_mut())
        .filter(|discrimination| !discrimination.constant)
        .collect();
    let adjusted = holm(&tried.iter().map(|discrimination| discrimination.p).collect::<Vec<_>>());
    tried.iter_mut().zip(adjusted).for_each(|(discrimination, p)| discrimination.p = p);
}
