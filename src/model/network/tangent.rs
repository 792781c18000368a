//! The tangent of a network: its derivatives by the parameters of the hidden layers.
//!
//! The output layer is left out. Its terms are what the rows have been fitted with, and with them the leave-one-out models
//! see the rows they leave out: on two tables they cover 85 to 87 % where 90 % were asked for.

use ndarray::{Array1, Array2, ArrayView2, Axis};

use super::{Layer, Network};
use crate::factor::product;
use crate::model::{Features, Model};

/// A network's features, in its own standardised units.
pub(super) struct Hidden(pub(super) Network);

/// A way through the layers: what each takes, and ∂f/∂z of each.
struct Way {
    inputs: Vec<Array2<f64>>,
    deltas: Vec<Array2<f64>>,
    output: Array1<f64>,
}

impl Hidden {
    /// The layers whose parameters count: all but the output layer, or the only one there is.
    fn layers(&self) -> &[Layer] {
        let layers = &self.0.layers;
        &layers[..(layers.len() - 1).max(1)]
    }

    fn way(&self, x: ArrayView2<f64>) -> Way {
        let Network { layers, activation, units, .. } = &self.0;
        let (last, hidden) = layers.split_last().expect("a network has a layer");
        let (mut inputs, mut slopes) = (vec![units.features(x)], Vec::new());
        for (k, layer) in hidden.iter().enumerate() {
            let mut a = layer.affine(inputs[k].view());
            activation.apply(a.as_slice_mut().expect("standard layout"));
            slopes.push(a.mapv(|a| activation.slope(a)));
            inputs.push(a);
        }
        let output = last.affine(inputs[hidden.len()].view()).remove_axis(Axis(1));
        let mut deltas = vec![Array2::ones((x.nrows(), 1))];
        for (k, slope) in slopes.iter().enumerate().rev() {
            let back = deltas[deltas.len() - 1].dot(&layers[k + 1].weight) * slope;
            deltas.push(back);
        }
        deltas.reverse();
        Way { inputs, deltas, output }
    }

    /// Jθ̂ of the parameters that count: Σ δ·(Wa + b), layer by layer.
    fn own(&self, way: &Way) -> Array1<f64> {
        let mut own = Array1::zeros(way.output.len());
        for (l, layer) in self.layers().iter().enumerate() {
            own += &(layer.affine(way.inputs[l].view()) * &way.deltas[l]).sum_axis(Axis(1));
        }
        own
    }
}

impl Features for Hidden {
    fn columns(&self) -> usize {
        self.0.columns()
    }

    fn width(&self) -> usize {
        self.layers().iter().map(|layer| layer.weight.len() + layer.bias.len()).sum()
    }

    fn features(&self, x: ArrayView2<f64>) -> Array2<f64> {
        let way = self.way(x);
        let mut features = Array2::zeros((x.nrows(), self.width()));
        let mut start = 0;
        for (l, layer) in self.layers().iter().enumerate() {
            let (outputs, inputs) = layer.weight.dim();
            let width = outputs * (inputs + 1);
            for ((mut row, delta), input) in
                features.rows_mut().into_iter().zip(way.deltas[l].rows()).zip(way.inputs[l].rows())
            {
                let cells = &mut row.as_slice_mut().expect("standard layout")[start..start + width];
                let (weights, biases) = cells.split_at_mut(outputs * inputs);
                for (cells, &delta) in weights.chunks_mut(inputs).zip(delta) {
                    cells.iter_mut().zip(input).for_each(|(cell, &input)| *cell = delta * input);
                }
                biases.iter_mut().zip(delta).for_each(|(bias, &delta)| *bias = delta);
            }
            start += width;
        }
        features
    }

    fn prediction(&self, x: ArrayView2<f64>) -> Option<Array1<f64>> {
        Some(self.0.evaluate(x))
    }

    fn offset(&self, x: ArrayView2<f64>) -> Array1<f64> {
        let way = self.way(x);
        self.0.units.predictions(&way.output - &self.own(&way))
    }

    fn unit(&self) -> f64 {
        self.0.units.scale()
    }

    fn place(&self, x: ArrayView2<f64>) -> Option<Array2<f64>> {
        self.0.contributions(x)
    }

    /// Σ over the layers of (a·a′ + 1)(δ·δ′): J is never formed.
    fn kernel(&self, a: ArrayView2<f64>, b: ArrayView2<f64>) -> Array2<f64> {
        let (left, right) = (self.way(a), self.way(b));
        let mut kernel = Array2::zeros((a.nrows(), b.nrows()));
        for l in 0..self.layers().len() {
            let mut inputs = product(left.inputs[l].view(), right.inputs[l].t());
            inputs += 1.0;
            inputs *= &product(left.deltas[l].view(), right.deltas[l].t());
            kernel += &inputs;
        }
        kernel
    }

    fn squares(&self, x: ArrayView2<f64>) -> Array1<f64> {
        let way = self.way(x);
        let square = |rows: &Array2<f64>| rows.map_axis(Axis(1), |row| row.dot(&row));
        (0..self.layers().len())
            .map(|l| (square(&way.inputs[l]) + 1.0) * square(&way.deltas[l]))
            .fold(Array1::zeros(x.nrows()), |sum, layer| sum + layer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Differentiable;
    use crate::model::network::Training;
    use crate::sample::Sample;
    use crate::sample::synthetic::{Feature, cubic};

    fn hidden(layers: &[usize]) -> (Sample, Hidden) {
        let sample = cubic(12, Feature::Uniform { half_width: 2.0 }, 0.5, 1).unwrap();
        let network = Training::default().hidden(layers).epochs(20).fit(&sample).unwrap();
        (sample, Hidden(network))
    }

    #[test]
    fn the_features_are_the_jacobian_without_the_output_layer() {
        for layers in [&[4][..], &[4, 3]] {
            let (sample, hidden) = hidden(layers);
            let jacobian = hidden.0.objective(&sample).jacobian();
            let features = hidden.features(sample.x().view());
            assert_eq!(features.ncols(), hidden.width());
            assert_eq!(jacobian.ncols(), hidden.width() + layers[layers.len() - 1] + 1);
            assert!((&features - &jacobian.slice(ndarray::s![.., ..features.ncols()])).iter().all(|d| d.abs() < 1e-14));
            let theta = Differentiable::parameters(&hidden.0);
            let own = features.dot(&theta.slice(ndarray::s![..features.ncols()])) * hidden.unit();
            let x = sample.x().view();
            let difference = hidden.0.evaluate(x) - hidden.offset(x) - own;
            assert!(difference.iter().all(|d| d.abs() < 1e-12), "{difference}");
        }
    }

    #[test]
    fn the_kernel_is_the_product_of_the_features() {
        let (sample, hidden) = hidden(&[4, 3]);
        let x = sample.x().view();
        let features = hidden.features(x);
        let product = features.dot(&features.t());
        assert!((hidden.kernel(x, x) - &product).iter().all(|d| d.abs() < 1e-12));
        assert!((hidden.squares(x) - product.diag()).iter().all(|d| d.abs() < 1e-12));
    }
}
