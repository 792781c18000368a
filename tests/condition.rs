//! Checks of the condition: silent where rows are exchangeable, and loud where they are not.

use jackknife::prelude::*;
use ndarray::{Array1, Array2};
use rand::{Rng, SeedableRng};
use rand_distr::{Cauchy, Distribution, StandardNormal, StudentT};
use rand_xoshiro::Xoshiro256PlusPlus;

type Random = Xoshiro256PlusPlus;

fn normal(rng: &mut Random) -> f64 {
    StandardNormal.sample(rng)
}

/// How the cells of a table are drawn.
#[derive(Clone, Copy, Debug)]
enum Cells {
    Normal,
    Heavy,
    Cauchy,
    Uniform,
    /// Few levels in every column, the target among them.
    Discrete,
    /// A column of each of four kinds.
    Mixed,
}

const ALL: [Cells; 6] = [Cells::Normal, Cells::Heavy, Cells::Cauchy, Cells::Uniform, Cells::Discrete, Cells::Mixed];

impl Cells {
    fn cell(self, column: usize, rng: &mut Random) -> f64 {
        match self {
            Self::Normal => normal(rng),
            Self::Heavy => StudentT::new(2.5).unwrap().sample(rng),
            Self::Cauchy => Cauchy::new(0.0, 1.0).unwrap().sample(rng),
            Self::Uniform => rng.r#gen(),
            Self::Discrete => f64::from(rng.gen_range(0..3 + column as i32 % 4)),
            Self::Mixed => [Self::Normal, Self::Discrete, Self::Heavy, Self::Uniform][column % 4].cell(column, rng),
        }
    }

    /// y = the first column and noise, or a count for discrete tables.
    fn sample(self, rows: usize, columns: usize, rng: &mut Random) -> Sample {
        let x = Array2::from_shape_fn((rows, columns), |(_, column)| self.cell(column, rng));
        let y = match self {
            Self::Discrete => x.column(0).mapv(|x| x + f64::from(rng.gen_range(0..4))),
            _ => x.column(0).mapv(|x| x + normal(rng)),
        };
        Sample::new(x, y).unwrap()
    }
}

/// 50 tables of each kind and size; with each check at 1 % an alarm on more than 5 % of all would be a fault.
#[test]
fn on_exchangeable_rows_alarms_are_rare() {
    let (mut tables, mut alarms) = (0, Vec::new());
    for cells in ALL {
        for (rows, new, columns) in [(30, 10, 1), (60, 60, 3), (200, 50, 8), (400, 400, 2)] {
            let mut of_kind = 0;
            for seed in 0..50 {
                let mut rng = Random::seed_from_u64(seed);
                let (train, test) = (cells.sample(rows, columns, &mut rng), cells.sample(new, columns, &mut rng));
                let loo = LeaveOneOut::closed_form(&Ridge::new(0.01), &train).unwrap();
                let found = Conditions::of_rows(&train)
                    .and(Conditions::of_order(&(train.y() - loo.left_out_predictions())).unwrap())
                    .and(Conditions::of_points(&train, test.x()).unwrap());
                assert!(found.checks() >= 7);
                tables += 1;
                if !found.is_empty() {
                    of_kind += 1;
                    alarms.push(format!("{cells:?} {rows}×{columns}, seed {seed}: {found}"));
                }
            }
            // 8 or more of 50 at a rate of 5 % have probability 0.004.
            assert!(of_kind < 8, "{cells:?}, {rows} rows: {of_kind} of 50\n{}", alarms.join("\n"));
        }
    }
    println!("{} of {tables}\n{}", alarms.len(), alarms.join("\n"));
    assert!(alarms.len() * 20 <= tables, "{} of {tables}\n{}", alarms.len(), alarms.join("\n"));
}

/// Which kinds are found in at least 18 of 20 tables.
fn found(conditions: impl Fn(&mut Random) -> Conditions) -> Vec<Kind> {
    let tables: Vec<Vec<Kind>> = (0..20)
        .map(|seed| conditions(&mut Random::seed_from_u64(seed)).iter().map(|finding| finding.kind).collect())
        .collect();
    let all =
        [Kind::Drift, Kind::Spread, Kind::Autocorrelation, Kind::Shift, Kind::Range, Kind::Duplicates, Kind::Leak];
    all.into_iter().filter(|kind| tables.iter().filter(|found| found.contains(kind)).count() >= 18).collect()
}

#[test]
fn errors_that_drift_grow_or_follow_each_other_are_told() {
    let order = |error: fn(f64, f64, &mut f64) -> f64| {
        found(move |rng| {
            let mut last = 0.0;
            let errors: Array1<f64> =
                (0..200).map(|row| error(f64::from(row) / 200.0, normal(rng), &mut last)).collect();
            Conditions::of_order(&errors).unwrap()
        })
    };
    assert!(order(|time, noise, _| 3.0 * time + noise).contains(&Kind::Drift));
    assert!(order(|time, noise, _| (0.3 + 3.0 * time) * noise).contains(&Kind::Spread));
    let autoregressive = |_: f64, noise: f64, last: &mut f64| {
        *last = 0.7 * *last + noise;
        *last
    };
    assert!(order(autoregressive).contains(&Kind::Autocorrelation));
    assert!(order(|_, noise, _| noise).is_empty());
}

#[test]
fn exact_and_near_copies_are_told_and_grouped() {
    for noise in [0.0, 1e-7] {
        let doubled = |rng: &mut Random| {
            let sample = Cells::Normal.sample(160, 3, rng);
            let rows: Vec<usize> = (0..160).chain(0..40).collect();
            let (mut x, mut y) = (sample.rows(&rows).unwrap().x().clone(), sample.rows(&rows).unwrap().y().clone());
            x.mapv_inplace(|cell| cell + noise * normal(rng));
            y.mapv_inplace(|cell| cell + noise * normal(rng));
            Sample::new(x, y).unwrap()
        };
        assert!(found(|rng| Conditions::of_rows(&doubled(rng))).contains(&Kind::Duplicates), "noise {noise}");
        let groups = doubled(&mut Random::seed_from_u64(0)).groups();
        assert!((0..40).all(|row| groups[160 + row] == row), "noise {noise}: {:?}", &groups[160..]);
    }
}

#[test]
fn a_feature_that_is_the_target_is_told_and_a_good_one_is_not() {
    let with = |noise: f64| {
        found(move |rng| {
            let sample = Cells::Normal.sample(100, 3, rng);
            let mut x = sample.x().clone();
            let leak = sample.y().mapv(|y| y + noise * normal(rng));
            x.column_mut(1).assign(&leak);
            Conditions::of_rows(&Sample::new(x, sample.y().clone()).unwrap())
        })
    };
    assert!(with(1e-9).contains(&Kind::Leak));
    assert!(with(0.3).is_empty());
}

#[test]
fn new_rows_from_elsewhere_are_told() {
    let moved = |rng: &mut Random, shift: f64, stretch: f64| {
        let (train, new) = (Cells::Normal.sample(200, 3, rng), Cells::Normal.sample(100, 3, rng));
        Conditions::of_points(&train, &(new.x() * stretch + shift)).unwrap()
    };
    assert!(found(|rng| moved(rng, 1.0, 1.0)).contains(&Kind::Shift));
    assert!(found(|rng| moved(rng, 0.0, 4.0)).contains(&Kind::Range));
    assert!(found(|rng| moved(rng, 0.0, 1.0)).is_empty());
}
