//! Requests to an analysis host: priorities, options, responses and errors.

use std::sync::Arc;
use std::time::{Duration, Instant};

use codeweft_db::RequestCancellation;
use codeweft_vfs::ClientId;

/// The priority of a request; earlier variants are scheduled first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Priority {
    /// A person at an editor waits.
    Editor,
    /// An agent waits, for a response that takes milliseconds.
    Agent,
    /// A request that may read the whole graph: depth above 2, path, impact.
    Deep,
    /// Work that no client waits for: priming.
    Background,
}

impl Priority {
    /// Returns one word for people.
    pub fn word(self) -> &'static str {
        match self {
            Priority::Editor => "editor",
            Priority::Agent => "agent",
            Priority::Deep => "deep",
            Priority::Background => "background",
        }
    }
}

/// The number of a change; later changes have greater numbers. 0 is no change: what is loaded first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct ChangeId(pub u64);

/// The options of a request.
#[derive(Clone, Debug)]
pub struct RequestOptions {
    /// The client that waits for the response.
    pub client: ClientId,
    /// The queue that it waits in.
    pub class: Priority,
    /// A method or an operation, for statistics and logs.
    pub operation: &'static str,
    /// Ends the work; the frontend fires it if the client cancels or disconnects. The completion callback
    /// runs inside [`RequestCancellation::cancel`] then, on the thread that fires.
    pub cancel: RequestCancellation,
    /// The response is of a revision that contains this change.
    pub after: ChangeId,
    /// The time at which the request fails with [`RequestError::Deadline`].
    pub deadline: Instant,
    /// Documents that the request has positions in, by absolute path, each with the text that its client
    /// has: if the database has another one, the request fails with [`RequestError::Stale`].
    pub documents: Vec<(Arc<str>, Arc<str>)>,
}

impl RequestOptions {
    /// Returns options without documents, with a deadline `patience` from now.
    pub fn new(
        client: ClientId,
        class: Priority,
        after: ChangeId,
        patience: Duration,
    ) -> RequestOptions {
        let deadline = Instant::now() + patience;
        RequestOptions {
            client,
            class,
            operation: "",
            cancel: RequestCancellation::at(deadline),
            after,
            deadline,
            documents: Vec::new(),
        }
    }
}

/// The value of a request, and the revision that it is of.
#[derive(Clone, Debug)]
pub struct Response<T> {
    /// The value that the request returned.
    pub value: T,
    /// The revision that it was computed in.
    pub revision: u64,
    /// The files, as answers print them, whose text differs from the disk's; sorted.
    pub unsaved: Arc<[String]>,
}

/// The reason why a request has no value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RequestError {
    /// The client has cancelled it or disconnected.
    #[error("cancelled")]
    Cancelled,
    /// A document has another text than at its client, or writes cancelled too many attempts.
    #[error("the content was modified")]
    Stale,
    /// The deadline has passed.
    #[error("it took longer than the deadline")]
    Deadline,
    /// It panicked, with this message.
    #[error("it broke inside: {0}")]
    Panicked(String),
    /// The workspace is still being loaded: files read so far, and of how many.
    #[error("the workspace is still being read ({0} of {1} files)")]
    Loading(usize, usize),
    /// The workspace could not be loaded, with the reason.
    #[error("{0}")]
    Failed(String),
    /// Too many requests at once, of this client or of all.
    #[error("too many questions at once")]
    Full,
}
