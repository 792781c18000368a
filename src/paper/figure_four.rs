//! Figure 4: width and coverage over the noise, width over the number of rows.

use std::fmt;

use rayon::prelude::*;

use super::band::Source;
use crate::audit::Mean;
use crate::check;
use crate::curvature::Curvature;
use crate::error::{Error, Result};
use crate::leave_one_out::{Influence, LeaveOneOut};
use crate::metric::Coverage;
use crate::model::network::Training;
use crate::sample::synthetic::Feature;

/// Rows that the width and the coverage of a run are measured on.
const NEW: usize = 100;
/// The levels of the panels over the noise.
const ALPHAS: [f64; 3] = [0.5, 0.2, 0.1];

/// How [`figure_four()`] is made.
///
/// | option | default | meaning |
/// |---|---|---|
/// | `runs` | 10 | simulations for each point, as in the paper |
/// | `variances` | 0, 0.5, …, 3 | σ² of the panels over the noise, with 100 rows |
/// | `sizes` | 10, 30, 100, 300, 1000 | rows of the panel over n, with σ² = 1 |
/// | `order` | 1 | of the influence functions |
/// | `seed` | 0 | of the first run; the k-th has `seed` + k |
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Simulations for each point.
    pub runs: usize,
    /// σ² of the panels over the noise.
    pub variances: Vec<f64>,
    /// Rows of the panel over n.
    pub sizes: Vec<usize>,
    /// The order of the influence functions.
    pub order: usize,
    /// The seed of the first run.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        let variances = (0..7).map(|k| 0.5 * f64::from(k)).collect();
        Self { runs: 10, variances, sizes: vec![10, 30, 100, 300, 1000], order: 1, seed: 0 }
    }
}

/// Figure 4 of the paper.
#[derive(Clone, PartialEq)]
pub struct FigureFour {
    /// For each level and variance: the left and the middle panel.
    pub over_noise: Vec<Point>,
    /// For each number of rows at 90 %: the right panel.
    pub over_rows: Vec<Point>,
}

/// One point of Figure 4: a mean over the runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The miscoverage that was asked for.
    pub alpha: f64,
    /// σ².
    pub variance: f64,
    /// Training rows.
    pub rows: usize,
    /// The mean width, with its standard error over the runs.
    pub width: Mean,
    /// The coverage of new rows, over all runs.
    pub coverage: Coverage,
    /// The coverage of x³ without noise, which is what the paper's program measured.
    pub coverage_of_curve: Coverage,
}

/// Figure 4: does the width follow the noise, does coverage hold, does the width fall with the rows?
///
/// y = x³ + ε with x uniform on ±2, 100 new rows in each of `runs` simulations. The network is the paper's on
/// standardised data, the leave-one-out models come by influence on Gauss–Newton curvature with damping 0.001, and the
/// rule is the jackknife+ with exact ranks. Coverage is that of new *observations*; the paper's program took σ² for the
/// deviation of the noise and counted how often the noise-free x³ was covered, which stands beside it.
///
/// # Errors
/// [`Error::Choice`] for no runs, no variances or no sizes, or options that the engines refuse.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let options = paper::Options { runs: 1, variances: vec![0.5, 2.0], sizes: vec![20], ..Default::default() };
/// let figure = paper::figure_four(&options)?;
/// assert!(figure.over_noise[1].width.value > figure.over_noise[0].width.value);
/// assert!(figure.plot().to_svg().starts_with("<svg"));
/// # Ok::<(), jackknife::Error>(())
/// ```
pub fn figure_four(options: &Options) -> Result<FigureFour> {
    check::at_least_one("the number of runs", options.runs, "10")?;
    check::at_least_one("the number of variances", options.variances.len(), "10")?;
    check::at_least_one("the number of sizes", options.sizes.len(), "10")?;
    let noisy = options.variances.iter().map(|&variance| (variance, 100));
    let places: Vec<(f64, usize)> = noisy.chain(options.sizes.iter().map(|&rows| (1.0, rows))).collect();
    // The longest runs first: no thread is left with one of them at the end.
    let mut tasks: Vec<(usize, usize)> =
        (0..places.len()).flat_map(|place| (0..options.runs).map(move |run| (place, run))).collect();
    tasks.sort_by_key(|&(place, run)| (std::cmp::Reverse(places[place].1), place, run));
    let mut found: Vec<((usize, usize), [Run; 3])> = tasks
        .into_par_iter()
        .map(|(place, run)| {
            let seed = options.seed.wrapping_add(run as u64);
            Ok(((place, run), simulate(places[place], options.order, seed)?))
        })
        .collect::<Result<_>>()?;
    found.sort_by_key(|(key, _)| *key);
    let point = |place: usize, level: usize| {
        let runs = found.iter().filter(|((at, _), _)| *at == place).map(|(_, runs)| &runs[level]);
        Point::of(ALPHAS[level], places[place], &runs.collect::<Vec<_>>())
    };
    let many = options.variances.len();
    let over_noise = (0..ALPHAS.len())
        .flat_map(|level| (0..many).map(move |place| (place, level)))
        .map(|(place, level)| point(place, level));
    let over_rows = (many..places.len()).map(|place| point(place, ALPHAS.len() - 1));
    Ok(FigureFour { over_noise: over_noise.collect::<Result<_>>()?, over_rows: over_rows.collect::<Result<_>>()? })
}

