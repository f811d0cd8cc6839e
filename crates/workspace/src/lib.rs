//! The live database of a workspace: [`ProjectDatabase`], the state that one thread changes, and
//! [`AnalysisHost`], which serves requests from it while it changes.

pub mod host;
mod parallel;
pub mod project;
pub mod root;
pub mod settings;
mod sync;

pub use codeweft_db::{Lang, Language, RequestCancellation};
pub use codeweft_vfs::{
    ClientId, Document, Edit, EditError, Encoding, LineIndex, Position, Range, normalise,
};
pub use host::{
    AnalysisHost, ChangeId, FollowedView, Follower, FollowerFigures, FollowerStep, HostOptions,
    HostState, Priority, RequestError, RequestOptions, Response,
};
pub use project::{
    CacheOptions, GraphQuestion, IndexReport, LoadError, LoadOptions, MeaningText, Memory,
    PartiallyReadFile, Phase, PhaseTimes, Progress, ProjectDatabase, QuestionAnswer, SkippedFile,
    Snapshot, SourceCount, UnreadFile, model_folder, process_memory, survey, vector_file,
};
