//! The files of a workspace with their wires, and the look-ups over them.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use codeweft_db::{
    Db as _, File, FileWires, Identifiers, Lang, Language, NameId, RootDb, SymbolClass, SymbolId,
    UnitGraph, ValueId, WireCall, WireValue, file_identifiers, has_secret,
};
use codeweft_graph::languages::language_of;
use rustc_hash::{FxHashMap, FxHashSet};

use super::value::CallAt;
use crate::code::{Code, CodeEdgeType};
use crate::recognisers::{Recogniser, Resolved};

/// A file of the workspace.
pub(crate) struct SourceFile {
    pub(crate) path: Arc<str>,
    pub(crate) file: File,
    pub(crate) lang: Lang,
    pub(crate) language: &'static dyn Language,
}

/// The wires of a file with their look-ups.
pub(crate) struct Loaded {
    pub(crate) wires: Arc<FileWires>,
    /// The calls by the declaration that the callee names.
    pub(super) calls_of: FxHashMap<SymbolId, Vec<u32>>,
    /// The numbers of the functions with names, by symbol.
    pub(super) functions: FxHashMap<SymbolId, u32>,
    /// The writes by the declaration that their target names: value, and whether it is one behind a pointer.
    pub(crate) writes: FxHashMap<SymbolId, Vec<ValueId>>,
    /// The types of fields and variables.
    pub(crate) types: FxHashMap<SymbolId, ValueId>,
    /// The calls that pass a function or a pointer to a variable, with the number of the argument.
    pub(crate) passing: FxHashMap<Passed, Vec<(u32, u32)>>,
    /// The values that each value is an operand of; read once.
    users: OnceCell<FxHashMap<ValueId, Vec<ValueId>>>,
}

/// What a call passes as an argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Passed {
    /// A declaration itself.
    Declared(SymbolId),
    /// A function without a name, by its number.
    Function(u32),
    /// A pointer to a variable or field.
    Pointer(SymbolId),
}

/// Numbers of files, ascending.
pub(crate) type FileNumbers = Rc<[u32]>;

/// What calls a function: the numbers of the functions whose calls run it, and the files with calls of them.
pub(super) type Calling = (Vec<u32>, Vec<u32>);

/// By language and name, the field if only one type has one of that name.
type OnlyFields = FxHashMap<(Lang, NameId), Option<SymbolId>>;

/// The files, the table and the code graph that an evaluation reads.
pub(crate) struct Program<'a> {
    pub(crate) db: &'a RootDb,
    pub(crate) code: &'a Code,
    pub(crate) resolved: Resolved,
    /// By path, without tests and generated files.
    pub(crate) files: Vec<SourceFile>,
    by_path: FxHashMap<Arc<str>, u32>,
    /// The identifiers of the files, read once.
    identifiers: OnceCell<Box<[Arc<Identifiers>]>>,
    loaded: RefCell<FxHashMap<u32, Rc<Loaded>>>,
    /// The generated files by path.
    generated: FxHashMap<&'a str, GeneratedFile>,
    /// Those of them that were read, with their wires.
    generated_wires: RefCell<BTreeMap<String, Arc<FileWires>>>,
    with_name: RefCell<FxHashMap<(Lang, NameId), FileNumbers>>,
    /// The fields by language and name, those that only one type has; read once.
    only_fields: OnceCell<OnlyFields>,
    /// The callers of a function by number: files.
    calling_files: FxHashMap<u32, Vec<u32>>,
    /// The methods of interfaces that a method implements, and those of bases that it overrides, by number.
    implemented: FxHashMap<u32, Vec<u32>>,
    /// The methods that implement each, by the same numbers.
    implementers: FxHashMap<u32, Vec<u32>>,
    /// The functions whose callers were read.
    called: RefCell<FxHashSet<SymbolId>>,
}

/// The length of a name that says nothing of a file of another language than that of its row, in bytes.
const MAX_SHORT_NAME: usize = 2;

