//! Spanish word lists.

use super::super::SignKind::{Ease, Exhaustion, Injury, Pain};
use super::Language;

pub(super) static SPANISH: Language = Language {
    code: "es",
    small: &[
        "el", "la", "los", "las", "y", "yo", "mi", "fue", "es", "pero", "que", "de", "con", "me", "estoy",
        "en", "muy", "para", "por", "un", "una", "tengo",
    ],
    negations: &["no", "sin", "nunca", "nada", "ningun", "ninguna", "tampoco"],
    innocent: &["crampon*", "injuri*", "luxemburg*", "mal a la", "sangria*"],
    lists: [
        (
            Exhaustion,
            &[
                "agotad*",
                "totalmente agotad*",
                "exhaust*",
                "rendid*",
                "muert* de cansancio",
                "sin energia",
                "maread*",
                "mareo*",
                "vomite",
                "desmay*",
                "no puedo mas",
                "hecho polvo",
                "hecha polvo",
                "reventad*",
            ],
        ),
        (
            Ease,
            &[
                "muy facil",
                "demasiado facil",
                "super facil",
                "tan facil",
                "pan comido",
                "sin problema*",
                "sin esfuerzo",
                "podria hacer mas",
                "chupado",
            ],
        ),
        (
            Pain,
            &[
                "dolor",
                "dolores",
                "me duele",
                "me duelen",
                "duele",
                "dolia",
                "doloros*",
                "calambre*",
                "punzada*",
                "molestia*",
                "hormigueo",
                "entumecid*",
                "adolorid*",
            ],
        ),
        (
            Injury,
            &[
                "lesion*",
                "me lesione",
                "desgarr*",
                "esguince",
                "torci",
                "me torci",
                "rotura",
                "roto",
                "rota",
                "fractur*",
                "dislo*",
                "hinchad*",
                "inflam*",
                "sangr*",
                "tendinitis",
            ],
        ),
    ],
};
