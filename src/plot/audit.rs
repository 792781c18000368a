//! Every method of an audit: does it cover, how wide is it, does it know when the model is lost?

use super::Comparison;
use crate::audit::AuditTable;
use crate::audit::Mean;
use crate::error::{Error, Result};
use crate::figure::Figure;
use crate::figure::chart::Scale;

impl AuditTable {
    /// Coverage, mean width and average precision of every method side by side, with error bars.
    ///
    /// The bars are 95 % intervals over the rows tested; that of the width is one standard error. A method that failed everywhere, or whose width is infinite, has no point.
    ///
    /// # Errors
    /// [`Error::Rows`] if every method failed on every split.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let sample = cubic(60, Feature::Uniform { half_width: 2.0 }, 0.5, 0)?;
    /// let audit = Audit::default().splits(2).training(Training::default().hidden(&[5]).epochs(50));
    /// let figure = audit.run("cubic", &sample)?.plot()?;
    /// assert!(format!("{figure:?}").contains("coverage"));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn plot(&self) -> Result<Figure> {
        let comparisons = self.comparisons()?;
        let names: Vec<String> = self.answered().map(|row| row.name()).rev().collect();
        let mut panels = Vec::new();
        for comparison in comparisons.iter().filter(|comparison| !comparison.entries.is_empty()) {
            let mut panel = comparison.panel()?;
            // Only the first has names: every panel has its methods at the same heights.
            let blank = vec![String::new(); names.len()];
            let place = |name: &str| names.iter().position(|other| other == name).unwrap_or(0) as f64;
            let methods: Vec<f64> = comparison.entries.iter().map(|(name, ..)| place(name)).collect();
            panel.place_points(&methods);
            panel.y.scale = Scale::Names(if panels.is_empty() { names.clone() } else { blank });
            panels.push(panel);
        }
        match panels.is_empty() {
            true => Err(Error::Rows { what: "a figure of an audit".into(), need: 1, have: 0 }),
            false => Ok(Figure::beside(panels).height(Comparison::height(names.len()))),
        }
    }

    /// Coverage, mean width and average precision, each compared over the methods that have it.
    pub(crate) fn comparisons(&self) -> Result<[Comparison; 3]> {
        let mut coverage = Comparison::new("coverage").target(1.0 - self.audit().alpha);
        let mut width = Comparison::new("mean width");
        let mut precision = Comparison::new("average precision of the width");
        let ends = |mean: Mean| (mean.value, mean.value - mean.error, mean.value + mean.error);
        for row in self.answered() {
            let name = row.name();
            let Some(summary) = row.summary() else { continue };
            let c = summary.coverage;
            coverage = coverage.add(&name, c.rate, c.low, c.high);
            if summary.width.value.is_finite() {
                let (value, low, high) = ends(summary.width);
                width = width.add(&name, value, low, high);
            }
            if let Some(d) = &summary.discrimination {
                precision = precision.add(&name, d.average_precision, d.low, d.high).chance(d.chance);
            }
        }
        Ok([coverage, width, precision])
    }
}
