//! The graph asked symbol by symbol, and answered whole: for editors, whose answers are never cut.
//! Every answer is that of the operation it is named after.

use std::cell::RefCell;
use std::sync::Arc;

use codeweft_db::{
    DeclarationRange, DeclaredIn, ExcludedDeclaration, File, Lang, Language, NameTarget, NodeKind,
    Resolution, Role, RootDb, Span, SymbolClass, SymbolId, UnitKind, file_ranges,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::answer::Operation;
use crate::filtering::ResultRow;
use crate::languages;
use crate::link::{Link, Links, SiteKey};
use crate::operations::uses::is_resolved;
use crate::query_context::QueryContext;
use crate::revision_cache::RevisionCache;
use crate::targets_of_sites::without_numbers;

/// The graph at one revision.
pub struct EditorGraph<'a> {
    question: QueryContext<'a>,
    /// Whether a language has a package of a name.
    packages: RefCell<FxHashMap<Lang, FxHashMap<String, bool>>>,
}

/// A name in a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NameUse {
    /// The file.
    pub file: File,
    /// The name: bytes of the text.
    pub span: Span,
}

/// A neighbour with what links it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Neighbour {
    /// The neighbour.
    pub symbol: SymbolId,
    /// By path, then place.
    pub sites: Vec<NameUse>,
}

