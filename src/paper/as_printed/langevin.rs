//! What ran as "BNN".

use ndarray::{Array1, Array2, Axis};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal, Uniform};

use super::ensemble::one_sided;
use crate::baseline::{Baseline, Predictive};
use crate::error::Result;
use crate::interval::Intervals;
use crate::model::network::layer::first_layers;
use crate::model::network::{Activation, Network};
use crate::model::{Differentiable, Model};
use crate::sample::Sample;

/// ε of the Langevin steps, constant.
const STEP: f64 = 1e-4;
/// Full-batch steps in all, before the first draw, and between draws.
const STEPS: usize = 8000;
const BURN_IN: usize = 3000;
const THIN: usize = 100;

/// Langevin dynamics on data as given, first weights within ±0.01, the noise learnt by gradient descent.
///
/// ```text
/// θ ← θ − (ε/2)( θ − Σ eᵢ∇fᵢ/s² ) + N(0, ε),    ln s ← ln s − ε( n − Σ eᵢ²/s² )
/// ```
///
/// The bias of the output has neither noise nor prior: their program takes it for the noise's parameter, by its shape.
pub(super) fn intervals(train: &Sample, x: &Array2<f64>, rng: &mut impl Rng) -> Result<Intervals> {
    let layers = first_layers(train.columns(), &[100], 1, rng);
    let network = Network::new(layers, Activation::Relu, 0.0)?;
    let small = Uniform::new_inclusive(-0.01, 0.01);
    let mut theta = Array1::from_shape_simple_fn(network.parameters().len(), || small.sample(rng));
    let bias = theta.len() - 1;
    let (mut log_noise, mut noises, mut draws) = (0.0_f64, Vec::new(), Vec::new());
    for step in 0..STEPS {
        let now = network.with_parameters(theta.view());
        if step > BURN_IN && step % THIN == 0 {
            draws.push(now.evaluate(x.view()));
            noises.push(log_noise.exp());
        }
        let objective = now.objective(train);
        let precision = (-2.0 * log_noise).exp();
        let gradient = objective.taylor(&[], 0..train.len()) * precision;
        let squares = objective.residuals().dot(objective.residuals());
        let kept = theta[bias] - STEP * gradient[bias];
        theta.zip_mut_with(&gradient, |weight, slope| {
            let noise: f64 = StandardNormal.sample(rng);
            *weight -= 0.5 * STEP * (slope + *weight) + STEP.sqrt() * noise;
        });
        theta[bias] = kept;
        log_noise -= STEP * (train.len() as f64 - squares * precision);
    }
    let mut predictions = Array2::zeros((draws.len(), x.nrows()));
    predictions.rows_mut().into_iter().zip(&draws).for_each(|(mut row, draw)| row.assign(draw));
    let noise = noises.iter().sum::<f64>() / noises.len() as f64;
    let deviation = predictions.var_axis(Axis(0), 0.0).mapv(|spread| (spread + noise * noise).sqrt());
    let mean = predictions.sum_axis(Axis(0)) / draws.len() as f64;
    one_sided(Predictive { mean, deviation }, Baseline::Langevin)
}
