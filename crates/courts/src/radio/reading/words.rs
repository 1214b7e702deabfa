//! The words that mean something on the radio, with the forms in which people and recognisers write them.

use std::sync::LazyLock;

use super::token::Word;

/// A word with a meaning on the radio.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[rustfmt::skip]
pub(super) enum Key {
    // Numbers
    Hundred, Thousand, Decimal, Double, Triple,
    // What a value belongs to
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
    // What is only told
    Wind, Gusting, Calm, Variable, Traffic, Caution, Number,
    // Approaches, legs, places and units
    Approach, ApproachType, Leg, Final, Unit, Compass, Facing, Tail, Type, Emergency,
    // Small words
    The, To, On, And, Then, Filler, Greeting,
}

/// Longer than any word with a meaning.
pub(super) const LONGEST: usize = 16;

/// The word behind letters in lower case, with zeros after them; a name when it has no other meaning.
pub(super) fn look_up(letters: [u8; LONGEST]) -> Word {
    let first = letters.first().map_or(0, |byte| usize::from(byte.wrapping_sub(b'a')));
    let Some((from, to)) = VOCABULARY.letters.get(first).copied() else { return Word::Name };
    let range = VOCABULARY.words.get(from..to).unwrap_or_default();
    let wanted = u128::from_be_bytes(letters);
    match range.binary_search_by_key(&wanted, |(known, _)| *known) {
        Ok(found) => range.get(found).map_or(Word::Name, |(_, word)| *word),
        Err(_) => Word::Name,
    }
}

#[cfg(test)]
fn look_up_text(text: &str) -> Word {
    look_up(packed(text).to_be_bytes())
}

/// A word as one number, in the order of its letters.
fn packed(form: &str) -> u128 {
    let mut letters = [0; LONGEST];
    letters.iter_mut().zip(form.bytes()).for_each(|(place, letter)| *place = letter);
    u128::from_be_bytes(letters)
}

