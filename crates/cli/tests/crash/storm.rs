//! Many connections that submit distinct answers as fast as they can, and remember what they were told.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use assize_testbed::client::{Client, Lost};
use assize_testbed::contest::{Contest, POINTS, right_answer, wrong_answer};
use assize_testbed::server::Server;
use serde_json::Value;

use crate::dice::Dice;

pub(crate) const CONNECTIONS: u64 = 16;
pub(crate) const TASK: &str = "hunt";

/// Teams that every connection submits for and that never find it.
const CROWD: u64 = 8;

/// A contest with one long task and a crowd.
pub(crate) struct Arena {
    /// The organiser's token.
    pub(crate) token: String,
    crowd: Vec<Team>,
}

#[derive(Clone)]
struct Team {
    name: String,
    token: String,
}

/// A submission, and what is known of it.
pub(crate) struct Sent {
    pub(crate) team: String,
    /// Where the answer starts: no other answer of the team does.
    pub(crate) start: u64,
    /// Position and hash; none when the answer was lost.
    pub(crate) receipt: Option<(u64, String)>,
    token: String,
    key: String,
}

/// What the threads of a storm share.
#[derive(Default)]
pub(crate) struct Weather {
    pub(crate) acknowledged: AtomicU64,
    pub(crate) over: AtomicBool,
}

/// One connection with a team of its own.
pub(crate) struct Connection {
    client: Client,
    own: Team,
    crowd: Vec<Team>,
    dice: Dice,
    /// Unique among all connections of all rounds.
    number: u64,
}

impl Arena {
    pub(crate) fn open(server: &Server) -> Self {
        let token = server.admin_token();
        let contest = Contest::open(server, &token, "spring");
        contest.run_task(TASK, 36_000.0, 0.0);
        let crowd = (0..CROWD).map(|number| Team::register(&contest, format!("crowd-{number}"))).collect();
        Self { token, crowd }
    }

    pub(crate) fn contest(&self, server: &Server) -> Contest {
        Contest::at(server, &self.token, "spring")
    }

    /// The connections of a round, spread over the servers, each with a new team.
    pub(crate) fn connections(&self, servers: &[&Server], round: u64, dice: &mut Dice) -> Vec<Connection> {
        let numbers = round * CONNECTIONS..(round + 1) * CONNECTIONS;
        let connect = |(number, server): (u64, &&Server)| Connection {
            client: server.client(""),
            own: Team::register(&self.contest(server), format!("finder-{number}")),
            crowd: self.crowd.clone(),
            dice: dice.fork(),
            number,
        };
        numbers.zip(servers.iter().cycle()).map(connect).collect()
    }
}

impl Team {
    fn register(contest: &Contest, name: String) -> Self {
        Self { token: contest.register(&name), name }
    }
}

impl Connection {
    /// Submits until the connection breaks or the storm is over.
    pub(crate) fn submit(&mut self, weather: &Weather) -> Vec<Sent> {
        let mut sent = Vec::new();
        let found_at = self.dice.within(3..60);
        for count in 1.. {
            if weather.over.load(Ordering::Relaxed) {
                break;
            }
            let mut next = self.next(count, found_at);
            let known = next.deliver(&self.client);
            let lost = known.is_err();
            weather.acknowledged.fetch_add(u64::from(!lost), Ordering::Relaxed);
            sent.push(next);
            if lost {
                break;
            }
        }
        sent
    }

    /// Its own team guesses, finds it once and is done; between that it guesses for the crowd.
    fn next(&mut self, count: u64, found_at: u64) -> Sent {
        let pick = usize::try_from(self.dice.within(0..CROWD)).unwrap();
        let own = count == found_at || (count < found_at && count.is_multiple_of(3));
        let Team { name, token } = if own { self.own.clone() } else { self.crowd[pick].clone() };
        let guess = (self.number + 1) * 1_000_000 + count;
        let start = if count == found_at { POINTS[0] } else { guess };
        Sent { team: name, start, receipt: None, token, key: format!("key-{guess}") }
    }
}

impl Sent {
    /// Sends it, for the first time or once more; what it is told must be what it was told before.
    pub(crate) fn deliver(&mut self, client: &Client) -> Result<Value, Lost> {
        let body = if self.start == POINTS[0] { right_answer() } else { wrong_answer(self.start) };
        let client = client.with_token(&self.token);
        let path = format!("/api/v1/contests/spring/tasks/{TASK}/submissions");
        let (status, answer) = client.post(&path, &body, Some(&self.key))?;
        assert_eq!(status, 200, "{} {}: {answer}", self.team, self.start);
        let position = answer["receipt"]["position"].as_u64().unwrap();
        let receipt = Some((position, answer["receipt"]["hash"].as_str().unwrap().to_owned()));
        assert!(self.receipt.is_none() || self.receipt == receipt, "{answer}");
        self.receipt = receipt;
        Ok(answer)
    }
}

/// Sends again what nobody answered, with the same keys; says what had become of it.
pub(crate) fn send_again(sent: &mut [Sent], client: &Client) -> String {
    let (mut written, mut lost) = (0, 0);
    for each in sent.iter_mut().filter(|each| each.receipt.is_none()) {
        let answer = each.deliver(client).unwrap();
        *(if answer["repeated"] == true { &mut written } else { &mut lost }) += 1;
    }
    format!("of those not answered, {written} had been written and {lost} not")
}
