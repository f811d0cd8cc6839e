//! The durabilities of inputs, decided in this module alone: libraries are HIGH, workspace files on
//! disk MEDIUM, texts of open or edited files LOW.
//!
//! After a change of LOW inputs salsa verifies a MEDIUM or HIGH memo with one comparison of
//! revisions, without walking its dependencies.

use salsa::Durability;

/// The origin of a file: the workspace or a library.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// Below the workspace root.
    Workspace,
    /// In a standard library, module cache or site-packages.
    Library,
}

/// Returns the durability of a file's saved text, header, items, path and of the units that group
/// it.
pub fn base_durability(origin: Origin) -> Durability {
    match origin {
        Origin::Workspace => Durability::MEDIUM,
        Origin::Library => Durability::HIGH,
    }
}

/// The durability of a text that was opened or edited ([`crate::File::edited_text`]).
pub const EDITED_DURABILITY: Durability = Durability::LOW;
