//! Columns that a careful reader looks at twice: indices, identifiers, copies of one another, and what gives the target away.

use std::collections::HashSet;

use ndarray::{Array2, ArrayView1, Axis};
use ndarray_stats::CorrelationExt;

use crate::wording::fixed;

/// Names of columns that number the rows.
const INDICES: [&str; 16] = [
    "",
    "index",
    "idx",
    "id",
    "row",
    "rows",
    "rowname",
    "rownames",
    "row_names",
    "row.names",
    "rownumber",
    "no",
    "nr",
    "obs",
    "observation",
    "unnamed: 0",
];
/// 1 − r² below which a column is said to be the target in other units.
const LEFT_OPEN: f64 = 1e-10;
/// Fewer rows may lie on a line by chance.
const LEAST: usize = 10;
/// The correlation from which on two columns are told to be nearly one.
const COLLINEAR: f64 = 0.999;
/// Rows and columns beyond which correlations are of some only.
const ROWS: usize = 5000;
const COLUMNS: usize = 300;
/// Pairs that are told one by one.
const PAIRS: usize = 5;

/// Whether a name is one that indices have.
pub(super) fn is_index_name(name: &str) -> bool {
    let name = name.trim_matches('_').to_ascii_lowercase();
    INDICES.contains(&name.as_str()) || name.starts_with("index_level") || is_identifier_name(&name)
}

/// Whether a name says that the column tells things apart.
pub(super) fn is_identifier_name(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let camel = name.ends_with("ID") && name.len() > 2 || name.ends_with("Id") && name.len() > 2;
    lower == "id" || camel || ["_id", ".id", " id", "-id"].iter().any(|end| lower.ends_with(end))
}

/// Whether a name says that the column is a time.
pub(super) fn is_time_name(name: &str) -> bool {
    ["time", "year", "date", "yr", "day"].contains(&name.to_ascii_lowercase().as_str())
}

/// Whether the numbers count the rows, from 0 or from 1.
pub(super) fn counts_rows(values: &[f64]) -> bool {
    let starts = values.first().is_some_and(|&first| first == 0.0 || first == 1.0);
    starts && values.len() > 2 && values.windows(2).all(|pair| pair[1] == pair[0] + 1.0)
}

/// Whether the numbers are whole.
pub(super) fn are_whole(values: &[f64]) -> bool {
    values.iter().all(|value| value.fract() == 0.0)
}

/// Whether no number comes twice.
pub(super) fn are_distinct(values: &[f64]) -> bool {
    let mut seen = HashSet::new();
    values.iter().all(|value| seen.insert(value.to_bits()))
}

/// Whether the numbers never fall, or never rise, and are more than two.
pub(super) fn are_in_order(values: &[f64]) -> bool {
    let rising = values.windows(2).all(|pair| pair[0] <= pair[1]);
    let falling = values.windows(2).all(|pair| pair[0] >= pair[1]);
    let different: HashSet<u64> = values.iter().map(|value| value.to_bits()).collect();
    (rising || falling) && different.len() > 2
}

/// Whether a column is the target, as it is or in other units.
pub(super) fn gives_away(values: &[f64], target: &[f64]) -> bool {
    if values == target {
        return true;
    }
    if values.len() < LEAST || values.iter().any(|value| value.is_nan()) {
        return false;
    }
    let mut both = Array2::zeros((2, values.len()));
    for (mut row, column) in both.rows_mut().into_iter().zip([values, target]) {
        // In units that do not overflow when four of them are multiplied.
        let largest = column.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        row.assign(&ArrayView1::from(column));
        row /= if largest > 0.0 { largest } else { 1.0 };
    }
    let r = both.pearson_correlation().map_or(f64::NAN, |r| r[[0, 1]]);
    r.is_finite() && 1.0 - r * r < LEFT_OPEN
}

/// One line for each pair of columns that are equal or nearly so, of those named.
pub(super) fn alike(x: &Array2<f64>, features: &[(usize, &str)]) -> Vec<String> {
    let features = &features[..features.len().min(COLUMNS)];
    let step = x.nrows().div_ceil(ROWS).max(1);
    let rows: Vec<usize> = (0..x.nrows()).step_by(step).collect();
    if rows.len() < LEAST || features.len() < 2 {
        return Vec::new();
    }
    let places: Vec<usize> = features.iter().map(|(place, _)| *place).collect();
    let mut columns =
        x.select(Axis(1), &places).select(Axis(0), &rows).reversed_axes().as_standard_layout().into_owned();
    for mut row in columns.rows_mut() {
        let largest = row.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        row /= if largest > 0.0 { largest } else { 1.0 };
    }
    let Ok(r) = columns.pearson_correlation() else { return Vec::new() };
    let (mut told, mut more) = (Vec::new(), 0);
    for later in 1..features.len() {
        let mut earlier = (0..later).filter(|&earlier| r[[earlier, later]].abs() > COLLINEAR);
        let Some(first) = earlier.next() else { continue };
        let (a, b) = (features[first], features[later]);
        if told.len() == PAIRS {
            more += 1;
        } else if x.column(a.0) == x.column(b.0) {
            told.push(format!("`{}` repeats `{}`: leave one out by --drop", b.1, a.1));
        } else {
            // 0.99996 is not 1.
            let r = (r[[first, later]] * 1e4).trunc() / 1e4;
            told.push(format!("`{}` is nearly a line in `{}`: their correlation is {}", b.1, a.1, fixed(r, 4)));
        }
    }
    if more > 0 {
        told.push(format!("so are {more} more columns of others"));
    }
    told
}
