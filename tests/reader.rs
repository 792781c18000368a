//! Tables as people have them: every dialect and every hole, what is decided, what is said of it, and what is refused.

mod folder;

use std::io::Write;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;
use folder::Folder;
use jackknife::prelude::*;
use ndarray::array;
use polars::df;

struct Desk(Folder);

impl Desk {
    fn new() -> Self {
        Self(Folder::new())
    }

    fn file(&self, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join("table.csv");
        std::fs::write(&path, bytes).unwrap();
        path
    }

    fn read(&self, bytes: impl AsRef<[u8]>) -> Sample {
        Reader::default().read(self.file(bytes)).unwrap()
    }

    fn refused(&self, reader: &Reader, bytes: impl AsRef<[u8]>) -> String {
        let message = reader.read(self.file(bytes)).unwrap_err().to_string();
        assert!(message.contains("table.csv"), "{message}");
        message
    }
}

/// What every dialect below says.
fn plain() -> Sample {
    let names = vec!["size".to_string(), "age".to_string()];
    Sample::named(array![[1.5, 10.0], [2.0, 20.0], [-3.25, 15.0]], array![100.0, 200.0, 1300.5], names, "price")
        .unwrap()
}

fn says_the_same(sample: &Sample) {
    let plain = plain();
    assert_eq!((sample.x(), sample.y()), (plain.x(), plain.y()));
    assert_eq!((sample.features(), sample.target()), (plain.features(), plain.target()));
}

const COMMAS: &str = "size,age,price\n1.5,10,100\n2,20,200\n-3.25,15,1300.5\n";

#[test]
fn a_plain_table_is_read_without_a_word() {
    let sample = Desk::new().read(COMMAS);
    says_the_same(&sample);
    assert!(sample.notices().is_empty(), "{sample:?}");
}

#[test]
fn separators_decimals_quotes_and_line_ends_are_found() {
    let desk = Desk::new();
    let tables = [
        ("semicolons", "size;age;price\n1,5;10;100\n2;20;200\n-3,25;15;1300,5\n"),
        ("German thousands", "size;age;price\n1,5;10;100\n2,0;20;200\n-3,25;15;1.300,50\n"),
        ("tabs", "size\tage\tprice\n1.5\t10\t100\n2\t20\t200\n-3.25\t15\t1300.5\n"),
        ("bars", "size|age|price\n1.5|10|100\n2|20|200\n-3.25|15|1300.5\n"),
        ("quotes", "\"size\",\"age\",\"price\"\n\"1.5\",10,100\n2,\"20\",\"200\"\n-3.25,15,\"1,300.5\"\n"),
        ("blanks after commas", "size, age, price\n1.5, 10, 100\n2, \"20\", 200 \n -3.25, 15, 1300.5\n"),
        ("carriage returns", "size,age,price\r\n1.5,10,100\r\n2,20,200\r\n-3.25,15,1300.5\r\n"),
        ("old line ends", "size,age,price\r1.5,10,100\r2,20,200\r-3.25,15,1300.5"),
        ("blank lines", "\nsize,age,price\n1.5,10,100\n\n2,20,200\n-3.25,15,1300.5\n\n  \n"),
        ("no last line end", "size,age,price\n1.5,10,100\n2,20,200\n-3.25,15,1300.5"),
        ("a mark", "\u{feff}size,age,price\n1.5,10,100\n2,20,200\n-3.25,15,1300.5\n"),
        ("currencies", "size,age,price\n1.5,10,$100\n2,20,$200\n-3.25,15,\"$1,300.50\"\n"),
        ("a true minus", "size,age,price\n1.5,10,100 €\n2,20,200 €\n−3.25,15,1300.5 €\n"),
        ("separators at the end", "size,age,price,\n1.5,10,100,\n2,20,200,\n-3.25,15,1300.5,\n"),
    ];
    for (what, table) in tables {
        let path = desk.file(table);
        says_the_same(&Reader::default().target("price").read(path).unwrap_or_else(|error| panic!("{what}: {error}")));
    }
    let told = desk.read(tables[0].1);
    assert_eq!(
        told.notices(),
        ["cells are separated by semicolons (--sep)", "decimals have a comma: 1,5 is read as 1.5 (--decimal)"]
    );
    let signs = Reader::default().separator(';').decimal(',').read(desk.file(tables[0].1)).unwrap();
    assert!(signs.notices().is_empty(), "what was said needs no notice: {signs:?}");
}

