//! The live database: one writer, many readers, for any number of clients. [`AnalysisHost`] is the entry
//! point.
//!
//! - The *writer* owns the [`ProjectDatabase`](crate::ProjectDatabase). It takes all pending changes as one
//!   transaction, prepares it with its own handle while readers read, and shuts the gate only to
//!   set inputs. A change that leaves all inputs equal makes no revision and interrupts no reader.
//! - *Workers* answer requests by priority. Each attempt has a snapshot of one revision, dropped
//!   before the response is delivered; a write cancels the attempt, and the request is retried.
//! - The *preparer* lowers large texts, the *timer* fires deadlines, the *janitor* drops garbage that
//!   is expensive to free. Priming is work of the lowest priority. A minute after the last question what
//!   questions have solved is given back.
//!
//! ```text
//! any thread      open/edit/save ──> vfs overlays, PendingChanges ──> ChangeId
//!                                                │
//! writer thread                     take all ──> prepare ──> Gate::write ──> resolve(ChangeId)
//!                                             (readers read)  (no readers)        │
//! worker threads  submit(after: ChangeId) ─────────── parked until visible ───────┘
//!                   └─> Gate::enter ──> Snapshot ──> query ──> drop snapshot ──> done(response)
//! ```

mod analysis_host;
mod change_impact;
mod changes;
mod core;
mod disk_targets;
mod follower;
mod fresh;
mod gate;
mod idle;
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
mod timeline;
mod timer;
mod watch;
mod workers;
mod writer;

pub use analysis_host::AnalysisHost;
pub use follower::{FollowedView, Follower, FollowerFigures, FollowerStep};
pub use options::HostOptions;
pub use request::{ChangeId, Priority, RequestError, RequestOptions, Response};
pub use state::HostState;

#[cfg(test)]
mod tests;
