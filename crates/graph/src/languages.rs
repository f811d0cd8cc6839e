//! The list of languages. The only file of this room that names one.

use codeweft_db::{Lang, Language};

/// Every language, in the order of [`Lang`].
pub const ALL: &[&dyn Language] = &[&codeweft_go::Go, &codeweft_python::Python];

/// The room of a language.
pub fn language_of(lang: Lang) -> Option<&'static dyn Language> {
    ALL.iter().copied().find(|room| room.lang() == lang)
}

/// How ids and texts of a language are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LanguageSyntax {
    /// In words.
    pub(crate) name: &'static str,
    /// Before an id that several languages have.
    pub(crate) prefix: &'static str,
    /// Between the parts of a package's printed name.
    pub(crate) package_separator: char,
    /// Between a function and what is declared in its body.
    pub(crate) inside_function: &'static str,
    /// Starts a comment to the end of the line.
    pub(crate) comment: &'static str,
}

/// The spelling of a language.
pub(crate) fn spelling(lang: Lang) -> LanguageSyntax {
    match lang {
        Lang::Go => LanguageSyntax {
            name: "Go",
            prefix: "go:",
            package_separator: '/',
            inside_function: ".",
            comment: "//",
        },
        Lang::Python => LanguageSyntax {
            name: "Python",
            prefix: "py:",
            package_separator: '.',
            inside_function: ".<locals>.",
            comment: "#",
        },
    }
}

/// What stands between a function and its locals, in every language.
pub(crate) const LOCALS: &str = ".<locals>.";
