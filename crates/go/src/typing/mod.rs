//! Types of expressions and targets of names: one walk that serves declarations, initialisers and
//! bodies. Expression types are thrown away; what is kept are uses, open sites and instances.

mod calls;
mod constants;
mod converts;
mod exprs;
mod flow_calls;
mod flow_operands;
pub(crate) mod flows;
mod lookup;
mod names;
mod record;
mod sizes;
mod stmts;
mod tokens;
mod types;

pub use names::Operand;
pub use record::{Probe, ProbeFound, UseRecord};

use std::sync::Arc;

use codeweft_db::{Db, FlowNode, NameId, Names, SymbolId, Unit, UnitKind};
use codeweft_syntax::go::{Code, Tok};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::decls::{Decl, DeclKey, Members, TypeDef, TypeKey, TypeParams, Value, decl, type_def};
use crate::types::{Ty, Type, Types, table};
use crate::units::{FileImports, package_path, test_view};
use flows::{FlowKind, ValueOrigin};
use names::OuterName;

/// The package block as a [`Typer`] asks it: queries, or the cells of a run.
pub trait PackageScope {
    /// A package-level name.
    fn decl(&self, name: NameId) -> Option<Decl>;
    /// What stands behind a package-level type.
    fn type_def(&self, symbol: SymbolId) -> Option<Arc<TypeDef>>;
    /// Whether members may be looked for.
    fn knows_members(&self) -> bool;
}

/// The package block by queries.
pub struct QueryPackageScope<'a> {
    /// The database.
    pub db: &'a dyn Db,
    /// Whose view.
    pub unit: Unit,
}

impl PackageScope for QueryPackageScope<'_> {
    fn decl(&self, name: NameId) -> Option<Decl> {
        let own = decl(self.db, DeclKey::new(self.db, self.unit, name));
        own.or_else(|| match self.unit.kind(self.db) {
            UnitKind::InTest => decl(
                self.db,
                DeclKey::new(self.db, self.unit.base(self.db)?, name),
            ),
            _ => None,
        })
    }

    fn type_def(&self, symbol: SymbolId) -> Option<Arc<TypeDef>> {
        type_def(self.db, TypeKey::new(self.db, symbol))
    }

    fn knows_members(&self) -> bool {
        true
    }
}

/// A name of a function's blocks.
#[derive(Clone, Copy, Debug)]
struct Local {
    kind: LocalKind,
    /// Its declaration: a token of the items' code for parameters, of the bodies' for others.
    tok: Tok,
    in_items: bool,
}

#[derive(Clone, Copy, Debug)]
enum LocalKind {
    /// A variable, with its entry in [`Typer::closures`].
    Var(Ty, u32),
    /// A constant, with its entry in [`Typer::values`].
    Const(Ty, u32),
    Type(Ty),
    Alias(Ty),
}

/// Walks expressions, types and statements of one file.
pub struct Typer<'a> {
    db: &'a dyn Db,
    types: &'a Types,
    names: &'a Names,
    unit: Unit,
    package: NameId,
    view: Option<Unit>,
    source: &'a dyn PackageScope,
    imports: &'a FileImports,
    code: &'a Code,
    in_items: bool,
    /// Names of open blocks, innermost last; `locals` has their meaning at the same place.
    local_names: Vec<NameId>,
    locals: Vec<Local>,
    /// Where each open block starts in `locals`.
    blocks: Vec<usize>,
    /// For each local variable: whether nothing but function literals was assigned to it.
    closures: Vec<bool>,
    /// For each local variable its place in the flow graph, if it has one.
    places: Vec<Option<FlowNode>>,
    /// For each local constant its value.
    values: Vec<Option<Value>>,
    /// What the literals inside belong to; `None` in bodies.
    owner: Option<SymbolId>,
    /// The function whose body is walked, with its type parameters.
    function: Option<(SymbolId, TypeParams)>,
    local_types: FxHashMap<SymbolId, Arc<TypeDef>>,
    local_type_count: FxHashMap<NameId, u32>,
    /// How many methods of a name the interface literals in a function have declared so far.
    local_method_count: FxHashMap<(SymbolId, NameId), u32>,
    /// The fields of struct literals in bodies, by their tokens.
    local_fields: FxHashMap<SymbolId, Tok>,
    /// The type of the innermost function around.
    signature: Ty,
    /// Whether a variable's initialiser is walked, outside of function literals.
    in_initialiser: bool,
    iota: Option<i64>,
    literal_depth: u32,
    /// How many calls of `reflect.ValueOf` the function has made so far.
    reflecting: u16,
    /// The innermost function literal around, by its number.
    literal: Option<u32>,
    blank: NameId,
    outer: FxHashMap<NameId, OuterName>,
    members: FxHashMap<SymbolId, Arc<Members>>,
    instances: FxHashSet<Ty>,
    record: Option<UseRecord>,
    /// Whether the flow of values is recorded.
    follows: bool,
    /// Where the value of the operand that was walked last comes from.
    origin: ValueOrigin,
    /// The number of the next place of the fragment's own.
    next_place: u32,
    /// How values of defined types are followed.
    kinds: FxHashMap<Ty, FlowKind>,
}

