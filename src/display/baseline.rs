//! The paper's baselines.

use super::html::numbered;
use super::{Html, ROWS, Shown, show_in_cells};
use crate::baseline::{Predictive, Probabilistic};
use crate::model::Model;
use crate::wording::alike;

show_in_cells!(Probabilistic, Predictive);

impl Shown for Probabilistic {
    fn html(&self) -> Html {
        Html::titled(&format!("{} on {} features", self.baseline(), self.columns()))
            .words(self.notice())
            .note("states a mean and a deviation, and claims that the target is Gaussian; no guarantee")
    }
}

impl Shown for Predictive {
    fn html(&self) -> Html {
        let count = self.mean.len();
        let first: Vec<[f64; 2]> =
            self.mean.iter().zip(&self.deviation).take(ROWS).map(|(&mean, &deviation)| [mean, deviation]).collect();
        let rows = alike(&first).into_iter().enumerate().map(|(row, numbers)| numbered(row, numbers));
        let html =
            Html::titled(&format!("mean and standard deviation of the target at {count} points, noise included"))
                .table(&["row", "mean", "deviation"], rows);
        if count > ROWS { html.note(&format!("and {} more rows", count - ROWS)) } else { html }
    }
}
