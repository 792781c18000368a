//! Never an end that is no number, never a panic, and words that say what to try.

use jackknife::prelude::*;
use ndarray::{Array1, Array2, ArrayView2, s};

use crate::given::{Given, close, normal, rows, seeded};

const RULES: [Rule; 8] =
    [Rule::Nested, Rule::Signed, Rule::Full, Rule::Laplace, Rule::Plus, Rule::Minmax, Rule::Jackknife, Rule::InSample];

/// Every rule at several levels: ends in order, none of them NaN; infinite ones only where few rows allow no others.
fn sound(loo: &LeaveOneOut, x: &Array2<f64>, what: &str) {
    for rule in RULES {
        for alpha in [0.01, 0.1, 0.5, 0.9] {
            let intervals = loo.intervals(rule, x, alpha).unwrap_or_else(|error| panic!("{what}, {rule}: {error}"));
            for (t, (lower, upper)) in intervals.lower.iter().zip(&intervals.upper).enumerate() {
                let is_sound = !lower.is_nan() && !upper.is_nan() && (lower <= upper || alpha > 0.4);
                assert!(is_sound, "{what}, {rule} at {t}, α = {alpha}: [{lower}, {upper}]");
            }
        }
    }
    let expected = loo.expected_error(x).unwrap();
    assert!(expected.iter().all(|error| error.is_finite() && *error >= 0.0), "{what}: {expected}");
    assert!(loo.nested_scores().unwrap().iter().all(|score| !score.is_nan()), "{what}");
}

/// One sentence, without a full stop or a line break in it.
fn sentence(error: &Error) -> String {
    let text = error.to_string();
    assert!(!text.contains('\n') && !text.contains(". ") && text.contains(": "), "{text}");
    text
}

#[test]
fn odd_tables_have_sound_intervals() {
    for (n, p) in [(2, 1), (2, 5), (3, 1), (3, 2), (3, 8), (21, 4), (21, 20), (21, 21), (21, 22), (24, 70)] {
        for kind in 0..12 {
            for (free, penalty, places) in [
                (false, None, 2),
                (true, None, 0),
                (false, Some(1e-3), 0),
                (true, Some(1e-3), 2),
                (true, Some(1e-14), 0),
                (true, Some(0.0), 0),
            ] {
                if free && n < 3 {
                    continue;
                }
                let sample = rows(n, p + places + 1, 40 + kind);
                let (mut x, mut y) = (sample.x().clone(), sample.y().clone());
                match kind {
                    0 => {}
                    // Copies of one row, and of every row.
                    1 => (1..n).for_each(|i| x.row_mut(i).assign(&sample.x().row(0))),
                    2 => (0..n).for_each(|i| x.row_mut(i).assign(&sample.x().row(i / 2))),
                    // Features without spread, and none at all.
                    3 => x.slice_mut(s![.., ..p]).fill(0.1),
                    4 => x.slice_mut(s![.., ..p]).fill(0.0),
                    // Targets without error, without spread, and with one of another kind.
                    5 => y = x.column(p + places).to_owned(),
                    6 => y = x.column(p + places).mapv(|offset| offset + 0.3),
                    7 => {
                        y = x.column(p + places).to_owned();
                        y[n / 2] += 5.0;
                    }
                    // Units.
                    8 => x.slice_mut(s![.., ..p]).mapv_inplace(|cell| 1e12 * cell),
                    9 => x.slice_mut(s![.., ..p]).mapv_inplace(|cell| 1e-12 * cell),
                    // A column that only one row has, and a row far from all others.
                    10 => {
                        x.column_mut(0).fill(0.0);
                        x[[n - 1, 0]] = 1.0;
                    }
                    _ => x.row_mut(0).slice_mut(s![..p]).mapv_inplace(|cell| 1e8 * cell),
                }
                let what = format!("n = {n}, p = {p}, kind {kind}, free {free}, penalty {penalty:?}");
                let how = Given { width: p, places, unit: 1.0, free, penalty };
                let train = Sample::new(x.clone(), y).unwrap();
                let loo = match LeaveOneOut::tangent_of(how, &train, &Tangent::default()) {
                    Ok(loo) => loo,
                    Err(error @ Error::Alone { .. }) if penalty == Some(0.0) => {
                        sentence(&error);
                        continue;
                    }
                    Err(error) => panic!("{what}: {error}"),
                };
                let other = rows(4, p + places + 1, 900 + kind);
                sound(&loo, &x, &what);
                sound(&loo, other.x(), &what);
                assert!(loo.nested(&Array2::zeros((0, p + places + 1)), 0.1).unwrap().lower.is_empty());
            }
        }
    }
}

