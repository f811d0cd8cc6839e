//! Collects the imports of a text (Python reference, The import statement).

use rustc_hash::FxHashMap;

use super::flat::{Flat, FlatIndex};
use super::ir::{Guard, Import, ImportForm};
use super::kinds::{NodeField, PythonKind};
use super::words::SourceNames;
use codeweft_syntax::{NameId, Span};

/// The imports found so far.
#[derive(Default)]
pub(super) struct Imports {
    pub(super) all: Vec<Import>,
    /// The range of each import's dotted path.
    pub(super) spans: Vec<Span>,
    /// The number of each target of an `import` statement, and of each `from` statement.
    numbers: FxHashMap<FlatIndex, u32>,
}

/// The dotted name and the alias of one name of an import.
#[derive(Clone, Copy)]
pub(super) struct ImportedName {
    /// `a.b`
    pub(super) dotted: FlatIndex,
    /// `as c`
    pub(super) alias: Option<FlatIndex>,
}

impl Imports {
    /// Returns the number of the import of a target or a `from` statement.
    pub(super) fn number(&self, at: FlatIndex) -> Option<u32> {
        self.numbers.get(&at).copied()
    }

    /// Reads a statement and returns the identifiers that it binds.
    pub(super) fn read(
        &mut self,
        flat: &Flat,
        words: &mut SourceNames,
        at: FlatIndex,
        guard: Guard,
        in_function: bool,
    ) -> Vec<FlatIndex> {
        if flat.kind(at) == PythonKind::Import {
            return self.modules(flat, words, at, guard, in_function);
        }
        let path = from_path(flat, at);
        let mut level = 0;
        let mut module = words.empty;
        if flat.kind(at) == PythonKind::FutureImport {
            module = words.quiet("__future__");
        } else if let Some(path) = path {
            (level, module) = relative(flat, words, path);
        }
        let star = flat.first(at, PythonKind::Wildcard).is_some();
        let mut bound = Vec::new();
        let (mut names, mut targets) = (Vec::new(), Vec::new());
        for part in imported_names(flat, at) {
            names.push(dotted(flat, words, part.dotted));
            let target = part.alias.unwrap_or(part.dotted + 1);
            let text = words.of(flat, target);
            targets.push(words.intern(text));
            bound.push(target);
        }
        let span = path.map_or(flat.node(at), |path| flat.node(path));
        self.numbers.insert(at, self.all.len() as u32);
        self.spans.push(Span {
            start: span.start,
            end: span.end,
        });
        self.all.push(Import {
            module,
            level,
            names: names.into(),
            bound: targets.into(),
            form: if star {
                ImportForm::Star
            } else {
                ImportForm::Names
            },
            guard,
            in_function,
        });
        bound
    }

    /// Reads `import a.b, c as d`.
    fn modules(
        &mut self,
        flat: &Flat,
        words: &mut SourceNames,
        at: FlatIndex,
        guard: Guard,
        in_function: bool,
    ) -> Vec<FlatIndex> {
        let mut bound = Vec::new();
        for part in imported_names(flat, at) {
            let module = dotted(flat, words, part.dotted);
            let target = part.alias.unwrap_or(part.dotted + 1);
            let text = words.of(flat, target);
            let span = flat.node(part.dotted);
            self.numbers.insert(part.dotted, self.all.len() as u32);
            self.spans.push(Span {
                start: span.start,
                end: span.end,
            });
            self.all.push(Import {
                module,
                level: 0,
                names: Box::default(),
                bound: [words.intern(text)].into(),
                form: match part.alias {
                    Some(_) => ImportForm::ModuleAs,
                    None => ImportForm::Module,
                },
                guard,
                in_function,
            });
            bound.push(target);
        }
        bound
    }
}

/// Returns the path after `from`.
pub(super) fn from_path(flat: &Flat, at: FlatIndex) -> Option<FlatIndex> {
    flat.field(at, NodeField::ModuleName)
        .or_else(|| flat.first(at, PythonKind::FutureWord))
}

/// Returns the names of an import statement, without the path after `from`.
pub(super) fn imported_names(flat: &Flat, at: FlatIndex) -> Vec<ImportedName> {
    flat.children(at)
        .filter(|&part| flat.node(part).field != NodeField::ModuleName)
        .filter_map(|part| match flat.kind(part) {
            PythonKind::DottedName => Some(ImportedName {
                dotted: part,
                alias: None,
            }),
            PythonKind::AliasedImport => Some(ImportedName {
                dotted: flat.first(part, PythonKind::DottedName)?,
                alias: flat.field(part, NodeField::Alias),
            }),
            _ => None,
        })
        .filter(|name| {
            flat.node(name.dotted).next > name.dotted + 1
                && flat.kind(name.dotted + 1) == PythonKind::Identifier
        })
        .collect()
}

/// Returns the number of leading dots and the dotted name after `from`.
fn relative(flat: &Flat, words: &mut SourceNames, path: FlatIndex) -> (u32, NameId) {
    if flat.kind(path) == PythonKind::DottedName {
        return (0, dotted(flat, words, path));
    }
    let mut level = 0;
    let mut module = words.empty;
    for part in flat.children(path) {
        match flat.kind(part) {
            PythonKind::ImportPrefix => {
                let dots = words.of(flat, part).bytes().filter(|&byte| byte == b'.');
                level = dots.count() as u32;
            }
            PythonKind::DottedName => module = dotted(flat, words, part),
            _ => {}
        }
    }
    (level, module)
}

/// Interns a dotted name, which may contain blanks and joined lines.
fn dotted(flat: &Flat, words: &SourceNames, at: FlatIndex) -> NameId {
    let text = words.of(flat, at);
    if text.contains(|char: char| char.is_whitespace() || char == '\\' || char == '#') {
        let parts: Vec<&str> = flat
            .children(at)
            .filter(|&part| flat.kind(part) == PythonKind::Identifier)
            .map(|part| words.of(flat, part))
            .collect();
        return words.quiet(&parts.join("."));
    }
    words.quiet(text)
}
