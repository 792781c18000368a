//! The tangent: one linear world behind every model.
//!
//! At its θ̂ a model is nearly linear in its parameters, f(x; θ) ≈ o(x) + J(x)·θ. That linear model is fitted again, as a ridge
//! regression on the features J with a penalty κ chosen by marginal likelihood, and everything about it is known in closed form:
//! every leave-one-out model, its residual, its variance at any x, even the residuals without two rows. For least squares and
//! ridge this *is* the model. For a network it is its tangent, and usually the better prediction: training that stopped half-way,
//! an indefinite Hessian and a hand-picked damping do not matter to it.
//!
//! # The theorem
//!
//! Rows are exchangeable; an algorithm that does not ask for their order makes a score S_D(x, y) of a set D of rows. Let S₋ᵢ be
//! made without row i, and qᵢ = S₋ᵢ(xᵢ, yᵢ). Then
//!
//! ```text
//! C(x) = { y : #{i : S₋ᵢ(x, y) > qᵢ} < (1−α)(n+1) }     covers with probability at least 1 − 2α
//! ```
//!
//! and for S = |y − f|/s it lies within [ Q⁻_α{f₋ᵢ(x) − qᵢs₋ᵢ(x)}, Q⁺_α{f₋ᵢ(x) + qᵢs₋ᵢ(x)} ], the interval of
//! [`LeaveOneOut::nested`].
//!
//! *Proof.* Among the n + 1 rows, x's among them, let R_ij be the score of row i made without i and j. Row i beats j if
//! R_ij > R_ji, so at most one of a pair wins. Let 𝒮 be the rows with at least (1−α)(n+1) wins. Some row of 𝒮 wins at most
//! (|𝒮|−1)/2 games inside 𝒮, and at most n+1−|𝒮| outside, hence |𝒮| < 2α(n+1). All rows are equally likely to be in 𝒮, so row n+1
//! is with probability below 2α; and y ∉ C(x) exactly when it is. A y beyond an end is outside at least (1−α)(n+1) of the single
//! intervals, hence the inclusion. ∎
//!
//! With more than 50,000 rows the nearest are looked for in a pool that each row is drawn into by a coin of its own; the rows with
//! their coins are as exchangeable as the rows, so that the theorem holds as it is.
//!
//! Everything that row i says at x must be made without it: f₋ᵢ and s₋ᵢ, the penalty κ₋ᵢ, the residuals of the neighbours, the
//! measure of what is near. All of it is ([`Tangent`] has the formulas).
//!
//! | | proven |
//! |---|---|
//! | least squares, ridge, features that do not depend on the rows | ≥ 1 − 2α ([`LeaveOneOut::tangent`], [`LeaveOneOut::tangent_of`]) |
//! | a network, with rows that it has not seen | ≥ 1 − 2α ([`LeaveOneOut::tangent_split`]) |
//! | a network for each fold | cv+'s bound ([`LeaveOneOut::tangent_folds`]) |
//! | a network on its own training rows | nothing: its features have seen row i |

mod folds;
pub mod stop;
mod world;

use std::sync::Arc;

use ndarray::{Array1, Array2, ArrayView2};

use super::{Engine, LeaveOneOut};
use crate::error::{Error, Result};
use crate::hat::{Asked, Hat};
use crate::model::{Differentiable, Features};
use crate::sample::{Sample, check_points};
use crate::setter::setters;
pub use stop::Stopped;
pub(super) use world::World;

