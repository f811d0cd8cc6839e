//! Uses: what the bodies and declarations of a file name, and the joins per unit.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use codeweft_db::{
    Conversion, Db, File, FileFlows, FileUses, Flows, Identifiers, LocalDecl, SymbolClass,
    SymbolId, TypeRow, Unit, UnitIndex, UnresolvedSite, UsesByTarget, file_bodies, has_edited,
    is_edited,
};
use codeweft_syntax::go::{
    self, Body, BodyRoot, Chunk, ExprId, Item, ItemKind, Items, TypeParam, no_expr,
};

use rustc_hash::FxHashMap;

use crate::decls::{TypeDef, TypeKey, declare_params, type_params};
use crate::hierarchy::{self, RowKey};
use crate::places;
use crate::types::{Ty, Type, table};
use crate::typing::{Probe, QueryPackageScope, Typer, UseRecord};
use crate::units::{
    ReceiverBase, file_imports, item_symbol, items, package_symbol, receiver_base, unit_files,
    unit_of,
};
use codeweft_db::Role;

/// What a file uses: types its own bodies and keeps targets only. Runs again when a body of the
/// file changes, or a declaration that it read.
pub fn file_uses(db: &dyn Db, file: File) -> Arc<FileUses> {
    match is_edited(db, file) {
        false => saved::file_uses(db, file),
        true => edited::file_uses(db, file),
    }
}

/// The key of [`saved::body_chunk`] and [`saved::chunk_uses`].
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct ChunkKey<'db> {
    /// The file.
    #[returns(copy)]
    pub file: File,
    /// The number of the chunk in it.
    #[returns(copy)]
    pub number: u32,
}

/// The joins of a unit over what `$uses` and `$mentions` say of its files.
macro_rules! joins {
    ($uses:path, $identifiers:path) => {
        /// The join of a unit's files: target to files.
        #[salsa::tracked(returns(clone))]
        pub fn unit_index(db: &dyn Db, unit: Unit) -> Arc<UnitIndex> {
            let files = unit_files(db, unit).chosen.iter();
            let uses: Vec<_> = files.map(|&file| $uses(db, file)).collect();
            let nameless = db.shared().names.intern("");
            Arc::new(UnitIndex::join(nameless, uses.iter().map(|uses| &**uses)))
        }

        /// The identifiers of a unit's files.
        #[salsa::tracked(returns(clone))]
        pub fn unit_identifiers(db: &dyn Db, unit: Unit) -> Arc<Identifiers> {
            let mut names = Vec::new();
            for &file in unit_files(db, unit).chosen.iter() {
                names.extend_from_slice(&$identifiers(db, file).names);
            }
            Arc::new(Identifiers::from_names(names))
        }

        /// How values flow in a unit, by the fragments of its files. Runs again when a body of the
        /// unit changes; what it gives stays equal unless values flow in another way or from other
        /// places.
        #[salsa::tracked(returns(clone))]
        pub fn unit_flows(db: &dyn Db, unit: Unit) -> Arc<[FileFlows]> {
            let mut all = Vec::new();
            for &file in unit_files(db, unit).chosen.iter() {
                let uses = $uses(db, file);
                let flows = uses.flows.iter().cloned();
                all.extend(flows.map(|flows| FileFlows { file, flows }));
            }
            all.into()
        }
    };
}

/// Of texts that nobody has opened or edited, and of units without others.
pub mod saved {
    use super::*;

    /// As [`super::file_uses`]. A large file joins what its chunks say.
    #[salsa::tracked(returns(clone))]
    pub fn file_uses(db: &dyn Db, file: File) -> Arc<FileUses> {
        let all = codeweft_db::saved::file_bodies(db, file);
        let Some(bodies) = all.go() else {
            return Arc::default();
        };
        let parts = match &*bodies.chunks {
            chunks @ ([] | [_]) => {
                let part = FilePart {
                    chunks,
                    declarations: Some(bodies.count() as u32),
                };
                vec![Arc::new(resolve(db, file, &part))]
            }
            chunks => {
                let numbers = 0..chunks.len() as u32;
                let parts = numbers.map(|number| chunk_uses(db, ChunkKey::new(db, file, number)));
                parts.chain([declaration_uses(db, file)]).collect()
            }
        };
        Arc::new(join(&parts))
    }

