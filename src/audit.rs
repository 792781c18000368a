//! The audit: can these intervals be trusted on this table?
//!
//! A table is split several times; one network is trained on each split and shared by every post-hoc method; every
//! method answers on the test rows, and the [`AuditTable`] says what its intervals were worth: whether they cover, how
//! wide they are, and whether they are wide where the errors are large. A method that fails on a split is reported
//! with its reason, and the others go on.

pub mod check;
mod settings;
mod shared;
pub mod table;
mod text;
mod verdict;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use crate::check::at_least_one;
use crate::curvature::{Curvature, Options, Solver};
use crate::error::{Error, Result};
use crate::interval::{Intervals, Method};
use crate::metric::Metrics;
use crate::model::network::{Network, Training};
use crate::quantile;
use crate::sample::Sample;
use crate::setter::setters;
use crate::wording::exact;
pub use check::Check;
use shared::Shared;
pub use table::{AuditTable, Row};

/// A split with fewer rows says next to nothing.
const ROWS: usize = 20;
/// The derivatives of the network at the training rows may take this many gigabytes.
const MEMORY: f64 = 1.0;

/// What is audited, and how.
///
/// | option | default | meaning | range |
/// |---|---|---|---|
/// | `methods` | [`Method::POST_HOC`] | which intervals | at least one |
/// | `alpha` | 0.1 | miscoverage | 0 < α < 1 |
/// | `splits` | 10 | random splits into training and test rows | ≥ 1 |
/// | `test_fraction` | 0.2 | share of the test rows | 0 < · < 1 |
/// | `training` | the paper's | the network that every method is about | |
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
/// assert_eq!(studentised.coverage()?.of, 32);
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Audit {
    methods: Vec<Method>,
    pub(crate) alpha: f64,
    pub(crate) splits: usize,
    test_fraction: f64,
    training: Training,
    damping: Option<f64>,
    seed: u64,
}

impl Default for Audit {
    fn default() -> Self {
        Self {
            methods: Method::POST_HOC.to_vec(),
            alpha: 0.1,
            splits: 10,
            test_fraction: 0.2,
            training: Training::default(),
            damping: None,
            seed: 0,
        }
    }
}

/// What one split gives: the answer and the seconds of each method, and what the report shows of the first split.
struct Split {
    answers: Vec<(Result<(Intervals, Metrics)>, f64)>,
    test: Sample,
    network: Network,
    checks: Vec<Check>,
}

impl Audit {
    setters! {
        /// The methods to audit.
        methods(methods: &[Method]) => methods.to_vec();

        /// The miscoverage.
        alpha(alpha: f64) => alpha;

        /// The number of random splits.
        splits(splits: usize) => splits;

        /// The share of the test rows.
        test_fraction(fraction: f64) => fraction;

        /// The network that every method is about.
        training(training: Training) => training;

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

    /// As [`Audit::run`]; `progress(done)` is called after each split.
    ///
    /// # Errors
    /// As [`Audit::run`].
    pub fn run_with(&self, name: &str, sample: &Sample, progress: impl Fn(usize) + Sync) -> Result<AuditTable> {
        self.audited(name, sample, &progress)
    }

    fn audited(&self, name: &str, sample: &Sample, progress: &(dyn Fn(usize) + Sync)) -> Result<AuditTable> {
        self.check(sample)?;
        let done = AtomicUsize::new(0);
        let splits: Result<Vec<Split>> = (0..self.splits)
            .into_par_iter()
            .map(|k| {
                let split = self.split(sample, k);
                progress(1 + done.fetch_add(1, Ordering::Relaxed));
                split
            })
            .collect();
        Ok(self.collect(name, sample, splits?))
    }

    fn check(&self, sample: &Sample) -> Result<()> {
        quantile::check(self.alpha)?;
        at_least_one("the number of splits", self.splits, "10")?;
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
        let parameters = self.training.parameters(sample.columns()) as f64;
        let gigabytes = 8e-9 * parameters * sample.len() as f64;
        match gigabytes > MEMORY {
            true => Err(Error::Memory {
                what: format!("the derivatives of {parameters} parameters at {} rows", sample.len()),
                gigabytes,
                limit: MEMORY,
                whose: "that an audit allows",
                advice: "audit fewer columns or rows, or a smaller network",
            }),
            false => Ok(()),
        }
    }

    fn split(&self, sample: &Sample, k: usize) -> Result<Split> {
        let seed = self.seed.wrapping_add(k as u64);
        let (train, test) = sample.split(self.test_fraction, seed)?;
        let training = self.training.clone().seed(seed);
        let network = training.fit(&train)?;
        let shared =
            Shared { audit: self, seed, training: &training, network: &network, train: &train, loo: OnceLock::new() };
        let mut behind = Vec::new();
        let answers = self.methods.iter().map(|&method| {
            let start = Instant::now();
            let answer = shared.answer(method, &test);
            let seconds = start.elapsed().as_secs_f64();
            let scored = answer.and_then(|(intervals, loo)| {
                // One split shows how far the models can be trusted; the others need not keep theirs.
                behind.extend(loo.filter(|_| k == 0).map(|loo| (method, loo)));
                Ok((intervals.clone(), intervals.metrics(&test, seed)?))
            });
            (scored, seconds)
        });
        let answers = answers.collect();
        let checks = Check::all(behind, &train, &training, seed);
        Ok(Split { answers, network, checks, test })
    }

    fn collect(&self, name: &str, sample: &Sample, splits: Vec<Split>) -> AuditTable {
        let row = |(m, &method): (usize, &Method)| {
            let mut row = Row { method, runs: Vec::new(), seconds: Vec::new(), failures: Vec::new(), shown: None };
            for (k, split) in splits.iter().enumerate() {
                match &split.answers[m] {
                    (Ok((intervals, metrics)), seconds) => {
                        row.runs.push(metrics.clone());
                        row.seconds.push(*seconds);
                        if k == 0 {
                            row.shown = Some(intervals.clone());
                        }
                    }
                    (Err(error), _) => row.failures.push((k, error.clone())),
                }
            }
            row
        };
        let rows = self.methods.iter().enumerate().map(row).collect();
        let first = splits.into_iter().next();
        let (test, network, checks) =
            first.map_or((None, None, Vec::new()), |split| (Some(split.test), Some(split.network), split.checks));
        AuditTable { name: name.into(), audit: self.clone(), sample: sample.clone(), rows, test, network, checks }
    }
}
