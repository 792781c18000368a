//! The figure that answers to the mouse: plotly.

mod trace;

use plotly::common::{Anchor, ExponentFormat, Font, Label, Orientation, Title};
use plotly::layout::{Axis as PlotlyAxis, AxisType, HoverMode, Legend, Margin};
use plotly::{Configuration, Layout, Plot};

use super::Figure;
use super::chart::{Axis, Scale};
use super::colour::{FONT, FRAME, GRID, INK, PAPER, TEXT, TICK};
use super::frame::{Frame, Range};
use super::tick::ticks;
use crate::wording::escaped;
use trace::trace;

impl Figure {
    /// The figure as a plotly plot, to change what is not to one's taste.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let figure = Comparison::new("coverage").add("jackknife+", 0.91, 0.88, 0.93).target(0.9).plot()?;
    /// let mut plot = figure.to_plotly();
    /// plot.set_layout(plot.layout().clone().title("Yacht"));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn to_plotly(&self) -> Plot {
        let mut plot = Plot::new();
        let (font, small) = (theme_font(TEXT), theme_font(TICK + 1.0));
        let mut layout = Layout::new()
            .height(self.size.1 as usize + 24)
            .paper_background_color(PAPER)
            .plot_background_color(PAPER)
            .font(font)
            .hover_mode(HoverMode::Closest)
            .hover_label(Label::new().background_color(PAPER).font(small.clone()).align("left"))
            .margin(Margin::new().left(70).right(20).top(64).bottom(56))
            .legend(
                Legend::new()
                    .orientation(Orientation::Horizontal)
                    .x(0.5)
                    .x_anchor(Anchor::Center)
                    .y(1.02)
                    .y_anchor(Anchor::Bottom)
                    .font(small),
            );
        // A page is as wide as it is, except that a square stays one.
        if self.panels.iter().any(|panel| panel.square) {
            layout = layout.width(self.size.0 as usize);
        }
        let mut named: Vec<&str> = Vec::new();
        for (k, panel) in self.panels.iter().enumerate() {
            let frame = Frame::of(panel);
            let (across, upright) = self.domains(k);
            let (x, y) = (axis(&panel.x, &frame.x).domain(&across), axis(&panel.y, &frame.y).domain(&upright));
            layout = with_axes(layout, k, x, y);
            for layer in &panel.layers {
                let name = layer.name();
                let new = !name.is_empty() && !named.contains(&name);
                named.push(name);
                let trace = trace(layer, &frame).name(label(name)).show_legend(new).legend_group(label(name));
                let (x, y) = (format!("x{}", k + 1), format!("y{}", k + 1));
                plot.add_trace(if k == 0 { trace } else { trace.x_axis(x).y_axis(y) });
            }
        }
        plot.set_layout(layout);
        plot.set_configuration(Configuration::new().responsive(true).display_logo(false));
        plot
    }

    /// The share of the page, across and upright, that the k-th panel has.
    fn domains(&self, k: usize) -> ([f64; 2], [f64; 2]) {
        let (row, column) = ((k / self.columns) as f64, (k % self.columns) as f64);
        let rows = self.panels.len().div_ceil(self.columns) as f64;
        let share = 1.0 / self.columns as f64;
        // Panels without names of their own, as beside a list of methods, need no room for them.
        let names = &self.panels[k].y.scale;
        let unnamed = matches!(names, Scale::Names(names) if names.iter().all(String::is_empty));
        let gap = if unnamed { 0.03 } else { f64::min(0.1, 0.3 * share) };
        let (beside, below) = (if column > 0.0 { gap } else { 0.0 }, 0.22 / rows);
        let bottom = 1.0 - (row + 1.0) / rows + if row + 1.0 < rows { below } else { 0.0 };
        ([column * share + beside, (column + 1.0) * share], [bottom, 1.0 - row / rows])
    }

    /// The figure as plotly's JSON: an object with `data`, `layout` and `config`.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let figure = Comparison::new("coverage").add("jackknife+", 0.91, 0.88, 0.93).plot()?;
    /// assert!(figure.to_json().starts_with("{\"data\":["));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn to_json(&self) -> String {
        // Every `<` stands within a text; written so, no name can end the script it is pasted into.
        self.to_plotly().to_json().replace('<', "\\u003c")
    }

    /// A piece of a page that has plotly.js: a division called `id`, and the script that fills it.
    ///
    /// Letters of `id` other than a–z, 0–9, `-` and `_` become `-`.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let figure = Comparison::new("coverage").add("jackknife+", 0.91, 0.88, 0.93).plot()?;
    /// assert!(figure.to_html("coverage").starts_with("<div id=\"coverage\""));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn to_html(&self, id: &str) -> String {
        let allowed = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
        let id: String = id.chars().map(|letter| if allowed(letter) { letter } else { '-' }).collect();
        let json = self.to_json();
        format!("<div id=\"{id}\"></div>\n<script>Plotly.newPlot(\"{id}\", {json});</script>\n")
    }
}

/// The layout with the axes of the k-th panel; plotly names eight pairs of them.
fn with_axes(layout: Layout, k: usize, x: PlotlyAxis, y: PlotlyAxis) -> Layout {
    let (x, y) = match k {
        0 => (x, y),
        _ => (x.anchor(format!("y{}", k + 1)), y.anchor(format!("x{}", k + 1))),
    };
    match k {
        0 => layout.x_axis(x).y_axis(y),
        1 => layout.x_axis2(x).y_axis2(y),
        2 => layout.x_axis3(x).y_axis3(y),
        3 => layout.x_axis4(x).y_axis4(y),
        4 => layout.x_axis5(x).y_axis5(y),
        5 => layout.x_axis6(x).y_axis6(y),
        6 => layout.x_axis7(x).y_axis7(y),
        _ => layout.x_axis8(x).y_axis8(y),
    }
}

fn axis(axis: &Axis, range: &Range) -> PlotlyAxis {
    let named = matches!(axis.scale, Scale::Names(_));
    let name = if named { String::new() } else { label(&axis.name) };
    let drawn = PlotlyAxis::new()
        .title(Title::with_text(name).font(theme_font(TEXT)))
        .range(vec![range.low, range.high])
        .tick_font(theme_font(TICK))
        .auto_margin(true)
        .show_grid(true)
        .grid_color(GRID)
        .zero_line(false)
        .show_line(true)
        .line_color(FRAME);
    match &axis.scale {
        // Where plotly would put ticks between whole numbers, or between powers of ten.
        Scale::Whole if range.high - range.low < 12.0 => drawn.dtick(1.0),
        Scale::Linear | Scale::Whole => drawn,
        Scale::Logarithmic => {
            let drawn = drawn.type_(AxisType::Log).exponent_format(ExponentFormat::Power);
            if range.high - range.low > 1.5 { drawn.dtick(1.0) } else { drawn }
        }
        Scale::Names(_) => {
            let ticks = ticks(range, &axis.scale, 0);
            drawn
                .tick_values(ticks.iter().map(|tick| tick.at).collect())
                .tick_text(ticks.iter().map(|tick| label(&tick.label)).collect())
        }
    }
}

fn theme_font(size: f64) -> Font {
    Font::new().family(FONT).size(size as usize).color(INK)
}

/// A text as plotly shows it: its own tags, TeX and templates are those of the text and do nothing.
fn label(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(escaped).collect();
    lines.join("<br>").replace('$', "&#36;").replace("%{", "%&#123;")
}
