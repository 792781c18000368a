//! The figure that answers to the mouse: plotly.

mod trace;

use plotly::common::{Anchor, ExponentFormat, Font, Label, Orientation, Title};
use plotly::layout::{Axis as PlotlyAxis, AxisType, HoverMode, Legend, Margin};
use plotly::{Configuration, Layout, Plot};

use super::Figure;
use super::chart::{Axis, Scale};
use super::colour::{FONT, FRAME, GRID, INK, PAPER, TEXT, TICK};
use super::frame::{Frame, Range};
use super::text;
use super::tick::ticks;
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
            // Panels without names of their own, as beside a list of methods, need no room for them.
            let unnamed = matches!(&panel.y.scale, Scale::Names(names) if names.iter().all(String::is_empty));
            let (share, gap) = (1.0 / self.panels.len() as f64, if unnamed { 0.03 } else { 0.1 });
            let domain = [k as f64 * share + if k > 0 { gap } else { 0.0 }, (k + 1) as f64 * share];
            let (x, y) = (axis(&panel.x, &frame.x).domain(&domain), axis(&panel.y, &frame.y));
            layout = match k {
                0 => layout.x_axis(x).y_axis(y),
                1 => layout.x_axis2(x.anchor("y2")).y_axis2(y.anchor("x2")),
                _ => layout.x_axis3(x.anchor("y3")).y_axis3(y.anchor("x3")),
            };
            for layer in &panel.layers {
                let name = layer.name();
                let new = !name.is_empty() && !named.contains(&name);
                named.push(name);
                let trace = trace(layer, &frame).name(label(name)).show_legend(new).legend_group(label(name));
                plot.add_trace(match k {
                    0 => trace,
                    1 => trace.x_axis("x2").y_axis("y2"),
                    _ => trace.x_axis("x3").y_axis("y3"),
                });
            }
        }
        plot.set_layout(layout);
        plot.set_configuration(Configuration::new().responsive(true).display_logo(false));
        plot
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
    let lines: Vec<String> = text.lines().map(text::escaped).collect();
    lines.join("<br>").replace('$', "&#36;").replace("%{", "%&#123;")
}
