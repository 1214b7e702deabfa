//! Decides commands: turns each into events or a refusal.

mod exams;
mod logs;
mod objecting;
mod proofs;
mod quests;
mod reports;
mod words;

use assize_kernel::{CommandContext, Decision, Moment, Rulebook, Ruling, SmolStr};

use super::events::QuestEvent;
use super::messages::QuestCommand;
use super::profile::{Class, HunterStatus};
use super::refusals::QuestRefusal;
use super::rules::{Exercise, QuestRules};
use super::state::{ClaimedMedia, Hunter, QuestState};

pub(super) use objecting::objection;

type QuestRuling = Result<Ruling<Decision<QuestEvent>>, QuestRefusal>;

/// The context of a decision: rulebook, hunter, time and actor.
#[derive(Clone, Copy)]
struct HunterContext<'a> {
    book: &'a Rulebook<QuestRules>,
    hunter: &'a Hunter,
    context: CommandContext<'a>,
}

pub(super) fn decide(
    book: &Rulebook<QuestRules>,
    state: &QuestState,
    command: &QuestCommand,
    context: CommandContext<'_>,
) -> QuestRuling {
    match command {
        QuestCommand::RegisterHunter { hunter, class, zone, name } => {
            register(book, state, hunter, *class, zone, *name)
        }
        QuestCommand::ClaimMedia { hunter, quest } => claim(book, state, hunter, quest),
        _ => {
            let hunter = state.hunter().ok_or(QuestRefusal::NotRegistered)?;
            HunterContext { book, hunter, context }.decide(command)
        }
    }
}

/// The next timer: a quest or an exam expires, or a passed exam is granted.
pub(super) fn deadline(state: &QuestState) -> Option<(Moment, QuestCommand)> {
    let hunter = state.hunter()?;
    let expiring = hunter.open.iter().min_by_key(|(_, open)| open.expires_at);
    let expiring =
        expiring.map(|(quest, open)| (open.expires_at, QuestCommand::ExpireQuest { quest: quest.clone() }));
    let granted = hunter.exam_to_grant();
    let granted = granted.map(|(exam, at)| (at, QuestCommand::GrantExam { quest: exam.quest.clone() }));
    expiring.into_iter().chain(granted).min_by_key(|(at, _)| *at)
}

/// Judges a recorded event again, on the state just before it.
pub(super) fn judge_again(
    book: &Rulebook<QuestRules>,
    state: &QuestState,
    event: &QuestEvent,
) -> Option<Decision<QuestEvent>> {
    let hunter = state.hunter()?;
    match event {
        QuestEvent::LogJudged(judged) => logs::again(book, hunter, judged),
        QuestEvent::ProofAdded { .. } | QuestEvent::ProofReviewed { .. } => {
            proofs::again(book, hunter, event)
        }
        QuestEvent::WordsRead(recorded) => words::again(book, hunter, recorded),
        QuestEvent::ReportReceived { .. }
        | QuestEvent::ReportDecided { .. }
        | QuestEvent::StatusRuled { .. } => reports::again(book, hunter, event),
        QuestEvent::ExamGranted { .. } | QuestEvent::ExamRefused { .. } => exams::again(book, hunter, event),
        _ => None,
    }
}

