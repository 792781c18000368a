//! How fast, beside what else there is: `cargo bench --bench speed`, or with a word of a row's name to run only that.
//!
//! The anchors were measured on two cores of a Zen 3 machine: MAPIE, the paper's PyTorch code and JAWS on the same
//! tables and sizes. Short work is repeated for some seconds, long work is done once,
//! with its peak memory.

use std::hint::black_box;
use std::time::{Duration, Instant};

use jackknife::prelude::*;
use ndarray::{Array1, Array2};

/// A row of the table: the work, what it took elsewhere, and what it should take here.
struct Row {
    work: &'static str,
    anchor: &'static str,
    reach: &'static str,
}

fn main() {
    product_rate();
    training_step();
    least_squares();
    yacht();
    third_order();
    // Benchmarks run under `cargo test` too, to see that they work; long ones would only keep it waiting.
    if is_benchmark() {
        kin8nm();
        deep();
        many_rows();
        many_networks();
        tangent();
    }
}

fn is_benchmark() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

/// Whether a row was asked for: words on the command line choose, and none asks for all.
fn is_wanted(row: &Row) -> bool {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    wanted.is_empty() || wanted.iter().any(|word| row.work.contains(word.as_str()))
}

/// Repeats short work for four seconds and prints the median and the quartiles of its time.
fn measure(row: Row, mut work: impl FnMut()) {
    if !is_wanted(&row) {
        return;
    }
    work();
    let budget = Duration::from_secs(if is_benchmark() { 4 } else { 0 });
    let (start, mut times) = (Instant::now(), Vec::new());
    while times.is_empty() || start.elapsed() < budget {
        let before = Instant::now();
        work();
        times.push(before.elapsed());
    }
    times.sort();
    let [low, median, high] = [1, 2, 3].map(|quarter| times[(times.len() - 1) * quarter / 4]);
    println!("\n{}\n  anchor: {}; to reach: {}", row.work, row.anchor, row.reach);
    println!("  median {median:.1?}, half of {} runs between {low:.1?} and {high:.1?}", times.len());
}

/// Runs long work once; a name on the command line chooses.
fn once(row: Row, work: impl FnOnce()) {
    if !is_wanted(&row) {
        return;
    }
    // Start the peak afresh, where the system can.
    std::fs::write("/proc/self/clear_refs", "5").ok();
    let (start, before) = (Instant::now(), processor_seconds());
    work();
    let (seconds, busy) = (start.elapsed().as_secs_f64(), processor_seconds() - before);
    let peak = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = peak.lines().find_map(|line| line.strip_prefix("VmHWM:")).map_or("unknown", str::trim).to_string();
    println!("\n{}\n  anchor: {}; to reach: {}", row.work, row.anchor, row.reach);
    println!("  once: {seconds:.2} s, {busy:.1} s of processors, peak memory {peak}");
}

/// What the processors have spent on this program, which a machine that others use too does not lengthen much.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    // User and system time, in hundredths; the first field after the name is the third of the line.
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// y = x·β + ε with d normal features.
fn normal(n: usize, d: usize, seed: u64) -> Sample {
    use rand::SeedableRng;
    use rand_distr::{Distribution, StandardNormal};
    let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed);
    let x = Array2::from_shape_simple_fn((n, d), || StandardNormal.sample(&mut rng));
    let noise: Array1<f64> = Array1::from_shape_simple_fn(n, || StandardNormal.sample(&mut rng));
    let y = x.sum_axis(ndarray::Axis(1)) + noise;
    Sample::new(x, y).unwrap()
}

/// What the machine multiplies matrices with, beside which the times of long work are to be read.
fn product_rate() {
    if !is_benchmark() {
        return;
    }
    let a = faer::Mat::from_fn(2000, 2000, |i, j| ((3 * i + 7 * j) as f64).sin());
    let mut out = faer::Mat::<f64>::zeros(2000, 2000);
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        faer::linalg::matmul::matmul(&mut out, faer::Accum::Replace, &a, &a, 1.0, faer::Par::Seq);
        black_box(&out);
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("matrix products on one core: {:.0} GF/s", 16.0 / best);
}

fn training_step() {
    let sample = normal(100, 13, 0);
    let training = Training::default().epochs(100);
    let row =
        Row { work: "100 training steps, 13-100-1 tanh, batch 100", anchor: "PyTorch CPU 66-100 ms", reach: "7 ms" };
    measure(row, || {
        black_box(training.fit(&sample).unwrap());
    });
}

fn least_squares() {
    let (train, test) = (normal(500, 13, 0), normal(100, 13, 1));
    let row =
        Row { work: "jackknife+, least squares, n = 500, d = 13, 100 points", anchor: "MAPIE 850 ms", reach: "0.6 ms" };
    measure(row, || {
        let loo = LeaveOneOut::closed_form(&Ridge::least_squares(), &train).unwrap();
        black_box(loo.jackknife_plus(test.x(), 0.1).unwrap());
    });
}

