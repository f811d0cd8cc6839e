//! The walk over a part of a file: its bodies and declarations, in one pass of a [`Checker`].
//!
//! For each body the walk enters the blocks of its function, then walks its statements:
//!
//! ```go
//! func (r *T[K]) M[V any](k K) (v V) { … }
//! // blocks, outermost first: K; V; r; k, v; the body
//! ```

use std::sync::Arc;

use codeweft_db::{Db, File, Role, SymbolClass, SymbolId, Unit, file_bodies};
use codeweft_syntax::go::{
    self, Body, BodyRoot, Chunk, ExprId, Item, ItemKind, Items, TypeParam, no_expr,
};
use rustc_hash::FxHashMap;

use crate::decls::{DeclarationQueries, TypeKey, type_params};
use crate::definitions::TypeDef;
use crate::hierarchy;
use crate::symbols::file_of_declaration;
use crate::types::{Ty, Type, table};
use crate::typing::{Checker, Probe, UseRecord};
use crate::units::{
    ReceiverBase, file_imports, item_symbol, items, package_symbol, receiver_base, unit_of,
};

/// The selection of a file that a walk covers.
pub(crate) struct FilePart<'p> {
    /// Chunks of its bodies.
    pub chunks: &'p [Arc<Chunk>],
    /// If the declarations are walked too: the number of bodies in the file, after which
    /// declarations are numbered.
    pub declarations: Option<u32>,
}

/// The result of a walk over a part of a file.
pub(crate) struct WalkedPart {
    pub record: UseRecord,
    pub bodies: Box<[SymbolId]>,
    pub rows: hierarchy::KeyedRows,
    /// The definitions of the types that the bodies declare.
    pub local_types: FxHashMap<SymbolId, Arc<TypeDef>>,
}

/// Returns the definition of a type declared inside a function; `None` if the function no longer
/// declares it.
#[salsa::tracked(returns(clone))]
pub fn local_type_def<'db>(db: &'db dyn Db, key: TypeKey<'db>) -> Option<Arc<TypeDef>> {
    let symbol = key.symbol(db);
    let around = db.shared().symbols.key(symbol).parent?;
    let file = file_of_declaration(db, around)?;
    let (unit, items) = (unit_of(db, file)?, items(db, file)?);
    let all = file_bodies(db, file);
    let bodies = all.go()?;
    let part = FilePart {
        chunks: &bodies.chunks,
        declarations: None,
    };
    let is_variable = db.shared().symbols.key(around).class == SymbolClass::Variable;
    let wanted = |_, body: &Body| match body.root {
        BodyRoot::Values(_) => is_variable,
        BodyRoot::Block(_) => {
            let item = items.items.get(body.item as usize);
            item.is_some_and(|item| item_symbol(db, unit, file, item, items) == around)
        }
    };
    // Only the types are wanted, so the probe is a token number that does not occur.
    let record = UseRecord::of_token(Probe {
        in_items: true,
        tok: u32::MAX,
    });
    let walked = walk(db, file, record, &part, wanted)?;
    walked.local_types.get(&symbol).cloned()
}

