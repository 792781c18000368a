//! What ran as "DE".

use ndarray::{Array2, Axis};
use rand::Rng;
use rand::seq::SliceRandom;

use super::super::ALPHA;
use super::training::Steps;
use crate::baseline::{Baseline, Predictive};
use crate::error::Result;
use crate::interval::Intervals;
use crate::model::Model;
use crate::model::network::Activation;
use crate::sample::Sample;

/// Networks of the ensemble.
const MEMBERS: usize = 5;

/// Five networks after 500 steps at a tenth of the learning rate, each on random 80 % of the rows, and the deviation
/// of their predictions; neither the noise of the data nor a likelihood enters.
pub(super) fn intervals(train: &Sample, x: &Array2<f64>, rng: &mut impl Rng) -> Result<Intervals> {
    let steps = Steps { hidden: &[100], activation: Activation::Relu, steps: 500, rate: 1e-3 };
    let mut rows: Vec<usize> = (0..train.len()).collect();
    let mut predictions = Array2::zeros((MEMBERS, x.nrows()));
    for mut prediction in predictions.rows_mut() {
        rows.shuffle(rng);
        let part = train.rows(&rows[..4 * train.len() / 5])?;
        prediction.assign(&steps.fit(&part, rng)?.0.evaluate(x.view()));
    }
    one_sided(
        Predictive {
            mean: predictions.sum_axis(Axis(0)) / MEMBERS as f64,
            deviation: predictions.std_axis(Axis(0), 0.0),
        },
        Baseline::Ensemble,
    )
}

/// Mean ± 1.28 deviations: their z is the one-sided quantile of 1 − α, which leaves out 2α.
pub(super) fn one_sided(predictive: Predictive, baseline: Baseline) -> Result<Intervals> {
    let intervals = predictive.intervals(2.0 * ALPHA, baseline)?;
    Ok(Intervals { alpha: ALPHA, ..intervals })
}
