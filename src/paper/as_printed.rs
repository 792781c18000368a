//! Table 2 as the authors' program made it.
//!
//! Every setting is one that their public program ran with; each file says which. What cannot be had: their random
//! numbers, which of the yacht rows their loader dropped (it stumbled over double spaces that our file has not), and
//! the effect of a computation graph that was out of date when they asked it for the Hessian.

mod dropout;
mod ensemble;
pub(super) mod interval;
mod jackknife;
mod langevin;
mod pbp;
mod training;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::table_two::{Cell, METHODS, TableTwo, Version};
use super::{chance, fold};
use crate::audit::Mean;
use crate::baseline::Baseline;
use crate::check;
use crate::error::{Error, Result};
use crate::interval::Intervals;
use crate::interval::Method;
use crate::metric::{Metrics, rmse};
use crate::sample::Sample;
use crate::sample::tables::Table;
use jackknife::Curvature;

/// The rows of yacht that their loader kept.
const YACHT_ROWS: usize = 251;

/// What one run of one method gives.
struct Answer {
    intervals: Intervals,
    /// What was found out about the Hessian, where there is one.
    curvature: Option<Curvature>,
}

impl From<Intervals> for Answer {
    fn from(intervals: Intervals) -> Self {
        Self { intervals, curvature: None }
    }
}

/// What a run is scored by.
struct Score {
    raw: f64,
    coverage: f64,
    mse: f64,
    chance: f64,
    curvature: Option<Curvature>,
}

impl TableTwo {
    /// Table 2 as printed: what the authors' program did, with its settings.
    ///
    /// One fixed split of each table (its seed is `seed`), `runs` trainings of each method on it (theirs were ten;
    /// the k-th has the seed `seed` + k), data as given, minibatches of 100 rows drawn with replacement:
    ///
    /// | row | what ran under that name | interval for "90 %" |
    /// |---|---|---|
    /// | DJ | 100 relu, 1000 Adam steps at 0.01; influence of order 1, Hessian of the last minibatch + 0.01 | quantiles interpolated at α/2 a side: aims at 95 % |
    /// | MCDP | 2 × 200 tanh, 1000 Adam steps at 0.01, half of the features and of the first units dropped; when predicting half of the *outputs* too, 100 times | mean ± 1.645 deviations, at least about \|f(x)\| |
    /// | PBP | Bayes by backprop: a Gaussian for each weight, 400 full-batch Adam steps at 0.1 | mean ± 1.645 deviations of 100 draws, noise left out |
    /// | DE | 5 × 100 relu, 500 steps at 0.001, on random 80 % of the rows | mean ± 1.28 deviations of the five, noise left out |
    /// | BNN | 100 relu, 8000 full-batch Langevin steps of 10⁻⁴, 49 draws | mean ± 1.28 deviations |
    ///
    /// and the average precision is [`fold()`]ed. An indefinite Hessian is inverted as they did, never silently: the
    /// notes of the DJ cells count its negative eigenvalues and name the damping that would have been needed.
    ///
    /// # Errors
    /// [`Error::Choice`] for no runs, [`Error::Empty`] for no tables. A run that fails is in the notes of its cell; a
    /// method that fails in all has no cell.
    pub fn as_printed(tables: &[Table], runs: usize, seed: u64) -> Result<Self> {
        check::at_least_one("the number of runs", runs, "10")?;
        let splits: Vec<(Table, Sample, Sample)> =
            tables.iter().map(|&table| split(table, seed)).collect::<Result<_>>()?;
        // One list of everything, so that no thread waits for the slowest method of a table.
        let tasks: Vec<(usize, Method, usize)> = (0..splits.len())
            .flat_map(|t| METHODS.into_iter().flat_map(move |method| (0..runs).map(move |run| (t, method, run))))
            .collect();
        let scores: Vec<Result<Score>> = tasks
            .into_par_iter()
            .map(|(t, method, run)| score(method, &splits[t].1, &splits[t].2, seed.wrapping_add(run as u64)))
            .collect();
        let mut scores = scores.into_iter();
        let mut cells = Vec::new();
        for &(table, ..) in &splits {
            for method in METHODS {
                cells.extend(cell(table, method, scores.by_ref().take(runs).collect()));
            }
        }
        match cells.is_empty() {
            true => Err(Error::empty("there is no table to rebuild", "give at least one, as `&[Table::Yacht]`")),
            false => Ok(Self { version: Version::AsPrinted, cells }),
        }
    }
}

/// The one split of a table.
fn split(table: Table, seed: u64) -> Result<(Table, Sample, Sample)> {
    let mut sample = table.load();
    if table == Table::Yacht {
        let mut rows: Vec<usize> = (0..sample.len()).collect();
        rows.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        sample = sample.rows(&rows[..YACHT_ROWS])?;
    }
    let (train, test) = sample.split(0.2, seed)?;
    Ok((table, train, test))
}

fn score(method: Method, train: &Sample, test: &Sample, seed: u64) -> Result<Score> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let answer: Answer = match method {
        Method::Baseline(Baseline::Dropout) => dropout::intervals(train, test.x(), &mut rng)?.into(),
        Method::Baseline(Baseline::Ensemble) => ensemble::intervals(train, test.x(), &mut rng)?.into(),
        Method::Baseline(Baseline::Langevin) => langevin::intervals(train, test.x(), &mut rng)?.into(),
        Method::Baseline(Baseline::Pbp) => pbp::intervals(train, test.x(), &mut rng)?.into(),
        _ => jackknife::intervals(train, test.x(), &mut rng)?,
    };
    let Answer { intervals, curvature } = answer;
    let Metrics { coverage, discrimination, .. } = intervals.metrics(test, seed)?;
    let found = discrimination.ok_or_else(|| Error::empty("no error stands out from the others", "give more rows"))?;
    Ok(Score {
        raw: found.average_precision,
        coverage: coverage.rate,
        mse: rmse(test.y(), &intervals.prediction)?.powi(2),
        chance: chance((found.prevalence * test.len() as f64).round() as usize, test.len()),
        curvature,
    })
}

fn cell(table: Table, method: Method, scores: Vec<Result<Score>>) -> Option<Cell> {
    let (good, failed): (Vec<_>, Vec<_>) = scores.into_iter().partition(Result::is_ok);
    let good: Vec<Score> = good.into_iter().filter_map(Result::ok).collect();
    let mean = |number: fn(&Score) -> f64| Mean::of(good.iter().map(number));
    let mut notes: Vec<String> = Curvature::note(good.iter().filter_map(|score| score.curvature)).into_iter().collect();
    notes.extend(failed.into_iter().filter_map(Result::err).map(|error| format!("a run failed: {error}")));
    Some(Cell {
        table,
        method,
        precision: mean(|score| fold(score.raw))?,
        raw: mean(|score| score.raw)?,
        chance: mean(|score| score.chance)?.value,
        coverage: mean(|score| score.coverage)?.value,
        mse: mean(|score| score.mse)?.value,
        runs: good.len(),
        notes,
    })
}
