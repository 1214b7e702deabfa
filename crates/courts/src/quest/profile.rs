//! Domain enums of the quest court and the profile of a hunter, with their serialised names.

use serde::{Deserialize, Serialize};

/// How a hunter fights; decides what earns them the bonus of their class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Class {
    /// Heavy loads and time under tension.
    Tank,
    /// High volume and speed.
    Striker,
    /// Cardio and intervals.
    Assassin,
    /// Still finding out; earns by coming every day.
    Novice,
}

/// How far a hunter has been promoted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Rank {
    /// Where everybody begins.
    #[default]
    E,
    /// After the first exam.
    D,
    /// After the second.
    C,
    /// After the third.
    B,
    /// After the fourth.
    A,
    /// After the last.
    S,
}

/// What others make of a hunter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum HunterStatus {
    /// Nothing is known for or against them.
    #[default]
    Normal,
    /// Judges have seen enough of their proofs.
    Verified,
    /// Several people doubt what they log.
    Flagged,
    /// So many doubt it that nothing counts until a judge has looked.
    Corrupted,
}

/// What a quest is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum QuestType {
    /// The day's work.
    Daily,
    /// Makes up for a missed one, and pays less.
    Penalty,
    /// An exam for the next rank.
    RankUp,
}

/// How a hunter says they felt before they began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Condition {
    /// Rested.
    Fresh,
    /// As always.
    Normal,
    /// Tired.
    Tired,
    /// Sore.
    Sore,
    /// Injured.
    Injured,
}

/// How hard the plan is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Intensity {
    /// Easy.
    Low,
    /// In between.
    Medium,
    /// Hard.
    High,
}

/// What a proof is, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ProofKind {
    /// One picture.
    Photo,
    /// A compressed video.
    Timelapse,
    /// A video.
    Video,
}

/// A hunter as a log is judged against them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// How they fight.
    pub class: Class,
    /// How far they have been promoted.
    pub rank: Rank,
    /// What others make of them.
    pub hunter_status: HunterStatus,
    /// On how many days in a row they had logged before this.
    pub streak_days: u32,
}

impl Class {
    /// Every class.
    pub const ALL: [Self; 4] = [Self::Tank, Self::Striker, Self::Assassin, Self::Novice];

    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tank => "Tank",
            Self::Striker => "Striker",
            Self::Assassin => "Assassin",
            Self::Novice => "Novice",
        }
    }
}

impl Rank {
    /// Every rank, the lowest first.
    pub const ALL: [Self; 6] = [Self::E, Self::D, Self::C, Self::B, Self::A, Self::S];

    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::E => "E",
            Self::D => "D",
            Self::C => "C",
            Self::B => "B",
            Self::A => "A",
            Self::S => "S",
        }
    }
}

impl HunterStatus {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Normal, Self::Verified, Self::Flagged, Self::Corrupted];

    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Normal => "Normal",
            Self::Verified => "Verified",
            Self::Flagged => "Flagged",
            Self::Corrupted => "Corrupted",
        }
    }
}

impl QuestType {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Daily => "Daily",
            Self::Penalty => "Penalty",
            Self::RankUp => "RankUp",
        }
    }
}

impl Condition {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Fresh => "Fresh",
            Self::Normal => "Normal",
            Self::Tired => "Tired",
            Self::Sore => "Sore",
            Self::Injured => "Injured",
        }
    }
}

impl Intensity {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "Low",
            Self::Medium => "Medium",
            Self::High => "High",
        }
    }
}

impl ProofKind {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Photo => "Photo",
            Self::Timelapse => "Timelapse",
            Self::Video => "Video",
        }
    }
}
