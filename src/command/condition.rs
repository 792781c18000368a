//! What `jackknife intervals` says of its condition: lines for stdout, and the warnings among them for stderr.

use ndarray::{Array1, Array2};

use crate::prelude::*;

/// Lines of the summary, of which some are warnings too.
#[derive(Default)]
pub(super) struct Said {
    /// Lines of stdout.
    pub(super) lines: Vec<String>,
    /// What stderr says as well.
    pub(super) warnings: Vec<String>,
}

impl Said {
    fn line(&mut self, name: &str, text: &str) {
        self.lines.push(format!("{name}: {text}"));
    }

    fn warning(&mut self, name: &str, text: &str) {
        self.line(name, text);
        self.warnings.push(text.to_string());
    }
}

/// Left-out errors in the order of the table, where that order means something: folds of consecutive rows err together, and
/// `split+` leaves out some rows only.
pub(super) fn errors_in_order(loo: &LeaveOneOut, train: &Sample) -> Option<Array1<f64>> {
    let unordered = matches!(loo.engine(), Engine::Folds(_) | Engine::TangentFolds(_) | Engine::TangentSplit);
    (!unordered).then(|| train.y() - loo.left_out_predictions())
}

/// What the rows, their errors and the new rows say of the condition.
pub(super) fn conditions(train: &Sample, test: &Array2<f64>, errors: Option<&Array1<f64>>) -> Result<Conditions> {
    let mut conditions = Conditions::of_rows(train);
    if let Some(errors) = errors {
        conditions = conditions.and(Conditions::of_order(errors)?);
    }
    Ok(conditions.and(Conditions::of_points(train, test)?))
}

impl Said {
    /// What speaks against the condition, and what the targets of the new rows say of the promise.
    ///
    /// With `ratios` the rows were weighted: a shift is then no news, and what it leaves of the rows is.
    pub(super) fn of(
        conditions: &Conditions,
        intervals: &Intervals,
        y: Option<&Array1<f64>>,
        ratios: Option<&Ratios>,
    ) -> Result<Self> {
        let mut said = Self::default();
        for finding in conditions {
            match finding.kind {
                Kind::Shift if ratios.is_some() => {
                    let weighted = "the weights make up for it if the target depends on the features as before";
                    said.line("condition", &format!("{}; {weighted}", finding.sentence()));
                }
                _ => said.warning("condition", &finding.to_string()),
            }
        }
        if conditions.is_empty() {
            said.line("condition", &conditions.to_string());
        }
        match ratios {
            Some(ratios) if ratios.is_thin() => said.warning("weights", &ratios.to_string()),
            Some(ratios) => said.line("weights", &ratios.to_string()),
            None => {}
        }
        if let Some(y) = y {
            let name = format!("coverage on the {} test rows", y.len());
            said.line(&name, &format!("{:?}", intervals.coverage(y)?));
            if let Some(contradiction) = intervals.contradiction(y)? {
                said.warning("promise", &format!("{contradiction}; {}", conditions.reasons()));
            }
        }
        Ok(said)
    }
}
