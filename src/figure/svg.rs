//! The figure on paper: an SVG written by hand, without a crate.

mod axis;
mod layer;
mod legend;

use std::fmt::Write;

use super::Figure;
use super::chart::Panel;
use super::colour::{FONT, INK, PAPER, TEXT, TICK};
use super::frame::Frame;
use super::text;
use super::tick::{Tick, ticks};
use crate::wording::escaped;

/// Pixels between the frame of a panel and whatever lies beyond.
const GAP: f64 = 8.0;
/// Pixels for the numbers and the name below a panel.
const BELOW: f64 = 54.0;

impl Figure {
    /// The figure as an SVG of its own: a file for a paper, or an image in a page.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let figure = Comparison::new("coverage").add("jackknife+", 0.91, 0.88, 0.93).target(0.9).plot()?;
    /// assert!(figure.to_svg().contains("coverage"));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn to_svg(&self) -> String {
        let (width, height) = self.size;
        let (legend, top) = legend::rows(&self.legend(), width);
        let label = escaped(&format!("{self:?}"));
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"{label}\" \
             font-family=\"{FONT}\" fill=\"{INK}\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"{PAPER}\"/>\n"
        );
        let rows = self.panels.len().div_ceil(self.columns);
        let (share, storey) = (width / self.columns as f64, (height - top) / rows as f64);
        for (k, panel) in self.panels.iter().enumerate() {
            let (row, column) = ((k / self.columns) as f64, (k % self.columns) as f64);
            let canvas = Canvas::new(panel, (column * share, top + row * storey), (share, storey));
            axis::draw(&mut svg, &canvas, panel);
            panel.layers.iter().for_each(|layer| layer::draw(&mut svg, &canvas, layer));
        }
        svg + &legend + "</svg>"
    }
}

/// A panel's frame on the page, in pixels.
struct Canvas {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    /// The left end of all that belongs to the panel.
    outside: f64,
    frame: Frame,
    x: Vec<Tick>,
    y: Vec<Tick>,
}

impl Canvas {
    /// Finds room for the labels first; the frame has what is left.
    fn new(panel: &Panel, (outside, top): (f64, f64), (width, height): (f64, f64)) -> Self {
        let frame = Frame::of(panel);
        let inner = (height - BELOW - GAP).max(40.0);
        let y = shortened(ticks(&frame.y, &panel.y.scale, (inner / 55.0) as usize), 44);
        let widest = y.iter().map(|tick| text::width(&tick.label, TICK)).fold(0.0, f64::max);
        let name = if panel.y.name.is_empty() { 0.0 } else { TEXT + 2.0 * GAP };
        let left = outside + name + widest + 2.0 * GAP;
        let right = outside + width - 2.0 * GAP;
        let mut canvas =
            Self { left, top: top + GAP, width: (right - left).max(40.0), height: inner, outside, frame, x: vec![], y };
        canvas.x = shortened(canvas.fitting(panel), 24);
        canvas
    }

    /// The most ticks below the panel whose labels do not touch.
    fn fitting(&self, panel: &Panel) -> Vec<Tick> {
        let all = |wished| ticks(&self.frame.x, &panel.x.scale, wished);
        let apart = |ticks: &Vec<Tick>| {
            ticks.windows(2).all(|pair| {
                let half = |tick: &Tick| 0.5 * text::width(&tick.label, TICK);
                let between = self.x(pair[1].at).zip(self.x(pair[0].at)).map_or(0.0, |(right, left)| right - left);
                between > half(&pair[0]) + half(&pair[1]) + 2.0 * GAP
            })
        };
        let most = (self.width / 95.0) as usize;
        let few = (1..=most).rev().map(all).find(apart).unwrap_or_else(|| all(1));
        // Two ticks make a scale; a narrow panel may have them at less round numbers.
        if few.len() >= 2 {
            return few;
        }
        (most + 1..=2 * most + 4).map(all).find(|ticks| ticks.len() >= 2 && apart(ticks)).unwrap_or(few)
    }

    fn x(&self, value: f64) -> Option<f64> {
        Some(self.left + self.width * self.frame.x.fraction(value)?)
    }

    fn y(&self, value: f64) -> Option<f64> {
        Some(self.bottom() - self.height * self.frame.y.fraction(value)?)
    }

    fn point(&self, x: f64, y: f64) -> Option<(f64, f64)> {
        self.x(x).zip(self.y(y))
    }

    fn right(&self) -> f64 {
        self.left + self.width
    }

    fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

fn shortened(mut ticks: Vec<Tick>, letters: usize) -> Vec<Tick> {
    ticks.iter_mut().for_each(|tick| tick.label = text::shortened(&tick.label, letters));
    ticks
}

/// Writes to a string, which cannot fail.
fn put(svg: &mut String, what: std::fmt::Arguments<'_>) {
    let _ = svg.write_fmt(what);
}
