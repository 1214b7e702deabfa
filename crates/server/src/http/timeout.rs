//! Timeout for a future.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tokio::time::sleep;

/// The output of a future; none after this time. Most futures are ready at the first poll and set no timer.
/// The timer is boxed, because inline it would enlarge every future that waits here.
pub(crate) async fn within<T>(time: Duration, work: impl Future<Output = T>) -> Option<T> {
    let mut work = pin!(work);
    let mut over = None;
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
