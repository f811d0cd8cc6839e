//! Typing: one walk that determines the types of expressions and the targets of names, for
//! declarations, initialisers and bodies alike.
//!
//! The walk is a [`Typer`]. Types of expressions are dropped after use; a [`UseRecord`] collects
//! the uses, unresolved calls, instances and value flow edges. The modules follow the Go
//! specification:
//!
//! ```text
//! names         Declarations and scope; Qualified identifiers     types     Types
//! exprs         Expressions; Selectors; Composite literals         lookup    Underlying types; Core types
//! calls         Calls; Conversions; Built-in functions             stmts     Statements
//! constants     Constant expressions                               sizes     Size and alignment guarantees
//! converts      Assignability to interfaces                        flows, flow_*   the value flow graph
//! ```

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

use codeweft_db::{Db, FlowNode, NameId, Names, SymbolId, Unit};
use codeweft_go_syntax::{Code, Tok};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::decls::{Decl, DeclKey, Members, TypeDef, TypeKey, TypeParams, Value, decl, type_def};
use crate::types::{Ty, Type, Types, table};
use crate::units::IN_TEST;
use crate::units::{FileImports, package_path, test_view};
use flows::{FlowKind, ValueOrigin};
use names::OuterName;

/// The package block that a [`Typer`] resolves names in: by queries, or by the cells of a run.
pub trait PackageScope {
    /// Returns the declaration of a package-level name.
    fn decl(&self, name: NameId) -> Option<Decl>;
    /// Returns the definition of a package-level type.
    fn type_def(&self, symbol: SymbolId) -> Option<Arc<TypeDef>>;
    /// Returns whether members may be looked up. Not so during the first run over declarations.
    fn knows_members(&self) -> bool;
}

/// The package block by queries.
pub struct QueryPackageScope<'a> {
    /// The database.
    pub db: &'a dyn Db,
    /// The unit whose view of the package is used.
    pub unit: Unit,
}

