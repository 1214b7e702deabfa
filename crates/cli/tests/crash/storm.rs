//! Load: many connections that submit distinct answers as fast as they can and record the responses.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use assize_testbed::client::Client;
use assize_testbed::contest::Contest;
use assize_testbed::server::Server;

use crate::common::{Sent, Team, hunt_at, open_hunt};
use crate::dice::Dice;

const CONNECTIONS: u64 = 16;
/// Teams that every connection submits for and that never find it.
const CROWD: u64 = 8;

/// A hunt with a crowd.
pub(crate) struct Arena {
    /// The organiser's token.
    token: String,
    crowd: Vec<Team>,
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
        let contest = open_hunt(server);
        let crowd = (0..CROWD).map(|number| Team::register(&contest, &format!("crowd-{number}"))).collect();
        Self { token: contest.admin.token, crowd }
    }

    pub(crate) fn contest(&self, server: &Server) -> Contest {
        hunt_at(server, &self.token)
    }

    /// The connections of a round, spread over the servers, each with a new team.
    pub(crate) fn connections(&self, servers: &[&Server], round: u64, dice: &mut Dice) -> Vec<Connection> {
        let numbers = round * CONNECTIONS..(round + 1) * CONNECTIONS;
        let connect = |(number, server): (u64, &&Server)| Connection {
            client: server.client(""),
            own: Team::register(&self.contest(server), &format!("finder-{number}")),
            crowd: self.crowd.clone(),
            dice: dice.fork(),
            number,
        };
        numbers.zip(servers.iter().cycle()).map(connect).collect()
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
            let told = next.deliver(&self.client);
            sent.push(next);
            let Ok((status, answer)) = told else { break };
            assert_eq!(status, 200, "{answer}");
            weather.acknowledged.fetch_add(1, Ordering::Relaxed);
        }
        sent
    }

    /// Its own team guesses, finds it once and is done; between that it guesses for the crowd.
    fn next(&mut self, count: u64, found_at: u64) -> Sent {
        let guess = (self.number + 1) * 1_000_000 + count;
        let pick = usize::try_from(self.dice.within(0..CROWD)).unwrap();
        if count == found_at {
            Sent::find(&self.own)
        } else if count < found_at && count.is_multiple_of(3) {
            Sent::guess(&self.own, guess)
        } else {
            Sent::guess(&self.crowd[pick], guess)
        }
    }
}
