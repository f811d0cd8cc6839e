//! The declarations of a unit as rows, and its imports.

use std::sync::Arc;

use codeweft_db::{
    Db, DeclaredIn, Disambiguator, File, ImportRow, NONE, NameId, NodeKind, SymbolClass, SymbolId,
    SymbolKey, SymbolRow, Unit, UnitSymbols,
};
use codeweft_go_syntax::AsGo as _;
use codeweft_go_syntax::{
    Code, Expr, ExprId, FieldKind, Item, ItemKind, Items, SigId, Tok, TypeParam,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::decls::{TypeKey, type_def};
use crate::types::{Type, is_exported, table};
use crate::units::IN_TEST;
use crate::units::{
    PackageRef, file_imports, item_symbol, items, package_symbol, receiver_symbol, unit_files,
};

/// Returns the declarations of a unit. No edit inside a body changes it.
#[salsa::tracked(returns(clone))]
pub fn unit_symbols(db: &dyn Db, unit: Unit) -> Arc<UnitSymbols> {
    let mut builder = SymbolRowBuilder {
        db,
        unit,
        rows: Vec::new(),
        seen: FxHashSet::default(),
        file: 0,
    };
    if unit.kind(db) != IN_TEST {
        builder.rows.push(SymbolRow {
            symbol: package_symbol(db, unit),
            name: unit.name(db),
            parent: NONE,
            kind: NodeKind::Package,
            public: true,
            file: package_file(db, unit).map_or(NONE, |number| number as u32),
            item: NONE,
            field: NONE,
            tok: NONE,
        });
    }
    let mut methods: Vec<(usize, SymbolId)> = Vec::new();
    for (number, &file) in unit_files(db, unit).chosen.iter().enumerate() {
        let Some(items) = items(db, file) else {
            continue;
        };
        builder.file = number as u32;
        for (at, item) in items.items.iter().enumerate() {
            db.unwind_query_if_cancelled();
            let blank = db.shared().names.text(item.name) == "_";
            if blank && !matches!(item.kind, ItemKind::Func { .. } | ItemKind::Method { .. }) {
                continue;
            }
            let symbol = item_symbol(db, unit, file, item, items);
            let row = builder.item(items, item, at as u32, symbol);
            if let (Some(row), ItemKind::Method { receiver, .. }) = (row, &item.kind) {
                let base = receiver_symbol(db, unit, items.code.name(receiver.base));
                methods.push((row as usize, base));
            }
        }
    }
    let mut rows = builder.rows;
    let types: FxHashMap<SymbolId, u32> = rows
        .iter()
        .enumerate()
        .filter(|(_, row)| {
            matches!(
                row.kind,
                NodeKind::Type | NodeKind::Struct | NodeKind::Interface
            )
        })
        .map(|(at, row)| (row.symbol, at as u32))
        .collect();
    for (row, base) in methods {
        rows[row].parent = types.get(&base).copied().unwrap_or(NONE);
    }
    Arc::new(UnitSymbols::from_rows(rows))
}

/// Returns the number of the file that represents a package: the first by name with a package
/// comment, else the first.
pub fn package_file(db: &dyn Db, unit: Unit) -> Option<usize> {
    let files = &unit_files(db, unit).chosen;
    let documented = |file: &File| {
        file.header(db)
            .go()
            .is_some_and(|header| header.has_package_doc)
    };
    files
        .iter()
        .position(documented)
        .or((!files.is_empty()).then_some(0))
}

/// Returns the file that declares a package-level symbol, a method or a member of a declared type,
/// also for `_`, which is no node.
pub fn file_of_declaration(db: &dyn Db, symbol: SymbolId) -> Option<File> {
    let key = db.shared().symbols.key(symbol);
    let DeclaredIn::Unit(unit) = key.declared_in else {
        return None;
    };
    let files = &unit_files(db, unit).chosen;
    let symbols = unit_symbols(db, unit);
    if let Some(row) = symbols.row(symbol) {
        return files.get(symbols.rows[row as usize].file as usize).copied();
    }
    let name = db.shared().names.text(key.disambiguator.file?);
    let named = |file: &&File| file.path(db).rsplit('/').next() == Some(name);
    files.iter().find(named).copied()
}

/// A builder of the rows of a unit, file by file.
struct SymbolRowBuilder<'a> {
    db: &'a dyn Db,
    unit: Unit,
    rows: Vec<SymbolRow>,
    seen: FxHashSet<SymbolId>,
    file: u32,
}

/// The location of a row's declaration in its file.
struct RowLocation {
    item: u32,
    field: u32,
    tok: Tok,
}

