//! Methods by name, and a rule from outside the crate in every room that the crate's own rules go to.

#[cfg(feature = "cli")]
mod folder;

use jackknife::prelude::*;
use ndarray::{Array1, Array2};

/// The jackknife+ and a tenth more: a rule in one file, which this one is.
struct Padded;

impl Recipe for Padded {
    fn name(&self) -> &str {
        "padded"
    }

    fn ends(&self, loo: &LeaveOneOut, x: &Array2<f64>, alpha: f64) -> Result<Vec<(f64, f64)>> {
        let (ranks, residuals) = (Ranks::new(loo.len(), alpha)?, loo.residuals().to_vec());
        loo.at_points(x, |_, _, without| ranks.ends(without, &residuals, 1.1))
    }

    fn guarantee(&self, loo: &LeaveOneOut, alpha: f64) -> Guarantee {
        Guarantee::with_models(loo, 1.0 - 2.0 * alpha)
    }
}

/// Errors that grow with |x|, which the crate does not know of.
struct Distance;

impl Score for Distance {
    fn name(&self) -> &str {
        "distance"
    }

    fn at_rows(&self, loo: &LeaveOneOut) -> Result<Array1<f64>> {
        Ok(loo.left_out_predictions().mapv(|f| 1.0 + f.abs()))
    }

    fn at_points(&self, loo: &LeaveOneOut, x: &Array2<f64>) -> Result<Array1<f64>> {
        Ok(loo.predict(x)?.mapv(|f| 1.0 + f.abs()))
    }
}

const PADDED: Rule = Rule::of(&Padded);
const DISTANCE: Rule = Rule::of(&Scaled(Distance));

#[test]
fn every_method_is_what_its_name_and_its_whole_name_say() {
    let engines = [
        Engine::ClosedForm,
        Engine::Refit,
        Engine::Folds(2),
        Engine::Folds(10),
        Engine::Bags(25),
        Engine::Bags(3),
        Engine::Influence(1, Terms::Exact),
        Engine::Influence(1, Terms::AsPrinted),
        Engine::Influence(2, Terms::AsPrinted),
        Engine::Influence(7, Terms::Exact),
        Engine::Newton,
        Engine::Reminimised,
        Engine::Tangent,
        Engine::TangentSplit,
        Engine::TangentFolds(5),
        Engine::TangentFolds(3),
        Engine::Given,
    ];
    for engine in engines {
        assert_eq!(engine.to_string().parse::<Engine>().unwrap(), engine);
    }
    let rules = Rule::ALL.into_iter().chain(Rule::OF_TANGENT).chain([Rule::Weighted, PADDED, DISTANCE]);
    let pairs = rules.flat_map(|rule| engines.map(|engine| Method::Pair(engine, rule)));
    let own = [PADDED, DISTANCE];
    for method in Method::known().chain(pairs) {
        assert_eq!(Method::named(&method.to_string(), &own).unwrap(), method, "{method}");
        assert_eq!(Method::named(&method.name(), &own).unwrap(), method, "{}", method.name());
    }
    assert_eq!("studentised".parse::<Method>().unwrap(), "studentized".parse::<Method>().unwrap());
    for unknown in ["", "dj", "dj0", "dj-1", "dj2-as", "padded", "minmax (magic)", "jackknife + (refit)", "(refit)"] {
        let message = unknown.parse::<Method>().unwrap_err().to_string();
        assert!(message.contains(&format!("`{unknown}`")) && message.ends_with("try tangent"), "{message}");
    }
    // The names that the tables of the command line have.
    let names: Vec<String> = Method::known().map(|method| method.name()).collect();
    let stable = "naive jackknife jackknife+ minmax studentized dj1 dj2 dj2-as-printed tangent full laplace \
                  split+ tangent-cv cv+ bagged split dropout ensemble pbp sgld rue";
    assert_eq!(names.join(" "), stable);
}

#[test]
fn the_ends_of_an_own_rule_are_what_it_says_they_are() {
    let (train, test) = Table::Yacht.load().split(0.2, 0).unwrap();
    let loo = LeaveOneOut::closed_form(&Ridge::new(0.1), &train).unwrap();
    let own = loo.intervals(PADDED, test.x(), 0.1).unwrap();
    assert_eq!(own.guarantee, Guarantee::AtLeast(0.8));
    assert_eq!(own.method.to_string(), "padded (closed form)");
    // A score of 1 everywhere is the jackknife+ itself.
    struct One;
    impl Score for One {
        fn name(&self) -> &str {
            "one"
        }
        fn at_rows(&self, loo: &LeaveOneOut) -> Result<Array1<f64>> {
            Ok(Array1::ones(loo.len()))
        }
        fn at_points(&self, _: &LeaveOneOut, x: &Array2<f64>) -> Result<Array1<f64>> {
            Ok(Array1::ones(x.nrows()))
        }
    }
    let one = loo.intervals(Rule::of(&Scaled(One)), test.x(), 0.1).unwrap();
    let plus = loo.jackknife_plus(test.x(), 0.1).unwrap();
    assert!(own.lower.iter().zip(&plus.lower).all(|(own, plus)| own < plus));
    assert_eq!((one.lower, one.upper), (plus.lower, plus.upper));
}

