//! New rows and training rows told apart by all columns together.

use ndarray::{Array1, Array2, ArrayView2, Axis, concatenate, s};

use super::rank::{normal_tail, ranks};
use crate::metric::auroc;
use crate::model::logistic::Logistic;

/// Rows of each kind that are looked at: beyond them any shift worth a word is plain, and time is not.
const ROWS: usize = 2000;
/// Rows of each kind in each half below which nothing can be told.
const LEAST: usize = 5;
/// Terms of the classifier above which products of columns are left out, and then columns too many for it.
const TERMS: usize = 120;

/// The AUROC of a classifier fitted on one half of the rows and asked on the other, and the chance of so large a one; for both
/// halves in turn. `None` where rows are too few, or columns too many.
///
/// What is asked has not been seen, so that its ranks are as likely in any order if the rows are exchangeable: the p-value is
/// that of Wilcoxon's test, whatever the classifier has learnt.
pub(super) fn tests(train: &Array2<f64>, new: &Array2<f64>) -> Option<[(f64, f64); 2]> {
    let (train, new) = (thinned(train), thinned(new));
    if train.nrows().min(new.nrows()) < 2 * LEAST || train.ncols() > TERMS {
        return None;
    }
    let all = concatenate(Axis(0), &[train.view(), new.view()]).ok()?;
    let terms = terms(&all);
    let is_new = |row: usize| row >= train.nrows();
    // Every other row of each kind, for neighbours in a table are alike.
    let half = |row: usize| if is_new(row) { (row - train.nrows()) % 2 } else { row % 2 };
    let part = |which: usize| -> (Array2<f64>, Vec<bool>) {
        let rows: Vec<usize> = (0..all.nrows()).filter(|&row| half(row) == which).collect();
        (terms.select(Axis(0), &rows), rows.iter().map(|&row| is_new(row)).collect())
    };
    let halves = [part(0), part(1)];
    let test = |fitted: usize| {
        let (x, kind) = &halves[1 - fitted];
        wilcoxon(kind, &Logistic::fit(&halves[fitted].0, &halves[fitted].1).log_odds(x))
    };
    Some([test(0), test(1)])
}

/// At most [`ROWS`] rows, evenly taken.
fn thinned(x: &Array2<f64>) -> ArrayView2<'_, f64> {
    x.slice(s![..;x.nrows().div_ceil(ROWS).max(1), ..])
}

/// The columns as ranks between −1 and 1, which no outlier bends, and the products of any two of them, which know how columns
/// go together.
fn terms(x: &Array2<f64>) -> Array2<f64> {
    let (rows, columns) = x.dim();
    let scaled = |column: ndarray::ArrayView1<f64>| -> Array1<f64> {
        ranks(&column.to_vec()).into_iter().map(|rank| (2.0 * rank - 1.0) / rows as f64 - 1.0).collect()
    };
    let mut terms: Vec<Array1<f64>> = x.columns().into_iter().map(scaled).collect();
    if columns + columns * (columns + 1) / 2 <= TERMS {
        for j in 0..columns {
            for k in 0..=j {
                terms.push(&terms[j] * &terms[k]);
            }
        }
    }
    let mut all = Array2::zeros((rows, terms.len()));
    all.columns_mut().into_iter().zip(terms).for_each(|(mut column, term)| column.assign(&term));
    all
}

/// The AUROC of a score, and its p-value by the normal limit of Wilcoxon's statistic, ties counted.
///
/// ```text
/// Var AUROC = ( N + 1 − Σ(t³ − t)/(N(N−1)) )/(12·P·M)      N = P + M,  t: the sizes of ties
/// ```
fn wilcoxon(positive: &[bool], score: &Array1<f64>) -> (f64, f64) {
    let Ok(area) = auroc(positive, score) else { return (0.5, 1.0) };
    let all = positive.len() as f64;
    let count = positive.iter().filter(|&&positive| positive).count() as f64;
    let mut sorted = score.to_vec();
    sorted.sort_by(f64::total_cmp);
    let cubes: f64 = sorted.chunk_by(|a, b| a == b).map(|tie| (tie.len() as f64).powi(3) - tie.len() as f64).sum();
    let variance = (all + 1.0 - cubes / (all * (all - 1.0))) / (12.0 * count * (all - count));
    (area, if variance > 0.0 { normal_tail((area - 0.5) / variance.sqrt()) } else { 1.0 })
}

#[cfg(test)]
mod check {
    use super::*;

    /// scipy.stats.mannwhitneyu([4, 5, 5, 9, 7], [1, 2, 5, 4, 3, 6], alternative='greater', method='asymptotic',
    /// use_continuity=False)
    #[test]
    fn the_p_value_is_that_of_scipy() {
        let positive: Vec<bool> = (0..11).map(|row| row < 5).collect();
        let score = ndarray::array![4.0, 5.0, 5.0, 9.0, 7.0, 1.0, 2.0, 5.0, 4.0, 3.0, 6.0];
        let (area, p) = wilcoxon(&positive, &score);
        assert!((area - 24.5 / 30.0).abs() < 1e-15 && (p - 0.03967184159885751).abs() < 1e-12, "{area}, {p}");
    }
}
