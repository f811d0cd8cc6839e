//! The janitor drops garbage on a thread of its own: the syntax tree of 8 MiB of text takes up to 0.4 s.

use std::any::Any;
use std::sync::mpsc::{Sender, channel};
use std::thread;

/// A handle of the janitor thread, which ends with the last clone.
#[derive(Clone)]
pub(super) struct Janitor {
    garbage: Sender<Box<dyn Any + Send>>,
}

impl Janitor {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub(super) fn start() -> std::io::Result<Janitor> {
        let (garbage, waiting) = channel::<Box<dyn Any + Send>>();
        thread::Builder::new()
            .name("janitor".to_owned())
            .spawn(move || waiting.into_iter().for_each(drop))?;
        Ok(Janitor { garbage })
    }

    /// Drops a value on the janitor thread.
    pub(super) fn drop_later(&self, garbage: Box<dyn Any + Send>) {
        // If the thread has ended, the value is dropped here.
        let _ = self.garbage.send(garbage);
    }
}