#[test]
fn a_rule_that_answers_too_little_or_a_scale_of_zero_is_refused() {
    struct Short;
    impl Recipe for Short {
        fn name(&self) -> &str {
            "short"
        }
        fn ends(&self, _: &LeaveOneOut, _: &Array2<f64>, _: f64) -> Result<Vec<(f64, f64)>> {
            Ok(vec![(0.0, 1.0)])
        }
    }
    struct Zero;
    impl Score for Zero {
        fn name(&self) -> &str {
            "zero"
        }
        fn at_rows(&self, loo: &LeaveOneOut) -> Result<Array1<f64>> {
            Ok(Array1::zeros(loo.len()))
        }
        fn at_points(&self, _: &LeaveOneOut, x: &Array2<f64>) -> Result<Array1<f64>> {
            Ok(Array1::ones(x.nrows()))
        }
    }
    let (train, test) = Table::Yacht.load().split(0.2, 0).unwrap();
    let loo = LeaveOneOut::closed_form(&Ridge::new(0.1), &train).unwrap();
    let says = |rule: Rule, words: &str| {
        let message = loo.intervals(rule, test.x(), 0.1).unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
    };
    says(Rule::of(&Short), "intervals of the rule short (closed form) and points: 1 against 62");
    says(Rule::of(&Scaled(Zero)), "a scale of the residuals is 0");
    says(Rule::Weighted, "was given no weights");
}

#[test]
fn an_own_rule_is_audited_printed_and_drawn_as_the_others_are() {
    let sample = cubic(80, Feature::Normal { deviation: 1.0 }, 0.5, 3).unwrap();
    let audit = Audit::default().splits(2).training(Training::default().hidden(&[8]).epochs(100));
    let methods = [Method::named("padded", &[PADDED]).unwrap(), Method::Pair(Engine::Folds(4), DISTANCE)];
    let table = audit.methods(&methods).run("cubic", &sample).unwrap();
    assert!(table.to_csv().contains("\ncubic,padded,") && table.to_csv().contains("\ncubic,distance (4 folds),"));
    assert!(table.to_json().contains("\"padded\""));
    let text = format!("{table:?}");
    assert!(
        text.contains("padded: on rows like these") && text.contains("distance (4 folds): on rows like these"),
        "{text}"
    );
    let figure = table.plot().unwrap();
    assert!(figure.to_svg().contains(">padded<"), "the method is named beside the axis");
    let shown = table.rows()[0].intervals().unwrap();
    assert!(shown.plot(table.test()).unwrap().to_svg().contains("padded (one Newton step)"));
    #[cfg(feature = "plotly")]
    {
        let html = table.to_html().unwrap();
        let body = html.split_once("<body>").unwrap().1;
        assert!(body.contains("padded") && body.contains("distance (4 folds)"));
    }
}

/// The crate's command line with two rules more, as a program of one line would have it.
#[cfg(feature = "cli")]
#[test]
fn the_command_line_of_ones_own_knows_ones_own_rules() {
    let folder = folder::Folder::new();
    let csv = folder.path().join("out.csv");
    let arguments = ["jackknife", "audit", "yacht", "--splits", "1", "--methods", "padded,distance,naive", "--csv"];
    let arguments = arguments.map(std::ffi::OsString::from).into_iter().chain([csv.clone().into_os_string()]);
    let code = jackknife::command::run(arguments.clone(), &[PADDED, DISTANCE]);
    assert_eq!(format!("{code:?}"), format!("{:?}", std::process::ExitCode::SUCCESS));
    let text = std::fs::read_to_string(csv).unwrap();
    let methods: Vec<&str> = text.lines().skip(1).map(|line| line.split(',').nth(1).unwrap()).collect();
    assert_eq!(methods, ["padded", "distance", "naive"]);
    // And without them it does not.
    let code = jackknife::command::run(arguments, &[]);
    assert_eq!(format!("{code:?}"), format!("{:?}", std::process::ExitCode::from(2)));
}
