//! The checker: the state of a walk over a file's code, and the scopes that it enters.

use std::sync::Arc;

use codeweft_db::{Db, FlowNode, NameId, SymbolId, Unit};
use codeweft_go_syntax::{Code, Tok};
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::FileContext;
use super::declarations::Declarations;
use super::lookup::TypeLookup;
use super::operand::OuterName;
use super::record::UseRecord;
use super::recorders::{FlowRecorder, Recording, UseRecorder};
use super::scopes::{Local, LocalKind, LocalVariable, Scopes};
use crate::definitions::{Members, TypeDef, TypeParams};
use crate::types::{Ty, Type};
use crate::units::FileImports;

/// A walk over the expressions, types and statements of one file.
pub struct Checker<'a> {
    pub(super) cx: FileContext<'a>,
    /// The code that is being walked: of items or of bodies.
    pub(super) code: &'a Code,
    pub(super) in_items: bool,
    pub(super) scopes: Scopes,
    /// The names outside functions met so far.
    pub(super) outer: FxHashMap<NameId, OuterName>,
    /// The members of defined types met so far.
    pub(super) members: FxHashMap<SymbolId, Arc<Members>>,
    /// Those of them as an in-package test with methods of its own sees them.
    pub(super) members_in_tests: FxHashMap<SymbolId, Arc<Members>>,
    /// The instances of generic types met so far.
    pub(super) instances: FxHashSet<Ty>,
    pub(super) recording: Recording,
}

impl<'a> Checker<'a> {
    /// Returns a checker over `code`, the items of a file of `unit` with these imports.
    pub fn new(
        db: &'a dyn Db,
        unit: Unit,
        declarations: &'a dyn Declarations,
        imports: &'a FileImports,
        code: &'a Code,
    ) -> Self {
        Checker {
            cx: FileContext::new(db, unit, declarations, imports),
            code,
            in_items: true,
            scopes: Scopes::default(),
            outer: FxHashMap::default(),
            members: FxHashMap::default(),
            members_in_tests: FxHashMap::default(),
            instances: FxHashSet::default(),
            recording: Recording::default(),
        }
    }

    /// Returns the lookups of types at this point of the walk.
    pub(super) fn lookup(&self) -> TypeLookup<'_, 'a> {
        TypeLookup {
            cx: &self.cx,
            scopes: &self.scopes,
        }
    }

    /// Returns the recorder of uses at this point of the walk.
    pub(crate) fn uses(&mut self) -> UseRecorder<'_, 'a> {
        UseRecorder {
            cx: &self.cx,
            scopes: &self.scopes,
            code: self.code,
            in_items: self.in_items,
            recording: &mut self.recording,
        }
    }

    /// Returns the recorder of value flow at this point of the walk.
    pub(crate) fn flows(&mut self) -> FlowRecorder<'_, 'a> {
        FlowRecorder {
            cx: &self.cx,
            scopes: &mut self.scopes,
            code: self.code,
            recording: &mut self.recording,
        }
    }

    /// Takes the instances of generic types met so far.
    pub fn take_instances(&mut self) -> FxHashSet<Ty> {
        std::mem::take(&mut self.instances)
    }

    /// Returns the definitions of the local types met so far.
    pub fn local_types(&self) -> &FxHashMap<SymbolId, Arc<TypeDef>> {
        self.scopes.local_types()
    }

    /// Runs `work` over another code of the same file: items or bodies.
    pub fn in_code<T>(
        &mut self,
        code: &'a Code,
        in_items: bool,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = std::mem::replace(&mut self.code, code);
        let outer_in_items = std::mem::replace(&mut self.in_items, in_items);
        let value = work(self);
        self.code = outer;
        self.in_items = outer_in_items;
        value
    }

    /// Runs `work` and adds what it finds in a body or item, given by its number and its first
    /// token, to a record.
    pub fn recorded<T>(
        &mut self,
        record: &mut UseRecord,
        (body, first): (u32, Tok),
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        record.body = body;
        record.first = first;
        self.recording.follows = record.follows();
        self.recording.record = Some(std::mem::take(record));
        let value = work(self);
        self.recording.follows = false;
        *record = self.recording.record.take().unwrap_or_default();
        value
    }

