//! `jackknife intervals`: intervals for the rows of a test table, as CSV.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

use crate::check::refusal;
use crate::model::reminimised;
use crate::prelude::*;
use crate::sample::read_frame;
use clap::Args;
use ndarray::{Array1, Array2};

use super::condition::{errors_in_order, said};
use super::model::{Choice, Epochs};
use super::{check_folder, progress};

/// Folds of `cv+` unless told otherwise.
const FOLDS: usize = 10;
/// The share of rows that `split` calibrates on.
const CALIBRATION: f64 = 0.5;

/// The options of `jackknife intervals`.
#[derive(Args)]
pub struct Options {
    /// Training table: a CSV or Parquet file
    #[arg(long, value_name = "FILE")]
    train: PathBuf,
    /// Test table: the same features; its target, if there, gives the coverage
    #[arg(long, value_name = "FILE")]
    test: PathBuf,
    /// Target column [default: the last of the training table]
    #[arg(long, value_name = "COL")]
    target: Option<String>,
    /// ols, ridge:λ, network, or FILE.safetensors with PyTorch's Sequential names
    #[arg(long, allow_hyphen_values = true)]
    model: Choice,
    /// naive, jackknife, jackknife+, minmax, studentized, cv+, split, or weighted for test rows distributed
    /// otherwise than the training rows (weights estimated from both)
    #[arg(long)]
    method: String,
    /// Leave-one-out models by influence functions of this order
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    order: Option<usize>,
    /// With --order 2: the paper's formula, which drops a term
    #[arg(long, requires = "order")]
    as_printed: bool,
    /// With --order: how the Hessian is solved with: auto, dense, cg or stochastic [default: auto]
    #[arg(long, requires = "order")]
    solver: Option<Solver>,
    /// With --order: D in H + D·I; raised if H is not positive definite [default: 0]
    #[arg(long, value_name = "D", requires = "order", allow_negative_numbers = true)]
    damping: Option<f64>,
    /// Miscoverage: 0.1 asks for 90 % intervals
    #[arg(long, default_value_t = 0.1, allow_negative_numbers = true)]
    alpha: f64,
    /// With cv+: the number of folds of consecutive rows [default: 10]
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    folds: Option<usize>,
    /// Of a network: tanh, relu, softplus or sigmoid [default: tanh]
    #[arg(long)]
    activation: Option<Activation>,
    /// Of a network: the penalty λ on every parameter [default: 0]
    #[arg(long, value_name = "λ", allow_negative_numbers = true)]
    l2: Option<f64>,
    /// Of --model network: passes over the rows, or auto for the stage of training where the tangent errs least on rows
    /// left out [default: 1000]
    #[arg(long, value_name = "N|auto", allow_negative_numbers = true)]
    epochs: Option<Epochs>,
    /// With weights from a file: go on although they do not belong to the training rows
    #[arg(long)]
    trust_anyway: bool,
    /// Of whatever is random
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Where the columns prediction,lower,upper are written
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// What `--method` asks for; where the models of a rule come from depends on the model and on `--order`.
#[derive(Clone, Copy, PartialEq)]
enum Asked {
    InSample,
    Rule(Rule),
    /// The jackknife+ with estimated weights.
    Weighted,
    Folds,
    HeldOut,
}

impl Asked {
    fn named(name: &str, own: &[Rule]) -> Result<Self> {
        if name == "weighted" || name == Rule::Weighted.recipe().name() {
            return Ok(Self::Weighted);
        }
        match Method::named(name, own) {
            Ok(Method::InSample) => Ok(Self::InSample),
            Ok(Method::HeldOut) => Ok(Self::HeldOut),
            // By its short name only: in an audit the engine that goes without saying is another.
            Ok(Method::Pair(Engine::Newton, rule)) if rule.to_string() == name || name == "studentised" => {
                Ok(Self::Rule(rule))
            }
            Ok(Method::Pair(Engine::Folds(_), rule)) if rule == Rule::Plus && name == "cv+" => Ok(Self::Folds),
            _ => Err(refusal(
                "--method",
                format!("`{name}`"),
                "be one of naive, jackknife, jackknife+, minmax, studentized, cv+, split, weighted",
                "jackknife+",
            )),
        }
    }
}

/// Intervals, and what is to be said beside them.
struct Answer {
    intervals: Intervals,
    trust: Option<Trust>,
    /// Left-out errors in the order of the table.
    errors: Option<Array1<f64>>,
    /// The weights, where they were estimated.
    ratios: Option<Ratios>,
}

impl From<Intervals> for Answer {
    /// Without leave-one-out models.
    fn from(intervals: Intervals) -> Self {
        Self { intervals, trust: None, errors: None, ratios: None }
    }
}

/// Reads, computes, writes, and sums up on stdout.
pub fn run(options: &Options, own: &[Rule]) -> Result<()> {
    let asked = Asked::named(&options.method, own)?;
    options.check(asked)?;
    let train = Sample::read(&options.train, options.target.as_deref())?;
    let frame = read_frame(&options.test)?;
    let test = train.encode(&frame)?;
    let start = options.start(&train)?;
    let Answer { intervals, trust, errors, ratios } = options.intervals(asked, &train, &test)?;
    // Test rows need no target; where every one has it, the coverage is known.
    let y = train.encode_target(&frame).ok();
    let said = said((&train, &test, y.as_ref()), &intervals, errors.as_ref(), ratios.as_ref())?;
    if let Some(warning) = trust.as_ref().map_or_else(|| start.and_then(|start| start.warning()), Trust::warning) {
        eprintln!("warning: {warning}");
    }
    write(&intervals, &options.out)?;

    let mut summary = format!("{intervals:?}\n");
    train.notices().iter().for_each(|notice| summary += &format!("note: {notice}\n"));
    if let Some(trust) = trust {
        summary += &format!("trust: {trust}\n");
    }
    if let Some(words) = intervals.outside_words() {
        summary += &format!("note: {words}\n");
    }
    said.lines.iter().for_each(|line| summary += &format!("{line}\n"));
    said.warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
    summary += &format!("written to {}\n", options.out.display());
    // A reader that has closed the pipe has seen enough.
    std::io::stdout().write_all(summary.as_bytes()).ok();
    Ok(())
}

impl Options {
    /// Refuses options that do not go together, before any work.
    fn check(&self, asked: Asked) -> Result<()> {
        let refuse = |options, advice| Err(Error::Conflict { options, advice });
        if self.order.is_some() && !matches!(asked, Asked::Rule(_) | Asked::Weighted | Asked::InSample) {
            return refuse("--order is for leave-one-out methods", "leave it away with cv+ and split");
        }
        if self.folds.is_some() && asked != Asked::Folds {
            return refuse("--folds is for the method cv+", "leave it away or choose --method cv+");
        }
        if matches!(self.model, Choice::Linear(_)) && (self.activation.is_some() || self.l2.is_some()) {
            let advice = "give the penalty of a linear model as ridge:λ";
            return refuse("--activation and --l2 are for networks", advice);
        }
        if self.epochs.is_some() && self.model != Choice::Network {
            return refuse("--epochs is for --model network", "leave it away: this model is not trained in epochs");
        }
        if self.as_printed && self.order.is_some_and(|order| order > 2) {
            return refuse("--as-printed is for order 2", "the paper prints no formula for higher orders");
        }
        if self.trust_anyway && !matches!(self.model, Choice::Weights(_)) {
            return refuse(
                "--trust-anyway is for weights from a file",
                "leave it away: this command fits the model itself",
            );
        }
        check_folder(&self.out)
    }

