//! The bounded queue of the decide loop, with batched wake-up.
//!
//! Waking a thread costs about as much as deciding a petition. When many petitions are expected, senders wake
//! the loop once for several of them.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{LoopMessage, Waiting};

/// The sending half; cheap to clone.
#[derive(Clone)]
pub(super) struct PetitionSender(Arc<SharedQueue>);

/// The receiving half. Dropping it closes the queue.
pub(super) struct PetitionReceiver(Arc<SharedQueue>);

/// Why something was not queued.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SendError {
    /// The queue is full.
    Full,
    /// The decide loop has ended or is closing.
    Closed,
}

struct SharedQueue {
    contents: Mutex<QueueState>,
    ready: Condvar,
}

#[derive(Default)]
struct QueueState {
    petitions: Vec<Waiting>,
    /// When the first of the petitions was queued.
    since: Option<Instant>,
    /// Messages wake the loop at once.
    messages: Vec<LoopMessage>,
    /// Capacity for petitions, and the same again for messages; 0 once the queue is closed.
    capacity: usize,
    /// Number of petitions at which the loop is woken; `None` while it is awake.
    wake_at: Option<usize>,
}

/// A queue with room for `capacity` petitions and as many messages.
pub(super) fn petition_queue(capacity: usize) -> (PetitionSender, PetitionReceiver) {
    let contents = Mutex::new(QueueState { capacity, ..QueueState::default() });
    let shared = Arc::new(SharedQueue { contents, ready: Condvar::new() });
    (PetitionSender(shared.clone()), PetitionReceiver(shared))
}

impl SharedQueue {
    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unlock(&self, mut contents: MutexGuard<'_, QueueState>, wake: bool) {
        if wake {
            contents.wake_at = None;
            drop(contents);
            self.ready.notify_one();
        }
    }
}

impl PetitionSender {
    /// Queues a petition.
    pub(super) fn send(&self, waiting: Waiting) -> Result<(), SendError> {
        let mut contents = self.0.lock();
        contents.check_room(contents.petitions.len())?;
        contents.since.get_or_insert_with(Instant::now);
        contents.petitions.push(waiting);
        let wake = contents.wake_at.is_some_and(|wake_at| contents.petitions.len() >= wake_at);
        self.0.unlock(contents, wake);
        Ok(())
    }

    /// Queues a message. `Close` is accepted even if the queue is full, and closes it.
    pub(super) fn send_message(&self, message: LoopMessage) -> Result<(), SendError> {
        let mut contents = self.0.lock();
        if matches!(message, LoopMessage::Close) {
            contents.capacity = 0;
        } else {
            contents.check_room(contents.messages.len())?;
        }
        contents.messages.push(message);
        let wake = contents.wake_at.is_some();
        self.0.unlock(contents, wake);
        Ok(())
    }
}

impl PetitionReceiver {
    /// Number of queued petitions.
    pub(super) fn petitions(&self) -> usize {
        self.0.lock().petitions.len()
    }

    /// Closes the queue and drops its contents; their callers get
    /// [`ClerkError::Closing`](super::ClerkError::Closing).
    pub(super) fn close(&self) {
        let left = std::mem::take(&mut *self.0.lock());
        drop(left);
    }

