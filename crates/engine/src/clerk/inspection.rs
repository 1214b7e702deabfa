//! Reads of a stream's state. A read is answered only when everything it has seen is on disk.

use std::any::Any;

use assize_kernel::StreamId;
use tokio::sync::oneshot;

use super::ClerkError;

/// A waiting read of a stream.
pub(super) struct Inspection {
    pub(super) stream: StreamId,
    look: Box<dyn Look>,
}

/// A read without its types.
trait Look: Send {
    fn look(&mut self, state: Result<&dyn Any, ClerkError>);
    fn answer(self: Box<Self>);
}

struct TypedLook<S, T, F> {
    look: F,
    reply: oneshot::Sender<Result<T, ClerkError>>,
    seen: Option<Result<T, ClerkError>>,
    state: std::marker::PhantomData<fn(&S)>,
}

impl Inspection {
    /// A read by `look`, with the channel of its answer.
    pub(super) fn new<S: 'static, T: Send + 'static>(
        stream: StreamId,
        look: impl Fn(&S) -> T + Send + 'static,
    ) -> (Self, oneshot::Receiver<Result<T, ClerkError>>) {
        let (reply, answer) = oneshot::channel();
        let look = TypedLook { look, reply, seen: None, state: std::marker::PhantomData };
        (Self { stream, look: Box::new(look) }, answer)
    }

    /// Reads the state, instead of what an earlier call has read.
    pub(super) fn look(&mut self, state: Result<&dyn Any, ClerkError>) {
        self.look.look(state);
    }

    /// Sends what was read.
    pub(super) fn answer(self) {
        self.look.answer();
    }
}

impl<S: 'static, T: Send, F: Fn(&S) -> T + Send> Look for TypedLook<S, T, F> {
    fn look(&mut self, state: Result<&dyn Any, ClerkError>) {
        self.seen = Some(state.and_then(|state| match state.downcast_ref::<S>() {
            Some(state) => Ok((self.look)(state)),
            None => Err(ClerkError::Broken("a state of another court".into())),
        }));
    }

    fn answer(self: Box<Self>) {
        if let Some(seen) = self.seen {
            // The caller may have dropped the receiving end.
            drop(self.reply.send(seen));
        }
    }
}
