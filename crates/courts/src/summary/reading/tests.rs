//! Tests of the reading on small texts.

use super::super::findings::{ClaimLabel, Findings};
use super::super::rules::SummaryRules;
use super::super::{TextPair, refusals::SummaryRefusal};
use assize_kernel::Rulebook;

fn rules() -> Rulebook<SummaryRules> {
    Rulebook::read("summary", "locks.toml", super::super::LOCKS).unwrap()
}

fn read(article: &str, summary: &str) -> Findings {
    super::read(&rules().rules, TextPair { article, summary }).unwrap()
}

const ARTICLE: &str = "The city council of Leeds approved a new tram line on Tuesday. Mayor Ann Berry said the line \
    would cost 250 million pounds and open in 2031. Shares in the builder Norcon rose by 4 per cent after the vote. \
    The opposition did not support the plan. Norcon employs 1,200 people in Yorkshire.";

#[track_caller]
fn says(summary: &str, label: ClaimLabel, problem: &str) {
    let findings = read(ARTICLE, summary);
    let claim = findings.claims.first().unwrap();
    let problems: Vec<&str> = claim.against.iter().map(|objection| objection.problem.as_str()).collect();
    assert_eq!((claim.label, problems.join("; ").as_str()), (label, problem), "{summary}");
}

#[test]
fn a_copied_sentence_is_supported() {
    says(
        "Mayor Ann Berry said the line would cost 250 million pounds and open in 2031.",
        ClaimLabel::Supported,
        "",
    );
    says("The opposition did not support the plan.", ClaimLabel::Supported, "");
}

#[test]
fn another_number_is_seen() {
    says(
        "Mayor Ann Berry said the line would cost 260 million pounds and open in 2031.",
        ClaimLabel::Unsupported,
        "the number `260` is not in the article",
    );
    says(
        "Shares in the builder Norcon rose by 2031 per cent after the vote.",
        ClaimLabel::Unsupported,
        "`2031` where the article has `4`",
    );
}

#[test]
fn another_name_is_seen() {
    says(
        "Mayor Carl Berry said the line would cost 250 million pounds and open in 2031.",
        ClaimLabel::Unsupported,
        "the name `Carl` is not in the article",
    );
    says(
        "The city council of Yorkshire approved a new tram line on Tuesday.",
        ClaimLabel::Unsupported,
        "`Yorkshire` where the article has `Leeds`",
    );
}

#[test]
fn a_negation_that_comes_or_goes_is_seen() {
    says(
        "The city council of Leeds never approved a new tram line on Tuesday.",
        ClaimLabel::Unsupported,
        "`never` turns round what the article says",
    );
    says(
        "The opposition did support the plan.",
        ClaimLabel::Unsupported,
        "`support` without the article's `not`",
    );
}

#[test]
fn a_copied_negation_of_nothing_that_says_anything_is_no_other_one() {
    let article =
        "The coach has said all along that it is not about me. His players trust him in every game.";
    let findings = read(article, "The coach has said all along that it is not about me.");
    assert!(
        findings.claims.iter().all(|claim| claim.label == ClaimLabel::Supported),
        "{:?}",
        findings.claims
    );
}

#[test]
fn what_a_negation_was_cut_off_from_is_no_copy() {
    // Word for word in the article, but for the `not` before it.
    says("Support the plan.", ClaimLabel::Unsupported, "`Support` without the article's `not`");
}

#[test]
fn a_number_cut_off_from_its_scale_is_no_copy() {
    says(
        "Mayor Ann Berry said the line would cost 250.",
        ClaimLabel::Unsupported,
        "the number `250` is not in the article",
    );
}

#[test]
fn a_single_word_of_the_article_is_no_copy_of_it() {
    let alone = read(ARTICLE, "The opposition did not support the plan.");
    let with = read(ARTICLE, "The opposition did not support the plan. Shares.");
    let covered =
        |findings: &Findings| -> Vec<_> { findings.key_points.iter().map(|point| point.coverage).collect() };
    assert_eq!(covered(&alone), covered(&with));
}

#[test]
fn sentences_may_stand_without_a_space_between_them() {
    let points = |article: &str| read(article, "The car came from the shop.").key_points.len();
    assert_eq!(points("He bought a red car from the shop.She drove it home at noon."), 2);
    assert_eq!(points("He bought a Ph.D from example.com and drove it home at noon."), 1);
}

