//! Teams of a simulated contest.

use super::dice::SeededRng;

const MANNERS: [&str; 12] = [
    "Patient", "Hasty", "Quiet", "Curious", "Northern", "Nightly", "Golden", "Rusty", "Distant", "Cheerful",
    "Stubborn", "Velvet",
];
const CREATURES: [&str; 11] = [
    "Herons", "Lynxes", "Otters", "Magpies", "Foxes", "Owls", "Badgers", "Swifts", "Hares", "Newts", "Ravens",
];

/// A team with its skill.
pub(super) struct DemoTeam {
    pub(super) id: String,
    pub(super) name: String,
    /// Per-mille probability of a right answer.
    pub(super) skill: u64,
    /// Time that the team takes, in percent of the usual.
    pub(super) slowness: u64,
    /// Per-mille probability that a response to the team is lost.
    pub(super) bad_network: u64,
}

/// `count` teams with distinct names.
pub(super) fn teams(count: usize, rng: &mut SeededRng) -> Vec<DemoTeam> {
    let team = |number: usize| DemoTeam {
        id: format!("team-{:02}", number + 1),
        name: name(number),
        skill: rng.within(250..960),
        slowness: rng.within(60..170),
        bad_network: rng.within(5..120),
    };
    (0..count).map(team).collect()
}

/// A distinct name: every pair of adjective and animal, then the pairs with a number.
fn name(number: usize) -> String {
    let manners = MANNERS.len();
    let creatures = CREATURES.len();
    let manner = MANNERS.get(number % manners).copied().unwrap_or_default();
    let creature = CREATURES.get(number % creatures).copied().unwrap_or_default();
    match number / (manners * creatures) {
        0 => format!("{manner} {creature}"),
        more => format!("{manner} {creature} {}", more + 1),
    }
}

#[test]
fn no_two_teams_have_the_same_name() {
    let names: std::collections::BTreeSet<String> = (0..300).map(name).collect();
    assert_eq!(names.len(), 300);
}
