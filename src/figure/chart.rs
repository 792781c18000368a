//! What a chart is made of, before anyone draws it.

use std::fmt;

use crate::wording::plain;

/// One pair of axes and what lies between them, the lowest layer first.
#[derive(Clone)]
pub(crate) struct Panel {
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) layers: Vec<Layer>,
    /// Whether both axes have one and the same range, so that the identity is a diagonal.
    pub(crate) square: bool,
}

/// An axis: its name, and how numbers lie on it.
#[derive(Clone)]
pub(crate) struct Axis {
    pub(crate) name: String,
    pub(crate) scale: Scale,
    /// A range that must be in sight whatever the data.
    pub(crate) shows: Option<(f64, f64)>,
}

/// How numbers lie on an axis.
#[derive(Clone, PartialEq)]
pub(crate) enum Scale {
    Linear,
    /// Numbers that are counted: no ticks between them.
    Whole,
    Logarithmic,
    /// The k-th name stands at k.
    Names(Vec<String>),
}

/// What is drawn. Coordinates may be infinite: these are drawn at the edge of the frame.
#[derive(Clone)]
pub(crate) enum Layer {
    /// The area between two curves.
    Band { name: String, colour: &'static str, x: Vec<f64>, lower: Vec<f64>, upper: Vec<f64> },
    /// A line from one end to the other at each x.
    Bars { name: String, colour: &'static str, x: Vec<f64>, lower: Vec<f64>, upper: Vec<f64> },
    /// A curve through points.
    Line { name: String, colour: &'static str, dash: Dash, x: Vec<f64>, y: Vec<f64> },
    /// Points that each say something when asked.
    Points { name: String, colour: &'static str, symbol: Symbol, points: Vec<Point> },
    /// A line from edge to edge.
    Mark { name: String, along: Along },
}

/// Where a [`Layer::Mark`] runs.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Along {
    /// At this height.
    Horizontal(f64),
    /// At this x.
    Vertical(f64),
    /// y = x.
    Identity,
}

/// More points than this are drawn smaller and paler.
pub(crate) const MANY: usize = 400;

/// One point.
#[derive(Clone)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// The ends of its horizontal error bar.
    pub(crate) bar: Option<(f64, f64)>,
    /// What it says, in lines; on paper nobody asks.
    #[cfg_attr(not(feature = "plotly"), expect(dead_code))]
    pub(crate) hover: String,
}

/// The shape of points.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Symbol {
    Disc,
    Diamond,
    Square,
    Triangle,
    Star,
    /// Not drawn, but it answers: the points of a line.
    Hidden,
}

/// The pattern of a line.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Dash {
    Solid,
    Dashed,
    Dotted,
}

impl Panel {
    pub(crate) fn new(x: Axis, y: Axis, layers: Vec<Layer>) -> Self {
        Self { x, y, layers, square: false }
    }

    /// Puts the k-th layer that consists of a single point at the k-th height.
    pub(crate) fn place_points(&mut self, heights: &[f64]) {
        let points = self.layers.iter_mut().filter_map(|layer| match layer {
            Layer::Points { points, .. } => points.first_mut(),
            _ => None,
        });
        points.zip(heights).for_each(|(point, &height)| point.y = height);
    }

    pub(crate) fn square(mut self) -> Self {
        self.square = true;
        self
    }
}

impl Axis {
    pub(crate) fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), scale: Scale::Linear, shows: None }
    }

    pub(crate) fn scale(mut self, scale: Scale) -> Self {
        self.scale = scale;
        self
    }

    pub(crate) fn shows(mut self, low: f64, high: f64) -> Self {
        self.shows = Some((low, high));
        self
    }
}

impl Point {
    pub(crate) fn new(x: f64, y: f64, hover: String) -> Self {
        Self { x, y, bar: None, hover }
    }

    pub(crate) fn bar(mut self, low: f64, high: f64) -> Self {
        self.bar = Some((low, high));
        self
    }
}

impl Layer {
    pub(crate) fn mark(name: impl Into<String>, along: Along) -> Self {
        Self::Mark { name: name.into(), along }
    }

    /// Whether anything of it is seen.
    pub(crate) fn is_drawn(&self) -> bool {
        !matches!(self, Self::Points { symbol: Symbol::Hidden, .. })
    }

    /// What the legend calls it; empty if it is not to be named there.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Band { name, .. }
            | Self::Bars { name, .. }
            | Self::Line { name, .. }
            | Self::Points { name, .. }
            | Self::Mark { name, .. } => name,
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Band { .. } => write!(f, "band")?,
            Self::Bars { x, .. } => write!(f, "{} bars", x.len())?,
            Self::Line { .. } => write!(f, "line")?,
            Self::Points { points, .. } if points.len() == 1 => write!(f, "1 point")?,
            Self::Points { points, .. } => write!(f, "{} points", points.len())?,
            Self::Mark { .. } => write!(f, "mark")?,
        }
        match self.name() {
            "" => Ok(()),
            name => write!(f, " `{}`", plain(name)),
        }
    }
}
