//! The state of a workspace that one thread writes, and the revisions of it that readers get.

mod allowed_secrets;
mod answer;
mod change;
mod change_impact;
mod database;
mod disk;
mod files;
mod incremental;
mod index;
mod knowledge;
mod load;
mod lowering;
mod meaning;
mod memory;
mod new_settings;
mod other_texts;
mod progress;
mod question;
mod retrieval;
mod retrieval_history;
mod revisions;
mod scan;
mod skipped_files;
mod snapshot;
mod sources;
mod stamps;
mod survey;
mod text_changes;
mod transaction;
mod units;
mod unread;

pub(crate) use change::{DeferredLowering, PendingInputs};
pub(crate) use change_impact::{NoImpact, TextStates, impact_of_change};
pub use database::ProjectDatabase;
pub(crate) use disk::{WorkspaceDisk, coding_lines, max_file_size};
pub(crate) use incremental::RecentTrees;
pub(crate) use index::units_with_language;
pub use index::{IndexReport, PartiallyReadFile, PhaseTimes};
pub use load::{CacheOptions, LoadError, LoadOptions};
pub(crate) use lowering::NewText;
pub use meaning::{MeaningText, model_folder, vector_file};
pub use memory::{Memory, process_memory};
pub use progress::{Phase, Progress};
pub use question::{GraphQuestion, QuestionAnswer};
pub(crate) use revisions::RevisionReader;
pub use skipped_files::SkippedFile;
pub use snapshot::Snapshot;
pub(crate) use snapshot::{ReadState, RevisionState};
pub(crate) use stamps::{FileStamp, FileStamps};
pub use survey::{SourceCount, survey};
pub(crate) use transaction::Transaction;
pub use unread::UnreadFile;

#[cfg(test)]
mod tests;
