//! Uses: what the bodies and declarations of a file name, and the joins per unit.

use std::sync::Arc;

use codeweft_db::{
    Db, File, FileUses, Mentions, SymbolId, Unit, UnitIndex, file_bodies, file_mentions,
};
use codeweft_syntax::go::{
    self, Body, BodyRoot, ExprId, Item, ItemKind, Items, TypeParam, no_expr,
};

use crate::decls::{declare_params, type_params};
use crate::hierarchy;
use crate::types::{Ty, Type, table};
use crate::typing::{QuerySource, Record, Typer};
use crate::units::{
    ReceiverBase, file_imports, item_symbol, items, package_symbol, receiver_base, unit_files,
    unit_of,
};
use codeweft_db::Role;

/// What a file uses: types its own bodies and keeps targets only. Runs again when a body of the
/// file changes, or a declaration that it read.
#[salsa::tracked(returns(clone))]
pub fn file_uses(db: &dyn Db, file: File) -> Arc<FileUses> {
    let Some(walked) = walk(db, file, Record::default(), |_, _| true) else {
        return Arc::default();
    };
    let Walked {
        mut record,
        bodies,
        rows,
    } = walked;
    record.open.sort_unstable();
    record.escaped.sort_unstable();
    record.escaped.dedup();
    record.converts.sort_unstable();
    record.converts.dedup();
    Arc::new(FileUses {
        open: record.open.into(),
        bodies,
        escaped: record.escaped.into(),
        types: rows.types.into(),
        interfaces: rows.interfaces.into(),
        locals: record.locals.into(),
        converts: record.converts.into(),
        ..FileUses::grouped(record.uses)
    })
}

/// What a walk over a whole file gave.
pub(crate) struct Walked {
    pub record: Record,
    pub bodies: Box<[SymbolId]>,
    pub rows: hierarchy::Rows,
}

/// Walks the items of a file and those of its bodies, by their number, that are wanted. The record
/// may ask for a token or for a local.
pub(crate) fn walk(
    db: &dyn Db,
    file: File,
    mut record: Record,
    wanted: impl Fn(usize, &Body) -> bool,
) -> Option<Walked> {
    let unit = unit_of(db, file)?;
    let items = items(db, file)?;
    let all = file_bodies(db, file);
    let bodies = all.go()?;
    let imports = file_imports(db, file);
    let source = QuerySource { db, unit };
    let mut typer = Typer::new(db, unit, &source, &imports, &items.code);
    let mut symbols = Vec::with_capacity(bodies.bodies.len());
    for (number, body) in bodies.bodies.iter().enumerate() {
        let Some(item) = items.items.get(body.item as usize) else {
            symbols.push(package_symbol(db, unit));
            continue;
        };
        if !wanted(number, body) {
            continue;
        }
        typer.leave_function();
        typer.set_code(&items.code, true);
        let symbol = match &item.kind {
            ItemKind::Func { .. } | ItemKind::Method { .. } => {
                let symbol = item_symbol(db, unit, file, item, items);
                enter(db, unit, &mut typer, item, items, symbol);
                symbol
            }
            _ => package_symbol(db, unit),
        };
        symbols.push(symbol);
        typer.set_code(&bodies.code, false);
        typer.set_record(record);
        typer.set_place(number as u32, body.first_tok);
        match body.root {
            BodyRoot::Block(block) => typer.body(block),
            BodyRoot::Values(values) => {
                for (at, value) in bodies.code.exprs_of(values).enumerate() {
                    let item = items.items.get(body.item as usize + at).unwrap_or(item);
                    let variable = item_symbol(db, unit, file, item, items);
                    typer.enter_initialiser(variable);
                    let from = typer.initialiser(value, None);
                    if let ItemKind::Var { ty, .. } = &item.kind {
                        typer.initialised(&items.code, *ty, value, from);
                    }
                }
                typer.clear_owner();
            }
        }
        typer.settle_closures();
        record = typer.take_record().unwrap_or_default();
    }
    typer.leave_function();
    typer.set_code(&items.code, true);
    typer.set_record(record);
    let mut walker = ItemWalk {
        db,
        file,
        unit,
        items,
        typer: &mut typer,
        last: no_expr(),
    };
    for (number, item) in items.items.iter().enumerate() {
        walker
            .typer
            .set_place((bodies.bodies.len() + number) as u32, 0);
        walker.item(item);
    }
    let mut record = typer.take_record().unwrap_or_default();
    record.settle_labels();
    let instances = typer.take_instances();
    let local_types = typer.local_types();
    let rows = hierarchy::rows_of_file(db, unit, instances, local_types);
    Some(Walked {
        record,
        bodies: symbols.into(),
        rows,
    })
}

