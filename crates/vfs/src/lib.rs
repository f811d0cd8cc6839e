//! Files as the database sees them: paths, walking, ignore rules, texts, editors' overlays, line
//! positions and watching.
//!
//! - [`walk()`] lists the files of a workspace; [`ExclusionRules`] judges single paths by the same
//!   rules.
//! - [`Vfs`] holds the effective text of each path: that of an open document, or that of the disk.
//! - [`LineIndex`] converts between byte offsets and the positions of clients.
//! - [`Watch`] reports changes on disk in batches.
//!
//! Every path that leaves this crate is absolute, normalised and UTF-8, with `/` between its parts.
//! The crate does not depend on salsa and knows no rule of a language.

mod disk;
mod overlays;
mod paths;
mod positions;
mod roots;
mod rules;
mod sync;
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
    CodingLines, DEFAULT_MAX_SIZE, Links, OpenFile, Text, UnreadPath, UnreadReason, decode,
    open_regular, read_text,
};
pub use walk::{BadPattern, Exclude, FoundFile, Walk, WalkOptions, walk};
pub use watch::{Batch, Watch, WatchOptions, WatchState};
