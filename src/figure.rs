//! Figures: one chart for each result, drawn twice from one description.
//!
//! | chart | shows |
//! |---|---|
//! | [`Intervals::plot`](crate::interval::Intervals::plot), [`plot_over`](crate::interval::Intervals::plot_over) | which targets are covered |
//! | [`Intervals::plot_width`](crate::interval::Intervals::plot_width) | whether wide intervals stand where errors are large |
//! | [`LeaveOneOut::plot_residuals`](crate::leave_one_out::LeaveOneOut::plot_residuals) | what one interval is made of |
//! | [`LeaveOneOut::plot_coverage`](crate::leave_one_out::LeaveOneOut::plot_coverage) | the coverage achieved at every level |
//! | [`Fidelity::plot`](crate::leave_one_out::Fidelity::plot) | claims without refitting against refits |
//! | [`PrecisionRecall::plot`](crate::metric::PrecisionRecall::plot) | the curve behind the average precision |
//! | [`Intervals::compare_width_over`](crate::interval::Intervals::compare_width_over), [`compare_precision_recall`](crate::interval::Intervals::compare_precision_recall) | the same of several methods |
//! | [`AuditTable::plot`](crate::audit::AuditTable::plot) | coverage, width and discrimination of all methods |
//! | [`Comparison`], [`Convergence`] | any numbers of several methods |
//!
//! A chart computes nothing that is not also available as a number. It describes itself as panels of layers; from
//! these come the figure that answers to the mouse (plotly, in a notebook) and the one on paper (SVG).

mod audit;
mod chart;
pub mod colour;
pub mod comparison;
pub mod convergence;
mod coverage;
mod fidelity;
mod frame;
#[cfg(feature = "plotly")]
mod interactive;
mod interval;
mod number;
mod paper;
mod precision_recall;
mod residual;
mod several;
mod svg;
mod text;
mod tick;
mod width;

use std::fmt;

use chart::{Layer, Panel};
pub use colour::colour;
pub use comparison::Comparison;
pub use convergence::Convergence;
pub(crate) use number::{alike, percent, short};
pub(crate) use text::{escaped, listed};

/// A chart that is ready to be shown: the last expression of a notebook cell, an SVG file, or a piece of a page.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
/// let intervals = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?.jackknife_plus(test.x(), 0.1)?;
/// let figure = intervals.plot(&test)?;
/// assert!(figure.to_svg().starts_with("<svg"));
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone)]
pub struct Figure {
    /// From left to right and from top to bottom; at least one.
    panels: Vec<Panel>,
    /// How many panels stand in a row.
    columns: usize,
    /// Width and height in pixels.
    size: (f64, f64),
}

impl Figure {
    /// One panel.
    fn single(panel: Panel) -> Self {
        let width = if panel.square { 500.0 } else { 720.0 };
        Self { panels: vec![panel], columns: 1, size: (width, 440.0) }
    }

    /// Panels side by side.
    fn beside(panels: Vec<Panel>) -> Self {
        let width = if panels.len() > 2 { 1040.0 } else { 860.0 };
        Self { columns: panels.len(), panels, size: (width, 400.0) }
    }

    /// Panels in rows of so many; plotly has axes for eight of them.
    fn grid(panels: Vec<Panel>, columns: usize) -> Self {
        let rows = panels.len().div_ceil(columns.max(1));
        Self { panels, columns: columns.max(1), size: (1040.0, 60.0 + 270.0 * rows as f64) }
    }

    /// The same with another height.
    fn height(mut self, height: f64) -> Self {
        self.size.1 = height;
        self
    }

    /// Every layer of every panel that has a name for the legend, each name once.
    fn legend(&self) -> Vec<&Layer> {
        let mut named: Vec<&Layer> = Vec::new();
        for layer in self.panels.iter().flat_map(|panel| &panel.layers) {
            if !layer.name().is_empty() && named.iter().all(|other| other.name() != layer.name()) {
                named.push(layer);
            }
        }
        named
    }
}

impl fmt::Debug for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, panel) in self.panels.iter().enumerate() {
            let start = if k == 0 { "figure of" } else { "; beside it" };
            write!(f, "{start} {} over {}", text::plain(&panel.y.name), text::plain(&panel.x.name))?;
            for (k, layer) in panel.layers.iter().filter(|layer| layer.is_drawn()).enumerate() {
                write!(f, "{} {layer}", if k == 0 { ":" } else { "," })?;
            }
        }
        Ok(())
    }
}
