//! Cells as dates: the usual ways to write one, and the numbers that become features.

/// How the dates of a column are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// 2024-03-31, 2024/3/31, 2024.03.31, 2024-03, 20240331, with a time of day or without.
    YearFirst,
    /// 31.3.2024, 31/03/24.
    DayFirst,
    /// 3/31/2024.
    MonthFirst,
    /// 31 Mar 2024, March 31, 2024, Mar 2024, Mar-24.
    Named,
}

/// A number that a date has beside its day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// 1 to 12.
    Month,
    /// Monday is 1.
    Weekday,
    /// 0 up to 24.
    Hour,
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

impl Form {
    pub(crate) const ALL: [Self; 4] = [Self::YearFirst, Self::DayFirst, Self::MonthFirst, Self::Named];

    /// What a saved fit calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::YearFirst => "year first",
            Self::DayFirst => "day first",
            Self::MonthFirst => "month first",
            Self::Named => "named",
        }
    }

    /// The days since 1 January 1970, with the time of day as their fraction.
    pub(crate) fn days(self, cell: &str) -> Option<f64> {
        if !(4..=40).contains(&cell.len()) || !cell.is_ascii() {
            return None;
        }
        let (date, clock) = halves(cell);
        let fraction = clock.map_or(Some(0.0), of_day)?;
        let mut words: Vec<&str> = date.split(['-', '/', '.', ' ', ',']).filter(|word| !word.is_empty()).collect();
        if let (Self::YearFirst, [word]) = (self, &words[..]) {
            if word.len() != 8 {
                return None;
            }
            words = vec![&word[..4], &word[4..6], &word[6..]];
        }
        let (year, month, day) = match (self, &words[..]) {
            (Self::YearFirst, [y, m, d]) if y.len() == 4 => (year(y)?, count(m)?, count(d)?),
            // 1962.05 is a number.
            (Self::YearFirst, [y, m]) if y.len() == 4 && m.len() == 2 && !date.contains('.') => {
                (year(y)?, count(m)?, 1)
            }
            (Self::DayFirst, [d, m, y]) if d.len() <= 2 => (year(y)?, count(m)?, count(d)?),
            (Self::MonthFirst, [m, d, y]) if m.len() <= 2 => (year(y)?, count(m)?, count(d)?),
            (Self::Named, [d, m, y]) if d.len() <= 2 && month(m).is_some() => (year(y)?, month(m)?, count(d)?),
            (Self::Named, [m, d, y]) => (year(y)?, month(m)?, count(d)?),
            (Self::Named, [m, y]) => (year(y)?, month(m)?, 1),
            _ => return None,
        };
        Some(days_of(year, month, day)? as f64 + fraction)
    }
}

impl Part {
    pub(crate) const ALL: [Self; 3] = [Self::Month, Self::Weekday, Self::Hour];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Month => "month",
            Self::Weekday => "weekday",
            Self::Hour => "hour",
        }
    }

    /// The part of a day that is counted from 1970.
    pub(crate) fn of(self, days: f64) -> f64 {
        match self {
            Self::Month => f64::from(civil(days.floor() as i64).1),
            // The first of January 1970 was a Thursday.
            Self::Weekday => (days.floor() + 3.0).rem_euclid(7.0) + 1.0,
            Self::Hour => ((days - days.floor()) * 24.0 * 3600.0).round() / 3600.0,
        }
    }
}

/// The day of the month of a day that is counted from 1970.
pub(super) fn day_of_month(days: f64) -> u32 {
    civil(days.floor() as i64).2
}

/// The date, and the time of day behind a blank or a T.
fn halves(cell: &str) -> (&str, Option<&str>) {
    let Some(colon) = cell.find(':') else {
        // Midnight may be left out after a T, and nothing else.
        return (cell, None);
    };
    match cell[..colon].rfind([' ', 'T', 't']) {
        Some(gap) => (&cell[..gap], Some(&cell[gap + 1..])),
        None => (cell, None),
    }
}

/// A time of day as a share of the day; a zone is left away.
fn of_day(clock: &str) -> Option<f64> {
    let clock = clock.trim().to_ascii_lowercase();
    let (clock, shift) = match (clock.strip_suffix("am"), clock.strip_suffix("pm")) {
        (Some(clock), _) => (clock, Some(0.0)),
        (_, Some(clock)) => (clock, Some(12.0)),
        _ => (clock.as_str(), None),
    };
    let clock = clock.trim_end_matches('z').trim();
    let clock = clock.split(['+', '-', ' ']).next()?;
    let mut units = clock.split(':').map(|unit| unit.parse::<f64>().ok());
    let (hour, minute) = (units.next()??, units.next()??);
    let second = units.next().unwrap_or(Some(0.0))?;
    let hour = shift.map_or(hour, |shift| hour % 12.0 + shift);
    let lawful = (0.0..=24.0).contains(&hour) && (0.0..60.0).contains(&minute) && (0.0..61.0).contains(&second);
    (lawful && units.next().is_none()).then_some((hour * 3600.0 + minute * 60.0 + second) / 86400.0)
}

fn count(word: &str) -> Option<u32> {
    let lawful = word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|_| lawful)
}

/// Two digits are of the years 1969 to 2068.
fn year(word: &str) -> Option<i64> {
    let year: i64 = word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok())??;
    match (word.len(), year) {
        (2, 0..=68) => Some(2000 + year),
        (2, _) => Some(1900 + year),
        (4, 1000..=2999) => Some(year),
        _ => None,
    }
}

fn month(word: &str) -> Option<u32> {
    let word = word.to_ascii_lowercase();
    let place = MONTHS
        .iter()
        .position(|name| word == *name || (word.len() >= 3 && word.len() <= 4 && name.starts_with(&word[..3])));
    place.map(|place| place as u32 + 1)
}

/// Days since 1 January 1970 in the Gregorian calendar, by Howard Hinnant's algorithm.
fn days_of(year: i64, month: u32, day: u32) -> Option<i64> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=length).contains(&day) {
        return None;
    }
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let of_era = shifted - era * 400;
    let of_year = (153 * i64::from(if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + i64::from(day) - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

/// Year, month and day of a day that is counted from 1970: the inverse.
fn civil(days: i64) -> (i64, u32, u32) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days - era * 146_097;
    let years = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * years + years / 4 - years / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (years + era * 400 + i64::from(month <= 2), month as u32, day as u32)
}