#[test]
fn encodings_and_gzip_are_found() {
    let desk = Desk::new();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(COMMAS.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    says_the_same(&desk.read(&gzip));
    let units = |bytes: fn(u16) -> [u8; 2]| COMMAS.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    for (mark, units) in [([0xff, 0xfe], units(u16::to_le_bytes)), ([0xfe, 0xff], units(u16::to_be_bytes))] {
        says_the_same(&desk.read([&mark[..], &units].concat()));
        says_the_same(&desk.read(&units));
    }
    let latin = [b"gr\xf6\xdfe,y\n1,2\n2,3\n4,3\n".as_slice()].concat();
    let sample = desk.read(&latin);
    assert_eq!(sample.features(), ["größe"]);
    assert_eq!(sample.notices(), ["the file is not UTF-8 (line 1): read as Latin-1"]);
    let message = desk.refused(&Reader::default().strict(true), &latin);
    assert!(message.contains("line 1 is not UTF-8"), "{message}");
    assert!(desk.refused(&Reader::default(), &gzip[..gzip.len() / 2]).contains("it is gzip, but damaged or cut off"));
    assert!(desk.refused(&Reader::default(), b"PK\x03\x04rest").contains("save it as CSV"));
    assert!(desk.refused(&Reader::default(), b"a,b\n1,\x00\n").contains("line 2 has a zero byte"));
    assert!(desk.refused(&Reader::default(), b"\xff\xfea\x00,").contains("UTF-16, but damaged"));
}

#[test]
fn a_first_line_without_names_is_found_and_can_be_overruled() {
    let desk = Desk::new();
    let sample = desk.read("1.5,10,100\n2,20,200\n-3.25,15,1300.5\n");
    assert_eq!(
        (sample.len(), sample.features(), sample.target()),
        (3, &["column 1".into(), "column 2".into()][..], "column 3")
    );
    assert_eq!(
        sample.notices(),
        ["the first line is not of names: the columns are called column 1, column 2, column 3 (--header)"]
    );
    let texts = desk.read("5.1,setosa,1\n4.9,setosa,2\n6.2,virginica,4\n5.9,virginica,3\n");
    assert_eq!((texts.len(), texts.features()[1].as_str()), (4, "column 2=virginica"));
    let years = "1990,1991,1992\n1,2,3\n4,5,7\n2,2,5\n";
    let named = Reader::default().header(true).read(desk.file(years)).unwrap();
    assert_eq!((named.len(), named.target()), (3, "1992"));
    assert_eq!(Reader::default().header(false).read(desk.file(years)).unwrap().len(), 4);
    let countries = desk.read("town,1990,1991\nBern,1,2\nOslo,3,4\nBern,4,7\n");
    assert_eq!((countries.target(), countries.len()), ("1991", 3));
}

#[test]
fn names_that_are_blank_or_come_twice_can_be_told_apart() {
    let sample = Desk::new().read("a,a,,y\n1,2,3,4\n3,1,7,9\n2,2,1,3\n");
    assert_eq!(sample.features(), ["a", "a.2", "column 3"]);
    assert_eq!(
        sample.notices(),
        ["there are several columns `a`: one is called `a.2`", "column 3 has no name: called `column 3`"]
    );
}

#[test]
fn numbers_are_read_as_they_are_written_and_it_is_said() {
    let desk = Desk::new();
    let sample = desk.read(
        "share,people,big,open,y\n12 %,\"1,200\",9223372036854775808,yes,1\n3.5%,900,18446744073709551616,No,2\n0 %,\"12,345,678\",5,YES,4\n",
    );
    assert_eq!(sample.x().column(0), array![12.0, 3.5, 0.0]);
    assert_eq!(sample.x().column(1), array![1200.0, 900.0, 12_345_678.0]);
    assert_eq!(sample.x().column(2), array![2f64.powi(63), 2f64.powi(64), 5.0]);
    assert_eq!(sample.x().column(3), array![1.0, 0.0, 1.0]);
    assert_eq!(
        sample.notices(),
        [
            "`share` has percent signs: `12 %` is read as 12",
            "`people` has thousands in groups: `1,200` is read as 1200"
        ]
    );
    let codes = desk.read("code,y\n01234,1\n99999,2\n01234,3\n");
    assert_eq!(codes.features(), ["code=99999"]);
}

#[test]
fn every_spelling_of_a_missing_cell_is_one_and_medians_are_marked() {
    let desk = Desk::new();
    for missing in ["NA", "N/A", "n/a", "nan", "NaN", "null", "NULL", "?", "-", ".", "", "\"\"", "\"NA\"", "#N/A"] {
        let sample = desk.read(format!("a,b,y\n1,5,1\n{missing},6,2\n3,{missing},3\n8,9,{missing}\n7,4,5\n"));
        assert_eq!(sample.features(), ["a", "a=missing", "b", "b=missing"], "{missing}");
        assert_eq!(
            sample.x(),
            array![[1., 0., 5., 0.], [3., 1., 6., 0.], [3., 0., 5., 1.], [7., 0., 4., 0.]],
            "{missing}"
        );
        assert_eq!(
            sample.notices(),
            [
                "1 of 5 rows have no target: left out",
                "`a` is missing in 1 of 4 rows: filled with the median 3 and marked by `a=missing` (--missing)",
                "`b` is missing in 1 of 4 rows: filled with the median 5 and marked by `b=missing` (--missing)"
            ]
        );
    }
    let table = desk.file("a,town,y\n1,x,1\nNA,,2\n3,x,3\n7,z,5\n");
    let whole = Reader::default().missing(Missing::LeaveOut).read(&table).unwrap();
    assert_eq!((whole.len(), whole.features()), (3, &["a".to_string(), "town=z".to_string()][..]));
    assert_eq!(whole.notices()[0], "1 of 4 rows have a missing cell: left out");
    let own = Reader::default().read(&table).unwrap();
    assert_eq!(own.features(), ["a", "a=missing", "town=z", "town=missing"]);
    let refused = Reader::default().missing(Missing::Refuse).read(&table).unwrap_err().to_string();
    assert!(refused.ends_with("line 3: column `a`, row 2 is NA: fill or drop missing cells first"), "{refused}");
}

#[test]
fn holes_that_come_together_have_one_mark_and_a_single_one_in_many_rows_none() {
    let rows: String = (0..40)
        .map(|i| match i {
            3 | 17 => format!("NA,,{},{}\n", i % 7, i * i % 11),
            5 => format!("{},{},NA,{}\n", i % 5, i % 3, i * i % 11),
            _ => format!("{},{},{},{}\n", i % 5, i % 3, i % 7, i * i % 11),
        })
        .collect();
    let sample = Desk::new().read(format!("a,b,c,y\n{rows}"));
    assert_eq!(sample.features(), ["a", "a=missing", "b", "c"]);
    assert!(
        sample.notices()[1].ends_with("filled with the median 1; `a=missing` marks these rows (--missing)"),
        "{sample:?}"
    );
    assert_eq!(sample.notices()[2], "`c` is missing in 1 of 40 rows: filled with the median 3 (--missing)");
}

#[test]
fn a_few_texts_among_numbers_are_missing_and_many_make_a_text() {
    let desk = Desk::new();
    let few: String =
        (0..30).map(|i| if i == 4 { "<5,4\n".into() } else { format!("{},{}\n", i * 7 % 11, i % 9) }).collect();
    let sample = desk.read(format!("x,y\n{few}"));
    assert_eq!(sample.features(), ["x"]);
    assert_eq!(sample.notices()[0], "`x` has 1 cell that is no number, first `<5` in row 5: taken as missing");
    let many: String = (0..30).map(|i| format!("{},{}\n", ["1", "2", "low"][i % 3], i % 9)).collect();
    assert_eq!(desk.read(format!("x,y\n{many}")).features(), ["x=2", "x=low"]);
    let stray = desk.refused(&Reader::default().target("x"), format!("x,y\n{few}"));
    assert!(stray.contains("line 6: column `x`, row 5 is `<5`: the other targets are numbers"), "{stray}");
}

#[test]
fn indices_row_names_and_identifiers_are_left_out_and_can_be_kept() {
    let desk = Desk::new();
    let table = |name: &str, cell: &dyn Fn(usize) -> String| {
        let rows: String = (0..40).map(|i| format!("{},{},{}\n", cell(i), i * 7 % 11, i * i % 13)).collect();
        format!("{name},x,y\n{rows}")
    };
    type Case<'a> = (&'a str, &'a dyn Fn(usize) -> String, &'a str);
    let cases: [Case; 6] = [
        ("", &|i| (i + 1).to_string(), "as row names are"),
        ("", &|i| (3 * i + 8).to_string(), "as row names are"),
        ("id", &|i| i.to_string(), "counts the rows"),
        ("patient_id", &|i| (i / 2 * 5).to_string(), "--group patient_id leaves its rows out together"),
        ("name", &|i| format!("person {i}"), "40 different texts in 40 rows, as identifiers have"),
        ("note", &|_| "NA".into(), "is blank in every row"),
    ];
    for (name, cell, words) in cases {
        let sample = desk.read(table(name, cell));
        assert_eq!(sample.features(), ["x"], "{name}");
        assert!(sample.notices()[0].contains(words), "{sample:?}");
    }
    let rows: String = (0..600).map(|i| format!("family{},{},{}\n", i / 4, i * 7 % 11, i * i % 13)).collect();
    let families = desk.read(format!("family,x,y\n{rows}"));
    assert_eq!(families.features(), ["x"]);
    let words = "`family` has 150 different texts, none in 6 rows or more: left out (--keep, --rare, --group)";
    assert_eq!(families.notices(), [words]);
    let kept = Reader::default().keep(&["id"]).read(desk.file(table("id", &|i| i.to_string()))).unwrap();
    assert_eq!(kept.features(), ["id", "x"]);
    let only = Reader::default().only(&["id"]).read(desk.file(table("id", &|i| i.to_string()))).unwrap();
    assert_eq!(only.features(), ["id"]);
    let week = desk.read(table("week", &|i| i.to_string()));
    assert_eq!(week.features(), ["week", "x"]);
    assert!(week.notices()[0].starts_with("`week` counts the rows: kept, since it may be time"), "{week:?}");
    let names = desk.read("size,price\nBern,1.5,100\nOslo,2,200\nRom,-3.25,150\n");
    assert_eq!(names.features(), ["size"], "R writes no name above its row names: {names:?}");
}

