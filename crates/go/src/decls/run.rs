//! A run over the declarations of a unit. Its memo cells are local, so recursion inside a package
//! never enters salsa and needs no fixpoint iteration.
//!
//! ```go
//! type T struct { next *T; n [size]int } // T needs `size`
//! const size = unsafe.Sizeof(x)          // `size` needs the type of x
//! var x = f()                            // x needs the result type of f
//! ```
//!
//! Each name is a cell that is resolved on demand: empty, then `Busy`, then `Done`. A name that is
//! requested while it is `Busy` is part of a cycle that the language forbids, and gets an unknown
//! type. A defined type is a leaf (`Type::Named`), so `*T` inside `T` is no cycle.
//!
//! The first run, [`unit_decls`], resolves types, signatures, constants and written variable types;
//! it never looks for members. The second, [`unit_vars`], infers the types of the other variables
//! from the shapes of their initialisers and may use all results of the first.

use std::cell::RefCell;
use std::sync::Arc;

use codeweft_db::{Db, File, NameId, SymbolId, Unit};
use codeweft_go_syntax::{Item, ItemKind, Items, no_expr};
use rustc_hash::{FxHashMap, FxHashSet};

use super::queries::{DeclKey, decl};
use super::scope::DeclarationQueries;
use crate::definitions::{Decl, ExtraMethods, Members, MethodDef, TypeDef, TypeParams};
use crate::types::{Args, MemberName, Ty, Type, subst, table};
use crate::typing::{Checker, Declarations};
use crate::units::IN_TEST;
use crate::units::{
    FileImports, ScopeEntry, UnitScope, file_imports, item_symbol, items, package_path,
    receiver_base, unit_files, unit_scope,
};

/// The declarations of a unit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UnitDecls {
    /// The declarations, sorted by name number.
    pub decls: Box<[(NameId, Decl)]>,
    /// The definition of each defined type, sorted by symbol.
    pub types: Box<[(SymbolId, Arc<TypeDef>)]>,
    /// Methods on types of another unit, which in-package tests declare. Sorted by symbol.
    pub extra: ExtraMethods,
    /// Instances of generic types that the declarations write out, sorted.
    pub instances: Box<[Ty]>,
}

impl UnitDecls {
    /// Returns the declaration of a name.
    pub fn get(&self, name: NameId) -> Option<&Decl> {
        let at = self
            .decls
            .binary_search_by_key(&name, |&(name, _)| name)
            .ok()?;
        Some(&self.decls[at].1)
    }

    /// Returns the definition of a type of the unit.
    pub fn type_def(&self, symbol: SymbolId) -> Option<&Arc<TypeDef>> {
        let at = self
            .types
            .binary_search_by_key(&symbol, |&(symbol, _)| symbol)
            .ok()?;
        Some(&self.types[at].1)
    }
}

/// The types of a unit's variables that are declared without one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UnitVars {
    /// The types, sorted by name number.
    pub types: Box<[(NameId, Ty)]>,
}

impl UnitVars {
    /// Returns the type of a variable; unknown if it could not be inferred.
    pub fn get(&self, name: NameId) -> Ty {
        match self.types.binary_search_by_key(&name, |&(name, _)| name) {
            Ok(at) => self.types[at].1,
            Err(_) => Ty::UNKNOWN,
        }
    }
}

/// A file of the unit during a run.
struct SourceFile<'a> {
    file: File,
    items: &'a Items,
    imports: Arc<FileImports>,
}

/// The memo cell of a name.
#[derive(Clone)]
enum DeclCell {
    Busy,
    Done(Decl),
}

