//! The type hierarchy: rows of types with their method sets and of interfaces with their methods,
//! in the form in which the graph matches them.
//!
//! An interface is implemented by every type whose method set includes its methods (Go spec,
//! Implementing an interface). The graph finds candidates by the rarest method name and rejects
//! most of them by a 64-bit mask, before [`satisfies`] compares signatures:
//!
//! ```text
//! io.ReadCloser   {Close() error, Read([]byte) (int, error)}   mask ...0100 0010
//! *os.File        {Chdir, Close, Read, Write, …}               mask ...1101 0110   contains the mask: compare
//! ```

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use codeweft_db::{
    Db, GenericInterfaceRow, Hierarchy, MethodRow, Receiver, Relation, RowKey, SupertypeRow,
    SymbolId, TypeRow, Unit,
};
use codeweft_go_syntax::{Expr, FieldKind, ItemKind};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::decls::{
    DeclarationQueries, TypeKey, extra_methods, members, members_in_view, type_def, unit_decls,
};
use crate::definitions::{Members, TypeDef, flat, interface_methods, method_set};
use crate::types::{Args, Bindings, Ty, Type, printed, subst, table};
use crate::typing::Checker;
use crate::units::IN_TEST;
use crate::units::{file_imports, item_symbol, items, test_view, unit_files};
use crate::universe::{error, error_method, error_signature};

/// Rows of concrete types and of interfaces.
#[derive(Default)]
pub struct Rows {
    /// Concrete types with methods.
    pub types: Vec<TypeRow>,
    /// Interfaces with methods and without a type set.
    pub interfaces: Vec<TypeRow>,
    /// Generic interfaces with methods, and interfaces with a type set.
    pub generic_interfaces: Vec<GenericInterfaceRow>,
}

/// Rows with their keys, sorted by key.
#[derive(Default)]
pub struct KeyedRows {
    /// See [`Rows::types`].
    pub types: Vec<(RowKey, TypeRow)>,
    /// See [`Rows::interfaces`].
    pub interfaces: Vec<(RowKey, TypeRow)>,
}

impl KeyedRows {
    /// Moves the rows of a key in.
    fn take(&mut self, key: RowKey, rows: &mut Rows) {
        rows.generic_interfaces.clear();
        let keyed = |row| (key, row);
        self.types.extend(rows.types.drain(..).map(keyed));
        self.interfaces.extend(rows.interfaces.drain(..).map(keyed));
    }
}

/// Returns the bit of a method in a row's mask.
fn mask_of(method: &MethodRow) -> u64 {
    let mut hasher = FxHasher::default();
    (method.name, method.signature).hash(&mut hasher);
    1 << (hasher.finish() >> 58)
}

/// Returns whether and how a type satisfies an interface: every method of the interface is in the
/// method set of the type or of its pointer, with an identical signature (Go spec, Implementing an
/// interface).
///
/// ```go
/// type Closer interface{ Close() error }
/// func (*F) Close() error // *F implements Closer, F does not: Receiver::Pointer
/// ```
pub fn satisfies(ty: &TypeRow, interface: &TypeRow) -> Option<Receiver> {
    if ty.mask & interface.mask != interface.mask {
        return None;
    }
    let mut receiver = Receiver::Value;
    for wanted in &interface.methods {
        let method = ty.method(wanted.name)?;
        if method.signature != wanted.signature {
            return None;
        }
        if !method.by_value {
            receiver = Receiver::Pointer;
        }
    }
    Some(receiver)
}

/// Returns whether and how a type satisfies an interface for some type arguments of both.
pub fn may_satisfy(db: &dyn Db, ty: &TypeRow, interface: &TypeRow) -> Option<Receiver> {
    let types = table(db);
    let mut bindings = Bindings::new(types);
    let mut receiver = Receiver::Value;
    for wanted in &interface.methods {
        let method = ty.method(wanted.name)?;
        let own = types.of_number(method.signature)?;
        if !bindings.identical(types.of_number(wanted.signature)?, own) {
            return None;
        }
        if !method.by_value {
            receiver = Receiver::Pointer;
        }
    }
    Some(receiver)
}

/// A builder of rows in a view of the package, with or without local types.
struct TypeRowBuilder<'a> {
    db: &'a dyn Db,
    view: Option<Unit>,
    local: Option<&'a FxHashMap<SymbolId, Arc<TypeDef>>>,
    rows: Rows,
}

