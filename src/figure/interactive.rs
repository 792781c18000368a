//! The figure that answers to the mouse: plotly.

use plotly::common::{
    DashType, ErrorData, ErrorType, Fill, Font, HoverInfo, Label, Line, Marker, MarkerSymbol, Mode, Orientation, Title,
};
use plotly::layout::{Axis as PlotlyAxis, AxisType, HoverMode, Legend, Margin};
use plotly::{Configuration, Layout, Plot, Scatter};

use super::Figure;
use super::chart::{Along, Axis, Dash, Layer, Panel, Point, Scale, Symbol};
use super::colour::{BAND, BAR, FONT, FRAME, GRID, INK, PAPER, REFERENCE, TEXT, TICK};
use super::frame::{Frame, Range};
use super::text;
use super::tick::ticks;

type Trace = Box<Scatter<f64, f64>>;

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
            .height(self.size.1 as usize)
            .paper_background_color(PAPER)
            .plot_background_color(PAPER)
            .font(font)
            .hover_mode(HoverMode::Closest)
            .hover_label(Label::new().background_color(PAPER).font(small.clone()).align("left"))
            .margin(Margin::new().left(70).right(20).top(40).bottom(56))
            .legend(
                Legend::new()
                    .orientation(Orientation::Horizontal)
                    .x(0.5)
                    .x_anchor(plotly::common::Anchor::Center)
                    .y(1.02)
                    .y_anchor(plotly::common::Anchor::Bottom)
                    .font(small),
            );
        // A page is as wide as it is, except that a square stays one.
        if self.panels.iter().any(|panel| panel.square) {
            layout = layout.width(self.size.0 as usize);
        }
        let mut named: Vec<&str> = Vec::new();
        for (k, panel) in self.panels.iter().enumerate() {
            let frame = Frame::of(panel);
            let (share, gap) = (1.0 / self.panels.len() as f64, 0.06);
            let domain = [k as f64 * share + if k > 0 { gap } else { 0.0 }, (k + 1) as f64 * share];
            let (x, y) = (axis(&panel.x, &frame.x).domain(&domain), axis(&panel.y, &frame.y));
            layout = match k {
                0 => layout.x_axis(x).y_axis(y),
                _ => layout.x_axis2(x.anchor("y2")).y_axis2(y.anchor("x2")),
            };
            for layer in &panel.layers {
                let name = layer.name();
                let new = !name.is_empty() && !named.contains(&name);
                named.push(name);
                let trace = trace(layer, panel, &frame).name(label(name)).show_legend(new).legend_group(label(name));
                plot.add_trace(if k == 0 { trace } else { trace.x_axis("x2").y_axis("y2") });
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

fn trace(layer: &Layer, panel: &Panel, frame: &Frame) -> Trace {
    let at_x = |values: &[f64]| values.iter().map(|&value| frame.x.clipped(value)).collect::<Vec<_>>();
    let at_y = |values: &[f64]| values.iter().map(|&value| frame.y.clipped(value)).collect::<Vec<_>>();
    match layer {
        Layer::Band { colour, x, lower, upper, .. } => {
            let round = |there: Vec<f64>, back: Vec<f64>| there.into_iter().chain(back.into_iter().rev()).collect();
            Scatter::new(round(at_x(x), at_x(x)), round(at_y(upper), at_y(lower)))
                .mode(Mode::Lines)
                .fill(Fill::ToSelf)
                .fill_color(translucent(colour, BAND))
                .line(Line::new().width(0.0).color(*colour))
                .hover_info(HoverInfo::Skip)
        }
        Layer::Bars { colour, x, lower, upper, .. } => {
            // A value that is none interrupts the line.
            let apart = |a: Vec<f64>, b: Vec<f64>| a.into_iter().zip(b).flat_map(|(a, b)| [a, b, f64::NAN]).collect();
            Scatter::new(apart(at_x(x), at_x(x)), apart(at_y(lower), at_y(upper)))
                .mode(Mode::Lines)
                .line(Line::new().width(2.0).color(translucent(colour, BAR)))
                .hover_info(HoverInfo::Skip)
        }
        Layer::Line { colour, dash, x, y, .. } => Scatter::new(at_x(x), at_y(y))
            .mode(Mode::Lines)
            .line(Line::new().width(2.0).color(*colour).dash(pattern(*dash)))
            .hover_info(HoverInfo::Skip),
        Layer::Points { colour, symbol, points, .. } => points_trace(colour, *symbol, points, frame),
        Layer::Mark { along, .. } => {
            let ends = |range: &Range| [f64::NEG_INFINITY, f64::INFINITY].map(|end| range.clipped(end)).to_vec();
            let (x, y) = match *along {
                Along::Horizontal(at) => (ends(&frame.x), vec![at; 2]),
                Along::Vertical(at) => (vec![at; 2], ends(&frame.y)),
                Along::Identity => (ends(&frame.x), ends(&frame.x)),
            };
            debug_assert!(*along != Along::Identity || panel.square, "an identity needs one range for both axes");
            Scatter::new(x, y)
                .mode(Mode::Lines)
                .line(Line::new().width(1.5).color(REFERENCE).dash(DashType::Dash))
                .hover_info(HoverInfo::Skip)
        }
    }
}

fn points_trace(colour: &'static str, symbol: Symbol, points: &[Point], frame: &Frame) -> Trace {
    let x: Vec<f64> = points.iter().map(|point| frame.x.clipped(point.x)).collect();
    let barred = points.iter().any(|point| point.bar.is_some());
    let size = match symbol {
        Symbol::Star => 16,
        _ if barred => 12,
        _ => 7,
    };
    let marker = Marker::new().color(colour).size(size).symbol(shape(symbol)).opacity(0.85);
    let hover = points.iter().map(|point| label(&point.hover)).collect();
    let trace = Scatter::new(x.clone(), points.iter().map(|point| frame.y.clipped(point.y)).collect())
        .mode(Mode::Markers)
        .marker(marker.line(Line::new().width(0.7).color(PAPER)))
        .hover_text_array(hover)
        .hover_info(HoverInfo::Text);
    if !barred {
        return trace;
    }
    // Plotly wants lengths, not ends.
    let ends = |point: &Point| point.bar.unwrap_or((point.x, point.x));
    let above = points.iter().zip(&x).map(|(point, x)| frame.x.clipped(ends(point).1) - x).collect();
    let below = points.iter().zip(&x).map(|(point, x)| x - frame.x.clipped(ends(point).0)).collect();
    let bars = ErrorData::new(ErrorType::Data).array(above).array_minus(below).symmetric(false);
    trace.error_x(bars.color(colour).thickness(2.0).width(5))
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
        Scale::Linear | Scale::Whole => drawn,
        Scale::Logarithmic => drawn.type_(AxisType::Log).exponent_format(plotly::common::ExponentFormat::Power),
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

fn pattern(dash: Dash) -> DashType {
    match dash {
        Dash::Solid => DashType::Solid,
        Dash::Dashed => DashType::Dash,
        Dash::Dotted => DashType::Dot,
    }
}

fn shape(symbol: Symbol) -> MarkerSymbol {
    match symbol {
        Symbol::Disc => MarkerSymbol::Circle,
        Symbol::Diamond => MarkerSymbol::Diamond,
        Symbol::Square => MarkerSymbol::Square,
        Symbol::Triangle => MarkerSymbol::TriangleUp,
        Symbol::Star => MarkerSymbol::Star,
    }
}

/// `#rrggbb` and an opacity.
fn translucent(colour: &str, opacity: f64) -> String {
    let part = |k: usize| u8::from_str_radix(&colour[k..k + 2], 16).unwrap_or(0);
    format!("rgba({}, {}, {}, {opacity})", part(1), part(3), part(5))
}

/// A text as plotly shows it: its own tags, TeX and templates are those of the text and do nothing.
fn label(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(text::escaped).collect();
    lines.join("<br>").replace('$', "&#36;").replace("%{", "%&#123;")
}