    /// A chunk of a file's bodies: equal unless code inside one of them changed. `None` beyond the
    /// last.
    #[salsa::tracked(returns(clone))]
    pub fn body_chunk<'db>(db: &'db dyn Db, key: ChunkKey<'db>) -> Option<Arc<Chunk>> {
        let all = codeweft_db::saved::file_bodies(db, key.file(db));
        all.go()?.chunks.get(key.number(db) as usize).cloned()
    }

    /// What a chunk of a large file uses.
    #[salsa::tracked(returns(clone))]
    pub fn chunk_uses<'db>(db: &'db dyn Db, key: ChunkKey<'db>) -> Arc<PartUses> {
        let Some(chunk) = body_chunk(db, key) else {
            return Arc::default();
        };
        let part = FilePart {
            chunks: &[chunk],
            declarations: None,
        };
        Arc::new(resolve(db, key.file(db), &part))
    }

    /// How many bodies a large file has.
    #[salsa::tracked(returns(copy))]
    pub fn body_count(db: &dyn Db, file: File) -> u32 {
        let all = codeweft_db::saved::file_bodies(db, file);
        all.go().map_or(0, |bodies| bodies.count() as u32)
    }

    /// What the declarations of a large file use outside of bodies.
    #[salsa::tracked(returns(clone))]
    pub fn declaration_uses(db: &dyn Db, file: File) -> Arc<PartUses> {
        let part = FilePart {
            chunks: &[],
            declarations: Some(body_count(db, file)),
        };
        Arc::new(resolve(db, file, &part))
    }

    joins!(file_uses, codeweft_db::saved::file_identifiers);
}

/// Of texts that were opened or edited, and of units with such a file.
pub mod edited {
    use super::*;

    /// As [`super::file_uses`]. A chunk of bodies that stands as it was settled is not typed again.
    #[salsa::tracked(returns(clone))]
    pub fn file_uses(db: &dyn Db, file: File) -> Arc<FileUses> {
        let all = codeweft_db::edited::file_bodies(db, file);
        let before = codeweft_db::saved::file_bodies(db, file);
        if all == before {
            return saved::file_uses(db, file);
        }
        let Some(bodies) = all.go() else {
            return Arc::default();
        };
        let count = bodies.count() as u32;
        let new = |chunk: Option<&Arc<Chunk>>, declarations| {
            let chunk = chunk.cloned().map(SharedChunk);
            part_uses(db, PartKey::new(db, file, chunk, declarations))
        };
        let parts = match &*bodies.chunks {
            chunks @ ([] | [_]) => vec![new(chunks.first(), Some(count))],
            chunks => {
                let in_chunks = before.go().filter(|before| before.chunks.len() > 1);
                let old = in_chunks.map_or(&[][..], |before| &before.chunks);
                let part = |(number, chunk): (usize, &Arc<Chunk>)| match old.get(number) {
                    Some(old) if Arc::ptr_eq(old, chunk) => {
                        saved::chunk_uses(db, ChunkKey::new(db, file, number as u32))
                    }
                    _ => new(Some(chunk), None),
                };
                let declarations = match in_chunks {
                    Some(before) if before.count() as u32 == count => {
                        saved::declaration_uses(db, file)
                    }
                    _ => new(None, Some(count)),
                };
                let parts = chunks.iter().enumerate().map(part);
                parts.chain([declarations]).collect()
            }
        };
        Arc::new(join(&parts))
    }

    joins!(super::file_uses, codeweft_db::file_identifiers);
}

