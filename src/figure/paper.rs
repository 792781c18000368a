//! The paper's figures, drawn from [`crate::audit::paper`].

mod band;
mod sweep;
mod versions;
