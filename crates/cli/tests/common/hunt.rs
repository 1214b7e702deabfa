//! Fixture: a contest with one long task, answers to it, and the responses to them.

use assize_testbed::client::{Client, Lost};
use assize_testbed::contest::{Contest, POINTS, right_answer, wrong_answer};
use assize_testbed::server::Server;
use serde_json::Value;

pub(super) const CONTEST: &str = "spring";
pub(super) const TASK: &str = "hunt";

/// A team with its token.
#[derive(Clone)]
pub(crate) struct Team {
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

/// Opens the contest and starts its task.
pub(crate) fn open_hunt(server: &Server) -> Contest {
    let contest = Contest::open(server, &server.admin_token(), CONTEST);
    contest.run_task(TASK, 36_000.0, 0.0);
    contest
}

/// The same contest at another server.
pub(crate) fn hunt_at(server: &Server, token: &str) -> Contest {
    Contest::at(server, token, CONTEST)
}

impl Team {
    pub(crate) fn register(contest: &Contest, name: &str) -> Self {
        Self { token: contest.register(name), name: name.to_owned() }
    }
}

impl Sent {
    /// A wrong answer; the number must be another one each time.
    pub(crate) fn guess(team: &Team, number: u64) -> Self {
        let Team { name, token } = team.clone();
        Self { team: name, start: number, receipt: None, token, key: format!("key-{number}") }
    }

    /// The right answer.
    pub(crate) fn find(team: &Team) -> Self {
        Self::guess(team, POINTS[0])
    }

    /// Sends it, for the first time or once more, and keeps the receipt; a second one must be the first.
    pub(crate) fn deliver(&mut self, client: &Client) -> Result<(u16, Value), Lost> {
        let body = if self.start == POINTS[0] { right_answer() } else { wrong_answer(self.start) };
        let client = client.with_token(&self.token);
        let path = format!("/api/v1/contests/{CONTEST}/tasks/{TASK}/submissions");
        let (status, answer) = client.post(&path, &body, Some(&self.key))?;
        if status == 200 {
            let position = answer["receipt"]["position"].as_u64().unwrap();
            let receipt = Some((position, answer["receipt"]["hash"].as_str().unwrap().to_owned()));
            assert!(self.receipt.is_none() || self.receipt == receipt, "{answer}");
            self.receipt = receipt;
        }
        Ok((status, answer))
    }
}

/// Sends again what nobody answered, with the same keys; says what had become of it.
pub(crate) fn send_again(sent: &mut [Sent], client: &Client) -> String {
    let (mut written, mut lost) = (0, 0);
    for each in sent.iter_mut().filter(|each| each.receipt.is_none()) {
        let (status, answer) = each.deliver(client).unwrap();
        assert_eq!(status, 200, "{answer}");
        *(if answer["repeated"] == true { &mut written } else { &mut lost }) += 1;
    }
    format!("of those not answered, {written} had been written and {lost} not")
}