#[test]
fn rare_texts_are_together_and_so_is_what_training_has_not_seen() {
    let desk = Desk::new();
    let state = |i: usize| if i < 90 { format!("state{:02}", i % 30) } else { format!("lone{i}") };
    let rows: String = (0..100).map(|i| format!("{},{}\n", state(i), i * i % 13)).collect();
    let table = desk.file(format!("state,y\n{rows}"));
    let sample = Reader::default().read(&table).unwrap();
    assert_eq!(sample.columns(), 15, "14 of 15 frequent ones, and the others: {sample:?}");
    assert_eq!(sample.features()[14], "state=other");
    assert!(sample.notices()[0].ends_with("the 25 rarest, 55 of 100 rows, together as `other` (--rare)"), "{sample:?}");
    assert_eq!(Reader::default().rare(3).read(&table).unwrap().columns(), 30);
    assert_eq!(Reader::default().rare(1).read(&table).unwrap().columns(), 39);
    let new = sample.encode(&df!("state" => ["state00", "state03", "Bern"]).unwrap()).unwrap();
    assert_eq!(new.rows().into_iter().map(|row| row.to_vec()).collect::<Vec<_>>()[0], vec![0.0; 15]);
    assert_eq!((new[[1, 2]], new[[2, 14]]), (1.0, 1.0));
}

