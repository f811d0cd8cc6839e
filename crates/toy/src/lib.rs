//! The rules of Toy, a language for tests; see `codeweft-toy-syntax` for what it looks like.
//!
//! A folder is a package, and a function calls the functions of its package by name. Everything is
//! computed anew on each call: a real language has salsa queries here.

use std::sync::Arc;

use codeweft_db::{
    Completeness, Db, DeclarationRange, DeclaredIn, Disambiguator, Dispatch, EditorText, File,
    FileUses, Hierarchy, Identifiers, ImportRow, Lang, Language, Layout, LayoutInput, NONE, NameId,
    NameTarget, NamedSymbol, NodeKind, Packaging, ProjectLayout, Reachability, Reason, Receiver,
    Resolution, Role, Semantics, Span, SymbolClass, SymbolId, SymbolKey, SymbolRow, TypeRow, Unit,
    UnitGraph, UnitIndex, UnitSymbols, UnresolvedSite, Use, ValueFlow, VisibilityScope, Wires,
    file_bodies, file_identifiers, file_ranges,
};
use codeweft_toy_syntax::{Bodies, Items, TOY};
use smallvec::{SmallVec, smallvec};

mod layout;

/// The language Toy.
pub struct Toy;

impl EditorText for Toy {}

impl Reachability for Toy {}

impl Packaging for Toy {}

impl Wires for Toy {}

impl Language for Toy {
    fn lang(&self) -> Lang {
        TOY
    }
}

impl ProjectLayout for Toy {
    fn layout(&self, input: &LayoutInput<'_>) -> Layout {
        layout::layout(input)
    }

    fn configuration(&self, _db: &dyn Db) -> String {
        String::new()
    }
}

impl Semantics for Toy {
    fn files(&self, db: &dyn Db, unit: Unit) -> Arc<[File]> {
        unit.files(db).clone()
    }

    fn excluded(&self, _db: &dyn Db, _unit: Unit) -> Arc<[File]> {
        Arc::default()
    }

    fn package(&self, db: &dyn Db, unit: Unit) -> SymbolId {
        intern(db, unit, SymbolClass::Package, unit.name(db))
    }

    fn symbols(&self, db: &dyn Db, unit: Unit) -> Arc<UnitSymbols> {
        let row = |symbol, name, kind, file, item| SymbolRow {
            symbol,
            name,
            parent: NONE,
            kind,
            public: true,
            file,
            item,
            field: NONE,
            tok: item,
        };
        let package = self.package(db, unit);
        let mut rows = vec![row(package, unit.name(db), NodeKind::Package, NONE, NONE)];
        for (number, &file) in (0..).zip(unit.files(db).iter()) {
            for (item, &name) in (0..).zip(functions(db, file)) {
                let symbol = intern(db, unit, SymbolClass::Function, name);
                rows.push(row(symbol, name, NodeKind::Function, number, item));
            }
        }
        Arc::new(UnitSymbols::from_rows(rows))
    }

    fn imports(&self, _db: &dyn Db, _unit: Unit) -> Arc<[ImportRow]> {
        Arc::default()
    }

    fn hierarchy(&self, _db: &dyn Db, _unit: Unit) -> Arc<Hierarchy> {
        Arc::default()
    }

    fn uses(&self, db: &dyn Db, file: File) -> Arc<FileUses> {
        let Some(unit) = unit_of(db, file) else {
            return Arc::default();
        };
        let (mut uses, mut unresolved) = (Vec::new(), Vec::new());
        let bodies = file_bodies(db, file);
        let calls = bodies.downcast::<Bodies>().map_or(&[][..], |it| &it.calls);
        for (body, calls) in (0..).zip(calls) {
            for (occ, &name) in (0..).zip(calls) {
                if declared(db, unit, name).is_some() {
                    let one = Use {
                        body,
                        occ,
                        role: Role::Call,
                        resolution: Resolution::Exact,
                        in_literal: false,
                        direct: true,
                    };
                    uses.push((intern(db, unit, SymbolClass::Function, name), one));
                } else {
                    unresolved.push(UnresolvedSite {
                        name,
                        body,
                        occ,
                        arguments: 0,
                        keywords: None,
                        reason: Reason::UnknownReceiver,
                        absent: None,
                        signature: NONE,
                    });
                }
            }
        }
        unresolved.sort_unstable();
        let function = |&name| intern(db, unit, SymbolClass::Function, name);
        Arc::new(FileUses {
            unresolved: unresolved.into(),
            bodies: functions(db, file).iter().map(function).collect(),
            ..FileUses::grouped(uses)
        })
    }

    fn index(&self, db: &dyn Db, unit: Unit) -> Arc<UnitIndex> {
        let files = unit.files(db).iter();
        let uses: Vec<_> = files.map(|&file| self.uses(db, file)).collect();
        let nameless = db.shared().names.intern("");
        Arc::new(UnitIndex::join(nameless, uses.iter().map(|uses| &**uses)))
    }

    fn identifiers(&self, db: &dyn Db, unit: Unit) -> Arc<Identifiers> {
        let files = unit.files(db).iter();
        let names = files.flat_map(|&file| file_identifiers(db, file).names.to_vec());
        Arc::new(Identifiers::from_names(names.collect()))
    }

