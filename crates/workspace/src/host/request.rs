//! What a question brings along, and what comes of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use codeweft_db::RequestCancellation;
use codeweft_vfs::ClientId;

/// Who waits for an answer; the first goes before the next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Priority {
    /// A person at an editor.
    Editor,
    /// An agent, with a question that is answered in milliseconds.
    Agent,
    /// A question that may read the whole graph: depth above 2, path, impact.
    Deep,
    /// Nobody.
    Background,
}

impl Priority {
    /// One word for people.
    pub fn word(self) -> &'static str {
        match self {
            Priority::Editor => "editor",
            Priority::Agent => "agent",
            Priority::Deep => "deep",
            Priority::Background => "background",
        }
    }
}

/// The number of a change; later changes have greater ones. The first is 0: nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct ChangeId(pub u64);

/// What a question brings along.
#[derive(Clone, Debug)]
pub struct RequestOptions {
    /// Who asks.
    pub client: ClientId,
    /// How urgent it is.
    pub class: Priority,
    /// What is asked, for figures and logs: a method or an operation.
    pub operation: &'static str,
    /// Ends the work; the door fires it where the client cancels or goes. `done` is called inside
    /// [`RequestCancellation::cancel`] then, on the thread that fires.
    pub cancel: RequestCancellation,
    /// The answer is of a revision that shows this change.
    pub after: ChangeId,
    /// When it is given up.
    pub deadline: Instant,
    /// Documents whose positions the question speaks of, each with the text that its client has:
    /// where that is not the database's, the answer is [`Stop::Stale`]. Absolute paths.
    pub documents: Vec<(Arc<str>, Arc<str>)>,
}

impl RequestOptions {
    /// A question without documents, given up after `patience`.
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

/// An answer and what it is of.
#[derive(Clone, Debug)]
pub struct Response<T> {
    /// What the question gave.
    pub value: T,
    /// The revision that it was asked of.
    pub revision: u64,
    /// The files, as answers print them, whose text is not the disk's; sorted.
    pub unsaved: Arc<[String]>,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RequestError {
    /// The client has cancelled it, or has gone.
    #[error("cancelled")]
    Cancelled,
    /// A document is not as its client has it, or writes did not let the question end.
    #[error("the content was modified")]
    Stale,
    /// It took too long.
    #[error("it took longer than the deadline")]
    Deadline,
    /// It broke: what the panic said.
    #[error("it broke inside: {0}")]
    Panicked(String),
    /// The workspace is still being read: files read so far, and of how many.
    #[error("the workspace is still being read ({0} of {1} files)")]
    Loading(usize, usize),
    /// The workspace could not be read.
    #[error("{0}")]
    Failed(String),
    /// Too many questions at once, of this client or of all.
    #[error("too many questions at once")]
    Full,
}