#[test]
fn dates_become_days_and_the_parts_that_mean_something() {
    let desk = Desk::new();
    let days = |cells: &[&str]| {
        let rows: String = cells.iter().enumerate().map(|(i, cell)| format!("\"{cell}\",{}\n", i * i)).collect();
        desk.read(format!("when,y\n{rows}"))
    };
    // Python's datetime gives these numbers.
    let forms: [&[&str]; 7] = [
        &["2024-02-29", "2024-03-05", "1969-12-31"],
        &["2024/2/29", "2024/3/5", "1969/12/31"],
        &["29.02.2024", "5.3.2024", "31.12.1969"],
        &["02/29/2024", "03/05/2024", "12/31/1969"],
        &["20240229", "20240305", "19691231"],
        &["29 Feb 2024", "5 March 2024", "31 Dec 1969"],
        &["Feb 29, 2024", "Mar 5, 2024", "December 31, 1969"],
    ];
    for cells in forms {
        let sample = days(cells);
        assert_eq!(sample.features(), ["when", "when month", "when weekday"], "{cells:?}");
        assert_eq!(sample.x(), array![[19782., 2., 4.], [19787., 3., 2.], [-1., 12., 3.]], "{cells:?}");
    }
    let hours = days(&["2024-03-01 06:30", "2024-03-01T18:00:00Z", "2024-03-02 00:00:36"]);
    assert_eq!(hours.features(), ["when", "when hour"]);
    assert_eq!(hours.x().column(1), array![6.5, 18.0, 0.01]);
    let either = days(&["3/4/2024", "5/6/2024", "7/8/2024"]);
    assert!(either.notices()[0].contains("read with the month before day (--day-first, --month-first)"), "{either:?}");
    let first =
        Reader::default().day_first(true).read(desk.file("when,y\n3/4/2024,1\n5/6/2024,3\n7/8/2024,2\n")).unwrap();
    assert_eq!(first.x()[[0, 0]], 19816.0, "3 April 2024");
    let monthly: String = (0..48).map(|i| format!("{}-{:02}-01,{}\n", 2000 + i / 12, i % 12 + 1, i * i % 17)).collect();
    let monthly = desk.read(format!("when,y\n{monthly}"));
    assert_eq!(monthly.features(), ["when", "when month"]);
    assert!(monthly.notices()[1].starts_with("the rows are in order of time, by `when`"), "{monthly:?}");
    assert_eq!(
        days(&["2023-02-29", "2024-03-01", "2024-03-01"]).features(),
        ["when=2024-03-01"],
        "there was no such day"
    );
}