/// How the tangent is fitted.
///
/// | option | default | meaning |
/// |---|---|---|
/// | `likelihood` | no | whether κ is chosen by marginal likelihood though the model has a penalty of its own |
///
/// ```text
/// M = (JᵀJ+κ)⁻¹    h_ij = JᵢMJⱼ    dᵢ = 1−h_ii    e = u − JMJᵀu    cᵢ(x) = J(x)MJᵢ    g(x) = J(x)MJ(x)
/// f₋ᵢ(x) = f(x) − cᵢ(x)rᵢ,  rᵢ = eᵢ/dᵢ            g₋ᵢ(x) = g(x) + cᵢ(x)²/dᵢ
/// ℓ₋ᵢ(x)² = 0.1·σ₋ᵢ² + the mean over the 20 rows j ≠ i nearest to x of (eⱼ + h_ij rᵢ)²/(dⱼ − h_ij²/dᵢ)
/// σ₋ᵢ² = (uᵀe − eᵢ²/dᵢ)/(n−1)                     s₋ᵢ(x)² = (1 + g₋ᵢ(x))·ℓ₋ᵢ(x)²
/// qᵢ = |eᵢ|/(√dᵢ·ℓ₋ᵢ(xᵢ))
/// κ₋ᵢ = argmin over 2⁻²⁰ … 2¹⁰ of (n−1)·ln(uᵀe − eᵢ²/dᵢ) + Σₖ ln(1+λₖ/κ) + ln dᵢ,   λₖ the eigenvalues of JᵀJ
/// ```
///
/// all at κ₋ᵢ. Where the best κ of a row is at an end of the grid, the grid grows for that row, upwards until the features explain
/// nothing and downwards as long as 1 − h keeps its digits; of κ that are equally good the largest is taken. A row with an error
/// where all others have none has qᵢ = ∞.
///
/// With more than 50,000 rows, or more than 2²⁷ numbers in J, nothing of the size of J is kept: its rows are made again where they are
/// asked for, and neighbours are the nearest of a pool of about 10,000 rows. [`LeaveOneOut::notes`] says its size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tangent {
    likelihood: bool,
}

impl Tangent {
    setters! {
        /// Whether κ is chosen by marginal likelihood though the model has a penalty of its own.
        likelihood(likelihood: bool) => likelihood;
    }
}

/// A learner of which only the features of its models are asked.
type FeaturesOf<'f> = &'f dyn Fn(&Sample) -> Result<Arc<dyn Features>>;
/// The same, asked from several threads.
pub(crate) type SharedFeaturesOf<'f> = &'f (dyn Fn(&Sample) -> Result<Arc<dyn Features>> + Sync);

/// Models that come with scales of their own, made without the row that is left out; all in units of the target.
pub(crate) trait Nested: Send + Sync {
    /// qᵢ = (yᵢ − f₋ᵢ(xᵢ))/s₋ᵢ(xᵢ), with its sign.
    fn scores(&self) -> Array1<f64>;

    /// Order statistics of f₋ᵢ(x) + mᵢs₋ᵢ(x), points × asked.
    fn order_statistics(&self, x: ArrayView2<f64>, asked: &[Asked]) -> Result<Array2<f64>>;

    /// What the model itself predicts, if there is another than this.
    fn own(&self, x: ArrayView2<f64>) -> Option<Array1<f64>>;

    /// s(x), with all rows.
    fn scales(&self, x: ArrayView2<f64>) -> Array1<f64>;

    /// Whether the features are the same whatever the rows.
    fn is_proven(&self) -> bool;

    /// Whether that is the word of whoever made the features.
    fn has_given_features(&self) -> bool;

    /// The rows of that world which are left out.
    fn rows(&self) -> &[usize];

    /// Whether the penalty is given, and not chosen from the rows.
    fn has_fixed_penalty(&self) -> bool;

    /// The one linear world behind the models, and the target's units in its own.
    fn hat(&self) -> Option<(&Hat, f64)>;

    /// What a reader should know.
    fn notes(&self) -> Vec<String>;
}

