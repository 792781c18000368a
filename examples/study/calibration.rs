//! The calibration of the audit itself: simulated tables whose truth is known, and how often each verdict and interval is right.
//!
//! The truth about a coverage is what the interval of the audit is about: the coverage of the very models that the audit has
//! trained, one for each fold, on endless rows like those of the table. It is measured on fresh points with many targets each.

use jackknife::prelude::*;
use rayon::prelude::*;

use crate::Wishes;
use crate::simulated::{Drawn, Fresh, SCENARIOS, Scenario};
use crate::store::{CALIBRATION, Results, number};

const ASKED: f64 = 0.9;
/// Fresh points in all, whatever the number of folds, and targets at each.
const POINTS: usize = 1000;
const TARGETS: usize = 20;

/// The methods that lines are stored of; all the audit's defaults are tried, and count for `any`.
const METHODS: [&str; 4] = ["naive", "jackknife+", "studentized", "dj1"];

/// The audited network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Net {
    /// 10 units, 200 epochs: more rows than it has parameters, and quick.
    Small,
    /// The audit's default, 100 units and 1000 epochs, which passes through 80 rows.
    Paper,
}

impl Net {
    pub fn name(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Paper => "paper",
        }
    }

    pub fn training(self) -> Training {
        match self {
            Self::Small => Training::default().hidden(&[10]).epochs(200),
            Self::Paper => Training::default(),
        }
    }
}

/// One cell of the study: so many tables of one kind.
struct Cell {
    scenario: Scenario,
    rows: usize,
    splits: usize,
    net: Net,
    tables: u64,
}

/// What is run: (rows, splits, network, tables) of a scenario.
fn plan(scenario: Scenario) -> Vec<Cell> {
    let (small, paper) = (Net::Small, Net::Paper);
    let cells: &[(usize, usize, Net, u64)] = match scenario {
        Scenario::Noise => &[
            (30, 10, small, 200),
            (80, 1, small, 400),
            (80, 3, small, 400),
            (80, 10, small, 400),
            (400, 1, small, 100),
            (400, 3, small, 100),
            (400, 10, small, 60),
            (3000, 3, small, 5),
            (80, 1, paper, 100),
            (80, 3, paper, 60),
            (80, 10, paper, 40),
        ],
        Scenario::Heteroscedastic => &[
            (30, 10, small, 200),
            (80, 10, small, 200),
            (400, 1, small, 100),
            (400, 3, small, 100),
            (400, 10, small, 60),
            (3000, 3, small, 5),
            (80, 10, paper, 40),
            (400, 10, paper, 20),
        ],
        Scenario::Signal => &[(30, 10, small, 200), (80, 10, small, 200), (400, 10, small, 40), (80, 10, paper, 40)],
        _ => &[(80, 10, small, 200), (400, 10, small, 30)],
    };
    let cell = |&(rows, splits, net, tables): &(usize, usize, Net, u64)| Cell { scenario, rows, splits, net, tables };
    cells.iter().map(cell).collect()
}

/// Runs it, and stores cell after cell.
pub fn run(wishes: &Wishes) -> Result<()> {
    let strange = wishes.names.iter().find(|name| SCENARIOS.iter().all(|scenario| scenario.name() != **name));
    if let Some(name) = strange {
        return Err(Error::Choice {
            name: "a scenario",
            value: format!("`{name}`"),
            range: "be one of those in simulated.rs",
            example: "noise",
        });
    }
    let wished = |scenario: &Scenario| wishes.names.is_empty() || wishes.names.iter().any(|n| n == scenario.name());
    for mut cell in SCENARIOS.into_iter().filter(wished).flat_map(plan) {
        cell.tables = wishes.splits.unwrap_or(cell.tables);
        let audits: Result<Vec<Audited>> = (0..cell.tables).into_par_iter().map(|seed| cell.audit(seed)).collect();
        Results::store(&CALIBRATION, cell.lines(&audits?))?;
        println!("{} {} rows, {} splits stored", cell.scenario.name(), cell.rows, cell.splits);
    }
    Ok(())
}

/// What was seen of one table.
struct Audited {
    /// Of each of [`METHODS`].
    methods: Vec<Seen>,
    /// Whether any of the methods was said to discriminate.
    any: bool,
    /// Whether something was said against the condition.
    spoken: bool,
}

struct Seen {
    coverage: Coverage,
    promise: Promise,
    discrimination: Option<Discrimination>,
    /// The true coverage on rows like those of the table, and on those that come next.
    truth: [f64; 2],
}

impl Cell {
    fn audit(&self, seed: u64) -> Result<Audited> {
        let mut drawn = self.scenario.draw(self.rows, seed)?;
        // Far enough from the next for folds that each have a seed of their own.
        let first = 1000 * seed;
        let audit = Audit::default().splits(self.splits).seed(first).training(self.net.training());
        let table = audit.run(self.scenario.name(), &drawn.sample)?;
        let truths = self.truths(&table, &mut drawn, first)?;
        let seen = |(name, truth): (&str, [f64; 2])| {
            let row = table.row(name.parse()?).expect("is among the defaults");
            let coverage = row.coverage()?;
            let (promise, discrimination) = (coverage.promise(ASKED), row.discrimination().copied());
            Ok(Seen { coverage, promise, discrimination, truth })
        };
        let methods: Result<Vec<Seen>> = METHODS.into_iter().zip(truths).map(seen).collect();
        let any = table.rows().iter().any(|row| row.tells() == Some(Tells::Yes));
        Ok(Audited { methods: methods?, any, spoken: !table.conditions().is_empty() })
    }

