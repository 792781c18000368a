//! Predictive intervals from leave-one-out models.
//!
//! A model predicts 3.2: plus or minus what, and does the interval know when the model is lost? The answer is built
//! from *leave-one-out models*, the models that each have not seen one row. Every method is a pair:
//!
//! * an **engine** finds the n leave-one-out models θ₋ᵢ ([`leave_one_out`]): in closed form, by refitting without each row or
//!   fold, from bags of rows, by influence functions of any order, by one Newton step, by minimising again, from the model's tangent, or from elsewhere;
//! * a **rule** makes an interval of them at a new x ([`interval`]): naive, jackknife, jackknife+, minmax, studentised or
//!   weighted jackknife+, or [one of your own](interval::Recipe).
//!
//! | method | engine | rule |
//! |---|---|---|
//! | naive jackknife | refit or closed form | f(x) ± Q⁺(R) |
//! | jackknife+ (the exact discriminative jackknife) | refit or closed form | \[ Q⁻{f₋ᵢ(x) − rᵢ}, Q⁺{f₋ᵢ(x) + rᵢ} \] |
//! | discriminative jackknife of order m (Alaa & van der Schaar 2020) | influence of order m | the same |
//! | `tangent` | ridge on the model's tangent features | the same with \|qᵢ\|s₋ᵢ(x) in place of rᵢ |
//! | `studentized` | one Newton step | the same with rᵢ in units of s₋ᵢ(xᵢ), times s(x) |
//! | `bagged` | bags | the same as `studentized` |
//!
//! # From a table to intervals
//!
//! ```
//! use jackknife::prelude::*;
//! let (train, test) = Table::Yacht.load().split(0.2, 0)?;
//! let network = Training::default().hidden(&[30]).epochs(300).l2(1e-3).fit(&train)?;
//! let loo = LeaveOneOut::tangent(&network, &train, &Tangent::default())?;
//! let intervals = loo.nested(test.x(), 0.1)?;
//! assert!(intervals.coverage(test.y())?.rate > 0.8);
//! # Ok::<(), jackknife::Error>(())
//! ```
//!
//! The data are a [`sample::Sample`]; [`model`] has least squares, ridge, the paper's network, any linfa learner and
//! any formula of your own; [`curvature`] solves with the Hessian; [`quantile`] has the exact ranks that the
//! guarantees stand on. [`metric`] says what the intervals are worth, and [`audit`] what those of many methods are on your table,
//! beside the paper's rivals ([`baseline`]); [`condition`] looks for signs
//! that new rows are not like the training rows, which every guarantee supposes; [`plot`] shows it. [`prelude`] is the one `use` for all of it. [`guide`] has the
//! longer pages: the rematch with those rivals, and how often an audit is right.
//!
//! # Features
//!
//! All are on by default: `polars` (data frames, CSV, Parquet), `linfa` (its learners), `plotly` (interactive figures and the report;
//! without it figures are SVG), `paper` (the paper rebuilt, and where we depart from it), `cli` (the command line, which is
//! part of the library so that yours can have rules of your own).
//!
//! # Conventions
//!
//! ```text
//! ℓᵢ(θ) = ½(yᵢ − f(xᵢ;θ))² + ½λ‖θ‖²     L = (1/n) Σ ℓᵢ     H = ∇²L     removal is ε = −1/n
//! θ₋ᵢ = θ̂ + Σₖ (−1)ᵏ n⁻ᵏ/k! · I⁽ᵏ⁾
//! ```
//!
//! `alpha` is the miscoverage: 0.1 asks for 90 % intervals. Seeds are explicit; the same seed gives the same numbers
//! on any number of threads.

#![warn(missing_docs)]

pub mod audit;
pub mod baseline;
mod check;
#[cfg(feature = "cli")]
pub mod command;
pub mod condition;
pub mod curvature;
mod display;
pub mod error;
mod factor;
pub mod figure;
pub mod file;
pub mod interval;
pub mod learner;
pub mod leave_one_out;
mod memory;
pub mod metric;
pub mod model;
mod normal;
#[cfg(feature = "paper")]
pub mod paper;
pub mod plot;
pub mod prelude;
pub mod quantile;
#[cfg(feature = "plotly")]
mod report;
pub mod sample;
mod setter;
mod wording;

pub mod guide;
mod hat;

pub use error::{Error, Result};

/// The README's example is a test.
#[cfg(all(doctest, feature = "polars"))]
#[doc = include_str!("../README.md")]
struct Readme;
