//! The checker: the state of a walk over a file's code.

use std::sync::Arc;

use codeweft_db::{Db, FlowNode, NameId, Names, SymbolId, Unit};
use codeweft_syntax::go::{Code, Tok};
use rustc_hash::{FxHashMap, FxHashSet};

use super::declarations::Declarations;
use super::operand::OuterName;
use super::origin::FlowKind;
use super::record::UseRecord;
use super::scopes::{Local, LocalKind};
use crate::definitions::{Members, TypeDef, TypeParams, Value};
use crate::types::{Ty, Type, Types, table};
use crate::units::{FileImports, package_path, test_view};

/// A walk over the expressions, types and statements of one file.
pub struct Checker<'a> {
    pub(super) db: &'a dyn Db,
    pub(super) types: &'a Types,
    pub(super) names: &'a Names,
    pub(super) unit: Unit,
    pub(super) package: NameId,
    pub(super) view: Option<Unit>,
    pub(super) source: &'a dyn Declarations,
    pub(super) imports: &'a FileImports,
    pub(super) code: &'a Code,
    pub(super) in_items: bool,
    /// The names in the open blocks, innermost last; parallel to `locals`.
    pub(super) local_names: Vec<NameId>,
    pub(super) locals: Vec<Local>,
    /// The start of each open block in `locals`.
    pub(super) blocks: Vec<usize>,
    /// For each local variable: whether only function literals have been assigned to it.
    pub(super) closures: Vec<bool>,
    /// For each local variable its node in the flow graph, if it is followed.
    pub(super) nodes: Vec<Option<FlowNode>>,
    /// For each local constant its value.
    pub(super) values: Vec<Option<Value>>,
    /// The declaration that type literals belong to; `None` in bodies.
    pub(super) owner: Option<SymbolId>,
    /// The function whose body is being walked, with its type parameters.
    pub(super) function: Option<(SymbolId, TypeParams)>,
    pub(super) local_types: FxHashMap<SymbolId, Arc<TypeDef>>,
    pub(super) local_type_count: FxHashMap<NameId, u32>,
    /// The number of methods of each name that interface literals in a function have declared so
    /// far.
    pub(super) local_method_count: FxHashMap<(SymbolId, NameId), u32>,
    /// The fields of struct literals in bodies, by their tokens.
    pub(super) local_fields: FxHashMap<SymbolId, Tok>,
    /// The type of the innermost enclosing function.
    pub(super) signature: Ty,
    /// Whether the initialiser of a variable is being walked, outside function literals.
    pub(super) in_initialiser: bool,
    pub(super) iota: Option<i64>,
    pub(super) literal_depth: u32,
    /// The number of calls of `reflect.ValueOf` in the function so far.
    pub(super) reflect_calls: u16,
    /// The number of the innermost enclosing function literal.
    pub(super) literal: Option<u32>,
    pub(super) blank: NameId,
    pub(super) outer: FxHashMap<NameId, OuterName>,
    pub(super) members: FxHashMap<SymbolId, Arc<Members>>,
    pub(super) instances: FxHashSet<Ty>,
    pub(super) record: Option<UseRecord>,
    /// Whether value flow is recorded.
    pub(super) follows: bool,
    /// The number of the fragment's next local node.
    pub(super) next_local: u32,
    /// The ways in which values of defined types are followed.
    pub(super) kinds: FxHashMap<Ty, FlowKind>,
}

impl<'a> Checker<'a> {
    /// Returns a checker over `code` of a file of `unit` with these imports.
    pub fn new(
        db: &'a dyn Db,
        unit: Unit,
        source: &'a dyn Declarations,
        imports: &'a FileImports,
        code: &'a Code,
    ) -> Self {
        let names = &db.shared().names;
        Checker {
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
            next_local: 0,
            kinds: FxHashMap::default(),
        }
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
    pub(super) fn declare(&mut self, tok: Tok, kind: LocalKind) {
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
    pub(super) fn declare_var(
        &mut self,
        tok: Tok,
        ty: Ty,
        only_literals: bool,
    ) -> Option<FlowNode> {
        let is_followed = self.follows && self.code.name(tok) != self.blank && self.is_followed(ty);
        let node = is_followed.then(|| self.fresh_node());
        self.declare_var_at(tok, ty, only_literals, node);
        node
    }

    /// Declares a variable with this flow node.
    pub(super) fn declare_var_at(
        &mut self,
        tok: Tok,
        ty: Ty,
        only_literals: bool,
        node: Option<FlowNode>,
    ) {
        let closure = self.closures.len() as u32;
        self.closures.push(only_literals);
        self.nodes.push(node);
        self.declare(tok, LocalKind::Var(self.types.default_type(ty), closure));
    }

    /// Returns the start of the innermost block in `locals`.
    pub(super) fn block_start(&self) -> usize {
        self.blocks.last().copied().unwrap_or(0)
    }

    /// Runs `work` in a new block.
    pub(super) fn block<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let depth = self.local_names.len();
        self.blocks.push(depth);
        let value = work(self);
        self.blocks.pop();
        self.local_names.truncate(depth);
        self.locals.truncate(depth);
        value
    }
}