/// The declarations of a unit during a run; those of other units by queries.
pub struct DeclarationRun<'a> {
    db: &'a dyn Db,
    unit: Unit,
    queries: DeclarationQueries<'a>,
    files: Vec<SourceFile<'a>>,
    scope: Arc<UnitScope>,
    cells: RefCell<FxHashMap<NameId, DeclCell>>,
    instances: RefCell<FxHashSet<Ty>>,
    /// The definitions of the unit's types, without methods, and the types of its inferred
    /// variables, for constants of the first run that depend on them. `None` while being resolved.
    definitions: RefCell<FxHashMap<SymbolId, Option<Arc<TypeDef>>>>,
    inferred: RefCell<FxHashMap<SymbolId, Ty>>,
    /// Whether variable types are inferred, as in the second run.
    infers: bool,
}

impl<'a> DeclarationRun<'a> {
    fn new(db: &'a dyn Db, unit: Unit, infers: bool) -> Self {
        let files = unit_files(db, unit)
            .chosen
            .iter()
            .filter_map(|&file| {
                Some(SourceFile {
                    file,
                    items: items(db, file)?,
                    imports: file_imports(db, file),
                })
            })
            .collect();
        DeclarationRun {
            db,
            unit,
            queries: DeclarationQueries { db, unit },
            files,
            scope: unit_scope(db, unit),
            cells: RefCell::default(),
            instances: RefCell::default(),
            definitions: RefCell::default(),
            inferred: RefCell::default(),
            infers,
        }
    }

