//! One state of the texts: the facts of every unit of the workspace, and the declarations of some files with
//! their code.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use codeweft_db::{
    File, FileUses, Hierarchy, ImportRow, Language, NodeKind, Span, SymbolId, Unit, UnitSymbols,
};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::call_graph::memo::package_in;
use crate::outline::{FileDeclaration, declarations_of_unit};
use crate::query_context::{QueryContext, QueryOptions};
use crate::resolve_ahead::resolve_ahead;
use crate::symbols;

/// What a state of the texts has. It holds no database, and can be compared with another state's.
#[derive(Default)]
pub struct Side {
    pub(super) units: FxHashMap<Unit, UnitFacts>,
    pub(super) declared: FxHashMap<SymbolId, DeclaredCode>,
    /// The code outside of declarations, by its package and the printed path of its file.
    pub(super) rest: FxHashMap<(SymbolId, Arc<str>), u64>,
}

/// What the edges of a unit are made of.
#[derive(PartialEq)]
pub(super) struct UnitFacts {
    pub(super) symbols: Arc<UnitSymbols>,
    pub(super) hierarchy: Arc<Hierarchy>,
    pub(super) imports: Arc<[ImportRow]>,
    /// In the order of the unit's files.
    pub(super) uses: Vec<(File, Arc<FileUses>)>,
}

/// The code of a declaration, without that of declarations inside of it.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct DeclaredCode {
    /// A hash of its tokens.
    pub(super) code: u64,
    /// A hash of what users of it rely on.
    pub(super) signature: u64,
}

impl Side {
    /// Reads the state that a database has now; `files` are those whose declarations are read, by their
    /// printed paths. A file that the state does not have is passed over.
    pub fn read(
        db: &codeweft_db::RootDb,
        options: QueryOptions<'_>,
        files: &FxHashSet<Arc<str>>,
    ) -> Side {
        let query = &QueryContext::new(db, options);
        let units = symbols::own_units(query);
        resolve_ahead(query, &units);
        let facts = query.map(&units, |languages, db, &unit| {
            let language = languages.of(unit.lang(db))?;
            let of_unit = language.files(db, unit);
            let uses = of_unit.iter().map(|&file| (file, language.uses(db, file)));
            Some(UnitFacts {
                symbols: language.symbols(db, unit),
                hierarchy: language.hierarchy(db, unit),
                imports: language.imports(db, unit),
                uses: uses.collect(),
            })
        });
        let mut side = Side::default();
        for (unit, facts) in units.into_iter().zip(facts) {
            let Some(facts) = facts else {
                continue;
            };
            let of_unit = facts.uses.iter().map(|&(file, _)| file);
            let wanted: FxHashSet<File> = of_unit
                .filter(|file| files.contains(file.path(query.db)))
                .collect();
            if !wanted.is_empty() {
                side.read_declarations(query, unit, &wanted);
            }
            side.units.insert(unit, facts);
        }
        side
    }

    fn read_declarations(&mut self, query: &QueryContext<'_>, unit: Unit, files: &FxHashSet<File>) {
        let Some(language) = query.languages.of(unit.lang(query.db)) else {
            return;
        };
        let declared = declarations_of_unit(query, unit, |file| files.contains(&file), |_| true);
        let mut by_file: FxHashMap<File, Vec<FileDeclaration>> = FxHashMap::default();
        for one in declared {
            by_file.entry(one.declaration.file).or_default().push(one);
        }
        for &file in files {
            query.poll_cancellation();
            let declared = by_file.remove(&file).unwrap_or_default();
            let code = FileCode::read(query, language, file, &declared);
            for (one, hash) in declared.iter().zip(code.of_declarations) {
                let known = self.declared.entry(one.symbol).or_default();
                // A Go package may have a symbol in several files: `init`, `_`.
                known.code = mix(known.code, hash);
                known.signature = mix(known.signature, signature(query, language, one, hash));
            }
            let package = package_in(language, query.db, unit, file);
            let key = (package, file.path(query.db).clone());
            self.rest.insert(key, code.rest);
        }
    }
}

/// The hash of no code.
pub(super) const NO_CODE: u64 = 0;

/// Returns a hash of what users of a declaration rely on: the header of a function or class, the type of a
/// variable or field, all of another type.
fn signature(
    query: &QueryContext<'_>,
    language: &dyn Language,
    one: &FileDeclaration,
    code: u64,
) -> u64 {
    let text = one.declaration.file.text(query.db);
    let written = match one.kind {
        NodeKind::Function | NodeKind::Method | NodeKind::Class | NodeKind::Package => {
            language.declaration_header(text, &one.declaration, one.kind)
        }
        NodeKind::Constant | NodeKind::Variable | NodeKind::Field => {
            language.detail(text, &one.declaration, one.kind).type_expr
        }
        NodeKind::Struct | NodeKind::Interface | NodeKind::Type => return code,
    };
    let tokens = language.code_tokens(&written);
    hash_of(
        tokens
            .iter()
            .filter_map(|token| slice(&written, token.span)),
    )
}

/// The code of a file by its declarations, as hashes.
struct FileCode {
    of_declarations: Vec<u64>,
    rest: u64,
}

impl FileCode {
    /// Gives each token of a file to the innermost declarations around it.
    fn read(
        query: &QueryContext<'_>,
        language: &dyn Language,
        file: File,
        declared: &[FileDeclaration],
    ) -> FileCode {
        let text = file.text(query.db);
        let mut order: Vec<(Span, usize)> = declared
            .iter()
            .enumerate()
            .map(|(number, one)| (one.declaration.span, number))
            .collect();
        // Outer declarations come before those inside of them.
        order.sort_by_key(|&(span, number)| (span.start, std::cmp::Reverse(span.end), number));
        let mut hashers: Vec<(Option<u32>, FxHasher)> = vec![Default::default(); declared.len()];
        let mut rest = FxHasher::default();
        let mut has_rest = false;
        let mut next = 0;
        let mut around: Vec<(Span, usize)> = Vec::new();
        for token in language.code_tokens(text) {
            while let Some(&(span, number)) = order
                .get(next)
                .filter(|one| one.0.start <= token.span.start)
            {
                around.push((span, number));
                next += 1;
            }
            while around
                .last()
                .is_some_and(|&(span, _)| span.end <= token.span.start)
            {
                around.pop();
            }
            let word = slice(text, token.span);
            let Some(&(innermost, _)) = around.last() else {
                if !token.only_declares {
                    (word, token.depth).hash(&mut rest);
                    has_rest = true;
                }
                continue;
            };
            // `var a, b = f()` declares both by the same code.
            for &(_, number) in around.iter().rev().take_while(|one| one.0 == innermost) {
                let (first, hasher) = &mut hashers[number];
                // A declaration is the same in whatever block it is.
                let first = *first.get_or_insert(token.depth);
                (word, token.depth.saturating_sub(first)).hash(hasher);
            }
        }
        FileCode {
            of_declarations: hashers.iter().map(|(_, hasher)| hasher.finish()).collect(),
            rest: if has_rest { rest.finish() } else { NO_CODE },
        }
    }
}

fn slice(text: &str, span: Span) -> Option<&str> {
    text.get(span.start as usize..span.end as usize)
}

fn hash_of<T: Hash>(parts: impl Iterator<Item = T>) -> u64 {
    let mut hasher = FxHasher::default();
    for part in parts {
        part.hash(&mut hasher);
    }
    hasher.finish()
}

fn mix(one: u64, other: u64) -> u64 {
    hash_of([one, other].into_iter())
}
