//! A queue between two threads, bounded in items and bytes.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// A queue between two threads. [`Queue::put`] never waits, so that a thread that holds a lock is
/// never blocked by a slow client; the thread that takes on new work calls [`Queue::wait_for_space`]
/// first.
pub(crate) struct Queue<T> {
    state: Mutex<QueueState<T>>,
    changed: Condvar,
    max: usize,
    max_bytes: usize,
}

struct QueueState<T> {
    items: VecDeque<(T, usize)>,
    bytes: usize,
    closed: bool,
    /// Whether the consumer is still working on the last item it took.
    busy: bool,
    /// The last time an item was taken, or the consumer reported progress.
    moved: Instant,
}

/// The outcome of [`Queue::take`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum TakeOutcome<T> {
    /// The oldest item.
    Item(T),
    /// No item arrived in time.
    Nothing,
    /// The queue is closed and empty.
    Closed,
}

/// The outcome of [`Queue::wait_for_space`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueueSpace {
    /// There is space.
    Yes,
    /// Nothing has moved during the whole wait.
    Stuck,
    /// The queue is closed.
    Closed,
}

impl<T> Queue<T> {
    /// Returns a queue that has space below `max` items and `max_bytes` bytes.
    pub(crate) fn new(max: usize, max_bytes: usize) -> Queue<T> {
        Queue {
            state: Mutex::new(QueueState {
                items: VecDeque::new(),
                bytes: 0,
                closed: false,
                busy: false,
                moved: Instant::now(),
            }),
            changed: Condvar::new(),
            max,
            max_bytes,
        }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState<T>> {
        // The state is consistent at every point that could panic.
        self.state
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn wait<'a>(
        &self,
        state: MutexGuard<'a, QueueState<T>>,
        longest: Duration,
    ) -> MutexGuard<'a, QueueState<T>> {
        match self.changed.wait_timeout(state, longest) {
            Ok((state, _)) => state,
            Err(poisoned) => poisoned.into_inner().0,
        }
    }

    /// Appends an item of `bytes` bytes even if the queue is full. Returns `false` if it is closed.
    pub(crate) fn put(&self, item: T, bytes: usize) -> bool {
        let mut state = self.lock();
        if state.closed {
            return false;
        }
        if state.items.is_empty() {
            // An empty queue was not stuck, however long nothing moved.
            state.moved = Instant::now();
        }
        state.bytes += bytes;
        state.items.push_back((item, bytes));
        drop(state);
        self.changed.notify_all();
        true
    }

    /// Takes the oldest item, waiting at most `longest`. Items that were queued before it was
    /// closed are still returned.
    pub(crate) fn take(&self, longest: Duration) -> TakeOutcome<T> {
        let until = Instant::now() + longest;
        let mut state = self.lock();
        if std::mem::replace(&mut state.busy, false) {
            self.changed.notify_all();
        }
        loop {
            if let Some((item, bytes)) = state.items.pop_front() {
                state.bytes -= bytes;
                state.busy = true;
                state.moved = Instant::now();
                drop(state);
                self.changed.notify_all();
                return TakeOutcome::Item(item);
            }
            if state.closed {
                return TakeOutcome::Closed;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return TakeOutcome::Nothing;
            }
            state = self.wait(state, left);
        }
    }

    /// Records progress of the consumer.
    pub(crate) fn moved(&self) {
        self.lock().moved = Instant::now();
    }

    /// Waits for space. Gives up if nothing moves for `patience`.
    pub(crate) fn wait_for_space(&self, patience: Duration) -> QueueSpace {
        let mut state = self.lock();
        loop {
            if state.closed {
                return QueueSpace::Closed;
            }
            if state.items.len() < self.max && state.bytes < self.max_bytes {
                return QueueSpace::Yes;
            }
            let left = patience.saturating_sub(state.moved.elapsed());
            if left.is_zero() {
                return QueueSpace::Stuck;
            }
            state = self.wait(state, left);
        }
    }

    /// Waits until all items are taken and processed. Gives up if nothing moves for `patience`.
    pub(crate) fn drained(&self, patience: Duration) {
        let mut state = self.lock();
        while state.busy || !state.items.is_empty() {
            let left = patience.saturating_sub(state.moved.elapsed());
            if left.is_zero() {
                return;
            }
            state = self.wait(state, left);
        }
    }

    /// Closes the queue: no more items are accepted.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// Closes the queue and drops its items.
    pub(crate) fn abandon(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.bytes = 0;
        let items = std::mem::take(&mut state.items);
        drop(state);
        self.changed.notify_all();
        drop(items);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_millis(20);

    #[test]
    fn a_full_queue_has_no_space_but_still_accepts_items() {
        let queue = Queue::new(2, 100);
        assert_eq!(queue.wait_for_space(SOON), QueueSpace::Yes);
        queue.put("a", 1);
        assert_eq!(queue.wait_for_space(SOON), QueueSpace::Yes);
        queue.put("b", 1);
        assert_eq!(queue.wait_for_space(SOON), QueueSpace::Stuck);
        assert!(queue.put("c", 1));
        assert_eq!(queue.take(SOON), TakeOutcome::Item("a"));
        assert_eq!(queue.take(SOON), TakeOutcome::Item("b"));
        assert_eq!(queue.wait_for_space(SOON), QueueSpace::Yes);
    }

    #[test]
    fn a_queue_is_full_by_bytes_as_well_as_by_items() {
        let queue = Queue::new(100, 10);
        queue.put("a", 10);
        assert_eq!(queue.wait_for_space(SOON), QueueSpace::Stuck);
        queue.take(SOON);
        assert_eq!(queue.wait_for_space(SOON), QueueSpace::Yes);
    }

    #[test]
    fn a_queue_is_drained_when_the_last_item_is_processed() {
        let queue = Queue::new(2, 10);
        queue.put((), 1);
        let wait = || {
            let begun = Instant::now();
            queue.drained(SOON);
            begun.elapsed()
        };
        assert!(wait() >= SOON);
        queue.take(SOON);
        assert!(wait() >= SOON / 2, "taken, but not done with");
        queue.take(Duration::ZERO);
        queue.drained(Duration::from_secs(3600));
    }

    #[test]
    fn a_closed_queue_yields_its_items_and_an_abandoned_one_drops_them() {
        let queue = Queue::new(2, 10);
        queue.put(1, 1);
        queue.close();
        assert!(!queue.put(2, 1));
        assert_eq!(queue.take(SOON), TakeOutcome::Item(1));
        assert_eq!(queue.take(SOON), TakeOutcome::Closed);

        let queue = Queue::new(2, 10);
        queue.put(1, 1);
        queue.abandon();
        assert_eq!(queue.take(SOON), TakeOutcome::Closed);
        assert_eq!(queue.wait_for_space(SOON), QueueSpace::Closed);
    }
}