/// Walks the bodies of a part of a file that `wanted` selects by their number in the file, and its
/// declarations. The record may probe a token or a local; its number counts from the first token of
/// the chunk.
pub(crate) fn walk(
    db: &dyn Db,
    file: File,
    mut record: UseRecord,
    part: &FilePart<'_>,
    wanted: impl Fn(u32, &Body) -> bool,
) -> Option<WalkedPart> {
    let unit = unit_of(db, file)?;
    let items = items(db, file)?;
    let imports = file_imports(db, file);
    let source = DeclarationQueries { db, unit };
    let mut checker = Checker::new(db, unit, &source, &imports, &items.code);
    let count: usize = part.chunks.iter().map(|chunk| chunk.bodies.len()).sum();
    let mut symbols = Vec::with_capacity(count);
    let chunks = part.chunks.iter();
    let bodies = chunks.flat_map(|chunk| {
        (chunk.first..)
            .zip(&chunk.bodies)
            .map(move |one| (chunk, one))
    });
    for (chunk, (number, body)) in bodies {
        db.unwind_query_if_cancelled();
        let Some(item) = items.items.get(body.item as usize) else {
            symbols.push(package_symbol(db, unit));
            continue;
        };
        if !wanted(number, body) {
            continue;
        }
        checker.leave_function();
        checker.set_code(&items.code, true);
        let symbol = match &item.kind {
            ItemKind::Func { .. } | ItemKind::Method { .. } => {
                let symbol = item_symbol(db, unit, file, item, items);
                enter(db, unit, &mut checker, item, items, symbol);
                symbol
            }
            _ => package_symbol(db, unit),
        };
        symbols.push(symbol);
        checker.set_code(&chunk.code, false);
        checker.set_record(record);
        checker.set_body(number, body.first_tok);
        match body.root {
            BodyRoot::Block(block) => checker.body(block),
            BodyRoot::Values(values) => {
                for (at, value) in chunk.code.exprs_of(values).enumerate() {
                    let item = items.items.get(body.item as usize + at).unwrap_or(item);
                    let variable = item_symbol(db, unit, file, item, items);
                    checker.enter_initialiser(variable);
                    let given = checker.initialiser(value);
                    if let ItemKind::Var { ty, .. } = &item.kind {
                        checker.initialised(&items.code, *ty, value, given.ty);
                    }
                    let count = match table(db).get(given.ty) {
                        Type::Tuple(parts) if at == 0 => parts.len(),
                        _ => 1,
                    };
                    let spec = items.items.iter().skip(body.item as usize + at);
                    for (number, item) in spec.take(count).enumerate() {
                        if matches!(item.kind, ItemKind::Var { .. }) {
                            let variable = item_symbol(db, unit, file, item, items);
                            let variable = (item.name, variable);
                            checker.variable_initialised(variable, value, given, number);
                        }
                    }
                }
                checker.clear_owner();
            }
        }
        checker.finish_closures();
        record = checker.take_record().unwrap_or_default();
    }
    checker.leave_function();
    checker.set_code(&items.code, true);
    checker.set_record(record);
    let mut walker = ItemWalk {
        db,
        file,
        unit,
        items,
        checker: &mut checker,
        last: no_expr(),
    };
    if let Some(bodies) = part.declarations {
        for (number, item) in (bodies..).zip(&items.items) {
            db.unwind_query_if_cancelled();
            walker.checker.set_body(number, 0);
            walker.item(item);
        }
    }
    let mut record = checker.take_record().unwrap_or_default();
    record.resolve_labels();
    let instances = checker.take_instances();
    let local_types = checker.local_types();
    let rows = hierarchy::rows_of_part(db, unit, instances, local_types);
    Some(WalkedPart {
        record,
        bodies: symbols.into(),
        rows,
        local_types: local_types.clone(),
    })
}

/// Enters a function: declares its type parameters, receiver and parameters (Go spec, Declarations
/// and scope).
fn enter(
    db: &dyn Db,
    unit: Unit,
    checker: &mut Checker<'_>,
    item: &Item,
    items: &Items,
    symbol: SymbolId,
) {
    match &item.kind {
        ItemKind::Func {
            type_params, sig, ..
        } => {
            let params = checker.type_params(symbol, type_params);
            checker.enter_function(symbol, params);
            checker.set_owner(symbol);
            let ty = checker.signature_type(*sig);
            checker.declare_parameters(*sig, ty);
        }
        ItemKind::Method {
            receiver,
            type_params,
            sig,
            ..
        } => {
            let named = receiver_base(db, unit, items.code.name(receiver.base));
            let base = named.base;
            for (index, &tok) in receiver.type_params.iter().enumerate() {
                checker.declare_type_param(tok, base, index as u16);
            }
            let params = checker.type_params(symbol, type_params);
            checker.enter_function(symbol, params);
            checker.set_owner(symbol);
            let ty = checker.signature_type(*sig);
            if let Some(tok) = receiver.tok {
                checker.declare_receiver(tok, receiver_type(db, named, receiver));
            }
            checker.declare_parameters(*sig, ty);
        }
        _ => {}
    }
    checker.clear_owner();
}

