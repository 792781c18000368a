//! The legend above the panels, where it hides nothing.

use super::super::chart::{Dash, Layer, Symbol};
use super::super::colour::{BAND, BAR, PAPER, REFERENCE, TICK};
use super::super::text::{self, shortened};
use super::layer::{draw_symbol, stroke};
use super::{GAP, put};
use crate::wording::escaped;

/// Pixels of a row, of the swatch before a name, and between two entries.
const ROW: f64 = 22.0;
const SWATCH: f64 = 26.0;
const BETWEEN: f64 = 18.0;
/// A point needs less room than a line.
const SYMBOL: f64 = 12.0;
const LETTER: f64 = TICK + 1.0;
/// Where the font is not there, the one in its place may be so much wider.
const WIDE: f64 = 1.14;

/// A name, and the pixels it takes with its swatch and the gap behind it.
struct Entry<'a> {
    layer: &'a Layer,
    name: String,
    room: f64,
}

/// The legend, centred in rows no wider than the figure, and the height it takes.
pub(super) fn rows(layers: &[&Layer], width: f64) -> (String, f64) {
    let mut rows: Vec<(f64, Vec<Entry>)> = Vec::new();
    for &layer in layers {
        let name = shortened(layer.name(), 70);
        let room = swatch_width(layer) + GAP + WIDE * text::width(&name, LETTER) + BETWEEN;
        let entry = Entry { layer, name, room };
        match rows.last_mut() {
            Some((used, row)) if *used + room - BETWEEN <= width - 2.0 * GAP => {
                *used += room;
                row.push(entry);
            }
            _ => rows.push((room, vec![entry])),
        }
    }
    let mut svg = String::new();
    for (k, (used, row)) in rows.iter().enumerate() {
        let mut x = (0.5 * (width - used + BETWEEN)).max(GAP);
        let y = GAP + (k as f64 + 0.5) * ROW;
        for Entry { layer, name, room } in row {
            swatch(&mut svg, layer, x, y);
            let (start, base, name) = (x + swatch_width(layer) + GAP, y + LETTER / 3.0, escaped(name));
            put(
                &mut svg,
                format_args!("<text x=\"{start:.1}\" y=\"{base:.1}\" font-size=\"{LETTER}\">{name}</text>\n"),
            );
            x += room;
        }
    }
    let height = if rows.is_empty() { GAP } else { GAP + ROW * rows.len() as f64 };
    (svg, height)
}

fn swatch_width(layer: &Layer) -> f64 {
    match layer {
        Layer::Points { .. } | Layer::Bars { .. } => SYMBOL,
        _ => SWATCH,
    }
}

fn swatch(svg: &mut String, layer: &Layer, x: f64, y: f64) {
    let across = format!("M{x:.1} {y:.1}h{SWATCH}");
    match layer {
        Layer::Band { colour, .. } => {
            let top = y - 6.0;
            put(
                svg,
                format_args!(
                    "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{SWATCH}\" height=\"12\" fill=\"{colour}\" \
                     fill-opacity=\"{BAND}\"/>"
                ),
            );
        }
        Layer::Bars { colour, .. } => {
            let (x, top) = (x + 0.5 * SYMBOL, y - 7.0);
            stroke(svg, &format!("M{x:.1} {top:.1}v14"), colour, 3.0, Dash::Solid, BAR);
        }
        Layer::Line { colour, dash, .. } => stroke(svg, &across, colour, 2.0, *dash, 1.0),
        Layer::Mark { .. } => stroke(svg, &across, REFERENCE, 1.5, Dash::Dashed, 1.0),
        Layer::Points { colour, symbol, .. } => {
            put(svg, format_args!("<g fill=\"{colour}\" stroke=\"{PAPER}\" stroke-width=\"0.7\">"));
            draw_symbol(svg, *symbol, x + 0.5 * SYMBOL, y, if *symbol == Symbol::Star { 3.2 } else { 4.0 });
            put(svg, format_args!("</g>"));
        }
    }
}