    /// The true coverage of each of the methods: the models of every fold again, on fresh rows.
    fn truths(&self, table: &AuditTable, drawn: &mut Drawn, first: u64) -> Result<Vec<[f64; 2]>> {
        let mut sums = vec![[0.0; 2]; METHODS.len()];
        let runs = table.rows()[0].runs();
        for run in runs {
            let train = drawn.sample.rows(&run.trained)?;
            let network = self.net.training().seed(first + run.split as u64).fit(&train)?;
            let damping = LeaveOneOut::usual_damping(train.len());
            let newton = LeaveOneOut::newton(&network, &train, &Newton::default().damping(damping))?;
            let how = Influence::order(1).curvature(Curvature::GaussNewton).damping(damping);
            let influence = LeaveOneOut::influence(&network, &train, &how)?;
            // Of exchangeable rows, those that come next are like all others.
            let kinds = if self.scenario.has_order() { vec![Fresh::Alike, Fresh::Next] } else { vec![Fresh::Alike] };
            for (k, which) in kinds.into_iter().enumerate() {
                let (x, y) = drawn.fresh(which, POINTS / runs.len(), TARGETS);
                let answers = [
                    Intervals::in_sample(&network, &train, &x, 1.0 - ASKED)?,
                    newton.jackknife_plus(&x, 1.0 - ASKED)?,
                    newton.studentised(&x, 1.0 - ASKED)?,
                    influence.jackknife_plus(&x, 1.0 - ASKED)?,
                ];
                for (sum, intervals) in sums.iter_mut().zip(answers) {
                    let inside = |(row, column): (usize, usize)| {
                        (intervals.lower[row]..=intervals.upper[row]).contains(&y[(row, column)])
                    };
                    let covered = y.indexed_iter().filter(|(place, _)| inside(*place)).count();
                    sum[k] += covered as f64 / y.len() as f64 / runs.len() as f64;
                }
            }
        }
        if !self.scenario.has_order() {
            sums.iter_mut().for_each(|[alike, next]| *next = *alike);
        }
        Ok(sums)
    }

    fn lines(&self, audits: &[Audited]) -> Vec<Vec<String>> {
        let key = |method: &str| {
            let (rows, splits) = (self.rows.to_string(), self.splits.to_string());
            vec![self.scenario.name().into(), rows, splits, self.net.name().into(), method.into()]
        };
        let count = |holds: &dyn Fn(&Audited) -> bool| audits.iter().filter(|audit| holds(audit)).count().to_string();
        let mean = |value: &dyn Fn(&Audited) -> f64| audits.iter().map(value).sum::<f64>() / audits.len() as f64;
        let line = |(k, method): (usize, &str)| {
            let promised = |promise| count(&|audit| audit.methods[k].promise == promise);
            let told = |tells| count(&|a| a.methods[k].discrimination.is_some_and(|d| d.verdict() == tells));
            let ranked = |get: fn(&Discrimination) -> f64| {
                number(mean(&|audit| audit.methods[k].discrimination.as_ref().map_or(f64::NAN, get)))
            };
            let typical = mean(&|audit| audit.methods[k].truth[0]);
            let cells = [
                audits.len().to_string(),
                number(mean(&|audit| audit.methods[k].coverage.rate)),
                number(typical),
                number(mean(&|audit| audit.methods[k].truth[1])),
                count(&|audit| audit.methods[k].coverage.contains(audit.methods[k].truth[0])),
                count(&|audit| audit.methods[k].coverage.contains(typical)),
                promised(Promise::Kept),
                promised(Promise::Exceeded),
                promised(Promise::Broken),
                promised(Promise::Unclear),
                count(&|audit| audit.methods[k].is_wrong()),
                told(Tells::Yes),
                told(Tells::No),
                ranked(|d| d.average_precision),
                ranked(|d| d.chance),
                String::new(),
            ];
            key(method).into_iter().chain(cells).collect()
        };
        let mut any = key("any");
        any.resize(CALIBRATION.columns.len(), String::new());
        let mut set = |column: &str, cell: String| {
            let k = CALIBRATION.columns.iter().position(|name| *name == column).expect("is a column");
            any[k] = cell;
        };
        set("tables", audits.len().to_string());
        set("tells_yes", count(&|audit| audit.any));
        set("spoken", count(&|audit| audit.spoken));
        METHODS.into_iter().enumerate().map(line).chain([any]).collect()
    }
}

impl Seen {
    /// Whether the truth contradicts the verdict on the coverage; one that is unclear is never wrong.
    fn is_wrong(&self) -> bool {
        let truth = self.truth[0];
        match self.promise {
            Promise::Broken => truth >= ASKED,
            Promise::Exceeded => truth <= ASKED,
            Promise::Kept => truth < 2.0 * ASKED - 1.0,
            Promise::Unclear => false,
        }
    }
}
