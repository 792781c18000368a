//! Numbers, lists and names as a reader wants them: the words that every message, cell, figure and report is made of.

mod number;
mod text;

pub(crate) use number::{alike, chance, exact, fixed, percent, power, scientific, short, trimmed};
pub(crate) use text::{escaped, listed, plain};