    fn checker<'b>(&'b self, source: &'b SourceFile<'a>) -> Checker<'b> {
        Checker::new(
            self.db,
            self.unit,
            self,
            &source.imports,
            &source.items.code,
        )
    }

    /// Runs `work` with a checker for a file and keeps the instances that it meets.
    fn with_checker<T>(
        &self,
        source: &SourceFile<'a>,
        work: impl FnOnce(&mut Checker<'_>) -> T,
    ) -> T {
        let mut checker = self.checker(source);
        let value = work(&mut checker);
        let instances = checker.take_instances();
        self.instances.borrow_mut().extend(instances);
        value
    }

    /// Returns the declaration of a name of the unit, resolving it on the first request.
    fn declare(&self, name: NameId) -> Option<Decl> {
        let entry = self.scope.get(name)?;
        let source = self.files.get(entry.file as usize)?;
        let item = source.items.items.get(entry.item as usize)?;
        let symbol = item_symbol(self.db, self.unit, source.file, item, source.items);
        // A defined type is a leaf: its definition is not needed.
        if let ItemKind::Type {
            alias: false,
            type_params,
            ..
        } = &item.kind
        {
            return Some(Decl::Type {
                symbol,
                params: type_params.len() as u16,
                alias: None,
            });
        }
        match self.cells.borrow().get(&name) {
            Some(DeclCell::Done(decl)) => return Some(decl.clone()),
            Some(DeclCell::Busy) => return Some(busy(item, symbol)),
            None => {}
        }
        if self.infers && !matches!(item.kind, ItemKind::Var { .. }) {
            return decl(self.db, DeclKey::new(self.db, self.unit, name));
        }
        self.cells.borrow_mut().insert(name, DeclCell::Busy);
        let decl = self.with_checker(source, |checker| self.resolve(checker, item, symbol));
        self.cells
            .borrow_mut()
            .insert(name, DeclCell::Done(decl.clone()));
        Some(decl)
    }

    /// Returns the item of a package-level symbol of the unit, with its file.
    fn item_of(&self, symbol: SymbolId) -> Option<(&SourceFile<'a>, &'a Item)> {
        let name = self.db.shared().symbols.key(symbol).name;
        let entry = self.scope.get(name)?;
        let source = self.files.get(entry.file as usize)?;
        let item = source.items.items.get(entry.item as usize)?;
        let found = item_symbol(self.db, self.unit, source.file, item, source.items);
        (found == symbol).then_some((source, item))
    }

    /// Returns the definition of a type of the unit, without its methods, in the first run.
    fn own_type(&self, symbol: SymbolId) -> Option<Arc<TypeDef>> {
        if let Some(known) = self.definitions.borrow().get(&symbol) {
            return known.clone();
        }
        let (source, item) = self.item_of(symbol)?;
        let ItemKind::Type {
            alias: false,
            type_params,
            ty,
        } = &item.kind
        else {
            return None;
        };
        self.definitions.borrow_mut().insert(symbol, None);
        let mut checker = self.checker(source);
        let params = checker.type_params(symbol, type_params);
        let right = checker.declared_type(*ty, symbol);
        let types = table(self.db);
        let underlying = match types.get(right) {
            Type::Named(next, args) => match Declarations::type_def(self, *next) {
                Some(def) => {
                    let args = Args {
                        owner: *next,
                        types: args,
                    };
                    subst(types, def.underlying, args)
                }
                None => Ty::UNKNOWN,
            },
            _ => right,
        };
        let def = Arc::new(TypeDef {
            symbol,
            params,
            underlying,
            methods: Box::default(),
        });
        self.definitions
            .borrow_mut()
            .insert(symbol, Some(def.clone()));
        Some(def)
    }

    /// Returns the type of an inferred variable in the first run, for a constant that depends on
    /// it.
    fn early_type(&self, symbol: SymbolId) -> Ty {
        if let Some(&known) = self.inferred.borrow().get(&symbol) {
            return known;
        }
        let Some((source, item)) = self.item_of(symbol) else {
            return Ty::UNKNOWN;
        };
        let ItemKind::Var { shape, result, .. } = item.kind else {
            return Ty::UNKNOWN;
        };
        self.inferred.borrow_mut().insert(symbol, Ty::UNKNOWN);
        let mut checker = self.checker(source);
        let ty = checker.owned_by(Some(symbol), |checker| {
            checker.initialiser_type(shape, result)
        });
        self.inferred.borrow_mut().insert(symbol, ty);
        ty
    }

    /// Resolves the declaration of an item.
    fn resolve(&self, checker: &mut Checker<'_>, item: &Item, symbol: SymbolId) -> Decl {
        match &item.kind {
            ItemKind::Type {
                type_params, ty, ..
            } => {
                let params = checker.type_params(symbol, type_params);
                let alias = checker.declared_type(*ty, symbol);
                let count = params.len() as u16;
                Decl::Type {
                    symbol,
                    params: count,
                    alias: Some(alias),
                }
            }
            ItemKind::Func {
                type_params, sig, ..
            }
            | ItemKind::Method {
                type_params, sig, ..
            } => {
                let params = checker.type_params(symbol, type_params);
                let signature = checker.declared_signature(*sig, symbol);
                Decl::Func {
                    symbol,
                    signature,
                    params,
                }
            }
            ItemKind::Const { ty, value, iota } => checker.with_iota(*iota, |checker| {
                let has_type = *ty != no_expr();
                let declared = has_type.then(|| checker.declared_type(*ty, symbol));
                let own = checker.constant_type(*value);
                let value = checker.constant(*value);
                Decl::Const {
                    symbol,
                    ty: declared.unwrap_or(own),
                    value,
                }
            }),
            ItemKind::Var { ty, .. } if *ty != no_expr() => Decl::Var {
                symbol,
                ty: checker.declared_type(*ty, symbol),
            },
            ItemKind::Var { .. } if !self.infers => Decl::Inferred { symbol },
            ItemKind::Var { shape, result, .. } => {
                let ty = checker.owned_by(Some(symbol), |checker| {
                    checker.initialiser_type(*shape, *result)
                });
                Decl::Var { symbol, ty }
            }
        }
    }
}

/// Returns the declaration of an item that is part of a cycle: its type is unknown.
fn busy(item: &Item, symbol: SymbolId) -> Decl {
    match item.kind {
        ItemKind::Type { .. } => Decl::Type {
            symbol,
            params: 0,
            alias: Some(Ty::UNKNOWN),
        },
        ItemKind::Const { .. } => Decl::Const {
            symbol,
            ty: Ty::UNKNOWN,
            value: None,
        },
        _ => Decl::Var {
            symbol,
            ty: Ty::UNKNOWN,
        },
    }
}