impl<'a> EditorGraph<'a> {
    /// The graph, with what earlier questions of the same revision have joined.
    pub fn new(db: &'a RootDb, kept: &'a RevisionCache, threads: usize) -> EditorGraph<'a> {
        let mut question = QueryContext::new(db, kept, languages::ALL, threads);
        question.whole = true;
        EditorGraph {
            question,
            packages: RefCell::default(),
        }
    }

    /// The room of a file's language, if the configuration chooses the file.
    pub fn room(&self, file: File) -> Option<&'a dyn Language> {
        let unit = self.question.owner(file)?;
        let language = self.question.languages.of(file.lang(self.question.db))?;
        let files = language.files(self.question.db, unit);
        files.contains(&file).then_some(language)
    }

    /// The type that a field embeds, at the name that declares the field.
    pub fn embedded_at(&self, field: SymbolId, file: File, at: u32) -> Option<SymbolId> {
        self.question.embedded_at(field, file, at)
    }

    /// What stands at a byte offset of a file; nothing in one that the configuration leaves out.
    pub fn at(&self, file: File, offset: u32) -> Option<NameTarget> {
        self.room(file)?.name_at(self.question.db, file, offset)
    }

    /// The symbols that an id means, as answers print it: one that has a number, else all twins.
    /// Empty where it is gone.
    pub fn symbols(&self, id: &str) -> Vec<SymbolId> {
        let first = self.question.by_id(id).first().copied();
        first.map_or_else(Vec::new, |first| self.question.meant(first, id))
    }

    /// A symbol with all of its twins: what a position at one of them means.
    pub fn twins(&self, symbol: SymbolId) -> Vec<SymbolId> {
        self.question.twins_of(symbol)
    }

    /// The id that means a symbol and all of its twins.
    pub fn plain_id(&self, symbol: SymbolId) -> String {
        match self.question.twins_of(symbol).len() {
            0 | 1 => self.id(symbol),
            _ => without_numbers(&self.id(symbol)),
        }
    }

    /// The id, with its language before it where another language has the same.
    pub fn id(&self, symbol: SymbolId) -> String {
        let question = &self.question;
        let id = question.id(symbol);
        match question.lang(symbol) {
            Some(lang) if self.may_be_shared(lang, &id) => question.distinct_id(symbol),
            _ => id.to_string(),
        }
    }

    /// Whether another language may have an id: it has a package that the id begins with, or a
    /// name of its universe.
    fn may_be_shared(&self, lang: Lang, id: &str) -> bool {
        let question = &self.question;
        let all = &question.units.all;
        let ends = all.first().zip(all.last());
        // Units are in order of language.
        if ends.is_none_or(|(first, last)| first.lang(question.db) == last.lang(question.db)) {
            return false;
        }
        let rooms = question.languages.0.iter().map(|room| room.lang());
        rooms.filter(|&other| other != lang).any(|other| {
            let mut prefixes = id.match_indices('.').map(|(at, _)| &id[..at]);
            prefixes.any(|prefix| self.has_package(other, prefix))
                || question.package_by_name(other, id).is_some()
                || question.builtin(other, id).is_some()
        })
    }

    fn has_package(&self, lang: Lang, name: &str) -> bool {
        let mut known = self.packages.borrow_mut();
        let of_lang = known.entry(lang).or_default();
        if let Some(&has) = of_lang.get(name) {
            return has;
        }
        let has = self.question.package_by_name(lang, name).is_some();
        of_lang.insert(name.to_owned(), has);
        has
    }

    /// The kind.
    pub fn kind(&self, symbol: SymbolId) -> NodeKind {
        self.question.kind(symbol)
    }

    /// Its own name; of a package the last part.
    pub fn name(&self, symbol: SymbolId) -> String {
        self.question.facts(symbol).name().to_owned()
    }

    /// The id of what it stands in: a type or function, else its package; of a package empty.
    pub fn container(&self, symbol: SymbolId) -> Arc<str> {
        let key = self.question.key(symbol);
        match (key.class, key.parent) {
            (SymbolClass::Package, _) => "".into(),
            (_, Some(parent)) => self.question.id(parent),
            (_, None) => self.question.package_id(symbol),
        }
    }

    /// Where it is declared; `None` without a text.
    pub fn place(&self, symbol: SymbolId) -> Option<DeclarationRange> {
        let language = self.question.language(symbol)?;
        language.declaration_range(self.question.db, symbol)
    }

    /// The files of a package, its own first file first; of anything else none.
    pub fn files_of_package(&self, symbol: SymbolId) -> Vec<File> {
        let question = &self.question;
        if question.kind(symbol) != NodeKind::Package {
            return Vec::new();
        }
        let first = self.place(symbol).map(|place| place.file);
        let tests = |file: &File| {
            let unit = question.owner(*file);
            unit.is_some_and(|unit| unit.kind(question.db) == UnitKind::InTest)
        };
        let mut files: Vec<File> = first.into_iter().collect();
        let others = question.files_of_body(symbol).into_iter();
        files.extend(others.filter(|file| Some(*file) != first && !tests(file)));
        files
    }

    /// All that a name at a byte offset is resolved to, as well as `found` is: the bindings of
    /// several branches, the members of a union.
    pub fn alike(&self, file: File, start: u32, found: SymbolId) -> Vec<SymbolId> {
        let question = &self.question;
        let Some(language) = self.room(file) else {
            return Vec::new();
        };
        let key = question.key(found);
        let uses = language.uses(question.db, file);
        let mut here: Vec<(SymbolId, Resolution)> = Vec::new();
        for (target, sites) in uses.iter() {
            let other = question.key(target);
            if (other.name, other.class) != (key.name, key.class) {
                continue;
            }
            let mut sites = sites.iter().filter(|one| is_resolved(one));
            let site = sites
                .find(|one| language.offset(question.db, file, one.body, one.occ) == Some(start));
            here.extend(site.map(|one| (target, one.resolution)));
        }
        let own = here.iter().find(|(target, _)| *target == found);
        let Some(&(_, resolution)) = own else {
            return Vec::new();
        };
        let alike = here.iter().filter(|(_, other)| *other == resolution);
        let alike = alike.map(|&(target, _)| target);
        question.in_order(alike.filter(|&target| target != found).collect())
    }

    /// What a file declares that the configuration leaves out, with the ids; of a file that it
    /// chooses nothing.
    pub fn left_out(&self, file: File) -> Vec<(String, ExcludedDeclaration)> {
        let question = &self.question;
        let language = question.languages.of(file.lang(question.db));
        let (None, Some((language, unit))) = (self.room(file), language.zip(question.owner(file)))
        else {
            return Vec::new();
        };
        let declared = language
            .declarations_of_excluded(question.db, file)
            .into_iter();
        declared
            .map(|one| {
                let id = question.left_out(language, unit, one.clone()).printed;
                (id, one)
            })
            .collect()
    }

    /// `callers`, depth 1; none of what is not called.
    pub fn callers(&self, symbols: &[SymbolId]) -> Vec<Neighbour> {
        let step = |symbol| self.question.callers_of(symbol, false);
        self.linked(self.joined(symbols, Operation::Callers, step))
    }

    /// How many callers there are.
    pub fn count_callers(&self, symbols: &[SymbolId]) -> usize {
        let step = |symbol| self.question.callers_of(symbol, false);
        self.joined(symbols, Operation::Callers, step).len()
    }

    /// `callees`, depth 1; none of what does not call.
    pub fn callees(&self, symbols: &[SymbolId]) -> Vec<Neighbour> {
        let step = |symbol| self.question.callees_of(symbol, false);
        self.linked(self.joined(symbols, Operation::Callees, step))
    }

    /// The neighbours of those symbols that an operation takes, each once, one link a place.
    fn joined(
        &self,
        symbols: &[SymbolId],
        operation: Operation,
        step: impl Fn(SymbolId) -> Vec<(SymbolId, Vec<Link>)>,
    ) -> Vec<(SymbolId, Vec<Link>)> {
        let question = &self.question;
        let taken = symbols.iter().copied();
        let mut taken = taken.filter(|&symbol| question.takes(operation, symbol));
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

    /// `references`: by path, then place.
    pub fn references(&self, symbols: &[SymbolId]) -> Vec<NameUse> {
        let links = self.joined(symbols, Operation::References, |symbol| {
            self.question.references_of(symbol)
        });
        let mut used = self.used(links.into_iter().flat_map(|(_, links)| links));
        used.dedup();
        used
    }

    /// How many references there are.
    pub fn count_references(&self, symbols: &[SymbolId]) -> usize {
        let is_package = |&symbol: &SymbolId| self.question.kind(symbol) == NodeKind::Package;
        if symbols.iter().any(is_package) {
            // An import may be a statement and a use at one place.
            return self.references(symbols).len();
        }
        let by_declaration = self.joined(symbols, Operation::References, |symbol| {
            self.question.references_of(symbol)
        });
        by_declaration.iter().map(|(_, links)| links.len()).sum()
    }

    /// `references` in one file, with what each does.
    pub fn references_in(&self, file: File, symbol: SymbolId) -> Vec<(NameUse, Role)> {
        let question = &self.question;
        let Some(language) = self.room(file) else {
            return Vec::new();
        };
        let uses = language.uses(question.db, file);
        let own = uses.of(symbol);
        let own = own.iter().filter(|one| is_resolved(one));
        let mut found: Vec<(NameUse, Role)> = own
            .filter_map(|one| Some((self.used_at(&Link::of_use(file, one))?, one.role)))
            .collect();
        if let Some(unit) = question.owner(file) {
            let imports = language.imports(question.db, unit);
            let own = imports
                .iter()
                .filter(|row| row.to == symbol && row.file == file);
            let links = own.map(|row| Link::plain(file, SiteKey::Import(row.import)));
            found.extend(links.filter_map(|link| Some((self.used_at(&link)?, Role::Import))));
        }
        found.sort_by_key(|(used, role)| (used.span.start, *role));
        found.dedup_by_key(|(used, _)| used.span);
        found
    }

    /// The types that are named between two byte offsets of a file, classes that are constructed
    /// too, in order of the text.
    pub fn types_in(&self, file: File, within: Span) -> Vec<(SymbolId, NameUse, Role)> {
        let question = &self.question;
        let Some(language) = self.room(file) else {
            return Vec::new();
        };
        let uses = language.uses(question.db, file);
        let mut found: Vec<(SymbolId, NameUse, Role)> = Vec::new();
        for (target, sites) in uses.iter() {
            if question.key(target).class != SymbolClass::Type {
                continue;
            }
            for one in sites.iter().filter(|one| is_resolved(one)) {
                let start = language.offset(question.db, file, one.body, one.occ);
                let inside = start.filter(|start| (within.start..within.end).contains(start));
                if inside.is_some()
                    && let Some(used) = self.used_at(&Link::of_use(file, one))
                {
                    found.push((target, used, one.role));
                }
            }
        }
        found.sort_by_cached_key(|(target, used, role)| {
            (used.span.start, *role, question.id(*target))
        });
        found
    }

    /// `implementations`, in order of depth and id; none of what has none by its kind.
    pub fn implementations(&self, symbols: &[SymbolId]) -> Vec<SymbolId> {
        let operation = Operation::Implementations;
        let taken = symbols.iter().copied();
        let taken = taken.filter(|&symbol| self.question.takes(operation, symbol));
        let found = taken.flat_map(|symbol| self.question.implementers(symbol));
        self.in_depth_order(found.collect())
    }

    /// `implements`, in order of depth and id; none of what has none by its kind.
    pub fn implements(&self, symbols: &[SymbolId]) -> Vec<SymbolId> {
        let operation = Operation::Implements;
        let taken = symbols.iter().copied();
        let taken = taken.filter(|&symbol| self.question.takes(operation, symbol));
        let found = taken.flat_map(|symbol| self.question.implemented(symbol));
        self.in_depth_order(found.collect())
    }

    /// What a type implements, embeds or extends in one step.
    pub fn supertypes(&self, symbol: SymbolId) -> Vec<SymbolId> {
        let question = &self.question;
        if !question.kind(symbol).is_type() {
            return Vec::new();
        }
        let mut found = one_step(question.implemented(symbol));
        if let DeclaredIn::Unit(unit) = question.key(symbol).declared_in
            && let Some(language) = question.language(symbol)
        {
            let units = question
                .units
                .named(unit.lang(question.db), unit.name(question.db));
            for &unit in units {
                let hierarchy = language.hierarchy(question.db, unit);
                let own = hierarchy.supertypes.iter().filter(|row| row.from == symbol);
                found.extend(own.map(|row| row.to));
            }
        }
        found.retain(|&other| other != symbol);
        question.in_order(found)
    }

    /// What implements, embeds or extends a type in one step.
    pub fn subtypes(&self, symbol: SymbolId) -> Vec<SymbolId> {
        let question = &self.question;
        if !question.kind(symbol).is_type() {
            return Vec::new();
        }
        let mut found = match question.takes(Operation::Implementations, symbol) {
            true => one_step(question.implementers(symbol)),
            false => Vec::new(),
        };
        let reached = question.reached(symbol);
        let embedding = question.map(&reached, |languages, db, &unit| {
            let hierarchy = languages.of(unit.lang(db))?.hierarchy(db, unit);
            let own = hierarchy.supertypes.iter().filter(|row| row.to == symbol);
            Some(own.map(|row| row.from).collect::<Vec<SymbolId>>())
        });
        found.extend(embedding.into_iter().flatten().flatten());
        found.retain(|&other| other != symbol);
        question.in_order(found)
    }

    fn linked(&self, neighbours: Vec<(SymbolId, Vec<Link>)>) -> Vec<Neighbour> {
        let drafts = self.question.listed(neighbours).into_iter();
        let linked = drafts.map(|draft| {
            self.question.db.unwind_if_cancelled();
            Neighbour {
                symbol: draft.symbol,
                sites: self.used(draft.links),
            }
        });
        linked.collect()
    }

    fn used(&self, links: impl IntoIterator<Item = Link>) -> Vec<NameUse> {
        let links = links.into_iter();
        let mut used: Vec<NameUse> = links.filter_map(|link| self.used_at(&link)).collect();
        let db = self.question.db;
        used.sort_by(|a, b| {
            let by_file = match a.file == b.file {
                true => std::cmp::Ordering::Equal,
                false => a.file.path(db).cmp(b.file.path(db)),
            };
            by_file.then_with(|| a.span.start.cmp(&b.span.start))
        });
        used
    }

    fn used_at(&self, link: &Link) -> Option<NameUse> {
        let db = self.question.db;
        let file = link.file;
        let span = match link.spot {
            SiteKey::Import(number) => *file_ranges(db, file).imports.get(number as usize)?,
            _ => {
                let language = self.question.languages.of(file.lang(db))?;
                token(file.text(db), link.offset(db, language)?)
            }
        };
        Some(NameUse { file, span })
    }

    fn in_depth_order(&self, drafts: Vec<ResultRow>) -> Vec<SymbolId> {
        let mut found: Vec<(Option<u32>, SymbolId)> = drafts
            .iter()
            .map(|draft| (draft.depth, draft.symbol))
            .collect();
        let question = &self.question;
        found.sort_by_cached_key(|&(depth, symbol)| {
            (depth, question.lang(symbol), question.id(symbol))
        });
        let mut seen = FxHashSet::default();
        found.retain(|&(_, symbol)| seen.insert(symbol));
        found.into_iter().map(|(_, symbol)| symbol).collect()
    }
}

fn one_step(drafts: Vec<ResultRow>) -> Vec<SymbolId> {
    let near = drafts
        .iter()
        .filter(|draft| draft.depth.is_none_or(|depth| depth == 1));
    near.map(|draft| draft.symbol).collect()
}

/// The token that starts at a byte offset of a text: a word, a string of one line with its quotes,
/// else one character. Empty behind the end.
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
