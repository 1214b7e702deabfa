//! The teams of a contest that plays itself.

use super::dice::Dice;

const MANNERS: [&str; 12] = [
    "Patient", "Hasty", "Quiet", "Curious", "Northern", "Nightly", "Golden", "Rusty", "Distant", "Cheerful",
    "Stubborn", "Velvet",
];
const CREATURES: [&str; 11] = [
    "Herons", "Lynxes", "Otters", "Magpies", "Foxes", "Owls", "Badgers", "Swifts", "Hares", "Newts", "Ravens",
];

/// A team and how good it is.
pub(super) struct Team {
    pub(super) id: String,
    pub(super) name: String,
    /// How often it finds what it looks for, in a thousand.
    pub(super) skill: u64,
    /// How long it takes compared with the others, in percent.
    pub(super) slowness: u64,
    /// How often an answer is lost on the way to it, in a thousand: some sit far from the router.
    pub(super) bad_network: u64,
}

/// So many teams, each with a name of its own.
pub(super) fn teams(count: usize, dice: &mut Dice) -> Vec<Team> {
    let team = |number: usize| Team {
        id: format!("team-{:02}", number + 1),
        name: name(number),
        skill: dice.within(250..960),
        slowness: dice.within(60..170),
        bad_network: dice.within(5..120),
    };
    (0..count).map(team).collect()
}

/// As many names as there are pairs, and then the same ones counted.
fn name(number: usize) -> String {
    let (manners, creatures) = (MANNERS.len(), CREATURES.len());
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