/// Each asks the query of this name for the texts that a unit has. In a tracked query these are
/// for [`typed`] alone.
macro_rules! by_texts {
    ($($(#[$words:meta])* $name:ident -> $value:ty;)*) => {$(
        $(#[$words])*
        pub fn $name(db: &dyn Db, unit: Unit) -> $value {
            match has_edited(db, unit) {
                false => saved::$name(db, unit),
                true => edited::$name(db, unit),
            }
        }
    )*};
}

by_texts! {
    /// The join of a unit's files: target to files.
    unit_index -> Arc<UnitIndex>;
    /// The identifiers of a unit's files.
    unit_identifiers -> Arc<Identifiers>;
    /// How values flow in a unit, by the fragments of its files.
    unit_flows -> Arc<[FileFlows]>;
}

/// A chunk by what it is, not by where it stands: equal if it is the very same.
#[derive(Clone)]
pub struct SharedChunk(Arc<Chunk>);

impl PartialEq for SharedChunk {
    fn eq(&self, other: &SharedChunk) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for SharedChunk {}

impl Hash for SharedChunk {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

/// The key of [`part_uses`]: a part of a file by its content. Only contents of files that were
/// edited become keys, and those that no question has met for so many revisions are
/// dropped with what hangs on them.
#[salsa::interned(revisions = 256)]
pub struct PartKey<'db> {
    /// The file.
    #[returns(copy)]
    file: File,
    /// The bodies.
    #[returns(ref)]
    chunk: Option<SharedChunk>,
    /// See [`FilePart::declarations`].
    #[returns(copy)]
    declarations: Option<u32>,
}

/// What a part of an edited file uses. The text is no input of this query: so it is as
/// durable as the declarations that it read, and no keystroke has them looked at one by one.
#[salsa::tracked(returns(clone))]
pub fn part_uses<'db>(db: &'db dyn Db, key: PartKey<'db>) -> Arc<PartUses> {
    let chunk = key.chunk(db).as_ref().map(|same| same.0.clone());
    let part = FilePart {
        chunks: chunk.as_slice(),
        declarations: key.declarations(db),
    };
    Arc::new(resolve(db, key.file(db), &part))
}

/// What a part of a file uses, as [`FileUses`] has it of the whole.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PartUses {
    sites: Arc<UsesByTarget>,
    open: Box<[UnresolvedSite]>,
    bodies: Box<[SymbolId]>,
    escaped: Box<[SymbolId]>,
    locals: Box<[LocalDecl]>,
    converts: Box<[Conversion]>,
    types: Box<[(RowKey, TypeRow)]>,
    interfaces: Box<[(RowKey, TypeRow)]>,
    flows: Arc<Flows>,
}

fn resolve(db: &dyn Db, file: File, part: &FilePart<'_>) -> PartUses {
    let Some(walked) = walk(db, file, UseRecord::default(), part, |_, _| true) else {
        return PartUses::default();
    };
    let WalkedPart {
        mut record,
        bodies,
        rows,
        local_types: _,
    } = walked;
    let flows = record.flows.take();
    PartUses {
        sites: Arc::new(UsesByTarget::grouped(record.uses)),
        open: record.open.into(),
        bodies,
        escaped: record.escaped.into(),
        locals: record.locals.into(),
        converts: record.converts.into(),
        types: rows.types.into(),
        interfaces: rows.interfaces.into(),
        flows: Arc::new(flows),
    }
}

/// The parts of a file, in the order of its bodies, the declarations last.
fn join(parts: &[Arc<PartUses>]) -> FileUses {
    fn all<T: Clone>(parts: &[Arc<PartUses>], of: impl Fn(&PartUses) -> &[T]) -> Vec<T> {
        parts.iter().flat_map(|part| of(part)).cloned().collect()
    }
    fn distinct<T: Ord>(mut list: Vec<T>) -> Box<[T]> {
        list.sort_unstable();
        list.dedup();
        list.into()
    }
    // Parts may meet the same instance.
    fn rows(mut rows: Vec<(RowKey, TypeRow)>) -> Box<[TypeRow]> {
        rows.sort_by_key(|&(key, _)| key);
        rows.dedup_by_key(|&mut (key, _)| key);
        rows.into_iter().map(|(_, row)| row).collect()
    }
    let mut open = all(parts, |part| &part.open);
    open.sort_unstable();
    let flows = parts.iter().map(|part| &part.flows);
    FileUses {
        uses_by_target: parts.iter().map(|part| part.sites.clone()).collect(),
        unresolved: open.into(),
        bodies: all(parts, |part| &part.bodies).into(),
        escaped: distinct(all(parts, |part| &part.escaped)),
        types: rows(all(parts, |part| &part.types)),
        interfaces: rows(all(parts, |part| &part.interfaces)),
        locals: all(parts, |part| &part.locals).into(),
        conversions: distinct(all(parts, |part| &part.converts)),
        flows: flows.filter(|flows| !flows.is_empty()).cloned().collect(),
        super_calls: Box::default(),
    }
}

/// What of a file is walked.
pub(crate) struct FilePart<'p> {
    /// Chunks of its bodies.
    pub chunks: &'p [Arc<Chunk>],
    /// Where its declarations are walked too: how many bodies the file has, since their numbers
    /// follow.
    pub declarations: Option<u32>,
}