fn yacht() {
    let (train, test) = Table::Yacht.load().split(0.2, 0).unwrap();
    let network = Training::default().l2(1e-3).fit(&train).unwrap();
    // The authors' damping.
    let intervals = |row: Row, how: Influence| {
        measure(row, || {
            let loo = LeaveOneOut::influence(&network, &train, &how).unwrap();
            black_box(loo.jackknife_plus(test.x(), 0.1).unwrap());
        });
    };
    let work = "DJ order 1 after training, yacht n = 246, 100 tanh, 62 points";
    intervals(Row { work, anchor: "the authors' code 2.7 s", reach: "30 ms" }, Influence::order(1).damping(1e-2));
    let work = "DJ order 2 as printed, yacht n = 246, 100 tanh, 62 points";
    intervals(
        Row { work, anchor: "the authors' code 96 s", reach: "100 ms" },
        Influence::order(2).as_printed().damping(1e-2),
    );
}

fn third_order() {
    let airfoil = Table::AirfoilSelfNoise.load();
    let (_, train) = airfoil.split(200.0 / 1503.0, 0).unwrap();
    let (_, test) = airfoil.split(62.0 / 1503.0, 1).unwrap();
    let network = Training::default().hidden(&[25]).l2(1e-3).fit(&train).unwrap();
    let row = Row { work: "DJ exact order 3, airfoil n = 200, 25 tanh", anchor: "JAWS 12.9 s", reach: "150 ms" };
    measure(row, || {
        let loo = LeaveOneOut::influence(&network, &train, &Influence::order(3)).unwrap();
        black_box(loo.jackknife_plus(test.x(), 0.1).unwrap());
    });
}

fn kin8nm() {
    let (train, test) = Table::Kin8nm.load().split(0.2, 0).unwrap();
    let network = Training::default().epochs(50).l2(1e-3).fit(&train).unwrap();
    let intervals = |how: Influence| {
        let loo = LeaveOneOut::influence(&network, &train, &how).unwrap();
        black_box(loo.jackknife_plus(test.x(), 0.1).unwrap());
    };
    let work = "DJ order 1, kin8nm n = 6553, 100 tanh, 1639 points";
    let row = Row { work, anchor: "the authors' code about 57 s", reach: "0.8 s" };
    once(row, || intervals(Influence::order(1)));
    let work = "DJ order 1, each model asked, kin8nm n = 6553, 100 tanh, 1639 points";
    let row = Row { work, anchor: "the authors' code about 57 s", reach: "4 s, 2 GiB" };
    once(row, || intervals(Influence::order(1).shifts(Shifts::Models)));
    let work = "DJ exact order 2, kin8nm n = 6553, 100 tanh, 1639 points";
    let row = Row { work, anchor: "the authors' code: impossible (26 GB)", reach: "90 s, 2 GiB" };
    once(row, || intervals(Influence::order(2)));
    one_step("kin8nm n = 6553, 100 tanh, 1639 points", "0.8 s", &network, &train, &test);
}

/// Gauss–Newton by one step: linear shifts, and each model asked, for two rules.
fn one_step(what: &str, reach: &'static str, network: &Network, train: &Sample, test: &Sample) {
    let damping = LeaveOneOut::usual_damping(train.len());
    let ways = [("linear", Shifts::Linear, reach), ("each model asked", Shifts::Models, "no more than before")];
    for (way, shifts, reach) in ways {
        for rule in [Rule::Plus, Rule::Studentised] {
            let work = format!("{rule}, one Gauss-Newton step, {way}, {what}").leak();
            once(Row { work, anchor: "each model asked, in the row below", reach }, || {
                let how = Newton::default().damping(damping).shifts(shifts);
                let loo = LeaveOneOut::newton(network, train, &how).unwrap();
                black_box(loo.intervals(rule, test.x(), 0.1).unwrap());
            });
        }
    }
}

fn deep() {
    let (train, test) = Table::Yacht.load().split(0.2, 0).unwrap();
    let network = Training::default().hidden(&[100, 100]).epochs(200).l2(1e-3).fit(&train).unwrap();
    let ways = [
        (
            "DJ order 1, Gauss-Newton, yacht with 2 x 100 tanh, 10.9k parameters",
            Influence::order(1).curvature(Curvature::GaussNewton).damping(1e-3),
            "0.1 s",
        ),
        // Enough for this Hessian to be positive definite; finding that out takes as long again.
        ("DJ order 1, yacht with 2 x 100 tanh, 10.9k parameters", Influence::order(1).damping(0.1), "15 s, 2.5 GB"),
    ];
    for (work, how, reach) in ways {
        once(Row { work, anchor: "the authors' code 98 s, 2.85 GB", reach }, || {
            let loo = LeaveOneOut::influence(&network, &train, &how).unwrap();
            println!("\n{loo:?}");
            black_box(loo.jackknife_plus(test.x(), 0.1).unwrap());
        });
    }
    one_step("yacht with 2 x 100 tanh, 10.9k parameters", "0.1 s", &network, &train, &test);
}

