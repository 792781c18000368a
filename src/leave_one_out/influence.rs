//! Leave-one-out models by influence functions, of any order, without refitting.
//!
//! The curve θᵢ(ε) that solves ∇L(θ) + ε∇ℓᵢ(θ) = 0 starts at θ̂ and passes θ₋ᵢ at ε = −1/n. Its power series is
//! found coefficient by coefficient,
//!
//! ```text
//! θᵢ(ε) = θ̂ + Σₖ cₖεᵏ,     cₖ = −H⁻¹ [εᵏ]( ∇L(θ) + ε∇ℓᵢ(θ) ) with cₖ set to 0,     I⁽ᵏ⁾ = k! cₖ
//! ```
//!
//! one loop over Taylor coefficients and one factorised H for every order. The paper stops at the second and drops
//! its ∇³L term in Section 3.3 (Appendix B has it); its Algorithm 1 has the wrong sign for every even k.

use ndarray::{Array1, Array2, ArrayView1, Axis};
use rayon::prelude::*;

use super::hybrid::Step;
use super::parametric::{Parametric, check_model};
use super::{Engine, LeaveOneOut, Shifts, Start, Trust, remainder};
use crate::check;
use crate::curvature::{Curvature, Options, Problem, Solver};
use crate::error::Result;
use crate::model::Differentiable;
use crate::model::erased::AnyDifferentiable;
use crate::model::linearised::Linearised;
use crate::sample::Sample;
use crate::setter::setters;

/// Which terms an order has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Terms {
    /// All of them: I⁽²⁾ = −H⁻¹( ∇³L[I⁽¹⁾,I⁽¹⁾] + 2∇²ℓᵢ I⁽¹⁾ ), and so on.
    #[default]
    Exact,
    /// The paper's Section 3.3: I⁽²⁾ = −2H⁻¹∇²ℓᵢ I⁽¹⁾, without the term in ∇³L that is of the same order.
    AsPrinted,
}

/// How leave-one-out models are found by influence functions.
///
/// | option | default | meaning | range |
/// |---|---|---|---|
/// | `order` | | highest power of ε | ≥ 1 |
/// | `as_printed` | no | the paper's order 2 without its ∇³L term | order ≤ 2 |
/// | `curvature` | exact | the matrix H; with Gauss–Newton, orders above 1 are approximations | |
/// | `solver` | auto | how H⁻¹ is applied | |
/// | `damping` | 0 | D in H + D·I; raised if H is not positive definite | ≥ 0 |
/// | `seed` | 0 | of the stochastic solver | |
/// | `shifts` | auto | whether each model is asked at new points, or all linearly: [`Shifts`] | linear: order 1 |
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let how = Influence::order(2).damping(1e-3).curvature(Curvature::GaussNewton);
/// assert_eq!(format!("{how:?}").contains("order: 2"), true);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Influence {
    order: usize,
    terms: Terms,
    options: Options,
    shifts: Shifts,
}

impl Influence {
    /// Influence of the given order, with exact terms and the defaults above.
    pub fn order(order: usize) -> Self {
        let options = Options { curvature: Curvature::Exact, solver: Solver::Auto, damping: 0.0, seed: 0 };
        Self { order, terms: Terms::Exact, options, shifts: Shifts::Auto }
    }

    /// The paper's order 2 as printed.
    pub fn as_printed(self) -> Self {
        self.terms(Terms::AsPrinted)
    }

    setters! {
        /// Which terms an order has.
        terms(terms: Terms) => terms = terms;
        /// The matrix that stands for H.
        curvature(curvature: Curvature) => options.curvature = curvature;
        /// How H⁻¹ is applied.
        solver(solver: Solver) => options.solver = solver;
        /// D in H + D·I.
        damping(damping: f64) => options.damping = damping;
        /// The seed of the stochastic solver.
        seed(seed: u64) => options.seed = seed;
        /// How the models answer at new points.
        shifts(shifts: Shifts) => shifts = shifts;
    }

    fn check(&self) -> Result<()> {
        check::that(
            self.order > 0,
            "the order of influence",
            self.order,
            "be at least 1",
            "1, or a refit for the exact answer",
        )?;
        let printed = self.terms == Terms::Exact || self.order <= 2;
        check::that(printed, "the order as printed", self.order, "be 1 or 2", "2, or exact terms")?;
        self.shifts.check(self.order == 1)?;
        self.options.check()
    }
}

