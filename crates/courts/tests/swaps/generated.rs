//! Generated articles: sentences from templates that repeat the same names, numbers and words.

const NAMES: [&str; 12] = [
    "Leeds", "Bergen", "Norcon", "Berry", "Dahl", "Claes", "Harlow", "Oslo", "Renard", "Graz", "Kansas",
    "Porto",
];
const THINGS: [&str; 10] = [
    "tram line",
    "harbour",
    "contract",
    "museum",
    "price",
    "school",
    "factory",
    "strike",
    "picture",
    "harvest",
];
const DEEDS: [&str; 8] = ["approved", "rejected", "closed", "praised", "opened", "bought", "lost", "sold"];
const FEELINGS: [&str; 6] = ["large", "shameful", "old", "stupid", "wonderful", "new"];

/// A linear congruential generator: the same numbers on every machine.
struct SentenceDice(u32);

impl SentenceDice {
    fn below(&mut self, sides: u32) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((self.0 >> 16) % sides) as usize
    }

    fn of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(u32::try_from(words.len()).unwrap())]
    }
}

/// An article of ten sentences, seeded by `number`.
pub(crate) fn article(number: u32) -> String {
    let mut dice = SentenceDice(number);
    (0..10).map(|_| sentence(&mut dice)).collect::<Vec<_>>().join(" ")
}

fn sentence(dice: &mut SentenceDice) -> String {
    let name = dice.of(&NAMES);
    let other = dice.of(&NAMES);
    let thing = dice.of(&THINGS);
    let deed = dice.of(&DEEDS);
    let feeling = dice.of(&FEELINGS);
    let amount = dice.below(90) + 2;
    match dice.below(9) {
        0 => format!("The council of {name} {deed} the {feeling} {thing} of {other}."),
        1 => format!("{name} {deed} {amount} pictures, and the {thing} was not {deed} by {other}."),
        2 => format!("A spokesman for {name} said that the {thing} would cost {amount} million euros."),
        3 => format!("Nobody in {name} had {deed} the {thing} before {other} did."),
        4 => format!("The {thing} of {name} is {feeling}; it was {deed} {amount} years ago."),
        5 => format!("We have nothing to say about the {thing}."),
        6 => "They have something to say.".to_owned(),
        7 => format!("It is not that we were never asked, {name} said, but the {thing} is {feeling}."),
        _ => format!("More than {amount} people from {name} and {other} were in the {thing}!"),
    }
}