#[test]
fn a_target_of_nothing_but_the_offset_is_known_exactly() {
    let sample = rows(30, 6, 3);
    let sample = Sample::new(sample.x().clone(), sample.x().column(5).to_owned()).unwrap();
    let loo = LeaveOneOut::tangent_of(Given::new(3, 2), &sample, &Tangent::default()).unwrap();
    let intervals = loo.nested(sample.x(), 0.1).unwrap();
    close(&intervals.lower, sample.y(), 0.0, 0.0, "lower end");
    close(&intervals.upper, sample.y(), 0.0, 0.0, "upper end");
    let constant = Sample::new(sample.x().clone(), Array1::from_elem(30, 0.7)).unwrap();
    let loo = LeaveOneOut::tangent(&Ridge::new(0.1).fit(&constant).unwrap(), &constant, &Tangent::default()).unwrap();
    let intervals = loo.nested(sample.x(), 0.1).unwrap();
    close(&intervals.upper, constant.y(), 1e-12, 0.0, "upper end");
    assert!(intervals.width().iter().all(|width| *width < 1e-12));
}

#[test]
fn an_error_where_all_others_have_none_is_beyond_every_measure() {
    let sample = rows(19, 6, 3);
    let mut y = sample.x().column(5).to_owned();
    y[4] += 1.0;
    let sample = Sample::new(sample.x().clone(), y).unwrap();
    let loo = LeaveOneOut::tangent_of(Given::new(3, 2), &sample, &Tangent::default()).unwrap();
    let scores = loo.nested_scores().unwrap();
    assert_eq!(scores[4], f64::INFINITY);
    assert!(scores.iter().enumerate().all(|(i, score)| i == 4 || score.is_finite()));
    // Of rank 19 of 19, and of rank 18.
    assert!(loo.nested(sample.x(), 0.05).unwrap().upper.iter().all(|upper| *upper == f64::INFINITY));
    assert!(loo.nested(sample.x(), 0.1).unwrap().upper.iter().all(|upper| upper.is_finite()));
}

#[test]
fn points_far_away_and_columns_that_had_no_spread_are_no_trouble() {
    let sample = rows(30, 6, 8);
    let mut x = sample.x().clone();
    // The offset, which is not among the features.
    x.column_mut(5).fill(0.1);
    let sample = Sample::new(x, sample.y().clone()).unwrap();
    let how = Given { penalty: Some(0.01), ..Given::new(5, 0) };
    let loo = LeaveOneOut::tangent_of(how, &sample, &Tangent::default()).unwrap();
    // A constant column tells no row from another, so that another number in it leaves the neighbours as they are.
    let mut other = sample.x().clone();
    other.column_mut(5).fill(0.2);
    let (here, there) = (loo.nested(sample.x(), 0.2).unwrap(), loo.nested(&other, 0.2).unwrap());
    close(&(here.upper + 0.1), &there.upper, 1e-12, 1.0, "upper end");
    sound(&loo, &(sample.x() * 1e8), "far away");
}

#[test]
fn what_cannot_be_done_is_refused_in_a_sentence() {
    let sample = rows(20, 4, 1);
    let how = Tangent::default();
    let ridge = Ridge::new(0.1).fit(&sample).unwrap();
    let loo = LeaveOneOut::tangent(&ridge, &sample, &how).unwrap();

    let one = LeaveOneOut::tangent_of(Given::new(1, 2), &sample.rows(&[0]).unwrap(), &how).unwrap_err();
    assert_eq!(one, Error::Rows { what: "the tangent".into(), need: 2, have: 1 });
    let two = LeaveOneOut::tangent(&ridge, &sample.rows(&[0, 1]).unwrap(), &how).unwrap_err();
    assert_eq!(two, Error::Rows { what: "the tangent".into(), need: 3, have: 2 });
    let columns = LeaveOneOut::tangent_of(Given::new(5, 2), &sample, &how).unwrap_err();
    assert_eq!(columns, Error::Columns { trained: 8, given: 4 });
    let unseen = rows(20, 3, 1);
    let unseen = LeaveOneOut::tangent_on_unseen(&ridge, &sample, &unseen, &how).unwrap_err();
    assert_eq!(unseen, Error::Columns { trained: 4, given: 3 });

    for rule in RULES {
        let few = loo.intervals(rule, &Array2::zeros((2, 3)), 0.1).unwrap_err();
        assert_eq!(few, Error::Columns { trained: 4, given: 3 }, "{rule}");
        let mut x = sample.x().clone();
        x[[1, 2]] = f64::NAN;
        let cell = loo.intervals(rule, &x, 0.1).unwrap_err();
        assert!(matches!(cell, Error::Cell { row: 2, .. }), "{rule}: {cell}");
        assert!(matches!(loo.intervals(rule, sample.x(), 1.0), Err(Error::Level(_))), "{rule}");
    }
    assert_eq!(loo.expected_error(&Array2::zeros((2, 3))).unwrap_err(), Error::Columns { trained: 4, given: 3 });

    let closed = LeaveOneOut::closed_form(&Ridge::new(0.1), &sample).unwrap();
    for rule in Rule::OF_TANGENT {
        let error = closed.intervals(rule, sample.x(), 0.1).unwrap_err();
        assert!(matches!(error, Error::Rule { .. }), "{rule}: {error}");
        assert!(sentence(&error).contains("LeaveOneOut::tangent"), "{error}");
    }
    assert!(matches!(closed.expected_error(sample.x()), Err(Error::Rule { .. })));
    assert!(matches!(closed.nested_scores(), Err(Error::Rule { .. })));
    let folds = LeaveOneOut::tangent_folds(&sample, 4, |rows| Ridge::new(0.1).fit(rows)).unwrap();
    for rule in [Rule::Full, Rule::Laplace] {
        let error = folds.intervals(rule, sample.x(), 0.1).unwrap_err();
        assert!(matches!(error, Error::Rule { .. }), "{rule}: {error}");
        assert!(sentence(&error).contains("tangent folds"), "{error}");
    }
    sentence(&one);
    sentence(&two);
}

