//! A model at its θ̂ on a sample: the one place from which engines, solvers and baselines take its derivatives.

use std::sync::OnceLock;

use ndarray::{Array1, Array2, Axis};

use super::Objective;
use super::erased::AnyDifferentiable;
use crate::factor;
use crate::sample::Sample;

/// Rows whose derivatives are held at a time.
const HELD: usize = 2048;

/// L, its penalty and its first derivatives around θ̂.
///
/// ```text
/// f(xᵢ; θ) ≈ f(xᵢ; θ̂) + Jᵢ·(θ − θ̂),    ∇ℓᵢ = λ∘θ̂ − eᵢJᵢ,    ∇L = λ∘θ̂ − Jᵀe/n
/// ```
///
/// with the residuals e = y − f(x; θ̂) and the n × p Jacobian J, which is found at the first call of
/// [`Linearised::jacobian`] and kept: whoever asks for no Jacobian pays for none.
pub(crate) struct Linearised<'a> {
    objective: Box<dyn Objective + 'a>,
    theta: Array1<f64>,
    penalty: Array1<f64>,
    jacobian: OnceLock<Array2<f64>>,
}

impl<'a> Linearised<'a> {
    /// The model where it stands; it has been checked to have the sample's columns.
    pub(crate) fn new(model: &'a dyn AnyDifferentiable, sample: &'a Sample) -> Self {
        Self {
            objective: model.objective(sample),
            theta: model.parameters(),
            penalty: model.penalty(),
            jacobian: OnceLock::new(),
        }
    }

    /// The squared error around θ̂, without the penalty.
    pub(crate) fn objective(&self) -> &dyn Objective {
        self.objective.as_ref()
    }

    /// θ̂.
    pub(crate) fn theta(&self) -> &Array1<f64> {
        &self.theta
    }

    /// λⱼ for each parameter.
    pub(crate) fn penalty(&self) -> &Array1<f64> {
        &self.penalty
    }

    /// eᵢ = yᵢ − f(xᵢ; θ̂).
    pub(crate) fn residuals(&self) -> &Array1<f64> {
        self.objective.residuals()
    }

    /// n.
    pub(crate) fn rows(&self) -> usize {
        self.residuals().len()
    }

    /// J, found once.
    pub(crate) fn jacobian(&self) -> &Array2<f64> {
        self.jacobian.get_or_init(|| self.objective.jacobian())
    }

    /// The upper triangle of JᵀJ, from blocks of rows where J is not kept and would be large.
    pub(crate) fn upper_gram(&self) -> Array2<f64> {
        match self.rows() <= HELD || self.jacobian.get().is_some() {
            true => factor::upper_gram(self.jacobian().view()),
            false => streamed_gram(self.objective()),
        }
    }

    /// λ∘θ̂, the part of the gradient that every ℓᵢ shares.
    pub(crate) fn shrinkage(&self) -> Array1<f64> {
        &self.penalty * &self.theta
    }

    /// L.
    pub(crate) fn loss(&self) -> f64 {
        let residuals = self.residuals();
        0.5 * residuals.dot(residuals) / self.rows() as f64 + 0.5 * self.shrinkage().dot(&self.theta)
    }

    /// ∇L.
    pub(crate) fn gradient(&self) -> Array1<f64> {
        &self.shrinkage() - &(self.jacobian().t().dot(self.residuals()) / self.rows() as f64)
    }

    /// ∇²L.
    pub(crate) fn hessian(&self) -> Array2<f64> {
        mean_with_penalty(self.objective.hessian(), self.rows(), &self.penalty)
    }

    /// ∇ℓᵢ, one row each, to be worked on in place.
    ///
    /// They are made of a copy of the Jacobian if that is kept, and in its place if it is not: a solver that needs the
    /// Jacobian is prepared first.
    pub(crate) fn gradients(&self) -> Array2<f64> {
        let mut gradients = self.jacobian.get().cloned().unwrap_or_else(|| self.objective.jacobian());
        gradients *= &self.residuals().view().insert_axis(Axis(1));
        gradients *= -1.0;
        gradients += &self.shrinkage();
        gradients
    }
}