impl LeaveOneOut {
    /// The leave-one-out models of a differentiable model by influence functions.
    ///
    /// ```text
    /// θ₋ᵢ = θ̂ + Σₖ (−1)ᵏ n⁻ᵏ/k! · I⁽ᵏ⁾,   k = 1 … m
    /// ```
    ///
    /// `sample` must be the rows that the model was trained on. With the jackknife+ rule this is the paper's
    /// discriminative jackknife of order m.
    ///
    /// # Errors
    /// [`Error::Choice`](crate::Error::Choice) for an option out of its range,
    /// [`Error::Columns`](crate::Error::Columns) if the model has other columns,
    /// [`Error::Curvature`](crate::Error::Curvature) if no damping helps,
    /// [`Error::Diverged`](crate::Error::Diverged) from the stochastic solver,
    /// [`Error::NotFinite`](crate::Error::NotFinite) if the series leaves the range of the numbers.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let model = Ridge::new(1e-3).fit(&train)?;
    /// let exact = LeaveOneOut::closed_form(&Ridge::new(1e-3), &train)?.residuals();
    /// let error = |order| -> Result<f64> {
    ///     let loo = LeaveOneOut::influence(&model, &train, &Influence::order(order))?;
    ///     Ok((loo.residuals() - &exact).mapv(f64::abs).sum())
    /// };
    /// assert!(error(2)? < error(1)? && error(3)? < error(2)?); // each order is closer to the refit
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn influence<M: Differentiable>(model: &M, sample: &Sample, how: &Influence) -> Result<Self> {
        Self::by_influence(model, sample, how)
    }

    pub(crate) fn by_influence(model: &dyn AnyDifferentiable, sample: &Sample, how: &Influence) -> Result<Self> {
        how.check()?;
        check_model(model, sample)?;
        let here = Linearised::new(model, sample);
        let problem = Problem::new(&here, how.options);
        if how.order == 1
            && let Some(form) = how.shifts.form((model, sample), &here, &problem, how.options)?
        {
            return Self::by_one_step(model, sample, &here, &problem, (form, Step::Influence(how.terms)));
        }
        let mut inverse = problem.prepare()?;
        let gradients = here.gradients();
        let start = Start::from_gradients(&gradients, model, sample);

        // stepₖ = cₖ(−1/n)ᵏ, so that θ₋ᵢ = θ̂ + step₁ + step₂ + …: no large powers of n in between.
        let mut steps = vec![gradients / sample.len() as f64];
        inverse.solve_rows(&mut steps[0])?;
        for _ in 2..=how.order {
            let mut next = right_hand_sides(&here, &steps, how.terms);
            inverse.solve_rows(&mut next)?;
            steps.push(next);
        }
        let mut thetas = Array2::zeros(steps[0].dim()) + here.theta();
        steps.iter().for_each(|step| thetas += step);

        let models = Parametric { full: model.boxed(), thetas };
        let left_out = models.left_out(sample);
        let leverages = remainder::leverages(&here, &mut inverse, &steps[0])?;
        let (ratios, omitted) = match steps.as_slice() {
            [.., before, last] => {
                let ratios = shrinking(&norms(last), &norms(before), &leverages);
                let omitted = remainder::of_series(&ratios, &leverages, how.order);
                (ratios, omitted)
            }
            _ => {
                let beyond = remainder::of_first_order(&models, sample, &left_out);
                (leverages.clone(), remainder::of_influence(beyond, &leverages))
            }
        };
        let trust = Trust { report: inverse.report(), start, ratios, leverages: Some(leverages), omitted };
        Self::new(models, Engine::Influence(how.order, how.terms), sample, left_out, Some(trust))
    }
}

/// −[tᵏ]( ∇L − (t/n)∇ℓᵢ ) along the steps known so far, one row for each left-out i.
fn right_hand_sides(here: &Linearised, steps: &[Array2<f64>], terms: Terms) -> Array2<f64> {
    let (n, objective) = (here.rows(), here.objective());
    let mut sides = Array2::zeros(steps[0].dim());
    sides.axis_iter_mut(Axis(0)).into_par_iter().enumerate().for_each(|(i, mut side)| {
        let mut path: Vec<ArrayView1<f64>> = steps.iter().map(|step| step.row(i)).collect();
        let mut own = objective.taylor(&path, i..i + 1);
        own += &(here.penalty() * &path[path.len() - 1]);
        if terms == Terms::Exact {
            path.push(ArrayView1::from(&[]));
            own -= &objective.taylor(&path, 0..n);
        }
        side.assign(&(own / n as f64));
    });
    sides
}

fn norms(rows: &Array2<f64>) -> Array1<f64> {
    rows.map_axis(Axis(1), |row| row.dot(&row).sqrt())
}

/// last/before; the leverage for a row that moves nothing, of which 0/0 would tell nothing.
fn shrinking(last: &Array1<f64>, before: &Array1<f64>, leverages: &Array1<f64>) -> Array1<f64> {
    let ratio = |((&last, &before), &leverage)| if last == 0.0 && before == 0.0 { leverage } else { last / before };
    last.iter().zip(before).zip(leverages).map(ratio).collect()
}
