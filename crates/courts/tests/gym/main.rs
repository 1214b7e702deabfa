//! A year of a gym's life: hunters, logs, proofs, reports and exams thrown by dice, held against a slow and obvious
//! reference.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on must stop"
)]

mod dice;
mod life;
mod reference;
mod workout;

use life::Gym;
use reference::Reference;

#[test]
fn a_year_of_a_gym_comes_out_as_on_paper() {
    let (people, logs) = (300, 20_000);
    let mut gym = Gym::open(people, 2026);
    let mut paper = Reference::of(people);
    gym.live(logs, &mut paper);
    assert!(gym.logs >= logs, "only {} logs in a year", gym.logs);
    let (mut seen, mut promoted, mut marked) = (0, 0, 0);
    for (who, state) in gym.hunters.iter().enumerate() {
        let hunter = state.hunter().unwrap();
        let person = &paper.people[who];
        let history = hunter.history(true);
        assert_eq!(history.len(), person.logs.len(), "logs of {who}");
        for (line, entry) in history.iter().rev().zip(&person.logs) {
            let expected = (entry.outcome, entry.shown_xp());
            assert_eq!((line.status.as_str(), line.xp), expected, "{} of {who}", line.quest);
        }
        assert_eq!(hunter.xp(), person.xp(), "XP of {who}");
        assert_eq!(hunter.status().as_str(), person.status(), "status of {who}");
        assert_eq!(hunter.rank() as usize, person.rank, "rank of {who}");
        (seen, promoted) = (seen + history.len(), promoted + person.rank);
        marked += usize::from(person.status() != "Normal");
    }
    // The dice must have thrown something of everything.
    assert!(
        seen >= 20_000 && promoted >= 100 && marked >= 20,
        "{seen} logs, {promoted} promoted, {marked} marked"
    );
}