#[test]
fn dates_of_data_frames_and_parquet_files_are_read_as_those_of_text() {
    use polars::prelude::{DataType, ParquetWriter, TimeUnit};
    let mut frame =
        df!("when" => [19782, 19787, -1], "at" => [0_i64, 6 * 3_600_000, 86_400_000], "y" => [1.0, 4.0, 2.0]).unwrap();
    for (name, kind) in [("when", DataType::Date), ("at", DataType::Datetime(TimeUnit::Milliseconds, None))] {
        let column = frame.column(name).unwrap().cast(&kind).unwrap();
        frame.with_column(column).unwrap();
    }
    let table = Folder::new();
    let path = table.path().join("dates.parquet");
    ParquetWriter::new(std::fs::File::create(&path).unwrap()).finish(&mut frame).unwrap();
    for sample in [Reader::default().frame(&frame).unwrap(), Reader::default().read(&path).unwrap()] {
        assert_eq!(sample.features(), ["when", "when month", "when weekday", "at", "at hour"]);
        assert_eq!(sample.x().row(1), array![19787.0, 3.0, 2.0, 0.25, 6.0]);
        assert_eq!(Reader::default().read_new(&path, &sample).unwrap().x, sample.x());
    }
}

#[test]
fn columns_that_give_the_target_away_are_refused_and_copies_told() {
    let desk = Desk::new();
    let rows: String = (0..30)
        .map(|i| {
            let (a, y) = ((i * 7 % 11) as f64, (i * i % 13) as f64);
            format!("{a},{a},{},{},{y}\n", 2.0 * a + 0.001 * (i % 2) as f64, 1.8 * y + 32.0)
        })
        .collect();
    let table = format!("a,twin,near,fahrenheit,celsius\n{rows}");
    let message = desk.refused(&Reader::default(), &table);
    assert!(message.contains("column `fahrenheit` is the target `celsius` in other units: drop it"), "{message}");
    let sample = Reader::default().drop(&["fahrenheit"]).read(desk.file(&table)).unwrap();
    assert_eq!(sample.features(), ["a", "twin", "near"]);
    assert_eq!(
        sample.notices(),
        ["`twin` repeats `a`: leave one out by --drop", "`near` is nearly a line in `a`: their correlation is 0.9999"]
    );
    assert_eq!(Reader::default().keep(&["fahrenheit"]).read(desk.file(&table)).unwrap().columns(), 4);
}

