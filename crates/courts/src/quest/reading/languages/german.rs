//! The words of German. Written as they are compared: lower case, without accents; a star stands for any ending.

use std::sync::OnceLock;

use super::super::SignKind::{Ease, Exhaustion, Injury, Pain};
use super::Language;

pub(super) static GERMAN: Language = Language {
    code: "de",
    small: &[
        "der", "die", "das", "und", "ich", "mein", "meine", "war", "ist", "es", "aber", "mit", "nicht",
        "mir", "bin", "habe", "hab", "im", "auf", "zu", "ein", "eine", "alles",
    ],
    negations: &["kein", "keine", "keinen", "keinerlei", "nicht", "nie", "ohne", "nichts", "weder"],
    lists: [
        (
            Exhaustion,
            &[
                "erschopf*",
                "vollig erschopft",
                "ausgelaugt",
                "kaputt",
                "fix und fertig",
                "total fertig",
                "vollig fertig",
                "schwindlig",
                "schwindelig",
                "ubel",
                "ubergeben",
                "ohnmachtig",
                "zusammengebrochen",
                "ausgepowert",
                "keine kraft mehr",
                "am ende",
            ],
        ),
        (
            Ease,
            &[
                "zu leicht",
                "sehr leicht",
                "ganz leicht",
                "super leicht",
                "zu einfach",
                "sehr einfach",
                "kinderspiel",
                "locker geschafft",
                "kein problem",
                "muhelos*",
                "ware mehr gegangen",
            ],
        ),
        (
            Pain,
            &[
                "schmerz*",
                "tut weh",
                "tat weh",
                "tun weh",
                "weh getan",
                "wehgetan",
                "muskelkrampf*",
                "krampf*",
                "stechen",
                "stechend*",
                "ziehen im",
                "taub",
                "kribbeln",
                "ruckenschmerz*",
                "knieschmerz*",
            ],
        ),
        (
            Injury,
            &[
                "verletz*",
                "gezerrt",
                "zerrung",
                "gerissen",
                "muskelriss",
                "banderriss",
                "verstaucht",
                "umgeknickt",
                "gebrochen",
                "ausgekugelt",
                "geschwollen",
                "schwellung",
                "gestaucht",
                "prellung",
                "blutet",
                "entzund*",
            ],
        ),
    ],
    index: OnceLock::new(),
};