impl LeaveOneOut {
    /// The exact leave-one-out models of a model's tangent at θ̂: see [`tangent`](crate::leave_one_out::tangent).
    ///
    /// Least squares and ridge keep their penalty, and everything is proven. A network gets κ by marginal likelihood; what its
    /// intervals are about is the tangent's prediction, usually the better one.
    ///
    /// # Errors
    /// [`Error::Rows`] for fewer than two rows, [`Error::Columns`] if the model has other columns, [`Error::Alone`] for least
    /// squares that a single row decides, [`Error::Memory`] for more than the machine has free.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let network = Training::default().hidden(&[30]).epochs(300).fit(&train)?;
    /// let loo = LeaveOneOut::tangent(&network, &train, &Tangent::default())?;
    /// let intervals = loo.nested(test.x(), 0.1)?;
    /// assert!(intervals.coverage(test.y())?.rate > 0.8);
    /// let ridge = LeaveOneOut::tangent(&Ridge::new(0.1).fit(&train)?, &train, &Tangent::default())?;
    /// assert_eq!(ridge.nested(test.x(), 0.1)?.guarantee, Guarantee::AtLeast(0.8));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn tangent<M: Differentiable>(model: &M, sample: &Sample, how: &Tangent) -> Result<Self> {
        Self::tangent_at(model.tangent().into(), sample, how)
    }

    /// The same for features of your own.
    ///
    /// # Errors
    /// As [`LeaveOneOut::tangent`].
    pub fn tangent_of(features: impl Features + 'static, sample: &Sample, how: &Tangent) -> Result<Self> {
        Self::tangent_at(Arc::new(features), sample, how)
    }

    pub(crate) fn tangent_at(features: Arc<dyn Features>, sample: &Sample, how: &Tangent) -> Result<Self> {
        Self::tangent_by(Engine::Tangent, features, sample, how)
    }

    /// The same under the name of another engine, for models that are linear as they are.
    pub(super) fn tangent_by(
        engine: Engine,
        features: Arc<dyn Features>,
        sample: &Sample,
        how: &Tangent,
    ) -> Result<Self> {
        let rows = (0..sample.len()).collect();
        World::new(features, sample, rows, how, false)?.leave_one_out(engine, sample)
    }

    /// `split+`: a model trained on some rows, its tangent fitted on all, and leave-one-out over the rows that it has not seen.
    ///
    /// The features are then constants for the rows that count, and the theorem of [`tangent`](crate::leave_one_out::tangent) holds
    /// for a network too. `fraction` of the rows, at random, are not shown to the model: a fifth is a good share.
    ///
    /// # Errors
    /// As [`LeaveOneOut::tangent`] and [`Sample::split`], and whatever `fit` answers.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let fit = |rows: &Sample| Training::default().hidden(&[30]).epochs(300).fit(rows);
    /// let intervals = LeaveOneOut::tangent_split(&train, 0.2, 0, fit)?.nested(test.x(), 0.1)?;
    /// assert_eq!(intervals.guarantee, Guarantee::AtLeast(0.8));
    /// assert_eq!(intervals.rows, Some(50));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn tangent_split<M: Differentiable>(
        sample: &Sample,
        fraction: f64,
        seed: u64,
        fit: impl Fn(&Sample) -> Result<M>,
    ) -> Result<Self> {
        Self::tangent_split_at(sample, fraction, seed, &|rows| Ok(fit(rows)?.tangent().into()))
    }

    /// The same without the type of the model.
    pub(crate) fn tangent_split_at(sample: &Sample, fraction: f64, seed: u64, fit: FeaturesOf<'_>) -> Result<Self> {
        let (seen, unseen) = sample.split(fraction, seed)?;
        Self::on_unseen(fit(&seen)?, &seen, &unseen, &Tangent::default())
    }

    /// `split+` of a model trained elsewhere: the rows that it has seen, and rows that it has not.
    ///
    /// # Errors
    /// As [`LeaveOneOut::tangent`]; [`Error::Columns`] if the two have not the same columns.
    pub fn tangent_on_unseen<M: Differentiable>(
        model: &M,
        seen: &Sample,
        unseen: &Sample,
        how: &Tangent,
    ) -> Result<Self> {
        Self::on_unseen(model.tangent().into(), seen, unseen, how)
    }

    fn on_unseen(features: Arc<dyn Features>, seen: &Sample, unseen: &Sample, how: &Tangent) -> Result<Self> {
        if seen.columns() != unseen.columns() {
            return Err(Error::Columns { trained: seen.columns(), given: unseen.columns() });
        }
        let x = ndarray::concatenate(ndarray::Axis(0), &[seen.x().view(), unseen.x().view()]).expect("as many columns");
        let y = seen.y().iter().chain(unseen.y()).copied().collect();
        let both = Sample::new(x, y)?;
        let rows = (seen.len()..both.len()).collect();
        World::new(features, &both, rows, how, true)?.leave_one_out(Engine::TangentSplit, unseen)
    }

    /// cv+ with the tangent inside: a training without each of K folds of consecutive rows, and its tangent there.
    ///
    /// ```text
    /// qᵢ = |yᵢ − f₋ₖ(xᵢ)|/s₋ₖ(xᵢ)     k the fold of row i, f₋ₖ and s₋ₖ of the fold's model and its tangent
    /// ```
    ///
    /// Every row is used, and cv+'s bound is proven for networks.
    ///
    /// # Errors
    /// As [`LeaveOneOut::tangent`] and [`Sample::folds`], and whatever `fit` answers.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let fit = |rows: &Sample| Training::default().hidden(&[20]).epochs(200).fit(rows);
    /// let intervals = LeaveOneOut::tangent_folds(&train, 5, fit)?.nested(test.x(), 0.1)?;
    /// assert!(intervals.coverage(test.y())?.rate > 0.8);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn tangent_folds<M: Differentiable>(
        sample: &Sample,
        folds: usize,
        fit: impl Fn(&Sample) -> Result<M> + Sync,
    ) -> Result<Self> {
        Self::tangent_folds_at(sample, folds, &|rows: &Sample| Ok(fit(rows)?.tangent().into()))
    }

    /// The same without the type of the model.
    pub(crate) fn tangent_folds_at(sample: &Sample, folds: usize, fit: SharedFeaturesOf<'_>) -> Result<Self> {
        folds::trained(sample, folds, fit)
    }

    /// How large an error of the model itself is to be expected at each row of `x`, in units of the target.
    ///
    /// ```text
    /// √( (f(x) − f̂(x))² + s(x)²/1.1 )        f the tangent's prediction, f̂ the model's own, s(x) of all rows
    /// ```
    ///
    /// It ranks a network's own errors better than the width of any interval does.
    ///
    /// # Errors
    /// [`Error::Rule`] for models of another engine, and as [`LeaveOneOut::predict`].
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let network = Training::default().hidden(&[30]).epochs(300).fit(&train)?;
    /// let expected = LeaveOneOut::tangent(&network, &train, &Tangent::default())?.expected_error(test.x())?;
    /// let errors = (test.y() - &network.predict(test.x())?).mapv(f64::abs);
    /// let large: Vec<bool> = errors.iter().map(|&error| error > 1.0).collect();
    /// assert!(average_precision(&large, &expected)? > 0.5);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn expected_error(&self, x: &Array2<f64>) -> Result<Array1<f64>> {
        let models = self.tangent_models("expected error")?;
        check_points(x, self.x().ncols())?;
        let scales = models.scales(x.view());
        let apart = match models.own(x.view()) {
            Some(own) => self.predict(x)? - own,
            None => Array1::zeros(x.nrows()),
        };
        Ok(ndarray::Zip::from(&scales).and(&apart).map_collect(|s, apart| (apart * apart + s * s / 1.1).sqrt()))
    }

    /// The scores qᵢ = (yᵢ − f₋ᵢ(xᵢ))/s₋ᵢ(xᵢ) of the tangent's rows, with their signs.
    ///
    /// # Errors
    /// [`Error::Rule`] for models of another engine.
    pub fn nested_scores(&self) -> Result<Array1<f64>> {
        Ok(self.tangent_models("nested scores")?.scores())
    }

    /// The models with scales of their own, or a refusal.
    pub(crate) fn tangent_models(&self, rule: &str) -> Result<&dyn Nested> {
        self.nested_models().ok_or_else(|| Error::Rule {
            rule: rule.into(),
            needs: "scales made without the row that is left out",
            engine: self.engine().to_string(),
            advice: "make them by LeaveOneOut::tangent, or ask for the rule `studentized`",
        })
    }
}
