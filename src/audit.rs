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
mod plan;
mod pooled;
mod settings;
mod shared;
mod size;
pub mod summary;
pub mod table;
mod text;
mod verdict;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use crate::check::at_least_one;
use crate::condition::Conditions;
use crate::curvature::{Curvature, Options, Solver};
use crate::error::{Error, Result};
use crate::interval::{Intervals, Method};
use crate::metric::{Discrimination, holm};
use crate::model::network::{Network, Training};
use crate::quantile;
use crate::sample::Sample;
use crate::setter::setters;
use crate::wording::exact;
pub use check::Check;
use plan::{Parts, Plan};
use shared::Shared;
pub use summary::{Mean, Summary};
pub use table::{AuditTable, Row, Run};

/// A split with fewer rows says next to nothing.
const ROWS: usize = 20;

/// What is audited, and how.
///
/// | option | default | meaning | range |
/// |---|---|---|---|
/// | `methods` | [`Method::POST_HOC`] | which intervals | at least one |
/// | `alpha` | 0.1 | miscoverage | 0 < α < 1 |
/// | `splits` | 10 | folds, each the test rows of one split; 1 is a single random split | ≥ 1 |
/// | `repeats` | 1 | rounds of folds | ≥ 1 |
/// | `random` | no | splits that are drawn independently and overlap, as the paper's | |
/// | `test_fraction` | 0.2 | share of the test rows of a single split and of random ones | 0 < · < 1 |
/// | `training` | the paper's | the network that every method is about | |
/// | `stages` | none | epochs among which the tangent's left-out error chooses, in place of the training's number | each ≥ 1 |
/// | `damping` | 1/(4n) | D of the Newton steps and influence functions, in Gauss–Newton curvature | ≥ 0 |
/// | `seed` | 0 | of the first split and network; the k-th has `seed` + k | |
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
    methods: Vec<Method>,
    pub(crate) alpha: f64,
    splits: usize,
    repeats: usize,
    random: bool,
    test_fraction: f64,
    training: Training,
    stages: Vec<usize>,
    damping: Option<f64>,
    seed: u64,
}

impl Default for Audit {
    fn default() -> Self {
        Self {
            methods: Method::POST_HOC.to_vec(),
            alpha: 0.1,
            splits: 10,
            repeats: 1,
            random: false,
            test_fraction: 0.2,
            training: Training::default(),
            stages: Vec::new(),
            damping: None,
            seed: 0,
        }
    }
}

/// What one split gives: the answer and the seconds of each method, and what the report shows of the first split.
struct Split {
    answers: Vec<(Result<Intervals>, f64)>,
    first: Option<(Network, Vec<Check>)>,
}

impl Audit {
    setters! {
        /// The methods to audit.
        methods(methods: &[Method]) => methods.to_vec();

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

        /// The network that every method is about.
        training(training: Training) => training;

        /// The epochs among which [`Stopped`](crate::leave_one_out::Stopped) chooses for every network that is trained as
        /// `training` says, in place of its number of epochs; none for that number. The baselines keep a training of their own,
        /// but for dropout, which is trained as long as the network of its split.
        stages(epochs: &[usize]) => epochs.to_vec();

        /// D of the Newton steps and influence functions, in place of
        /// [`LeaveOneOut::usual_damping`](crate::leave_one_out::LeaveOneOut::usual_damping).
        damping(damping: f64) => Some(damping);

        /// The seed of the first split and network.
        seed(seed: u64) => seed;
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
        let plan = Plan::new(self, sample)?;
        let done = AtomicUsize::new(0);
        let splits: Result<Vec<Split>> = (0..plan.splits.len())
            .into_par_iter()
            .map(|k| {
                let split = self.split(sample, &plan.splits[k], k);
                progress(1 + done.fetch_add(1, Ordering::Relaxed));
                split
            })
            .collect();
        self.collect(name, sample, &plan, splits?)
    }

    /// How many trainings there are, one for each split.
    pub(crate) fn trainings(&self) -> usize {
        if self.random || self.splits == 1 { self.splits } else { self.splits.saturating_mul(self.repeats) }
    }

    fn check(&self, sample: &Sample) -> Result<()> {
        quantile::check(self.alpha)?;
        at_least_one("the number of splits", self.splits, "10")?;
        at_least_one("the number of repeats", self.repeats, "1")?;
        at_least_one("the number of methods", self.methods.len(), "jackknife+,studentized")?;
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

    fn split(&self, sample: &Sample, parts: &Parts, k: usize) -> Result<Split> {
        let seed = self.seed.wrapping_add(k as u64);
        let (train, test) = sample.parts(&parts.train, &parts.test)?;
        let training = self.training.clone().seed(seed);
        let network = self.fit(&training, &train)?;
        let (loo, tangent) = (OnceLock::new(), OnceLock::new());
        let shared = Shared { audit: self, seed, training: &training, network: &network, train: &train, loo, tangent };
        let mut behind = Vec::new();
        let answers = self.methods.iter().map(|&method| {
            let start = Instant::now();
            let answer = shared.answer(method, &test);
            let seconds = start.elapsed().as_secs_f64();
            let intervals = answer.map(|(intervals, loo)| {
                // One split shows how far the models can be trusted; the others need not keep theirs.
                behind.extend(loo.filter(|_| k == 0).map(|loo| (method, loo)));
                intervals
            });
            (intervals, seconds)
        });
        let answers = answers.collect();
        let first =
            (k == 0).then(|| (network.clone(), Check::all(behind, &train, |rows| self.fit(&training, rows), seed)));
        Ok(Split { answers, first })
    }

    fn collect(&self, name: &str, sample: &Sample, plan: &Plan, splits: Vec<Split>) -> Result<AuditTable> {
        let mut rows: Vec<Row> = self.methods.iter().map(|&method| Row::empty(method)).collect();
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
        let (network, checks) = first.map_or((None, Vec::new()), |(network, checks)| (Some(network), checks));
        let (name, audit, sample) = (name.into(), self.clone(), sample.clone());
        Ok(AuditTable { name, audit, sample, rows, tested, test, network, checks, conditions })
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