    /// Waits for messages or petitions and takes them, at most `most` petitions. Returns at the first
    /// message, at `wake_at` petitions, or after `idle_timeout` with whatever is there. When `wake_at` is
    /// more than one, also `max_batch_delay` after the first petition, or after the call if there is none.
    pub(super) fn take(
        &self,
        wake_at: usize,
        most: usize,
        max_batch_delay: Duration,
        idle_timeout: Duration,
    ) -> (Vec<LoopMessage>, Vec<Waiting>) {
        let began = Instant::now();
        let mut contents = self.0.lock();
        loop {
            let mut left = idle_timeout.saturating_sub(began.elapsed());
            if wake_at > 1 {
                let since = contents.since.unwrap_or(began);
                left = left.min(max_batch_delay.saturating_sub(since.elapsed()));
            }
            let ready = left.is_zero() || contents.petitions.len() >= wake_at;
            if ready || !contents.messages.is_empty() {
                contents.wake_at = None;
                let petitions = if ready { contents.take_petitions(most) } else { Vec::new() };
                return (std::mem::take(&mut contents.messages), petitions);
            }
            contents.wake_at = Some(wake_at);
            contents = self.0.ready.wait_timeout(contents, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl QueueState {
    fn check_room(&self, queued: usize) -> Result<(), SendError> {
        match self.capacity {
            0 => Err(SendError::Closed),
            capacity if queued >= capacity => Err(SendError::Full),
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

impl Drop for PetitionReceiver {
    fn drop(&mut self) {
        self.close();
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
        let stream = "contest/spring".parse().unwrap();
        let actor = Actor::new(Role::Admin, "anna");
        (Box::new(Petition::new(stream, Box::new(()), actor, Moment::from_millis(5))), oneshot::channel().0)
    }

    /// The number of petitions and messages taken.
    fn take(
        receiver: &PetitionReceiver,
        wake_at: usize,
        max_batch_delay: Duration,
        idle_timeout: Duration,
    ) -> (usize, usize) {
        let (messages, petitions) = receiver.take(wake_at, 4, max_batch_delay, idle_timeout);
        (petitions.len(), messages.len())
    }

    #[test]
    fn petitions_are_taken_at_the_threshold_or_after_the_delay() {
        let (sender, receiver) = petition_queue(9);
        sender.send(petition()).unwrap();
        assert_eq!(take(&receiver, 1, AN_HOUR, AN_HOUR), (1, 0));
        sender.send(petition()).unwrap();
        assert_eq!(take(&receiver, 2, Duration::from_millis(1), AN_HOUR), (1, 0), "the delay is over");
        assert_eq!(take(&receiver, 1, AN_HOUR, Duration::from_millis(1)), (0, 0), "idle timeout");
        assert_eq!(
            take(&receiver, 2, Duration::from_millis(1), AN_HOUR),
            (0, 0),
            "the delay is over without a petition"
        );
        sender.send(petition()).unwrap();
        assert_eq!(
            take(&receiver, 2, AN_HOUR, Duration::from_millis(1)),
            (1, 0),
            "idle timeout with a petition"
        );
        let late = std::thread::spawn(move || (0..2).for_each(|_| sender.send(petition()).unwrap()));
        assert_eq!(take(&receiver, 2, AN_HOUR, AN_HOUR), (2, 0));
        late.join().unwrap();
    }

    #[test]
    fn messages_are_taken_at_once_without_petitions() {
        let (sender, receiver) = petition_queue(9);
        sender.send(petition()).unwrap();
        sender.send_message(LoopMessage::Wake).unwrap();
        assert_eq!(take(&receiver, 2, AN_HOUR, AN_HOUR), (0, 1));
        let late = std::thread::spawn(move || sender.send_message(LoopMessage::Wake).unwrap());
        assert_eq!(take(&receiver, 2, AN_HOUR, AN_HOUR), (0, 1));
        late.join().unwrap();
        assert_eq!(receiver.petitions(), 1);
    }

    #[test]
    fn petitions_are_taken_in_order_up_to_the_batch_size() {
        let (sender, receiver) = petition_queue(5);
        let came: Vec<_> = (0..5).map(|_| petition()).collect();
        let order: Vec<*const Petition> = came.iter().map(|(petition, _)| &raw const **petition).collect();
        came.into_iter().for_each(|petition| sender.send(petition).unwrap());
        assert_eq!(sender.send(petition()), Err(SendError::Full));
        let (_, first) = receiver.take(1, 4, AN_HOUR, AN_HOUR);
        let (_, rest) = receiver.take(1, 4, AN_HOUR, AN_HOUR);
        let taken = first.iter().chain(&rest).map(|(petition, _)| &raw const **petition);
        assert_eq!((first.len(), taken.collect::<Vec<_>>()), (4, order));
    }

    #[test]
    fn a_full_queue_accepts_close_and_nothing_after_it() {
        let (sender, receiver) = petition_queue(1);
        sender.send_message(LoopMessage::Wake).unwrap();
        assert_eq!(sender.send_message(LoopMessage::Wake), Err(SendError::Full));
        sender.send(petition()).unwrap();
        sender.send_message(LoopMessage::Close).unwrap();
        assert_eq!(sender.send(petition()), Err(SendError::Closed));
        assert_eq!(sender.send_message(LoopMessage::Wake), Err(SendError::Closed));
        assert_eq!(take(&receiver, 1, AN_HOUR, AN_HOUR), (1, 2), "earlier contents are still taken");
    }

    #[test]
    fn dropping_the_receiver_closes_the_queue_and_drops_replies() {
        let (sender, receiver) = petition_queue(1);
        let (reply, mut answer) = oneshot::channel();
        sender.send((petition().0, reply)).unwrap();
        drop(receiver);
        assert!(answer.try_recv().is_err_and(|error| error == oneshot::error::TryRecvError::Closed));
        assert_eq!(sender.send(petition()), Err(SendError::Closed));
    }
}
