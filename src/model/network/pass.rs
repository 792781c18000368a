//! One pass through the layers and back, in buffers that are allocated once.

use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, Zip, s};
use rand::Rng;

use super::noise::Noise;
use super::{Activation, Layer, add_matrix_product};

/// The way of some rows through the layers, with what the way back needs.
pub(crate) struct Pass {
    activation: Activation,
    /// The rows read; the buffers have room for as many or more.
    rows: usize,
    x: Array2<f64>,
    layers: Vec<Buffers>,
}

struct Buffers {
    /// What the layer reads, if noise touches it.
    noisy: Option<Noisy>,
    /// The layer's output, after the activation if it is hidden.
    a: Array2<f64>,
    /// ∂ loss/∂z.
    delta: Array2<f64>,
    gradient: Layer,
}

/// The random factors of some units, and the units times them.
struct Noisy {
    factor: Array2<f64>,
    input: Array2<f64>,
}

impl Pass {
    /// Room for as many rows.
    pub(crate) fn new(layers: &[Layer], activation: Activation, noise: &impl Noise, rows: usize) -> Self {
        let zeros = |columns| Array2::zeros((rows, columns));
        let buffers = layers.iter().enumerate().map(|(l, layer)| {
            let (inputs, outputs) = (layer.weight.ncols(), layer.bias.len());
            let noisy = noise.touches(l).then(|| Noisy { factor: zeros(inputs), input: zeros(inputs) });
            Buffers { noisy, a: zeros(outputs), delta: zeros(outputs), gradient: layer.zeros() }
        });
        Self { activation, rows, x: zeros(layers[0].weight.ncols()), layers: buffers.collect() }
    }

    /// The number of rows read.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Takes the chosen rows of `x` in, no more than there is room for.
    pub(crate) fn read(&mut self, x: ArrayView2<f64>, rows: &[usize]) {
        self.rows = rows.len();
        self.x.rows_mut().into_iter().zip(rows).for_each(|(mut to, &row)| to.assign(&x.row(row)));
    }

    /// Sends the rows through the layers, under fresh noise.
    pub(crate) fn forward(&mut self, layers: &[Layer], noise: &impl Noise, rng: &mut impl Rng) {
        let (leading, last) = (s![..self.rows, ..], layers.len() - 1);
        for (l, layer) in layers.iter().enumerate() {
            let (before, rest) = self.layers.split_at_mut(l);
            let Buffers { noisy, a, .. } = &mut rest[0];
            let mut input = before.last().map_or(&self.x, |below| &below.a).slice(leading);
            if let Some(noisy) = noisy {
                input = noisy.multiply(input, || noise.factor(l, rng));
            }
            let mut a = a.slice_mut(leading);
            a.rows_mut().into_iter().for_each(|mut row| row.assign(&layer.bias));
            add_matrix_product(input, layer.weight.t(), a.view_mut());
            if l < last {
                self.activation.apply(a.as_slice_mut().expect("leading rows are contiguous"));
            }
        }
    }

    /// The outputs, and where ∂ loss/∂ output goes before the way back.
    pub(crate) fn outputs(&mut self) -> (ArrayView2<'_, f64>, ArrayViewMut2<'_, f64>) {
        let leading = s![..self.rows, ..];
        let last = self.layers.last_mut().expect("a network has a layer");
        (last.a.slice(leading), last.delta.slice_mut(leading))
    }

    /// Sends ∂ loss/∂ output back through the layers: see [`Pass::gradient`].
    pub(crate) fn backward(&mut self, layers: &[Layer]) {
        let leading = s![..self.rows, ..];
        for (l, layer) in layers.iter().enumerate().rev() {
            let (before, rest) = self.layers.split_at_mut(l);
            let Buffers { noisy, delta, gradient, .. } = &mut rest[0];
            let delta = delta.slice(leading);
            let below = before.last().map_or(&self.x, |below| &below.a);
            let input = noisy.as_ref().map_or(below, |noisy| &noisy.input).slice(leading);
            gradient.weight.fill(0.0);
            add_matrix_product(delta.t(), input, gradient.weight.view_mut());
            gradient.bias.assign(&delta.sum_axis(Axis(0)));
            if let Some(below) = before.last_mut() {
                let mut back = below.delta.slice_mut(leading);
                back.fill(0.0);
                add_matrix_product(delta, layer.weight.view(), back.view_mut());
                if let Some(noisy) = noisy {
                    back *= &noisy.factor.slice(leading);
                }
                let contiguous = "leading rows are contiguous";
                let a = below.a.slice(leading).to_slice().expect(contiguous);
                self.activation.multiply_slope(a, back.as_slice_mut().expect(contiguous));
            }
        }
    }

    /// ∂ loss/∂θ, layer by layer, after the way back.
    pub(crate) fn gradient(&self) -> impl Iterator<Item = &Layer> {
        self.layers.iter().map(|buffers| &buffers.gradient)
    }
}

impl Noisy {
    /// The units times fresh factors.
    fn multiply(&mut self, units: ArrayView2<f64>, mut draw: impl FnMut() -> f64) -> ArrayView2<'_, f64> {
        let leading = s![..units.nrows(), ..];
        let mut factor = self.factor.slice_mut(leading);
        factor.iter_mut().for_each(|factor| *factor = draw());
        let input = self.input.slice_mut(leading);
        Zip::from(input).and(units).and(factor).for_each(|input, unit, factor| *input = unit * *factor);
        self.input.slice(leading)
    }
}

#[cfg(test)]
mod tests {
    use super::super::layer::first_layers;
    use super::super::noise::Rates;
    use super::*;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn the_gradient_with_units_switched_off_is_its_differences() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let layers = first_layers(2, &[5, 4], 2, &mut rng);
        let x = Array2::from_shape_fn((3, 2), |(i, j)| (1.3 * i as f64 + j as f64).cos());
        let rates = Rates { input: 0.2, hidden: 0.4 };
        let loss = |layers: &[Layer]| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(4); // the same units in every pass
            let mut pass = Pass::new(layers, Activation::Tanh, &rates, 5);
            pass.read(x.view(), &[0, 1, 2]);
            pass.forward(layers, &rates, &mut rng);
            let (output, mut delta) = pass.outputs();
            delta.assign(&output);
            (0.5 * output.mapv(|f| f * f).sum(), pass)
        };
        let mut pass = loss(&layers).1;
        let noisy = pass.layers.iter().flat_map(|buffers| &buffers.noisy);
        let mut drawn = noisy.map(|noisy| noisy.factor.slice(s![..3, ..]));
        assert!(drawn.any(|factors| factors.iter().any(|&factor| factor == 0.0)));
        pass.backward(&layers);
        for (l, gradient) in pass.gradient().enumerate() {
            for (index, found) in gradient.weight.indexed_iter() {
                let moved = |h: f64| {
                    let mut layers = layers.clone();
                    layers[l].weight[index] += h;
                    loss(&layers).0
                };
                let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                assert!((found - difference).abs() < 1e-9, "{index:?} of layer {l}");
            }
        }
    }
}