    /// How weights from a file stand on the training rows; those that do not belong there are refused before any work.
    fn start(&self, train: &Sample) -> Result<Option<Start>> {
        let Choice::Weights(path) = &self.model else { return Ok(None) };
        let network = Network::load(path, self.activation.unwrap_or_default(), self.l2.unwrap_or(0.0))?;
        let start = Start::of(&network, train)?;
        if !self.trust_anyway {
            start.check()?;
        }
        Ok(Some(start))
    }

    fn intervals(&self, asked: Asked, train: &Sample, test: &Array2<f64>) -> Result<Answer> {
        match &self.model {
            Choice::Linear(ridge) => {
                let fit = |rows: &Sample| ridge.fit(rows);
                self.answer((asked, train, test), fit, || LeaveOneOut::closed_form(ridge, train))
            }
            Choice::Network => {
                let mut training = Training::default().seed(self.seed).l2(self.l2.unwrap_or(0.0));
                training = training.activation(self.activation.unwrap_or_default());
                let fit = |rows: &Sample| Epochs::fit(self.epochs, &training, rows);
                let rows = train.len();
                self.answer((asked, train, test), fit, || {
                    LeaveOneOut::refit_with(train, fit, |done| progress(done, rows, "leave-one-out models"))
                })
            }
            Choice::Weights(path) => {
                let activation = self.activation.unwrap_or_default();
                let network = Network::load(path, activation, self.l2.unwrap_or(0.0))?;
                // The weights themselves for the rows they were trained on, a minimum near them for fewer.
                let fit = |rows: &Sample| match rows.len() == train.len() {
                    true => Ok(network.clone()),
                    false => reminimised(&network, rows),
                };
                let answer = self.answer((asked, train, test), fit, || LeaveOneOut::reminimise(&network, train));
                answer.map(|mut answer| {
                    answer.intervals.guarantee = answer.intervals.guarantee.from_seen_start();
                    answer
                })
            }
        }
    }

