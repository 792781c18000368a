//! A symmetric matrix that is not positive definite, factorised all the same.
//!
//! Nothing in the crate asks for this but the rebuilding of the paper ([`crate::paper`]), whose authors
//! inverted such Hessians: everywhere else the damping is raised until a [`Cholesky`](crate::factor::Cholesky) exists.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::lblt;
use faer::perm::Perm;
use faer::{Conj, Mat, MatMut, Par};
use ndarray::Array2;

use crate::factor::clean_registers;

/// H = P·L·B·Lᵀ·Pᵀ with blocks of one or two rows on the diagonal of B (Bunch and Kaufman 1977).
pub(crate) struct Indefinite {
    lower: Mat<f64>,
    diagonal: faer::diag::Diag<f64>,
    below: faer::diag::Diag<f64>,
    order: Perm<usize>,
}

impl Indefinite {
    /// Factorises a symmetric matrix, of which only the upper triangle is read; on one thread, whatever the size.
    pub(crate) fn new(matrix: &Array2<f64>) -> Self {
        let dim = matrix.nrows();
        let mut lower = Mat::from_fn(dim, dim, |i, j| if i >= j { matrix[[j, i]] } else { 0.0 });
        let (mut diagonal, mut below) = (faer::diag::Diag::zeros(dim), faer::diag::Diag::zeros(dim));
        let (mut forward, mut backward) = (vec![0; dim], vec![0; dim]);
        let scratch = lblt::factor::cholesky_in_place_scratch::<usize, f64>(dim, Par::Seq, Default::default());
        lblt::factor::cholesky_in_place(
            lower.as_mut(),
            below.as_mut(),
            &mut forward,
            &mut backward,
            Par::Seq,
            MemStack::new(&mut MemBuffer::new(scratch)),
            Default::default(),
        );
        clean_registers();
        for j in 0..dim {
            diagonal.column_vector_mut()[j] = lower[(j, j)];
            lower[(j, j)] = 1.0;
        }
        let order = Perm::new_checked(forward.into_boxed_slice(), backward.into_boxed_slice(), dim);
        Self { lower, diagonal, below, order }
    }

    /// How many eigenvalues of H are negative: as many as B has (Sylvester's law of inertia).
    pub(crate) fn negative(&self) -> usize {
        let (diagonal, below) = (self.diagonal.column_vector(), self.below.column_vector());
        let (mut negative, mut j) = (0, 0);
        while j < diagonal.nrows() {
            if below[j] == 0.0 {
                negative += usize::from(diagonal[j] < 0.0);
                j += 1;
                continue;
            }
            let (trace, product) = (diagonal[j] + diagonal[j + 1], diagonal[j] * diagonal[j + 1] - below[j].powi(2));
            negative += if product < 0.0 { 1 } else { 2 * usize::from(trace < 0.0) };
            j += 2;
        }
        negative
    }

    /// Solves H·z = b for each row b of `rows`, in place.
    pub(crate) fn solve_rows(&self, rows: &mut Array2<f64>) {
        let (count, dim) = rows.dim();
        let mut cells = rows.as_standard_layout().into_owned().into_raw_vec_and_offset().0;
        let scratch = lblt::solve::solve_in_place_scratch::<usize, f64>(dim, count, Par::Seq);
        lblt::solve::solve_in_place_with_conj(
            self.lower.as_ref(),
            self.diagonal.as_ref(),
            self.below.as_ref(),
            Conj::No,
            self.order.as_ref(),
            MatMut::from_column_major_slice_mut(&mut cells, dim, count),
            Par::Seq,
            MemStack::new(&mut MemBuffer::new(scratch)),
        );
        clean_registers();
        rows.iter_mut().zip(cells).for_each(|(cell, value)| *cell = value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    /// Diagonal with a reflection around it: eigenvalues known, entries not.
    fn turned(eigenvalues: &[f64]) -> Array2<f64> {
        let dim = eigenvalues.len();
        let norm: f64 = (1..=dim).map(|k| (k * k) as f64).sum();
        let reflection = Array2::from_shape_fn((dim, dim), |(i, j)| {
            f64::from(u8::from(i == j)) - 2.0 * ((i + 1) * (j + 1)) as f64 / norm
        });
        let diagonal = Array2::from_diag(&ndarray::Array1::from(eigenvalues.to_vec()));
        reflection.dot(&diagonal).dot(&reflection)
    }

    #[test]
    fn the_negative_eigenvalues_are_counted() {
        for negatives in [0, 1, 40, 99, 100] {
            let eigenvalues: Vec<f64> =
                (0..100).map(|k| if k < negatives { -1.0 - k as f64 } else { 0.5 + k as f64 }).collect();
            assert_eq!(Indefinite::new(&turned(&eigenvalues)).negative(), negatives);
        }
        // The smallest matrix that needs a block of two rows.
        assert_eq!(Indefinite::new(&array![[0.0, 1.0], [1.0, 0.0]]).negative(), 1);
    }

    #[test]
    fn it_solves_where_a_cholesky_factor_does_not_exist() {
        let eigenvalues: Vec<f64> = (0..150).map(|k| if k % 3 == 0 { -2.0 } else { 1.0 + k as f64 }).collect();
        let matrix = turned(&eigenvalues);
        assert!(crate::factor::Cholesky::new(matrix.clone()).is_none());
        let right = Array2::from_shape_fn((5, 150), |(i, j)| ((3 * i + j) as f64).cos());
        let mut found = right.clone();
        Indefinite::new(&matrix).solve_rows(&mut found);
        assert!((found.dot(&matrix) - right).iter().all(|d| d.abs() < 1e-11));
    }
}
