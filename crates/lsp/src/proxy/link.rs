//! The sockets to the servers, as a handle that any thread can shut down.

use std::collections::BTreeMap;
use std::io;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, MutexGuard};

/// Shuts down the connections to the servers from any thread, even those that are established later.
#[derive(Clone, Default)]
pub(super) struct ServerLinks(Arc<Mutex<LinkStates>>);

#[derive(Default)]
struct LinkStates {
    /// By number of the server.
    streams: BTreeMap<usize, UnixStream>,
    ended: bool,
}

impl ServerLinks {
    fn lock(&self) -> MutexGuard<'_, LinkStates> {
        // The state is consistent at every point that could panic.
        self.0.lock().unwrap_or_else(|broken| broken.into_inner())
    }

    /// Registers the established connection to a server.
    ///
    /// # Errors
    /// All were shut down before, or the handle could not be cloned.
    pub(super) fn begin(&self, server: usize, stream: &UnixStream) -> io::Result<()> {
        let mut state = self.lock();
        if state.ended {
            return Err(io::ErrorKind::NotConnected.into());
        }
        state.streams.insert(server, stream.try_clone()?);
        Ok(())
    }

    /// Returns whether [`ServerLinks::end`] was called.
    pub(super) fn has_ended(&self) -> bool {
        self.lock().ended
    }

    /// Shuts the connection to one server down for both sides.
    pub(super) fn end_one(&self, server: usize) {
        if let Some(stream) = self.lock().streams.remove(&server) {
            shut(&stream);
        }
    }

    /// Shuts all connections down for both sides.
    pub(super) fn end(&self) {
        let mut state = self.lock();
        state.ended = true;
        std::mem::take(&mut state.streams).values().for_each(shut);
    }
}

fn shut(stream: &UnixStream) {
    // An error means that the peer has gone already.
    let _ = stream.shutdown(Shutdown::Both);
}
