//! Leave-one-out models, and how far they can be trusted.

use super::html::numbered;
use super::{Html, ROWS, Shown, show_in_cells};
use crate::leave_one_out::{Agreement, Fidelity, LeaveOneOut, Stopped, Trust};
use crate::metric::interpolation::interpolated;
use crate::wording::{alike, short};

show_in_cells!(LeaveOneOut, Trust, Fidelity, Stopped);

impl Shown for LeaveOneOut {
    fn html(&self) -> Html {
        let (left_out, seen) = (self.residuals().to_vec(), self.in_sample_residuals().to_vec());
        let row = |name: &str, residuals: &[f64]| {
            let mean = residuals.iter().sum::<f64>() / residuals.len() as f64;
            let levels = [0.5, 0.9, 1.0].map(|level| interpolated(residuals, level));
            std::iter::once(name.to_string()).chain([mean].into_iter().chain(levels).map(short)).collect()
        };
        let rows: [Vec<String>; 2] = [row("on rows left out", &left_out), row("on rows seen", &seen)];
        let title = Html::titled(&format!("{} leave-one-out models by {}", self.len(), self.engine()));
        let html = match self.trust() {
            Some(trust) => trust.warned(title),
            None => title,
        };
        let html = html.table(&["|y − f(x)|, in units of the target", "mean", "median", "90 %", "largest"], rows);
        let html = match self.trust() {
            Some(trust) => trust.told(html),
            None => html,
        };
        self.notes().iter().fold(html, |html, note| html.note(note))
    }
}

impl Shown for Stopped {
    fn html(&self) -> Html {
        let title = format!("Trained for {} epochs, where the tangent errs least on rows left out", self.epochs());
        let row = |(epochs, press): &(usize, f64)| vec![epochs.to_string(), short(*press)];
        Html::titled(&title).table(&["epochs", "mean squared left-out error"], self.stages.iter().map(row))
    }
}

impl Trust {
    /// The warning first, then everything.
    pub(super) fn onto(&self, html: Html) -> Html {
        self.told(self.warned(html))
    }

    fn warned(&self, html: Html) -> Html {
        match self.warning() {
            Some(warning) => html.warning(&warning),
            None => html,
        }
    }

    /// Adds what there is to say; the rows that miss something are named.
    fn told(&self, html: Html) -> Html {
        let html = html.facts(self.facts());
        let flagged = self.flagged();
        match flagged.len() {
            0 => html,
            count => {
                let shown: Vec<String> = flagged.iter().take(ROWS).map(usize::to_string).collect();
                let more = if count > ROWS { ", …" } else { "" };
                html.warning(&format!(
                    "{count} of {} rows miss more than a tenth of their residual (rows {}{more}): refit these with refit_flagged",
                    self.ratios().len(),
                    shown.join(", ")
                ))
            }
        }
    }

    /// Every sign, its number and what it means.
    fn facts(&self) -> Vec<(&'static str, String)> {
        let ratios = self.ratios().to_vec();
        let damping = match self.damping_raised() {
            true => format!("{}, raised because the Hessian is not positive definite", short(self.damping())),
            false => short(self.damping()),
        };
        let pivot = self.smallest_pivot().map_or("not reported by this engine".into(), short);
        let mut facts = vec![
            ("damping D in H + D·I", damping),
            ("gradient norm at θ̂", format!("{} (0 at a minimum)", short(self.gradient_norm()))),
            ("gradient over its noise", format!("{} (above 3 it is no minimum)", short(self.start().noise_ratio))),
            ("error over the deviation of the target", short(self.start().misfit)),
            ("smallest pivot of H + D·I", pivot),
            (
                "series ratio",
                format!(
                    "median {}, largest {} (below 1 the series shrinks)",
                    short(interpolated(&ratios, 0.5)),
                    short(interpolated(&ratios, 1.0))
                ),
            ),
            ("rows that miss more than a tenth", format!("{} of {}", self.flagged().len(), ratios.len())),
        ];
        if let Some(leverages) = self.leverages() {
            facts.push(("largest leverage", short(interpolated(&leverages.to_vec(), 1.0))));
        }
        // A factorisation has nothing to add.
        facts.extend(self.solving().map(|words| ("solver", words)));
        facts
    }
}

impl Shown for Trust {
    fn html(&self) -> Html {
        self.onto(Html::titled("how far these leave-one-out models can be trusted"))
    }
}

impl Shown for Fidelity {
    fn html(&self) -> Html {
        let pairs: Vec<[f64; 2]> =
            self.claimed.iter().zip(&self.refitted).map(|(&claimed, &refit)| [claimed, refit]).collect();
        let rows = self.rows.iter().zip(alike(&pairs)).zip(&pairs).map(|((&row, written), [claimed, refit])| {
            let mut cells = numbered(row, written);
            cells.push(short(claimed - refit));
            cells
        });
        let html = Html::titled("left-out predictions without refitting, against real refits")
            .table(&["row", "as claimed", "by refit", "difference"], rows);
        let sentence = format!("{self:?}");
        match self.agreement() {
            Agreement::Poor => html.warning(&sentence),
            _ => html.words(&sentence),
        }
    }
}