/// What a walk over a part of a file gave.
pub(crate) struct WalkedPart {
    pub record: UseRecord,
    pub bodies: Box<[SymbolId]>,
    pub rows: hierarchy::KeyedRows,
    /// What stands behind the types that the bodies declare.
    pub local_types: FxHashMap<SymbolId, Arc<TypeDef>>,
}

/// What stands behind a type that a function declares; `None` where it does not (any more).
#[salsa::tracked(returns(clone))]
pub fn local_type_def<'db>(db: &'db dyn Db, key: TypeKey<'db>) -> Option<Arc<TypeDef>> {
    let symbol = key.symbol(db);
    let around = db.shared().symbols.key(symbol).parent?;
    let file = places::file_of(db, around)?;
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
    // Only the types are wanted: no token has this number.
    let record = UseRecord::of_token(Probe {
        in_items: true,
        tok: u32::MAX,
    });
    let walked = walk(db, file, record, &part, wanted)?;
    walked.local_types.get(&symbol).cloned()
}

/// Walks a part of a file: those bodies, by their number in the file, that are wanted, and the
/// declarations. The record may ask for a token or for a local, by its number in its chunk.
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
    let source = QueryPackageScope { db, unit };
    let mut typer = Typer::new(db, unit, &source, &imports, &items.code);
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
        typer.set_code(&chunk.code, false);
        typer.set_record(record);
        typer.set_place(number, body.first_tok);
        match body.root {
            BodyRoot::Block(block) => typer.body(block),
            BodyRoot::Values(values) => {
                for (at, value) in chunk.code.exprs_of(values).enumerate() {
                    let item = items.items.get(body.item as usize + at).unwrap_or(item);
                    let variable = item_symbol(db, unit, file, item, items);
                    typer.enter_initialiser(variable);
                    let from = typer.initialiser(value, None);
                    let given = typer.last_given(from);
                    if let ItemKind::Var { ty, .. } = &item.kind {
                        typer.initialised(&items.code, *ty, value, from);
                    }
                    let count = match table(db).get(from) {
                        Type::Tuple(parts) if at == 0 => parts.len(),
                        _ => 1,
                    };
                    let spec = items.items.iter().skip(body.item as usize + at);
                    for (number, item) in spec.take(count).enumerate() {
                        if matches!(item.kind, ItemKind::Var { .. }) {
                            let variable = item_symbol(db, unit, file, item, items);
                            let variable = (item.name, variable);
                            typer.variable_initialised(variable, value, given, number);
                        }
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
    if let Some(bodies) = part.declarations {
        for (number, item) in (bodies..).zip(&items.items) {
            db.unwind_query_if_cancelled();
            walker.typer.set_place(number, 0);
            walker.item(item);
        }
    }
    let mut record = typer.take_record().unwrap_or_default();
    record.settle_labels();
    let instances = typer.take_instances();
    let local_types = typer.local_types();
    let rows = hierarchy::rows_of_part(db, unit, instances, local_types);
    Some(WalkedPart {
        record,
        bodies: symbols.into(),
        rows,
        local_types: local_types.clone(),
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
                type_params,
                sig,
                has_body,
            } => {
                self.type_params(symbol, type_params);
                let ty = self.typer.signature_type(*sig);
                self.typer.declare_parameters(*sig, ty);
                if !has_body {
                    self.typer.without_body(symbol, ty, item.tok);
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
                if !has_body {
                    self.typer.without_body(symbol, ty, item.tok);
                }
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
