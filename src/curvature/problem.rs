//! From a linearised model and a few options to a solver that is ready to be asked.

use ndarray::{Array1, Array2};

use super::conjugate::ConjugateGradients;
use super::dense::Dense;
use super::report::{Reached, Report};
use super::stochastic::Stochastic;
use super::{Curvature, DENSE_LIMIT, Solver};
use crate::check;
use crate::error::Result;
use crate::model::linearised::{Linearised, mean_with_penalty};

/// How H⁻¹ is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Options {
    pub(crate) curvature: Curvature,
    pub(crate) solver: Solver,
    /// D in H + D·I.
    pub(crate) damping: f64,
    /// Of the probes and of the stochastic series.
    pub(crate) seed: u64,
}

impl Options {
    pub(crate) fn check(&self) -> Result<()> {
        check::not_negative("the damping", self.damping, "0.001")
    }
}

/// H + D·I around a fitted model, before it is solved with.
#[derive(Clone)]
pub(crate) struct Problem<'a> {
    pub(super) here: &'a Linearised<'a>,
    pub(super) options: Options,
    /// λ, as it stands in H.
    pub(super) penalty: Array1<f64>,
    /// D, as it stands beside H.
    pub(super) damping: f64,
    /// Whether λ and D are those of n − 1 rows.
    one_row_less: bool,
}

/// Something that applies (H + D·I)⁻¹.
pub(super) trait Inverse: Sync {
    /// Solves for each row of `rows`, in place; solvers that iterate say what the worst of them reached.
    fn solve_rows(&self, rows: &mut Array2<f64>) -> Result<Option<Reached>>;

    /// D.
    fn damping(&self) -> f64;

    /// What the end of a series adds to D where H is nearly flat.
    fn cut(&self) -> Option<f64> {
        None
    }

    /// The smallest pivot of the factorisation, if there is one.
    fn smallest_pivot(&self) -> Option<f64> {
        None
    }
}

impl<'a> Problem<'a> {
    pub(crate) fn new(here: &'a Linearised<'a>, options: Options) -> Self {
        let (penalty, damping) = (here.penalty().clone(), options.damping);
        Self { here, options, penalty, damping, one_row_less: false }
    }

    /// The same with the penalty and the damping of n − 1 rows, which all losses without a row have in common.
    ///
    /// ```text
    /// Σ_{j≠i} ∇²ℓⱼ + (n−1)D = JᵀJ + (n−1)(λ + D) − JᵢJᵢᵀ
    /// ```
    ///
    /// H is a mean over n rows, so λ and D stand in it with the factor (n−1)/n; reports have D without it.
    pub(crate) fn one_row_less(self) -> Self {
        let n = self.here.rows() as f64;
        Self {
            penalty: self.penalty * ((n - 1.0) / n),
            damping: self.damping * (n - 1.0) / n,
            one_row_less: true,
            ..self
        }
    }

    /// The upper triangle of the dense matrix H, without damping.
    pub(crate) fn matrix(&self) -> Array2<f64> {
        let matrix = match self.options.curvature {
            Curvature::Exact => self.here.objective().hessian(),
            Curvature::GaussNewton => self.here.upper_gram(),
        };
        mean_with_penalty(matrix, self.here.rows(), &self.penalty)
    }

    /// The factorisation of H + D·I, raising the damping where that is needed, and its record.
    pub(crate) fn factorised(&self) -> Result<(Dense, Report)> {
        let dense = Dense::new(self)?;
        let report = self.report(Solver::Dense, &dense);
        Ok((dense, report))
    }

    /// What is known of a solver before it is asked.
    fn report(&self, solver: Solver, inverse: &dyn Inverse) -> Report {
        Report {
            solver,
            asked: self.options.damping,
            damping: self.damping_said(inverse.damping()),
            smallest_pivot: inverse.smallest_pivot(),
            cut: inverse.cut(),
            reached: None,
        }
    }

    /// D as it stands in reports, from D as it stands beside H.
    pub(super) fn damping_said(&self, used: f64) -> f64 {
        let n = self.here.rows() as f64;
        match used {
            // Scaled there and back, an unchanged damping could seem to have been raised by its last digit.
            used if used == self.damping => self.options.damping,
            used if self.one_row_less => used * n / (n - 1.0),
            used => used,
        }
    }

    /// Prepares the solver, raising the damping where that is needed.
    pub(crate) fn prepare(self) -> Result<Prepared<'a>> {
        let solver = match self.options.solver {
            Solver::Auto if self.penalty.len() <= DENSE_LIMIT => Solver::Dense,
            Solver::Auto => Solver::ConjugateGradients,
            chosen => chosen,
        };
        let asked = self.clone();
        let inverse: Box<dyn Inverse + 'a> = match solver {
            Solver::Dense | Solver::Auto => Box::new(Dense::new(&asked)?),
            Solver::ConjugateGradients => Box::new(ConjugateGradients::new(self)?),
            Solver::Stochastic => Box::new(Stochastic::new(self)?),
        };
        let report = asked.report(solver, inverse.as_ref());
        Ok(Prepared { inverse, report })
    }
}

/// A solver that is ready, and its record.
pub(crate) struct Prepared<'a> {
    inverse: Box<dyn Inverse + 'a>,
    report: Report,
}

impl Prepared<'_> {
    /// Solves for each row of `rows`, in place.
    pub(crate) fn solve_rows(&mut self, rows: &mut Array2<f64>) -> Result<()> {
        let reached = self.inverse.solve_rows(rows)?;
        self.report = self.report.with(reached);
        Ok(())
    }

    /// What has been reached so far.
    pub(crate) fn report(&self) -> Report {
        self.report
    }
}