#[test]
fn splits_fill_with_the_medians_of_their_training_rows() {
    let rows: String = (0..60)
        .map(|i| if i % 5 == 0 { format!("NA,{}\n", i % 7) } else { format!("{},{}\n", i * i % 97, i % 7) })
        .collect();
    let sample = Desk::new().read(format!("a,y\n{rows}"));
    let (train, test) = sample.split(0.3, 4).unwrap();
    let mut known: Vec<f64> = train.x().rows().into_iter().filter(|row| row[1] == 0.0).map(|row| row[0]).collect();
    known.sort_by(f64::total_cmp);
    let half = known.len() / 2;
    let median = if known.len() % 2 == 1 { known[half] } else { 0.5 * (known[half - 1] + known[half]) };
    let filled =
        |part: &Sample| part.x().rows().into_iter().filter(|row| row[1] == 1.0).map(|row| row[0]).collect::<Vec<_>>();
    assert!(!filled(&train).is_empty() && !filled(&test).is_empty());
    assert!(filled(&train).iter().chain(&filled(&test)).all(|&cell| cell == median), "{median}: {train:?}");
    assert_ne!(filled(&sample)[0], median, "the whole table's median is another");
}

#[test]
fn a_text_that_only_test_rows_have_is_new_to_the_training_rows() {
    let frame = df!("town" => ["a", "a", "b", "b", "c"], "y" => [1.0, 2.0, 3.0, 5.0, 4.0]).unwrap();
    let sample = Reader::default().frame(&frame).unwrap();
    let alone = (0..200).find_map(|seed| {
        let (train, test) = sample.split(0.2, seed).unwrap();
        (test.y()[0] == 4.0).then_some((train, test))
    });
    let (train, test) = alone.expect("some split tests the last row alone");
    assert_eq!(test.x().row(0), train.x().mean_axis(ndarray::Axis(0)).unwrap(), "as an average row of training");
}

