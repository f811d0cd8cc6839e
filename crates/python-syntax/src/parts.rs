//! The downcasts from the erased parts of a [`codeweft_syntax::FileIr`].

use crate::ir::{Bodies, Header, Items};

/// The downcast of an erased part of a [`codeweft_syntax::FileIr`] to that of Python.
pub trait AsPython {
    /// The part of a Python file.
    type Part;

    /// Returns the part of a Python file; `None` for a file of another language.
    fn python(&self) -> Option<&Self::Part>;
}

impl AsPython for codeweft_syntax::Header {
    type Part = Header;

    fn python(&self) -> Option<&Header> {
        self.downcast()
    }
}

impl AsPython for codeweft_syntax::Items {
    type Part = Items;

    fn python(&self) -> Option<&Items> {
        self.downcast()
    }
}

impl AsPython for codeweft_syntax::Bodies {
    type Part = Bodies;

    fn python(&self) -> Option<&Bodies> {
        self.downcast()
    }
}
