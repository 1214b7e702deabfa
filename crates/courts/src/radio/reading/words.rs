//! Keyword table of radio phraseology, with spelling variants of people and speech recognisers.

use std::sync::LazyLock;

use super::token::TokenKind;

/// A keyword of radio phraseology.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[rustfmt::skip]
pub(super) enum Keyword {
    // Numbers
    Hundred, Thousand, Decimal, Double, Triple,
    // Labels of values
    Runway, Flight, FlightLevel, Level, Altitude, Heading, Speed, Mach, Qnh, Squawk, Frequency, Information, Stand,
    Taxiway, Via, Direct, Departure, Arrival,
    // Units
    Feet, Knots, Degrees, Hectopascals, Inches, Distance, Time, Per,
    // Instructions
    Climb, Descend, Maintain, Turn, Left, Right, Center, Contact, Monitor, Cleared, Takeoff, Take, Off, Land, Landing,
    Line, LineUp, Up, Wait, Touch, Option, Go, GoAround, Around, Cross, Backtrack, Back, Track, Vacate, Taxi, Push, Start, Approved, Stop,
    Cancel, Continue, Give, Way, Follow, Expedite, Report, Reduce, Increase, Standby, Join, Orbit, Extend, Resume,
    Ident, Proceed, Fly, Hold, Short, Position, Immediate,
    // Conditions
    Behind, After, Until, Before, When, Or, Above, Below, At, By, Passing, Not, Expect, Request, Ready,
    // Answers
    Roger, Wilco, Affirm, Negative, Correction, Say, Again, Unable, Disregard, Readback, Correct,
    // Information
    Wind, Gusting, Calm, Variable, Traffic, Caution, Number,
    // Approaches, legs, places and units
    Approach, ApproachType, Leg, Final, Unit, Compass, Facing, Tail, Type, Emergency,
    // Small words
    The, To, On, And, Then, Filler, Greeting,
}

/// Maximum length of a keyword.
pub(super) const LONGEST: usize = 16;

/// Looks up lower-case letters, padded with zeros; an unknown word is a name.
pub(super) fn look_up(letters: [u8; LONGEST]) -> TokenKind {
    let first = letters.first().map_or(0, |byte| usize::from(byte.wrapping_sub(b'a')));
    let Some((from, to)) = VOCABULARY.letters.get(first).copied() else { return TokenKind::Name };
    let range = VOCABULARY.words.get(from..to).unwrap_or_default();
    let wanted = u128::from_be_bytes(letters);
    match range.binary_search_by_key(&wanted, |(known, _)| *known) {
        Ok(found) => range.get(found).map_or(TokenKind::Name, |(_, word)| *word),
        Err(_) => TokenKind::Name,
    }
}

#[cfg(test)]
fn look_up_text(text: &str) -> TokenKind {
    look_up(packed(text).to_be_bytes())
}

/// Packs a word into an integer that sorts alphabetically.
fn packed(form: &str) -> u128 {
    let mut letters = [0; LONGEST];
    letters.iter_mut().zip(form.bytes()).for_each(|(place, letter)| *place = letter);
    u128::from_be_bytes(letters)
}

/// Sorted words, with the range of each first letter.
struct KeywordTable {
    words: Vec<(u128, TokenKind)>,
    letters: [(usize, usize); 26],
}

static VOCABULARY: LazyLock<KeywordTable> = LazyLock::new(|| {
    let mut words: Vec<(&str, TokenKind)> = Vec::new();
    for (key, forms) in KEYS {
        words.extend(forms.split_whitespace().map(|form| (form, TokenKind::Keyword(*key))));
    }
    for (digit, forms) in (0..).zip(DIGITS) {
        words.extend(forms.split_whitespace().map(|form| (form, TokenKind::Digit(digit))));
    }
    words.extend((10..).zip(TEENS).map(|(teen, form)| (form, TokenKind::Teen(teen))));
    for (tens, forms) in (2..).zip(TENS) {
        words.extend(forms.split_whitespace().map(|form| (form, TokenKind::Tens(tens))));
    }
    for (letter, forms) in (b'A'..).zip(ALPHABET) {
        words.extend(forms.split_whitespace().map(|form| (form, TokenKind::Letter(letter))));
    }
    let mut words: Vec<(u128, TokenKind)> =
        words.into_iter().map(|(form, word)| (packed(form), word)).collect();
    words.sort_by_key(|(form, _)| *form);
    let mut letters = [(0, 0); 26];
    for (letter, place) in (b'a'..).zip(letters.iter_mut()) {
        let starts = |form: u128| form.to_be_bytes()[0];
        let from = words.partition_point(|(form, _)| starts(*form) < letter);
        *place = (from, words.partition_point(|(form, _)| starts(*form) <= letter));
    }
    KeywordTable { words, letters }
});

const DIGITS: [&str; 10] = [
    "zero oh",
    "one wun",
    "two too",
    "three tree",
    "four fower",
    "five fife",
    "six",
    "seven",
    "eight ait",
    "nine niner",
];

