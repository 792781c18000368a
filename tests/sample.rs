//! From a table to a sample: names kept, columns encoded, bad cells named.

mod folder;

use folder::Folder;
use jackknife::prelude::*;
use ndarray::array;
use polars::df;
use polars::prelude::{DataFrame, ParquetWriter};

fn frame() -> DataFrame {
    df!(
        "size" => [1.5, 2.0, 3.5, 4.0],
        "rooms" => [1, 2, 2, 4],
        "garden" => [true, false, true, true],
        "planet" => ["Earth"; 4],
        "town" => ["Rom", "Bern", "Oslo", "Bern"],
        "price" => [10.0, 20.0, 30.0, 45.0]
    )
    .unwrap()
}

#[test]
fn every_kind_of_column_becomes_numbers_and_the_display_says_how() {
    let sample = Sample::from_frame(&frame(), "price").unwrap();
    assert_eq!(sample.features(), ["size", "rooms", "garden", "town=Oslo", "town=Rom"]);
    assert_eq!(sample.x().row(0), array![1.5, 1.0, 1.0, 0.0, 1.0]);
    assert_eq!(sample.x().row(1), array![2.0, 2.0, 0.0, 0.0, 0.0]);
    let display = format!("{sample:?}");
    assert!(display.starts_with("4 rows; target `price`; 5 features: size, rooms, garden"), "{display}");
    assert!(display.contains("`planet` is the same in every row: dropped"), "{display}");
    assert!(display.contains("`town` is text: 2 indicator columns for 3 values, against `Bern`"), "{display}");
}

#[test]
fn other_rows_are_encoded_as_the_training_rows_were() {
    let sample = Sample::from_frame(&frame(), "price").unwrap();
    let mut other = frame();
    assert_eq!(sample.encode(&other).unwrap(), sample.x());
    other = other.select(["town", "garden", "size", "rooms"]).unwrap();
    assert_eq!(sample.encode(&other).unwrap(), sample.x());
    let strange = df!("size" => [1.0], "rooms" => [1], "garden" => [true], "town" => ["Paris"]).unwrap();
    let message = sample.encode(&strange).unwrap_err().to_string();
    assert!(message.starts_with("column `town`, row 1 is `Paris`: the training table does not have"), "{message}");
    let lacking = df!("size" => [1.0]).unwrap();
    let message = sample.encode(&lacking).unwrap_err().to_string();
    assert!(message.starts_with("column `rooms` is not in the table: it has size"), "{message}");
}

#[test]
fn a_sample_survives_the_way_through_a_frame_a_csv_and_a_parquet_file() {
    let yacht = Table::Yacht.load();
    assert_eq!(Sample::from_frame(&yacht.to_frame().unwrap(), yacht.target()).unwrap(), yacht);
    assert_eq!(Sample::read("data/yacht.csv", None).unwrap(), yacht);
    let path = Folder::new();
    let path = path.path().join("yacht.parquet");
    ParquetWriter::new(std::fs::File::create(&path).unwrap()).finish(&mut yacht.to_frame().unwrap()).unwrap();
    assert_eq!(Sample::read(&path, Some("residuary_resistance")).unwrap(), yacht);
    std::fs::write(&path, b"PAR1 is not enough").unwrap();
    let message = Sample::read(&path, None).unwrap_err().to_string();
    assert!(message.starts_with("cannot read `"), "{message}");
}

#[test]
fn the_bundled_tables_have_the_sizes_that_their_attribution_gives() {
    let sizes = [
        (Table::AirfoilSelfNoise, 1503, 5),
        (Table::BostonHousing, 506, 13),
        (Table::Concrete, 1030, 8),
        (Table::EnergyEfficiency, 768, 8),
        (Table::Kin8nm, 8192, 8),
        (Table::NavalPropulsion, 11934, 14),
        (Table::PowerPlant, 9568, 4),
        (Table::WineQualityRed, 1599, 11),
        (Table::Yacht, 308, 6),
    ];
    assert_eq!(sizes.map(|(table, _, _)| table), Table::ALL);
    for (table, rows, columns) in sizes {
        let sample = table.load();
        assert_eq!((sample.len(), sample.columns()), (rows, columns), "{table}");
        assert_eq!(table.name().parse::<Table>().unwrap(), table);
    }
    assert!(!Table::EnergyEfficiency.load().features().contains(&"cooling_load".to_string()));
    assert_eq!(Table::NavalPropulsion.load().notices().len(), 2, "two constant columns");
    let message = "boston".parse::<Table>().unwrap_err().to_string();
    assert!(message.contains("`boston`") && message.contains("boston_housing"), "{message}");
}

