//! What ran as "MCDP".

use ndarray::{Array2, Axis};
use rand::Rng;

use super::super::ALPHA;
use super::training::Steps;
use crate::baseline::{Baseline, Predictive};
use crate::error::Result;
use crate::interval::Intervals;
use crate::model::network::Activation;
use crate::model::network::noise::Noise;
use crate::model::network::pass::Pass;
use crate::sample::Sample;

/// Draws for each test row.
const PASSES: usize = 100;

/// Half of the units switched off; those before the last layer none.
struct Half;

impl Noise for Half {
    fn touches(&self, l: usize) -> bool {
        l < 2
    }

    fn factor(&self, _: usize, rng: &mut impl Rng) -> f64 {
        if rng.r#gen() { 2.0 } else { 0.0 }
    }
}

/// A network with half of its features and of its first hidden units switched off, in training and in predicting; when
/// predicting, the *output* too.
///
/// A pass then answers 0 or 2f(x), and the deviation of the passes is at least about |f(x)|, whatever the model knows:
/// the width is the size of the prediction, which on yacht happens to go with the errors.
pub(super) fn intervals(train: &Sample, x: &Array2<f64>, rng: &mut impl Rng) -> Result<Intervals> {
    let steps = Steps { hidden: &[200, 200], activation: Activation::Tanh, steps: 1000, rate: 0.01 };
    let (layers, _) = steps.layers(train, Half, rng);
    let mut pass = Pass::new(&layers, steps.activation, &Half, x.nrows());
    pass.read(x.view(), &Vec::from_iter(0..x.nrows()));
    let mut passes = Array2::zeros((PASSES, x.nrows()));
    for mut answers in passes.rows_mut() {
        pass.forward(&layers, &Half, rng);
        let (output, _) = pass.outputs();
        answers.assign(&output.column(0).mapv(|f| if rng.r#gen() { 2.0 * f } else { 0.0 }));
    }
    let mean = passes.sum_axis(Axis(0)) / PASSES as f64;
    Predictive { mean, deviation: passes.std_axis(Axis(0), 0.0) }.intervals(ALPHA, Baseline::Dropout)
}
