//! The database that answers a command: that of the running server, else one of this process.

use codeweft_ide::api::{ApiError, ErrorType};
use codeweft_server::{ControlClient, ControlQuestion};
use codeweft_workspace::{GraphQuestion, ProjectDatabase};

use crate::arguments::Access;
use crate::output::print_error;
use crate::{connection, workspace};

/// The database of a workspace.
pub struct Database {
    /// The absolute path of the workspace's folder.
    pub root: String,
    source: Source,
}

enum Source {
    Server(ControlClient),
    Process(Box<ProjectDatabase>),
}

/// The answer to a request, or an error.
pub type Answered<R> = Result<<R as GraphQuestion>::Response, ApiError>;

impl Database {
    /// Opens the database of the workspace that the arguments name. Prints the error and returns the exit
    /// code if there is none.
    pub fn open(how: &Access) -> Result<Database, u8> {
        let root = workspace::find(&how.workspace.root)?;
        let settings = workspace::settings(&root, &how.workspace.build)?;
        if !how.disk {
            // Only the server knows the unsaved text of editors.
            let (server, said) = connection::for_questions(&root, &settings);
            for words in said.iter().filter(|_| !how.quiet.quiet) {
                print_error(words);
            }
            if let Some(server) = server {
                let source = Source::Server(server);
                return Ok(Database { root, source });
            }
        }
        let host = workspace::load_for_question(&root, settings, &how.quiet)?;
        let source = Source::Process(Box::new(host));
        Ok(Database { root, source })
    }

    /// Answers a request.
    ///
    /// # Errors
    /// As the operations document them, and a server that ends meanwhile.
    pub fn ask<R: ControlQuestion>(&mut self, request: &R) -> Answered<R> {
        match &mut self.source {
            Source::Server(server) => server.question(request).unwrap_or_else(|error| {
                Err(ApiError::new(
                    ErrorType::IndexUnavailable,
                    format!("the server has gone: {error}"),
                    "ask again",
                ))
            }),
            Source::Process(host) => host.answer_alone(request),
        }
    }

    /// Ends the use of the database; one of this process writes its cache first.
    pub fn close(self) {
        if let Source::Process(host) = self.source {
            host.leave(workspace::CACHE_WAIT);
        }
    }
}
