//! The list of languages. No other module of this crate names one.

use codeweft_db::{Lang, Language};

/// Every language, in the order of [`Lang`].
pub const ALL: &[&dyn Language] = &[&codeweft_go::Go, &codeweft_python::Python];

/// Returns the language crate of a language.
pub fn language_of(lang: Lang) -> Option<&'static dyn Language> {
    ALL.iter().copied().find(|language| language.lang() == lang)
}

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

/// The syntax of a language in ids and printed code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LanguageSyntax {
    /// The prefix of an id that several languages have.
    pub(crate) prefix: &'static str,
    /// The separator of a package's printed name.
    pub(crate) package_separator: char,
    /// The separator between a function and a declaration in its body.
    pub(crate) inside_function: &'static str,
    /// The start of a line comment.
    pub(crate) comment: &'static str,
}

/// Returns the syntax of a language.
pub(crate) fn syntax_of(lang: Lang) -> LanguageSyntax {
    match lang {
        Lang::Go => LanguageSyntax {
            prefix: "go:",
            package_separator: '/',
            inside_function: ".",
            comment: "//",
        },
        Lang::Python => LanguageSyntax {
            prefix: "py:",
            package_separator: '.',
            inside_function: ".<locals>.",
            comment: "#",
        },
    }
}

/// The separator between a function and its locals in requests, in every language.
pub(crate) const LOCALS: &str = ".<locals>.";
