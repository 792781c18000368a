//! The guide: what to use, and what was found. Chapters to read, without code.
//!
//! * [`rematch`]: the intervals of this crate against those of the paper's baselines, on nine tables, and when to stop training.
//! * [`calibration`]: how often the verdicts and intervals of an audit are right, on tables whose truth is known.
//!
//! How the crate is used stands on its [first page](crate), and why the studentised rule is as it is in
//! [`interval::studentised`](crate::interval::studentised).
//!
//! Every table here is set from results that are stored in `examples/study/results`, by `cargo run --release --example study -- tables`; a
//! test compares the two.

pub mod calibration;
pub mod rematch;
