//! What ran as "MCDP".

use ndarray::{Array1, Array2};
use rand::Rng;

use super::super::ALPHA;
use super::training::Steps;
use crate::baseline::{Baseline, Predictive};
use crate::error::Result;
use crate::interval::Intervals;
use crate::model::Model;
use crate::model::network::Activation;
use crate::sample::Sample;

/// Draws for each test row.
const PASSES: usize = 100;

/// A network trained without dropout, whose *output* is then switched off with probability ½.
///
/// A pass answers 0 or 2f(x), so that with k passes of T switched on
///
/// ```text
/// mean = 2f·k/T,    deviation = 2|f|·√( k/T·(1 − k/T) ) ≈ |f|
/// ```
///
/// The width is the size of the prediction, which on yacht happens to go with the errors.
pub(super) fn intervals(train: &Sample, x: &Array2<f64>, rng: &mut impl Rng) -> Result<Intervals> {
    let steps = Steps { hidden: &[200, 200], activation: Activation::Tanh, steps: 1000, rate: 0.01 };
    let output = steps.fit(train, rng)?.0.evaluate(x.view());
    let on: Array1<f64> = output.mapv(|_| (0..PASSES).filter(|_| rng.r#gen()).count() as f64 / PASSES as f64);
    let deviation = 2.0 * output.mapv(f64::abs) * on.mapv(|on| (on * (1.0 - on)).sqrt());
    Predictive { mean: 2.0 * output * on, deviation }.intervals(ALPHA, Baseline::Dropout)
}
