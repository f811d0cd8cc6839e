//! Standard input that ends only when the calls in flight are answered, so that a client may
//! write its questions, close its end and still read every answer.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, ReadBuf};
use tokio::time::Sleep;

/// How long the last calls may take once the client has closed its end.
const PATIENCE: Duration = Duration::from_secs(120);

/// How often the calls in flight are counted then; the first time also lets those begin that were
/// just read.
const LOOK: Duration = Duration::from_millis(50);

/// The calls in flight.
#[derive(Clone, Default)]
pub(crate) struct Calls(Arc<AtomicUsize>);

/// One call; over when it is dropped.
pub(crate) struct Call(Arc<AtomicUsize>);

impl Calls {
    /// A call begins.
    pub(crate) fn begin(&self) -> Call {
        self.0.fetch_add(1, Ordering::SeqCst);
        Call(self.0.clone())
    }

    fn none(&self) -> bool {
        self.0.load(Ordering::SeqCst) == 0
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A reader whose end waits for the calls in flight.
pub(crate) struct Patient<R> {
    inner: R,
    calls: Calls,
    ended: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl<R> Patient<R> {
    /// Reads from `inner`.
    pub(crate) fn new(inner: R, calls: Calls) -> Patient<R> {
        Patient {
            inner,
            calls,
            ended: None,
        }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Patient<R> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.ended.is_none() {
            let before = buffer.filled().len();
            ready!(Pin::new(&mut this.inner).poll_read(context, buffer))?;
            if buffer.filled().len() > before {
                return Poll::Ready(Ok(()));
            }
        }
        let (since, sleep) = this
            .ended
            .get_or_insert_with(|| (Instant::now(), Box::pin(tokio::time::sleep(LOOK))));
        loop {
            ready!(sleep.as_mut().poll(context));
            if this.calls.none() || since.elapsed() > PATIENCE {
                return Poll::Ready(Ok(()));
            }
            sleep.set(tokio::time::sleep(LOOK));
        }
    }
}
