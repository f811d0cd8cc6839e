//! Paths, walking, ignoring, overlays: what is on disk and in editors.
//!
//! Every path that leaves this room is absolute, normalised and UTF-8, with `/` between its
//! parts. There is no salsa here, and nothing here knows a language's rules.

mod disk;
mod overlays;
mod paths;
mod positions;
mod roots;
mod rules;
mod text;
mod walk;
mod watch;

pub use disk::Disk;
pub use overlays::{Change, ClientId, DiskState, Document, EditError, Vfs};
pub use paths::{normalise, relative, slashed};
pub use positions::{Edit, Encoding, LineIndex, Position, Range};
pub use roots::{Marker, Root, RootError, explicit_root, find_root};
pub use rules::{ExclusionRules, IGNORE_FILES, WalkVerdict, changes_rules};
pub use text::{
    DEFAULT_MAX_SIZE, Links, OpenFile, Text, UnreadPath, UnreadReason, decode, open_regular,
    read_text,
};
pub use walk::{BadPattern, Exclude, FoundFile, Walk, WalkOptions, walk};
pub use watch::{Batch, Watch, WatchOptions, WatchState};
