//! Matrix products of the shapes that networks have.

use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2, Axis};

/// out += a·b.
///
/// A network with one output multiplies by single columns and rows, for which a matrix kernel spends its time on
/// packing: those are done as sums of rows.
pub(crate) fn add_matrix_product(a: ArrayView2<f64>, b: ArrayView2<f64>, mut out: ArrayViewMut2<f64>) {
    if b.ncols() == 1 {
        let mut column = out.index_axis_mut(Axis(1), 0);
        let b = b.index_axis(Axis(1), 0);
        column.iter_mut().zip(a.rows()).for_each(|(out, row)| *out += row.dot(&b));
    } else if a.nrows() == 1 {
        let mut row = out.index_axis_mut(Axis(0), 0);
        a.iter().zip(b.rows()).for_each(|(&a, b)| row.scaled_add(a, &b));
    } else if b.nrows() == 1 {
        let b = b.index_axis(Axis(0), 0);
        out.rows_mut().into_iter().zip(a.iter()).for_each(|(mut row, &a)| row.scaled_add(a, &b));
    } else {
        general_mat_mul(1.0, &a, &b, 1.0, &mut out);
    }
}