/// Least squares and ridge where each model at each point is too many questions.
fn many_rows() {
    let sizes = [
        (
            43_152,
            23,
            43_152,
            0.0,
            "jackknife+, least squares, n = 43k, d = 23, 43k points",
            "26 s, each model asked",
            "1 s",
        ),
        (1_000_000, 100, 10_000, 1e-3, "jackknife+, ridge, n = 1e6, d = 100, 1e4 points", "more than 60 s", "15 s"),
    ];
    for (n, d, points, lambda, work, anchor, reach) in sizes {
        let row = Row { work, anchor, reach };
        if !is_wanted(&row) {
            continue;
        }
        let (train, test) = (normal(n, d, 1), normal(points, d, 2));
        once(row, || {
            let loo = LeaveOneOut::closed_form(&Ridge::new(lambda), &train).unwrap();
            black_box(loo.jackknife_plus(test.x(), 0.1).unwrap());
        });
    }
}

/// A wave in d features with noise, as a table of physics has it.
fn wavy(n: usize, d: usize, seed: u64) -> Sample {
    let linear = normal(n, d, seed);
    let y =
        linear.x().rows().into_iter().zip(linear.y()).map(|(x, y)| (2.0 * x[0]).sin() + x[d / 2] * x[d - 1] + 0.1 * y);
    Sample::new(linear.x().clone(), y.collect()).unwrap()
}

/// One Gauss–Newton step where n networks at each point are too many to ask.
fn many_networks() {
    for rule in [Rule::Plus, Rule::Studentised] {
        let what = "one Gauss-Newton step, protein-like 36.6k × 9, p = 1101, 9.1k points";
        let row = Row { work: format!("{rule}, {what}").leak(), anchor: "more than 10 min", reach: "20 s, 1 GB" };
        if !is_wanted(&row) {
            continue;
        }
        let (train, test) = (wavy(36_600, 9, 1), wavy(9146, 9, 2));
        let network = Training::default().epochs(3).fit(&train).unwrap();
        once(row, || {
            let start = Instant::now();
            let how = Newton::default().damping(LeaveOneOut::usual_damping(train.len()));
            let loo = LeaveOneOut::newton(&network, &train, &how).unwrap();
            let made = start.elapsed().as_secs_f64();
            let intervals = loo.intervals(rule, test.x(), 0.1).unwrap();
            let asked = start.elapsed().as_secs_f64() - made;
            let coverage = intervals.coverage(test.y()).unwrap();
            println!("\n  made in {made:.2} s, asked in {asked:.2} s; coverage {coverage:?}");
        });
    }
}

/// The tangent of a network at sizes where n networks at each point were too many.
fn tangent() {
    let sizes = [
        (
            246,
            6,
            vec![100, 100],
            62,
            "tangent, yacht-like 246 × 6, 2 × 100 tanh, p = 10.8k",
            "12.6 s by n models",
            "0.1 s",
        ),
        (6553, 8, vec![100], 1639, "tangent, kin8nm-like 6553 × 8, p = 900, 1639 points", "4.4 s by n models", "0.8 s"),
        (
            36_600,
            9,
            vec![100],
            9146,
            "tangent, protein-like 36.6k × 9, p = 1000, 9.1k points",
            "more than 10 min",
            "20 s",
        ),
        (43_152, 23, vec![100], 10_788, "tangent, diamonds-like 43k × 23, p = 2400, 10.8k points", "refused", "60 s"),
        (
            1_000_000,
            10,
            vec![91],
            10_000,
            "tangent, a million rows of 10, p = 1001, 1e4 points",
            "the products alone 33 s of processors at 90 GF/s",
            "90 s, 1.5 GB",
        ),
    ];
    for (n, d, hidden, points, work, anchor, reach) in sizes {
        let row = Row { work, anchor, reach };
        if !is_wanted(&row) {
            continue;
        }
        let (train, test) = (wavy(n, d, 1), wavy(points, d, 2));
        let network = Training::default().hidden(&hidden).epochs(3).fit(&train).unwrap();
        once(row, || {
            let start = Instant::now();
            let loo = LeaveOneOut::tangent(&network, &train, &Tangent::default()).unwrap();
            let made = start.elapsed().as_secs_f64();
            let intervals = loo.nested(test.x(), 0.1).unwrap();
            let asked = start.elapsed().as_secs_f64() - made;
            let coverage = intervals.coverage(test.y()).unwrap();
            println!("\n  made in {made:.2} s, asked in {asked:.2} s; coverage {coverage:?}");
        });
    }
}
