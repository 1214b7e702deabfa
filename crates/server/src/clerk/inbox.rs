//! What waits for the desk, and the bell that calls it.
//!
//! Waking a thread costs about as much as deciding: the bell rings once for many petitions, when many are expected.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{Message, Waiting};

/// Where things are put in; cheap to clone.
#[derive(Clone)]
pub(super) struct Slot(Arc<Shared>);

/// The desk's end. When it is gone, nothing is taken any more.
pub(super) struct Inbox(Arc<Shared>);

/// Why something was not taken.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NotTaken {
    /// As many wait as may.
    Full,
    /// The desk is gone, or about to be.
    Closed,
}

struct Shared {
    contents: Mutex<Contents>,
    bell: Condvar,
}

#[derive(Default)]
struct Contents {
    petitions: Vec<Waiting>,
    /// When the first of them came.
    since: Option<Instant>,
    /// Whatever else is said to the desk: always worth ringing for.
    messages: Vec<Message>,
    /// How many of each may wait; none once the desk is to close.
    room: usize,
    /// How many petitions the bell rings for; not at all while the desk is awake.
    rings_at: Option<usize>,
}

/// An inbox with room for so many petitions, and for so much else.
pub(super) fn inbox(room: usize) -> (Slot, Inbox) {
    let contents = Mutex::new(Contents { room, ..Contents::default() });
    let shared = Arc::new(Shared { contents, bell: Condvar::new() });
    (Slot(shared.clone()), Inbox(shared))
}

impl Shared {
    fn open(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self, mut contents: MutexGuard<'_, Contents>, ring: bool) {
        if ring {
            contents.rings_at = None;
            drop(contents);
            self.bell.notify_one();
        }
    }
}

impl Slot {
    /// Puts a petition in, if there is room.
    pub(super) fn petition(&self, waiting: Waiting) -> Result<(), NotTaken> {
        let mut contents = self.0.open();
        contents.has_room_beside(contents.petitions.len())?;
        contents.since.get_or_insert_with(Instant::now);
        contents.petitions.push(waiting);
        let ring = contents.rings_at.is_some_and(|enough| contents.petitions.len() >= enough);
        self.0.close(contents, ring);
        Ok(())
    }

    /// Says something else, if there is room; that the desk is to close always has, and is the last thing said.
    pub(super) fn say(&self, message: Message) -> Result<(), NotTaken> {
        let mut contents = self.0.open();
        if matches!(message, Message::Close) {
            contents.room = 0;
        } else {
            contents.has_room_beside(contents.messages.len())?;
        }
        contents.messages.push(message);
        let ring = contents.rings_at.is_some();
        self.0.close(contents, ring);
        Ok(())
    }
}

impl Inbox {
    /// How many petitions wait.
    pub(super) fn petitions(&self) -> usize {
        self.0.open().petitions.len()
    }

    /// Takes nothing any more. Whoever still waits hears that nobody will answer.
    pub(super) fn shut(&self) {
        let left = std::mem::take(&mut *self.0.open());
        drop(left);
    }

