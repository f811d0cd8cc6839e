//! The graph at one revision, with the facts about one symbol: id, name, kind, declaration.

use std::cell::RefCell;
use std::sync::Arc;

use codeweft_db::{DeclarationRange, File, Lang, Language, NodeKind, RootDb, SymbolId};
use rustc_hash::FxHashMap;

use crate::query_context::{QueryContext, QueryOptions};
use crate::rendering;
use crate::revision_cache::RevisionCache;
use crate::symbols;
use crate::symbols::redefinitions::without_numbers;

/// The graph at one revision.
pub struct EditorGraph<'a> {
    pub(super) query: QueryContext<'a>,
    /// Whether a language has a package of a name.
    packages: RefCell<FxHashMap<Lang, FxHashMap<String, bool>>>,
}

impl<'a> EditorGraph<'a> {
    /// Creates the graph with the joins of earlier queries of the same revision.
    pub fn new(db: &'a RootDb, cache: &'a RevisionCache, threads: usize) -> EditorGraph<'a> {
        let options = QueryOptions::new(cache, threads);
        let query = QueryContext::new(
            db,
            QueryOptions {
                unlimited: true,
                ..options
            },
        );
        EditorGraph {
            query,
            packages: RefCell::default(),
        }
    }

    /// Returns the language crate of a file, if the build configuration includes the file.
    pub fn language_of_file(&self, file: File) -> Option<&'a dyn Language> {
        let unit = self.query.owner(file)?;
        let language = self.query.languages.of(file.lang(self.query.db))?;
        let files = language.files(self.query.db, unit);
        files.contains(&file).then_some(language)
    }

    /// Returns the symbols of a printed id: one if the id has a number, else all redefinitions.
    /// Empty if the id no longer exists.
    pub fn symbols(&self, id: &str) -> Vec<SymbolId> {
        let first = symbols::by_id(&self.query, id).first().copied();
        first.map_or_else(Vec::new, |first| {
            symbols::definitions_of_id(&self.query, first, id)
        })
    }

    /// Returns a symbol with all of its redefinitions.
    pub fn redefinitions(&self, symbol: SymbolId) -> Vec<SymbolId> {
        symbols::redefinitions(&self.query, symbol)
    }

    /// Returns the id of a symbol and all of its redefinitions.
    pub fn plain_id(&self, symbol: SymbolId) -> String {
        match symbols::redefinitions(&self.query, symbol).len() {
            0 | 1 => self.id(symbol),
            _ => without_numbers(&self.id(symbol)),
        }
    }

    /// Returns the id, with a language prefix if another language has the same id.
    pub fn id(&self, symbol: SymbolId) -> String {
        let query = &self.query;
        let id = symbols::id(query, symbol);
        match query.lang(symbol) {
            Some(lang) if self.may_be_shared(lang, &id) => symbols::distinct_id(query, symbol),
            _ => id.to_string(),
        }
    }

    /// Returns whether another language may have an id: it has a package that the id begins with,
    /// or a builtin of this name.
    fn may_be_shared(&self, lang: Lang, id: &str) -> bool {
        let query = &self.query;
        let all = &query.units.all;
        let ends = all.first().zip(all.last());
        // Units are in order of language.
        if ends.is_none_or(|(first, last)| first.lang(query.db) == last.lang(query.db)) {
            return false;
        }
        let languages = query
            .languages
            .0
            .iter()
            .map(|language_of_file| language_of_file.lang());
        languages.filter(|&other| other != lang).any(|other| {
            let mut prefixes = id.match_indices('.').map(|(name_at, _)| &id[..name_at]);
            prefixes.any(|prefix| self.has_package(other, prefix))
                || symbols::package_by_name(query, other, id).is_some()
                || symbols::builtin(query, other, id).is_some()
        })
    }

    fn has_package(&self, lang: Lang, name: &str) -> bool {
        let mut known = self.packages.borrow_mut();
        let of_lang = known.entry(lang).or_default();
        if let Some(&has) = of_lang.get(name) {
            return has;
        }
        let has = symbols::package_by_name(&self.query, lang, name).is_some();
        of_lang.insert(name.to_owned(), has);
        has
    }

    /// Returns the kind of a symbol.
    pub fn kind(&self, symbol: SymbolId) -> NodeKind {
        self.query.kind(symbol)
    }

    /// Returns a symbol's own name; for a package the last part.
    pub fn name(&self, symbol: SymbolId) -> String {
        rendering::facts(&self.query, symbol).name().to_owned()
    }

    /// Returns the id of the enclosing type or function, else of the package; empty for a package.
    pub fn container(&self, symbol: SymbolId) -> Arc<str> {
        symbols::container(&self.query, symbol)
    }

    /// Returns the range of the declaration; `None` for a symbol without one.
    pub fn declaration_range(&self, symbol: SymbolId) -> Option<DeclarationRange> {
        let language = self.query.language(symbol)?;
        language.declaration_range(self.query.db, symbol)
    }
}
