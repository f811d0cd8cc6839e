//! The socket to the server, as a handle that any thread can shut down.

use std::io;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, MutexGuard};

/// Shuts down the connection to the server from any thread, even one that is established later.
#[derive(Clone, Default)]
pub(super) struct ServerLink(Arc<Mutex<LinkState>>);

#[derive(Default)]
struct LinkState {
    stream: Option<UnixStream>,
    ended: bool,
}

impl ServerLink {
    fn lock(&self) -> MutexGuard<'_, LinkState> {
        // The state is consistent at every point that could panic.
        self.0.lock().unwrap_or_else(|broken| broken.into_inner())
    }

    /// Registers the established connection.
    ///
    /// # Errors
    /// It was shut down before, or the handle could not be cloned.
    pub(super) fn begin(&self, stream: &UnixStream) -> io::Result<()> {
        let mut state = self.lock();
        if state.ended {
            return Err(io::ErrorKind::NotConnected.into());
        }
        state.stream = Some(stream.try_clone()?);
        Ok(())
    }

    /// Returns whether [`ServerLink::end`] was called.
    pub(super) fn has_ended(&self) -> bool {
        self.lock().ended
    }

    /// Shuts the connection down for both sides.
    pub(super) fn end(&self) {
        let mut state = self.lock();
        state.ended = true;
        if let Some(stream) = state.stream.take() {
            // An error means that the peer has gone already.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}
