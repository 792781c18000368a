//! An audit: every method in a line, then in words.

use super::{Html, Shown, show_in_cells};
use crate::audit::{Audit, AuditTable, Check, Mean, Row, Run, Summary};
use crate::leave_one_out::Trust;
use crate::metric::Discrimination;
use crate::wording::{percent, short};

show_in_cells!(AuditTable, Audit, Check, Row, Run);

/// The columns of [`audit_line`].
pub(crate) const AUDIT_HEADINGS: [&str; 10] = [
    "method",
    "coverage (95 % interval)",
    "mean width",
    "average precision (95 % interval)",
    "chance",
    "p",
    "AUROC",
    "interval score",
    "RMSE",
    "seconds",
];

/// One method's numbers: ± is one standard error over the rows.
pub(crate) fn audit_line(row: &Row) -> Vec<String> {
    let Some(Summary { coverage, width, discrimination, interval_score, rmse, seconds, .. }) = row.summary() else {
        let blank = vec!["–".to_string(); AUDIT_HEADINGS.len() - 2];
        return [row.name(), "failed".into()].into_iter().chain(blank).collect();
    };
    let ranked = |get: fn(&Discrimination) -> String| discrimination.as_ref().map_or("–".into(), get);
    vec![
        row.name(),
        coverage.to_string(),
        with_error(*width),
        ranked(|d| format!("{:.3} ({:.3} to {:.3})", d.average_precision, d.low, d.high)),
        ranked(|d| format!("{:.3}", d.chance)),
        ranked(|d| short(d.p)),
        ranked(|d| format!("{:.3}", d.auroc)),
        with_error(*interval_score),
        with_error(*rmse),
        format!("{seconds:.2}"),
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

impl AuditTable {
    /// The legend of the columns, with what ± is.
    pub(crate) fn note(&self) -> String {
        let legend = self.legend();
        let target = self.target();
        format!(
            "{legend}. ± is one standard error over the rows. Width, interval score and RMSE are in units of {target}."
        )
    }
}

impl Shown for AuditTable {
    fn html(&self) -> Html {
        let asked = percent(1.0 - self.audit().alpha);
        let title = format!("Audit of {}: {asked} asked for, {}", self.name(), self.audit().how_tested());
        let mut html = Html::titled(&title);
        html = self.warnings().iter().fold(html, |html, warning| html.warning(warning));
        html = html.table(&AUDIT_HEADINGS, self.rows().iter().map(audit_line)).note(&self.note());
        if !self.checks().is_empty() {
            html = html.table(&CHECK_HEADINGS, self.checks().iter().map(check_line));
        }
        let verdicts = self.rows().iter().map(|row| vec![row.name(), self.verdict(row)]);
        html = self.rows().iter().fold(html.table(&["method", "in words"], verdicts), failures);
        if self.conditions().is_empty() { html.note(&self.conditions().to_string()) } else { html }
    }
}

impl Shown for Run {
    fn html(&self) -> Html {
        self.intervals.html()
    }
}

const CHECK_HEADINGS: [&str; 6] =
    ["leave-one-out models by", "damping", "gradient norm", "smallest pivot", "missing a tenth", "against refits"];

/// One engine's signs and its fidelity.
fn check_line(check: &Check) -> Vec<String> {
    let trust = check.trust.as_ref();
    let told = |of: &dyn Fn(&Trust) -> Option<String>| trust.and_then(of).unwrap_or("–".into());
    let fidelity = match &check.fidelity {
        Ok(fidelity) => {
            let word = format!("{:?}", fidelity.agreement()).to_lowercase();
            format!("{word}: differ by {} of the residuals", percent(fidelity.relative_rmse))
        }
        Err(_) => "the refits failed".into(),
    };
    vec![
        check.engine.to_string(),
        told(&|trust| Some(short(trust.damping()))),
        told(&|trust| Some(short(trust.gradient_norm()))),
        told(&|trust| trust.smallest_pivot().map(short)),
        told(&|trust| Some(format!("{} of {} rows", trust.flagged().len(), trust.ratios().len()))),
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
        let html = self.trust.iter().fold(html, |html, trust| trust.onto(html));
        let html = self.notes.iter().fold(html, |html, note| html.note(note));
        match &self.fidelity {
            Ok(fidelity) => html.words(&format!("Against real refits: {fidelity:?}.")),
            Err(error) => html.warning(&format!("The refits to compare with failed: {error}")),
        }
    }
}
