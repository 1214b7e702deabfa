//! Waiting for something, and not for ever.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tokio::time::sleep;

/// What comes of some work; none when it takes longer than this. Most is done when it is first looked at, and sets no
/// timer. Nor is there room for one in whatever waits here: it would have to be kept apart in memory with all of that.
pub(super) async fn within<T>(time: Duration, work: impl Future<Output = T>) -> Option<T> {
    let (mut work, mut over) = (pin!(work), None);
    poll_fn(|context| match work.as_mut().poll(context) {
        Poll::Ready(done) => Poll::Ready(Some(done)),
        Poll::Pending => {
            let over = over.get_or_insert_with(|| Box::pin(sleep(time)));
            over.as_mut().poll(context).map(|()| None)
        }
    })
    .await
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use tokio::task::yield_now;

    use super::*;

    #[tokio::test]
    async fn what_comes_is_taken_and_what_never_comes_is_given_up() {
        let an_hour = Duration::from_secs(3600);
        assert_eq!(within(Duration::ZERO, ready(7)).await, Some(7));
        assert_eq!(within(an_hour, yield_now()).await, Some(()));
        assert_eq!(within(Duration::from_millis(1), pending::<()>()).await, None);
    }
}