    /// Waits until there is something to do and takes it: messages at once, petitions when there are `enough` of them,
    /// and however few there are when the `patience` is over. Of several that are waited for, the first waits no longer
    /// than `gathering`; nor does the desk, where none has come.
    pub(super) fn take(
        &self,
        (enough, most): (usize, usize),
        gathering: Duration,
        patience: Duration,
    ) -> (Vec<Message>, Vec<Waiting>) {
        let began = Instant::now();
        let mut contents = self.0.open();
        loop {
            let mut left = patience.saturating_sub(began.elapsed());
            if enough > 1 {
                let since = contents.since.unwrap_or(began);
                left = left.min(gathering.saturating_sub(since.elapsed()));
            }
            let ready = left.is_zero() || contents.petitions.len() >= enough;
            if ready || !contents.messages.is_empty() {
                contents.rings_at = None;
                let petitions = if ready { contents.take_petitions(most) } else { Vec::new() };
                return (std::mem::take(&mut contents.messages), petitions);
            }
            contents.rings_at = Some(enough);
            contents = self.0.bell.wait_timeout(contents, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Contents {
    fn has_room_beside(&self, others: usize) -> Result<(), NotTaken> {
        match self.room {
            0 => Err(NotTaken::Closed),
            room if others >= room => Err(NotTaken::Full),
            _ => Ok(()),
        }
    }

    fn take_petitions(&mut self, most: usize) -> Vec<Waiting> {
        let rest = match self.petitions.len() {
            all if all > most => self.petitions.split_off(most),
            all => Vec::with_capacity(all),
        };
        self.since = (!rest.is_empty()).then(Instant::now);
        std::mem::replace(&mut self.petitions, rest)
    }
}

impl Drop for Inbox {
    fn drop(&mut self) {
        self.shut();
    }
}

#[cfg(test)]
mod tests {
    use assize_kernel::{Actor, Moment, Role};
    use tokio::sync::oneshot;

    use super::*;
    use crate::Petition;

    const AN_HOUR: Duration = Duration::from_secs(3600);

    fn petition() -> Waiting {
        let (stream, actor) = ("contest/spring".parse().unwrap(), Actor::new(Role::Admin, "anna"));
        (Box::new(Petition::new(stream, Box::new(()), actor, Moment::from_millis(5))), oneshot::channel().0)
    }

    /// How many petitions and messages are taken.
    fn take(inbox: &Inbox, enough: usize, gathering: Duration, patience: Duration) -> (usize, usize) {
        let (messages, petitions) = inbox.take((enough, 4), gathering, patience);
        (petitions.len(), messages.len())
    }

    #[test]
    fn petitions_are_taken_when_there_are_enough_or_they_were_waited_for() {
        let (slot, inbox) = inbox(9);
        slot.petition(petition()).unwrap();
        assert_eq!(take(&inbox, 1, AN_HOUR, AN_HOUR), (1, 0));
        slot.petition(petition()).unwrap();
        assert_eq!(take(&inbox, 2, Duration::from_millis(1), AN_HOUR), (1, 0), "long enough");
        assert_eq!(take(&inbox, 1, AN_HOUR, Duration::from_millis(1)), (0, 0), "nobody has come");
        assert_eq!(take(&inbox, 2, Duration::from_millis(1), AN_HOUR), (0, 0), "none of several has come");
        slot.petition(petition()).unwrap();
        assert_eq!(take(&inbox, 2, AN_HOUR, Duration::from_millis(1)), (1, 0), "something else is due");
        let late = std::thread::spawn(move || (0..2).for_each(|_| slot.petition(petition()).unwrap()));
        assert_eq!(take(&inbox, 2, AN_HOUR, AN_HOUR), (2, 0));
        late.join().unwrap();
    }

    #[test]
    fn messages_do_not_wait_for_petitions_nor_take_them_along() {
        let (slot, inbox) = inbox(9);
        slot.petition(petition()).unwrap();
        slot.say(Message::Wake).unwrap();
        assert_eq!(take(&inbox, 2, AN_HOUR, AN_HOUR), (0, 1));
        let late = std::thread::spawn(move || slot.say(Message::Wake).unwrap());
        assert_eq!(take(&inbox, 2, AN_HOUR, AN_HOUR), (0, 1));
        late.join().unwrap();
        assert_eq!(inbox.petitions(), 1);
    }

    #[test]
    fn a_batch_is_taken_in_the_order_in_which_it_came_and_the_rest_later() {
        let (slot, inbox) = inbox(5);
        let came: Vec<_> = (0..5).map(|_| petition()).collect();
        let order: Vec<*const Petition> = came.iter().map(|(petition, _)| &raw const **petition).collect();
        came.into_iter().for_each(|petition| slot.petition(petition).unwrap());
        assert_eq!(slot.petition(petition()), Err(NotTaken::Full));
        let (_, first) = inbox.take((1, 4), AN_HOUR, AN_HOUR);
        let (_, rest) = inbox.take((1, 4), AN_HOUR, AN_HOUR);
        let taken = first.iter().chain(&rest).map(|(petition, _)| &raw const **petition);
        assert_eq!((first.len(), taken.collect::<Vec<_>>()), (4, order));
    }

    #[test]
    fn closing_can_always_be_said_and_nothing_is_put_in_after_it() {
        let (slot, inbox) = inbox(1);
        slot.say(Message::Wake).unwrap();
        assert_eq!(slot.say(Message::Wake), Err(NotTaken::Full));
        slot.petition(petition()).unwrap();
        slot.say(Message::Close).unwrap();
        assert_eq!(slot.petition(petition()), Err(NotTaken::Closed));
        assert_eq!(slot.say(Message::Wake), Err(NotTaken::Closed));
        assert_eq!(take(&inbox, 1, AN_HOUR, AN_HOUR), (1, 2), "what was put in before it is still there");
    }

    #[test]
    fn whoever_waits_when_the_desk_goes_hears_of_it() {
        let (slot, inbox) = inbox(1);
        let (reply, mut answer) = oneshot::channel();
        slot.petition((petition().0, reply)).unwrap();
        drop(inbox);
        assert!(answer.try_recv().is_err_and(|error| error == oneshot::error::TryRecvError::Closed));
        assert_eq!(slot.petition(petition()), Err(NotTaken::Closed));
    }
}
