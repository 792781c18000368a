//! Layers as plotly's traces.

use plotly::Scatter;
use plotly::common::{DashType, ErrorData, ErrorType, Fill, HoverInfo, Line, Marker, MarkerSymbol, Mode};

use super::super::chart::{Along, Dash, Layer, MANY, Point, Symbol};
use super::super::colour::{BAND, BAR, PAPER, REFERENCE};
use super::super::frame::{Frame, Range};
use super::label;

type Trace = Box<Scatter<f64, f64>>;

/// One layer as one trace, its infinite values at the edge of the frame.
pub(super) fn trace(layer: &Layer, frame: &Frame) -> Trace {
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
                .line(Line::new().width(3.0).color(translucent(colour, BAR)))
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
    let (size, opacity, edge) = match symbol {
        Symbol::Star => (16, 1.0, 0.7),
        Symbol::Hidden => (8, 0.0, 0.0),
        _ if barred => (12, 1.0, 0.7),
        _ if points.len() > MANY => (4, 0.4, 0.0),
        _ => (7, 0.85, 0.7),
    };
    let marker = Marker::new().color(colour).size(size).symbol(shape(symbol)).opacity(opacity);
    let hover = points.iter().map(|point| label(&point.hover)).collect();
    let trace = Scatter::new(x.clone(), points.iter().map(|point| frame.y.clipped(point.y)).collect())
        .mode(Mode::Markers)
        .marker(marker.line(Line::new().width(edge).color(PAPER)))
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
        Symbol::Hidden => MarkerSymbol::Circle,
    }
}

/// `#rrggbb` and an opacity.
fn translucent(colour: &str, opacity: f64) -> String {
    let part = |k: usize| u8::from_str_radix(&colour[k..k + 2], 16).unwrap_or(0);
    format!("rgba({}, {}, {}, {opacity})", part(1), part(3), part(5))
}
