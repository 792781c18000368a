//! Assumed density filtering: Gaussian weights, their moments through the layers, and what a row tells of them.

#[cfg(test)]
mod tests;

use ndarray::{Array1, Array2, ArrayView1, Zip, s};

use super::precision::Precision;
use crate::normal::{cumulative, density};

/// Independent Gaussians for the weights of a layer, outputs × (inputs + 1); the last column is the bias.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Belief {
    pub(super) mean: Array2<f64>,
    pub(super) variance: Array2<f64>,
}

/// Means and variances of some quantities, or the derivatives of log Z by them.
#[derive(Clone, Debug, PartialEq)]
struct Pair {
    mean: Array1<f64>,
    variance: Array1<f64>,
}

impl Pair {
    fn known(mean: ArrayView1<f64>) -> Self {
        Self { mean: mean.to_owned(), variance: Array1::zeros(mean.len()) }.with_bias()
    }

    /// With a constant 1 for the bias at the end.
    fn with_bias(mut self) -> Self {
        self.mean = self.mean.iter().copied().chain([1.0]).collect();
        self.variance = self.variance.iter().copied().chain([0.0]).collect();
        self
    }
}

impl Belief {
    /// The moments of a = W·z/√k for k inputs z, the bias among them.
    ///
    /// ```text
    /// E a = M·E z/√k,    Var a = ( M²·Var z + V·(E z)² + V·Var z )/k       squares taken entry by entry
    /// ```
    fn forward(&self, z: &Pair) -> Pair {
        let k = z.mean.len() as f64;
        let second = z.mean.mapv(|m| m * m) + &z.variance;
        let variance = (self.mean.mapv(|m| m * m).dot(&z.variance) + self.variance.dot(&second)) / k;
        Pair { mean: self.mean.dot(&z.mean) / k.sqrt(), variance }
    }

    /// From the derivatives by the moments of a, those by the belief and by the moments of z.
    fn backward(&self, z: &Pair, by_a: &Pair) -> (Belief, Pair) {
        let k = z.mean.len() as f64;
        let mut by_belief = Belief { mean: Array2::zeros(self.mean.dim()), variance: Array2::zeros(self.mean.dim()) };
        let mut by_z = Pair { mean: Array1::zeros(z.mean.len()), variance: Array1::zeros(z.mean.len()) };
        for i in 0..self.mean.nrows() {
            let (by_mean, by_variance) = (by_a.mean[i] / k.sqrt(), by_a.variance[i] / k);
            for j in 0..self.mean.ncols() {
                let (m, v, e, u) = (self.mean[[i, j]], self.variance[[i, j]], z.mean[j], z.variance[j]);
                by_belief.mean[[i, j]] = by_mean * e + 2.0 * by_variance * m * u;
                by_belief.variance[[i, j]] = by_variance * (e * e + u);
                by_z.mean[j] += by_mean * m + 2.0 * by_variance * v * e;
                by_z.variance[j] += by_variance * (m * m + v);
            }
        }
        (by_belief, by_z)
    }

    /// m ← m + v·∂log Z/∂m,   v ← v − v²·( (∂log Z/∂m)² − 2·∂log Z/∂v )
    fn update(&mut self, by: &Belief) {
        Zip::from(&mut self.mean).and(&mut self.variance).and(&by.mean).and(&by.variance).for_each(|m, v, gm, gv| {
            let next = *v - *v * *v * (gm * gm - 2.0 * gv);
            // A variance that is none comes from the Gaussian approximation: the row then tells nothing.
            if next > 1e-100 && next.is_finite() {
                *m += *v * gm;
                *v = next;
            }
        });
    }
}

/// The moments of max(a, 0) for a Gaussian a.
///
/// ```text
/// with c = E a/√Var a:    E = √Var a·(c·Φ(c) + φ(c)),    Var = Var a·(Φ + c²·Φ·Φ(−c) + c·φ·(1 − 2Φ) − φ²)
/// ```
///
/// The last form has no large terms that cancel.
fn rectified(mean: f64, variance: f64) -> (f64, f64) {
    let deviation = variance.sqrt();
    let c = mean / deviation;
    let (on, off, phi) = (cumulative(c), cumulative(-c), density(c));
    let share = on + c * c * on * off + c * phi * (1.0 - 2.0 * on) - phi * phi;
    (deviation * (c * on + phi), variance * share.max(0.0))
}