#[test]
fn what_only_looks_like_a_negation_is_none() {
    let article = "A report said that shares in the builder fell on Friday. Its new telescope saw details of stars \
        for the first time.";
    for summary in [
        "A report noted that shares in the builder declined on Friday.",
        "The new telescope saw never-before-seen details of stars.",
    ] {
        let findings = read(article, summary);
        assert!(findings.claims.iter().all(|claim| claim.against.is_empty()), "{:?}", findings.claims);
    }
}

#[test]
fn a_prefix_turns_some_words_round_and_not_others() {
    let article = "The building is safe for visitors. The police said that people form a queue at the doors.";
    let against =
        |summary| read(article, summary).claims.iter().map(|claim| claim.against.len()).sum::<usize>();
    assert_eq!(against("The building is unsafe for visitors."), 1);
    assert_eq!(against("The police inform people at the doors."), 0);
}

#[test]
fn a_clause_is_judged_part_by_part_unless_something_speaks_against_it() {
    let labels = |summary: &str| -> Vec<(String, ClaimLabel)> {
        read(ARTICLE, summary).claims.into_iter().map(|claim| (claim.claim.text, claim.label)).collect()
    };
    let part = |text: &str, label| (text.to_owned(), label);
    // The second part is in other words: `train` and `afterwards` stand nowhere.
    assert_eq!(
        labels("The city council of Leeds approved a new tram line, because its trains run late afterwards."),
        [
            part("The city council of Leeds approved a new tram line", ClaimLabel::Supported),
            part("because its trains run late afterwards", ClaimLabel::Partially),
        ]
    );
    assert_eq!(
        labels("The city council of York approved a new tram line, because shares in Norcon rose."),
        [
            part("The city council of York approved a new tram line", ClaimLabel::Unsupported),
            part("because shares in Norcon rose", ClaimLabel::Unsupported),
        ]
    );
}

#[test]
fn an_opposite_is_seen() {
    says(
        "Shares in the builder Norcon fell by 4 per cent after the vote.",
        ClaimLabel::Unsupported,
        "`fell` where the article has `rose`",
    );
}

#[test]
fn a_word_in_the_very_place_of_another_is_seen_though_it_stands_elsewhere_too() {
    for (article, summary, problem) in [
        (
            "The ban came after the game, long before the season ended.",
            "The ban came before the game, long before the season ended.",
            "`before` where the article has `after`",
        ),
        (
            "James Haskell of Wasps praised Dan Cole in Leicester. Cole had trained with Wasps.",
            "James Haskell of Wasps praised Dan Cole in Wasps.",
            "`Wasps` where the article has `Leicester`",
        ),
    ] {
        let findings = read(article, summary);
        let problems = findings.claims.iter().flat_map(|claim| &claim.against);
        let mut problems: Vec<&str> = problems.map(|objection| objection.problem.as_str()).collect();
        // Every part of the clause names it.
        problems.dedup();
        assert_eq!(problems, [problem], "{summary}");
    }
}

#[test]
fn a_claim_put_together_from_two_sentences_is_partly_backed() {
    says("Shares in the builder Norcon rose in Yorkshire.", ClaimLabel::Partially, "");
}

#[test]
fn numbers_are_the_same_in_words_and_digits() {
    let article = "Twenty-five people were hurt, and 2.5 million homes had no power.";
    let findings = read(article, "25 people were hurt, and 2,500,000 homes had no power.");
    assert!(findings.claims.iter().all(|claim| claim.against.is_empty()), "{:?}", findings.claims);
}

#[test]
fn spans_are_the_words_they_say() {
    let summary = "Mayor Carl Berry said it would open in 2031. The opposition did support the plan.";
    let findings = read(ARTICLE, summary);
    for claim in &findings.claims {
        let (start, end) = claim.claim.span.unwrap();
        assert_eq!(&summary[start..end], claim.claim.text);
        for passage in &claim.evidence {
            let (start, end) = passage.span.unwrap();
            assert_eq!(&ARTICLE[start..end], passage.text);
        }
    }
}

#[test]
fn another_language_is_named_and_not_judged() {
    let german = "Der Stadtrat hat am Dienstag eine neue Bahn beschlossen, und die Kosten sind nicht mit dem Land geklärt.";
    let refused = super::read(&rules().rules, TextPair { article: german, summary: german });
    assert_eq!(refused, Err(SummaryRefusal::NotEnglish { field: "article", language: "German" }));
}
