//! Synonyms and antonyms.

/// Lines of words that may stand for each other.
pub(in super::super) const SYNONYMS: &str = "
buy purchase acquire
begin start commence launch
end finish conclude complete finalize
kill slay murder
die perish decease
help assist aid
car vehicle automobile
doctor physician medic
child kid youngster
father dad
mother mum mom
picture photo photograph image
police cop
film movie
big large huge
small little tiny
show display exhibit
say state claim tell declare
talk discuss converse chat
choose select pick
need require
want wish desire
allow permit let
stop halt cease
arrest detain apprehend
hurt injure wound
attack assault
job employment
company firm business corporation
money cash fund
house home
ill sick unwell poorly
answer reply respond
ask inquire
buyer customer client
employee worker staff
boss chief head
get receive obtain
give provide offer supply
use utilize employ
try attempt
build construct
fix repair mend
destroy demolish
important significant crucial key vital major essential
quick fast rapid swift
happy glad pleased
angry furious mad
smart clever intelligent
hard difficult challenging tough
easy simple straightforward
improve enhance boost
meeting gathering
plan intend arrange schedule
idea concept notion
result outcome finding
problem issue trouble
friend pal buddy mate
present gift
shop store
town city
nation country
war conflict
win triumph victory
lose defeat
goal score
player footballer
match game
film documentary
flat apartment
holiday vacation
autumn fall
garbage rubbish trash
lawyer attorney solicitor barrister
prison jail
student pupil
teacher tutor instructor
university college
test exam trial
salary wage pay
vote ballot poll
election poll
minister secretary
law legislation
rule regulation
ban prohibit forbid
warn caution
praise commend laud
criticise criticize condemn slam blast
deny reject dismiss
accept approve
confirm verify
reveal disclose
hide conceal
think believe feel
know understand
remember recall
see watch view
hear listen
look appear seem
walk stroll
speak address
write author pen
read peruse
marry wed
divorce separate
fire sack dismiss
hire recruit appoint
resign quit
return come-back
arrive reach
leave depart
travel journey trip
crash collision
accident incident
storm hurricane
flood deluge
blaze fire
rescue save
search hunt seek
find discover locate
lorry truck
plane aircraft airplane jet
ship vessel boat
road street
river stream
forest wood
hill mountain
sea ocean
baby infant newborn
elderly old aged
young youthful
rich wealthy
poor impoverished
annual yearly
monthly month
weekly week
daily day
expensive costly pricey
cheap inexpensive affordable
correct right accurate
wrong incorrect mistaken
possible feasible
dangerous hazardous risky
safe secure
discount rebate
feature function functionality capability
streamline simplify optimize
magnify amplify intensify
contact notify inform alert
handle manage
fetch collect
teammate colleague co-worker
suggest propose recommend
agree consent
mock tease ridicule
previously earlier formerly
approximately about roughly
";

/// Lines of opposites: the words of one side, a bar, the words of the other.
pub(in super::super) const OPPOSITES: &str = "
rise increase grow climb soar jump surge gain up higher upward expand | fall decrease drop decline plunge slump shrink sink down lower downward reduce cut lessen diminish
more | less fewer
most | least
largest biggest highest greatest longest | smallest lowest shortest
larger bigger greater | smaller
fastest | slowest
best | worst
win beat victory triumph | lose defeat loss
first | last final
open | close shut closed
start begin launch commence | end finish stop halt cease conclude
before earlier prior | after later following
above over | below under beneath
accept approve agree support back welcome endorse favour favor | reject deny refuse oppose decline disapprove disagree condemn against
allow permit enable let legalise legalize | ban forbid prohibit prevent block bar prevent disallow
love like enjoy adore | hate dislike despise loathe detest
good great excellent | bad poor terrible awful
better best improve | worse worst worsen deteriorate
big large huge major | small little tiny minor
high tall | low short
long | short brief
strong strengthen | weak weaken
hot warm | cold cool
fast quick rapid | slow gradual
early | late
old elderly | new young
rich wealthy | poor
happy glad pleased delighted | sad unhappy upset disappointed angry
safe | dangerous unsafe risky
easy simple | difficult hard complex complicated
easily | hardly
cheap affordable inexpensive | expensive costly pricey
right correct true accurate | wrong incorrect false inaccurate
guilty convict convicted | innocent acquit acquitted cleared clear
alive survive live | dead die kill killed death
male man boy | female woman girl
husband | wife
father dad | mother mum mom
son | daughter
brother | sister
king | queen
north northern | south southern
east eastern | west western
left | right
inside indoor | outside outdoor
enter arrive come | leave exit depart
buy purchase | sell
give | take
lend | borrow
send | receive
push | pull
hire employ appoint recruit | fire sack dismiss
join | leave quit
include | exclude omit
add | remove subtract
create build construct make | destroy demolish ruin
help assist support | hinder hamper obstruct
attack | defend protect
praise commend laud | criticise criticize condemn blame slam
remember recall | forget
find discover | lose
reveal disclose show | hide conceal cover
public | private
domestic national local | foreign international global
legal lawful | illegal unlawful
official | unofficial
possible | impossible
likely | unlikely
able | unable
willing | unwilling reluctant
successful succeed success | unsuccessful fail failure
positive | negative
optimistic | pessimistic
confident | doubtful uncertain unsure
certain sure | uncertain unsure
known famous | unknown obscure
common frequent | rare uncommon
often always frequently | rarely never seldom
full | empty
heavy | light
dark | bright
clean | dirty
healthy well | ill sick unwell unhealthy
friend ally | enemy foe stranger rival
peace | war conflict
day | night
morning | evening
today | yesterday tomorrow
winter | summer
maximum | minimum
majority | minority
import | export
profit earnings revenue income gain | loss expense debt cost
employed | unemployed
single unmarried | married
present attend | absent miss
appear emerge | disappear vanish
temporary | permanent
traditional old-fashioned conventional | modern innovative next-generation novel
simple | sophisticated
voluntary | compulsory mandatory
formal | informal
direct | indirect
active | inactive passive
advantage benefit | disadvantage drawback
encourage urge | discourage deter
continue resume proceed | stop cease abandon halt
prepare | abandon neglect
care | neglect
raise lift | lower
lead ahead | trail behind
upgrade | downgrade
ally | opponent
credit | debit
hope | fear despair
calm relaxed | stressful stressed anxious nervous
interesting | boring dull
polite | rude
wide broad | narrow
thick | thin
deep | shallow
near close | far distant
together | apart separately
same similar identical | different opposite
visible | invisible
available | unavailable
complete whole entire | incomplete partial
relevant | irrelevant
reward | risk punishment
earn gain | lose
functional | dysfunctional
efficient | inefficient
regular | irregular
satisfied content | dissatisfied unsatisfied
trust | distrust mistrust
advance | retreat
victim | attacker perpetrator suspect
winner champion | loser
buyer customer | seller vendor
employer boss | employee worker
teacher | student pupil
internal | external
upper top | bottom lower
major | minor
love | hatred
welcome | farewell
annual yearly | monthly weekly daily quarterly
free | paid
";