    /// Runs `work` without adding to the record.
    pub(super) fn unrecorded<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let record = self.recording.record.take();
        let value = work(self);
        self.recording.record = record;
        value
    }

    /// Runs `work` over a package-level declaration, whose blocks are dropped at the end.
    pub fn declaration<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let value = work(self);
        self.scopes.close_declaration();
        value
    }

    /// Runs `work` over the body of a function, which owns the types declared there.
    pub fn function<T>(
        &mut self,
        symbol: SymbolId,
        params: TypeParams,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = self.scopes.function.take();
        self.scopes.enter_function(symbol, params);
        let value = work(self);
        self.scopes.function = outer;
        value
    }

    /// Runs `work` over the initialiser of a package-level variable, which owns what is declared
    /// there.
    pub fn variable<T>(&mut self, variable: SymbolId, work: impl FnOnce(&mut Self) -> T) -> T {
        self.function(variable, Arc::new([]), |checker| {
            let outer = std::mem::replace(&mut checker.scopes.in_initialiser, true);
            let value = checker.owned_by(Some(variable), work);
            checker.scopes.in_initialiser = outer;
            value
        })
    }

    /// Runs `work` over a function literal of this number in the code, in a block of its own.
    pub(super) fn function_literal<T>(
        &mut self,
        number: u32,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let literal = self.scopes.literal.replace(number);
        let signature = self.scopes.signature;
        self.scopes.literal_depth += 1;
        let value = self.owned_by(None, |checker| checker.block(work));
        self.scopes.literal_depth -= 1;
        self.scopes.literal = literal;
        self.scopes.signature = signature;
        value
    }

    /// Runs `work` with a declaration to which the fields and methods of type literals belong;
    /// `None` for those in bodies.
    pub fn owned_by<T>(&mut self, owner: Option<SymbolId>, work: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.scopes.owner, owner);
        let value = work(self);
        self.scopes.owner = outer;
        value
    }

    /// Runs `work` over a constant spec with this value of `iota`.
    pub fn with_iota<T>(&mut self, iota: u32, work: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.scopes.iota.replace(i64::from(iota));
        let value = work(self);
        self.scopes.iota = outer;
        value
    }

    /// Runs `work` in a new block.
    pub(super) fn block<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let depth = self.scopes.open_block();
        let value = work(self);
        self.scopes.close_block(depth);
        value
    }

    /// Declares a type parameter of `owner` in the innermost block.
    pub fn declare_type_param(&mut self, tok: Tok, owner: SymbolId, index: u16) {
        let ty = self.cx.types.intern(Type::Param(owner, index));
        self.declare(tok, LocalKind::Type(ty));
    }

    /// Declares a local in the innermost block.
    pub(super) fn declare(&mut self, tok: Tok, kind: LocalKind) {
        let name = self.code.name(tok);
        let in_items = self.in_items;
        self.uses().probe_declared_local(tok);
        if name != self.cx.blank {
            let local = Local {
                kind,
                tok,
                in_items,
            };
            self.scopes.declare(name, local);
        }
    }

    /// Declares a variable; returns its flow node if it is followed.
    pub(super) fn declare_var(
        &mut self,
        tok: Tok,
        ty: Ty,
        holds_literals: bool,
    ) -> Option<FlowNode> {
        let is_followed = self.recording.follows
            && self.code.name(tok) != self.cx.blank
            && self.flows().is_followed(ty);
        let node = is_followed.then(|| self.recording.fresh_node());
        self.declare_var_at(tok, ty, holds_literals, node);
        node
    }

    /// Declares a variable with this flow node.
    pub(super) fn declare_var_at(
        &mut self,
        tok: Tok,
        ty: Ty,
        holds_literals: bool,
        node: Option<FlowNode>,
    ) {
        let variable = self.scopes.add_variable(LocalVariable {
            holds_literals,
            node,
        });
        let ty = self.cx.types.default_type(ty);
        self.declare(tok, LocalKind::Var(ty, variable));
    }
}