#[test]
fn new_tables_are_encoded_as_the_training_table_was_and_it_is_said() {
    let desk = Desk::new();
    let train = desk.read("size;town;when;price\n1,5;Bern;1.2.2020;100\n;Oslo;15.3.2021;200\n2,5;Bern;2.2.2023;300\n4,5;Rom;3.4.2024;250\n");
    assert_eq!(
        train.features(),
        ["size", "size=missing", "town=Oslo", "town=Rom", "when", "when month", "when weekday"]
    );
    let own = Reader::default().read_new(desk.0.path().join("table.csv"), &train).unwrap();
    assert_eq!((&own.x, own.y.as_ref().unwrap()), (train.x(), train.y()));
    // Another dialect, other columns, another order, no target.
    let new = desk.file("note,when,town,size\nfirst,2020-02-01,Oslo,7.5\nsecond,,Paris,?\n");
    let new = Reader::default().read_new(new, &train).unwrap();
    assert_eq!(new.x.row(0), array![7.5, 0.0, 1.0, 0.0, 18293.0, 2.0, 6.0]);
    assert_eq!(new.x.row(1).to_vec()[..4], [2.5, 1.0, 0.25, 0.25], "Paris is an average row");
    assert!(new.y.is_none());
    assert_eq!(new.notices.len(), 3, "{:?}", new.notices);
    assert_eq!(new.notices[0], "`size` is missing in 1 of 2 new rows: filled with the training median 2.5");
    assert!(
        new.notices[1].starts_with("`town` has texts that training has not, first `Paris` in row 2"),
        "{:?}",
        new.notices
    );
    // What training does not announce is refused where nothing could be told.
    let frame = df!("size" => [1.0], "town" => ["Paris"], "when" => ["2020-02-01"]).unwrap();
    assert!(train.encode(&frame).unwrap_err().to_string().starts_with("column `town`, row 1 is `Paris`"));
    let frame = df!("size" => [None::<f64>], "town" => ["Rom"], "when" => ["2020-02-01"]).unwrap();
    assert_eq!(train.encode(&frame).unwrap()[[0, 0]], 2.5);
    let strict = Reader::default().strict(true).frame_new(&frame, &train).unwrap_err().to_string();
    assert!(strict.starts_with("column `size`, row 1 is blank"), "{strict}");
    let lacking = desk.file("size,town\n1,Rom\n");
    let message = Reader::default().read_new(lacking, &train).unwrap_err().to_string();
    assert!(message.ends_with("column `when` is not in the table: it has size, town"), "{message}");
    let stray = desk.file("size,town,when\nbig,Rom,2020-02-01\n");
    let message = Reader::default().read_new(stray, &train).unwrap_err().to_string();
    assert!(message.contains("line 2: column `size`, row 1 is `big`: this column is numeric in training"), "{message}");
}

#[test]
fn broken_tables_are_refused_with_file_line_and_what_to_try() {
    let desk = Desk::new();
    let refused = |bytes: &str, words: &str| {
        let message = desk.refused(&Reader::default(), bytes);
        assert!(message.contains(words) && !message.contains("polars") && !message.contains("schema"), "{message}");
        assert!(!message.contains('\n'), "{message}");
    };
    refused("", "it is empty");
    refused("a,y\n", "no rows");
    refused(
        "a,y\n1,2\n3,4,5\n",
        "line 3 has 3 cells and line 1 has 2: put cells with `,` in quotes, or name the separator by --sep",
    );
    refused("a,y\n1,2\n3\n", "line 3 has 1 cells and line 1 has 2");
    refused("a,y\n1,2\n\"3,4\n5,6\n", "line 3 opens a quote that nothing closes");
    refused("a,y\n1,2\n\"3\"4,5\n", "line 3 goes on after a closing quote");
    refused("a,y\nx,low\nz,high\n", "column `y` is text, but intervals are for numeric targets");
    refused("a,y\n1,NA\n2,\n", "column `y` is blank in every row");
    refused("a,y\n1,2\ninf,3\n4,5\n", "line 3: column `a`, row 2 is inf");
    refused("a,y\n1,2\n2,1e200\n4,5\n", "line 3: column `y`, row 2 is 1e200");
    refused("a,y\n1,2020-01-01\n2,2020-01-02\n", "column `y` is a date");
    refused("y\n1\n2\n", "no feature column");
    let names = |reader: Reader, words: &str| {
        let message = desk.refused(&reader, COMMAS);
        assert!(message.contains(words), "{message}");
    };
    names(Reader::default().drop(&["colour"]), "column `colour` is not in the table: it has size, age, price");
    names(Reader::default().only(&["colour"]), "column `colour` is not in the table");
    names(Reader::default().group("colour"), "column `colour` is not in the table");
    names(Reader::default().drop(&["price"]), "column `price` is the target");
    names(Reader::default().drop(&["age"]).keep(&["age"]), "column `age` is both to be dropped and to be kept");
    for reader in [Reader::default().separator('1'), Reader::default().decimal(';'), Reader::default().rare(0)] {
        let message = reader.read(desk.file(COMMAS)).unwrap_err().to_string();
        assert!(message.contains("but it must be"), "{message}");
    }
}

