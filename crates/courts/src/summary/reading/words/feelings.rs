//! Sentiment words, judgements and insults.

/// Words of approval.
pub(in super::super) const POSITIVE: &str = "
good great excellent wonderful amazing brilliant fantastic happy joy delight love success successful win victory
triumph praise hope benefit improve positive proud celebrate hero beautiful generous kind safe strong popular
welcome thrilled pleased glad impressive outstanding remarkable superb perfect best award honour honor
";

/// Words of disapproval or misfortune.
pub(in super::super) const NEGATIVE: &str = "
bad terrible awful horrible tragic sad anger angry fear hate fail failure lose loss defeat death die kill murder
attack war crisis disaster victim injure wound crime criminal guilty abuse threat danger dangerous poor weak
worst negative blame criticise criticize condemn corrupt scandal fraud shame disgrace violent violence hostile
collapse crash damage suffer illness sick problem
";

/// Words by which a writer shows an opinion.
pub(in super::super) const SUBJECTIVE: &str = "
obviously clearly undoubtedly surely frankly honestly sadly unfortunately fortunately thankfully hopefully shockingly
surprisingly amazingly incredibly unbelievably ridiculously outrageously disgracefully arguably supposedly
wonderful awful terrible horrible fantastic amazing brilliant disgusting outrageous ridiculous absurd shameful
disgraceful pathetic magnificent stunning superb appalling atrocious dreadful marvellous marvelous laughable
";

/// Words that take a side.
pub(in super::super) const BIASED: &str = "
regime thug thugs mob extremist fanatic radical zealot crony cronies puppet so-called propaganda brainwash brainwashed
illegals invaders infest infestation swarm swarms hordes elitist leftist rightist snowflake cult scam sham rigged
mouthpiece henchman henchmen cabal tyrant tyrannical traitor traitors treasonous
";

/// Words of contempt.
pub(in super::super) const HOSTILE: &str = "
idiot idiots idiotic moron morons moronic stupid dumb imbecile fool fools scum vermin filth filthy loser losers
pathetic disgusting despicable worthless liar liars coward cowards clown clowns garbage trash disgrace hate
destroy crush annihilate
";

/// Coarse words.
pub(in super::super) const PROFANE: &str = "
damn damned goddamn hell crap crappy bloody arse ass bastard bastards bitch bitches shit shitty bullshit piss pissed
fuck fucked fucking fucker motherfucker asshole arsehole dick prick wanker bollocks bugger slut whore
";

/// The strongest insults to groups of people, kept as the court must know them to charge them.
pub(in super::super) const SLURS: &str = "
nigger niggers nigga kike kikes spic spics chink chinks gook gooks wetback wetbacks faggot faggots fag fags tranny
trannies retard retards raghead ragheads towelhead towelheads coon coons paki pakis dyke dykes
";

/// Groups of people, as stereotypes name them.
pub(in super::super) const GROUPS: &str = "
women men girls boys blacks whites asians africans americans mexicans muslims jews christians catholics hindus
immigrants migrants refugees foreigners gays lesbians homosexuals feminists teenagers millennials boomers
politicians journalists lawyers bankers poor rich blondes gypsies arabs chinese indians
";

/// What stereotypes say of them.
pub(in super::super) const TRAITS: &str = "
lazy greedy stupid dirty violent emotional hysterical irrational criminal criminals dishonest cheap inferior
untrustworthy aggressive weak promiscuous submissive backward primitive uncivilised uncivilized terrorists
dangerous liars thieves cheats drunk
";
