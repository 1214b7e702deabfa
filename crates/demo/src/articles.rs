//! Fictional articles for the demo, each with a faithful reference summary.

/// Name, article, reference summary.
pub(super) const ARTICLES: [(&str, &str, &str); 5] = [
    (
        "ferry",
        "The ferry between Larvik and the island of Stensoy will run on batteries from May. The shipping company \
         Fjordlink has spent 38 million crowns on the new vessel. It carries 120 passengers and 22 cars and needs \
         nine minutes to charge at the quay. Captain Inger Moe said that the crossing will take 25 minutes, as it \
         does today. The old ferry burned 400,000 litres of diesel a year. Fares will not rise before 2028. \
         Residents of Stensoy had asked for more evening departures, but the timetable stays as it is. The \
         municipality pays a third of the cost of the charging station.",
        "From May the ferry between Larvik and Stensoy will run on batteries. The vessel cost Fjordlink 38 million \
         crowns and carries 120 passengers. The timetable stays as it is, and fares will not rise before 2028.",
    ),
    (
        "library",
        "The city library of Odenberg has opened a reading room that never closes. Members get in at any hour with \
         their card; there are no staff between ten at night and seven in the morning. Director Paul Hendriks said \
         that 310 people came on the first night. The room has 64 seats and a machine that lends laptops. Cameras \
         watch the entrance, but not the desks. The trial costs 90,000 euros and ends in December. A similar trial \
         in Veldhaven was stopped after complaints about noise. Neighbours in Odenberg have not complained so far.",
        "Odenberg's city library has opened a reading room that never closes. On the first night 310 people came. \
         The trial costs 90,000 euros and ends in December.",
    ),
    (
        "glacier",
        "Researchers have measured how much water runs out from under the Karsen glacier. A team led by Lucia \
         Ferro lowered instruments through a hole 210 metres deep. In July the river under the ice carried 14 cubic \
         metres a second, twice as much as in 2015. The glacier has lost 40 metres of thickness in that time. \
         The valley below uses the water for two power stations and for its orchards. Ferro expects that the flow \
         will increase until about 2040 and then decrease. The power company has not changed its plans. The \
         measurements were published on Wednesday.",
        "A team led by Lucia Ferro measured the river under the Karsen glacier. In July it carried 14 cubic metres \
         a second, twice as much as in 2015. The flow should increase until about 2040 and then decrease.",
    ),
    (
        "bakery",
        "Workers at the bakery chain Kornhaus have ended their strike after eleven days. The company agreed to pay \
         4 per cent more from January and a further 2 per cent a year later. The union had asked for 8 per cent. \
         About 1,900 people work in the 140 shops of the chain. Spokeswoman Dana Wirth said that no one would lose \
         pay for the first three days of the strike. Seven shops in the north had stayed open. The shares of \
         Kornhaus rose by 3 per cent on Friday. Members of the union will vote on the agreement next week.",
        "The strike at the bakery chain Kornhaus has ended after eleven days. The company will pay 4 per cent more \
         from January and 2 per cent more a year later; the union had asked for 8 per cent. Its members will vote \
         next week.",
    ),
    (
        "telescope",
        "The radio telescope at Mount Ardle will be repaired and not replaced. A storm in February broke 18 of its \
         96 panels. The research council approved 5 million pounds for the work on Monday. Astronomer Neil Achebe \
         said that a new instrument would have cost 60 million pounds. The telescope has followed pulsars since \
         1979. It will be closed until the autumn of next year. Students from three universities will use a \
         smaller dish in the meantime. The visitor centre stays open.",
        "The radio telescope at Mount Ardle will be repaired for 5 million pounds. A storm broke 18 of its 96 \
         panels in February. It will be closed until the autumn of next year.",
    ),
];
