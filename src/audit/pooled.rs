//! From the tests of a method to numbers over rows.

use ndarray::Array1;

use super::plan::Plan;
use super::summary::{Mean, Summary};
use super::table::{Row, Run};
use crate::error::Result;
use crate::interval::Intervals;
use crate::metric::interpolation::interpolated;
use crate::metric::slice::slices;
use crate::metric::{Coverage, Ranked, Skill};
use crate::sample::Sample;

/// What was seen of one unit, a row or a row and its copies: sums over its tests.
#[derive(Clone, Copy, Default)]
struct Seen {
    tests: f64,
    covered: f64,
    width: f64,
    relative: f64,
    error: f64,
    squared: f64,
    score: f64,
    target: f64,
}

impl Seen {
    /// The mean over the tests of one of the sums.
    fn mean(&self, sum: fn(&Self) -> f64) -> f64 {
        sum(self) / self.tests
    }
}

impl Row {
    /// The intervals at the rows tested, each from the split that tested it first; `None` if the method failed there.
    pub(super) fn pooled(&self, sample: &Sample, tested: &[usize]) -> Result<Option<Intervals>> {
        let mut ends: Vec<Option<[f64; 4]>> = vec![None; sample.len()];
        for Run { rows, intervals, .. } in &self.runs {
            for (k, &row) in rows.iter().enumerate() {
                let own = intervals.own.as_ref().map_or(f64::NAN, |own| own[k]);
                ends[row].get_or_insert([intervals.prediction[k], intervals.lower[k], intervals.upper[k], own]);
            }
        }
        let whole: Option<Vec<[f64; 4]>> = tested.iter().map(|&row| ends[row]).collect();
        let (Some(whole), Some(Run { intervals, .. })) = (whole, self.runs.first()) else { return Ok(None) };
        let prediction = whole.iter().map(|[prediction, ..]| *prediction).collect();
        let own = intervals.own.is_some().then(|| whole.iter().map(|[.., own]| *own).collect());
        let ends = whole.into_iter().map(|[_, lower, upper, _]| (lower, upper)).collect();
        let pooled = Intervals::from_ends(prediction, ends, intervals.alpha, intervals.method, intervals.guarantee)?;
        Ok(Some(Intervals { own, ..pooled }))
    }

    /// Every number of the method; `None` if it failed on every split.
    pub(super) fn summed(&self, sample: &Sample, plan: &Plan, seed: u64) -> Result<Option<Summary>> {
        if self.runs.is_empty() {
            return Ok(None);
        }
        let (units, widths) = self.seen(sample, plan)?;
        let column = |sum: fn(&Seen) -> f64| units.iter().map(|unit| unit.mean(sum)).collect::<Array1<f64>>();
        let (errors, squares, relative) = (column(|s| s.error), column(|s| s.squared), column(|s| s.relative));
        let shares = column(|s| s.covered).to_vec();
        let mean = |sum: fn(&Seen) -> f64| {
            Mean::of(units.iter().map(|unit| unit.mean(sum))).unwrap_or(Mean { value: f64::NAN, error: 0.0 })
        };
        let squared = mean(|s| s.squared);
        let rmse = squared.value.sqrt();
        let skill = Skill::of_squares(&column(|s| s.target), &squares)?;
        let ranked = Ranked { errors: &errors, score: &relative, skill, inflation: plan.inflation };
        let covered: Vec<bool> = shares.iter().map(|&share| share >= 0.5).collect();
        Ok(Some(Summary {
            coverage: Coverage::from_shares(&shares, plan.trust)?,
            width: mean(|s| s.width),
            width_median: interpolated(&widths, 0.5),
            // An error means that none stands out.
            discrimination: ranked.discrimination(seed).ok(),
            interval_score: mean(|s| s.score),
            // The error of a root is half that of what stands below it, over the root.
            rmse: Mean { value: rmse, error: if rmse > 0.0 { squared.error / (2.0 * rmse) } else { 0.0 } },
            seconds: self.seconds.iter().sum::<f64>() / self.seconds.len() as f64,
            by_width: slices("width", &relative.to_vec(), &covered, &[0.2, 0.4, 0.6, 0.8])?,
        }))
    }

    /// What was seen of each unit that was tested, and every width.
    fn seen(&self, sample: &Sample, plan: &Plan) -> Result<(Vec<Seen>, Vec<f64>)> {
        let mut units = vec![Seen::default(); plan.units];
        let mut widths = Vec::new();
        for Run { rows, intervals, .. } in &self.runs {
            let y: Array1<f64> = rows.iter().map(|&row| sample.y()[row]).collect();
            let (errors, covers, scores) =
                (intervals.errors(&y)?, intervals.covers(&y)?, intervals.interval_scores(&y)?);
            let width = intervals.tied_width().to_vec();
            let relative = relative(&width);
            for (k, &row) in rows.iter().enumerate() {
                let unit = &mut units[plan.unit[row]];
                unit.tests += 1.0;
                unit.covered += f64::from(u8::from(covers[k]));
                unit.width += width[k];
                unit.relative += relative[k];
                unit.error += errors[k];
                unit.squared += errors[k] * errors[k];
                unit.score += scores[k];
                unit.target += y[k];
            }
            widths.extend(width);
        }
        units.retain(|unit| unit.tests > 0.0);
        Ok((units, widths))
    }
}

/// Widths over their median: a fold whose rows have large errors has them missing among its training rows, and is narrower
/// for it, so that widths of different folds must not be compared as they are.
fn relative(widths: &[f64]) -> Vec<f64> {
    let median = interpolated(widths, 0.5);
    let over = |&width: &f64| match width / median {
        ratio if !ratio.is_nan() => ratio,
        // 0/0 and ∞/∞: as wide as the median.
        _ => 1.0,
    };
    widths.iter().map(over).collect()
}