/// A function of which a decorator makes an object.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The path of the type that the decorator makes of it.
    pub(crate) class: String,
    /// The application of the decorator.
    pub(crate) decorator: CallAt,
}

/// Returns the wires of a file; none of one with a secret, since they have the values of literals.
pub(super) fn wires_of(db: &RootDb, language: &dyn Language, file: File) -> Arc<FileWires> {
    if has_secret(db, file) {
        Arc::default()
    } else {
        language.wires(db, file)
    }
}

/// A generated file.
type GeneratedFile = (File, &'static dyn Language);

impl<'a> Program<'a> {
    /// Reads the files of a workspace; their wires are read when they are needed.
    pub(crate) fn new(db: &'a RootDb, code: &'a Code, rows: Vec<Recogniser>) -> Program<'a> {
        let owners = UnitGraph::try_get(db).map(|graph| graph.owners(db));
        let files = owners.into_iter().flat_map(|owners| owners.keys().copied());
        let by_path: FxHashMap<&str, File> = files.map(|file| (&**file.path(db), file)).collect();
        let sources = code
            .files
            .iter()
            .filter(|file| !file.is_test && !file.is_generated);
        let files = sources.filter_map(|source| {
            let file = *by_path.get(&*source.path)?;
            Some(SourceFile {
                path: source.path.clone(),
                file,
                lang: source.lang,
                language: language_of(source.lang)?,
            })
        });
        let files: Vec<SourceFile> = files.collect();
        let generated = code.files.iter().filter(|file| file.is_generated);
        let generated = generated.filter_map(|source| {
            let file = *by_path.get(&*source.path)?;
            Some((&*source.path, (file, language_of(source.lang)?)))
        });
        let generated = generated.collect();
        let by_path: FxHashMap<Arc<str>, u32> = files
            .iter()
            .map(|file| file.path.clone())
            .zip(0..)
            .collect();
        let mut calling_files: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        let mut implemented: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        let mut implementers: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for edge in code.edges.iter().filter(|edge| !edge.is_test) {
            match edge.edge_type {
                CodeEdgeType::Calls => {
                    if let Some(&file) = by_path.get(&edge.file) {
                        calling_files.entry(edge.to).or_default().push(file);
                    }
                }
                CodeEdgeType::Implements => {
                    implemented.entry(edge.from).or_default().push(edge.to);
                    implementers.entry(edge.to).or_default().push(edge.from);
                }
                CodeEdgeType::Inherits | CodeEdgeType::Imports | CodeEdgeType::References => {}
            }
        }
        for files in calling_files.values_mut() {
            files.sort_unstable();
            files.dedup();
        }
        Program {
            resolved: Resolved::new(db, rows),
            db,
            code,
            files,
            by_path,
            identifiers: OnceCell::new(),
            loaded: RefCell::default(),
            generated,
            generated_wires: RefCell::default(),
            with_name: RefCell::default(),
            only_fields: OnceCell::new(),
            calling_files,
            implemented,
            implementers,
            called: RefCell::default(),
        }
    }

    /// Returns the identifiers of the files, in their order.
    fn identifiers(&self) -> &[Arc<Identifiers>] {
        self.identifiers.get_or_init(|| {
            let files = self.files.iter();
            files
                .map(|source| file_identifiers(self.db, source.file))
                .collect()
        })
    }

    /// Returns the files that mention the last name of a row's path, by number.
    pub(crate) fn relevant_files(&self) -> Vec<u32> {
        let names: Vec<(Lang, NameId)> = self.resolved.names().collect();
        // A short name is one of anything in other languages.
        let is_short = |name: NameId| self.name(name).len() <= MAX_SHORT_NAME;
        let files = (0..).zip(self.files.iter().zip(self.identifiers()));
        let files = files.filter(|(_, (source, identifiers))| {
            let mut names = names.iter();
            names.any(|&(lang, name)| {
                (lang == source.lang || !is_short(name)) && identifiers.contains(name)
            })
        });
        files.map(|(number, _)| number).collect()
    }

    /// Returns a file by its number; the numbers are always those of one.
    pub(crate) fn file(&self, number: u32) -> Option<&SourceFile> {
        self.files.get(number as usize)
    }

    /// Returns the number of a file.
    pub(crate) fn file_number(&self, path: &str) -> Option<u32> {
        self.by_path.get(path).copied()
    }

    /// Returns the wires of a file.
    pub(crate) fn loaded(&self, number: u32) -> Rc<Loaded> {
        if let Some(known) = self.loaded.borrow().get(&number) {
            return known.clone();
        }
        self.db.unwind_if_cancelled();
        let wires = match self.file(number) {
            Some(source) => wires_of(self.db, source.language, source.file),
            None => Arc::default(),
        };
        let loaded = Rc::new(Loaded::new(wires));
        self.loaded.borrow_mut().insert(number, loaded.clone());
        loaded
    }

    /// Returns a value of a file.
    pub(crate) fn value(&self, file: u32, value: ValueId) -> WireValue {
        self.loaded(file).wires.value(value).clone()
    }

    /// Returns a call of a file.
    pub(crate) fn call(&self, (file, call): CallAt) -> Option<WireCall> {
        self.loaded(file).wires.calls.get(call as usize).cloned()
    }

    pub(crate) fn name(&self, name: NameId) -> &'a str {
        self.db.shared().names.text(name)
    }

    pub(crate) fn class(&self, symbol: SymbolId) -> SymbolClass {
        self.db.shared().symbols.key(symbol).class
    }

    /// Returns the file that declares a symbol of the workspace.
    pub(crate) fn file_of(&self, symbol: SymbolId) -> Option<u32> {
        let number = self.code.number_of(symbol)?;
        let declared = self
            .code
            .symbol(number)
            .filter(|symbol| !symbol.is_external)?;
        self.file_number(&declared.file)
    }

    /// Returns the file and number of a function of the workspace that has a name.
    pub(crate) fn function(&self, symbol: SymbolId) -> Option<(u32, u32)> {
        let file = self.file_of(symbol)?;
        let number = self.loaded(file).functions.get(&symbol).copied()?;
        Some((file, number))
    }

    /// Returns the field of a name that only one type of the workspace has.
    pub(super) fn only_field_named(&self, lang: Lang, name: NameId) -> Option<SymbolId> {
        let fields = self.only_fields.get_or_init(|| {
            let mut fields = OnlyFields::default();
            let symbols = self.code.symbols.iter();
            let symbols = symbols.filter(|one| one.kind == "field" && !one.is_test);
            for symbol in symbols.filter(|symbol| !symbol.is_external) {
                let (Some(lang), Some(field)) = (symbol.lang, symbol.symbol) else {
                    continue;
                };
                let name = self.db.shared().symbols.key(field).name;
                let only = fields.entry((lang, name)).or_insert(Some(field));
                *only = only.filter(|known| *known == field);
            }
            fields
        });
        *fields.get(&(lang, name))?
    }

    /// Returns the languages of the files.
    pub(crate) fn languages(&self) -> Vec<Lang> {
        let mut languages: Vec<Lang> = Vec::new();
        for source in &self.files {
            if !languages.contains(&source.lang) {
                languages.push(source.lang);
            }
        }
        languages
    }

    /// Returns the files that mention a name, in the languages of those that declare it.
    pub(crate) fn files_with(&self, lang: Lang, name: NameId) -> Rc<[u32]> {
        if let Some(known) = self.with_name.borrow().get(&(lang, name)) {
            return known.clone();
        }
        let files = (0..).zip(self.files.iter().zip(self.identifiers()));
        let files = files.filter(|(_, (source, of))| source.lang == lang && of.contains(name));
        let found: Rc<[u32]> = files.map(|(number, _)| number).collect();
        self.with_name
            .borrow_mut()
            .insert((lang, name), found.clone());
        found
    }

    /// Returns the paths of the files of a language that have a member of this name, which is the field as far as they know.
    pub(crate) fn files_reading(
        &self,
        lang: Option<Lang>,
        name: &str,
        field: Option<SymbolId>,
    ) -> Vec<&str> {
        let Some(lang) = lang else {
            return Vec::new();
        };
        let name = self.db.shared().names.intern(name);
        let files = self.files_with(lang, name);
        let files = files.iter().filter(|&&file| {
            let loaded = self.loaded(file);
            let mut values = loaded.wires.values.iter();
            values.any(|value| match value {
                WireValue::Member {
                    name: of, symbol, ..
                } => *of == name && (symbol.is_none() || *symbol == field),
                _ => false,
            })
        });
        let files = files.filter_map(|&file| self.file(file));
        files.map(|file| &*file.path).collect()
    }

    /// Returns whether a file is generated.
    pub(crate) fn is_generated(&self, path: &str) -> bool {
        self.generated.contains_key(path)
    }

    /// Returns the wires of a generated file; `None` if there is no such file.
    pub(super) fn wires_of_generated(&self, path: &str) -> Option<Arc<FileWires>> {
        let &(file, language) = self.generated.get(path)?;
        let mut read = self.generated_wires.borrow_mut();
        let wires = read
            .entry(path.to_owned())
            .or_insert_with(|| wires_of(self.db, language, file));
        Some(wires.clone())
    }

    /// Returns the generated files that were read so far, with their wires.
    pub(super) fn read_generated(&self) -> Vec<(File, &'static dyn Language, Arc<FileWires>)> {
        let read = self.generated_wires.borrow();
        let files = read.iter().filter_map(|(path, wires)| {
            let &(file, language) = self.generated.get(path.as_str())?;
            Some((file, language, wires.clone()))
        });
        files.collect()
    }

    /// Returns the names that files were chosen by so far, sorted.
    pub(super) fn names_of_files(&self) -> Vec<NameId> {
        let mut names: Vec<NameId> = self.resolved.names().map(|(_, name)| name).collect();
        names.extend(self.with_name.borrow().keys().map(|(_, name)| *name));
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Returns the wires of a file if they were read.
    pub(super) fn read_wires(&self, number: u32) -> Option<Arc<FileWires>> {
        let loaded = self.loaded.borrow();
        Some(loaded.get(&number)?.wires.clone())
    }

    /// Returns the numbers of a function, of the methods of interfaces that it implements and of those that it overrides, and the
    /// files with calls of them.
    pub(super) fn calling(&self, symbol: SymbolId) -> Option<Calling> {
        let number = self.code.number_of(symbol)?;
        let mut numbers = vec![number];
        numbers.extend(self.implemented.get(&number).into_iter().flatten());
        let mut files: Vec<u32> = numbers
            .iter()
            .flat_map(|number| self.calling_files.get(number).into_iter().flatten())
            .copied()
            .collect();
        files.sort_unstable();
        files.dedup();
        Some((numbers, files))
    }

    /// Returns the methods that implement a method of an interface, by number.
    pub(super) fn implementers_of(&self, method: u32) -> Option<&[u32]> {
        self.implementers.get(&method).map(Vec::as_slice)
    }

    /// Returns all of them.
    pub(super) fn all_implementers(&self) -> &FxHashMap<u32, Vec<u32>> {
        &self.implementers
    }

    /// Returns the functions whose callers were read so far.
    pub(super) fn called(&self) -> Vec<SymbolId> {
        let mut called: Vec<SymbolId> = self.called.borrow().iter().copied().collect();
        called.sort_unstable();
        called
    }

    /// Returns the calls that run a function: those of itself, of the methods of interfaces that it implements, and of the
    /// class that it is the constructor of. By file and text.
    pub(crate) fn callers(&self, symbol: SymbolId) -> Vec<CallAt> {
        self.called.borrow_mut().insert(symbol);
        let Some((numbers, files)) = self.calling(symbol) else {
            return Vec::new();
        };
        let mut targets: Vec<SymbolId> = numbers
            .iter()
            .filter_map(|&number| self.code.symbol(number)?.symbol)
            .collect();
        let language = self.file_of(symbol).and_then(|file| self.file(file));
        if let Some(class) =
            language.and_then(|source| source.language.constructed_class(self.db, symbol))
        {
            targets.push(class);
        }
        let mut found = Vec::new();
        for file in files {
            let loaded = self.loaded(file);
            let calls = targets
                .iter()
                .filter_map(|target| loaded.calls_of.get(target))
                .flatten();
            let mut calls: Vec<u32> = calls.copied().collect();
            calls.sort_unstable();
            calls.dedup();
            found.extend(calls.into_iter().map(|call| (file, call)));
        }
        found
    }

    /// Returns the 1-based line of a call.
    pub(crate) fn line(&self, (file, call): CallAt) -> u32 {
        let (Some(source), Some(call)) = (self.file(file), self.call((file, call))) else {
            return 0;
        };
        let offset = source
            .language
            .offset(self.db, source.file, call.body, call.occ);
        offset.map_or(0, |offset| {
            codeweft_db::file_ranges(self.db, source.file)
                .line_column(offset)
                .0
        })
    }
}