    fn visibility_scope(&self, db: &dyn Db, symbol: SymbolId) -> VisibilityScope {
        match db.shared().symbols.key(symbol).declared_in {
            DeclaredIn::Unit(unit) => VisibilityScope::Units(vec![unit]),
            _ => VisibilityScope::Workspace,
        }
    }

    fn search_names(&self, db: &dyn Db, symbol: SymbolId) -> SmallVec<[NameId; 4]> {
        smallvec![db.shared().symbols.key(symbol).name]
    }

    fn signature(&self, _db: &dyn Db, _symbol: SymbolId) -> Option<u32> {
        None
    }

    fn kind(&self, db: &dyn Db, symbol: SymbolId) -> Option<NodeKind> {
        let key = db.shared().symbols.key(symbol);
        match (key.class, key.declared_in) {
            (SymbolClass::Package, _) => Some(NodeKind::Package),
            (_, DeclaredIn::Unit(unit)) => declared(db, unit, key.name).map(|_| NodeKind::Function),
            _ => None,
        }
    }

    fn name_at(&self, db: &dyn Db, file: File, offset: u32) -> Option<NameTarget> {
        let unit = unit_of(db, file)?;
        let bodies = file_bodies(db, file);
        let calls = bodies.downcast::<Bodies>()?.calls.iter().flatten();
        let ranges = file_ranges(db, file);
        let declared = ranges.item_tokens.iter().zip(functions(db, file));
        let called = ranges.body_tokens.iter().zip(calls);
        let touches = |&(&start, &name): &(&u32, &NameId)| {
            let length = db.shared().names.text(name).len() as u32;
            (start..start + length).contains(&offset)
        };
        let (_, &name) = declared.chain(called).find(touches)?;
        let symbol = intern(db, unit, SymbolClass::Function, name);
        Some(NameTarget::Symbol(symbol))
    }

    fn declaration_range(&self, db: &dyn Db, symbol: SymbolId) -> Option<DeclarationRange> {
        let key = db.shared().symbols.key(symbol);
        let DeclaredIn::Unit(unit) = key.declared_in else {
            return None;
        };
        if key.class == SymbolClass::Package {
            return Some(DeclarationRange {
                file: *unit.files(db).first()?,
                span: Span::default(),
                name: Span::default(),
            });
        }
        let (file, item) = declared(db, unit, key.name)?;
        let ranges = file_ranges(db, file);
        let start = *ranges.item_tokens.get(item)?;
        Some(DeclarationRange {
            file,
            span: *ranges.items.get(item)?,
            name: Span {
                start,
                end: start + db.shared().names.text(key.name).len() as u32,
            },
        })
    }

    fn offset(&self, db: &dyn Db, file: File, body: u32, occ: u32) -> Option<u32> {
        let bodies = file_bodies(db, file);
        let calls = &bodies.downcast::<Bodies>()?.calls;
        let ranges = file_ranges(db, file);
        let Some(before) = calls.get(..body as usize + 1) else {
            return ranges.item_tokens.get(occ as usize).copied();
        };
        let (_, before) = before.split_last()?;
        let first: usize = before.iter().map(|calls| calls.len()).sum();
        ranges.body_tokens.get(first + occ as usize).copied()
    }

    fn is_test(&self, db: &dyn Db, file: File) -> bool {
        TOY.is_test_path(file.path(db))
    }
}

impl Dispatch for Toy {
    fn satisfies(&self, _db: &dyn Db, _ty: &TypeRow, _interface: &TypeRow) -> Option<Receiver> {
        None
    }
}

impl ValueFlow for Toy {}

impl Completeness for Toy {
    fn could_call(&self, db: &dyn Db, site: &UnresolvedSite, symbol: SymbolId) -> bool {
        site.name == db.shared().symbols.key(symbol).name
    }

    fn hidden_callers(&self, _db: &dyn Db, _symbols: &[NamedSymbol]) -> Vec<(File, u32, Reason)> {
        Vec::new()
    }
}

/// Returns the names of the functions that a file declares.
fn functions(db: &dyn Db, file: File) -> &[NameId] {
    let items = file.items(db).downcast::<Items>();
    items.map_or(&[], |items| &items.functions)
}

/// Returns the file and the number of the item that declare a function of a package.
fn declared(db: &dyn Db, unit: Unit, name: NameId) -> Option<(File, usize)> {
    let mut files = unit.files(db).iter();
    files.find_map(|&file| {
        let mut functions = functions(db, file).iter();
        Some((file, functions.position(|&own| own == name)?))
    })
}

fn unit_of(db: &dyn Db, file: File) -> Option<Unit> {
    UnitGraph::get(db).owners(db).get(&file).copied()
}

fn intern(db: &dyn Db, unit: Unit, class: SymbolClass, name: NameId) -> SymbolId {
    db.shared().symbols.intern(SymbolKey {
        declared_in: DeclaredIn::Unit(unit),
        parent: None,
        class,
        name,
        disambiguator: Disambiguator::ONLY,
    })
}