#[test]
fn splits_are_seeded_partitions_and_folds_cover_every_row_once() {
    let sample =
        Sample::new(ndarray::Array2::from_shape_fn((23, 1), |(i, _)| i as f64), (0..23).map(f64::from).collect())
            .unwrap();
    let (train, test) = sample.split(0.3, 5).unwrap();
    assert_eq!((train.len(), test.len()), (16, 7));
    let mut all: Vec<f64> = train.y().iter().chain(test.y()).copied().collect();
    all.sort_by(f64::total_cmp);
    assert_eq!(all, sample.y().to_vec());
    assert_eq!(sample.split(0.3, 5).unwrap(), (train.clone(), test));
    assert_ne!(sample.split(0.3, 6).unwrap().0, train);
    for folds in 2..=23 {
        let folds = sample.folds(folds).unwrap();
        let covered: Vec<usize> = folds.iter().cloned().flatten().collect();
        assert_eq!(covered, (0..23).collect::<Vec<_>>());
        assert!(folds.iter().all(|fold| fold.len().abs_diff(23 / folds.len()) <= 1));
    }
    let without = sample.without(3).unwrap();
    assert_eq!(without.len(), 22);
    assert!(without.y().iter().all(|&y| y != 3.0));
}

#[test]
fn the_synthetic_example_has_the_noise_and_the_features_it_says() {
    let uniform = cubic(20_000, Feature::Uniform { half_width: 4.0 }, 3.0, 1).unwrap();
    let noise = uniform.y() - &uniform.x().column(0).mapv(|x| x.powi(3));
    // A sample deviation of 20,000 normal numbers is within 2 % of the true one in all but one seed of 15,000.
    assert!((noise.std(0.0) - 3.0).abs() < 0.06, "{}", noise.std(0.0));
    assert!(uniform.x().iter().all(|x| x.abs() <= 4.0));
    let normal = cubic(20_000, Feature::Normal { deviation: 1.5 }, 0.0, 1).unwrap();
    assert!((normal.x().std(0.0) - 1.5).abs() < 0.03);
    assert!(cubic(10, Feature::Normal { deviation: 0.0 }, 1.0, 0).is_err());
    assert!(cubic(10, Feature::Normal { deviation: 1.0 }, -1.0, 0).is_err());
    assert!(cubic(0, Feature::Normal { deviation: 1.0 }, 1.0, 0).is_err());
}

#[test]
fn arrays_that_cannot_be_a_sample_are_refused() {
    let refused = |x, y| Sample::new(x, y).unwrap_err().to_string();
    assert_eq!(
        refused(array![[1.0], [f64::NAN]], array![1.0, 2.0]),
        "column `x0`, row 2 is NaN: fill or drop missing cells first"
    );
    assert!(refused(array![[1.0], [2.0]], array![1.0, f64::INFINITY]).starts_with("column `y`, row 2 is inf"));
    assert!(refused(array![[1e308], [2.0]], array![1.0, 2.0]).contains("rescale the column"));
    assert!(refused(array![[1.0], [2.0]], array![1.0]).starts_with("rows of x and values of y: 2 against 1"));
    assert!(refused(ndarray::Array2::zeros((0, 3)), array![]).contains("no rows"));
    assert!(refused(ndarray::Array2::zeros((3, 0)), array![1.0, 2.0, 3.0]).contains("no feature column"));
    let sample = Sample::new(array![[1.0], [2.0]], array![1.0, 2.0]).unwrap();
    assert!(sample.without(2).is_err() && sample.rows(&[]).is_err() && sample.split(0.0, 0).is_err());
    let single = sample.rows(&[0]).unwrap();
    assert!(single.without(0).is_err() && single.split(0.5, 0).is_err() && single.folds(2).is_err());
}
