//! The workspace's packages with their files.

use codeweft_db::{Db, File, Lang, SymbolId};
use rustc_hash::FxHashMap;

use crate::call_graph::memo::package_in;
use crate::query_context::QueryContext;
use crate::revision_cache::RevisionCache;
use crate::symbols;

/// The files of one package.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct PackageFiles {
    /// Their number, tests too.
    pub(crate) files: u32,
    /// Their lines.
    pub(crate) lines: u32,
}

impl PackageFiles {
    /// Adds those of another one.
    pub(crate) fn add(&mut self, other: PackageFiles) {
        self.files += other.files;
        self.lines += other.lines;
    }
}

/// Returns the files of each package of the workspace that has any.
pub(crate) fn package_files(query: &QueryContext<'_>) -> FxHashMap<SymbolId, PackageFiles> {
    let units = symbols::own_units(query);
    let cache = query.cache;
    let of_units = query.map(&units, |languages, db, &unit| {
        let Some(language) = languages.of(unit.lang(db)) else {
            return Vec::new();
        };
        let files = language.files(db, unit);
        let files = files.iter().map(|&file| {
            let package = package_in(language, db, unit, file);
            let lines = line_count(cache, db, file);
            (package, PackageFiles { files: 1, lines })
        });
        files.collect()
    });
    let mut packages: FxHashMap<SymbolId, PackageFiles> = FxHashMap::default();
    for (package, files) in of_units.into_iter().flatten() {
        packages.entry(package).or_default().add(files);
    }
    packages
}

/// Returns the files of the workspace by language.
pub(crate) fn language_files(query: &QueryContext<'_>) -> FxHashMap<Lang, PackageFiles> {
    let mut languages: FxHashMap<Lang, PackageFiles> = FxHashMap::default();
    for (package, files) in package_files(query) {
        if let Some(lang) = query.lang(package) {
            languages.entry(lang).or_default().add(files);
        }
    }
    languages
}

/// Returns the number of lines of a text; one without a line break at its end counts.
fn line_count(cache: &RevisionCache, db: &dyn Db, file: File) -> u32 {
    let text = file.text(db);
    let known = &cache.analysis.lines;
    if let Some((of, lines)) = known.get(&file)
        && std::sync::Arc::ptr_eq(&of, text)
    {
        return lines;
    }
    let ends = text.bytes().filter(|&byte| byte == b'\n').count();
    let rest = usize::from(!text.is_empty() && !text.ends_with('\n'));
    let lines = (ends + rest) as u32;
    known.insert(file, (text.clone(), lines));
    lines
}
