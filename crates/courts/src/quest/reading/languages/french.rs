//! The words of French. Written as they are compared: lower case, without accents; a star stands for any ending.

use std::sync::OnceLock;

use super::super::SignKind::{Ease, Exhaustion, Injury, Pain};
use super::Language;

pub(super) static FRENCH: Language = Language {
    code: "fr",
    small: &[
        "le", "la", "les", "et", "je", "j", "mon", "ma", "mes", "etait", "est", "c", "mais", "que", "de",
        "du", "avec", "suis", "ai", "au", "un", "une", "tres", "pour",
    ],
    negations: &["pas", "sans", "jamais", "aucun", "aucune", "rien", "ni"],
    lists: [
        (
            Exhaustion,
            &[
                "epuise*",
                "completement epuise*",
                "creve",
                "crevee",
                "vide",
                "videe",
                "a bout",
                "lessive*",
                "vertige*",
                "tete qui tourne",
                "vomi",
                "evanoui*",
                "mort de fatigue",
                "morte de fatigue",
                "plus de force",
            ],
        ),
        (
            Ease,
            &[
                "trop facile",
                "tres facile",
                "super facile",
                "vraiment facile",
                "les doigts dans le nez",
                "sans effort",
                "aucun probleme",
                "du gateau",
                "pu faire plus",
            ],
        ),
        (
            Pain,
            &[
                "mal au",
                "mal aux",
                "mal a la",
                "mal a l",
                "j ai mal",
                "me fait mal",
                "fait mal",
                "douleur*",
                "douloureu*",
                "crampe*",
                "elancement*",
                "picotement*",
                "engourdi*",
            ],
        ),
        (
            Injury,
            &[
                "bless*",
                "dechir*",
                "claquage",
                "entorse",
                "foulure",
                "foule",
                "tordu",
                "fractur*",
                "casse",
                "cassee",
                "luxe*",
                "luxation",
                "gonfle*",
                "saigne*",
                "tendinite",
                "inflamm*",
            ],
        ),
    ],
    index: OnceLock::new(),
};
