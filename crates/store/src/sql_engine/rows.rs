//! The rows of the file as the engine reads them: symbols, files, packages. A row that cannot be read is skipped
//! and counted.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use codeweft_db::{Lang, NodeKind, Reason};
use codeweft_graph::languages;
use codeweft_graph::shaping::TargetNode;
use rusqlite::{CachedStatement, Connection, Params, Row};
use rustc_hash::{FxHashMap, FxHashSet};

use super::failure::{Found, is_of_value};
use super::open_sites::EXCLUDED;
use super::statements;
use crate::sqlite::codes;

/// The file and the package of a node, as far as it has them.
type FileAndPackage = (Option<Rc<FileFact>>, Option<Rc<PackageFact>>);

/// The number of a symbol in its file. It orders no answer.
pub(super) type Sid = u32;

/// The number of a file.
pub(super) type FileId = u32;

/// A declaration.
#[derive(Debug)]
pub(super) struct SymbolFact {
    pub(super) sid: Sid,
    pub(super) id: Box<str>,
    name: Option<Box<str>>,
    /// Bytes at the end of the id that are the name.
    name_size: u32,
    pub(super) kind: NodeKind,
    /// The number of its package.
    package: Option<u32>,
    pub(super) parent: Option<Sid>,
    pub(super) file: Option<FileId>,
    flags: u8,
    pub(super) lines: (u32, u32),
    pub(super) name_at: (u32, u32),
}

impl SymbolFact {
    /// Returns the last part of the id.
    pub(super) fn name(&self) -> &str {
        match &self.name {
            Some(name) => name,
            None => {
                let at = self.id.len().saturating_sub(self.name_size as usize);
                self.id.get(at..).unwrap_or(&self.id)
            }
        }
    }

    pub(super) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Returns whether it belongs to a library.
    pub(super) fn is_external(&self) -> bool {
        self.has(codes::EXTERNAL)
    }

    /// Returns whether it is a class or the method of one.
    pub(super) fn is_of_class(&self) -> bool {
        self.has(codes::CLASS)
    }
}

impl TargetNode for SymbolFact {
    fn kind(&self) -> NodeKind {
        self.kind
    }

    fn is_class(&self) -> bool {
        self.kind != NodeKind::Method && self.has(codes::CLASS)
    }

    fn is_interface_method(&self) -> bool {
        self.has(codes::OF_INTERFACE)
    }

    fn is_absent(&self) -> bool {
        self.has(codes::ABSENT)
    }

    fn parent_kind(&self) -> Option<NodeKind> {
        if self.has(codes::OF_INTERFACE) {
            return Some(NodeKind::Interface);
        }
        self.has(codes::CLASS).then_some(NodeKind::Class)
    }
}

/// What an answer keeps of each row of the symbols that it meets. Small, since it may meet ten thousands; 0 is no number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fact {
    /// The number of its kind, [`codes::TOP_LEVEL`] or [`BROKEN`].
    code: u8,
    flags: u8,
    package: u32,
    file: FileId,
    home: Sid,
    start_line: u32,
}

/// The number instead of a kind of a row that is missing or cannot be read.
const BROKEN: u8 = u8::MAX;

/// The number of symbols with their ids that are kept: those that are read again are near each other.
const MAX_KEPT: usize = 2048;

impl Fact {
    const NONE: Fact = Fact {
        code: BROKEN,
        flags: 0,
        package: 0,
        file: 0,
        home: 0,
        start_line: 0,
    };

    /// Returns the kind of the symbol; `None` for a top level and a row that cannot be read.
    pub(super) fn kind(self) -> Option<NodeKind> {
        kind_of(self.code)
    }

    pub(super) fn file(self) -> Option<FileId> {
        (self.file != 0).then_some(self.file)
    }

    pub(super) fn has(self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Returns whether it belongs to a library.
    pub(super) fn is_external(self) -> bool {
        self.has(codes::EXTERNAL)
    }

    /// Returns whether the text of a symbol's declaration was read when the file was written, although the symbol
    /// belongs to a library.
    pub(super) fn is_of_read_library(self) -> bool {
        self.is_external() && self.file != 0
    }
}

/// What has uses: a declaration, or the top level of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Owner {
    pub(super) file: Option<FileId>,
    pub(super) start_line: u32,
    /// The symbol whose uses it has beside its own.
    pub(super) home: Option<Sid>,
    pub(super) is_top_level: bool,
}

