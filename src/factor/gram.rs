//! Gram matrices, added up block by block.

use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::{Accum, MatMut, MatRef, Par};
use ndarray::{Array2, ArrayView2};
use rayon::prelude::*;

use super::clean_registers;

/// Columns of a Gram matrix that one thread takes at a time: fewer cost a sixth of the speed, more leave a thread idle.
const TILE: usize = 256;

/// AᵀA for a tall A.
pub(crate) fn gram(a: ArrayView2<f64>) -> Array2<f64> {
    let mut out = upper_gram(a);
    mirror(&mut out);
    out
}

/// The upper triangle of AᵀA, all that a Cholesky factorisation reads.
pub(crate) fn upper_gram(a: ArrayView2<f64>) -> Array2<f64> {
    let mut out = Array2::zeros((a.ncols(), a.ncols()));
    add_upper_gram(&mut out, a);
    out
}

/// Adds the upper triangle of AᵀA.
pub(crate) fn add_upper_gram(out: &mut Array2<f64>, a: ArrayView2<f64>) {
    let (rows, dim) = a.dim();
    let a = a.as_standard_layout();
    let view = MatRef::from_row_major_slice(a.as_slice().expect("standard layout"), rows, dim);
    let slice = out.as_slice_mut().expect("standard layout");
    slice.par_chunks_mut((TILE * dim).max(1)).enumerate().for_each(|(tile, chunk)| {
        let (start, count) = (tile * TILE, chunk.len() / dim);
        // Rows `start..` from the diagonal on: half of a square, and what is to the right of it.
        let chunk = MatMut::from_row_major_slice_mut(chunk, count, dim).subcols_mut(start, dim - start);
        let (square, right) = chunk.split_at_col_mut(count);
        let left = view.subcols(start, count);
        triangular::matmul(
            square,
            BlockStructure::TriangularUpper,
            Accum::Add,
            left.transpose(),
            BlockStructure::Rectangular,
            left,
            BlockStructure::Rectangular,
            1.0,
            Par::Seq,
        );
        let rest = dim - start - count;
        if rest > 0 {
            matmul(right, Accum::Add, left.transpose(), view.subcols(start + count, rest), 1.0, Par::Seq);
        }
        clean_registers();
    });
}

/// Copies the upper triangle onto the lower one.
pub(crate) fn mirror(matrix: &mut Array2<f64>) {
    let dim = matrix.nrows();
    // In tiles: a column of a large matrix touches a new page at every step.
    for top in (0..dim).step_by(TILE) {
        for left in (0..=top).step_by(TILE) {
            for i in top..(top + TILE).min(dim) {
                for j in left..(left + TILE).min(i) {
                    matrix[[i, j]] = matrix[[j, i]];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::s;

    fn waves(rows: usize, dim: usize) -> Array2<f64> {
        Array2::from_shape_fn((rows, dim), |(i, j)| ((3 * i + 7 * j) as f64).sin())
    }

    #[test]
    fn the_gram_matrix_is_the_product_whatever_the_size() {
        for dim in [1, 5, 127, 256, 257, 600] {
            let a = waves(40, dim);
            let difference = gram(a.view()) - a.t().dot(&a);
            assert!(difference.iter().all(|d| d.abs() < 1e-12), "dimension {dim}");
        }
    }

    #[test]
    fn blocks_add_up_to_the_whole() {
        let a = waves(90, 300);
        let mut sum = Array2::zeros((300, 300));
        [0..40, 40..41, 41..90].into_iter().for_each(|rows| add_upper_gram(&mut sum, a.slice(s![rows, ..])));
        mirror(&mut sum);
        assert!((sum - gram(a.view())).iter().all(|d| d.abs() < 1e-12));
    }
}
