//! Durability in one place: libraries HIGH, the workspace on disk MEDIUM, what was typed into open
//! or just edited files LOW.

use salsa::Durability;

/// Whose file it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// Below the workspace's root.
    Workspace,
    /// A standard library, module cache or site-packages.
    Library,
}

/// The durability of a file's header and items, of its place and of what groups it.
pub fn base_durability(origin: Origin) -> Durability {
    match origin {
        Origin::Workspace => Durability::MEDIUM,
        Origin::Library => Durability::HIGH,
    }
}

/// The durability of a text that was opened or edited ([`crate::File::typed`]).
pub const TYPED: Durability = Durability::LOW;
