//! Round trip: every value is parsed back from its spoken and written forms.

use crate::radio::reading::{
    DigitRun, Frequency, ItemValue, Level, Parameter, Runway, Side, read, spoken_digits,
};

/// Value of the only item of this parameter in a text.
#[track_caller]
fn heard(text: &str, parameter: Parameter) -> ItemValue {
    let call = read(text);
    let mut found = call.items.iter().filter(|item| item.parameter == parameter);
    let value = found.next().unwrap_or_else(|| panic!("`{text}`: {:?}", call.items)).value.clone();
    assert!(found.next().is_none(), "`{text}`: {:?}", call.items);
    value
}

#[test]
fn every_runway() {
    for number in 1..=36 {
        for side in [None, Some(Side::Left), Some(Side::Right), Some(Side::Center)] {
            let runway = Runway { number, side };
            let letter = side.map_or("", |side| match side {
                Side::Left => " Lima",
                Side::Right => " Romeo",
                Side::Center => " Charlie",
            });
            for text in [
                format!("runway {}", runway.spoken()),
                format!("Runway {runway}"),
                format!("cleared to land runway {number}{letter}"),
                format!("cleared to land {}", runway.spoken()),
                format!("cleared to land {runway}"),
            ] {
                assert_eq!(heard(&text, Parameter::Runway), ItemValue::Runway(runway), "{text}");
            }
        }
    }
}

#[test]
fn every_channel_of_25_and_8_33_khz() {
    let mut channels = 0;
    for khz in (118_000..137_000).step_by(5) {
        if matches!(khz % 100, 20 | 45 | 70 | 95) {
            continue;
        }
        channels += 1;
        let frequency = Frequency(khz);
        let mut texts = vec![
            format!("contact tower {}", frequency.spoken()),
            format!("contact tower on {frequency}"),
            format!("{}", frequency.spoken()),
            format!("contact radar {khz}"),
            format!("contact radar {}.{:03}", khz / 1000, khz % 1000),
            format!(
                "contact radar {} point {}",
                khz / 1000,
                spoken_digits(&[(khz / 100 % 10) as u8, (khz / 10 % 10) as u8, (khz % 10) as u8])
            ),
        ];
        if khz % 25 == 0 {
            // The last 5 may be left out.
            texts.push(format!("contact tower {}.{:02}", khz / 1000, khz % 1000 / 10));
            texts.push(format!("contact tower {}{:02}", khz / 1000, khz % 1000 / 10));
        }
        for text in texts {
            assert_eq!(heard(&text, Parameter::Frequency), ItemValue::Frequency(frequency), "{text}");
        }
    }
    assert_eq!(channels, 19 * 160);
}

#[test]
fn every_squawk() {
    for code in 0..4096_u16 {
        let digits = [code >> 9 & 7, code >> 6 & 7, code >> 3 & 7, code & 7].map(|digit| digit as u8);
        let written: String = digits.iter().map(ToString::to_string).collect();
        for text in [format!("squawk {}", spoken_digits(&digits)), format!("Squawk {written}")] {
            assert_eq!(heard(&text, Parameter::Squawk).to_string(), written, "{text}");
        }
    }
}

#[test]
fn every_heading() {
    for heading in 1..=360_u32 {
        let digits = [heading / 100, heading / 10 % 10, heading % 10].map(|digit| digit as u8);
        for text in [
            format!("turn left heading {}", spoken_digits(&digits)),
            format!("heading {heading:03}"),
            format!("right {heading:03}"),
            format!("turn right heading {heading:03} degrees"),
        ] {
            let ItemValue::Digits(read) = heard(&text, Parameter::Heading) else { panic!("{text}") };
            assert_eq!(read.as_slice(), digits, "{text}");
        }
    }
}

#[test]
fn every_level() {
    for level in 1..=600_u16 {
        let flight = Level::Flight(level);
        for text in
            [format!("climb {}", flight.spoken()), format!("climb {flight}"), format!("FL {level:03}")]
        {
            assert_eq!(heard(&text, Parameter::Level), ItemValue::Level(flight), "{text}");
        }
        if level >= 10 {
            assert_eq!(
                heard(&format!("descend {level}"), Parameter::Level),
                ItemValue::Level(Level::Bare(level))
            );
        }
    }
}

#[test]
fn every_altitude_to_60_000_feet() {
    for feet in 1..=60_000 {
        let altitude = Level::Feet(feet);
        let mut texts = vec![format!("altitude {feet} feet"), format!("descend {}", altitude.spoken())];
        if feet % 100 == 0 {
            texts.push(altitude.spoken().trim_end_matches(" feet").to_owned());
        }
        if feet >= 1000 {
            texts.push(format!("climb {},{:03} ft", feet / 1000, feet % 1000));
        }
        for text in texts {
            assert_eq!(heard(&text, Parameter::Level), ItemValue::Level(altitude), "{text}");
        }
    }
}

#[test]
fn every_qnh_from_900_to_1099() {
    for qnh in 900..=1099 {
        let digits = DigitRun::of(qnh);
        for text in [
            format!("QNH {}", spoken_digits(digits.as_slice())),
            format!("QNH {qnh}"),
            format!("{qnh} hectopascals"),
            format!("QNH {qnh}hPa"),
        ] {
            assert_eq!(heard(&text, Parameter::Qnh), ItemValue::Digits(digits), "{text}");
        }
    }
}

#[test]
fn every_altimeter_setting_in_inches() {
    for hundredths in 2800..=3100 {
        let digits = DigitRun::of(hundredths);
        for text in [
            format!("altimeter {}", spoken_digits(digits.as_slice())),
            format!("altimeter {}.{:02}", hundredths / 100, hundredths % 100),
        ] {
            assert_eq!(heard(&text, Parameter::Qnh), ItemValue::Digits(digits), "{text}");
        }
    }
}