/// The layers' beliefs, and that about the noise.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Filter {
    pub(super) layers: Vec<Belief>,
    pub(super) noise: Precision,
}

impl Filter {
    /// The mean and the variance of f(x), without the noise.
    pub(super) fn predict(&self, x: ArrayView1<f64>) -> (f64, f64) {
        let output = self.pass(x).1.pop().expect("a network has a layer");
        (output.mean[0], output.variance[0])
    }

    /// Takes one row in; answers its log Z, without the constant, before that.
    pub(super) fn observe(&mut self, x: ArrayView1<f64>, y: f64) -> f64 {
        let (log_z, gradients, difference, spread) = self.evidence(x, y);
        if log_z.is_finite() {
            self.layers.iter_mut().zip(&gradients).for_each(|(layer, by)| layer.update(by));
            self.noise = self.noise.after(difference, spread);
        }
        log_z
    }

    /// The inputs of each layer and its outputs before the rectifier.
    fn pass(&self, x: ArrayView1<f64>) -> (Vec<Pair>, Vec<Pair>) {
        let (mut inputs, mut outputs) = (Vec::new(), Vec::<Pair>::new());
        for layer in &self.layers {
            let z = match outputs.last() {
                None => Pair::known(x),
                Some(a) => {
                    let moments = a.mean.iter().zip(&a.variance).map(|(&mean, &variance)| rectified(mean, variance));
                    let (mean, variance): (Vec<f64>, Vec<f64>) = moments.unzip();
                    Pair { mean: mean.into(), variance: variance.into() }.with_bias()
                }
            };
            outputs.push(layer.forward(&z));
            inputs.push(z);
        }
        (inputs, outputs)
    }

    /// log Z = log N(y; E f, Var f + noise) without its constant, its derivatives by every belief, y − E f and Var f.
    fn evidence(&self, x: ArrayView1<f64>, y: f64) -> (f64, Vec<Belief>, f64, f64) {
        let (inputs, outputs) = self.pass(x);
        let output = &outputs[outputs.len() - 1];
        let (difference, spread) = (y - output.mean[0], output.variance[0]);
        let variance = spread + self.noise.variance();
        let square = difference * difference / variance;
        let mut by_a = Pair {
            mean: Array1::from_elem(1, difference / variance),
            variance: Array1::from_elem(1, 0.5 * (square - 1.0) / variance),
        };
        let mut gradients = Vec::with_capacity(self.layers.len());
        for l in (0..self.layers.len()).rev() {
            let (by_belief, by_z) = self.layers[l].backward(&inputs[l], &by_a);
            gradients.push(by_belief);
            if l > 0 {
                by_a = rectified_backward(&outputs[l - 1], &inputs[l], &by_z);
            }
        }
        gradients.reverse();
        (-0.5 * (variance.ln() + square), gradients, difference, spread)
    }
}

/// From the derivatives by the moments of z = max(a, 0), those by the moments of a.
///
/// ```text
/// ∂E z/∂E a = Φ,   ∂E z/∂Var a = φ/(2√Var a),   ∂Var z/∂E a = 2·E z·Φ(−c),   ∂Var z/∂Var a = Φ − E z·φ/√Var a
/// ```
fn rectified_backward(a: &Pair, z: &Pair, by_z: &Pair) -> Pair {
    let units = s![..a.mean.len()];
    let mut by_a = a.clone();
    Zip::from(&mut by_a.mean)
        .and(&mut by_a.variance)
        .and(&z.mean.slice(units))
        .and(&by_z.mean.slice(units))
        .and(&by_z.variance.slice(units))
        .for_each(|mean, variance, &z, by_mean, by_variance| {
            let deviation = variance.sqrt();
            let c = *mean / deviation;
            let (on, slope) = (cumulative(c), density(c) / deviation);
            *mean = by_mean * on + by_variance * 2.0 * z * cumulative(-c);
            *variance = by_mean * 0.5 * slope + by_variance * (on - z * slope);
        });
    by_a
}