impl Declarations for DeclarationRun<'_> {
    fn decl(&self, name: NameId) -> Option<Decl> {
        self.declare(name)
            .map(|decl| match decl {
                Decl::Inferred { symbol } => Decl::Var {
                    symbol,
                    ty: self.early_type(symbol),
                },
                other => other,
            })
            .or_else(|| match self.unit.kind(self.db) {
                IN_TEST => decl(
                    self.db,
                    DeclKey::new(self.db, self.unit.base(self.db)?, name),
                ),
                _ => None,
            })
    }

    fn type_def(&self, symbol: SymbolId) -> Option<Arc<TypeDef>> {
        let home = self.db.shared().symbols.key(symbol).declared_in;
        if !self.infers && home == codeweft_db::DeclaredIn::Unit(self.unit) {
            return self.own_type(symbol);
        }
        self.queries.type_def(symbol)
    }

    fn decl_of(&self, unit: Unit, name: NameId) -> Option<Decl> {
        self.queries.decl_of(unit, name)
    }

    fn visible_decl(&self, unit: Unit, name: NameId) -> Option<Decl> {
        self.queries.visible_decl(unit, name)
    }

    fn type_params(&self, owner: SymbolId) -> Option<TypeParams> {
        self.queries.type_params(owner)
    }

    fn members(&self, symbol: SymbolId) -> Arc<Members> {
        self.queries.members(symbol)
    }

    fn extra_methods(&self, view: Unit) -> ExtraMethods {
        self.queries.extra_methods(view)
    }

    fn knows_members(&self) -> bool {
        self.infers
    }
}

/// Resolves the declarations of a unit: types, signatures, constants, written variable types,
/// methods. Changed by edits of signatures in the unit, or of a declaration that it names
/// elsewhere.
#[salsa::tracked(returns(ref))]
pub fn unit_decls(db: &dyn Db, unit: Unit) -> UnitDecls {
    let run = DeclarationRun::new(db, unit, false);
    let mut decls: Vec<(NameId, Decl)> = Vec::with_capacity(run.scope.entries.len());
    // In text order, so that a cycle leaves the same declarations unknown in every run.
    for entry in in_text_order(&run.scope) {
        db.unwind_query_if_cancelled();
        decls.extend(run.declare(entry.name).map(|decl| (entry.name, decl)));
    }
    decls.sort_unstable_by_key(|&(name, _)| name);
    let mut defs = Definitions {
        run: &run,
        right_sides: FxHashMap::default(),
    };
    let mut methods: FxHashMap<SymbolId, Vec<MethodDef>> = FxHashMap::default();
    let mut heads: Vec<(SymbolId, TypeParams)> = Vec::new();
    let package = package_path(db, unit);
    for source in &run.files {
        for (number, item) in source.items.items.iter().enumerate() {
            db.unwind_query_if_cancelled();
            match &item.kind {
                ItemKind::Type {
                    alias: false,
                    type_params,
                    ty,
                } => {
                    let symbol = item_symbol(db, unit, source.file, item, source.items);
                    let first = run.scope.get(item.name).is_some_and(|entry| {
                        entry.item as usize == number
                            && run
                                .files
                                .get(entry.file as usize)
                                .is_some_and(|f| f.file == source.file)
                    });
                    if !first {
                        continue;
                    }
                    let (params, right) = run.with_checker(source, |checker| {
                        let params = checker.type_params(symbol, type_params);
                        (params, checker.declared_type(*ty, symbol))
                    });
                    defs.right_sides.insert(symbol, right);
                    heads.push((symbol, params));
                }
                ItemKind::Method {
                    receiver,
                    type_params,
                    sig,
                    ..
                } => {
                    let named = receiver_base(db, unit, source.items.code.name(receiver.base));
                    let base = named.base;
                    let symbol = item_symbol(db, unit, source.file, item, source.items);
                    let (params, signature) = run.with_checker(source, |checker| {
                        for (index, &tok) in receiver.type_params.iter().enumerate() {
                            checker.declare_type_param(tok, base, index as u16);
                        }
                        let params = checker.type_params(symbol, type_params);
                        (params, checker.declared_signature(*sig, symbol))
                    });
                    methods.entry(base).or_default().push(MethodDef {
                        name: MemberName::new(db, item.name, package),
                        symbol,
                        signature,
                        pointer: receiver.pointer || named.pointer,
                        params,
                    });
                }
                _ => {}
            }
        }
    }
    let mut types: Vec<(SymbolId, Arc<TypeDef>)> = heads
        .into_iter()
        .map(|(symbol, params)| {
            let mut methods = methods.remove(&symbol).unwrap_or_default();
            sort_methods(&mut methods);
            let underlying = defs.underlying(defs.right_sides[&symbol]);
            let def = TypeDef {
                symbol,
                params,
                underlying,
                methods: methods.into(),
            };
            (symbol, Arc::new(def))
        })
        .collect();
    types.sort_unstable_by_key(|&(symbol, _)| symbol);
    let mut extra: Vec<(SymbolId, Box<[MethodDef]>)> = methods
        .into_iter()
        .map(|(symbol, mut methods)| {
            sort_methods(&mut methods);
            (symbol, methods.into())
        })
        .collect();
    extra.sort_unstable_by_key(|&(symbol, _)| symbol);
    let mut instances: Vec<Ty> = run.instances.take().into_iter().collect();
    instances.sort_unstable();
    UnitDecls {
        decls: decls.into(),
        types: types.into(),
        extra: extra.into(),
        instances: instances.into(),
    }
}

