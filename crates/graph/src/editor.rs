//! The graph for editors: queries by symbol, and complete lists instead of limited answers. Each
//! list equals that of the operation it is named after.

use std::cell::RefCell;
use std::sync::Arc;

use codeweft_db::{
    DeclarationRange, DeclaredIn, ExcludedDeclaration, File, Lang, Language, NameTarget, NodeKind,
    Resolution, Role, RootDb, Span, SymbolClass, SymbolId, file_ranges,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::answer::Operation;
use crate::link::{Link, Links, SiteKey};
use crate::operations;
use crate::operations::uses::is_resolved;
use crate::query_context::{QueryContext, QueryOptions};
use crate::rendering;
use crate::rendering::filtering::ResultRow;
use crate::revision_cache::RevisionCache;
use crate::symbols;
use crate::symbols::redefinitions::without_numbers;
use crate::targets;
use crate::type_graph;
use crate::visibility;

/// The graph at one revision.
pub struct EditorGraph<'a> {
    query: QueryContext<'a>,
    /// Whether a language has a package of a name.
    packages: RefCell<FxHashMap<Lang, FxHashMap<String, bool>>>,
}

/// A name in a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NameUse {
    /// The file.
    pub file: File,
    /// The bytes of the name.
    pub span: Span,
}

/// A neighbour with the uses that link it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Neighbour {
    /// The neighbour.
    pub symbol: SymbolId,
    /// The uses, by path, then position.
    pub sites: Vec<NameUse>,
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

    /// Returns the type that a field embeds, if `at` is inside the name that declares the field.
    pub fn embedded_at(&self, field: SymbolId, file: File, name_at: u32) -> Option<SymbolId> {
        type_graph::embedded_at(&self.query, field, file, name_at)
    }

    /// Returns the symbol or local at a byte offset of a file; `None` in an excluded file.
    pub fn name_at(&self, file: File, offset: u32) -> Option<NameTarget> {
        self.language_of_file(file)?
            .name_at(self.query.db, file, offset)
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
        let key = self.query.key(symbol);
        match (key.class, key.parent) {
            (SymbolClass::Package, _) => "".into(),
            (_, Some(parent)) => symbols::id(&self.query, parent),
            (_, None) => symbols::package_id(&self.query, symbol),
        }
    }

    /// Returns the range of the declaration; `None` for a symbol without one.
    pub fn declaration_range(&self, symbol: SymbolId) -> Option<DeclarationRange> {
        let language = self.query.language(symbol)?;
        language.declaration_range(self.query.db, symbol)
    }

    /// Returns the files of a package, the declaring file first; empty for other symbols.
    pub fn files_of_package(&self, symbol: SymbolId) -> Vec<File> {
        let query = &self.query;
        if query.kind(symbol) != NodeKind::Package {
            return Vec::new();
        }
        let first = self
            .declaration_range(symbol)
            .map(|declaration_range| declaration_range.file);
        let tests = |file: &File| {
            let unit = query.owner(*file);
            unit.is_some_and(|unit| unit.kind(query.db).extends_package())
        };
        let mut files: Vec<File> = first.into_iter().collect();
        let others = symbols::files_of_body(query, symbol).into_iter();
        files.extend(others.filter(|file| Some(*file) != first && !tests(file)));
        files
    }

    /// Returns the other symbols that the name at a byte offset resolves to with the same certainty
    /// as `found`: bindings of several branches, members of a union.
    pub fn equal_resolutions(&self, file: File, start: u32, found: SymbolId) -> Vec<SymbolId> {
        let query = &self.query;
        let Some(language) = self.language_of_file(file) else {
            return Vec::new();
        };
        let key = query.key(found);
        let uses = language.uses(query.db, file);
        let mut resolved: Vec<(SymbolId, Resolution)> = Vec::new();
        for (target, sites) in uses.iter() {
            let other = query.key(target);
            if (other.name, other.class) != (key.name, key.class) {
                continue;
            }
            let mut sites = sites.iter().filter(|one| is_resolved(one));
            let site =
                sites.find(|one| language.offset(query.db, file, one.body, one.occ) == Some(start));
            resolved.extend(site.map(|one| (target, one.resolution)));
        }
        let own = resolved.iter().find(|(target, _)| *target == found);
        let Some(&(_, resolution)) = own else {
            return Vec::new();
        };
        let equal_resolutions = resolved.iter().filter(|(_, other)| *other == resolution);
        let equal_resolutions = equal_resolutions.map(|&(target, _)| target);
        symbols::in_order(
            query,
            equal_resolutions
                .filter(|&target| target != found)
                .collect(),
        )
    }

    /// Returns the declarations of an excluded file with their ids; empty for an included file.
    pub fn excluded_declarations(&self, file: File) -> Vec<(String, ExcludedDeclaration)> {
        let query = &self.query;
        let language = query.languages.of(file.lang(query.db));
        let (None, Some((language, unit))) =
            (self.language_of_file(file), language.zip(query.owner(file)))
        else {
            return Vec::new();
        };
        let declared = language
            .declarations_of_excluded(query.db, file)
            .into_iter();
        declared
            .map(|one| {
                let id = targets::excluded_target(query, language, unit, one.clone()).printed;
                (id, one)
            })
            .collect()
    }

    /// Returns the callers at depth 1; empty for symbols that cannot be called.
    pub fn callers(&self, symbols: &[SymbolId]) -> Vec<Neighbour> {
        let step = |symbol| operations::callers_of(&self.query, symbol, false);
        self.neighbours(self.merged_neighbours(symbols, Operation::Callers, step))
    }

    /// Returns the number of callers.
    pub fn count_callers(&self, symbols: &[SymbolId]) -> usize {
        let step = |symbol| operations::callers_of(&self.query, symbol, false);
        self.merged_neighbours(symbols, Operation::Callers, step)
            .len()
    }

    /// Returns the callees at depth 1; empty for symbols that call nothing.
    pub fn callees(&self, symbols: &[SymbolId]) -> Vec<Neighbour> {
        let step = |symbol| operations::callees_of(&self.query, symbol, false);
        self.neighbours(self.merged_neighbours(symbols, Operation::Callees, step))
    }

    /// Returns the neighbours of those symbols that an operation takes, each once, with one link
    /// per position.
    fn merged_neighbours(
        &self,
        symbols: &[SymbolId],
        operation: Operation,
        step: impl Fn(SymbolId) -> Vec<(SymbolId, Vec<Link>)>,
    ) -> Vec<(SymbolId, Vec<Link>)> {
        let query = &self.query;
        let taken = symbols.iter().copied();
        let mut taken = taken.filter(|&symbol| targets::takes(query, operation, symbol));
        let found = taken.next().map_or_else(Vec::new, &step);
        let Some(second) = taken.next() else {
            return found;
        };
        let mut links = Links::default();
        let others = step(second).into_iter().chain(taken.flat_map(&step));
        for (neighbour, own) in found.into_iter().chain(others) {
            own.into_iter().for_each(|link| links.add(neighbour, link));
        }
        links.finish()
    }

    /// Returns the references, by path, then position.
    pub fn references(&self, symbols: &[SymbolId]) -> Vec<NameUse> {
        let links = self.merged_neighbours(symbols, Operation::References, |symbol| {
            operations::references_of(&self.query, symbol)
        });
        let mut name_uses = self.name_uses(links.into_iter().flat_map(|(_, links)| links));
        name_uses.dedup();
        name_uses
    }

    /// Returns the number of references.
    pub fn count_references(&self, symbols: &[SymbolId]) -> usize {
        let is_package = |&symbol: &SymbolId| self.query.kind(symbol) == NodeKind::Package;
        if symbols.iter().any(is_package) {
            // An import may be recorded as a statement and as a use at the same position.
            return self.references(symbols).len();
        }
        let by_declaration = self.merged_neighbours(symbols, Operation::References, |symbol| {
            operations::references_of(&self.query, symbol)
        });
        by_declaration.iter().map(|(_, links)| links.len()).sum()
    }

    /// Returns the references in one file, with their roles.
    pub fn references_in(&self, file: File, symbol: SymbolId) -> Vec<(NameUse, Role)> {
        let query = &self.query;
        let Some(language) = self.language_of_file(file) else {
            return Vec::new();
        };
        let uses = language.uses(query.db, file);
        let own = uses.of(symbol);
        let own = own.iter().filter(|one| is_resolved(one));
        let mut found: Vec<(NameUse, Role)> = own
            .filter_map(|one| Some((self.name_use(&Link::of_use(file, one))?, one.role)))
            .collect();
        if let Some(unit) = query.owner(file) {
            let imports = language.imports(query.db, unit);
            let own = imports
                .iter()
                .filter(|row| row.to == symbol && row.file == file);
            let links = own.map(|row| Link::plain(file, SiteKey::Import(row.import)));
            found.extend(links.filter_map(|link| Some((self.name_use(&link)?, Role::Import))));
        }
        found.sort_by_key(|(name_uses, role)| (name_uses.span.start, *role));
        found.dedup_by_key(|(name_uses, _)| name_uses.span);
        found
    }

    /// Returns the types that are named or constructed between two byte offsets of a file, in text
    /// order.
    pub fn types_in(&self, file: File, within: Span) -> Vec<(SymbolId, NameUse, Role)> {
        let query = &self.query;
        let Some(language) = self.language_of_file(file) else {
            return Vec::new();
        };
        let uses = language.uses(query.db, file);
        let mut found: Vec<(SymbolId, NameUse, Role)> = Vec::new();
        for (target, sites) in uses.iter() {
            if query.key(target).class != SymbolClass::Type {
                continue;
            }
            for one in sites.iter().filter(|one| is_resolved(one)) {
                let start = language.offset(query.db, file, one.body, one.occ);
                let inside = start.filter(|start| (within.start..within.end).contains(start));
                if inside.is_some()
                    && let Some(name_uses) = self.name_use(&Link::of_use(file, one))
                {
                    found.push((target, name_uses, one.role));
                }
            }
        }
        found.sort_by_cached_key(|(target, name_uses, role)| {
            (name_uses.span.start, *role, symbols::id(query, *target))
        });
        found
    }

    /// Returns the implementations, by depth and id; empty for kinds without implementations.
    pub fn implementations(&self, symbols: &[SymbolId]) -> Vec<SymbolId> {
        let operation = Operation::Implementations;
        let taken = symbols.iter().copied();
        let taken = taken.filter(|&symbol| targets::takes(&self.query, operation, symbol));
        let found = taken.flat_map(|symbol| operations::implementers(&self.query, symbol));
        self.in_depth_order(found.collect())
    }

    /// Returns what symbols implement, by depth and id; empty for kinds that implement nothing.
    pub fn implements(&self, symbols: &[SymbolId]) -> Vec<SymbolId> {
        let operation = Operation::Implements;
        let taken = symbols.iter().copied();
        let taken = taken.filter(|&symbol| targets::takes(&self.query, operation, symbol));
        let found = taken.flat_map(|symbol| operations::implemented(&self.query, symbol));
        self.in_depth_order(found.collect())
    }

    /// Returns whether a symbol is a class or the method of one, whose declaration lists what it
    /// implements.
    pub fn is_of_class(&self, symbol: SymbolId) -> bool {
        symbols::is_of_class(&self.query, symbol)
    }

    /// Returns what a type implements, embeds or extends in one step.
    pub fn supertypes(&self, symbol: SymbolId) -> Vec<SymbolId> {
        let query = &self.query;
        if !query.kind(symbol).is_type() {
            return Vec::new();
        }
        let mut found = one_step(operations::implemented(query, symbol));
        if let DeclaredIn::Unit(unit) = query.key(symbol).declared_in
            && let Some(language) = query.language(symbol)
        {
            let units = query.units.named(unit.lang(query.db), unit.name(query.db));
            for &unit in units {
                let hierarchy = language.hierarchy(query.db, unit);
                let own = hierarchy.supertypes.iter().filter(|row| row.from == symbol);
                found.extend(own.map(|row| row.to));
            }
        }
        found.retain(|&other| other != symbol);
        symbols::in_order(query, found)
    }

    /// Returns what implements, embeds or extends a type in one step.
    pub fn subtypes(&self, symbol: SymbolId) -> Vec<SymbolId> {
        let query = &self.query;
        if !query.kind(symbol).is_type() {
            return Vec::new();
        }
        let mut found = match targets::takes(query, Operation::Implementations, symbol) {
            true => one_step(operations::implementers(query, symbol)),
            false => Vec::new(),
        };
        let visible_units = visibility::visible_units(query, symbol);
        let embedding = query.map(&visible_units, |languages, db, &unit| {
            let hierarchy = languages.of(unit.lang(db))?.hierarchy(db, unit);
            let own = hierarchy.supertypes.iter().filter(|row| row.to == symbol);
            Some(own.map(|row| row.from).collect::<Vec<SymbolId>>())
        });
        found.extend(embedding.into_iter().flatten().flatten());
        found.retain(|&other| other != symbol);
        symbols::in_order(query, found)
    }

    fn neighbours(&self, neighbours: Vec<(SymbolId, Vec<Link>)>) -> Vec<Neighbour> {
        let rows = operations::listed(&self.query, neighbours).into_iter();
        let neighbours = rows.map(|row| {
            self.query.db.unwind_if_cancelled();
            Neighbour {
                symbol: row.symbol,
                sites: self.name_uses(row.links),
            }
        });
        neighbours.collect()
    }

    fn name_uses(&self, links: impl IntoIterator<Item = Link>) -> Vec<NameUse> {
        let links = links.into_iter();
        let mut name_uses: Vec<NameUse> = links.filter_map(|link| self.name_use(&link)).collect();
        let db = self.query.db;
        name_uses.sort_by(|a, b| {
            let by_file = match a.file == b.file {
                true => std::cmp::Ordering::Equal,
                false => a.file.path(db).cmp(b.file.path(db)),
            };
            by_file.then_with(|| a.span.start.cmp(&b.span.start))
        });
        name_uses
    }

    fn name_use(&self, link: &Link) -> Option<NameUse> {
        let db = self.query.db;
        let file = link.file;
        let span = match link.key {
            SiteKey::Import(number) => *file_ranges(db, file).imports.get(number as usize)?,
            _ => {
                let language = self.query.languages.of(file.lang(db))?;
                token(file.text(db), link.offset(db, language)?)
            }
        };
        Some(NameUse { file, span })
    }

    fn in_depth_order(&self, rows: Vec<ResultRow>) -> Vec<SymbolId> {
        let mut found: Vec<(Option<u32>, SymbolId)> =
            rows.iter().map(|row| (row.depth, row.symbol)).collect();
        let query = &self.query;
        found.sort_by_cached_key(|&(depth, symbol)| {
            (depth, query.lang(symbol), symbols::id(query, symbol))
        });
        let mut seen = FxHashSet::default();
        found.retain(|&(_, symbol)| seen.insert(symbol));
        found.into_iter().map(|(_, symbol)| symbol).collect()
    }
}

fn one_step(rows: Vec<ResultRow>) -> Vec<SymbolId> {
    let near = rows
        .iter()
        .filter(|row| row.depth.is_none_or(|depth| depth == 1));
    near.map(|row| row.symbol).collect()
}

/// Returns the token that starts at a byte offset of a text: a word, a string on one line with its
/// quotes, else one character. Empty past the end.
///
/// ```
/// let span = codeweft_graph::token("x := \"a b\"", 5);
/// assert_eq!((span.start, span.end), (5, 10));
/// ```
pub fn token(text: &str, start: u32) -> Span {
    let rest = text.get(start as usize..).unwrap_or("");
    let in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let len = match rest.chars().next() {
        Some(first) if in_word(first) => rest.find(|letter| !in_word(letter)).unwrap_or(rest.len()),
        Some(quote @ ('"' | '\'' | '`')) => {
            let line = rest[1..].split('\n').next().unwrap_or("");
            line.find(quote).map_or(1, |end| end + 2)
        }
        Some(other) => other.len_utf8(),
        None => 0,
    };
    Span {
        start,
        end: start + len as u32,
    }
}
