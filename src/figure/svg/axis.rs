//! The grid, the frame, the numbers and the names of the axes.

use super::super::chart::{Panel, Scale};
use super::super::colour::{FRAME, GRID, TEXT, TICK};
use super::super::text::{shortened, width};
use super::{BELOW, Canvas, GAP, put};
use crate::wording::escaped;

/// Draws whatever lies beneath the layers of a panel.
pub(super) fn draw(svg: &mut String, canvas: &Canvas, panel: &Panel) {
    let (left, right, top, bottom) = (canvas.left, canvas.right(), canvas.top, canvas.bottom());
    put(svg, format_args!("<g stroke=\"{GRID}\" stroke-width=\"1\">"));
    for x in canvas.x.iter().filter_map(|tick| canvas.x(tick.at)) {
        put(svg, format_args!("<path d=\"M{x:.1} {top:.1}V{bottom:.1}\"/>"));
    }
    for y in canvas.y.iter().filter_map(|tick| canvas.y(tick.at)) {
        put(svg, format_args!("<path d=\"M{left:.1} {y:.1}H{right:.1}\"/>"));
    }
    put(svg, format_args!("</g>\n"));
    put(
        svg,
        format_args!(
            "<path d=\"M{left:.1} {top:.1}V{bottom:.1}H{right:.1}\" fill=\"none\" stroke=\"{FRAME}\" \
             stroke-width=\"1\"/>\n"
        ),
    );
    put(svg, format_args!("<g font-size=\"{TICK}\" text-anchor=\"middle\">"));
    for (tick, x) in canvas.x.iter().filter_map(|tick| Some((tick, canvas.x(tick.at)?))) {
        let (y, label) = (bottom + GAP + TICK, escaped(&tick.label));
        put(svg, format_args!("<text x=\"{x:.1}\" y=\"{y:.1}\">{label}</text>"));
    }
    put(svg, format_args!("</g>\n"));
    put(svg, format_args!("<g font-size=\"{TICK}\" text-anchor=\"end\">"));
    for (tick, y) in canvas.y.iter().filter_map(|tick| Some((tick, canvas.y(tick.at)?))) {
        // A third of its size below the line is the middle of a digit.
        let (x, y, label) = (left - GAP, y + TICK / 3.0, escaped(&tick.label));
        put(svg, format_args!("<text x=\"{x:.1}\" y=\"{y:.1}\">{label}</text>"));
    }
    put(svg, format_args!("</g>\n"));
    names(svg, canvas, panel);
}

fn names(svg: &mut String, canvas: &Canvas, panel: &Panel) {
    let fit = |name: &str, room: f64| {
        let letters = name.chars().count() as f64;
        escaped(&shortened(name, (letters * room / width(name, TEXT).max(1.0)) as usize))
    };
    let (x, y) = (0.5 * (canvas.left + canvas.right()), canvas.bottom() + BELOW - 0.8 * TEXT);
    let name = fit(&panel.x.name, canvas.width);
    put(svg, format_args!("<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{TEXT}\" text-anchor=\"middle\">{name}</text>"));
    // Names at the ticks say themselves what the axis is.
    if panel.y.name.is_empty() || matches!(panel.y.scale, Scale::Names(_)) {
        return;
    }
    let (x, y) = (canvas.outside + GAP + TEXT, canvas.top + 0.5 * canvas.height);
    let name = fit(&panel.y.name, canvas.height);
    put(
        svg,
        format_args!(
            "<text transform=\"translate({x:.1} {y:.1}) rotate(-90)\" font-size=\"{TEXT}\" \
             text-anchor=\"middle\">{name}</text>\n"
        ),
    );
}