/// Opens a function's blocks: type parameters, receiver, parameters.
fn enter(
    db: &dyn Db,
    unit: Unit,
    typer: &mut Typer<'_>,
    item: &Item,
    items: &Items,
    symbol: SymbolId,
) {
    match &item.kind {
        ItemKind::Func {
            type_params, sig, ..
        } => {
            let params = declare_params(typer, symbol, type_params);
            typer.enter_function(symbol, params);
            typer.set_owner(symbol);
            let ty = typer.signature_type(*sig);
            typer.declare_parameters(*sig, ty);
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
                typer.declare_type_param(tok, base, index as u16);
            }
            let params = declare_params(typer, symbol, type_params);
            typer.enter_function(symbol, params);
            typer.set_owner(symbol);
            let ty = typer.signature_type(*sig);
            if let Some(tok) = receiver.tok {
                typer.declare_receiver(tok, receiver_type(db, named, receiver));
            }
            typer.declare_parameters(*sig, ty);
        }
        _ => {}
    }
    typer.clear_owner();
}

/// The type of a receiver, in terms of its base's type parameters.
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

/// Walks declarations for the uses in their types and constants.
struct ItemWalk<'w, 'a> {
    db: &'a dyn Db,
    file: File,
    unit: Unit,
    items: &'a Items,
    typer: &'w mut Typer<'a>,
    /// The last type or value that was walked: names of one spec share theirs.
    last: ExprId,
}

impl ItemWalk<'_, '_> {
    fn item(&mut self, item: &Item) {
        let symbol = item_symbol(self.db, self.unit, self.file, item, self.items);
        self.typer.leave_function();
        let is_func = matches!(item.kind, ItemKind::Func { .. } | ItemKind::Method { .. });
        // A blank name that is no function's declares nothing.
        if is_func || self.db.shared().names.text(item.name) != "_" {
            self.typer.probe_symbol(item.tok, symbol);
        }
        self.typer.set_owner(symbol);
        match &item.kind {
            ItemKind::Func {
                type_params, sig, ..
            } => {
                self.type_params(symbol, type_params);
                let ty = self.typer.signature_type(*sig);
                self.typer.declare_parameters(*sig, ty);
            }
            ItemKind::Method {
                receiver,
                type_params,
                sig,
                ..
            } => {
                let named = receiver_base(self.db, self.unit, self.items.code.name(receiver.base));
                let base = named.base;
                self.typer
                    .note_use(receiver.base, named.named, Role::Receiver);
                for (index, &tok) in receiver.type_params.iter().enumerate() {
                    self.typer.declare_type_param(tok, base, index as u16);
                }
                self.type_params(symbol, type_params);
                let ty = self.typer.signature_type(*sig);
                if let Some(tok) = receiver.tok {
                    self.typer.declare_receiver(tok, Ty::UNKNOWN);
                }
                self.typer.declare_parameters(*sig, ty);
            }
            ItemKind::Type {
                type_params, ty, ..
            } => {
                self.type_params(symbol, type_params);
                self.typer.resolve_type(*ty, Role::Base);
            }
            ItemKind::Const { ty, value, .. } => {
                let shared = *value != no_expr() && *value == self.last;
                if !shared {
                    self.typer.resolve_type(*ty, Role::VariableType);
                    self.typer.constant_type(*value);
                    self.last = *value;
                }
            }
            ItemKind::Var { ty, .. } => {
                if *ty != no_expr() && *ty != self.last {
                    self.typer.resolve_type(*ty, Role::VariableType);
                    self.last = *ty;
                }
            }
        }
        self.typer.clear_owner();
    }

    fn type_params(&mut self, owner: SymbolId, params: &[TypeParam]) {
        for (index, param) in params.iter().enumerate() {
            self.typer
                .declare_type_param(param.tok, owner, index as u16);
        }
        let mut last = no_expr();
        for param in params {
            if param.constraint != last {
                self.typer.resolve_type(param.constraint, Role::Constraint);
                last = param.constraint;
            }
        }
    }
}

/// The join of a unit's files: target to files.
#[salsa::tracked(returns(clone))]
pub fn unit_index(db: &dyn Db, unit: Unit) -> Arc<UnitIndex> {
    let files = unit_files(db, unit);
    let uses: Vec<_> = files
        .chosen
        .iter()
        .map(|&file| file_uses(db, file))
        .collect();
    let nameless = db.shared().names.intern("");
    Arc::new(UnitIndex::join(nameless, uses.iter().map(|uses| &**uses)))
}

/// The identifiers of a unit's files.
#[salsa::tracked(returns(clone))]
pub fn unit_mentions(db: &dyn Db, unit: Unit) -> Arc<Mentions> {
    let mut names = Vec::new();
    for &file in unit_files(db, unit).chosen.iter() {
        names.extend_from_slice(&file_mentions(db, file).names);
    }
    Arc::new(Mentions::from_names(names))
}
