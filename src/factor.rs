//! Factorisations: the only module that knows faer.
//!
//! Work is cut into pieces whose sizes do not depend on the number of threads, and each piece is done by one
//! thread: the same numbers on any machine with the same instruction set, whatever its cores.

mod gram;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt;
use faer::linalg::evd::{self, ComputeEigenvectors};
use faer::linalg::matmul::matmul;
use faer::linalg::svd::{self, ComputeSvdVectors};
use faer::{Accum, Mat, MatMut, MatRef, Par};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use rayon::prelude::*;

pub(crate) use gram::{add_upper_gram, gram, mirror, upper_gram};

/// Rows of a product and right-hand sides that one thread takes at a time.
const TILE: usize = 128;
/// From this size on a factorisation is worth several threads.
const LARGE: usize = 512;

/// H = L·Lᵀ, ready to solve with.
pub(crate) struct Cholesky {
    /// L, column by column; the other triangle is of no use.
    lower: Vec<f64>,
    dim: usize,
}

impl Cholesky {
    /// Factorises a symmetric matrix, of which only the upper triangle is read; `None` if it is not positive
    /// definite.
    pub(crate) fn new(matrix: Array2<f64>) -> Option<Self> {
        let dim = matrix.nrows();
        // The rows of the upper triangle are the columns of the lower one: the layouts agree without a copy.
        let mut lower = matrix.into_raw_vec_and_offset().0;
        let par = if dim >= LARGE { Par::rayon(0) } else { Par::Seq };
        let scratch = llt::factor::cholesky_in_place_scratch::<f64>(dim, par, Default::default());
        let outcome = llt::factor::cholesky_in_place(
            MatMut::from_column_major_slice_mut(&mut lower, dim, dim),
            Default::default(),
            par,
            MemStack::new(&mut MemBuffer::new(scratch)),
            Default::default(),
        );
        clean_registers();
        let factor = Self { lower, dim };
        (outcome.is_ok() && factor.smallest_pivot() > 0.0).then_some(factor)
    }

    /// Solves H·z = b for each row b of `rows`, in place.
    pub(crate) fn solve_rows(&self, rows: &mut Array2<f64>) {
        let dim = self.dim;
        if !rows.is_standard_layout() {
            *rows = rows.as_standard_layout().into_owned();
        }
        let lower = MatRef::from_column_major_slice(&self.lower, dim, dim);
        let cells = rows.as_slice_mut().expect("standard layout");
        cells.par_chunks_mut((TILE * dim).max(1)).for_each(|cells| {
            let count = cells.len() / dim;
            let scratch = llt::solve::solve_in_place_scratch::<f64>(dim, count, Par::Seq);
            llt::solve::solve_in_place(
                lower,
                MatMut::from_column_major_slice_mut(cells, dim, count),
                Par::Seq,
                MemStack::new(&mut MemBuffer::new(scratch)),
            );
            clean_registers();
        });
    }

    /// Solves H·z = b.
    pub(crate) fn solve(&self, b: ArrayView1<f64>) -> Array1<f64> {
        let mut rows = b.to_owned().insert_axis(ndarray::Axis(0));
        self.solve_rows(&mut rows);
        rows.remove_axis(ndarray::Axis(0))
    }

    /// The smallest squared diagonal entry of L: how far from singular H is.
    pub(crate) fn smallest_pivot(&self) -> f64 {
        let diagonal = (0..self.dim).map(|j| self.lower[j * self.dim + j]);
        diagonal.fold(f64::INFINITY, |least, pivot| if pivot >= 0.0 { least.min(pivot * pivot) } else { f64::NAN })
    }
}

/// A = U·diag(s)·Vᵀ with the singular values in falling order.
pub(crate) struct Svd {
    /// rows × r.
    pub(crate) u: Array2<f64>,
    /// r = min(rows, columns) values.
    pub(crate) s: Array1<f64>,
    /// columns × r.
    pub(crate) v: Array2<f64>,
}

