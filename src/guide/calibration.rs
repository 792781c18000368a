//! Is the audit right?
#![doc = include_str!("../../examples/study/tables/calibration.md")]
#![doc = include_str!("../../examples/study/tables/calibration_coverage.md")]
#![doc = include_str!("../../examples/study/tables/calibration_condition.md")]
