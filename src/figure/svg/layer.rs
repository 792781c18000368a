//! Bands, lines, points with error bars, and marks.

use super::super::chart::{Along, Dash, Layer, MANY, Point, Symbol};
use super::super::colour::{BAND, BAR, PAPER, REFERENCE};
use super::{Canvas, put};

/// Draws one layer.
pub(super) fn draw(svg: &mut String, canvas: &Canvas, layer: &Layer) {
    match layer {
        Layer::Band { colour, x, lower, upper, .. } => {
            let rows = x.iter().zip(lower.iter().zip(upper));
            let whole: Vec<(f64, f64, f64)> = rows
                .filter_map(|(&x, (&lower, &upper))| Some((canvas.x(x)?, canvas.y(lower)?, canvas.y(upper)?)))
                .collect();
            let there = whole.iter().map(|&(x, _, upper)| Some((x, upper)));
            let back = whole.iter().rev().map(|&(x, lower, _)| Some((x, lower)));
            let d = path(there.chain(back));
            put(svg, format_args!("<path d=\"{d}Z\" fill=\"{colour}\" fill-opacity=\"{BAND}\"/>\n"));
        }
        Layer::Bars { colour, x, lower, upper, .. } => {
            let ends = x
                .iter()
                .zip(lower.iter().zip(upper))
                .flat_map(|(&x, (&lower, &upper))| [canvas.point(x, lower), canvas.point(x, upper), None]);
            stroke(svg, &path(ends), colour, 3.0, Dash::Solid, BAR);
        }
        Layer::Line { colour, dash, x, y, .. } => {
            let d = path(x.iter().zip(y).map(|(&x, &y)| canvas.point(x, y)));
            stroke(svg, &d, colour, 2.0, *dash, 1.0);
        }
        Layer::Points { colour, symbol, points, .. } => draw_points(svg, canvas, colour, *symbol, points),
        Layer::Mark { along, .. } => {
            let (x, y) = (canvas.frame.x, canvas.frame.y);
            let place = |value: f64, logarithmic: bool| if logarithmic { 10_f64.powf(value) } else { value };
            let ends = match *along {
                Along::Horizontal(at) => [(f64::NEG_INFINITY, at), (f64::INFINITY, at)],
                Along::Vertical(at) => [(at, f64::NEG_INFINITY), (at, f64::INFINITY)],
                Along::Identity => [x.low.max(y.low), x.high.min(y.high)]
                    .map(|end| (place(end, x.logarithmic), place(end, y.logarithmic))),
            };
            stroke(svg, &path(ends.into_iter().map(|(x, y)| canvas.point(x, y))), REFERENCE, 1.5, Dash::Dashed, 1.0);
        }
    }
}

/// A path through the points, interrupted where there is none; a dot of no length without any.
fn path(points: impl Iterator<Item = Option<(f64, f64)>>) -> String {
    let (mut d, mut pen) = (String::new(), "M");
    for point in points {
        if let Some((x, y)) = point {
            put(&mut d, format_args!("{pen}{x:.1} {y:.1}"));
        }
        pen = if point.is_some() { "L" } else { "M" };
    }
    if d.is_empty() { "M0 0".into() } else { d }
}

/// Draws a path as a line.
pub(super) fn stroke(svg: &mut String, d: &str, colour: &str, width: f64, dash: Dash, opacity: f64) {
    let pattern = match dash {
        Dash::Solid => "",
        Dash::Dashed => " stroke-dasharray=\"7 5\"",
        Dash::Dotted => " stroke-dasharray=\"2 4\"",
    };
    put(
        svg,
        format_args!(
            "<path d=\"{d}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" \
             stroke-opacity=\"{opacity}\" stroke-linejoin=\"round\"{pattern}/>\n"
        ),
    );
}

fn draw_points(svg: &mut String, canvas: &Canvas, colour: &str, symbol: Symbol, points: &[Point]) {
    if symbol == Symbol::Hidden {
        return;
    }
    let bars = points.iter().filter_map(|point| {
        let (low, high) = point.bar?;
        Some((canvas.x(low)?, canvas.x(high)?, canvas.y(point.y)?))
    });
    for (low, high, y) in bars {
        let d = format!("M{low:.1} {y:.1}H{high:.1}M{low:.1} {:.1}v10M{high:.1} {:.1}v10", y - 5.0, y - 5.0);
        stroke(svg, &d, colour, 2.0, Dash::Solid, 1.0);
    }
    let barred = points.iter().any(|point| point.bar.is_some());
    let (radius, opacity, edge) = match points.len() {
        _ if barred => (6.0, 1.0, 0.7),
        _ if symbol == Symbol::Star => (4.0, 1.0, 0.7),
        many if many > MANY => (2.0, 0.4, 0.0),
        _ => (3.6, 0.85, 0.7),
    };
    put(
        svg,
        format_args!("<g fill=\"{colour}\" fill-opacity=\"{opacity}\" stroke=\"{PAPER}\" stroke-width=\"{edge}\">"),
    );
    for (x, y) in points.iter().filter_map(|point| canvas.point(point.x, point.y)) {
        draw_symbol(svg, symbol, x, y, radius);
    }
    put(svg, format_args!("</g>\n"));
}

/// Draws one symbol in the colours of its group.
pub(super) fn draw_symbol(svg: &mut String, symbol: Symbol, x: f64, y: f64, radius: f64) {
    let r = radius;
    match symbol {
        Symbol::Disc => put(svg, format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r}\"/>")),
        Symbol::Diamond => corners(svg, x, y, &[(0.0, -1.4 * r), (1.4 * r, 0.0), (0.0, 1.4 * r), (-1.4 * r, 0.0)]),
        Symbol::Square => corners(svg, x, y, &[(-r, -r), (r, -r), (r, r), (-r, r)]),
        Symbol::Triangle => corners(svg, x, y, &[(0.0, -1.3 * r), (1.2 * r, 0.9 * r), (-1.2 * r, 0.9 * r)]),
        Symbol::Star => {
            let tip = |k: usize| {
                let angle = k as f64 * std::f64::consts::PI / 5.0;
                let far = if k.is_multiple_of(2) { 2.8 * r } else { 1.15 * r };
                (far * angle.sin(), -far * angle.cos())
            };
            corners(svg, x, y, &(0..10).map(tip).collect::<Vec<_>>());
        }
        Symbol::Hidden => {}
    }
}

fn corners(svg: &mut String, x: f64, y: f64, corners: &[(f64, f64)]) {
    let d = path(corners.iter().map(|(dx, dy)| Some((x + dx, y + dy))));
    put(svg, format_args!("<path d=\"{d}Z\"/>"));
}