/// The thin singular value decomposition; `None` if the iteration fails.
pub(crate) fn thin_svd(a: ArrayView2<f64>) -> Option<Svd> {
    let (rows, columns) = a.dim();
    let rank = rows.min(columns);
    let a = a.as_standard_layout();
    let view = MatRef::from_row_major_slice(a.as_slice().expect("standard layout"), rows, columns);
    let (mut u, mut v) = (Mat::zeros(rows, rank), Mat::zeros(columns, rank));
    let mut s = faer::diag::Diag::zeros(rank);
    let thin = ComputeSvdVectors::Thin;
    let scratch = svd::svd_scratch::<f64>(rows, columns, thin, thin, Par::Seq, Default::default());
    let outcome = svd::svd(
        view,
        s.as_mut(),
        Some(u.as_mut()),
        Some(v.as_mut()),
        Par::Seq,
        MemStack::new(&mut MemBuffer::new(scratch)),
        Default::default(),
    );
    clean_registers();
    outcome.ok()?;
    let array = |matrix: &Mat<f64>| Array2::from_shape_fn((matrix.nrows(), matrix.ncols()), |(i, j)| matrix[(i, j)]);
    Some(Svd { u: array(&u), s: (0..rank).map(|j| s.column_vector()[j]).collect(), v: array(&v) })
}

/// A = V·diag(λ)·Vᵀ of a symmetric matrix, the eigenvalues falling.
pub(crate) struct Eigen {
    pub(crate) values: Array1<f64>,
    /// One column for each value.
    pub(crate) vectors: Array2<f64>,
}

/// The eigenvalues and eigenvectors of a symmetric matrix; `None` if the iteration fails.
pub(crate) fn symmetric_eigen(matrix: &Array2<f64>) -> Option<Eigen> {
    let dim = matrix.nrows();
    let matrix = matrix.as_standard_layout();
    let view = MatRef::from_row_major_slice(matrix.as_slice().expect("standard layout"), dim, dim);
    let mut vectors = Mat::zeros(dim, dim);
    let mut values = faer::diag::Diag::zeros(dim);
    let scratch = evd::self_adjoint_evd_scratch::<f64>(dim, ComputeEigenvectors::Yes, Par::Seq, Default::default());
    let outcome = evd::self_adjoint_evd(
        view,
        values.as_mut(),
        Some(vectors.as_mut()),
        Par::Seq,
        MemStack::new(&mut MemBuffer::new(scratch)),
        Default::default(),
    );
    clean_registers();
    outcome.ok()?;
    // They come rising.
    let last = dim.wrapping_sub(1);
    Some(Eigen {
        values: (0..dim).map(|k| values.column_vector()[last - k]).collect(),
        vectors: Array2::from_shape_fn((dim, dim), |(i, k)| vectors[(i, last - k)]),
    })
}

/// A·B, in tiles of rows that do not depend on the number of threads.
pub(crate) fn product(a: ArrayView2<f64>, b: ArrayView2<f64>) -> Array2<f64> {
    let (rows, inner, columns) = (a.nrows(), a.ncols(), b.ncols());
    let mut out = Array2::<f64>::zeros((rows, columns));
    if rows == 0 || columns == 0 || inner == 0 {
        return out;
    }
    let (a, b) = (a.as_standard_layout(), b.as_standard_layout());
    let (a, b) = (a.as_slice().expect("standard layout"), b.as_slice().expect("standard layout"));
    let right = MatRef::from_row_major_slice(b, inner, columns);
    let out_cells = out.as_slice_mut().expect("standard layout");
    out_cells.par_chunks_mut(TILE * columns).zip(a.par_chunks(TILE * inner)).for_each(|(out, a)| {
        let count = a.len() / inner;
        let left = MatRef::from_row_major_slice(a, count, inner);
        matmul(MatMut::from_row_major_slice_mut(out, count, columns), Accum::Replace, left, right, 1.0, Par::Seq);
        clean_registers();
    });
    out
}

