//! Predictive intervals you can trust.
#![warn(missing_docs)]

pub mod baseline;
pub mod curvature;
pub mod error;
mod factor;
pub mod file;
pub mod interval;
pub mod leave_one_out;
pub mod metric;
mod minimise;
pub mod model;
pub mod prelude;
pub mod quantile;
pub mod sample;

pub use error::{Error, Result};
