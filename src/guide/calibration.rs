//! Is the audit right? Its verdicts and intervals on simulated tables, whose truth is known.
//!
//! An [`Audit`](crate::audit::Audit) says whether intervals cover, whether they are wide where errors are large, and whether
//! something speaks against its own condition. Here it is audited itself: tables are drawn, each is audited with the default
//! methods at 90 %, and what is said is held against what is known.
//!
//! | scenario | y | features |
//! |---|---|---|
//! | noise | ε | three, which y knows nothing of |
//! | signal | x₁ + ε | three |
//! | heavy tails | x₁ + ε, ε of Student's t with 5/2 degrees of freedom | three |
//! | outliers | x₁ + ε, one ε of twenty ten times as large | three |
//! | heteroscedastic | x + \|x\|ε | one |
//! | groups | x₁ + ε and an offset N(0, 1) for every ten rows, which stand together | three |
//! | drift | x₁ + ε and a mean that rises by 2 along the table | three |
//! | duplicates | x₁ + ε, every fourth row a copy of the one before it | three |
//!
//! Features and ε are standard normal. Read every share with the number of its tables: that of 40 tables is known to ± 7
//! percent points at best, and the five tables of 3000 rows show no more than that nothing breaks.
//!
//! # Does the width tell large errors from small ones?
//!
//! The share of the tables in which a method, or `any` of the eight, is said to do so.
//!
#![doc = include_str!("../../examples/study/tables/calibration.md")]
//!
//! Only the heteroscedastic tables have something to tell, so every other share is of false alarms, and should be 5 % at most: it
//! is, within the binomial error, for any method and any number of splits. On noise no alarm was raised at all, because a model that
//! predicts no better than the mean is not believed whatever its ranks say; the test is careful rather than sharp.
//!
//! Where there is something to tell, the studentised width is said to tell it on all tables of 400 rows in folds. It is
//! not said so often where fewer rows are tested: a single split tests 80 of 400 rows, eight large errors, and that is enough for two tables of
//! three; 80 rows are enough for fewer than one of three, and 30 rows, with three large errors, never are. Then the verdict is "unclear",
//! not "no". The audit's default network of 100 units sees still less of it on 80 rows.
//!
//! # Does the interval of the coverage hold the true one?
//!
//! The truth is the coverage of the very models that the audit has trained, one for each fold, on endless new rows of the kind:
//! 1000 points with 20 targets each. In each cell: its mean, then the percentage of tables whose 95 % interval *holds* it,
//! whose verdict is *wrong*, and whose verdict is *unclear*. A verdict is wrong that says too little of a coverage of 90 % or
//! more, too much of one of 90 % or less, or kept of one below 80 %.
//!
#![doc = include_str!("../../examples/study/tables/calibration_coverage.md")]
//!
//! What was hoped for is 93 to 97 %. For the small network on 80 rows and more that is reached within the binomial error, in folds and on
//! single splits; on 30 rows in folds the interval is a little too long, with up to 99 %. It is *not* reached for the
//! paper's network on 80 rows of noise in ten folds: such a network passes through every row it is given, so that a single row
//! moves its predictions far, and folds know less than the interval supposes. With the skill of such a model that is the least of
//! its problems, but it is a miss. Wrong verdicts are rare in every line.
//!
//! The half row of [`Coverage::from_shares`](crate::metric::Coverage::from_shares) was chosen on noise, signal and heteroscedastic tables of this
//! very study, with the same seeds: Wilson's interval as it is, which held as few as 87 % on 30 rows and 92 % on 80, was compared with a
//! quarter and half a row more, with the exact interval and with Jeffreys', each with three or four worths of a folded row. So
//! these lines are a little optimistic; heavy tails, outliers, groups, drift and duplicates were not looked at for it.
//!
//! The mean over all tables of a kind is another truth that could be asked for. The interval of folds holds it nearly always, since folds
//! vary less around it than the models do; that of a single split less often than it says, since another split would have
//! trained another model. Both stand in `examples/study/results/calibration.csv`, as `holds_mean`.
//!
//! # Does it speak where its condition fails?
//!
//! The share of the tables with a finding, and for the studentised rule the coverage that the audit saw, the true one on rows like
//! those of the table, and that on the rows that come next: of new groups, or of the time after the last row.
//!
#![doc = include_str!("../../examples/study/tables/calibration_condition.md")]
//!
//! On exchangeable rows it is silent but for about one table of a hundred. Copies are always found, drift and groups
//! always on 400 rows and mostly on 80. The last column says why that matters: with drift the audit's folds are right
//! about rows like those of the table, and of the rows that come next far fewer are covered. No interval of an audit knows
//! that; only the finding does. Groups cost little here, as an offset that no feature knows is noise to the model.
//!
//! # What follows
//!
//! A "yes" can be believed. An "unclear" on few rows means few rows: audit in folds, which test all of them. And the
//! coverage of a network that fits its rows perfectly is known less well than its interval says.
