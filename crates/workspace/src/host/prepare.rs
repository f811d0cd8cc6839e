//! The preparer: lowers large texts on a thread of its own, so that no write waits for them.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use codeweft_db::{FileIr, Shared};

use crate::project::{NewText, RecentTrees};
use crate::sync::{lock, wait};

/// The stack of the thread, in bytes: lowering recurses with the code.
const STACK: usize = 32 << 20;

/// Lowers one text after the other; a newer text of a path replaces the older one.
#[derive(Default)]
pub(super) struct Preparer {
    state: Mutex<LoweringQueue>,
    woken: Condvar,
}

#[derive(Default)]
struct LoweringQueue {
    waiting: VecDeque<NewText>,
    current: Option<CurrentLowering>,
    ended: bool,
}

struct CurrentLowering {
    path: Arc<str>,
    stop: Arc<AtomicBool>,
}

impl Preparer {
    /// Starts the thread; `done` is called with each lowered text that was not forgotten meanwhile, with `None`
    /// if lowering panicked.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub(super) fn start(
        tables: Arc<Shared>,
        done: impl Fn(NewText, Option<FileIr>) + Send + 'static,
    ) -> std::io::Result<Arc<Preparer>> {
        let preparer: Arc<Preparer> = Arc::default();
        let serving = preparer.clone();
        thread::Builder::new()
            .name("prepare".to_owned())
            .stack_size(STACK)
            .spawn(move || serving.serve(&tables, &done))?;
        Ok(preparer)
    }

    /// Queues a text and drops an older one of the same path.
    pub(super) fn take(&self, text: NewText) {
        let mut state = lock(&self.state);
        state.forget(&text.path);
        state.waiting.push_back(text);
        drop(state);
        self.woken.notify_all();
    }

    /// Drops or stops the text of a path.
    pub(super) fn forget(&self, path: &str) {
        lock(&self.state).forget(path);
    }

    /// Ends the thread.
    pub(super) fn end(&self) {
        let mut state = lock(&self.state);
        state.ended = true;
        if let Some(current) = &state.current {
            current.stop.store(true, Ordering::SeqCst);
        }
        drop(state);
        self.woken.notify_all();
    }

    fn serve(&self, tables: &Shared, done: &dyn Fn(NewText, Option<FileIr>)) {
        let mut trees = RecentTrees::of(1);
        while let Some((text, stop)) = self.next() {
            let stopped = || stop.load(Ordering::Relaxed);
            let ir = trees.lower(tables, &text.path, &text.text, text.lang, &stopped);
            let stopped = stopped();
            lock(&self.state).current = None;
            if !stopped {
                done(text, ir);
            }
        }
    }

    fn next(&self) -> Option<(NewText, Arc<AtomicBool>)> {
        let mut state = lock(&self.state);
        loop {
            if state.ended {
                return None;
            }
            if let Some(text) = state.waiting.pop_front() {
                let stop = Arc::new(AtomicBool::new(false));
                state.current = Some(CurrentLowering {
                    path: text.path.clone(),
                    stop: stop.clone(),
                });
                return Some((text, stop));
            }
            state = wait(&self.woken, state);
        }
    }
}

impl LoweringQueue {
    fn forget(&mut self, path: &str) {
        self.waiting.retain(|text| *text.path != *path);
        if let Some(current) = &self.current
            && *current.path == *path
        {
            current.stop.store(true, Ordering::SeqCst);
        }
    }
}
