//! Types that may have more methods than the floor allows, each with its reason.

use super::types::Wide;

/// A type that the floor of methods does not bind.
pub struct Exempt {
    /// The folder of its crate below `crates/`, and how the path of its file below `src` begins; then those of
    /// older commits.
    pub folders: &'static [(&'static str, &'static str)],
    /// Its name, then those that it has in older commits, for these are measured, too.
    pub names: &'static [&'static str],
    /// Why it may be wide.
    pub reason: &'static str,
}

/// Parsers, and one inference builder a type checker: a method for each form of the grammar, all over one
/// state.
pub const EXEMPT: &[Exempt] = &[
    Exempt {
        folders: &[("go", "typing/")],
        names: &["Checker", "Typer"],
        reason: "the inference builder of Go's type checker",
    },
    Exempt {
        folders: &[("go-syntax", ""), ("syntax", "go/")],
        names: &["GoLowering", "GoParser", "Lowering"],
        reason: "the parsers of Go",
    },
    Exempt {
        folders: &[("python-syntax", ""), ("syntax", "python/")],
        names: &["PythonLowering", "TreeWriter", "Lowering"],
        reason: "the lowering of Python, and the writer of its trees",
    },
];

impl Exempt {
    /// Whether the entry names this type of a crate.
    pub fn is_of(&self, package: &str, wide: &Wide) -> bool {
        let mut folders = self.folders.iter();
        self.names.contains(&&*wide.name)
            && folders.any(|&(of, folder)| of == package && wide.declared.starts_with(folder))
    }
}

/// Returns a warning for each entry that names none of these types, given with the folder of their crate.
pub fn warnings<'a>(
    entries: &[Exempt],
    types: impl Iterator<Item = (&'a str, &'a Wide)> + Clone,
) -> Vec<String> {
    let named = |entry: &Exempt| {
        types
            .clone()
            .any(|(package, wide)| entry.is_of(package, wide))
    };
    let unnamed = entries.iter().filter(|entry| !named(entry));
    let warning = |entry: &Exempt| {
        let name = entry.names.first().copied().unwrap_or_default();
        let (package, folder) = entry.folders.first().copied().unwrap_or_default();
        format!(
            "no type `{name}` with methods in {folder} of {package}, though it is exempt from the floor"
        )
    };
    unnamed.map(warning).collect()
}

#[cfg(test)]
mod tests {
    use super::{Exempt, warnings};
    use crate::house::names::Names;
    use crate::house::source::inline;
    use crate::house::types::widest;

    const ENTRIES: &[Exempt] = &[Exempt {
        folders: &[("c", "checker/")],
        names: &["Builder", "Old"],
        reason: "the inference builder",
    }];

    fn warned(text: &str) -> Vec<String> {
        let read = inline("c", &[("lib.rs", "mod checker;"), ("checker/mod.rs", text)]);
        let types = widest(&read, &Names::of(&read));
        warnings(ENTRIES, types.iter().map(|wide| ("c", wide)))
    }

    #[test]
    fn an_entry_whose_type_is_there_is_no_warning() {
        assert!(warned("struct Builder; impl Builder { fn f() {} }").is_empty());
        assert!(warned("struct Old; impl Old { fn f() {} }").is_empty());
    }

    #[test]
    fn an_entry_whose_type_is_gone_is_a_warning() {
        let gone =
            "no type `Builder` with methods in checker/ of c, though it is exempt from the floor";
        assert_eq!(warned("struct Other; impl Other { fn f() {} }"), [gone]);
    }
}
