//! Calls of the simulated students: for each exchange of a built-in scenario the right call, one with a
//! tolerated lapse, and a dangerous one that must be said again.

/// The possible calls in one exchange.
pub(super) struct RadioExchange {
    pub(super) right: &'static str,
    pub(super) lapse: &'static str,
    pub(super) dangerous: Option<&'static str>,
}

const fn exchange(right: &'static str, lapse: &'static str, dangerous: &'static str) -> RadioExchange {
    RadioExchange { right, lapse, dangerous: Some(dangerous) }
}

const fn harmless(right: &'static str, lapse: &'static str) -> RadioExchange {
    RadioExchange { right, lapse, dangerous: None }
}

/// Scenarios by name, each with its exchanges in order.
pub(super) const CALLS: [(&str, &[RadioExchange]); 7] = [
    ("circuit-departure", DEPARTURE),
    ("circuit-arrival", ARRIVAL),
    ("airspace-transit", TRANSIT),
    ("frequency-change", HANDOVER),
    ("go-around", GO_AROUND),
    ("conditional-line-up", LINE_UP),
    ("emergency", EMERGENCY),
];

const DEPARTURE: &[RadioExchange] = &[
    harmless(
        "Westbury Tower, Golf Echo Lima Oscar Papa, Cessna 172, on the apron, information Bravo, request taxi for circuits",
        "Westbury Tower, Golf Echo Lima Oscar Papa, on the apron, request taxi for circuits",
    ),
    exchange(
        "Holding point Alpha one, runway two seven, QNH one zero one six, Golf Echo Lima Oscar Papa",
        "Alpha one, runway two seven, QNH one zero one six, Golf Echo Lima Oscar Papa",
        "Holding point Alpha one, runway two two, QNH one zero one six, Golf Echo Lima Oscar Papa",
    ),
    harmless(
        "Golf Echo Lima Oscar Papa, holding point Alpha one, ready for departure",
        "Ready for departure, Golf Echo Lima Oscar Papa",
    ),
    exchange(
        "Runway two seven, cleared for take-off, Golf Echo Lima Oscar Papa",
        "Golf Echo Lima Oscar Papa, runway two seven, cleared for take-off",
        "Runway two five, cleared for take-off, Golf Echo Lima Oscar Papa",
    ),
];

const ARRIVAL: &[RadioExchange] = &[
    exchange(
        "Westbury Tower, Golf Echo Lima Oscar Papa, Cessna 172, one zero miles south, two thousand five hundred feet, information Charlie, request join",
        "Westbury Tower, Golf Echo Lima Oscar Papa, one zero miles south, two thousand five hundred feet, request join",
        "Westbury Tower, Golf Echo Lima Oscar Papa, one zero miles south, one thousand five hundred feet, information Charlie, request join",
    ),
    exchange(
        "Join left downwind runway two seven, altitude one thousand feet, QNH one zero one two, Golf Echo Lima Oscar Papa",
        "Join left downwind runway two seven, one thousand feet, QNH one zero two one, Golf Echo Lima Oscar Papa",
        "Join right downwind runway two seven, altitude two thousand feet, QNH one zero one two, Golf Echo Lima Oscar Papa",
    ),
];

const TRANSIT: &[RadioExchange] = &[
    harmless(
        "Norden Radar, Delta Echo Romeo Sierra Tango, VFR to the south, five miles north of Lakeside, two thousand feet, request transit of your zone",
        "Norden Radar, Delta Echo Romeo Sierra Tango, five miles north of Lakeside, two thousand feet, request transit of your zone",
    ),
    harmless(
        "Squawk four six two one, QNH one zero zero nine, Delta Echo Romeo Sierra Tango",
        "Squawk four six one two, QNH one zero zero nine, Delta Echo Romeo Sierra Tango",
    ),
    exchange(
        "Transit approved, maintain two thousand feet or below, turn right heading one eight zero, Delta Echo Romeo Sierra Tango",
        "Maintain two thousand feet or below, right heading one eight zero, Delta Echo Romeo Sierra Tango",
        "Transit approved, maintain three thousand feet or below, turn right heading one eight zero, Delta Echo Romeo Sierra Tango",
    ),
];

const HANDOVER: &[RadioExchange] = &[
    harmless(
        "Norden Approach on one one niner decimal zero two five, Speedway four one two",
        "One one niner decimal zero two five, Speedway four one two",
    ),
    exchange(
        "Norden Approach, Speedway four one two, flight level eight zero",
        "Norden Approach, Speedway four one two, level eight zero",
        "Norden Approach, Speedway four one two, flight level niner zero",
    ),
    exchange(
        "Squawk two six four three, descend to altitude four thousand feet, QNH niner niner eight, Speedway four one two",
        "Squawk two six four three, descend to four thousand feet, QNH niner eight niner, Speedway four one two",
        "Squawk two six four three, descend to altitude three thousand feet, QNH niner niner eight, Speedway four one two",
    ),
];

const GO_AROUND: &[RadioExchange] = &[
    harmless(
        "Runway two seven, cleared to land, Golf Echo Lima Oscar Papa",
        "Cleared to land, Golf Echo Lima Oscar Papa",
    ),
    exchange(
        "Going around, Golf Oscar Papa",
        "Golf Oscar Papa, going around",
        "Continuing, cleared to land, Golf Oscar Papa",
    ),
    exchange(
        "Climb to one thousand five hundred feet, turn left heading one eight zero, Golf Oscar Papa",
        "Climbing one thousand five hundred feet, left one eight zero, Golf Oscar Papa",
        "Climb to two thousand five hundred feet, turn left heading one eight zero, Golf Oscar Papa",
    ),
];

const LINE_UP: &[RadioExchange] = &[
    exchange(
        "Behind the landing Boeing, line up and wait runway one six right behind, Coastal seven three four",
        "Coastal seven three four, behind the landing Boeing, line up and wait runway one six right behind",
        "Behind the landing Boeing, line up and wait runway one six left behind, Coastal seven three four",
    ),
    harmless(
        "Runway one six right, cleared for take-off, Coastal seven three four",
        "Cleared for take-off, Coastal seven three four",
    ),
];

const EMERGENCY: &[RadioExchange] = &[
    harmless(
        "Mayday, mayday, mayday, Westbury Tower, Golf Echo Lima Oscar Papa, engine failure, landing runway two seven, four miles west of the field, one thousand eight hundred feet, two persons on board",
        "Mayday, mayday, mayday, Golf Echo Lima Oscar Papa, engine failure, four miles west of the field, one thousand eight hundred feet",
    ),
    harmless(
        "Runway two seven, cleared to land, Golf Echo Lima Oscar Papa",
        "Cleared to land, Golf Echo Lima Oscar Papa",
    ),
];
