//! The paper's baselines.

use super::{Html, ROWS, Shown, show_in_cells};
use crate::baseline::{Predictive, Probabilistic};
use crate::figure::short;
use crate::model::Model;

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
        let rows = (self.mean.iter().zip(&self.deviation).take(ROWS).enumerate())
            .map(|(row, (&mean, &deviation))| vec![row.to_string(), short(mean), short(deviation)]);
        let html =
            Html::titled(&format!("mean and standard deviation of the target at {count} points, noise included"))
                .table(&["row", "mean", "deviation"], rows);
        if count > ROWS { html.note(&format!("and {} more rows", count - ROWS)) } else { html }
    }
}
