//! The paper rebuilt: its figures and its Table 2, as functions with seeds.
//!
//! A. Alaa and M. van der Schaar, *Discriminative Jackknife*, ICML 2020. What the paper proposes stands in the rest of
//! the crate; here is what it *shows*, made anew.
//!
//! | in the paper | here |
//! |---|---|
//! | Figure 1, coverage against discrimination | [`figure_one()`] |
//! | Figure 2, R and V(x) in order, with stars | [`figure_two()`] |
//! | Figure 3 (a)–(h), intervals on y = x³ + ε | [`figure_three()`] |
//! | Figure 4, width and coverage over noise, width over n | [`figure_four()`] |
//! | Table 2, as its authors' program made it | [`TableTwo::as_printed`] |
//! | Table 2, with this crate's conventions | [`TableTwo::as_it_is`] |
//! | both beside the printed numbers | [`side_by_side()`] |
//!
//! *As printed* follows the settings that the authors' public program ran with, which are not always those of the
//! text: one fixed split, data that are not standardised, 1000 minibatch steps, first-order influence with the Hessian
//! of the last minibatch, quantiles interpolated at α/2 on either side, and an average precision that is [`fold()`]ed.
//! Folding exists in this module and nowhere else in the crate. Random numbers are ours, so a rebuilt number is a
//! draw from what the program gives, not the printed digits.
//!
//! # Where we depart from the paper
//!
//! The rest of the crate, and *as it is* here:
//!
//! * θ₋ᵢ = θ̂ + Σ (−1)ᵏ n⁻ᵏ/k! I⁽ᵏ⁾: Algorithm 1 has the wrong sign for even k. H is the Hessian of the *mean* loss, removal is
//!   ε = −1/n, and the penalty ½λ‖θ‖² is part of every ℓᵢ, so a left-out row takes its share of the penalty with it.
//! * I⁽²⁾ = −H⁻¹(∇³L\[I⁽¹⁾,I⁽¹⁾\] + 2∇²ℓᵢI⁽¹⁾): Section 3.3 drops the first term.
//!   [`Terms::AsPrinted`](crate::leave_one_out::Terms::AsPrinted) gives the paper's formula.
//! * Q⁻_α(v) = −Q⁺_α(−v), with exact integer ranks and no interpolation ([`crate::quantile`]); the paper's definition lacks a
//!   minus sign.
//! * The stochastic series for H⁻¹ converges for 0 ≺ H ≺ 2, not H ⪰ 1: it is scaled, and divergence is an error
//!   ([`crate::curvature`]).
//! * An indefinite H is never inverted silently: the damping is raised until it is positive definite, and the result says so
//!   ([`Trust`](crate::leave_one_out::Trust)).
//! * Theorem 1 holds for exact leave-one-out models; a finite order carries no finite-sample guarantee, and says that too
//!   ([`Guarantee`](crate::interval::Guarantee)).
//! * Average precision is raw ([`crate::metric`]). The paper's scorer answered 1 − AP whenever AP ≤ 0.5.

mod as_it_is;
mod as_printed;
pub mod band;
mod display;
pub mod figure_four;
pub mod figure_one;
pub mod figure_three;
pub mod figure_two;
pub mod fold;
mod indefinite;
mod plot;
pub mod printed;
pub mod side_by_side;
pub mod table_two;

pub use as_printed::interval::interpolated_interval;
pub use band::Band;
pub use figure_four::{FigureFour, Options, figure_four};
pub use figure_one::{FigureOne, figure_one};
pub use figure_three::{FigureThree, figure_three};
pub use figure_two::{FigureTwo, figure_two};
pub use fold::{chance, fold};
pub use printed::{Printed, printed};
pub use side_by_side::{SideBySide, side_by_side};
pub use table_two::{Cell, METHODS, TableTwo, Version};

/// The paper's α of Table 2.
const ALPHA: f64 = 0.1;