/// Returns the entries of a scope in text order.
fn in_text_order(scope: &UnitScope) -> Vec<ScopeEntry> {
    let mut entries = scope.entries.to_vec();
    entries.sort_unstable_by_key(|entry| (entry.file, entry.item));
    entries
}

/// Sorts methods by name; of duplicates in broken code the first counts.
fn sort_methods(methods: &mut Vec<MethodDef>) {
    methods.sort_by_key(|method| method.name);
    methods.dedup_by_key(|method| method.name);
}

/// The right sides of a unit's type declarations, for resolving chains like `type A B`.
struct Definitions<'a> {
    run: &'a DeclarationRun<'a>,
    right_sides: FxHashMap<SymbolId, Ty>,
}

impl Definitions<'_> {
    /// Returns the underlying type of a right side (Go spec, Underlying types).
    fn underlying(&self, right: Ty) -> Ty {
        let types = table(self.run.db);
        let mut ty = right;
        // A chain longer than the number of types in the unit is a cycle.
        for _ in 0..=self.right_sides.len() + 1 {
            let Type::Named(symbol, args) = types.get(ty) else {
                return ty;
            };
            let args = Args {
                owner: *symbol,
                types: args,
            };
            match self.right_sides.get(symbol) {
                Some(&next) => ty = subst(types, next, args),
                None => {
                    return match self.run.type_def(*symbol) {
                        Some(def) => subst(types, def.underlying, args),
                        None => Ty::UNKNOWN,
                    };
                }
            }
        }
        Ty::UNKNOWN
    }
}

/// Infers the types of a unit's variables that are declared without one, from the shapes of their
/// initialisers.
#[salsa::tracked(returns(clone))]
pub fn unit_vars(db: &dyn Db, unit: Unit) -> Arc<UnitVars> {
    let decls = unit_decls(db, unit);
    let run = DeclarationRun::new(db, unit, true);
    let inferred = |name| matches!(decls.get(name), Some(Decl::Inferred { .. }));
    let mut types: Vec<(NameId, Ty)> = in_text_order(&run.scope)
        .into_iter()
        .filter(|entry| inferred(entry.name))
        .filter_map(|entry| match run.declare(entry.name)? {
            Decl::Var { ty, .. } => Some((entry.name, ty)),
            _ => None,
        })
        .collect();
    types.sort_unstable_by_key(|&(name, _)| name);
    Arc::new(UnitVars {
        types: types.into(),
    })
}
