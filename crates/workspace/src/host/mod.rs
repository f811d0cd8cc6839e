//! The live database: one writer, many readers, for any number of clients.
//!
//! - The *writer* owns the [`ProjectDatabase`](crate::World). It takes all changes that wait as one
//!   transaction, prepares it with its own handle while readers read, and shuts the gate only to
//!   set inputs. What is equal makes no revision and interrupts nobody.
//! - *Workers* answer questions by class. Each try has a snapshot of one revision, which is gone
//!   before the answer is told; a write ends the try, and the question begins again.
//! - The *preparer* lowers large texts, the *timer* tells at deadlines, the *janitor* drops what
//!   takes long to drop. Priming is work of the last class.

mod analysis_host;
mod changes;
mod core;
mod disk_targets;
mod fresh;
mod gate;
mod in_flight;
mod janitor;
mod options;
mod prepare;
mod prime;
mod priming_plan;
mod request;
mod state;
mod statistics;
mod stats_json;
mod timer;
mod watch;
mod workers;
mod writer;

pub use analysis_host::AnalysisHost;
pub use options::HostOptions;
pub use request::{ChangeId, Priority, RequestError, RequestOptions, Response};
pub use state::HostState;

#[cfg(test)]
mod tests;
