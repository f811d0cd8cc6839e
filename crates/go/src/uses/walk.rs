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
use codeweft_go_syntax::AsGo as _;
use codeweft_go_syntax::{
    self, Body, BodyRoot, Chunk, Code, ExprId, Item, ItemKind, Items, ListId, TypeParam, no_expr,
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
    let walk = PartWalk {
        db,
        file,
        unit,
        items,
    };
    for (chunk, (number, body)) in bodies {
        db.unwind_query_if_cancelled();
        let Some(item) = items.items.get(body.item as usize) else {
            symbols.push(package_symbol(db, unit));
            continue;
        };
        if !wanted(number, body) {
            continue;
        }
        symbols.push(match &item.kind {
            ItemKind::Func { .. } | ItemKind::Method { .. } => walk.symbol(item),
            _ => package_symbol(db, unit),
        });
        checker.declaration(|checker| {
            walk.function(checker, item, |checker| {
                checker.in_code(&chunk.code, false, |checker| {
                    checker.recorded(&mut record, (number, body.first_tok), |checker| {
                        match body.root {
                            BodyRoot::Block(block) => checker.body(block),
                            BodyRoot::Values(values) => {
                                walk.values(checker, &chunk.code, body.item as usize, values);
                            }
                        }
                        checker.uses().finish_closures();
                    });
                });
            });
        });
    }
    if let Some(bodies) = part.declarations {
        let mut last = no_expr();
        for (number, item) in (bodies..).zip(&items.items) {
            db.unwind_query_if_cancelled();
            checker.recorded(&mut record, (number, 0), |checker| {
                checker.declaration(|checker| walk.item(checker, item, &mut last));
            });
        }
    }
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

/// A walk over the bodies and declarations of a file.
struct PartWalk<'a> {
    db: &'a dyn Db,
    file: File,
    unit: Unit,
    items: &'a Items,
}

impl<'a> PartWalk<'a> {
    /// Returns the symbol of an item of the file.
    fn symbol(&self, item: &Item) -> SymbolId {
        item_symbol(self.db, self.unit, self.file, item, self.items)
    }

