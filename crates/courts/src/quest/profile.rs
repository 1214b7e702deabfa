//! Domain enums of the quest court and the profile of a hunter, with their serialised names.

use serde::{Deserialize, Serialize};

/// The class of a hunter; decides which logs earn the class bonus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Class {
    /// Heavy loads and time under tension.
    Tank,
    /// High volume and speed.
    Striker,
    /// Cardio and intervals.
    Assassin,
    /// Not specialised yet; rewards a streak.
    Novice,
}

/// How far a hunter has been promoted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Rank {
    /// The initial rank.
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
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum HunterStatus {
    /// The default.
    #[default]
    Normal,
    /// Judges have verified enough proofs.
    Verified,
    /// Several hunters have reported this hunter.
    Flagged,
    /// Reported by enough hunters or ruled so by a judge; logs earn no XP until a judge lifts it.
    Corrupted,
}

/// What a quest is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum QuestType {
    /// A daily workout.
    Daily,
    /// Makes up for a missed quest and pays less.
    Penalty,
    /// An exam for the next rank.
    RankUp,
}

/// The condition a hunter reports before the workout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Condition {
    /// Rested.
    Fresh,
    /// Neither fresh nor tired.
    Normal,
    /// Tired.
    Tired,
    /// Sore.
    Sore,
    /// Injured.
    Injured,
}

/// The intensity of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Intensity {
    /// Easy.
    Low,
    /// Moderate.
    Medium,
    /// Hard.
    High,
}

/// What a proof is, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = QuestProfile))]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The hunter's class.
    pub class: Class,
    /// The hunter's rank.
    pub rank: Rank,
    /// The hunter's status.
    pub hunter_status: HunterStatus,
    /// The streak before this log, in days.
    pub streak_days: u32,
}

impl Class {
    /// Every class.
    pub const ALL: [Self; 4] = [Self::Tank, Self::Striker, Self::Assassin, Self::Novice];

    /// The serialised name.
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

    /// The serialised name.
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
    /// Every status.
    pub const ALL: [Self; 4] = [Self::Normal, Self::Verified, Self::Flagged, Self::Corrupted];

    /// The serialised name.
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
    /// The serialised name.
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
    /// The serialised name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Photo => "Photo",
            Self::Timelapse => "Timelapse",
            Self::Video => "Video",
        }
    }
}