/// The limit on the nesting of anonymous types in which fields are searched.
const MAX_DEPTH: u32 = 32;

impl SymbolRowBuilder<'_> {
    fn push(
        &mut self,
        code: &Code,
        symbol: SymbolId,
        kind: NodeKind,
        parent: u32,
        RowLocation { item, field, tok }: RowLocation,
    ) -> Option<u32> {
        // Of several declarations of one key in broken code the first is the node.
        if !self.seen.insert(symbol) {
            return None;
        }
        let name = code.name(tok);
        self.rows.push(SymbolRow {
            symbol,
            name,
            parent,
            kind,
            public: is_exported(self.db.shared().names.text(name)),
            file: self.file,
            item,
            field,
            tok,
        });
        Some(self.rows.len() as u32 - 1)
    }

    fn item(&mut self, items: &Items, item: &Item, number: u32, symbol: SymbolId) -> Option<u32> {
        let code = &items.code;
        let kind = match &item.kind {
            ItemKind::Func { .. } => NodeKind::Function,
            ItemKind::Method { .. } => NodeKind::Method,
            ItemKind::Const { .. } => NodeKind::Constant,
            ItemKind::Var { .. } => NodeKind::Variable,
            ItemKind::Type { alias, ty, .. } => self.type_kind(code, *alias, *ty, symbol),
        };
        let spot = RowLocation {
            item: number,
            field: NONE,
            tok: item.tok,
        };
        let row = self.push(code, symbol, kind, NONE, spot)?;
        let mut members = MemberRows {
            rows: self,
            code,
            item: number,
            depth: 0,
        };
        match &item.kind {
            ItemKind::Func {
                type_params, sig, ..
            }
            | ItemKind::Method {
                type_params, sig, ..
            } => {
                members.constraints(type_params, symbol, row);
                members.signature(*sig, symbol, row);
            }
            ItemKind::Type {
                type_params, ty, ..
            } => {
                members.constraints(type_params, symbol, row);
                members.of(*ty, symbol, row);
            }
            ItemKind::Var { ty, shape, .. } => {
                members.of(*ty, symbol, row);
                members.of(*shape, symbol, row);
            }
            ItemKind::Const { .. } => {}
        }
        Some(row)
    }

    /// Returns the kind of a declared type, by its right side or its underlying type.
    fn type_kind(&self, code: &Code, alias: bool, ty: ExprId, symbol: SymbolId) -> NodeKind {
        match code.exprs[ty] {
            _ if alias => NodeKind::Type,
            Expr::Struct(_) => NodeKind::Struct,
            Expr::Interface(_) => NodeKind::Interface,
            Expr::Name(_) | Expr::Select { .. } | Expr::Index { .. } => {
                let def = type_def(self.db, TypeKey::new(self.db, symbol));
                match def.map(|def| table(self.db).get(def.underlying)) {
                    Some(Type::Struct(_)) => NodeKind::Struct,
                    Some(Type::Interface(_)) => NodeKind::Interface,
                    _ => NodeKind::Type,
                }
            }
            _ => NodeKind::Type,
        }
    }
}

/// A builder of rows for the fields and interface methods inside a type expression.
struct MemberRows<'m, 'a> {
    rows: &'m mut SymbolRowBuilder<'a>,
    code: &'m Code,
    item: u32,
    depth: u32,
}

