//! A queue between two threads, bounded in number and bytes.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// What waits between two threads. Putting in never waits, so that no thread that holds anything is
/// ever held up by a client; who makes work for the queue waits for room before it makes more.
pub(crate) struct Queue<T> {
    state: Mutex<QueueState<T>>,
    changed: Condvar,
    most: usize,
    most_bytes: usize,
}

struct QueueState<T> {
    items: VecDeque<(T, usize)>,
    bytes: usize,
    closed: bool,
    /// Whether the thread behind the queue has not come back for the next item.
    busy: bool,
    /// When something last moved out of the queue, or through the thread behind it.
    moved: Instant,
}

/// What came of waiting.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum TakeOutcome<T> {
    /// The oldest.
    Item(T),
    /// Nothing came in time.
    Nothing,
    /// Nothing will come.
    Closed,
}

/// Whether there is room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueueRoom {
    /// There is.
    Yes,
    /// Nothing has moved for as long as was waited for.
    Stuck,
    /// The queue is closed.
    Closed,
}

impl<T> Queue<T> {
    /// A queue that has room below `most` items and `most_bytes` bytes.
    pub(crate) fn new(most: usize, most_bytes: usize) -> Queue<T> {
        Queue {
            state: Mutex::new(QueueState {
                items: VecDeque::new(),
                bytes: 0,
                closed: false,
                busy: false,
                moved: Instant::now(),
            }),
            changed: Condvar::new(),
            most,
            most_bytes,
        }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState<T>> {
        // The state is whole at every moment that could panic.
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

    /// Puts an item of `bytes` bytes in, room or not. `false`: the queue is closed.
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

    /// Takes the oldest item out; waits for one at most `longest`. What stood in a queue when it
    /// was closed still comes out.
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

    /// The thread behind the queue has got something done.
    pub(crate) fn moved(&self) {
        self.lock().moved = Instant::now();
    }

    /// Waits for room, as long as something moves each `patience`.
    pub(crate) fn room(&self, patience: Duration) -> QueueRoom {
        let mut state = self.lock();
        loop {
            if state.closed {
                return QueueRoom::Closed;
            }
            if state.items.len() < self.most && state.bytes < self.most_bytes {
                return QueueRoom::Yes;
            }
            let left = patience.saturating_sub(state.moved.elapsed());
            if left.is_zero() {
                return QueueRoom::Stuck;
            }
            state = self.wait(state, left);
        }
    }

    /// Waits until all is taken out and done with, as long as something moves each `patience`.
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

    /// Nothing more comes in.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// Nothing more comes in, and what is in it goes.
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
    fn a_full_queue_has_no_room_but_refuses_nothing() {
        let queue = Queue::new(2, 100);
        assert_eq!(queue.room(SOON), QueueRoom::Yes);
        queue.put("a", 1);
        assert_eq!(queue.room(SOON), QueueRoom::Yes);
        queue.put("b", 1);
        assert_eq!(queue.room(SOON), QueueRoom::Stuck);
        assert!(queue.put("c", 1));
        assert_eq!(queue.take(SOON), TakeOutcome::Item("a"));
        assert_eq!(queue.take(SOON), TakeOutcome::Item("b"));
        assert_eq!(queue.room(SOON), QueueRoom::Yes);
    }

    #[test]
    fn bytes_count_as_items_do() {
        let queue = Queue::new(100, 10);
        queue.put("a", 10);
        assert_eq!(queue.room(SOON), QueueRoom::Stuck);
        queue.take(SOON);
        assert_eq!(queue.room(SOON), QueueRoom::Yes);
    }

    #[test]
    fn a_queue_is_drained_when_the_last_item_is_done_with() {
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
    fn what_stood_in_a_closed_queue_comes_out_and_of_an_abandoned_one_nothing() {
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
        assert_eq!(queue.room(SOON), QueueRoom::Closed);
    }
}