impl TypeRowBuilder<'_> {
    /// Returns the definition of a defined type, local ones included.
    fn def(&self, symbol: SymbolId) -> Option<Arc<TypeDef>> {
        match self.local.and_then(|local| local.get(&symbol)) {
            Some(def) => Some(def.clone()),
            None => type_def(self.db, TypeKey::new(self.db, symbol)),
        }
    }

    /// Returns the number that identical signatures share.
    fn signature(&self, signature: Ty) -> u32 {
        let types = table(self.db);
        let flat = flat(types, signature, &|symbol| self.def(symbol));
        types.canonical(flat).number()
    }

    /// Adds the row of a type or instance, if it has methods.
    fn add(&mut self, symbol: SymbolId, args: &[Ty]) {
        let types = table(self.db);
        let Some(def) = self.def(symbol) else { return };
        let type_args: Box<[Box<str>]> = args
            .iter()
            .map(|&arg| printed(self.db, arg).into())
            .collect();
        let args = Args {
            owner: symbol,
            types: args,
        };
        if let Type::Interface(_) = types.get(def.underlying) {
            let generic = !def.params.is_empty() && args.types.is_empty();
            let interface = subst(types, def.underlying, args);
            let has_type_set = has_type_set(self.db, interface, &|symbol| self.def(symbol));
            let methods = interface_methods(types, interface, &|symbol| self.def(symbol))
                .into_iter()
                .filter_map(|(name, signature, declared)| {
                    Some(MethodRow {
                        name: name.qualified(self.db),
                        signature: self.signature(signature),
                        symbol: declared?,
                        by_value: true,
                    })
                })
                .collect();
            let row = row(symbol, type_args, methods);
            if generic || has_type_set {
                let generic = row.map(|row| GenericInterfaceRow { row, has_type_set });
                self.rows.generic_interfaces.extend(generic);
            } else {
                self.rows.interfaces.extend(row);
            }
            return;
        }
        let found: Arc<Members> = match (self.view, self.local) {
            (None, None) => members(self.db, TypeKey::new(self.db, symbol)),
            _ => {
                let own = (0..def.params.len())
                    .map(|index| types.intern(Type::Param(symbol, index as u16)))
                    .collect();
                let ty = types.intern(Type::Named(symbol, own));
                Arc::new(members_in_view(self.db, ty, self.view, &|symbol| {
                    self.def(symbol)
                }))
            }
        };
        let methods = method_set(&found)
            .filter(|(member, _)| member.params.is_empty())
            .filter_map(|(member, by_value)| {
                let signature = subst(types, member.ty, args);
                Some(MethodRow {
                    name: member.name.qualified(self.db),
                    signature: self.signature(signature),
                    symbol: member.symbol?,
                    by_value,
                })
            })
            .collect();
        self.rows.types.extend(row(symbol, type_args, methods));
    }
}

/// Returns the row of a type with its methods sorted; `None` without methods.
fn row(
    symbol: SymbolId,
    type_args: Box<[Box<str>]>,
    mut methods: Vec<MethodRow>,
) -> Option<TypeRow> {
    if methods.is_empty() {
        return None;
    }
    methods.sort_unstable_by_key(|method| method.name);
    methods.dedup_by_key(|method| method.name);
    let mask = methods.iter().map(mask_of).fold(0, |mask, bit| mask | bit);
    Some(TypeRow {
        symbol,
        type_args,
        mask,
        methods: methods.into(),
    })
}

/// Returns the types of a unit, from declarations only: no edit inside a body reruns it.
#[salsa::tracked(returns(clone))]
pub fn impl_index(db: &dyn Db, unit: Unit) -> Arc<Hierarchy> {
    let decls = unit_decls(db, unit);
    let types = table(db);
    // The view of an in-package test differs only if it adds methods.
    let view = test_view(db, unit).filter(|&view| !extra_methods(db, view).is_empty());
    let mut builder = TypeRowBuilder {
        db,
        view,
        local: None,
        rows: Rows::default(),
    };
    for (symbol, _) in &decls.types {
        builder.add(*symbol, &[]);
    }
    if let Some(view) = view.filter(|_| unit.kind(db) == IN_TEST)
        && let Some(base) = unit.base(db)
    {
        let changed: Vec<SymbolId> = extra_methods(db, view).iter().map(|(of, _)| *of).collect();
        let mut plain = TypeRowBuilder {
            db,
            view: None,
            local: None,
            rows: Rows::default(),
        };
        let mut tested = TypeRowBuilder {
            db,
            view: Some(view),
            local: None,
            rows: Rows::default(),
        };
        for (symbol, def) in &unit_decls(db, base).types {
            let embeds = match types.get(def.underlying) {
                Type::Struct(fields) => fields.iter().any(|field| field.embedded),
                _ => false,
            };
            if embeds || changed.contains(symbol) {
                plain.add(*symbol, &[]);
                tested.add(*symbol, &[]);
            }
        }
        let known: FxHashSet<_> = plain
            .rows
            .types
            .iter()
            .map(|row| (row.symbol, row.methods.len()))
            .collect();
        builder.rows.types.extend(
            tested
                .rows
                .types
                .into_iter()
                .filter(|row| !known.contains(&(row.symbol, row.methods.len()))),
        );
    }
    for &instance in &decls.instances {
        if let Type::Named(symbol, args) = types.get(instance) {
            builder.add(*symbol, args);
        }
    }
    let embeds = embeds(db, unit);
    let Rows {
        types,
        interfaces,
        generic_interfaces,
    } = builder.rows;
    Arc::new(
        Hierarchy::from_rows(types, interfaces, embeds).with_generic_interfaces(generic_interfaces),
    )
}