#[test]
fn strict_guesses_nothing() {
    let desk = Desk::new();
    let strict = Reader::default().strict(true);
    says_the_same(&strict.read(desk.file(COMMAS)).unwrap());
    let refused = |bytes: &str, words: &str| {
        let message = desk.refused(&strict, bytes);
        assert!(message.contains(words), "{message}");
    };
    refused("a;y\n1;2\n2;3\n", "column `a;y` is text");
    refused("a,y\n1,2\n,3\n2,2\n", "line 3: column `a`, row 2 is blank: fill or drop missing cells first");
    refused("a,y\n1,2\nNA,3\n2,2\n", "line 3: column `a`, row 2 is `NA`: the other cells of this column are numbers");
    refused("a,y\n1,2\n3,NaN\n2,2\n", "line 3: column `y`, row 2 is NaN");
    let names: String = (0..60).map(|i| format!("name{i},{i}\n")).collect();
    refused(&format!("x,y\n{names}"), "has 60 different texts in 60 rows: it looks like an identifier");
    let index: String = (0..30).map(|i| format!("{i},{},{}\n", i * 7 % 11, i % 9)).collect();
    assert_eq!(strict.read(desk.file(format!("id,x,y\n{index}"))).unwrap().features(), ["id", "x"]);
}

#[test]
fn rows_of_a_group_are_tested_together() {
    let rows: String = (0..60).map(|i| format!("{},{},{}\n", i / 5, i * 7 % 11, i * i % 13)).collect();
    let table = Desk::new();
    let sample = Reader::default().group("patient").read(table.file(format!("patient,x,y\n{rows}"))).unwrap();
    assert_eq!(sample.features(), ["x"]);
    assert_eq!(sample.notices(), ["rows of one `patient` belong together: 12 groups"]);
    let audit = Audit::default().splits(4).methods(&["naive".parse().unwrap()]);
    let audited = audit.training(Training::default().hidden(&[2]).epochs(2)).run("patients", &sample).unwrap();
    for run in audited.rows()[0].runs() {
        let tested: std::collections::HashSet<usize> = run.rows.iter().map(|row| row / 5).collect();
        assert!(run.trained.iter().all(|row| !tested.contains(&(row / 5))), "{:?}", run.rows);
    }
    let shown = audited.rows()[0].intervals().unwrap();
    let groups = shown.coverage_by_group(audited.test()).unwrap();
    assert_eq!(groups.len(), 12);
    let covers = shown.coverage(audited.test().y()).unwrap();
    assert_eq!(groups.iter().map(|(_, coverage)| coverage.covered).sum::<usize>(), covers.covered);
    assert!(groups.iter().all(|(_, coverage)| coverage.of == 5));
    assert!(audited.to_string().contains("naive by `patient`: "), "{audited}");
    let one = Reader::default().group("x").read(table.file("x,a,y\n1,2,3\n1,3,4\n")).unwrap_err().to_string();
    assert!(one.contains("column `x` has one group only"), "{one}");
}

#[test]
fn a_large_table_is_read_in_well_below_a_second() {
    let rows: String = (0..50_000)
        .map(|i| {
            format!(
                "{}.{:02},{},town{},2020-01-{:02},{}\n",
                i % 97,
                i % 100,
                i * 31 % 1009,
                i % 7,
                i % 28 + 1,
                i * i % 8191
            )
        })
        .collect();
    let table = Desk::new();
    let path = table.file(format!("a,b,town,when,y\n{rows}"));
    let start = std::time::Instant::now();
    let sample = Reader::default().read(path).unwrap();
    assert_eq!(sample.len(), 50_000);
    // It is two tenths of a second of work; machines of tests are not idle.
    assert!(start.elapsed().as_secs_f64() < 3.0, "{:?}", start.elapsed());
}
