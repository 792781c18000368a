//! One theme, and one colour for each method in every figure.

use crate::interval::{Baseline, Method, Rule};
use crate::leave_one_out::{Engine, Terms};

/// Okabe and Ito's colours, which the colour-blind can tell apart; without their yellow, too pale on white.
const ORANGE: &str = "#E69F00";
const SKY: &str = "#56B4E9";
const GREEN: &str = "#009E73";
const BLUE: &str = "#0072B2";
const VERMILION: &str = "#D55E00";
const PURPLE: &str = "#CC79A7";

/// Targets outside their intervals, large errors, and the quantile of a star.
pub(crate) const ALARM: &str = VERMILION;
/// Targets inside their intervals, and whatever belongs to no method.
pub(crate) const CALM: &str = "#333333";
/// Lines to compare with.
pub(crate) const REFERENCE: &str = "#6B6B6B";
pub(crate) const GRID: &str = "#E3E3E3";
pub(crate) const FRAME: &str = "#9A9A9A";
pub(crate) const INK: &str = "#222222";
pub(crate) const PAPER: &str = "#FFFFFF";
pub(crate) const FONT: &str = "Helvetica, Arial, 'Liberation Sans', sans-serif";
/// Pixels of the names of axes and of the legend.
pub(crate) const TEXT: f64 = 15.0;
/// Pixels of the numbers at ticks.
pub(crate) const TICK: f64 = 13.0;
/// How much of a band's colour there is.
pub(crate) const BAND: f64 = 0.22;
/// How much of a bar's, of which there are many.
pub(crate) const BAR: f64 = 0.5;

/// Darker and paler ones for the paper's baselines and orders; Paul Tol's, but for the first two.
const BROWN: &str = "#8C564B";
const MUSTARD: &str = "#A6761D";
const WINE: &str = "#882255";
const OLIVE: &str = "#999933";
const TEAL: &str = "#44AA99";
const MAGENTA: &str = "#AA4499";
const INDIGO: &str = "#332288";
const LAVENDER: &str = "#8C7BD6";
const PINE: &str = "#117733";
const ROSE: &str = "#CC6677";

/// The paper's orders, from the first on.
const ORDERS: [&str; 5] = [SKY, INDIGO, "#4B8BBE", "#0B3C5D", "#7FB3D5"];
/// What a rule from outside this crate may get.
const OTHERS: [&str; 6] = [SKY, PURPLE, GREEN, ORANGE, BLUE, VERMILION];

/// The colour of a method in every figure, as `#rrggbb`.
///
/// A rule keeps its colour whatever the engine, except that the jackknife+ by influence functions is the paper's
/// discriminative jackknife, of which each of the first five orders has a colour of its own, that on folds is CV+, and the
/// studentised rule on bags is `bagged`. A rule of your own keeps the colour that the letters of its name give.
///
/// # Example
/// ```
/// use jackknife::figure::colour::colour;
/// use jackknife::prelude::*;
/// let by = |engine| colour(Method::Pair(engine, Rule::Plus));
/// assert_eq!(by(Engine::Refit), by(Engine::ClosedForm));
/// assert_ne!(by(Engine::Influence(3, Terms::Exact)), by(Engine::Influence(4, Terms::Exact)));
/// ```
pub fn colour(method: Method) -> &'static str {
    match method {
        Method::InSample => CALM,
        Method::HeldOut => MUSTARD,
        Method::Given => BLUE,
        Method::Baseline(baseline) => match baseline {
            Baseline::Dropout => BROWN,
            Baseline::Ensemble => WINE,
            Baseline::Pbp => OLIVE,
            Baseline::Langevin => TEAL,
            Baseline::Resampling => MAGENTA,
        },
        Method::Pair(Engine::Influence(_, Terms::AsPrinted), rule) if rule == Rule::Plus => LAVENDER,
        Method::Pair(Engine::Influence(order, _), rule) if rule == Rule::Plus => {
            ORDERS[order.saturating_sub(1).min(ORDERS.len() - 1)]
        }
        Method::Pair(Engine::Folds(_), rule) if rule == Rule::Plus => PINE,
        Method::Pair(Engine::TangentSplit, rule) if rule == Rule::Nested => "#B5179E",
        Method::Pair(Engine::TangentFolds(_), rule) if rule == Rule::Nested => "#7B2D26",
        Method::Pair(Engine::Bags(_), rule) if rule == Rule::Studentised => ROSE,
        Method::Pair(_, rule) => of_rule(rule),
    }
}

/// The colour of a rule whatever the engine.
pub(crate) fn of_rule(rule: Rule) -> &'static str {
    let known = [
        (Rule::InSample, CALM),
        (Rule::Jackknife, ORANGE),
        (Rule::Plus, BLUE),
        (Rule::Minmax, GREEN),
        (Rule::Studentised, PURPLE),
        (Rule::Weighted, BLUE),
        (Rule::Nested, "#6A3D9A"),
        (Rule::Signed, "#B8860B"),
        (Rule::Full, "#5D8A00"),
        (Rule::Laplace, "#6B7A8F"),
    ];
    known
        .into_iter()
        .find(|(known, _)| *known == rule)
        .map_or_else(|| by_letters(&rule.to_string()), |(_, colour)| colour)
}

/// The colour of what is called so: a method's if it is one, else the one that its letters give.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// assert_eq!(method_colour("jackknife+ (refit)"), method_colour(&Rule::Plus.to_string()));
/// assert_eq!(method_colour("jackknife+ (influence of order 1)"), method_colour("dj1"));
/// assert_ne!(method_colour("jackknife+"), method_colour("jackknife"));
/// ```
pub fn named(name: &str) -> &'static str {
    name.parse().map_or_else(|_| by_letters(name), colour)
}

fn by_letters(name: &str) -> &'static str {
    // FNV-1a: the standard library's hash may change from one version to the next.
    let hash = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    // The high bits: the lowest ones of this hash are nearly those of the letters.
    OTHERS[(hash >> 32) as usize % OTHERS.len()]
}
