//! Groups of mutually exclusive things: a summary that replaces one by another of its group is wrong.

/// Lines of things of one kind.
pub(in super::super) const KINDS: &str = "
explosion collapse fire flood earthquake storm crash landslide shooting stabbing robbery drowning avalanche tornado eruption
airport station port harbour harbor terminal
train bus plane car bike bicycle taxi tram boat ship truck van helicopter motorcycle drone
monday tuesday wednesday thursday friday saturday sunday
january february march april may june july august september october november december
spring summer autumn winter
day week month year decade century hour minute second
daily weekly monthly quarterly annual
morning afternoon evening night midnight noon
weekend weekday
red blue green yellow black white orange purple pink brown grey gray
north south east west
brother sister father mother son daughter uncle aunt cousin grandfather grandmother nephew niece
husband wife boyfriend girlfriend fiance fiancee
brother-in-law sister-in-law
friend colleague stranger neighbour neighbor roommate coworker enemy
boy girl man woman
teacher student doctor nurse lawyer engineer farmer driver soldier pilot chef actor singer writer journalist scientist
president minister mayor governor senator king queen prince princess
dog cat horse cow pig sheep bird fish rabbit mouse snake
beer wine whisky vodka coffee tea juice water milk
pizza burger pasta salad soup sandwich sushi steak
breakfast lunch dinner brunch supper
cake bread cookie pie chocolate
film song book album play game show series novel podcast
football cricket tennis rugby basketball baseball golf hockey swimming boxing athletics
goal penalty try wicket
gold silver bronze iron coal copper oil gas
dollar euro pound yen rupee
school university hospital church mosque temple prison museum library hotel restaurant factory office
kitchen bathroom bedroom garden garage basement
house flat apartment castle
village town city country continent county state
murder manslaughter theft fraud rape assault arson burglary
cancer diabetes flu malaria cholera ebola measles
knife gun bomb rifle sword
email phone letter text
monthly annual
finance marketing engineering sales accounting research
software hardware
science art history mathematics
english french german spanish italian chinese japanese russian arabic
american british french german spanish italian chinese japanese russian indian australian canadian israeli saudi iranian turkish
england scotland wales ireland france germany spain italy china japan russia india australia canada america
london paris berlin madrid rome moscow beijing tokyo york washington
christian muslim jewish hindu buddhist
hand foot head leg arm eye ear nose mouth
summer winter
guitar piano violin drum
father son
victory draw loss
discount surcharge bonus fee
stock bond share
first second third fourth fifth
single double triple
half quarter third
beginning middle end
billion million thousand hundred
laptop phone tablet camera television computer
shirt dress shoe hat coat jacket
tea coffee
public private
";
