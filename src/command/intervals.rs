//! `jackknife intervals`: intervals for the rows of a test table, as CSV.

mod answer;
mod asked;
mod given;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;

use super::check_folder;
use super::condition::{Said, conditions};
use super::model::{Choice, NetworkOptions};
use crate::prelude::*;
use crate::sample::read_frame;
use answer::Answer;
use asked::Asked;

/// The options of `jackknife intervals`.
#[derive(Args)]
pub struct Options {
    /// Training table: a CSV or Parquet file
    #[arg(long, value_name = "FILE", required_unless_present = "features")]
    train: Option<PathBuf>,
    /// Test table: the same features; its target, if there, gives the coverage
    #[arg(long, value_name = "FILE", required_unless_present = "features")]
    test: Option<PathBuf>,
    /// Target column [default: the last of the training table]
    #[arg(long, value_name = "COL")]
    target: Option<String>,
    /// ols, ridge, ridge:λ, kernel, network, forest, linfa-ols, tweedie, elasticnet, svr or FILE.safetensors
    ///
    /// ridge without λ has it by marginal likelihood, chosen again without the rows that are left out; kernel is kernel ridge;
    /// forest:500 has 500 trees in place of 200; linfa-ols, tweedie, elasticnet (elasticnet:λ) and svr are linfa's. A file has
    /// weights with the names of PyTorch's Sequential (0.weight, 0.bias, 2.weight, …), trained on the rows of --train.
    #[arg(long, allow_hyphen_values = true, required_unless_present = "features")]
    model: Option<Choice>,
    /// tangent, split+, tangent-cv, full, laplace, signed, naive, jackknife, jackknife+, minmax, studentized, cv+, split or weighted
    ///
    /// Of the model's tangent, whose predictions they are about: tangent (the one to begin with: proven for linear models, not
    /// for a network on its own training rows), split+ (proven for networks too: trained on 80 % of the rows, and the others are
    /// left out in turn), tangent-cv (proven for networks, with K + 1 trainings), full (full conformal prediction), laplace and
    /// signed for comparison. Of the model itself: the others; weighted is for test rows that are distributed otherwise than the
    /// training rows, with weights estimated from both. With --features: tangent, full, laplace or signed [default: tangent].
    #[arg(long, required_unless_present = "features")]
    method: Option<String>,
    /// In place of tables and a model: tensors of features or kernels that another program made
    ///
    /// train.features (n × p), train.target (n) and test.features (m × p); or train.kernel (n × n), train.target, test.kernel
    /// (m × n) and test.kernel_diagonal (m). Where there are any: train.offset and test.offset, which are not fitted again;
    /// train.place and test.place, in which near is measured; test.target, for the coverage. In float32 or float64.
    #[arg(long, value_name = "FILE.safetensors")]
    features: Option<PathBuf>,
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
    /// With cv+ and tangent-cv: the number of folds of consecutive rows [default: 10 and 5]
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    folds: Option<usize>,
    #[command(flatten)]
    network: NetworkOptions,
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

/// Reads, computes, writes, and sums up on stdout.
pub fn run(options: &Options, own: &[Rule]) -> Result<()> {
    // Before the work.
    crate::quantile::check(options.alpha)?;
    match (&options.features, &options.train, &options.test, &options.model, &options.method) {
        (None, Some(train), Some(test), Some(model), Some(method)) => {
            options.run(Task { train, test, model, asked: Asked::named(method, own)? })
        }
        (Some(features), ..) => given::run(options, features, own),
        // The parser asks for them in these words.
        (None, ..) => Err(Error::Conflict {
            options: "--train, --test, --model and --method are needed, or --features",
            advice: "give them",
        }),
    }
}

/// What is needed without `--features`.
struct Task<'a> {
    train: &'a Path,
    test: &'a Path,
    model: &'a Choice,
    asked: Asked,
}

