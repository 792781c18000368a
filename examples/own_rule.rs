//! A rule of your own, in an audit and on a command line of your own:
//!
//! `cargo run --release --example own_rule`, then `cargo run --release --example own_rule -- audit yacht --methods gamma,naive`.

use std::process::ExitCode;

use jackknife::prelude::*;
use ndarray::{Array1, Array2};

/// Errors that grow with the size of the prediction. No row should have a say in its own scale.
struct Gamma;

impl Score for Gamma {
    fn name(&self) -> &str {
        "gamma"
    }

    fn at_rows(&self, loo: &LeaveOneOut) -> Result<Array1<f64>> {
        Ok(loo.left_out_predictions().mapv(|f| f.abs().max(1.0)))
    }

    fn at_points(&self, loo: &LeaveOneOut, x: &Array2<f64>) -> Result<Array1<f64>> {
        Ok(loo.predict(x)?.mapv(|f| f.abs().max(1.0)))
    }
}

/// The jackknife+ with residuals in units of that scale. A rule that is no such thing is a [`Recipe`].
const GAMMA: Rule = Rule::of(&Scaled(Gamma));

fn main() -> ExitCode {
    if std::env::args().len() > 1 {
        return jackknife::command::main(&[GAMMA]); // the whole program `jackknife`, which knows `gamma` too
    }
    let methods = [GAMMA, Rule::Plus].map(|rule| Method::Pair(Engine::Newton, rule));
    let table = Audit::default().methods(&methods).splits(3).run("yacht", &Table::Yacht.load());
    println!("{:?}", table.expect("the bundled table can be audited"));
    ExitCode::SUCCESS
}