/// The upper triangle of JᵀJ, of which some rows are held at a time.
pub(crate) fn streamed_gram(objective: &dyn Objective) -> Array2<f64> {
    let n = objective.residuals().len();
    let block = |start: usize| factor::upper_gram(objective.jacobian_of(start..(start + HELD).min(n)).view());
    (HELD..n).step_by(HELD).fold(block(0), |sum, start| sum + block(start))
}

/// A matrix of the squared error made one of L: divided by n, the penalty on its diagonal.
pub(crate) fn mean_with_penalty(mut matrix: Array2<f64>, rows: usize, penalty: &Array1<f64>) -> Array2<f64> {
    matrix /= rows as f64;
    matrix.diag_mut().zip_mut_with(penalty, |h, &l| *h += l);
    matrix
}

/// ‖∇L‖ from the gradients ∇ℓᵢ, whose mean it is: 0 at a minimum.
pub(crate) fn gradient_norm(gradients: &Array2<f64>) -> f64 {
    gradients.mean_axis(Axis(0)).map_or(0.0, |gradient| gradient.dot(&gradient).sqrt())
}

#[cfg(test)]
mod tests {
    use std::ops::Range;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use ndarray::{ArrayView1, ArrayView2, array};

    use super::*;
    use crate::curvature::{Curvature, Options, Problem, Solver};
    use crate::model::linear::{Linear, Ridge};
    use crate::model::{Differentiable, Model};

    static ASKED: AtomicUsize = AtomicUsize::new(0);

    /// A line that counts how often its Jacobian is asked for.
    #[derive(Clone)]
    struct Counted(Linear);

    struct Counting<'a>(Box<dyn Objective + 'a>);

    impl Model for Counted {
        fn columns(&self) -> usize {
            self.0.columns()
        }

        fn evaluate(&self, x: ArrayView2<f64>) -> Array1<f64> {
            self.0.evaluate(x)
        }
    }

    impl Differentiable for Counted {
        fn parameters(&self) -> Array1<f64> {
            Differentiable::parameters(&self.0)
        }

        fn with_parameters(&self, theta: ArrayView1<f64>) -> Self {
            Self(self.0.with_parameters(theta))
        }

        fn penalty(&self) -> Array1<f64> {
            Differentiable::penalty(&self.0)
        }

        fn objective<'a>(&'a self, sample: &'a Sample) -> Box<dyn Objective + 'a> {
            Box::new(Counting(Differentiable::objective(&self.0, sample)))
        }
    }

    impl Objective for Counting<'_> {
        fn residuals(&self) -> &Array1<f64> {
            self.0.residuals()
        }

        fn jacobian_of(&self, rows: Range<usize>) -> Array2<f64> {
            ASKED.fetch_add(1, Ordering::Relaxed);
            self.0.jacobian_of(rows)
        }

        fn taylor(&self, path: &[ArrayView1<f64>], rows: Range<usize>) -> Array1<f64> {
            self.0.taylor(path, rows)
        }
    }

    #[test]
    fn a_gauss_newton_solver_and_the_gradients_share_one_jacobian() {
        let sample = Sample::new(array![[0.0], [1.0], [2.0], [4.0]], array![1.0, 0.0, 3.0, 2.0]).unwrap();
        let line = Counted(Ridge::new(0.1).fit(&sample).unwrap());
        for solver in [Solver::Dense, Solver::ConjugateGradients, Solver::Stochastic] {
            ASKED.store(0, Ordering::Relaxed);
            let here = Linearised::new(&line, &sample);
            let options = Options { curvature: Curvature::GaussNewton, solver, damping: 0.0, seed: 0 };
            let mut inverse = Problem::new(&here, options).prepare().unwrap();
            let mut gradients = here.gradients();
            assert!(gradient_norm(&gradients) < 1e-12, "ridge is at its minimum");
            inverse.solve_rows(&mut gradients).unwrap();
            assert_eq!(ASKED.load(Ordering::Relaxed), 1, "{solver}");
        }
    }
}
