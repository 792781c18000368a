//! What ran as "PBP": Bayes by backprop, another method (Blundell et al. 2015).

use ndarray::{Array1, Array2, Axis, concatenate};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::super::ALPHA;
use crate::baseline::{Baseline, Predictive};
use crate::error::Result;
use crate::interval::Intervals;
use crate::model::network::adam::{Adam, Moments};
use crate::sample::Sample;

/// Full-batch steps of Adam, and its rate.
const STEPS: i32 = 400;
const RATE: f64 = 0.1;
/// Draws for each test row.
const DRAWS: usize = 100;

/// A layer with a Gaussian for each weight; the last row is the biases'.
struct Layer {
    mean: Array2<f64>,
    /// The deviation is ln(1 + e^ρ).
    rho: Array2<f64>,
}

/// One layer's way forward, with what the way back needs.
struct Pass {
    /// The inputs, and a column of ones for the biases.
    x: Array2<f64>,
    deviation: Array2<f64>,
    noise: Array2<f64>,
    z: Array2<f64>,
}

impl Layer {
    fn new(inputs: usize, outputs: usize) -> Self {
        Self { mean: Array2::zeros((inputs + 1, outputs)), rho: Array2::zeros((inputs + 1, outputs)) }
    }

    fn variance(&self) -> Array2<f64> {
        self.rho.mapv(|rho| rho.exp().ln_1p().powi(2))
    }

    /// z = x·W + √(x²·S²)·noise: the sums are drawn, not the weights.
    fn forward(&self, x: &Array2<f64>, noise: Array2<f64>) -> Pass {
        let x = concatenate![Axis(1), *x, Array2::ones((x.nrows(), 1))];
        let deviation = x.mapv(|x| x * x).dot(&self.variance()).mapv(f64::sqrt);
        let z = x.dot(&self.mean) + &deviation * &noise;
        Pass { x, deviation, noise, z }
    }

    /// The derivatives by the means, by ρ and by the inputs, from δ = ∂(squared error)/∂z.
    ///
    /// The loss has also ln q(z) − ln p(z) of the layer, with p around the *present* mean, which does not count as a
    /// variable: the means are not drawn to 0, only the deviations to those of the prior, ln 2.
    fn backward(&self, pass: &Pass, delta: Array2<f64>) -> (Array2<f64>, Array2<f64>, Array2<f64>) {
        let Pass { x, deviation, noise, .. } = pass;
        let squares = x.mapv(|x| x * x);
        let prior = squares.sum_axis(Axis(1)).insert_axis(Axis(1)) * std::f64::consts::LN_2.powi(2);
        let by_z = delta + deviation * noise / &prior;
        let by_variance = (&by_z * noise - deviation.mapv(f64::recip)) / (2.0 * deviation);
        let by_rho =
            squares.t().dot(&by_variance) * self.rho.mapv(|rho| 2.0 * rho.exp().ln_1p() / (1.0 + (-rho).exp()));
        let by_x = by_z.dot(&self.mean.t()) + 2.0 * x * by_variance.dot(&self.variance().t());
        (x.t().dot(&by_z), by_rho, by_x)
    }
}

fn standard(shape: (usize, usize), rng: &mut impl Rng) -> Array2<f64> {
    Array2::from_shape_simple_fn(shape, || StandardNormal.sample(rng))
}

/// Both layers, with rectified units between them.
fn forward(layers: &[Layer; 2], x: &Array2<f64>, rng: &mut impl Rng) -> [Pass; 2] {
    let hidden = layers[0].forward(x, standard((x.nrows(), layers[0].mean.ncols()), rng));
    let output = layers[1].forward(&hidden.z.mapv(|z| z.max(0.0)), standard((x.nrows(), 1), rng));
    [hidden, output]
}

