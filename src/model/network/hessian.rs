//! The exact Hessian of a network's squared error, assembled from matrices instead of p Hessian products.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, Array3, Axis, Zip, s};
use rayon::prelude::*;

use super::series::SquaredError;
use crate::factor;
use crate::model::Objective;
use crate::model::linearised::streamed_gram;

/// Rows whose second derivatives by the pre-activations are held at a time.
const CHUNK: usize = 128;

/// ∇² ½Σ(yᵢ − f(xᵢ;θ))² = Jᵀ·J − Σ eᵢ ∇²f(xᵢ;θ).
pub(super) fn exact(error: &SquaredError) -> Array2<f64> {
    let mut hessian = streamed_gram(error);
    let n = error.residuals().len();
    for start in (0..n).step_by(CHUNK) {
        Bend::new(error, start, (start + CHUNK).min(n)).subtract(&mut hessian);
    }
    factor::mirror(&mut hessian);
    hessian
}

/// Σ eᵢ ∇²f(xᵢ;θ) over a chunk of rows.
///
/// With ã the layer's input and a final 1 for the bias, δ = ∂f/∂z and S = ∂²f/∂z∂z, two weights of layers l ≤ m have
///
/// ```text
/// ∂²f/∂W^l_ab ∂W^m_cd = ã^l_b · ( (S^m M)_ca ã^m_d + δ^m_c ∂ã^m_d/∂z^l_a ),       M = ∂z^m/∂z^l
/// ```
///
/// where the last term is absent for l = m, and S follows from the layer above:
/// S^l = Φ′(WᵀS^{l+1}W)Φ′ + diag(φ″ ∘ Wᵀδ^{l+1}). For the last hidden layer it is diagonal.
struct Bend<'a> {
    error: &'a SquaredError<'a>,
    rows: std::ops::Range<usize>,
    /// Where each layer's parameters start.
    starts: Vec<usize>,
    /// ã of each layer: rows × (inputs + 1).
    inputs: Vec<Array2<f64>>,
    deltas: Vec<Array2<f64>>,
    /// S of each hidden layer but the last: rows × outputs × outputs.
    full: Vec<Array3<f64>>,
    /// The diagonal of S of the last hidden layer.
    diagonal: Array2<f64>,
}

impl<'a> Bend<'a> {
    fn new(error: &'a SquaredError<'a>, start: usize, end: usize) -> Self {
        let (layers, rows) = (&error.network.layers, start..end);
        let hidden = layers.len() - 1;
        let mut starts = vec![0];
        starts.extend(layers.iter().scan(0, |sum, layer| {
            *sum += layer.weight.len() + layer.bias.len();
            Some(*sum)
        }));
        let part = |matrix: &Array2<f64>| matrix.slice(s![rows.clone(), ..]).to_owned();
        let inputs = error.inputs.iter().map(|a| {
            let mut extended = Array2::ones((rows.len(), a.ncols() + 1));
            extended.slice_mut(s![.., ..a.ncols()]).assign(&a.slice(s![rows.clone(), ..]));
            extended
        });
        let deltas = (0..layers.len()).map(|l| error.delta(l, rows.clone()));
        // φ″ ∘ ∂f/∂a of a hidden layer.
        let curve = |l: usize| {
            let (a, p) = (part(&error.inputs[l + 1]), part(&error.slopes[l]));
            let mut curve = part(&error.backs[l]);
            let activation = error.network.activation;
            Zip::from(&mut curve).and(&a).and(&p).for_each(|c, &a, &p| *c *= activation.bend(a, p));
            curve
        };
        let diagonal = if hidden > 0 { curve(hidden - 1) } else { Array2::zeros((rows.len(), 0)) };
        let mut full = vec![Array3::zeros((0, 0, 0)); hidden.saturating_sub(1)];
        for l in (0..hidden.saturating_sub(1)).rev() {
            let (weight, slope, curve) = (&layers[l + 1].weight, part(&error.slopes[l]), curve(l));
            let mut s = Array3::zeros((rows.len(), slope.ncols(), slope.ncols()));
            for (i, mut s) in s.outer_iter_mut().enumerate() {
                let above = if l + 2 == hidden {
                    weight.t().dot(&(&diagonal.row(i).insert_axis(Axis(1)) * weight))
                } else {
                    weight.t().dot(&full[l + 1].index_axis(Axis(0), i).dot(weight))
                };
                let slope = slope.row(i);
                s.assign(&(&above * &slope.insert_axis(Axis(1)) * slope));
                s.diag_mut().zip_mut_with(&curve.row(i), |s, &c| *s += c);
            }
            full[l] = s;
        }
        let (inputs, deltas) = (inputs.collect(), deltas.collect());
        Self { error, starts, inputs, deltas, full, diagonal, rows: start..end }
    }

    /// Where the weight or bias (a, b) of layer l stands among the parameters; b = inputs is the bias.
    fn index(&self, l: usize, a: usize, b: usize) -> usize {
        let (outputs, inputs) = self.error.network.layers[l].weight.dim();
        self.starts[l] + if b < inputs { a * inputs + b } else { outputs * inputs + a }
    }

