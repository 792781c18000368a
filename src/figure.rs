//! Figures: one description of panels and layers, drawn by plotly and as SVG.
//!
//! The charts of results stand in [`crate::plot`]; here is what they are made of and how it is drawn: the figure that
//! answers to the mouse (plotly, in a notebook) and the one on paper (SVG).

pub(crate) mod chart;
pub mod colour;
mod frame;
#[cfg(feature = "plotly")]
mod interactive;
mod svg;
mod text;
mod tick;

use std::fmt;

use crate::wording::plain;
use chart::{Layer, Panel};
pub use colour::colour;

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
    pub(crate) fn single(panel: Panel) -> Self {
        let width = if panel.square { 500.0 } else { 720.0 };
        Self { panels: vec![panel], columns: 1, size: (width, 440.0) }
    }

    /// Panels side by side.
    pub(crate) fn beside(panels: Vec<Panel>) -> Self {
        let width = if panels.len() > 2 { 1040.0 } else { 860.0 };
        Self { columns: panels.len(), panels, size: (width, 400.0) }
    }

    /// Panels in rows of so many; plotly has axes for eight of them.
    #[cfg(feature = "paper")]
    pub(crate) fn grid(panels: Vec<Panel>, columns: usize) -> Self {
        let rows = panels.len().div_ceil(columns.max(1));
        Self { panels, columns: columns.max(1), size: (1040.0, 60.0 + 270.0 * rows as f64) }
    }

    /// The same with another height.
    pub(crate) fn height(mut self, height: f64) -> Self {
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
            write!(f, "{start} {} over {}", plain(&panel.y.name), plain(&panel.x.name))?;
            for (k, layer) in panel.layers.iter().filter(|layer| layer.is_drawn()).enumerate() {
                write!(f, "{} {layer}", if k == 0 { ":" } else { "," })?;
            }
        }
        Ok(())
    }
}
