//! One theme, and one colour for each method in every figure.

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

/// What a method outside this crate may get.
const OTHERS: [&str; 6] = [SKY, PURPLE, GREEN, ORANGE, BLUE, VERMILION];

/// The colour of a method in every figure, as `#rrggbb`.
///
/// A rule keeps its colour whatever the engine, except that the jackknife+ by influence functions is the paper's
/// discriminative jackknife, with a colour for each order. A name that is not known keeps the one that its letters
/// give.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// assert_eq!(method_colour("jackknife+ (refit)"), method_colour(&Rule::Plus.to_string()));
/// assert_eq!(method_colour("jackknife+ (influence of order 1)"), method_colour("dj1"));
/// assert_ne!(method_colour("jackknife+"), method_colour("jackknife"));
/// ```
pub fn colour(method: &str) -> &'static str {
    // "jackknife+ (refit)" is the rule and, in brackets, where its models come from.
    let (rule, engine) = method.split_once(" (").unwrap_or((method, ""));
    match (rule, engine.trim_end_matches(')')) {
        ("dj1", _) | ("jackknife+", "influence of order 1") => SKY,
        ("dj2", _) | ("jackknife+", "influence of order 2") => INDIGO,
        ("dj2-as-printed", _) | ("jackknife+", "influence of order 2 as printed") => LAVENDER,
        ("bagged", _) => ROSE,
        ("studentized", engine) if engine.ends_with("bags") => ROSE,
        ("cv+", _) => PINE,
        ("jackknife+", engine) if engine.ends_with("folds") => PINE,
        ("naive", _) => CALM,
        ("jackknife", _) => ORANGE,
        ("jackknife+", _) => BLUE,
        ("minmax", _) => GREEN,
        ("studentized", _) => PURPLE,
        ("split", _) => MUSTARD,
        ("dropout" | "MC dropout", _) => BROWN,
        ("ensemble" | "deep ensemble", _) => WINE,
        ("pbp" | "PBP", _) => OLIVE,
        ("sgld" | "BNN", _) => TEAL,
        ("rue" | "RUE", _) => MAGENTA,
        _ => {
            // FNV-1a: the standard library's hash may change from one version to the next.
            let hash = method
                .bytes()
                .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
            // The high bits: the lowest ones of this hash are nearly those of the letters.
            OTHERS[(hash >> 32) as usize % OTHERS.len()]
        }
    }
}
