//! Rules: how leave-one-out models become an interval. The crate's own stand in files beside this one; yours is a
//! [`Recipe`], or a [`Score`](super::score::Score), and goes wherever they go.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use ndarray::Array2;

use super::guarantee::Guarantee;
use super::{jackknife, minmax, naive, nested, plus, studentised, weighted};
use crate::check::refusal;
use crate::error::{Error, Result};
use crate::leave_one_out::LeaveOneOut;

/// What a rule does: from the leave-one-out models to the two ends of an interval at each point.
///
/// # Example
/// Half of the jackknife+ interval's way to the prediction, from both sides:
/// ```
/// use jackknife::prelude::*;
/// use ndarray::Array2;
/// struct Half;
/// impl Recipe for Half {
///     fn name(&self) -> &str {
///         "half"
///     }
///     fn ends(&self, loo: &LeaveOneOut, x: &Array2<f64>, alpha: f64) -> Result<Vec<(f64, f64)>> {
///         let (ranks, residuals) = (Ranks::new(loo.len(), alpha)?, loo.residuals().to_vec());
///         loo.at_points(x, |_, prediction, without| {
///             let (lower, upper) = ranks.ends(without, &residuals, 1.0);
///             (0.5 * (lower + prediction), 0.5 * (upper + prediction))
///         })
///     }
/// }
/// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
/// let loo = LeaveOneOut::closed_form(&Ridge::new(0.1), &train)?;
/// let (half, whole) = (loo.intervals(Rule::of(&Half), test.x(), 0.1)?, loo.jackknife_plus(test.x(), 0.1)?);
/// assert!((2.0 * half.mean_width() - whole.mean_width()).abs() < 1e-9);
/// assert_eq!(half.method.to_string(), "half (closed form)");
/// # Ok::<(), jackknife::Error>(())
/// ```
pub trait Recipe: Send + Sync {
    /// What the rule is called, on the command line, in tables and in figures.
    fn name(&self) -> &str;

    /// The lower and the upper end at each row of `x`; α has been checked.
    ///
    /// # Errors
    /// Whatever the models answer, and what the rule itself refuses.
    fn ends(&self, loo: &LeaveOneOut, x: &Array2<f64>, alpha: f64) -> Result<Vec<(f64, f64)>>;

    /// What is proven about these ends with such models; nothing unless told.
    fn guarantee(&self, loo: &LeaveOneOut, alpha: f64) -> Guarantee {
        let _ = (loo, alpha);
        Guarantee::None
    }
}

/// A rule by its name: a [`Recipe`] that can be copied, compared, printed and asked for.
///
/// The crate's own read as the variants of an enum that anybody can extend: [`Rule::of`] makes one of any recipe.
#[derive(Clone, Copy)]
pub struct Rule(&'static dyn Recipe);

/// The crate's own rules.
#[expect(non_upper_case_globals, reason = "they read as the variants of an enum that users extend")]
impl Rule {
    /// `naive`: f(x) ± the quantile of the in-sample residuals, which is what one should not do. What the paper calls the
    /// naive jackknife is [`Rule::Jackknife`].
    pub const InSample: Self = Self(&naive::InSample);
    /// `jackknife`: the paper's naive jackknife, f(x) ± the quantile of R.
    pub const Jackknife: Self = Self(&jackknife::Jackknife);
    /// `jackknife+`, which is also the rule of the paper's discriminative jackknife.
    pub const Plus: Self = Self(&plus::Plus);
    /// `minmax`, the jackknife-minmax: wide, and sure.
    pub const Minmax: Self = Self(&minmax::Minmax);
    /// `studentized`, the studentised jackknife+.
    pub const Studentised: Self = Self(&studentised::STUDENTISED);
    /// `weighted jackknife+`: asked for by [`LeaveOneOut::weighted_jackknife_plus`], for it needs weights.
    pub const Weighted: Self = Self(&weighted::Weighted);

    /// `nested`: the tangent's jackknife+, with scales that have not seen the row left out: see
    /// [`LeaveOneOut::nested`].
    pub const Nested: Self = Self(&nested::Nested);
    /// `signed`: the same with the signs of the errors.
    pub const Signed: Self = Self(&nested::Signed);
    /// `full`: full conformal prediction of the tangent's ridge.
    pub const Full: Self = Self(&nested::Full);
    /// `laplace`: the linearised Laplace approximation, taken at its word.
    pub const Laplace: Self = Self(&nested::Laplace);

    /// Those that need the tangent's models.
    pub const OF_TANGENT: [Self; 4] = [Self::Nested, Self::Signed, Self::Full, Self::Laplace];

    /// Every rule that needs nothing but the models, from the simplest on.
    pub const ALL: [Self; 5] = [Self::InSample, Self::Jackknife, Self::Plus, Self::Minmax, Self::Studentised];
}

impl Rule {
    /// A rule of your own: `Rule::of(&Mine)`.
    pub const fn of(recipe: &'static dyn Recipe) -> Self {
        Self(recipe)
    }

    /// What it does.
    pub fn recipe(&self) -> &'static dyn Recipe {
        self.0
    }

    /// The rule of this name among the crate's and `own` ones.
    pub(super) fn find(name: &str, own: &[Self]) -> Option<Self> {
        let name = if name == "studentised" { "studentized" } else { name };
        let known = Self::ALL.into_iter().chain(Self::OF_TANGENT).chain([Self::Weighted]).chain(own.iter().copied());
        known.into_iter().find(|rule| rule.0.name() == name)
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }
}

impl Eq for Rule {}

impl Hash for Rule {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name().hash(state);
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0.name())
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Rule {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::find(name, &[]).ok_or_else(|| {
            refusal(
                "the rule",
                format!("`{name}`"),
                "be naive, jackknife, jackknife+, minmax, studentized, nested, signed, full, laplace or weighted jackknife+",
                "jackknife+",
            )
        })
    }
}
