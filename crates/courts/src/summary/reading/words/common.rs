//! English function words (stop words).

/// Articles, prepositions, pronouns, auxiliaries, conjunctions.
pub(in super::super) const FUNCTION: &str = "
a an the this that these those some any each every either neither both all most much many few several such
of in on at by for from to into onto with within about over under between among through during
against around behind beside besides beyond across along toward towards upon per via as than like unlike since
until till off out up down away back here there where when while whereas because although though if unless whether
and or but nor so yet also too very just only even still again ever already almost quite rather then thus hence
however therefore meanwhile instead otherwise else once twice
i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself it its
itself they them their theirs themselves who whom whose which what how why one ones oneself someone somebody
something anyone anybody anything everyone everybody everything
am is are was were be been being do does did done doing have has had having will would shall should can could may
might must ought going gonna let's lets
's 're 've 'll 'd 'm s t re ve ll d m im ive ill id dont yes yeah oh ok okay hi hello hey well please thanks
";

/// Small words that turn round what they stand with.
pub(in super::super) const NEGATION: &str = "
not no never none nobody nothing nowhere neither nor without n't cannot can't won't don't doesn't didn't isn't aren't
wasn't weren't hasn't haven't hadn't wouldn't shouldn't couldn't mustn't ain't nt cant wont didnt doesnt isnt wasnt
hardly barely scarcely
";

/// Words with a meaning of their own that do the same.
pub(in super::super) const DENIAL: &str = "
fail unable refuse deny lack unlikely avoid prevent absent exclude
";

/// What could stand before a noun.
pub(in super::super) const BEFORE_NOUN: &str = "
a an the this that these those some any each every no of in on at by for from with into my our your his her its
their about over under between during against per via another
";

/// What could stand before a verb.
pub(in super::super) const BEFORE_VERB: &str = "
to will would shall should can could may might must i we you he she it they who which not never also is are was were
be been being have has had do does did don't doesn't didn't won't can't
";

/// Pronouns, which stand for somebody named elsewhere.
pub(in super::super) const PRONOUNS: &str = "
i me my we us our you your he him his she her hers it its they them their who
";

/// Content words so frequent that meeting one proves little.
pub(in super::super) const VAGUE: &str = "
say tell make get go come take give know think see want use find look put keep let seem become show call ask need
feel try leave mean turn bring talk discuss mention state add include involve describe explain express report
people person man woman thing way time year day week month part place case group number world life member
new old good bad big small large great high long little own other different same last next first second able
before after more less really currently recently later now today various several certain important related according document article
summary conversation speaker text email author
";

/// Numbers as words, with their values.
pub(in super::super) const NUMBERS: [(&str, f64); 36] = [
    ("zero", 0.0),
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
    ("eleven", 11.0),
    ("twelve", 12.0),
    ("thirteen", 13.0),
    ("fourteen", 14.0),
    ("fifteen", 15.0),
    ("sixteen", 16.0),
    ("seventeen", 17.0),
    ("eighteen", 18.0),
    ("nineteen", 19.0),
    ("twenty", 20.0),
    ("thirty", 30.0),
    ("forty", 40.0),
    ("fifty", 50.0),
    ("sixty", 60.0),
    ("seventy", 70.0),
    ("eighty", 80.0),
    ("ninety", 90.0),
    ("third", 3.0),
    ("fourth", 4.0),
    ("fifth", 5.0),
    ("sixth", 6.0),
    ("seventh", 7.0),
    ("eighth", 8.0),
    ("ninth", 9.0),
    ("tenth", 10.0),
    ("dozen", 12.0),
];

/// What multiplies the number before it.
pub(in super::super) const SCALES: [(&str, f64); 12] = [
    ("hundred", 100.0),
    ("thousand", 1e3),
    ("million", 1e6),
    ("billion", 1e9),
    ("trillion", 1e12),
    ("k", 1e3),
    ("bn", 1e9),
    ("mn", 1e6),
    ("mln", 1e6),
    ("millions", 1e6),
    ("billions", 1e9),
    ("thousands", 1e3),
];

/// Weekdays and months: as particular as names.
pub(in super::super) const DATES: &str = "
monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
october november december weekend weekday tomorrow yesterday tonight
";

/// Words before a number that say it is not meant exactly.
pub(in super::super) const APPROXIMATE: &str = "
about around nearly almost over under roughly approximately some up more less least most
";