/// Returns the type of a receiver, in terms of the type parameters of its base type.
fn receiver_type(db: &dyn Db, named: ReceiverBase, receiver: &go::Receiver) -> Ty {
    let types = table(db);
    let base = named.base;
    let count = match receiver.type_params.len() {
        0 => type_params(db, base).map_or(0, |params| params.len()),
        count => count,
    };
    let args = (0..count)
        .map(|index| types.intern(Type::Param(base, index as u16)))
        .collect();
    let ty = types.intern(Type::Named(base, args));
    if receiver.pointer || named.pointer {
        types.pointer(ty)
    } else {
        ty
    }
}

/// A walk over declarations for the uses in their types and constants.
struct ItemWalk<'w, 'a> {
    db: &'a dyn Db,
    file: File,
    unit: Unit,
    items: &'a Items,
    checker: &'w mut Checker<'a>,
    /// The last type or value that was walked: the names of one spec share theirs.
    last: ExprId,
}

impl ItemWalk<'_, '_> {
    /// Walks a declaration.
    fn item(&mut self, item: &Item) {
        let symbol = item_symbol(self.db, self.unit, self.file, item, self.items);
        self.checker.leave_function();
        let is_func = matches!(item.kind, ItemKind::Func { .. } | ItemKind::Method { .. });
        // A blank identifier declares nothing, except as the name of a function.
        if is_func || self.db.shared().names.text(item.name) != "_" {
            self.checker.probe_symbol(item.tok, symbol);
        }
        self.checker.set_owner(symbol);
        match &item.kind {
            ItemKind::Func {
                type_params,
                sig,
                has_body,
            } => {
                self.type_params(symbol, type_params);
                let ty = self.checker.signature_type(*sig);
                self.checker.declare_parameters(*sig, ty);
                if !has_body {
                    self.checker.without_body(symbol, ty, item.tok);
                }
            }
            ItemKind::Method {
                receiver,
                type_params,
                sig,
                has_body,
            } => {
                let named = receiver_base(self.db, self.unit, self.items.code.name(receiver.base));
                let base = named.base;
                self.checker
                    .note_use(receiver.base, named.named, Role::Receiver);
                for (index, &tok) in receiver.type_params.iter().enumerate() {
                    self.checker.declare_type_param(tok, base, index as u16);
                }
                self.type_params(symbol, type_params);
                let ty = self.checker.signature_type(*sig);
                if let Some(tok) = receiver.tok {
                    self.checker.declare_receiver(tok, Ty::UNKNOWN);
                }
                self.checker.declare_parameters(*sig, ty);
                if !has_body {
                    self.checker.without_body(symbol, ty, item.tok);
                }
            }
            ItemKind::Type {
                type_params, ty, ..
            } => {
                self.type_params(symbol, type_params);
                self.checker.resolve_type(*ty, Role::Base);
            }
            ItemKind::Const { ty, value, .. } => {
                let shared = *value != no_expr() && *value == self.last;
                if !shared {
                    self.checker.resolve_type(*ty, Role::VariableType);
                    self.checker.constant_type(*value);
                    self.last = *value;
                }
            }
            ItemKind::Var { ty, .. } => {
                if *ty != no_expr() && *ty != self.last {
                    self.checker.resolve_type(*ty, Role::VariableType);
                    self.last = *ty;
                }
            }
        }
        self.checker.clear_owner();
    }

    /// Walks the type parameters of a declaration and their constraints.
    fn type_params(&mut self, owner: SymbolId, params: &[TypeParam]) {
        for (index, param) in params.iter().enumerate() {
            self.checker
                .declare_type_param(param.tok, owner, index as u16);
        }
        let mut last = no_expr();
        for param in params {
            if param.constraint != last {
                self.checker
                    .resolve_type(param.constraint, Role::Constraint);
                last = param.constraint;
            }
        }
    }
}