impl HunterContext<'_> {
    fn decide(self, command: &QuestCommand) -> QuestRuling {
        match command {
            QuestCommand::RegisterHunter { .. } | QuestCommand::ClaimMedia { .. } => {
                Err(QuestRefusal::AlreadyRegistered)
            }
            QuestCommand::ChangeClass { class } => {
                fact(QuestEvent::ClassChanged { from: self.hunter.class, class: *class })
            }
            QuestCommand::ChangeZone { zone } => {
                check_zone(zone)?;
                fact(QuestEvent::ZoneChanged { zone: zone.clone() })
            }
            QuestCommand::AddExercise { exercise } => self.add_exercise(exercise),
            QuestCommand::AssignQuest { quest, quest_type, plan, expires_at } => {
                self.assign_quest(quest, *quest_type, plan, *expires_at)
            }
            QuestCommand::ExpireQuest { quest } => self.expire_quest(quest),
            QuestCommand::SubmitLog(submission) => self.submit_log(submission),
            QuestCommand::AddProof { quest, proof } => self.add_proof(quest, proof),
            QuestCommand::ReviewProof { quest, accepted, note } => self.review_proof(quest, *accepted, *note),
            QuestCommand::ReadWords(words) => self.read_words(words),
            QuestCommand::ReadReport(words) => self.read_report(words),
            QuestCommand::FileReport { hunter, quest, reason } => self.file_report(hunter, quest, reason),
            QuestCommand::ReceiveReport { reporter, quest, reason, weight, note } => {
                self.receive_report(reporter, quest, reason, *weight, *note)
            }
            QuestCommand::DecideReport { reporter, quest, confirmed, remove_log, note } => {
                self.decide_report(reporter, quest, *confirmed, *remove_log, *note)
            }
            QuestCommand::NoteReport { hunter, quest, confirmed } => {
                self.note_report(hunter, quest, *confirmed)
            }
            QuestCommand::RuleStatus { corrupted, note } => self.rule_status(*corrupted, *note),
            QuestCommand::AcceptExam { quest, draw } => self.accept_exam(quest, *draw),
            QuestCommand::GrantExam { quest } => self.grant_exam(quest),
            QuestCommand::DecideExam { quest, granted, note } => self.decide_exam(quest, *granted, *note),
        }
    }

    /// Refuses a judge who is the hunter or one of `others`.
    fn must_not_be(&self, others: &[&str]) -> Result<(), QuestRefusal> {
        let name = self.context.actor.name.as_str();
        let own = name == self.hunter.id || others.contains(&name);
        if own { Err(QuestRefusal::OwnCase) } else { Ok(()) }
    }

    /// The status of a hunter for a report tally, a ruling and a number of verified logs.
    fn status(&self, tally: f64, ruled: bool, verified: u32) -> HunterStatus {
        let rules = &self.book.rules;
        let reports = &rules.reports;
        if ruled || (reports.corrupt_without_judge && tally >= reports.corrupted_at) {
            HunterStatus::Corrupted
        } else if tally >= reports.flagged_at {
            HunterStatus::Flagged
        } else if verified >= rules.verified_after {
            HunterStatus::Verified
        } else {
            HunterStatus::Normal
        }
    }

    fn level(&self, difference: i64) -> u32 {
        self.book.rules.level(self.hunter.xp.saturating_add_signed(difference))
    }
}

fn register(
    book: &Rulebook<QuestRules>,
    state: &QuestState,
    hunter: &SmolStr,
    class: Class,
    zone: &SmolStr,
    name: Option<assize_kernel::Digest>,
) -> QuestRuling {
    if state.rulebook.is_some() {
        return Err(QuestRefusal::AlreadyRegistered);
    }
    assize_kernel::check_name(hunter)?;
    check_zone(zone)?;
    if is_media(hunter) {
        let message = format!("`{hunter}` is how pictures and videos are called, and no hunter");
        return Err(QuestRefusal::NameInvalid(message));
    }
    fact(QuestEvent::HunterRegistered {
        hunter: hunter.clone(),
        class,
        zone: zone.clone(),
        name,
        rulebook: book.reference.clone(),
    })
}

/// Whether a stream name is the digest of a picture or video.
pub(super) fn is_media(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit() && !byte.is_ascii_uppercase())
}

/// Claims media as proof. The first claim wins; repeating it for the same quest is idempotent.
fn claim(book: &Rulebook<QuestRules>, state: &QuestState, hunter: &SmolStr, quest: &SmolStr) -> QuestRuling {
    if state.hunter.is_some() {
        return Err(QuestRefusal::AlreadyRegistered);
    }
    match &state.media {
        Some(ClaimedMedia { hunter: first, quest: of, position, .. }) if first == hunter && of == quest => {
            Ok(Ruling::AsBefore(*position))
        }
        Some(ClaimedMedia { hunter, quest, at, .. }) => {
            Err(QuestRefusal::ProofSeen { hunter: hunter.clone(), quest: quest.clone(), at: *at })
        }
        None => {
            assize_kernel::check_name(hunter)?;
            assize_kernel::check_name(quest)?;
            fact(QuestEvent::MediaClaimed {
                hunter: hunter.clone(),
                quest: quest.clone(),
                rulebook: book.reference.clone(),
            })
        }
    }
}

/// Checks only the syntax of a time zone; the server knows which zones exist.
fn check_zone(zone: &str) -> Result<(), QuestRefusal> {
    let plain = |char: char| char.is_ascii_alphanumeric() || matches!(char, '/' | '_' | '-' | '+');
    let good = (1..=64).contains(&zone.len()) && zone.chars().all(plain);
    let shown: String = zone.chars().take(64).collect();
    if good {
        return Ok(());
    }
    Err(QuestRefusal::NameInvalid(format!("`{shown}` is no time zone such as Europe/Madrid")))
}

fn fact(event: QuestEvent) -> QuestRuling {
    Ok(Decision::fact(event).into())
}

fn known_exercise(rules: &QuestRules, own: &[Exercise], name: &str) -> bool {
    let plain = super::rules::normalised(name);
    let is_own = |exercise: &Exercise| exercise.names().any(|known| super::rules::normalised(known) == plain);
    rules.exercises.find(name).is_some() || own.iter().any(is_own)
}