/// Returns the interfaces of the universe block.
pub fn of_universe(db: &dyn Db) -> Hierarchy {
    let method = MethodRow {
        name: db.shared().names.intern("Error"),
        signature: table(db).canonical(error_signature(db)).number(),
        symbol: error_method(db),
        by_value: true,
    };
    let row = row(error(db), Box::default(), vec![method]);
    Hierarchy::from_rows(Vec::new(), row.into_iter().collect(), Vec::new())
}

/// Returns the embedded fields and interfaces of a unit's declared types.
fn embeds(db: &dyn Db, unit: Unit) -> Vec<SupertypeRow> {
    let types = table(db);
    let source = DeclarationQueries { db, unit };
    let mut rows = Vec::new();
    for &file in unit_files(db, unit).chosen.iter() {
        let Some(items) = items(db, file) else {
            continue;
        };
        let imports = file_imports(db, file);
        for item in &items.items {
            db.unwind_query_if_cancelled();
            let ItemKind::Type {
                alias: false,
                type_params,
                ty,
            } = &item.kind
            else {
                continue;
            };
            let (Expr::Struct(list) | Expr::Interface(list)) = items.code.exprs[*ty] else {
                continue;
            };
            let from = item_symbol(db, unit, file, item, items);
            let mut checker = Checker::new(db, unit, &source, &imports, &items.code);
            for id in items.code.fields_of(list) {
                let field = items.code.fields[id];
                if !matches!(field.kind, FieldKind::Embedded | FieldKind::Element) {
                    continue;
                }
                if matches!(items.code.exprs[field.ty], Expr::Union(_) | Expr::Tilde(_)) {
                    continue;
                }
                let ty = checker.declaration(|checker| {
                    checker.type_params(from, type_params);
                    checker.resolve_type(field.ty, codeweft_db::Role::Embed)
                });
                let ty = match types.get(ty) {
                    Type::Pointer(target) => *target,
                    _ => ty,
                };
                if let Type::Named(to, _) = types.get(ty) {
                    rows.push(SupertypeRow {
                        from,
                        to: *to,
                        relation: Relation::Embeds,
                        file,
                        tok: field.tok,
                    });
                }
            }
        }
    }
    rows
}

/// Returns the rows that a part of a file adds: those of generic instances and of local types.
pub fn rows_of_part(
    db: &dyn Db,
    unit: Unit,
    instances: FxHashSet<Ty>,
    local: &FxHashMap<SymbolId, Arc<TypeDef>>,
) -> KeyedRows {
    let types = table(db);
    let mut instances: Vec<Ty> = instances.into_iter().collect();
    instances.sort_unstable();
    let mut symbols: Vec<SymbolId> = local.keys().copied().collect();
    symbols.sort_unstable();
    let view = test_view(db, unit).filter(|&view| !extra_methods(db, view).is_empty());
    let mut keyed = KeyedRows::default();
    let mut builder = TypeRowBuilder {
        db,
        view,
        local: None,
        rows: Rows::default(),
    };
    for instance in instances {
        if let Type::Named(symbol, args) = types.get(instance) {
            builder.add(*symbol, args);
            keyed.take(RowKey::Instance(instance.number()), &mut builder.rows);
        }
    }
    builder.local = Some(local);
    for symbol in symbols {
        builder.add(symbol, &[]);
        keyed.take(RowKey::Local(symbol), &mut builder.rows);
    }
    keyed
}

/// Returns whether an interface has a type set, so that it can only be a constraint (Go spec,
/// General interfaces).
pub(crate) fn has_type_set(
    db: &dyn Db,
    interface: Ty,
    def: &dyn Fn(SymbolId) -> Option<Arc<TypeDef>>,
) -> bool {
    let types = table(db);
    let mut stack = vec![interface];
    let mut seen = FxHashSet::default();
    while let Some(ty) = stack.pop() {
        if !seen.insert(ty) {
            continue;
        }
        match types.get(ty) {
            Type::Interface(interface) => {
                if interface.comparable || !interface.unions.is_empty() {
                    return true;
                }
                stack.extend(&interface.embeds);
            }
            Type::Named(symbol, args) => {
                if let Some(def) = def(*symbol) {
                    let args = Args {
                        owner: *symbol,
                        types: args,
                    };
                    stack.push(subst(types, def.underlying, args));
                }
            }
            Type::Unknown => {}
            _ => return true,
        }
    }
    false
}