    /// The chosen method, with `fit` and, for leave-one-out models without `--order`, `exact`.
    fn answer<M: Differentiable>(
        &self,
        (asked, train, test): (Asked, &Sample, &Array2<f64>),
        fit: impl Fn(&Sample) -> Result<M> + Sync,
        exact: impl Fn() -> Result<LeaveOneOut>,
    ) -> Result<Answer> {
        let rule = match asked {
            Asked::HeldOut => {
                let split = HeldOut::fit(train, CALIBRATION, self.seed, fit)?;
                return Ok(split.intervals(test, self.alpha)?.into());
            }
            Asked::Folds => {
                let folds = LeaveOneOut::folds(train, self.folds.unwrap_or(FOLDS.min(train.len())), fit)?;
                return Ok(folds.jackknife_plus(test, self.alpha)?.into());
            }
            Asked::InSample => {
                return Ok(Intervals::in_sample(&fit(train)?, train, test, self.alpha)?.into());
            }
            Asked::Weighted => Rule::Weighted,
            Asked::Rule(rule) => rule,
        };
        // Before the models, which may take long.
        let ratios = (asked == Asked::Weighted).then(|| Ratios::estimate(train, test)).transpose()?;
        let loo = match self.order {
            Some(order) => LeaveOneOut::influence(&fit(train)?, train, &self.influence(order))?,
            None => exact()?,
        };
        let intervals = match &ratios {
            Some(_) => loo.shifted_jackknife_plus(train, test, self.alpha)?,
            None => loo.intervals(rule, test, self.alpha)?,
        };
        Ok(Answer { intervals, trust: loo.trust().cloned(), errors: errors_in_order(&loo, train), ratios })
    }

    fn influence(&self, order: usize) -> Influence {
        let how = Influence::order(order).seed(self.seed);
        let how = how.solver(self.solver.unwrap_or_default()).damping(self.damping.unwrap_or(0.0));
        if self.as_printed { how.as_printed() } else { how }
    }
}

/// The intervals as CSV, whole or not at all; `{}` prints every digit that matters.
fn write(intervals: &Intervals, path: &std::path::Path) -> Result<()> {
    let mut text = String::from("prediction,lower,upper\n");
    for ((prediction, lower), upper) in intervals.prediction.iter().zip(&intervals.lower).zip(&intervals.upper) {
        writeln!(text, "{prediction},{lower},{upper}").ok();
    }
    crate::file::write_whole(path, text.as_bytes())
}