pub(super) fn intervals(train: &Sample, x: &Array2<f64>, rng: &mut impl Rng) -> Result<Intervals> {
    let mut layers = [Layer::new(train.columns(), 100), Layer::new(100, 1)];
    let mut moments = layers.each_ref().map(|layer| [Moments::of(&layer.mean), Moments::of(&layer.rho)]);
    for step in 1..=STEPS {
        let [hidden, output] = forward(&layers, train.x(), rng);
        let delta = &output.z - &train.y().view().insert_axis(Axis(1));
        let (mean, rho, by_input) = layers[1].backward(&output, delta);
        let mut delta = by_input.slice(ndarray::s![.., ..100]).to_owned();
        delta.zip_mut_with(&hidden.z, |delta, z| *delta *= f64::from(u8::from(*z > 0.0)));
        let (first_mean, first_rho, _) = layers[0].backward(&hidden, delta);
        let adam = Adam::at(step, RATE, 0.0);
        let gradients = [(first_mean, first_rho), (mean, rho)];
        for ((layer, (by_mean, by_rho)), [means, rhos]) in layers.iter_mut().zip(&gradients).zip(&mut moments) {
            adam.update(&mut layer.mean, by_mean, means);
            adam.update(&mut layer.rho, by_rho, rhos);
        }
    }
    let mut draws = Array2::zeros((DRAWS, x.nrows()));
    for mut draw in draws.rows_mut() {
        let [_, output] = forward(&layers, x, rng);
        draw.assign(&output.z.column(0));
    }
    let mean: Array1<f64> = draws.sum_axis(Axis(0)) / DRAWS as f64;
    Predictive { mean, deviation: draws.std_axis(Axis(0), 0.0) }.intervals(ALPHA, Baseline::Pbp)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// ½z² and ln q − ln p of one layer, p around the means `centre`.
    fn loss(layer: &Layer, x: &Array2<f64>, noise: &Array2<f64>, centre: &Array2<f64>) -> f64 {
        let Pass { x, deviation, z, .. } = layer.forward(x, noise.clone());
        let prior = x.mapv(|x| x * x).sum_axis(Axis(1)).insert_axis(Axis(1)) * std::f64::consts::LN_2.powi(2);
        let away = &z - &x.dot(centre);
        0.5 * z.mapv(|z| z * z).sum() - deviation.mapv(f64::ln).sum() + 0.5 * (&away * &away / prior).sum()
    }

    #[test]
    fn the_derivatives_of_a_layer_are_its_differences() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let layer = Layer { mean: standard((4, 2), &mut rng), rho: standard((4, 2), &mut rng) };
        let (x, noise) = (standard((5, 3), &mut rng), standard((5, 2), &mut rng));
        let pass = layer.forward(&x, noise.clone());
        let (by_mean, by_rho, by_x) = layer.backward(&pass, pass.z.clone());
        let close = |found: f64, up: f64, down: f64| {
            let difference = (up - down) / 2e-5;
            assert!((found - difference).abs() < 1e-6 * (1.0 + difference.abs()), "{found} against {difference}");
        };
        for index in [(0, 0), (2, 1), (3, 0)] {
            let moved = |h: f64, part: usize| {
                let mut moved = Layer { mean: layer.mean.clone(), rho: layer.rho.clone() };
                if part == 0 {
                    moved.mean[index] += h
                } else {
                    moved.rho[index] += h
                }
                loss(&moved, &x, &noise, &layer.mean)
            };
            close(by_mean[index], moved(1e-5, 0), moved(-1e-5, 0));
            close(by_rho[index], moved(1e-5, 1), moved(-1e-5, 1));
        }
        // The prior's deviation does not count as a variable either, so only the part of ½z² is comparable in x
        // where the noise is 0.
        let still = Array2::zeros((5, 2));
        let pass = layer.forward(&x, still.clone());
        let plain = layer.backward(&pass, pass.z.clone()).2;
        assert_eq!(by_x.dim(), (5, 4));
        for index in [(1, 0), (4, 2)] {
            let moved = |h: f64| {
                let mut x = x.clone();
                x[index] += h;
                let Pass { deviation, z, .. } = layer.forward(&x, still.clone());
                0.5 * z.mapv(|z| z * z).sum() - deviation.mapv(f64::ln).sum()
            };
            close(plain[index], moved(1e-5), moved(-1e-5));
        }
    }
}