/// What is read of a file.
#[derive(Debug)]
pub(super) struct FileFact {
    pub(super) path: Box<str>,
    pub(super) lang: Option<Lang>,
    /// The id of its package.
    pub(super) package: Option<Box<str>>,
    pub(super) is_test: bool,
    pub(super) is_built: bool,
    pub(super) is_external: bool,
}

/// A package.
#[derive(Debug)]
pub(super) struct PackageFact {
    pub(super) id: Box<str>,
    pub(super) lang: Option<Lang>,
}

/// An open file of the export, with what was read of it so far.
pub(super) struct Rows<'c> {
    connection: &'c Connection,
    facts: RefCell<FxHashMap<Sid, Fact>>,
    symbols: RefCell<FxHashMap<Sid, Rc<SymbolFact>>>,
    files: RefCell<FxHashMap<FileId, Option<Rc<FileFact>>>>,
    packages: RefCell<FxHashMap<u32, Option<Rc<PackageFact>>>>,
    about: FxHashMap<String, String>,
    /// The name of each reason, with its rank among those of a site.
    reasons: FxHashMap<u16, (Rc<str>, usize)>,
    broken_symbols: RefCell<FxHashSet<Sid>>,
    broken_rows: Cell<u32>,
}

/// Runs a statement and reads its rows; a row that `read` cannot read is counted in `broken`.
fn each<T>(
    statement: &mut CachedStatement<'_>,
    parameters: impl Params,
    broken: &Cell<u32>,
    read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    visit: &mut dyn FnMut(T),
) -> Found<()> {
    let mut rows = statement.query(parameters)?;
    while let Some(row) = rows.next()? {
        match read(row) {
            Ok(one) => visit(one),
            Err(error) if is_of_value(&error) => broken.set(broken.get() + 1),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

impl<'c> Rows<'c> {
    /// Opens the rows of a connection.
    pub(super) fn new(connection: &'c Connection) -> Found<Rows<'c>> {
        connection.set_prepared_statement_cache_capacity(64);
        let mut rows = Rows {
            connection,
            facts: RefCell::default(),
            symbols: RefCell::default(),
            files: RefCell::default(),
            packages: RefCell::default(),
            about: FxHashMap::default(),
            reasons: FxHashMap::default(),
            broken_symbols: RefCell::default(),
            broken_rows: Cell::default(),
        };
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        rows.about = rows.all(statements::ABOUT, [], read)?.into_iter().collect();
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get::<_, String>(1)?));
        let reasons = rows.all(statements::REASONS, [], read)?.into_iter();
        let ranked = reasons.map(|(number, name)| {
            let rank = Reason::ALL.iter().position(|one| one.wire_name() == name);
            (number, (name.into(), rank.unwrap_or(Reason::ALL.len())))
        });
        rows.reasons = ranked.collect();
        let excluded = Reason::ExcludedFile;
        let rank = Reason::ALL.iter().position(|&one| one == excluded);
        let excluded = (
            excluded.wire_name().into(),
            rank.unwrap_or(Reason::ALL.len()),
        );
        rows.reasons.insert(EXCLUDED, excluded);
        Ok(rows)
    }

    /// Passes the rows of a statement to `visit`.
    pub(super) fn each<T>(
        &self,
        statement: &'static str,
        parameters: impl Params,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
        visit: &mut dyn FnMut(T),
    ) -> Found<()> {
        let mut prepared = self.connection.prepare_cached(statement)?;
        each(&mut prepared, parameters, &self.broken_rows, read, visit)
    }

    /// Returns the rows of a statement.
    pub(super) fn all<T>(
        &self,
        statement: &'static str,
        parameters: impl Params,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Found<Vec<T>> {
        let mut found = Vec::new();
        self.each(statement, parameters, read, &mut |one| found.push(one))?;
        Ok(found)
    }

    /// Returns the first row of a statement.
    pub(super) fn first<T>(
        &self,
        statement: &'static str,
        parameters: impl Params,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Found<Option<T>> {
        Ok(self.all(statement, parameters, read)?.into_iter().next())
    }

    /// Returns the numbers in the first column of the rows of a statement.
    pub(super) fn sids(&self, statement: &'static str, parameters: impl Params) -> Found<Vec<Sid>> {
        self.all(statement, parameters, |row| row.get(0))
    }

    /// Returns the number of rows that could not be read so far.
    pub(super) fn broken(&self) -> u32 {
        self.broken_rows.get() + self.broken_symbols.borrow().len() as u32
    }

    /// Counts a row that has a word which is not known.
    pub(super) fn count_broken(&self) {
        self.broken_rows.set(self.broken_rows.get() + 1);
    }

    /// Returns what the file says of itself; empty if it does not say it.
    pub(super) fn about(&self, key: &str) -> &str {
        self.about.get(key).map_or("", String::as_str)
    }

    /// Returns the build configuration of a language, or of all.
    pub(super) fn configuration(&self, lang: Option<Lang>) -> String {
        match lang {
            Some(lang) => self.about(&format!("configuration.{}", lang.wire_name())),
            None => self.about("configuration"),
        }
        .to_owned()
    }

    /// Returns the name of a reason.
    pub(super) fn reason(&self, number: u16) -> Option<Rc<str>> {
        self.reasons.get(&number).map(|(name, _)| name.clone())
    }

    /// Returns the rank of a reason: of several reasons for a site the first counts.
    pub(super) fn reason_rank(&self, number: u16) -> usize {
        self.reasons
            .get(&number)
            .map_or(usize::MAX, |&(_, rank)| rank)
    }

    /// Returns a symbol; `None` if its row is missing or cannot be read.
    pub(super) fn symbol(&self, sid: Sid) -> Found<Option<Rc<SymbolFact>>> {
        if let Some(known) = self.symbols.borrow().get(&sid) {
            return Ok(Some(known.clone()));
        }
        let known = self.facts.borrow().get(&sid).copied();
        let found = match known.filter(|fact| fact.kind().is_none()) {
            Some(_) => None,
            None => self.read(sid)?.1,
        };
        if found.is_none() {
            self.broken_symbols.borrow_mut().insert(sid);
        }
        Ok(found)
    }

    /// Returns what is kept of a symbol; `None` if its row is missing or cannot be read.
    pub(super) fn fact(&self, sid: Sid) -> Found<Option<Fact>> {
        let fact = self.row(sid)?;
        let is_symbol = fact.kind().is_some();
        if !is_symbol {
            self.broken_symbols.borrow_mut().insert(sid);
        }
        Ok(is_symbol.then_some(fact))
    }

    /// Returns an owner of uses; `None` if its row is missing or cannot be read.
    pub(super) fn owner(&self, sid: Sid) -> Found<Option<Owner>> {
        let fact = self.row(sid)?;
        Ok((fact.code != BROKEN).then_some(Owner {
            file: fact.file(),
            start_line: fact.start_line,
            home: (fact.home != 0).then_some(fact.home),
            is_top_level: fact.code == codes::TOP_LEVEL,
        }))
    }

    fn row(&self, sid: Sid) -> Found<Fact> {
        let known = self.facts.borrow().get(&sid).copied();
        match known {
            Some(known) => Ok(known),
            None => Ok(self.read(sid)?.0),
        }
    }

    /// Reads a row of the symbols and top levels.
    fn read(&self, sid: Sid) -> Found<(Fact, Option<Rc<SymbolFact>>)> {
        let broken = self.broken_rows.get();
        let found = self.first(statements::SYMBOL, [sid], |row| symbol_of(sid, row))?;
        // It is counted as a symbol, once.
        self.broken_rows.set(broken);
        let (fact, symbol) = found.unwrap_or((Fact::NONE, None));
        if fact.code == BROKEN {
            self.broken_symbols.borrow_mut().insert(sid);
        }
        self.facts.borrow_mut().insert(sid, fact);
        let symbol = symbol.map(Rc::new);
        if let Some(symbol) = &symbol {
            let mut kept = self.symbols.borrow_mut();
            if kept.len() == MAX_KEPT {
                kept.clear();
            }
            kept.insert(sid, symbol.clone());
        }
        Ok((fact, symbol))
    }

    /// Returns symbols that can be read.
    pub(super) fn symbols(
        &self,
        sids: impl IntoIterator<Item = Sid>,
    ) -> Found<Vec<Rc<SymbolFact>>> {
        let mut found = Vec::new();
        for sid in sids {
            found.extend(self.symbol(sid)?);
        }
        Ok(found)
    }

    /// Returns a file.
    pub(super) fn file(&self, file: FileId) -> Found<Option<Rc<FileFact>>> {
        if let Some(known) = self.files.borrow().get(&file) {
            return Ok(known.clone());
        }
        let found = self.first(statements::FILE, [file], |row| {
            let language: Option<String> = row.get(1)?;
            let package: Option<String> = row.get(2)?;
            Ok(Rc::new(FileFact {
                path: row.get::<_, String>(0)?.into_boxed_str(),
                lang: language.as_deref().and_then(lang_named),
                package: package.map(String::into_boxed_str),
                is_test: row.get(3)?,
                is_built: row.get(4)?,
                is_external: row.get(5)?,
            }))
        })?;
        if found.is_none() {
            self.count_broken();
        }
        self.files.borrow_mut().insert(file, found.clone());
        Ok(found)
    }

    /// Returns the file of a symbol.
    pub(super) fn file_of(&self, symbol: &SymbolFact) -> Found<Option<Rc<FileFact>>> {
        symbol.file.map_or(Ok(None), |file| self.file(file))
    }

    /// Returns the file and the package of a node.
    pub(super) fn file_and_package(&self, fact: Fact) -> Found<FileAndPackage> {
        let file = fact.file().map_or(Ok(None), |file| self.file(file))?;
        let package = Some(fact.package).filter(|&package| package != 0);
        Ok((file, package.map_or(Ok(None), |one| self.package(one))?))
    }

    /// Returns the package of a symbol; `None` for one that is in none.
    pub(super) fn package_of(&self, symbol: &SymbolFact) -> Found<Option<Rc<PackageFact>>> {
        symbol.package.map_or(Ok(None), |one| self.package(one))
    }

    fn package(&self, number: u32) -> Found<Option<Rc<PackageFact>>> {
        if let Some(known) = self.packages.borrow().get(&number) {
            return Ok(known.clone());
        }
        let found = self.first(statements::PACKAGE, [number], |row| {
            let language: String = row.get(1)?;
            Ok(Rc::new(PackageFact {
                id: row.get::<_, String>(0)?.into_boxed_str(),
                lang: lang_named(&language),
            }))
        })?;
        self.packages.borrow_mut().insert(number, found.clone());
        Ok(found)
    }

    /// Returns the language of a symbol.
    pub(super) fn lang(&self, symbol: &SymbolFact) -> Found<Option<Lang>> {
        Ok(self.package_of(symbol)?.and_then(|package| package.lang))
    }

    /// Returns numbers of symbols by (language, id), each once; without those that cannot be read.
    pub(super) fn sids_in_order(&self, mut sids: Vec<Sid>) -> Found<Vec<Sid>> {
        sids.sort_unstable();
        sids.dedup();
        let mut ids = String::new();
        let mut keyed = Vec::with_capacity(sids.len());
        for sid in sids {
            let Some(fact) = self.fact(sid)? else {
                continue;
            };
            let package = Some(fact.package).filter(|&package| package != 0);
            let package = package.map_or(Ok(None), |one| self.package(one))?;
            let start = ids.len();
            if let Some(known) = self.symbols.borrow().get(&sid) {
                ids.push_str(&known.id);
            } else {
                let read = |row: &Row<'_>| row.get::<_, String>(0);
                self.each(statements::ID, [sid], read, &mut |id| ids.push_str(&id))?;
            }
            let lang = package.and_then(|package| package.lang);
            keyed.push((lang, (start as u32, ids.len() as u32), sid));
        }
        let id = |(start, end): (u32, u32)| ids.get(start as usize..end as usize);
        keyed.sort_by(|&(a, one, _), &(b, other, _)| (a, id(one)).cmp(&(b, id(other))));
        Ok(keyed.into_iter().map(|(_, _, sid)| sid).collect())
    }

    /// Returns whether the workspace has libraries whose uses of each other are not in the file.
    pub(super) fn has_libraries(&self) -> bool {
        self.about("library_units") != "0"
    }

    /// Returns symbols by (language, id), each once.
    pub(super) fn in_order(&self, mut symbols: Vec<Rc<SymbolFact>>) -> Found<Vec<Rc<SymbolFact>>> {
        let mut seen = FxHashSet::default();
        symbols.retain(|symbol| seen.insert(symbol.sid));
        let mut keyed = Vec::with_capacity(symbols.len());
        for symbol in symbols {
            keyed.push((self.lang(&symbol)?, symbol));
        }
        keyed.sort_by(|(a, one), (b, other)| (a, &one.id).cmp(&(b, &other.id)));
        Ok(keyed.into_iter().map(|(_, symbol)| symbol).collect())
    }

    /// Returns the symbol that uses something at an owner: its home if they are of the home, and `None` if
    /// that cannot be read.
    pub(super) fn user(&self, owner: Sid, flags: u8) -> Found<Option<Sid>> {
        if flags & codes::OF_HOME == 0 {
            return Ok(Some(owner));
        }
        Ok(self.owner(owner)?.and_then(|owner| owner.home))
    }

    /// Returns the owners of uses of a symbol: itself with its own, others with theirs of it as home.
    pub(super) fn owners_of(&self, symbol: Sid) -> Found<Vec<(Sid, bool)>> {
        let homes = self.sids(statements::OWNERS_OF_HOME, [symbol])?;
        let homes = homes.into_iter().map(|owner| (owner, true));
        Ok(std::iter::once((symbol, false)).chain(homes).collect())
    }
}

/// Returns what a row is, with the symbol unless it is a top level or broken.
fn symbol_of(sid: Sid, row: &Row<'_>) -> rusqlite::Result<(Fact, Option<SymbolFact>)> {
    let code: u8 = row.get(3)?;
    let number =
        |at: usize| -> rusqlite::Result<u32> { Ok(row.get::<_, Option<u32>>(at)?.unwrap_or(0)) };
    let fact = Fact {
        code,
        flags: row.get(8)?,
        package: number(4)?,
        file: number(7)?,
        home: number(6)?,
        start_line: number(9)?,
    };
    if code == codes::TOP_LEVEL {
        return Ok((fact, None));
    }
    let Some(kind) = kind_of(code) else {
        return Ok((Fact::NONE, None));
    };
    let id: String = row.get(0)?;
    let characters: Option<u32> = row.get(1)?;
    let name: Option<String> = row.get(2)?;
    let ends = id.char_indices().rev();
    let name_at = ends.take(characters.unwrap_or(0) as usize).last();
    let name_at = name_at.map_or(id.len(), |(at, _)| at);
    let symbol = SymbolFact {
        sid,
        name: name.map(String::into_boxed_str),
        name_size: (id.len() - name_at) as u32,
        id: id.into_boxed_str(),
        kind,
        package: row.get(4)?,
        parent: row.get(5)?,
        file: row.get(7)?,
        flags: fact.flags,
        lines: (fact.start_line, number(10)?),
        name_at: (number(11)?, number(12)?),
    };
    Ok((fact, Some(symbol)))
}

/// Returns the kind of nodes of a number.
fn kind_of(code: u8) -> Option<NodeKind> {
    NodeKind::ALL
        .get(usize::from(code).checked_sub(1)?)
        .copied()
}

/// Returns the language of a name on the wire.
pub(super) fn lang_named(name: &str) -> Option<Lang> {
    let mut langs = languages::ALL.iter().map(|language| language.lang());
    langs.find(|lang| lang.wire_name() == name)
}