/// A·Bᵀ on one thread: for work that is parallel outside. `out` has the rows of A, one after
/// the other.
pub(crate) fn product_with_rows(a: ArrayView2<f64>, b: ArrayView2<f64>, out: &mut [f64]) {
    let (rows, columns, inner) = (a.nrows(), b.nrows(), a.ncols());
    if rows == 0 || columns == 0 || inner == 0 {
        return out.fill(0.0);
    }
    let (a, b) = (a.as_standard_layout(), b.as_standard_layout());
    let left = MatRef::from_row_major_slice(a.as_slice().expect("standard layout"), rows, inner);
    let right = MatRef::from_row_major_slice(b.as_slice().expect("standard layout"), columns, inner);
    let out = MatMut::from_row_major_slice_mut(out, rows, columns);
    matmul(out, Accum::Replace, left, right.transpose(), 1.0, Par::Seq);
    clean_registers();
}

/// faer's kernels leave the upper halves of the vector registers dirty, and every later `tanh` or `exp` of the
/// standard library then takes ten times as long. One instruction cures it.
#[allow(unsafe_code, reason = "the processor has been asked for the instruction")]
pub(crate) fn clean_registers() {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx") {
        // SAFETY: the instruction only clears the upper halves of registers, and the processor has it.
        unsafe { zero_upper() }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
fn zero_upper() {
    std::arch::x86_64::_mm256_zeroupper();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A symmetric matrix with entries between −1 and 1 and the given diagonal.
    fn symmetric(dim: usize, diagonal: f64) -> Array2<f64> {
        Array2::from_shape_fn((dim, dim), |(i, j)| {
            let (low, high) = (i.min(j) as f64, i.max(j) as f64);
            if i == j { diagonal } else { (12.9898 * low + 78.233 * high).sin() }
        })
    }

    #[test]
    fn a_factor_solves_whatever_the_size() {
        for dim in [1, 7, 130, 300, 1600] {
            let matrix = symmetric(dim, 2.0 * dim as f64);
            let factor = Cholesky::new(matrix.clone()).expect("diagonally dominant");
            let b = Array1::from_shape_fn(dim, |i| (i as f64).cos());
            let residual = matrix.dot(&factor.solve(b.view())) - &b;
            assert!(residual.iter().all(|r| r.abs() < 1e-12), "dimension {dim}");
        }
    }

    #[test]
    fn an_indefinite_matrix_has_no_factor() {
        assert!([1, 7, 130, 300, 1600].into_iter().all(|dim| Cholesky::new(symmetric(dim, -0.5)).is_none()));
    }

    #[test]
    fn eigenvectors_put_the_matrix_together_again() {
        for dim in [1, 2, 7, 60] {
            let matrix = symmetric(dim, 1.0);
            let Eigen { values, vectors } = symmetric_eigen(&matrix).unwrap();
            assert!(values.windows(2).into_iter().all(|pair| pair[0] >= pair[1]));
            let again = product((&vectors * &values).view(), vectors.t());
            assert!((again - matrix).iter().all(|d| d.abs() < 1e-12 * dim as f64), "dimension {dim}");
        }
    }

    #[test]
    fn the_numbers_do_not_depend_on_the_threads() {
        let a = Array2::from_shape_fn((60, 1700), |(i, j)| ((3 * i + 7 * j) as f64).sin());
        let work = || {
            let mut matrix = gram(a.view());
            matrix.diag_mut().mapv_inplace(|d| d + 1.0);
            let mut rows = a.clone();
            Cholesky::new(matrix).expect("positive definite").solve_rows(&mut rows);
            rows
        };
        let on = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work);
        assert_eq!(on(1), on(2));
        assert_eq!(on(1), on(3));
    }
}
