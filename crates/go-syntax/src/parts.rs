//! The downcasts from the erased parts of a [`codeweft_syntax::FileIr`].

use crate::ir::{Bodies, Header, Items};

/// The downcast of an erased part of a [`codeweft_syntax::FileIr`] to that of Go.
pub trait AsGo {
    /// The part of a Go file.
    type Part;

    /// Returns the part of a Go file; `None` for a file of another language.
    fn go(&self) -> Option<&Self::Part>;
}

impl AsGo for codeweft_syntax::Header {
    type Part = Header;

    fn go(&self) -> Option<&Header> {
        self.downcast()
    }
}

impl AsGo for codeweft_syntax::Items {
    type Part = Items;

    fn go(&self) -> Option<&Items> {
        self.downcast()
    }
}

impl AsGo for codeweft_syntax::Bodies {
    type Part = Bodies;

    fn go(&self) -> Option<&Bodies> {
        self.downcast()
    }
}
