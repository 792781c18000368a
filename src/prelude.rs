//! The single `use` that a notebook needs.

pub use crate::audit::{Audit, AuditTable, Check};
pub use crate::baseline::{Baseline, Dropout, Ensemble, Langevin, Pbp, Predictive, Probabilistic, Resampling};
pub use crate::condition::{Conditions, Finding, Kind};
pub use crate::curvature::{Curvature, Solver};
pub use crate::error::{Error, Result};
pub use crate::figure::{Figure, colour::named as method_colour};
pub use crate::hat::{GaussianKernel, KernelRidge};
pub use crate::interval::{Guarantee, HeldOut, Intervals, Method, Ratios, Recipe, Rule, Scaled, Score};
pub use crate::learner::{Fitted, Learner};
pub use crate::leave_one_out::{
    Agreement, DampingChoice, Engine, Fidelity, Influence, LeaveOneOut, Newton, Shifts, Start, Stopped, Tangent, Terms,
    Trust, damping_by_likelihood,
};
pub use crate::metric::{
    Contradiction, Coverage, Discrimination, Metrics, PrecisionRecall, Promise, Skill, Slice, Tells, auroc,
    average_precision, average_precision_by_chance, average_precision_interval, rmse,
};
#[cfg(feature = "trees")]
pub use crate::model::forest::Forest;
pub use crate::model::formula::{Curve, Formula, Scalar};
pub use crate::model::linear::{Linear, Ridge};
pub use crate::model::network::{Activation, Layer, Network, Training};
pub use crate::model::{Differentiable, Features, GivenFeatures, Model};
#[cfg(feature = "paper")]
pub use crate::paper::{self, SideBySide, TableTwo};
pub use crate::plot::{Comparison, Convergence};
pub use crate::quantile::Ranks;
pub use crate::sample::Sample;
pub use crate::sample::synthetic::{Feature, cubic, linear};
pub use crate::sample::tables::Table;

pub use ndarray;
#[cfg(feature = "plotly")]
pub use plotly;
#[cfg(feature = "polars")]
pub use polars;
#[cfg(feature = "linfa")]
pub use {linfa, linfa_linear};