impl MemberRows<'_, '_> {
    fn of(&mut self, ty: ExprId, owner: SymbolId, parent: u32) {
        if self.depth > MAX_DEPTH {
            return;
        }
        self.depth += 1;
        match self.code.exprs[ty] {
            Expr::Struct(list) | Expr::Interface(list) => {
                for id in self.code.fields_of(list) {
                    let field = self.code.fields[id];
                    let (class, kind) = match field.kind {
                        FieldKind::Named | FieldKind::Embedded => {
                            (SymbolClass::Field, NodeKind::Field)
                        }
                        FieldKind::Method(_) => (SymbolClass::Method, NodeKind::Method),
                        FieldKind::Element => {
                            self.of(field.ty, owner, parent);
                            continue;
                        }
                    };
                    let name = self.code.name(field.tok);
                    if self.rows.db.shared().names.text(name) == "_" {
                        continue;
                    }
                    let symbol = self.rows.db.shared().symbols.intern(SymbolKey {
                        declared_in: DeclaredIn::Unit(self.rows.unit),
                        parent: Some(owner),
                        class,
                        name,
                        disambiguator: Disambiguator::ONLY,
                    });
                    let spot = RowLocation {
                        item: self.item,
                        field: id.into_raw().into_u32(),
                        tok: field.tok,
                    };
                    let row = self.rows.push(self.code, symbol, kind, parent, spot);
                    if let Some(row) = row {
                        match field.kind {
                            FieldKind::Method(sig) => self.signature(sig, symbol, row),
                            _ => self.of(field.ty, symbol, row),
                        }
                    }
                }
            }
            Expr::Star(inner)
            | Expr::SliceOf(inner)
            | Expr::DotsArray(inner)
            | Expr::Chan(_, inner)
            | Expr::Array { elem: inner, .. }
            | Expr::Unary(_, inner)
            | Expr::Tilde(inner)
            | Expr::Callee { fun: inner, .. }
            | Expr::Composite { ty: inner, .. } => self.of(inner, owner, parent),
            Expr::Map { key, value } => {
                self.of(key, owner, parent);
                self.of(value, owner, parent);
            }
            Expr::Func(sig) => self.signature(sig, owner, parent),
            Expr::FuncLit(number) => {
                let (sig, _) = self.code.literals[number as usize];
                self.signature(sig, owner, parent);
            }
            Expr::Call { fun, args, .. } => {
                self.of(fun, owner, parent);
                for arg in self.code.exprs_of(args) {
                    self.of(arg, owner, parent);
                }
            }
            Expr::Index { args, .. } | Expr::Union(args) => {
                for arg in self.code.exprs_of(args) {
                    self.of(arg, owner, parent);
                }
            }
            _ => {}
        }
        self.depth -= 1;
    }

    fn constraints(&mut self, params: &[TypeParam], owner: SymbolId, parent: u32) {
        for param in params {
            self.of(param.constraint, owner, parent);
        }
    }

    fn signature(&mut self, sig: SigId, owner: SymbolId, parent: u32) {
        let sig = &self.code.sigs[sig];
        for param in sig.params.iter().chain(&*sig.results) {
            self.of(param.ty, owner, parent);
        }
    }
}

/// The names of a unit's `//go:linkname local target` directives, each once per file, in the order
/// of the files.
#[derive(PartialEq, Eq, Default, Debug)]
pub struct Linknames {
    /// The functions of the unit that are linked to another name.
    pub locals: Box<[(NameId, File)]>,
    /// The functions of other packages, `path.Name`, that local names are linked to.
    pub targets: Box<[(NameId, File)]>,
}

/// Returns the names of a unit's `//go:linkname` directives.
#[salsa::tracked(returns(ref))]
pub fn unit_linknames(db: &dyn Db, unit: Unit) -> Linknames {
    let (mut locals, mut targets) = (Vec::new(), Vec::new());
    for &file in unit_files(db, unit).chosen.iter() {
        let header = file.header(db).go();
        let linknames = header.map(|header| &header.linknames).into_iter().flatten();
        let from = (locals.len(), targets.len());
        for &(local, target) in linknames {
            if !locals[from.0..].contains(&(local, file)) {
                locals.push((local, file));
            }
            if !targets[from.1..].contains(&(target, file)) {
                targets.push((target, file));
            }
        }
    }
    Linknames {
        locals: locals.into(),
        targets: targets.into(),
    }
}

/// Returns the imports of a unit's files, with their packages.
#[salsa::tracked(returns(clone))]
pub fn unit_import_rows(db: &dyn Db, unit: Unit) -> Arc<[ImportRow]> {
    let from = package_symbol(db, unit);
    let mut rows = Vec::new();
    for &file in unit_files(db, unit).chosen.iter() {
        for (number, target) in file_imports(db, file).targets.iter().enumerate() {
            let Some(to) = imported(db, *target) else {
                continue;
            };
            let unit = match *target {
                PackageRef::Loaded(unit, _) => Some(unit),
                _ => None,
            };
            rows.push(ImportRow {
                file,
                import: number as u32,
                from,
                to,
                unit,
            });
        }
    }
    rows.into()
}

/// Returns the package of an import; `unsafe` and `C` are no nodes.
pub(crate) fn imported(db: &dyn Db, target: PackageRef) -> Option<SymbolId> {
    match target {
        PackageRef::Loaded(unit, _) => Some(package_symbol(db, unit)),
        PackageRef::Absent(path) => Some(absent_package(db, path)),
        PackageRef::Unsafe | PackageRef::Cgo => None,
    }
}

fn absent_package(db: &dyn Db, path: NameId) -> SymbolId {
    db.shared().symbols.intern(SymbolKey {
        declared_in: DeclaredIn::Absent(path),
        parent: None,
        class: SymbolClass::Package,
        name: path,
        disambiguator: Disambiguator::ONLY,
    })
}