/// All words in order, and where those of each first letter stand.
struct Vocabulary {
    words: Vec<(u128, Word)>,
    letters: [(usize, usize); 26],
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let mut words: Vec<(&str, Word)> = Vec::new();
    for (key, forms) in KEYS {
        words.extend(forms.split_whitespace().map(|form| (form, Word::Key(*key))));
    }
    for (digit, forms) in (0..).zip(DIGITS) {
        words.extend(forms.split_whitespace().map(|form| (form, Word::Digit(digit))));
    }
    words.extend((10..).zip(TEENS).map(|(teen, form)| (form, Word::Teen(teen))));
    for (tens, forms) in (2..).zip(TENS) {
        words.extend(forms.split_whitespace().map(|form| (form, Word::Tens(tens))));
    }
    for (letter, forms) in (b'A'..).zip(ALPHABET) {
        words.extend(forms.split_whitespace().map(|form| (form, Word::Letter(letter))));
    }
    let mut words: Vec<(u128, Word)> = words.into_iter().map(|(form, word)| (packed(form), word)).collect();
    words.sort_by_key(|(form, _)| *form);
    let mut letters = [(0, 0); 26];
    for (letter, place) in (b'a'..).zip(letters.iter_mut()) {
        let starts = |form: u128| form.to_be_bytes()[0];
        let from = words.partition_point(|(form, _)| starts(*form) < letter);
        *place = (from, words.partition_point(|(form, _)| starts(*form) <= letter));
    }
    Vocabulary { words, letters }
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
const KEYS: &[(Key, &str)] = &[
    (Key::Hundred, "hundred"),
    (Key::Thousand, "thousand thousands tousand"),
    (Key::Decimal, "decimal decimals desimal dot point dayseemal"),
    (Key::Double, "double"),
    (Key::Triple, "triple"),
    (Key::Runway, "runway runways rwy"),
    (Key::Flight, "flight"),
    (Key::FlightLevel, "fl flightlevel"),
    (Key::Level, "level levels levelling leveling"),
    (Key::Altitude, "altitude"),
    (Key::Heading, "heading headings hdg"),
    (Key::Speed, "speed speeds airspeed"),
    (Key::Mach, "mach"),
    (Key::Qnh, "qnh altimeter altimeters pressure qfe"),
    (Key::Squawk, "squawk squawking squawks transponder ssr code"),
    (Key::Frequency, "frequency frequencies freq channel"),
    (Key::Information, "information info atis"),
    (Key::Stand, "stand stands standing gate bay parking"),
    (Key::Taxiway, "taxiway taxiways"),
    (Key::Via, "via along"),
    (Key::Direct, "direct"),
    (Key::Departure, "departure departures sid"),
    (Key::Arrival, "arrival arrivals star"),
    (Key::Feet, "feet foot ft"),
    (Key::Knots, "knots knot kts kt"),
    (Key::Degrees, "degrees degree"),
    (Key::Hectopascals, "hectopascals hectopascal hpa millibars millibar"),
    (Key::Inches, "inches"),
    (Key::Distance, "miles mile nm dme track-miles kilometers kilometres meters metres"),
    (Key::Time, "minutes minute seconds second hours"),
    (Key::Per, "per"),
    (Key::Climb, "climb climbing climbs"),
    (Key::Descend, "descend descending descent descends"),
    (Key::Maintain, "maintain maintaining"),
    (Key::Turn, "turn turning turns"),
    (Key::Left, "left lefthand"),
    (Key::Right, "right righthand"),
    (Key::Center, "center centre"),
    (Key::Contact, "contact contacting switch switching"),
    (Key::Monitor, "monitor monitoring"),
    (Key::Cleared, "cleared clear clearance"),
    (Key::Takeoff, "takeoff"),
    (Key::Take, "take taking"),
    (Key::Off, "off"),
    (Key::Land, "land"),
    (Key::Landing, "landing"),
    (Key::Line, "line lining"),
    (Key::LineUp, "lineup"),
    (Key::Up, "up"),
    (Key::Wait, "wait waiting"),
    (Key::Touch, "touch"),
    (Key::Option, "option"),
    (Key::Go, "go going"),
    (Key::GoAround, "goaround"),
    (Key::Around, "around round"),
    (Key::Cross, "cross crossing"),
    (Key::Backtrack, "backtrack backtracking backtaxi"),
    (Key::Back, "back"),
    (Key::Track, "track tracking taxying"),
    (Key::Vacate, "vacate vacating vacated exit exiting"),
    (Key::Taxi, "taxi taxiing"),
    (Key::Push, "push pushback pushing"),
    (Key::Start, "start startup starting"),
    (Key::Approved, "approved"),
    (Key::Stop, "stop stopping"),
    (Key::Cancel, "cancel cancelling canceling cancelled canceled abort"),
    (Key::Continue, "continue continuing"),
    (Key::Give, "give giving"),
    (Key::Way, "way"),
    (Key::Follow, "follow following"),
    (Key::Expedite, "expedite expediting"),
    (Key::Report, "report reporting call advise"),
    (Key::Reduce, "reduce reducing slow slowing"),
    (Key::Increase, "increase increasing"),
    (Key::Standby, "standby"),
    (Key::Join, "join joining"),
    (Key::Orbit, "orbit orbiting"),
    (Key::Extend, "extend extending"),
    (Key::Resume, "resume resuming"),
    (Key::Ident, "ident identing"),
    (Key::Proceed, "proceed proceeding inbound"),
    (Key::Fly, "fly flying steer"),
    (Key::Hold, "hold holding"),
    (Key::Short, "short"),
    (Key::Position, "position"),
    (Key::Immediate, "immediate immediately"),
    (Key::Behind, "behind"),
    (Key::After, "after"),
    (Key::Until, "until till"),
    (Key::Before, "before"),
    (Key::When, "when once"),
    (Key::Or, "or"),
    (Key::Above, "above greater higher more"),
    (Key::Below, "below less lower"),
    (Key::At, "at"),
    (Key::By, "by"),
    (Key::Passing, "passing leaving through reaching vacates passes"),
    (Key::Not, "not no"),
    (Key::Expect, "expect expecting anticipate vectors vectoring"),
    (Key::Request, "request requesting like"),
    (Key::Ready, "ready"),
    (Key::Roger, "roger rodger copied copy okay ok thanks thank understood"),
    (Key::Wilco, "wilco"),
    (Key::Affirm, "affirm affirmative yes"),
    (Key::Negative, "negative"),
    (Key::Correction, "correction"),
    (Key::Say, "say"),
    (Key::Again, "again"),
    (Key::Unable, "unable"),
    (Key::Disregard, "disregard"),
    (Key::Readback, "readback"),
    (Key::Correct, "correct"),
    (Key::Wind, "wind winds surface"),
    (Key::Gusting, "gusting gusts gust max maximum min minimum between"),
    (Key::Calm, "calm"),
    (Key::Variable, "variable"),
    (Key::Traffic, "traffic"),
    (Key::Caution, "caution beware"),
    (Key::Number, "number"),
    (Key::Approach, "approach approaches"),
    (Key::ApproachType, "ils rnav rnp vor ndb visual gls localizer localiser gps loc"),
    (Key::Leg, "downwind base crosswind upwind circuit pattern overhead established dead-side deadside"),
    (Key::Final, "final finals"),
    (Key::Unit, "tower ground delivery radar control director apron radio planner planning clearance-delivery ramp unicom"),
    (Key::Compass, "north south east west northeast northwest southeast southwest"),
    (Key::Facing, "facing face"),
    (Key::Tail, "tail"),
    (Key::Type, "boeing airbus embraer cessna piper cirrus diamond heavy super medium light"),
    (Key::Emergency, "mayday pan"),
    (Key::The, "the a an"),
    (Key::To, "to"),
    (Key::On, "on"),
    (Key::And, "and"),
    (Key::Then, "then next"),
    (Key::Filler, "of for in is are you your we our us with this that please sir madam now it will would be been have has \
        from as so if but just also i am my me eh uh um er ah uhm umm erm ehm hm hmm mm there here ray over initial initially remain remaining own \
        navigation further one-moment present current approximately about maybe onto into out able persons board souls \
        aircraft ahead remote towards toward taxied departing arriving late normal rate best good-rate only all do does \
        did let can could may station calling calls behinds progress occupied reported sequence changed day-to-day made \
        minimumclean clean restriction restrictions shortly soon later still again-please identified contacted receiving \
        reading vehicles vehicle apron-area turbulence wake birds bird see seen sight insight looking check"),
    (Key::Greeting, "good day morning evening afternoon night bye goodbye hello hi cheers ciao adios servus hallo welcome \
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
        assert_eq!(look_up_text("niner"), Word::Digit(9));
        assert_eq!(look_up_text("alfa"), look_up_text("alpha"));
        assert_eq!(look_up_text("whisky"), Word::Letter(b'W'));
        assert_eq!(look_up_text("fourty"), Word::Tens(4));
        assert_eq!(look_up_text("larpa"), Word::Name);
        assert_eq!(look_up_text(""), Word::Name);
    }
}
