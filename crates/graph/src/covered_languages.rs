//! The languages that a query covers.

use codeweft_db::{Lang, Language};

/// The languages that a query covers.
#[derive(Clone, Copy)]
pub(crate) struct Languages<'a>(pub(crate) &'a [&'a dyn Language]);

impl<'a> Languages<'a> {
    /// Returns the language crate of a language.
    pub(crate) fn of(self, lang: Lang) -> Option<&'a dyn Language> {
        self.0
            .iter()
            .copied()
            .find(|language| language.lang() == lang)
    }
}