    /// Runs `work` in the scope of a function or method, with its type parameters, receiver and
    /// parameters (Go spec, Declarations and scope); in the scope of the package for other items.
    fn function(
        &self,
        checker: &mut Checker<'a>,
        item: &Item,
        work: impl FnOnce(&mut Checker<'a>),
    ) {
        match &item.kind {
            ItemKind::Func {
                type_params, sig, ..
            } => {
                let symbol = self.symbol(item);
                let params = checker.type_params(symbol, type_params);
                checker.function(symbol, params, |checker| {
                    let ty = checker.declared_signature(*sig, symbol);
                    checker.declare_parameters(*sig, ty);
                    work(checker);
                });
            }
            ItemKind::Method {
                receiver,
                type_params,
                sig,
                ..
            } => {
                let symbol = self.symbol(item);
                let base = self.items.code.name(receiver.base);
                let named = receiver_base(self.db, self.unit, base);
                for (index, &tok) in receiver.type_params.iter().enumerate() {
                    checker.declare_type_param(tok, named.base, index as u16);
                }
                let params = checker.type_params(symbol, type_params);
                checker.function(symbol, params, |checker| {
                    let ty = checker.declared_signature(*sig, symbol);
                    if let Some(tok) = receiver.tok {
                        checker.declare_receiver(tok, receiver_type(self.db, named, receiver));
                    }
                    checker.declare_parameters(*sig, ty);
                    work(checker);
                });
            }
            _ => work(checker),
        }
    }

    /// Walks the values of a variable spec, whose first item is `first`.
    fn values(&self, checker: &mut Checker<'a>, code: &Code, first: usize, values: ListId) {
        let items = &self.items.items;
        let Some(spec) = items.get(first) else {
            return;
        };
        for (at, value) in code.exprs_of(values).enumerate() {
            let variable = self.symbol(items.get(first + at).unwrap_or(spec));
            checker.variable(variable, |checker| {
                let given = checker.initialiser(value);
                if let ItemKind::Var { ty, .. } = &spec.kind {
                    checker.initialised(&self.items.code, *ty, value, given.ty);
                }
                let count = match table(self.db).get(given.ty) {
                    Type::Tuple(parts) if at == 0 => parts.len(),
                    _ => 1,
                };
                let variables = items.iter().skip(first + at).take(count);
                for (number, item) in variables.enumerate() {
                    if matches!(item.kind, ItemKind::Var { .. }) {
                        let variable = (item.name, self.symbol(item));
                        checker
                            .flows()
                            .variable_initialised(variable, value, given, number);
                    }
                }
            });
        }
    }

    /// Walks a declaration for the uses in its types and constants. `last` is the last type or
    /// value that was walked: the names of one spec share theirs.
    fn item(&self, checker: &mut Checker<'a>, item: &Item, last: &mut ExprId) {
        let symbol = self.symbol(item);
        let is_func = matches!(item.kind, ItemKind::Func { .. } | ItemKind::Method { .. });
        // A blank identifier declares nothing, except as the name of a function.
        if is_func || self.db.shared().names.text(item.name) != "_" {
            checker.uses().probe_symbol(item.tok, symbol);
        }
        checker.owned_by(Some(symbol), |checker| match &item.kind {
            ItemKind::Func {
                type_params,
                sig,
                has_body,
            } => {
                type_param_uses(checker, symbol, type_params);
                let ty = checker.signature_type(*sig);
                checker.declare_parameters(*sig, ty);
                if !has_body {
                    checker.flows().without_body(symbol, ty, item.tok);
                }
            }
            ItemKind::Method {
                receiver,
                type_params,
                sig,
                has_body,
            } => {
                let base = self.items.code.name(receiver.base);
                let named = receiver_base(self.db, self.unit, base);
                checker
                    .uses()
                    .note_use(receiver.base, named.named, Role::Receiver);
                for (index, &tok) in receiver.type_params.iter().enumerate() {
                    checker.declare_type_param(tok, named.base, index as u16);
                }
                type_param_uses(checker, symbol, type_params);
                let ty = checker.signature_type(*sig);
                if let Some(tok) = receiver.tok {
                    checker.declare_receiver(tok, Ty::UNKNOWN);
                }
                checker.declare_parameters(*sig, ty);
                if !has_body {
                    checker.flows().without_body(symbol, ty, item.tok);
                }
            }
            ItemKind::Type {
                type_params, ty, ..
            } => {
                type_param_uses(checker, symbol, type_params);
                checker.resolve_type(*ty, Role::Base);
            }
            ItemKind::Const { ty, value, .. } => {
                let shared = *value != no_expr() && *value == *last;
                if !shared {
                    checker.resolve_type(*ty, Role::VariableType);
                    checker.constant_type(*value);
                    *last = *value;
                }
            }
            ItemKind::Var { ty, .. } => {
                if *ty != no_expr() && *ty != *last {
                    checker.resolve_type(*ty, Role::VariableType);
                    *last = *ty;
                }
            }
        });
    }
}

/// Walks the type parameters of a declaration and their constraints.
fn type_param_uses(checker: &mut Checker<'_>, owner: SymbolId, params: &[TypeParam]) {
    for (index, param) in params.iter().enumerate() {
        checker.declare_type_param(param.tok, owner, index as u16);
    }
    let mut last = no_expr();
    for param in params {
        if param.constraint != last {
            checker.resolve_type(param.constraint, Role::Constraint);
            last = param.constraint;
        }
    }
}

/// Returns the type of a receiver, in terms of the type parameters of its base type.
fn receiver_type(db: &dyn Db, named: ReceiverBase, receiver: &codeweft_go_syntax::Receiver) -> Ty {
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
