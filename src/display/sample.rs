//! A sample: what the columns are called, where they lie, and what was done to them on their way in.

use ndarray::ArrayView1;

use super::{Html, Shown, show_in_cells};
use crate::metric::interpolation::interpolated;
use crate::sample::Sample;
use crate::wording::short;

show_in_cells!(Sample);

/// Features that are listed.
const FEATURES: usize = 16;

impl Shown for Sample {
    fn html(&self) -> Html {
        let columns = self.features().iter().zip(self.x().columns()).take(FEATURES);
        let mut rows = vec![summary(self.target(), "target", self.y().view())];
        rows.extend(columns.map(|(name, column)| summary(name, "feature", column)));
        let title = format!("{} rows, {} features, target {}", self.len(), self.columns(), self.target());
        let mut html = Html::titled(&title).table(&["column", "", "smallest", "median", "mean", "largest"], rows);
        if self.columns() > FEATURES {
            html = html.note(&format!("and {} more features", self.columns() - FEATURES));
        }
        self.notices().iter().fold(html, |html, notice| html.note(notice))
    }
}

fn summary(name: &str, role: &str, values: ArrayView1<f64>) -> Vec<String> {
    let values = values.to_vec();
    let (low, high) =
        values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| (low.min(value), high.max(value)));
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let numbers = [low, interpolated(&values, 0.5), mean, high].map(short);
    [name.to_string(), role.to_string()].into_iter().chain(numbers).collect()
}