impl PackageScope for QueryPackageScope<'_> {
    fn decl(&self, name: NameId) -> Option<Decl> {
        let own = decl(self.db, DeclKey::new(self.db, self.unit, name));
        own.or_else(|| match self.unit.kind(self.db) {
            IN_TEST => decl(
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

/// A name declared in a block of a function.
#[derive(Clone, Copy, Debug)]
struct Local {
    kind: LocalKind,
    /// The token of its declaration: in the items' code for parameters, in the bodies' for others.
    tok: Tok,
    in_items: bool,
}

/// The kinds of locals.
#[derive(Clone, Copy, Debug)]
enum LocalKind {
    /// A variable, with its index in [`Typer::closures`].
    Var(Ty, u32),
    /// A constant, with its index in [`Typer::values`].
    Const(Ty, u32),
    Type(Ty),
    Alias(Ty),
}

/// A walk over the expressions, types and statements of one file.
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
    /// The names in the open blocks, innermost last; parallel to `locals`.
    local_names: Vec<NameId>,
    locals: Vec<Local>,
    /// The start of each open block in `locals`.
    blocks: Vec<usize>,
    /// For each local variable: whether only function literals have been assigned to it.
    closures: Vec<bool>,
    /// For each local variable its node in the flow graph, if it is followed.
    nodes: Vec<Option<FlowNode>>,
    /// For each local constant its value.
    values: Vec<Option<Value>>,
    /// The declaration that type literals belong to; `None` in bodies.
    owner: Option<SymbolId>,
    /// The function whose body is being walked, with its type parameters.
    function: Option<(SymbolId, TypeParams)>,
    local_types: FxHashMap<SymbolId, Arc<TypeDef>>,
    local_type_count: FxHashMap<NameId, u32>,
    /// The number of methods of each name that interface literals in a function have declared so
    /// far.
    local_method_count: FxHashMap<(SymbolId, NameId), u32>,
    /// The fields of struct literals in bodies, by their tokens.
    local_fields: FxHashMap<SymbolId, Tok>,
    /// The type of the innermost enclosing function.
    signature: Ty,
    /// Whether the initialiser of a variable is being walked, outside function literals.
    in_initialiser: bool,
    iota: Option<i64>,
    literal_depth: u32,
    /// The number of calls of `reflect.ValueOf` in the function so far.
    reflect_calls: u16,
    /// The number of the innermost enclosing function literal.
    literal: Option<u32>,
    blank: NameId,
    outer: FxHashMap<NameId, OuterName>,
    members: FxHashMap<SymbolId, Arc<Members>>,
    instances: FxHashSet<Ty>,
    record: Option<UseRecord>,
    /// Whether value flow is recorded.
    follows: bool,
    /// The origin of the last operand's value.
    origin: ValueOrigin,
    /// The number of the fragment's next local node.
    next_local: u32,
    /// The ways in which values of defined types are followed.
    kinds: FxHashMap<Ty, FlowKind>,
}

impl<'a> Typer<'a> {
    /// Returns a typer over `code` of a file of `unit` with these imports.
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
            nodes: Vec::new(),
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
            reflect_calls: 0,
            literal: None,
            blank: names.intern("_"),
            outer: FxHashMap::default(),
            members: FxHashMap::default(),
            instances: FxHashSet::default(),
            record: None,
            follows: false,
            origin: ValueOrigin::Nothing,
            next_local: 0,
            kinds: FxHashMap::default(),
        }
    }

    /// Returns the code that is being walked.
    pub fn code(&self) -> &'a Code {
        self.code
    }

    /// Switches to another code of the same file: items or bodies.
    pub fn set_code(&mut self, code: &'a Code, in_items: bool) {
        self.code = code;
        self.in_items = in_items;
    }

    /// Starts recording.
    pub fn set_record(&mut self, record: UseRecord) {
        self.follows = record.follows();
        self.record = Some(record);
    }

    /// Stops recording and returns the record.
    pub fn take_record(&mut self) -> Option<UseRecord> {
        self.follows = false;
        self.record.take()
    }

    /// Sets the value of `iota`, inside a constant spec.
    pub fn set_iota(&mut self, iota: Option<i64>) {
        self.iota = iota;
    }

    /// Sets the declaration that the fields of anonymous types belong to.
    pub fn set_owner(&mut self, owner: SymbolId) {
        self.owner = Some(owner);
    }

    /// Makes the fields of anonymous types belong to no declaration.
    pub fn clear_owner(&mut self) {
        self.owner = None;
    }

    /// Takes the instances of generic types met so far.
    pub fn take_instances(&mut self) -> FxHashSet<Ty> {
        std::mem::take(&mut self.instances)
    }

    /// Returns the definitions of the local types met so far.
    pub fn local_types(&self) -> &FxHashMap<SymbolId, Arc<TypeDef>> {
        &self.local_types
    }

    /// Enters a function, which owns its local types, with its type parameters.
    pub fn enter_function(&mut self, symbol: SymbolId, params: TypeParams) {
        self.function = Some((symbol, params));
        self.owner = None;
        self.reflect_calls = 0;
        self.local_type_count.clear();
    }

    /// Enters the initialiser of a package-level variable, which owns what is declared there.
    pub fn enter_initialiser(&mut self, variable: SymbolId) {
        self.enter_function(variable, Arc::new([]));
        self.owner = Some(variable);
        self.in_initialiser = true;
    }

    /// Drops all blocks before the next body.
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
        self.nodes.clear();
        self.values.clear();
        self.literal_depth = 0;
        self.literal = None;
    }

    /// Declares a type parameter of `owner` in the innermost block.
    pub fn declare_type_param(&mut self, tok: Tok, owner: SymbolId, index: u16) {
        let ty = self.types.intern(Type::Param(owner, index));
        self.declare(tok, LocalKind::Type(ty));
    }

    /// Declares a local in the innermost block.
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

    /// Declares a variable; returns its flow node if it is followed.
    fn declare_var(&mut self, tok: Tok, ty: Ty, only_literals: bool) -> Option<FlowNode> {
        let is_followed = self.follows && self.code.name(tok) != self.blank && self.is_followed(ty);
        let node = is_followed.then(|| self.fresh_node());
        self.declare_var_at(tok, ty, only_literals, node);
        node
    }

    /// Declares a variable with this flow node.
    fn declare_var_at(&mut self, tok: Tok, ty: Ty, only_literals: bool, node: Option<FlowNode>) {
        let closure = self.closures.len() as u32;
        self.closures.push(only_literals);
        self.nodes.push(node);
        self.declare(tok, LocalKind::Var(self.types.default_type(ty), closure));
    }

    /// Returns the start of the innermost block in `locals`.
    fn block_start(&self) -> usize {
        self.blocks.last().copied().unwrap_or(0)
    }

    /// Runs `work` in a new block.
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