/// Writes the intervals, and sums up on stdout, beginning with `notices`.
fn conclude(options: &Options, answer: Answer, said: Said, notices: Vec<String>) -> Result<()> {
    let Answer { intervals, trust, notes, .. } = answer;
    write(&intervals, &options.out)?;
    let mut summary = format!("{intervals:?}\n");
    notices.iter().chain(&notes).for_each(|note| summary += &format!("note: {note}\n"));
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
    /// Tables and a model.
    fn run(&self, task: Task) -> Result<()> {
        self.check(&task)?;
        let train = Sample::read(task.train, self.target.as_deref())?;
        let frame = read_frame(task.test)?;
        let test = train.encode(&frame)?;
        let start = self.start(&task, &train)?;
        let answer = self.intervals(&task, &train, &test)?;
        // Test rows need no target; where every one has it, the coverage is known.
        let y = train.encode_target(&frame).ok();
        let conditions = conditions(&train, &test, answer.errors.as_ref())?;
        let said = Said::of(&conditions, &answer.intervals, y.as_ref(), answer.ratios.as_ref())?;
        // A tangent is fitted again wherever the weights stand.
        let start = start.filter(|start| !matches!(task.asked, Asked::Tangent(_)) || !start.belongs());
        let warning = answer.trust.as_ref().map_or_else(|| start.and_then(|start| start.warning()), Trust::warning);
        if let Some(warning) = warning {
            eprintln!("warning: {warning}");
        }
        conclude(self, answer, said, train.notices().to_vec())
    }

    /// Refuses options that do not go together, before any work.
    fn check(&self, task: &Task) -> Result<()> {
        let (asked, model) = (task.asked, task.model);
        let refuse = |options, advice| Err(Error::Conflict { options, advice });
        if self.order.is_some() && asked.is_of_tangent() {
            let advice = "leave it away: the tangent's leave-one-out models are exact";
            return refuse("--order does not go with the methods of the tangent", advice);
        }
        if self.order.is_some() && matches!(asked, Asked::Folds | Asked::HeldOut) {
            return refuse("--order is for leave-one-out methods", "leave it away with cv+ and split");
        }
        if self.folds.is_some() && !matches!(asked, Asked::Folds | Asked::TangentFolds) {
            let advice = "leave it away or choose --method cv+ or tangent-cv";
            return refuse("--folds is for the methods cv+ and tangent-cv", advice);
        }
        if asked == Asked::TangentSplit && matches!(model, Choice::Weights(_)) {
            return refuse(
                "split+ trains on part of the rows, but weights from a file have seen all of --train",
                "choose --method tangent, or --model network to train here; in a program LeaveOneOut::tangent_on_unseen takes rows \
                 that the weights have not seen",
            );
        }
        if matches!(model, Choice::Weights(_)) && !(self.network.hidden.is_empty() && self.network.epochs.is_none()) {
            let advice = "leave them away: this network has been trained elsewhere";
            return refuse("--hidden and --epochs are for --model network", advice);
        }
        if let Choice::Learner(learner) = model {
            self.network.applied(std::slice::from_ref(learner))?;
            asked.method(self.order).map_or(Ok(()), |method| learner.suited(method).map(|_| ()))?;
        }
        if self.as_printed && self.order.is_some_and(|order| order > 2) {
            return refuse("--as-printed is for order 2", "the paper prints no formula for higher orders");
        }
        if self.trust_anyway && !matches!(model, Choice::Weights(_)) {
            return refuse(
                "--trust-anyway is for weights from a file",
                "leave it away: this command fits the model itself",
            );
        }
        check_folder(&self.out)
    }

    /// Weights from a file.
    fn load(&self, path: &Path) -> Result<Network> {
        Network::load(path, self.network.activation.unwrap_or_default(), self.network.l2.unwrap_or(0.0))
    }

    /// How weights from a file stand on the training rows; those that do not belong there are refused before any work.
    fn start(&self, task: &Task, train: &Sample) -> Result<Option<Start>> {
        let Choice::Weights(path) = task.model else { return Ok(None) };
        let network = self.load(path)?;
        let start = Start::of(&network, train)?;
        if !self.trust_anyway {
            start.check()?;
        }
        Ok(Some(start))
    }
}

/// The intervals as CSV, whole or not at all; `{}` prints every digit that matters.
fn write(intervals: &Intervals, path: &Path) -> Result<()> {
    let mut text = String::from("prediction,lower,upper\n");
    for ((prediction, lower), upper) in intervals.prediction.iter().zip(&intervals.lower).zip(&intervals.upper) {
        writeln!(text, "{prediction},{lower},{upper}").ok();
    }
    crate::file::write_whole(path, text.as_bytes())
}
