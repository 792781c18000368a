//! An audit: every method in a line, then in words.

use super::{Html, Shown, show_in_cells};
use crate::audit::table::Mean;
use crate::audit::{Audit, AuditTable, Check, Row, Summary};
use crate::wording::{percent, short};

show_in_cells!(AuditTable, Audit, Check, Row);

/// The columns of [`audit_line`].
pub(crate) const AUDIT_HEADINGS: [&str; 8] = [
    "method",
    "coverage (95 % interval)",
    "mean width",
    "average precision",
    "AUROC",
    "interval score",
    "RMSE",
    "seconds",
];

/// One method's numbers: ± is one standard error over the splits.
pub(crate) fn audit_line(row: &Row) -> Vec<String> {
    let Summary { coverage, width, average_precision, auroc, interval_score, rmse, seconds, .. } = row.summary();
    let mean = |mean: Option<Mean>| mean.map_or("–".into(), with_error);
    let share = |mean: Option<Mean>| mean.map_or("–".into(), |mean| format!("{:.3} ± {:.3}", mean.value, mean.error));
    vec![
        row.name(),
        coverage.map_or("failed".into(), |coverage| coverage.to_string()),
        mean(width),
        share(average_precision),
        share(auroc),
        mean(interval_score),
        mean(rmse),
        seconds.map_or("–".into(), |mean| format!("{:.2}", mean.value)),
    ]
}

/// The mean with as many digits as its error leaves.
fn with_error(Mean { value, error }: Mean) -> String {
    if !(error > 0.0 && error.is_finite() && value.is_finite()) {
        return short(value);
    }
    let decimals = (1.0 - error.log10().floor()).clamp(0.0, 8.0) as usize;
    format!("{value:.decimals$} ± {error:.decimals$}")
}

impl Shown for AuditTable {
    fn html(&self) -> Html {
        let alpha = self.audit().alpha;
        let promised = percent(1.0 - alpha);
        let title = format!("Audit of {}: {promised} promised, {} splits", self.name(), self.audit().splits);
        let mut html = Html::titled(&title).table(&AUDIT_HEADINGS, self.rows().iter().map(audit_line));
        if let Some((_, prevalence)) = self.rows().iter().find_map(Row::discrimination) {
            html = html.note(&format!(
                "Average precision: how well the width finds the largest tenth of the errors; chance is {}. \
                 ± is one standard error over the splits.",
                short(prevalence)
            ));
        }
        if !self.checks().is_empty() {
            html = html.table(&CHECK_HEADINGS, self.checks().iter().map(check_line));
        }
        let verdicts = self.rows().iter().map(|row| vec![row.name(), row.verdict(alpha)]);
        self.rows().iter().fold(html.table(&["method", "in words"], verdicts), failures)
    }
}

const CHECK_HEADINGS: [&str; 6] =
    ["leave-one-out models by", "damping", "gradient norm", "smallest pivot", "not converging", "against refits"];

/// One engine's signs and its fidelity.
fn check_line(check: &Check) -> Vec<String> {
    let trust = &check.trust;
    let fidelity = match &check.fidelity {
        Ok(fidelity) => {
            let word = format!("{:?}", fidelity.agreement()).to_lowercase();
            format!("{word}: differ by {} of the residuals", percent(fidelity.relative_rmse))
        }
        Err(_) => "the refits failed".into(),
    };
    vec![
        check.engine.to_string(),
        short(trust.damping()),
        short(trust.gradient_norm()),
        trust.smallest_pivot().map_or("–".into(), short),
        format!("{} of {} rows", trust.flagged().len(), trust.ratios().len()),
        fidelity,
    ]
}

fn failures(html: Html, row: &Row) -> Html {
    let failures = row.failures().iter();
    failures.fold(html, |html, (split, error)| {
        html.warning(&format!("{} failed on split {}: {error}", row.name(), split + 1))
    })
}

impl Shown for Row {
    fn html(&self) -> Html {
        let facts = AUDIT_HEADINGS.into_iter().zip(audit_line(self)).skip(1);
        failures(Html::titled(&format!("{} on {} splits", self.name(), self.runs().len())).facts(facts), self)
    }
}

impl Shown for Audit {
    fn html(&self) -> Html {
        Html::titled("what is audited, and how").facts(self.facts())
    }
}

impl Shown for Check {
    fn html(&self) -> Html {
        let html = Html::titled(&format!("leave-one-out models by {} (behind {})", self.engine, self.names()));
        let html = self.trust.onto(html);
        match &self.fidelity {
            Ok(fidelity) => html.words(&format!("Against real refits: {fidelity:?}.")),
            Err(error) => html.warning(&format!("The refits to compare with failed: {error}")),
        }
    }
}
