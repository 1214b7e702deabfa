//! Articles made up for these tests.

pub(crate) const ARTICLES: [&str; 10] = [
    "The council of Leeds approved a new tram line on Tuesday. Mayor Ann Berry said the line would cost 250 million \
     pounds. The first trams should run along the river in 2031. Shares in the builder Norcon rose by 4 per cent in \
     London. Unions in Yorkshire praised the 2,000 jobs that Norcon had promised. The line was the largest project of \
     the region in 30 years.",
    "A storm closed the harbour of Bergen for 14 hours on Monday. Captain Olav Dahl said that 3 ships had lost their \
     anchors. Nobody was hurt, but the ferry to Denmark was not running. The wind was higher than 120 kilometres an hour \
     before midnight. Repairs will cost about 9 million crowns, and the harbour has opened again.",
    "Researchers at the University of Ghent have found 17 new kinds of beetle. Professor Marie Claes collected them in \
     Borneo before the rains started. The largest beetle is 62 millimetres long and was caught in Sarawak. The team has \
     not named them yet. A museum in Brussels will show the beetles in 2027, and the number of visitors could be higher than 40,000.",
    "Harlow Town won the cup final against Redbridge by 3 goals to 1. Striker Joe Marsh scored twice before half time. \
     Redbridge had lost only 2 games in the season. Coach Lena Ortiz praised the 11 players from Harlow. More than 8,000 \
     people were in the stadium. The club will play in Europe for the first time since 1988.",
    "The airline Nordwing has cancelled 64 flights from Oslo this week. Pilots stopped work on Thursday because a new \
     contract was rejected. The union of Karin Holm wants 6 per cent more pay. Nordwing said that the strike would cost \
     2 million euros a day. Talks in Stockholm were not successful. Passengers have received vouchers of 90 euros.",
    "A court in Lyon has sentenced the banker Paul Renard to 5 years in prison. Renard had taken 38 million euros from \
     customers in Geneva. The judge said that he was not sorry for his victims. His lawyer Claire Vidal will appeal before \
     the end of May. The bank accepted a fine of 12 million euros in 2019.",
    "Sales of electric bicycles in Austria increased by 23 per cent in 2024. The maker Velomont from Graz sold 51,000 of \
     them. Director Hans Pichler said that prices were lower than in Germany. A new factory in Linz opened in March and \
     employs 420 people. The company was losing money before 2020.",
    "The museum of Porto has bought a painting by Amadeo Lopes for 700,000 euros. The picture was lost for 80 years and was \
     found in a cellar in Braga. Director Rita Neves said that it is the largest work of the painter. Visitors will see it \
     from 15 June. The ministry in Lisbon had not approved the price at first.",
    "Farmers in Kansas expect a wheat harvest of 9 million tonnes. That is more than in 2022, when rain started too late. \
     The price rose to 7 dollars in Chicago on Friday. Agent Bill Turner said that 300 farms were not insured. Exports to \
     Mexico have increased since April.",
    "The village of Aldeia has closed its only school after 112 years. Teacher Pedro Gomes said that 4 children were left. \
     They will travel 26 kilometres to Coimbra by bus. The mayor accepted the decision, but parents in Aldeia were not asked. \
     The building could become a library before 2026.",
];
