//! The socket to the server, as far as its end goes.

use std::io;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, MutexGuard};

/// Ends the connection to the server from any thread, also one that is made later.
#[derive(Clone, Default)]
pub(super) struct ServerLink(Arc<Mutex<LinkState>>);

#[derive(Default)]
struct LinkState {
    stream: Option<UnixStream>,
    ended: bool,
}

impl ServerLink {
    fn lock(&self) -> MutexGuard<'_, LinkState> {
        // The state is whole at every moment that could panic.
        self.0.lock().unwrap_or_else(|broken| broken.into_inner())
    }

    /// The connection stands.
    ///
    /// # Errors
    /// It was ended before, or no handle could be had.
    pub(super) fn begin(&self, stream: &UnixStream) -> io::Result<()> {
        let mut state = self.lock();
        if state.ended {
            return Err(io::ErrorKind::NotConnected.into());
        }
        state.stream = Some(stream.try_clone()?);
        Ok(())
    }

    /// Whether [`ServerLink::end`] was called.
    pub(super) fn has_ended(&self) -> bool {
        self.lock().ended
    }

    /// Ends it for both sides.
    pub(super) fn end(&self) {
        let mut state = self.lock();
        state.ended = true;
        if let Some(stream) = state.stream.take() {
            // A peer that has gone already is as good.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}
