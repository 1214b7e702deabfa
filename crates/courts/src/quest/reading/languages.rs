//! The word lists. Words are written as they are compared: lower case, without accents; a star stands for any ending.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::SignKind::{self, Ease, Exhaustion, Injury, Pain};
use super::text::Word;

/// What is known of a language.
pub(super) struct Language {
    pub(super) code: &'static str,
    /// Frequent words by which a text is known to be in this language.
    small: &'static [&'static str],
    /// Words that take back what follows.
    pub(super) negations: &'static [&'static str],
    lists: [(SignKind, &'static [&'static str]); 4],
    /// The entries by their first letter: most words of a text begin none.
    index: OnceLock<BTreeMap<u8, Vec<(SignKind, &'static str)>>>,
}

pub(super) static LANGUAGES: [&Language; 4] = [&ENGLISH, &GERMAN, &SPANISH, &FRENCH];

static ENGLISH: Language = Language {
    code: "en",
    small: &[
        "the", "and", "i", "my", "was", "is", "it", "but", "that", "this", "of", "to", "with", "not", "at",
        "have", "had", "am", "for", "did", "feel", "felt",
    ],
    negations: &[
        "no", "not", "never", "without", "didn", "don", "doesn", "wasn", "isn", "nothing", "zero", "hardly",
    ],
    lists: [
        (
            Exhaustion,
            &[
                "exhaust*",
                "completely exhausted",
                "totally exhausted",
                "wiped out",
                "worn out",
                "drained",
                "burned out",
                "burnt out",
                "can barely move",
                "could barely move",
                "dizzy",
                "lightheaded",
                "light headed",
                "threw up",
                "vomited",
                "nauseous",
                "collapsed",
                "passed out",
                "fainted",
                "overtrained",
                "no energy left",
                "dead tired",
            ],
        ),
        (
            Ease,
            &[
                "too easy",
                "very easy",
                "so easy",
                "super easy",
                "really easy",
                "pretty easy",
                "totally easy",
                "easy peasy",
                "piece of cake",
                "a breeze",
                "no problem at all",
                "barely sweat*",
                "not hard at all",
                "effortless*",
                "could do more",
                "could have done more",
            ],
        ),
        (
            Pain,
            &[
                "pain",
                "pains",
                "painful",
                "hurt",
                "hurts",
                "hurting",
                "ache",
                "aches",
                "aching",
                "sharp pain",
                "stabbing",
                "throbbing",
                "burning sensation",
                "cramp*",
                "spasm*",
                "numb",
                "numbness",
                "tingling",
            ],
        ),
        (
            Injury,
            &[
                "injur*",
                "tore",
                "torn",
                "sprain*",
                "strained",
                "pulled a muscle",
                "pulled my",
                "dislocat*",
                "fractur*",
                "broke my",
                "broken",
                "swollen",
                "swelling",
                "popped",
                "something snapped",
                "twisted my",
                "concussion",
                "bleeding",
                "bruis*",
                "tendonitis",
                "tendinitis",
                "hernia",
            ],
        ),
    ],
    index: OnceLock::new(),
};

static GERMAN: Language = Language {
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

static SPANISH: Language = Language {
    code: "es",
    small: &[
        "el", "la", "los", "las", "y", "yo", "mi", "fue", "es", "pero", "que", "de", "con", "me", "estoy",
        "en", "muy", "para", "por", "un", "una", "tengo",
    ],
    negations: &["no", "sin", "nunca", "nada", "ningun", "ninguna", "tampoco"],
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
    index: OnceLock::new(),
};

static FRENCH: Language = Language {
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

impl Language {
    pub(super) fn is_small(&self, word: &str) -> bool {
        self.small.contains(&word)
    }

    /// The longest entry that these words begin with, and how many words it has.
    pub(super) fn longest_match(&self, words: &[Word]) -> Option<(SignKind, &'static str, usize)> {
        let first = words.first()?.plain.bytes().next()?;
        let entries = self.index.get_or_init(|| self.by_first_letter()).get(&first)?.iter();
        let matching = entries.filter_map(|(kind, entry)| Some((*kind, *entry, begins_with(words, entry)?)));
        matching.max_by_key(|(_, entry, length)| (*length, entry.len()))
    }

    fn by_first_letter(&self) -> BTreeMap<u8, Vec<(SignKind, &'static str)>> {
        let mut index: BTreeMap<u8, Vec<_>> = BTreeMap::new();
        for (kind, entries) in &self.lists {
            for entry in *entries {
                index.entry(entry.bytes().next().unwrap_or_default()).or_default().push((*kind, *entry));
            }
        }
        index
    }
}

fn begins_with(words: &[Word], entry: &str) -> Option<usize> {
    let mut length = 0;
    for part in entry.split(' ') {
        let word = words.get(length)?;
        let same = match part.strip_suffix('*') {
            Some(stem) => word.plain.starts_with(stem),
            None => word.plain == part,
        };
        if !same {
            return None;
        }
        length += 1;
    }
    Some(length)
}
