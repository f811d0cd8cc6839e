//! The files of a folder and the units that they form (`go/build`, `Context.Import`).
//!
//! ```text
//! a.go          package p       Base
//! a_test.go     package p       InTest
//! b_test.go     package p_test  XTest
//! gen.go        package main    in no unit: another clause than that of most files
//! ```

use codeweft_db::{LayoutFile, Origin};
use codeweft_go_syntax as go;
use codeweft_go_syntax::AsGo as _;
use codeweft_syntax::{NameId, Names};
use rustc_hash::FxHashMap;

use super::files::{Exclusion, Matcher};
use super::paths::split;
use super::tags::wants_ignore;

/// A folder with loaded Go files.
pub(super) struct Folder<'a> {
    pub(super) dir: &'a str,
    /// Workspace if one of its files is.
    pub(super) origin: Origin,
    /// The files, sorted by path bytes.
    pub(super) files: Vec<GoFile<'a>>,
}

/// A loaded Go file.
#[derive(Clone, Copy)]
pub(super) struct GoFile<'a> {
    pub(super) path: &'a str,
    pub(super) name: &'a str,
    pub(super) header: &'a go::Header,
    /// `None` if the configuration selects it.
    pub(super) excluded: Option<Exclusion>,
}

impl GoFile<'_> {
    pub(super) fn is_test(&self) -> bool {
        self.name.ends_with("_test.go")
    }
}

/// The files of a folder by unit. Excluded files are listed with the others, so that queries can
/// report them.
#[derive(Default)]
pub(super) struct Parts<'a> {
    /// The package's name: the clause of most selected files.
    pub(super) clause: Option<NameId>,
    pub(super) base: Vec<GoFile<'a>>,
    pub(super) in_test: Vec<GoFile<'a>>,
    pub(super) x_test: Vec<GoFile<'a>>,
    /// Selected files of another clause, which are in no unit.
    pub(super) other_clauses: Vec<GoFile<'a>>,
}

/// Groups loaded files by folder, sorted by folder bytes, without files that the go command ignores
/// (`_x.go`, `.x.go`) and tests of libraries.
pub(super) fn group<'a>(files: &'a [LayoutFile<'a>], matcher: &Matcher<'_>) -> Vec<Folder<'a>> {
    let mut by_dir: FxHashMap<&str, usize> = FxHashMap::default();
    let mut folders: Vec<Folder<'a>> = Vec::new();
    for file in files {
        let (Some(header), (dir, name)) = (file.header.go(), split(file.path)) else {
            continue;
        };
        let excluded = matcher.excluded_by(name, header);
        if excluded == Some(Exclusion::Hidden) {
            continue;
        }
        let number = *by_dir.entry(dir).or_insert_with(|| {
            folders.push(Folder {
                dir,
                origin: Origin::Library,
                files: Vec::new(),
            });
            folders.len() - 1
        });
        let folder = &mut folders[number];
        if file.origin == Origin::Workspace {
            folder.origin = Origin::Workspace;
        }
        folder.files.push(GoFile {
            path: file.path,
            name,
            header,
            excluded,
        });
    }
    for folder in &mut folders {
        if folder.origin == Origin::Library {
            folder.files.retain(|file| !file.is_test());
        }
    }
    folders.retain(|folder| !folder.files.is_empty());
    folders.sort_unstable_by_key(|folder| folder.dir);
    folders
}

impl<'a> Folder<'a> {
    /// Distributes the files to units.
    pub(super) fn parts(&self, names: &Names) -> Parts<'a> {
        let clause = self.clause(names);
        let x_clause = clause.and_then(|clause| names.get(&format!("{}_test", names.text(clause))));
        let mut parts = Parts {
            clause,
            ..Parts::default()
        };
        for &file in &self.files {
            let own = file.header.package;
            // A file without a clause is still being written and counts as the package's.
            let fits = Some(own) == clause || names.text(own).is_empty();
            let part = if file.is_test() {
                if Some(own) == x_clause {
                    &mut parts.x_test
                } else if fits || file.excluded.is_some() {
                    &mut parts.in_test
                } else {
                    &mut parts.other_clauses
                }
            } else if fits || file.excluded.is_some() {
                &mut parts.base
            } else {
                &mut parts.other_clauses
            };
            part.push(file);
        }
        parts
    }

    /// Returns the clause of most files, the first of several: of selected files that are no tests,
    /// else of selected tests, else of excluded files. Files with the constraint `ignore` or the
    /// clause `documentation` do not count.
    fn clause(&self, names: &Names) -> Option<NameId> {
        let counts = |file: &GoFile<'_>| {
            file.excluded != Some(Exclusion::Documentation)
                && !file.header.constraint.as_ref().is_some_and(wants_ignore)
                && !names.text(file.header.package).is_empty()
        };
        let own = |file: &GoFile<'_>| file.header.package;
        let tested = |file: &GoFile<'_>| {
            let clause = names.text(file.header.package);
            match clause.strip_suffix("_test") {
                Some(base) if !base.is_empty() => names.intern(base),
                _ => file.header.package,
            }
        };
        let most_frequent = |test: bool, chosen: bool| {
            let mut clauses: Vec<(NameId, usize)> = Vec::new();
            let files = self.files.iter().filter(|file| {
                counts(file) && file.is_test() == test && file.excluded.is_none() == chosen
            });
            for file in files {
                let clause = if test { tested(file) } else { own(file) };
                match clauses.iter_mut().find(|(other, _)| *other == clause) {
                    Some((_, count)) => *count += 1,
                    None => clauses.push((clause, 1)),
                }
            }
            let max = clauses.iter().map(|&(_, count)| count).max()?;
            let first = clauses.into_iter().find(|&(_, count)| count == max)?;
            Some(first.0)
        };
        most_frequent(false, true)
            .or_else(|| most_frequent(true, true))
            .or_else(|| most_frequent(false, false))
            .or_else(|| most_frequent(true, false))
    }
}
