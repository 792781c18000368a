//! What ran as "MCDP".

use ndarray::{Array1, Array2, Axis, Zip};
use rand::Rng;

use super::super::ALPHA;
use super::training::minibatch;
use crate::baseline::perceptron::Pass;
use crate::baseline::{Baseline, Predictive};
use crate::error::Result;
use crate::interval::Intervals;
use crate::model::network::step::Adam;
use crate::model::network::training::first_layers;
use crate::model::network::{Activation, Layer};
use crate::sample::Sample;

/// Steps of Adam, and its rate.
const STEPS: i32 = 1000;
const RATE: f64 = 0.01;
/// Draws for each test row.
const PASSES: usize = 100;

/// A network with half of its features and of its first hidden units switched off, in training and in predicting; when
/// predicting, the *output* too.
///
/// A pass then answers 0 or 2f(x), and the deviation of the passes is at least about |f(x)|, whatever the model knows:
/// the width is the size of the prediction, which on yacht happens to go with the errors.
pub(super) fn intervals(train: &Sample, x: &Array2<f64>, rng: &mut impl Rng) -> Result<Intervals> {
    let mut layers = first_layers(train.columns(), &[200, 200], 1, rng);
    let zero = |l: &Layer| Layer { weight: Array2::zeros(l.weight.dim()), bias: Array1::zeros(l.bias.len()) };
    let mut first: Vec<Layer> = layers.iter().map(zero).collect();
    let mut second: Vec<Layer> = layers.iter().map(zero).collect();
    let mut rows = Vec::new();
    for step in 1..=STEPS {
        minibatch(&mut rows, train.len(), rng);
        let pass = pass(&layers, &train.x().select(Axis(0), &rows), rng);
        let mut delta = pass.output.clone() - train.y().select(Axis(0), &rows).insert_axis(Axis(1));
        delta /= rows.len() as f64;
        let gradient = pass.gradient(&layers, Activation::Tanh, delta);
        let adam = Adam::at(step, RATE, 0.0);
        for (((layer, g), m), v) in layers.iter_mut().zip(&gradient).zip(&mut first).zip(&mut second) {
            let update = |w: &mut f64, g: &f64, m: &mut f64, v: &mut f64| adam.update(w, *g, m, v);
            Zip::from(&mut layer.weight).and(&g.weight).and(&mut m.weight).and(&mut v.weight).for_each(update);
            Zip::from(&mut layer.bias).and(&g.bias).and(&mut m.bias).and(&mut v.bias).for_each(update);
        }
    }
    let mut passes = Array2::zeros((PASSES, x.nrows()));
    for mut answers in passes.rows_mut() {
        let output = pass(&layers, x, rng).output;
        answers.assign(&output.column(0).mapv(|f| if rng.r#gen() { 2.0 * f } else { 0.0 }));
    }
    let mean = passes.sum_axis(Axis(0)) / PASSES as f64;
    Predictive { mean, deviation: passes.std_axis(Axis(0), 0.0) }.intervals(ALPHA, Baseline::Dropout)
}

/// One pass; each row has its own units switched off, those before the last layer none.
fn pass(layers: &[Layer], x: &Array2<f64>, rng: &mut impl Rng) -> Pass {
    Pass::new(layers, Activation::Tanh, x.view(), |l, shape| {
        (l < 2).then(|| Array2::from_shape_simple_fn(shape, || if rng.r#gen() { 2.0 } else { 0.0 }))
    })
}