const TEENS: [&str; 10] = [
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];

const TENS: [&str; 8] = ["twenty", "thirty", "forty fourty", "fifty", "sixty", "seventy", "eighty", "ninety"];

const ALPHABET: [&str; 26] = [
    "alpha alfa",
    "bravo",
    "charlie charly",
    "delta",
    "echo",
    "foxtrot",
    "golf",
    "hotel",
    "india",
    "juliet juliett juliette",
    "kilo",
    "lima",
    "mike",
    "november",
    "oscar",
    "papa",
    "quebec",
    "romeo",
    "sierra",
    "tango",
    "uniform",
    "victor viktor",
    "whiskey whisky",
    "xray",
    "yankee yanky",
    "zulu",
];

#[rustfmt::skip]
const KEYS: &[(Keyword, &str)] = &[
    (Keyword::Hundred, "hundred"),
    (Keyword::Thousand, "thousand thousands tousand"),
    (Keyword::Decimal, "decimal decimals desimal dot point dayseemal"),
    (Keyword::Double, "double"),
    (Keyword::Triple, "triple"),
    (Keyword::Runway, "runway runways rwy"),
    (Keyword::Flight, "flight"),
    (Keyword::FlightLevel, "fl flightlevel"),
    (Keyword::Level, "level levels levelling leveling"),
    (Keyword::Altitude, "altitude"),
    (Keyword::Heading, "heading headings hdg"),
    (Keyword::Speed, "speed speeds airspeed"),
    (Keyword::Mach, "mach"),
    (Keyword::Qnh, "qnh altimeter altimeters pressure qfe"),
    (Keyword::Squawk, "squawk squawking squawks transponder ssr code"),
    (Keyword::Frequency, "frequency frequencies freq channel"),
    (Keyword::Information, "information info atis"),
    (Keyword::Stand, "stand stands standing gate bay parking"),
    (Keyword::Taxiway, "taxiway taxiways"),
    (Keyword::Via, "via along"),
    (Keyword::Direct, "direct"),
    (Keyword::Departure, "departure departures sid"),
    (Keyword::Arrival, "arrival arrivals star"),
    (Keyword::Feet, "feet foot ft"),
    (Keyword::Knots, "knots knot kts kt"),
    (Keyword::Degrees, "degrees degree"),
    (Keyword::Hectopascals, "hectopascals hectopascal hpa millibars millibar"),
    (Keyword::Inches, "inches"),
    (Keyword::Distance, "miles mile nm dme track-miles kilometers kilometres meters metres"),
    (Keyword::Time, "minutes minute seconds second hours"),
    (Keyword::Per, "per"),
    (Keyword::Climb, "climb climbing climbs"),
    (Keyword::Descend, "descend descending descent descends"),
    (Keyword::Maintain, "maintain maintaining"),
    (Keyword::Turn, "turn turning turns"),
    (Keyword::Left, "left lefthand"),
    (Keyword::Right, "right righthand"),
    (Keyword::Center, "center centre"),
    (Keyword::Contact, "contact contacting switch switching"),
    (Keyword::Monitor, "monitor monitoring"),
    (Keyword::Cleared, "cleared clear clearance"),
    (Keyword::Takeoff, "takeoff"),
    (Keyword::Take, "take taking"),
    (Keyword::Off, "off"),
    (Keyword::Land, "land"),
    (Keyword::Landing, "landing"),
    (Keyword::Line, "line lining"),
    (Keyword::LineUp, "lineup"),
    (Keyword::Up, "up"),
    (Keyword::Wait, "wait waiting"),
    (Keyword::Touch, "touch"),
    (Keyword::Option, "option"),
    (Keyword::Go, "go going"),
    (Keyword::GoAround, "goaround"),
    (Keyword::Around, "around round"),
    (Keyword::Cross, "cross crossing"),
    (Keyword::Backtrack, "backtrack backtracking backtaxi"),
    (Keyword::Back, "back"),
    (Keyword::Track, "track tracking taxying"),
    (Keyword::Vacate, "vacate vacating vacated exit exiting"),
    (Keyword::Taxi, "taxi taxiing"),
    (Keyword::Push, "push pushback pushing"),
    (Keyword::Start, "start startup starting"),
    (Keyword::Approved, "approved"),
    (Keyword::Stop, "stop stopping"),
    (Keyword::Cancel, "cancel cancelling canceling cancelled canceled abort"),
    (Keyword::Continue, "continue continuing"),
    (Keyword::Give, "give giving"),
    (Keyword::Way, "way"),
    (Keyword::Follow, "follow following"),
    (Keyword::Expedite, "expedite expediting"),
    (Keyword::Report, "report reporting call advise"),
    (Keyword::Reduce, "reduce reducing slow slowing"),
    (Keyword::Increase, "increase increasing"),
    (Keyword::Standby, "standby"),
    (Keyword::Join, "join joining"),
    (Keyword::Orbit, "orbit orbiting"),
    (Keyword::Extend, "extend extending"),
    (Keyword::Resume, "resume resuming"),
    (Keyword::Ident, "ident identing"),
    (Keyword::Proceed, "proceed proceeding inbound"),
    (Keyword::Fly, "fly flying steer"),
    (Keyword::Hold, "hold holding"),
    (Keyword::Short, "short"),
    (Keyword::Position, "position"),
    (Keyword::Immediate, "immediate immediately"),
    (Keyword::Behind, "behind"),
    (Keyword::After, "after"),
    (Keyword::Until, "until till"),
    (Keyword::Before, "before"),
    (Keyword::When, "when once"),
    (Keyword::Or, "or"),
    (Keyword::Above, "above greater higher more"),
    (Keyword::Below, "below less lower"),
    (Keyword::At, "at"),
    (Keyword::By, "by"),
    (Keyword::Passing, "passing leaving through reaching vacates passes"),
    (Keyword::Not, "not no"),
    (Keyword::Expect, "expect expecting anticipate vectors vectoring"),
    (Keyword::Request, "request requesting like"),
    (Keyword::Ready, "ready"),
    (Keyword::Roger, "roger rodger copied copy okay ok thanks thank understood"),
    (Keyword::Wilco, "wilco"),
    (Keyword::Affirm, "affirm affirmative yes"),
    (Keyword::Negative, "negative"),
    (Keyword::Correction, "correction"),
    (Keyword::Say, "say"),
    (Keyword::Again, "again"),
    (Keyword::Unable, "unable"),
    (Keyword::Disregard, "disregard"),
    (Keyword::Readback, "readback"),
    (Keyword::Correct, "correct"),
    (Keyword::Wind, "wind winds surface"),
    (Keyword::Gusting, "gusting gusts gust max maximum min minimum between"),
    (Keyword::Calm, "calm"),
    (Keyword::Variable, "variable"),
    (Keyword::Traffic, "traffic"),
    (Keyword::Caution, "caution beware"),
    (Keyword::Number, "number"),
    (Keyword::Approach, "approach approaches"),
    (Keyword::ApproachType, "ils rnav rnp vor ndb visual gls localizer localiser gps loc"),
    (Keyword::Leg, "downwind base crosswind upwind circuit pattern overhead established dead-side deadside"),
    (Keyword::Final, "final finals"),
    (Keyword::Unit, "tower ground delivery radar control director apron radio planner planning clearance-delivery ramp unicom"),
    (Keyword::Compass, "north south east west northeast northwest southeast southwest"),
    (Keyword::Facing, "facing face"),
    (Keyword::Tail, "tail"),
    (Keyword::Type, "boeing airbus embraer cessna piper cirrus diamond heavy super medium light"),
    (Keyword::Emergency, "mayday pan"),
    (Keyword::The, "the a an"),
    (Keyword::To, "to"),
    (Keyword::On, "on"),
    (Keyword::And, "and"),
    (Keyword::Then, "then next"),
    (Keyword::Filler, "of for in is are you your we our us with this that please sir madam now it will would be been have has \
        from as so if but just also i am my me eh uh um er ah uhm umm erm ehm hm hmm mm there here ray over initial initially remain remaining own \
        navigation further one-moment present current approximately about maybe onto into out able persons board souls \
        aircraft ahead remote towards toward taxied departing arriving late normal rate best good-rate only all do does \
        did let can could may station calling calls behinds progress occupied reported sequence changed day-to-day made \
        minimumclean clean restriction restrictions shortly soon later still again-please identified contacted receiving \
        reading vehicles vehicle apron-area turbulence wake birds bird see seen sight insight looking check"),
    (Keyword::Greeting, "good day morning evening afternoon night bye goodbye hello hi cheers ciao adios servus hallo welcome \
        bonjour bonsoir salut tschuss tschuess danke merci gracias dobry goodday byebye hey cheerio ta \
        gday gruezi gruzi gruessech mitenand salu tschau ade adieu auf wiederhoren wiederhoeren wiedersehen guten tag \
        abend morgen moin schonen schoenen ahoj cau na shledanou nashledanou dobre vecer rano hezky dekuji diky au \
        revoir buongiorno buonasera arrivederci grazie buenos buenas dias tardes noches hola tchau obrigado \
        nice great"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_has_two_meanings() {
        for pair in VOCABULARY.words.windows(2) {
            assert_ne!(pair[0].0, pair[1].0, "`{}` is listed twice", pair[0].0);
        }
    }

    #[test]
    fn usual_misspellings_are_understood() {
        assert_eq!(look_up_text("niner"), TokenKind::Digit(9));
        assert_eq!(look_up_text("alfa"), look_up_text("alpha"));
        assert_eq!(look_up_text("whisky"), TokenKind::Letter(b'W'));
        assert_eq!(look_up_text("fourty"), TokenKind::Tens(4));
        assert_eq!(look_up_text("larpa"), TokenKind::Name);
        assert_eq!(look_up_text(""), TokenKind::Name);
    }
}