impl<'a> Typer<'a> {
    /// A typer over `code` of a file of `unit` with these imports.
    pub fn new(
        db: &'a dyn Db,
        unit: Unit,
        source: &'a dyn PackageScope,
        imports: &'a FileImports,
        code: &'a Code,
    ) -> Self {
        let names = &db.shared().names;
        Typer {
            db,
            types: table(db),
            names,
            unit,
            package: package_path(db, unit),
            view: test_view(db, unit),
            source,
            imports,
            code,
            in_items: true,
            local_names: Vec::new(),
            locals: Vec::new(),
            blocks: Vec::new(),
            closures: Vec::new(),
            places: Vec::new(),
            values: Vec::new(),
            owner: None,
            function: None,
            local_types: FxHashMap::default(),
            local_type_count: FxHashMap::default(),
            local_method_count: FxHashMap::default(),
            local_fields: FxHashMap::default(),
            signature: Ty::UNKNOWN,
            in_initialiser: false,
            iota: None,
            literal_depth: 0,
            reflecting: 0,
            literal: None,
            blank: names.intern("_"),
            outer: FxHashMap::default(),
            members: FxHashMap::default(),
            instances: FxHashSet::default(),
            record: None,
            follows: false,
            origin: ValueOrigin::Nothing,
            next_place: 0,
            kinds: FxHashMap::default(),
        }
    }

    /// The code that is walked now.
    pub fn code(&self) -> &'a Code {
        self.code
    }

    /// Walks another code of the same file from now on: items or bodies.
    pub fn set_code(&mut self, code: &'a Code, in_items: bool) {
        self.code = code;
        self.in_items = in_items;
    }

    /// Keeps uses from now on.
    pub fn set_record(&mut self, record: UseRecord) {
        self.follows = record.follows();
        self.record = Some(record);
    }

    /// What was kept; keeps nothing from now on.
    pub fn take_record(&mut self) -> Option<UseRecord> {
        self.follows = false;
        self.record.take()
    }

    /// The value of `iota`, inside a constant spec.
    pub fn set_iota(&mut self, iota: Option<i64>) {
        self.iota = iota;
    }

    /// The declaration that the fields of anonymous types belong to.
    pub fn set_owner(&mut self, owner: SymbolId) {
        self.owner = Some(owner);
    }

    /// Fields of anonymous types belong to no declaration from now on.
    pub fn clear_owner(&mut self) {
        self.owner = None;
    }

    /// The instances of generic types met so far.
    pub fn take_instances(&mut self) -> FxHashSet<Ty> {
        std::mem::take(&mut self.instances)
    }

    /// What stands behind the local types met so far.
    pub fn local_types(&self) -> &FxHashMap<SymbolId, Arc<TypeDef>> {
        &self.local_types
    }

    /// Starts a function: its type parameters and the owner of its local types.
    pub fn enter_function(&mut self, symbol: SymbolId, params: TypeParams) {
        self.function = Some((symbol, params));
        self.owner = None;
        self.reflecting = 0;
        self.local_type_count.clear();
    }

    /// Starts the initialiser of a package-level variable, which owns what is declared there.
    pub fn enter_initialiser(&mut self, variable: SymbolId) {
        self.enter_function(variable, Arc::new([]));
        self.owner = Some(variable);
        self.in_initialiser = true;
    }

    /// Forgets all blocks: the next body starts.
    pub fn leave_function(&mut self) {
        self.in_initialiser = false;
        self.signature = Ty::UNKNOWN;
        self.local_method_count.clear();
        self.local_fields.clear();
        self.function = None;
        self.local_names.clear();
        self.locals.clear();
        self.blocks.clear();
        self.closures.clear();
        self.places.clear();
        self.values.clear();
        self.literal_depth = 0;
        self.literal = None;
    }

    /// Declares a type parameter of `owner` in the innermost block.
    pub fn declare_type_param(&mut self, tok: Tok, owner: SymbolId, index: u16) {
        let ty = self.types.intern(Type::Param(owner, index));
        self.declare(tok, LocalKind::Type(ty));
    }

    fn declare(&mut self, tok: Tok, kind: LocalKind) {
        let name = self.code.name(tok);
        self.probe_local(tok, self.in_items, tok, self.in_items);
        if name != self.blank {
            self.local_names.push(name);
            self.locals.push(Local {
                kind,
                tok,
                in_items: self.in_items,
            });
        }
    }

    /// Declares a variable; gives its place where it is followed.
    fn declare_var(&mut self, tok: Tok, ty: Ty, only_literals: bool) -> Option<FlowNode> {
        let is_followed = self.follows && self.code.name(tok) != self.blank && self.is_followed(ty);
        let place = is_followed.then(|| self.fresh());
        self.declare_var_at(tok, ty, only_literals, place);
        place
    }

    fn declare_var_at(&mut self, tok: Tok, ty: Ty, only_literals: bool, place: Option<FlowNode>) {
        let closure = self.closures.len() as u32;
        self.closures.push(only_literals);
        self.places.push(place);
        self.declare(tok, LocalKind::Var(self.types.default_type(ty), closure));
    }

    /// Where the innermost block starts in `locals`.
    fn block_start(&self) -> usize {
        self.blocks.last().copied().unwrap_or(0)
    }

    /// Runs `work` in a block of its own.
    fn block<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let depth = self.local_names.len();
        self.blocks.push(depth);
        let value = work(self);
        self.blocks.pop();
        self.local_names.truncate(depth);
        self.locals.truncate(depth);
        value
    }
}