impl Loaded {
    /// Returns the values that each value is an operand of.
    pub(super) fn users(&self) -> &FxHashMap<ValueId, Vec<ValueId>> {
        self.users.get_or_init(|| {
            let mut users: FxHashMap<ValueId, Vec<ValueId>> = FxHashMap::default();
            for (id, value) in (0..).zip(&self.wires.values) {
                for operand in self.wires.operands(value) {
                    users.entry(operand).or_default().push(id);
                }
            }
            users
        })
    }

    fn new(wires: Arc<FileWires>) -> Loaded {
        let mut calls_of: FxHashMap<SymbolId, Vec<u32>> = FxHashMap::default();
        for (number, call) in (0..).zip(&wires.calls) {
            match wires.value(call.callee) {
                WireValue::Declared(symbol)
                | WireValue::Member {
                    symbol: Some(symbol),
                    ..
                } => calls_of.entry(*symbol).or_default().push(number),
                _ => {}
            }
        }
        let declared = |value: &WireValue| match value {
            WireValue::Declared(symbol)
            | WireValue::Member {
                symbol: Some(symbol),
                ..
            } => Some(*symbol),
            _ => None,
        };
        let mut passing: FxHashMap<Passed, Vec<(u32, u32)>> = FxHashMap::default();
        for (number, call) in (0..).zip(&wires.calls) {
            for (argument, given) in (0..).zip(&call.arguments) {
                let passed = match wires.value(given.value) {
                    WireValue::Function(function) => Some(Passed::Function(*function)),
                    WireValue::Pointer(to) => declared(wires.value(*to)).map(Passed::Pointer),
                    value => declared(value).map(Passed::Declared),
                };
                if let Some(passed) = passed {
                    passing.entry(passed).or_default().push((number, argument));
                }
            }
        }
        let functions = (0..).zip(&wires.functions);
        let functions = functions.filter(|(_, function)| function.is_named);
        let mut writes: FxHashMap<SymbolId, Vec<ValueId>> = FxHashMap::default();
        for (target, value) in &wires.writes {
            match wires.value(*target) {
                WireValue::Declared(symbol)
                | WireValue::Member {
                    symbol: Some(symbol),
                    ..
                } => writes.entry(*symbol).or_default().push(*value),
                _ => {}
            }
        }
        for value in &wires.values {
            if let WireValue::Object { fields, .. } = value {
                for (_, symbol, value) in fields {
                    if let Some(symbol) = symbol {
                        writes.entry(*symbol).or_default().push(*value);
                    }
                }
            }
        }
        Loaded {
            functions: functions
                .map(|(number, function)| (function.symbol, number))
                .collect(),
            types: wires.types.iter().copied().collect(),
            calls_of,
            writes,
            passing,
            users: OnceCell::new(),
            wires,
        }
    }
}
