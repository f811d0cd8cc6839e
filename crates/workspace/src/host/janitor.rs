//! Large things are dropped on a thread of their own: a tree of 8 MiB of text takes up to 0.4 s.

use std::any::Any;
use std::sync::mpsc::{Sender, channel};
use std::thread;

/// Takes what is to be dropped. Its thread ends with the last clone.
#[derive(Clone)]
pub(super) struct Janitor {
    spent: Sender<Box<dyn Any + Send>>,
}

impl Janitor {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system gives no thread.
    pub(super) fn start() -> std::io::Result<Janitor> {
        let (spent, waiting) = channel::<Box<dyn Any + Send>>();
        thread::Builder::new()
            .name("janitor".to_owned())
            .spawn(move || waiting.into_iter().for_each(drop))?;
        Ok(Janitor { spent })
    }

    /// Drops it elsewhere.
    pub(super) fn drop_later(&self, spent: Box<dyn Any + Send>) {
        // Without a janitor it is dropped here.
        let _ = self.spent.send(spent);
    }
}
