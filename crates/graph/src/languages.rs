//! The list of languages. No other module of this crate names one.

use codeweft_db::{Lang, Language, LanguageSpec};

/// Every language, in the order of [`Lang`].
pub const ALL: &[&dyn Language] = &[&codeweft_go::Go, &codeweft_python::Python];

/// Returns the static data of every language, in the order of [`ALL`]: what settings, environment,
/// root and diagnosis go by.
pub fn specs() -> impl Iterator<Item = &'static LanguageSpec> + Clone {
    ALL.iter().map(|language| language.lang().spec())
}

/// Returns the language crate of a language.
pub fn language_of(lang: Lang) -> Option<&'static dyn Language> {
    ALL.iter().copied().find(|language| language.lang() == lang)
}

/// Returns the language of a file by its extension; `None` for any other file.
///
/// ```
/// use codeweft_graph::languages::of_path;
///
/// assert_eq!(of_path("pkg/a.go").unwrap().wire_name(), "go");
/// assert_eq!(of_path("stubs/os.pyi").unwrap().wire_name(), "python");
/// assert!(of_path("README.md").is_none());
/// ```
pub fn of_path(path: &str) -> Option<Lang> {
    let mut langs = ALL.iter().map(|language| language.lang());
    langs.find(|lang| lang.reads_path(path))
}

/// The separator between a function and its locals in requests, in every language.
pub(crate) const LOCALS: &str = ".<locals>.";
