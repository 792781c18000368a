//! The audit of intervals that another program made.

use super::plan::Plan;
use super::table::{AuditTable, Row, Run};
use super::{Audit, adjust};
use crate::condition::Conditions;
use crate::error::{Error, Result};
use crate::interval::{Intervals, Method};
use crate::sample::Sample;

impl AuditTable {
    /// What intervals are worth that anybody made, at rows whose targets are known since: the same numbers, verdicts, figures and
    /// report as of an [`Audit`]. The features of the sample are for the slices in which the coverage is looked at.
    ///
    /// Whether the rows were really new to whoever made the intervals cannot be seen here, and the report says so.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is an interval for each row, [`Error::Rows`] for no rows.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Concrete.load().split(0.2, 0)?;
    /// let intervals = HeldOut::fit(&train, 0.5, 0, |rows| Ridge::new(0.1).fit(rows))?.intervals(test.x(), 0.1)?;
    /// let table = AuditTable::of_intervals("elsewhere", &test, intervals.clone())?;
    /// assert_eq!(table.rows()[0].coverage()?.rate, intervals.coverage(test.y())?.rate);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn of_intervals(name: &str, sample: &Sample, intervals: Intervals) -> Result<Self> {
        if intervals.prediction.len() != sample.len() {
            let what = "intervals and rows".to_string();
            return Err(Error::Shape { what, left: intervals.prediction.len(), right: sample.len() });
        }
        let intervals = Intervals { method: Method::Given, ..intervals };
        let audit = Audit::default().alpha(intervals.alpha).models(&[]).methods(&[Method::Given]).splits(1);
        let (plan, tested): (Plan, Vec<usize>) = (Plan::given(sample.len()), (0..sample.len()).collect());
        let conditions = Conditions::of_order(&(sample.y() - &intervals.prediction))?;
        let mut row = Row::empty(Method::Given.name(), false, Method::Given);
        row.runs.push(Run { split: 0, rows: tested.clone(), trained: Vec::new(), intervals });
        row.seconds.push(0.0);
        row.shown = row.pooled(sample, &tested)?;
        row.summary = row.summed(sample, &plan, 0)?;
        let mut rows = vec![row];
        adjust(&mut rows);
        let (name, test, sample) = (name.into(), sample.clone(), sample.clone());
        let (left_out, network, checks) = (Vec::new(), None, Vec::new());
        Ok(AuditTable { name, audit, sample, rows, left_out, tested, test, network, checks, conditions })
    }
}

impl Audit {
    /// Whether the intervals were made elsewhere.
    pub(super) fn is_given(&self) -> bool {
        self.models.is_empty()
    }
}