    /// Subtracts the sum from the upper triangle.
    fn subtract(&self, hessian: &mut Array2<f64>) {
        let layers = self.error.network.layers.len();
        let weights = self.error.residuals().slice(s![self.rows.clone()]).insert_axis(Axis(1)).to_owned();
        for l in 0..layers.saturating_sub(1) {
            // ∂z^m/∂z^l of each row, for the m at hand.
            let mut reach: Option<Array3<f64>> = None;
            let weighted = &self.inputs[l] * &weights;
            for m in l..layers {
                if m > l {
                    reach = Some(self.advance(reach.as_ref(), l, m));
                }
                let units = self.error.network.layers[l].bias.len();
                let product = |right: Array2<f64>| {
                    let mut block = Array2::zeros((weighted.ncols(), right.ncols()));
                    general_mat_mul(1.0, &weighted.t(), &right, 0.0, &mut block);
                    block
                };
                let blocks: Vec<_> = (0..units)
                    .into_par_iter()
                    .map(|a| (self.bent(l, m, a, reach.as_ref()).map(product), self.chained(l, m, a).map(product)))
                    .collect();
                let width = self.inputs[m].ncols();
                for (a, (bent, chained)) in blocks.into_iter().enumerate() {
                    let diagonal = l == m && l + 2 == layers;
                    bent.iter().for_each(|block| {
                        let place = |k| if diagonal { (a, k) } else { (k / width, k % width) };
                        self.scatter(hessian, l, m, a, block, place);
                    });
                    chained.iter().for_each(|block| self.scatter(hessian, l, m, a, block, |c| (c, a)));
                }
            }
        }
    }

    /// ∂z^m/∂z^l = W^m Φ′^{m−1} ∂z^{m−1}/∂z^l, rows × outputs of m × outputs of l.
    fn advance(&self, before: Option<&Array3<f64>>, l: usize, m: usize) -> Array3<f64> {
        let weight = &self.error.network.layers[m].weight;
        let slope = self.error.slopes[m - 1].slice(s![self.rows.clone(), ..]);
        let mut reach = Array3::zeros((self.rows.len(), weight.nrows(), self.error.slopes[l].ncols()));
        for (i, mut reach) in reach.outer_iter_mut().enumerate() {
            let scaled = weight * &slope.row(i);
            match before {
                None => reach.assign(&scaled),
                Some(before) => reach.assign(&scaled.dot(&before.index_axis(Axis(0), i))),
            }
        }
        reach
    }

    /// The bracket of the formula for unit a of layer l: rows × ((outputs of m) · (inputs of m + 1)), or, where S
    /// is diagonal and l = m, for c = a only. Without its last term where that is sparse: see `chained`.
    fn bent(&self, l: usize, m: usize, a: usize, reach: Option<&Array3<f64>>) -> Option<Array2<f64>> {
        let hidden = self.error.network.layers.len() - 1;
        let (inputs, delta) = (&self.inputs[m], &self.deltas[m]);
        if l == m && l + 1 == hidden {
            return Some(inputs * &self.diagonal.column(a).insert_axis(Axis(1)));
        }
        if m == hidden && m == l + 1 {
            return None;
        }
        let (outputs, width) = (self.error.network.layers[m].bias.len(), inputs.ncols());
        let mut right = Array2::zeros((self.rows.len(), outputs * width));
        for (i, mut row) in right.rows_mut().into_iter().enumerate() {
            let chain = (m > l + 1).then(|| self.chain(l, m, i, a));
            for c in 0..outputs {
                let bend = match reach {
                    None => self.full[l][[i, c, a]],
                    Some(_) if m == hidden => 0.0,
                    Some(reach) if m + 1 == hidden => self.diagonal[[i, c]] * reach[[i, c, a]],
                    Some(reach) => {
                        let s = self.full[m].index_axis(Axis(0), i);
                        s.row(c).dot(&reach.index_axis(Axis(0), i).column(a))
                    }
                };
                let mut cells = row.slice_mut(s![c * width..(c + 1) * width]);
                cells.zip_mut_with(&inputs.row(i), |cell, &input| *cell = bend * input);
                if let Some(chain) = &chain {
                    cells.slice_mut(s![..width - 1]).scaled_add(delta[[i, c]], chain);
                }
            }
        }
        Some(right)
    }

    /// The last term of the bracket between neighbouring layers, where ∂ã^m_d/∂z^l_a is φ′ for d = a and else 0:
    /// rows × outputs of m.
    fn chained(&self, l: usize, m: usize, a: usize) -> Option<Array2<f64>> {
        let slope = || self.error.slopes[l].slice(s![self.rows.clone(), a]).insert_axis(Axis(1));
        (m == l + 1).then(|| &self.deltas[m] * &slope())
    }

    /// ∂a^{m−1}/∂z^l_a of one row.
    fn chain(&self, l: usize, m: usize, i: usize, a: usize) -> ndarray::Array1<f64> {
        let row = self.rows.start + i;
        let mut unit = ndarray::Array1::zeros(self.error.slopes[l].ncols());
        unit[a] = self.error.slopes[l][[row, a]];
        for k in l + 1..m {
            unit = self.error.network.layers[k].weight.dot(&unit) * self.error.slopes[k].row(row);
        }
        unit
    }

    /// Subtracts a block whose rows belong to (a, b) of layer l and whose columns to `place`'s (c, d) of layer m.
    fn scatter(
        &self,
        hessian: &mut Array2<f64>,
        l: usize,
        m: usize,
        a: usize,
        block: &Array2<f64>,
        place: impl Fn(usize) -> (usize, usize),
    ) {
        for (b, row) in block.rows().into_iter().enumerate() {
            let left = self.index(l, a, b);
            for (k, &value) in row.iter().enumerate() {
                let (c, d) = place(k);
                let right = self.index(m, c, d);
                if right >= left {
                    hessian[[left, right]] -= value;
                }
            }
        }
    }
}