/// One simulation at one level.
struct Run {
    width: f64,
    covered: usize,
    curve: usize,
}

/// One simulation at every level.
fn simulate((variance, rows): (f64, usize), order: usize, seed: u64) -> Result<[Run; 3]> {
    let source = Source { feature: Feature::Uniform { half_width: 2.0 }, variance, rows, seed };
    let (train, new) = (source.train()?, source.new_rows(NEW)?);
    let network = Training::default().seed(seed).fit(&train)?;
    let how = Influence::order(order).curvature(Curvature::GaussNewton).damping(1e-3);
    let loo = LeaveOneOut::influence(&network, &train, &how)?;
    let curve = new.x().column(0).mapv(|x| x.powi(3));
    let level = |alpha: f64| {
        let intervals = loo.jackknife_plus(new.x(), alpha)?;
        let count = |y| Ok(intervals.covers(y)?.into_iter().filter(|&inside| inside).count());
        Ok(Run { width: intervals.mean_width(), covered: count(new.y())?, curve: count(&curve)? })
    };
    let [low, middle, high] = ALPHAS;
    Ok([level(low)?, level(middle)?, level(high)?])
}

impl Point {
    fn of(alpha: f64, (variance, rows): (f64, usize), runs: &[&Run]) -> Result<Self> {
        let width = Mean::of(runs.iter().map(|run| run.width));
        let total = |count: fn(&Run) -> usize| runs.iter().map(|run| count(run)).sum();
        Ok(Self {
            alpha,
            variance,
            rows,
            width: width.ok_or(Error::Rows { what: "a point of the figure".into(), need: 1, have: 0 })?,
            coverage: Coverage::from_counts(total(|run| run.covered), NEW * runs.len())?,
            coverage_of_curve: Coverage::from_counts(total(|run| run.curve), NEW * runs.len())?,
        })
    }
}

impl fmt::Debug for FigureFour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Figure 4 of the paper\n{:>8}{:>6}{:>6}{:>18}{:>10}{:>14}",
            "1 − α", "σ²", "n", "width", "coverage", "of x³ alone"
        )?;
        for Point { alpha, variance, rows, width, coverage, coverage_of_curve } in
            self.over_noise.iter().chain(&self.over_rows)
        {
            let width = format!("{:.3} ± {:.3}", width.value, width.error);
            write!(f, "\n{:>8.2}{variance:>6.1}{rows:>6}{width:>18}", 1.0 - alpha)?;
            write!(f, "{:>10.3}{:>14.3}", coverage.rate, coverage_of_curve.rate)?;
        }
        Ok(())
    }
}