/// Features that are not what they say.
struct Broken(&'static str);

impl Features for Broken {
    fn columns(&self) -> usize {
        4
    }

    fn width(&self) -> usize {
        if self.0 == "no features" { 0 } else { 2 }
    }

    fn features(&self, x: ArrayView2<f64>) -> Array2<f64> {
        let mut features = x.slice(s![.., ..if self.0 == "features" { 3 } else { self.width() }]).to_owned();
        if self.0 == "infinite features" {
            features[[0, 0]] = f64::INFINITY;
        }
        features
    }

    fn offset(&self, x: ArrayView2<f64>) -> Array1<f64> {
        Array1::zeros(if self.0 == "offsets" { 1 } else { x.nrows() })
    }

    fn unit(&self) -> f64 {
        if self.0 == "unit" { 0.0 } else { 1.0 }
    }

    fn penalty(&self) -> Option<f64> {
        (self.0 == "penalty").then_some(-1.0)
    }

    fn place(&self, x: ArrayView2<f64>) -> Option<Array2<f64>> {
        match self.0 {
            "places" => Some(Array2::zeros((1, 2))),
            "infinite places" => Some(Array2::from_elem((x.nrows(), 1), f64::NAN)),
            _ => None,
        }
    }
}

#[test]
fn features_that_are_not_what_they_say_are_refused() {
    let kinds =
        ["no features", "features", "infinite features", "offsets", "unit", "penalty", "places", "infinite places"];
    for kind in kinds {
        let error = LeaveOneOut::tangent_of(Broken(kind), &rows(12, 4, 0), &Tangent::default()).unwrap_err();
        sentence(&error);
    }
    assert!(LeaveOneOut::tangent_of(Broken("nothing"), &rows(12, 4, 0), &Tangent::default()).is_ok());
}

#[test]
fn equally_near_rows_are_taken_by_their_number() {
    // A lattice, on which nearly every row has its equals; the first 20 of them have errors, the others none.
    let n = 144;
    let mut x = Array2::zeros((n, 4));
    let noise = normal(&mut seeded(5), (n, 1));
    for i in 0..n {
        x[[i, 0]] = noise[[i, 0]];
        (x[[i, 1]], x[[i, 2]]) = ((i / 12) as f64, (i % 12) as f64);
    }
    let y = x.column(0).mapv(|noise| 1.0 + noise);
    let sample = Sample::new(x.clone(), y).unwrap();
    let loo = LeaveOneOut::tangent_of(Given::new(1, 2), &sample, &Tangent::default()).unwrap();
    // The same places in other units and elsewhere.
    let mut far = x.clone();
    far.slice_mut(s![.., 1..3]).mapv_inplace(|place| 3.0 * place + 1e6);
    let other = Sample::new(far, sample.y().clone()).unwrap();
    let other = LeaveOneOut::tangent_of(Given::new(1, 2), &other, &Tangent::default()).unwrap();
    close(&loo.nested_scores().unwrap(), &other.nested_scores().unwrap(), 1e-12, 1.0, "score");
}

/// Features that are never made but for one row.
struct TooMany;

impl Features for TooMany {
    fn columns(&self) -> usize {
        1
    }

    fn width(&self) -> usize {
        15_000
    }

    fn features(&self, x: ArrayView2<f64>) -> Array2<f64> {
        assert!(x.nrows() <= 1, "a refusal comes before the features are made");
        Array2::ones((x.nrows(), 15_000))
    }
}

#[test]
fn a_decomposition_that_would_take_hours_is_refused_before_anything_is_made() {
    let n = 20_000;
    let sample = Sample::new(normal(&mut seeded(1), (n, 1)), Array1::zeros(n)).unwrap();
    let error = LeaveOneOut::tangent_of(TooMany, &sample, &Tangent::default()).unwrap_err();
    let text = sentence(&error);
    for words in
        ["20000 rows in 15000 features", "15000 × 15000 numbers", "GB of memory", "12,000", "fewer hidden units"]
    {
        assert!(text.contains(words), "{text}");
    }
}
