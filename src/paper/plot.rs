//! The paper's figures, drawn.

mod band;
mod sweep;
mod versions;
