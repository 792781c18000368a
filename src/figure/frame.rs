//! The part of the plane that a panel shows.

use super::chart::{Along, Axis, Layer, Panel, Scale};

/// Beyond this, sums and differences overflow: such a number is drawn as an infinite one.
const LARGEST: f64 = 1e150;
/// The empty margin on each side, as a share of the range.
const MARGIN: f64 = 0.04;

/// What an axis shows, from `low` to `high`; logarithms of base 10 on a logarithmic axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) logarithmic: bool,
}

/// What a panel shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    pub(super) x: Range,
    pub(super) y: Range,
}

impl Frame {
    /// The frame that holds whatever is finite in a panel.
    pub(super) fn of(panel: &Panel) -> Self {
        let (mut xs, mut ys) = (Vec::new(), Vec::new());
        for layer in &panel.layers {
            match layer {
                Layer::Band { x, lower, upper, .. } | Layer::Bars { x, lower, upper, .. } => {
                    xs.extend(x);
                    ys.extend(lower.iter().chain(upper));
                }
                Layer::Line { x, y, .. } => {
                    xs.extend(x);
                    ys.extend(y);
                }
                Layer::Points { points, .. } => {
                    xs.extend(points.iter().map(|point| point.x));
                    xs.extend(points.iter().filter_map(|point| point.bar).flat_map(|(low, high)| [low, high]));
                    ys.extend(points.iter().map(|point| point.y));
                }
                Layer::Mark { along: Along::Horizontal(at), .. } => ys.push(*at),
                Layer::Mark { along: Along::Vertical(at), .. } => xs.push(*at),
                Layer::Mark { along: Along::Identity, .. } => {}
            }
        }
        if panel.square {
            xs.extend(std::mem::take(&mut ys));
            ys.clone_from(&xs);
        }
        Self { x: Range::of(&panel.x, xs), y: Range::of(&panel.y, ys) }
    }
}

impl Range {
    fn of(axis: &Axis, values: Vec<f64>) -> Self {
        if let Scale::Names(names) = &axis.scale {
            return Self { low: -0.6, high: names.len().max(1) as f64 - 0.4, logarithmic: false };
        }
        let logarithmic = axis.scale == Scale::Logarithmic;
        let shown = axis.shows.iter().flat_map(|&(low, high)| [low, high]).chain(values);
        let drawable = |value: &f64| value.abs() < LARGEST && (!logarithmic || *value > 0.0);
        let place = |value: f64| if logarithmic { value.log10() } else { value };
        let (low, high) = shown
            .filter(drawable)
            .map(place)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            return Self { low: 0.0, high: 1.0, logarithmic };
        }
        // A single value needs room around it, and so do values that differ by rounding only.
        let (size, spread) = (low.abs().max(high.abs()), high - low);
        let room = match spread > 1e-9 * size {
            true => MARGIN * spread,
            false if size > 0.0 => 0.5 * size,
            false => 1.0,
        };
        Self { low: low - room, high: high + room, logarithmic }
    }

    /// Where a value lies, 0 at the low end and 1 at the high one; infinite values at the ends, NaN nowhere.
    pub(super) fn fraction(&self, value: f64) -> Option<f64> {
        if value.is_nan() {
            return None;
        }
        let place = if self.logarithmic { value.max(0.0).log10() } else { value };
        Some(((place.clamp(self.low, self.high) - self.low) / (self.high - self.low)).clamp(0.0, 1.0))
    }

    /// The value itself, or the end of the range that it lies beyond.
    #[cfg(feature = "plotly")]
    pub(super) fn clipped(&self, value: f64) -> f64 {
        let back = |place: f64| if self.logarithmic { 10_f64.powf(place) } else { place };
        value.clamp(back(self.low), back(self.high))
    }
}
