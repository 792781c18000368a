//! Plots: one chart for each result, as a method of the result.
//!
//! | chart | shows |
//! |---|---|
//! | [`Intervals::plot`](crate::interval::Intervals::plot), [`plot_over`](crate::interval::Intervals::plot_over) | which targets are covered |
//! | [`Intervals::plot_width`](crate::interval::Intervals::plot_width) | whether wide intervals stand where errors are large |
//! | [`LeaveOneOut::plot_residuals`](crate::leave_one_out::LeaveOneOut::plot_residuals) | what one interval is made of |
//! | [`LeaveOneOut::plot_coverage`](crate::leave_one_out::LeaveOneOut::plot_coverage) | the coverage achieved at every level |
//! | [`Fidelity::plot`](crate::leave_one_out::Fidelity::plot) | claims without refitting against refits |
//! | [`PrecisionRecall::plot`](crate::metric::PrecisionRecall::plot) | the curve behind the average precision |
//! | [`Intervals::compare_width_over`](crate::interval::Intervals::compare_width_over), [`compare_precision_recall`](crate::interval::Intervals::compare_precision_recall) | the same of several methods |
//! | [`AuditTable::plot`](crate::audit::AuditTable::plot) | coverage, width and discrimination of all methods |
//! | [`Comparison`], [`Convergence`] | any numbers of several methods |
//!
//! A chart computes nothing that is not also available as a number. How it is drawn is [`crate::figure`]'s work.

mod audit;
pub mod comparison;
pub mod convergence;
mod coverage;
mod fidelity;
mod interval;
mod precision_recall;
mod residual;
mod several;
mod width;

pub use comparison::Comparison;
pub use convergence::Convergence;
