//! Irregular forms with their base words.

/// Lines of a word and its forms.
pub(in super::super) const FORMS: &str = "
be being been
say said
go went gone
get got gotten
make made
know knew known
think thought
take took taken
see saw seen
come came
find found
give gave given
tell told
become became
leave left
feel felt
put putting
bring brought
begin began begun
keep kept
hold held
write wrote written
stand stood
hear heard
mean meant
meet met
run ran
pay paid
sit sat
speak spoke spoken
lead led
grow grew grown
lose lost
fall fell fallen
send sent
build built
understand understood
draw drew drawn
break broke broken
spend spent
cut cutting
rise rose risen
drive drove driven
buy bought
wear wore worn
choose chose chosen
seek sought
throw threw thrown
catch caught
deal dealt
win won
teach taught
sell sold
fight fought
shoot shot
steal stole stolen
strike struck stricken
beat beaten
hide hid hidden
fly flew flown
forget forgot forgotten
lie lying lied
die dying died
swim swam swum
sing sang sung
drink drank drunk
eat ate eaten
sleep slept
wake woke woken
hit hitting
shut shutting
set setting
let letting
quit quitting
bear bore borne
bite bit bitten
blow blew blown
feed fed
forgive forgave forgiven
freeze froze frozen
hang hung
lend lent
ride rode ridden
ring rang rung
shake shook shaken
shrink shrank shrunk
sink sank sunk
slide slid
stick stuck
swear swore sworn
sweep swept
tear tore torn
withdraw withdrew withdrawn
overcome overcame
undergo underwent undergone
child children
man men
woman women
person people
foot feet
tooth teeth
mouse mice
wife wives
life lives
knife knives
leaf leaves
half halves
wolf wolves
self selves
thief thieves
good better best
bad worse worst
policeman policemen
policewoman policewomen
";
