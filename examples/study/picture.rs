//! The README's picture, `notebooks/picture.svg`.
//!
//! The paper's example y = x³ + ε: few observations far from 0, where the model is lost and the interval should say so.

use jackknife::prelude::*;
use ndarray::{Array1, Array2};

/// Draws it.
pub fn run() -> Result<()> {
    let train = cubic(150, Feature::Normal { deviation: 1.2 }, 3.0, 4)?;
    let network = Training::default().fit(&train)?;
    let loo = LeaveOneOut::newton(&network, &train, &Newton::default().damping(1e-3))?;
    // New rows on an even grid, with noise of the same kind.
    let noise = cubic(120, Feature::Uniform { half_width: 2.8 }, 3.0, 9)?;
    let noise = noise.y() - &noise.x().column(0).mapv(|x| x.powi(3));
    let x = Array1::linspace(-2.8, 2.8, noise.len());
    let y = x.mapv(|x| x.powi(3)) + &noise;
    let x: Array2<f64> = x.insert_axis(ndarray::Axis(1));
    let test = Sample::named(x, y, vec!["x".into()], "y = x³ + ε")?;
    let intervals = loo.studentised(test.x(), 0.1)?;
    println!("{intervals:?}\ncoverage {}", intervals.coverage(test.y())?.rate);
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("notebooks/picture.svg");
    jackknife::file::write_whole(&path, intervals.plot_over(&test, "x")?.to_svg().as_bytes())
}
