//! One step of training: forward, backward and Adam, in buffers that are allocated once.

use ndarray::{Array1, Array2, Axis, Zip, s};

use super::product::add_matrix_product;
use super::{Layer, Network};

/// Adam at one step: what it does to a weight, given its gradient and the running means of g and g².
pub(crate) struct Adam {
    step: f64,
    correction: f64,
    l2: f64,
}

impl Adam {
    const BETA1: f64 = 0.9;
    const BETA2: f64 = 0.999;
    const EPSILON: f64 = 1e-8;

    /// The update at the given step, counted from 1.
    pub(crate) fn at(steps: i32, rate: f64, l2: f64) -> Self {
        let correction = 1.0 / (1.0 - Self::BETA2.powi(steps)).sqrt();
        Self { step: rate / (1.0 - Self::BETA1.powi(steps)), correction, l2 }
    }

    #[inline(always)]
    pub(crate) fn update(&self, w: &mut f64, g: f64, m: &mut f64, v: &mut f64) {
        let g = g + self.l2 * *w;
        *m += (1.0 - Self::BETA1) * (g - *m);
        *v += (1.0 - Self::BETA2) * (g * g - *v);
        *w -= self.step * *m / (v.sqrt() * self.correction + Self::EPSILON);
    }
}

/// Everything a step needs, allocated once.
pub(crate) struct State {
    x: Array2<f64>,
    y: Array1<f64>,
    layers: Vec<Buffers>,
    steps: i32,
}

struct Buffers {
    /// The layer's output, after the activation if it is hidden.
    a: Array2<f64>,
    /// ∂ loss/∂z.
    delta: Array2<f64>,
    gradient: Layer,
    first: Layer,
    second: Layer,
}

impl State {
    pub(crate) fn new(network: &Network, batch: usize) -> Self {
        let layers = network.layers.iter().map(|layer| {
            let zeros = || Array2::zeros((batch, layer.bias.len()));
            let none = || Layer { weight: Array2::zeros(layer.weight.dim()), bias: Array1::zeros(layer.bias.len()) };
            Buffers { a: zeros(), delta: zeros(), gradient: none(), first: none(), second: none() }
        });
        let x = Array2::zeros((batch, network.inputs.shift.len()));
        Self { x, y: Array1::zeros(batch), layers: layers.collect(), steps: 0 }
    }

    /// One step of Adam on the chosen rows; answers their summed squared error, halved.
    pub(crate) fn step(
        &mut self,
        network: &mut Network,
        x: &Array2<f64>,
        y: &Array1<f64>,
        rows: &[usize],
        rate: f64,
    ) -> f64 {
        let n = rows.len();
        for (k, &row) in rows.iter().enumerate() {
            self.x.row_mut(k).assign(&x.row(row));
            self.y[k] = y[row];
        }
        self.forward(network, n);
        let output = self.layers.last_mut().expect("a network has a layer");
        let mut error = 0.0;
        for k in 0..n {
            let difference = output.a[[k, 0]] - self.y[k];
            error += 0.5 * difference * difference;
            output.delta[[k, 0]] = difference / n as f64;
        }
        self.backward(network, n);
        self.update(network, rate);
        error
    }

    fn forward(&mut self, network: &Network, n: usize) {
        let last = network.layers.len() - 1;
        for (l, layer) in network.layers.iter().enumerate() {
            let (before, rest) = self.layers.split_at_mut(l);
            let input = before.last().map_or(self.x.slice(s![..n, ..]), |below| below.a.slice(s![..n, ..]));
            let buffers = &mut rest[0];
            let mut a = buffers.a.slice_mut(s![..n, ..]);
            a.rows_mut().into_iter().for_each(|mut row| row.assign(&layer.bias));
            add_matrix_product(input, layer.weight.t(), a.view_mut());
            if l < last {
                network.activation.apply(a.as_slice_mut().expect("leading rows are contiguous"));
            }
        }
    }

    fn backward(&mut self, network: &Network, n: usize) {
        for l in (0..network.layers.len()).rev() {
            let (before, rest) = self.layers.split_at_mut(l);
            let buffers = &mut rest[0];
            let delta = buffers.delta.slice(s![..n, ..]);
            let input = before.last().map_or(self.x.slice(s![..n, ..]), |below| below.a.slice(s![..n, ..]));
            buffers.gradient.weight.fill(0.0);
            add_matrix_product(delta.t(), input, buffers.gradient.weight.view_mut());
            buffers.gradient.bias.assign(&delta.sum_axis(Axis(0)));
            if let Some(below) = before.last_mut() {
                let mut back = below.delta.slice_mut(s![..n, ..]);
                back.fill(0.0);
                add_matrix_product(delta, network.layers[l].weight.view(), back.view_mut());
                let contiguous = "leading rows are contiguous";
                let a = below.a.slice(s![..n, ..]).to_slice().expect(contiguous);
                network.activation.multiply_slope(a, back.as_slice_mut().expect(contiguous));
            }
        }
    }

    fn update(&mut self, network: &mut Network, rate: f64) {
        self.steps = self.steps.saturating_add(1);
        let step = Adam::at(self.steps, rate, network.l2);
        let adam = |w: &mut f64, g: &f64, m: &mut f64, v: &mut f64| step.update(w, *g, m, v);
        for (layer, buffers) in network.layers.iter_mut().zip(&mut self.layers) {
            let Buffers { gradient, first, second, .. } = buffers;
            let (g, m, v) = (&gradient.weight, &mut first.weight, &mut second.weight);
            Zip::from(&mut layer.weight).and(g).and(m).and(v).for_each(adam);
            let (g, m, v) = (&gradient.bias, &mut first.bias, &mut second.bias);
            Zip::from(&mut layer.bias).and(g).and(m).and(v).for_each(adam);
        }
    }
}
