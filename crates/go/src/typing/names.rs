//! Resolution of names (Go spec, Declarations and scope, Blocks) to operands.
//!
//! A name is looked up in the blocks of the function from the innermost outwards, then in the file
//! block (imports), the package block, the names of dot imports, and the universe block.
//!
//! ```go
//! import . "math"                  // dot import: Pi
//! import str "strings"             // file block: str
//! var str2 = "x"                   // package block
//! func f(len int) int {            // function block: shadows the predeclared len
//!     if len := len + 1; len > 0 {} // the second len is the parameter, the third the new local
//!     return len
//! }
//! ```

use codeweft_db::{FlowNode, NameId, Role};
use codeweft_go_syntax::Tok;

use super::checker::Checker;
use super::operand::{
    FunctionOperand, Operand, OperandKind, OuterName, function_role, type_role, value_role,
};
use super::origin::{FlowFilter, FunctionOrigin, ValueOrigin};
use super::scopes::LocalKind;
use crate::definitions::Decl;
use crate::types::{Args, Basic, Ty, Type, is_exported, subst};
use crate::units::PackageRef;
use crate::universe::{self, Predeclared};

impl<'a> Checker<'a> {
    /// Returns the meaning of a name in the file, package and universe blocks.
    pub(super) fn outer(&mut self, name: NameId) -> OuterName {
        if let Some(outer) = self.outer.get(&name) {
            return outer.clone();
        }
        let outer = self.find_outer(name);
        // Not cached during a run, whose cells still change.
        if self.cx.declarations.knows_members() {
            self.outer.insert(name, outer.clone());
        }
        outer
    }

    fn find_outer(&self, name: NameId) -> OuterName {
        if let Some(package) = self.cx.imports.package(name) {
            return OuterName::Package(package);
        }
        if let Some(decl) = self.cx.declarations.decl(name) {
            return OuterName::Decl(decl);
        }
        if !self.cx.imports.dots.is_empty() && is_exported(self.cx.names.text(name)) {
            for &(unit, view) in &self.cx.imports.dots {
                if let Some(decl) = self.exported(unit, view, name) {
                    return OuterName::Decl(decl);
                }
            }
        }
        match universe::lookup(self.cx.db, name) {
            Some(predeclared) => OuterName::Universe(predeclared),
            None => OuterName::Nothing,
        }
    }

    /// Returns an exported declaration of a package, also one of its in-package tests in their
    /// view.
    fn exported(
        &self,
        unit: codeweft_db::Unit,
        view: Option<codeweft_db::Unit>,
        name: NameId,
    ) -> Option<Decl> {
        let found = self.cx.declarations.decl_of(unit, name);
        found.or_else(|| self.cx.declarations.decl_of(view?, name))
    }

    /// Returns a name as an operand.
    pub(super) fn name(&mut self, tok: Tok, role: Role) -> Operand {
        let name = self.code.name(tok);
        if let Some(local) = self.scopes.local(name) {
            // A type declared by a function is a node of the graph.
            let is_node = match local.kind {
                LocalKind::Type(ty) => matches!(self.cx.types.get(ty), Type::Named(..)),
                _ => false,
            };
            if !is_node {
                self.uses().probe_local(tok, local.tok, local.in_items);
            }
            return match local.kind {
                LocalKind::Var(ty, number) => {
                    let variable = self.scopes.variable(number);
                    let origin = variable
                        .node
                        .map_or(ValueOrigin::Nothing, ValueOrigin::of_node);
                    if matches!(role, Role::Write | Role::ReadWrite | Role::Address) {
                        variable.holds_literals = false;
                    }
                    let kind = if variable.holds_literals {
                        OperandKind::Closure(number)
                    } else {
                        OperandKind::Value
                    };
                    Operand { kind, ty, origin }
                }
                LocalKind::Const(ty, _) => Operand::plain(ty),
                LocalKind::Type(ty) => {
                    if let Type::Named(symbol, _) = self.cx.types.get(ty) {
                        self.uses().note(tok, *symbol, type_role(role));
                    }
                    Operand::of_type(ty)
                }
                LocalKind::Alias(ty) => Operand::of_type(ty),
            };
        }
        if name == self.cx.blank {
            return Operand::plain(Ty::UNKNOWN);
        }
        match self.outer(name) {
            OuterName::Package(package) => {
                self.uses().note_package(tok, package);
                Operand::no_value(OperandKind::Package(package))
            }
            OuterName::Decl(decl) => self.declared(tok, decl, role),
            OuterName::Universe(predeclared) => predeclared_operand(predeclared),
            OuterName::Nothing => self.unknown(None),
        }
    }

    /// Returns a package-level declaration as an operand and records the use.
    fn declared(&mut self, tok: Tok, decl: Decl, role: Role) -> Operand {
        match decl {
            Decl::Type {
                symbol,
                params,
                alias,
            } => {
                self.uses().note(tok, symbol, type_role(role));
                match (params, alias) {
                    (0, Some(alias)) => Operand::of_type(alias),
                    (0, None) => {
                        Operand::of_type(self.cx.types.intern(Type::Named(symbol, Box::default())))
                    }
                    (_, alias) => Operand::no_value(OperandKind::Generic { symbol, alias }),
                }
            }
            Decl::Func {
                symbol,
                signature,
                params,
            } => {
                self.uses().note(tok, symbol, function_role(role));
                let origin = ValueOrigin::Function(FunctionOrigin {
                    symbol,
                    of_interface: false,
                    receiver: None,
                    filter: FlowFilter::None,
                });
                Operand::function(Some(symbol), signature, params, origin)
            }
            Decl::Var { symbol, ty } => {
                self.uses().note(tok, symbol, value_role(role));
                Operand::value(ty, ValueOrigin::of_node(FlowNode::Variable(symbol)))
            }
            Decl::Inferred { symbol } => {
                self.uses().note(tok, symbol, value_role(role));
                Operand::plain(Ty::UNKNOWN)
            }
            Decl::Const { symbol, ty, .. } => {
                self.uses().note(tok, symbol, value_role(role));
                Operand::plain(ty)
            }
        }
    }

    /// Returns `package.name` as an operand (Go spec, Qualified identifiers).
    pub(super) fn qualified(&mut self, package: PackageRef, tok: Tok, role: Role) -> Operand {
        let name = self.code.name(tok);
        match package {
            PackageRef::Loaded(unit, view) => {
                if !is_exported(self.cx.names.text(name)) {
                    return self.unknown(None);
                }
                match self.exported(unit, view, name) {
                    Some(decl) => self.declared(tok, decl, role),
                    None => self.unknown(None),
                }
            }
            PackageRef::Unsafe => match universe::lookup_unsafe(self.cx.names.text(name)) {
                Some(predeclared) => predeclared_operand(predeclared),
                None => self.unknown(None),
            },
            PackageRef::Cgo => self.unknown(Some(self.cx.names.intern("C"))),
            PackageRef::Absent(path) => {
                self.uses().note_absent_member(tok, role);
                self.unknown(Some(path))
            }
        }
    }

    /// Returns an unknown operand, with the unloaded package that it comes from, if that is the
    /// reason.
    pub(super) fn unknown(&self, absent: Option<NameId>) -> Operand {
        Operand {
            kind: OperandKind::Unknown(absent),
            ty: Ty::UNKNOWN,
            origin: self.cx.unknown_origin(absent),
        }
    }

    /// Returns the type of a function with its written type arguments as a value; unknown if it has
    /// others.
    pub(super) fn function_type(&self, func: &FunctionOperand) -> Ty {
        match func.symbol {
            _ if func.params.is_empty() => func.signature,
            Some(owner) if func.explicit.len() == func.params.len() => {
                let args = Args {
                    owner,
                    types: &func.explicit,
                };
                subst(self.cx.types, func.signature, args)
            }
            _ => Ty::UNKNOWN,
        }
    }
}

/// Returns a predeclared name as an operand.
fn predeclared_operand(predeclared: Predeclared) -> Operand {
    match predeclared {
        Predeclared::Type(ty) => Operand::of_type(ty),
        Predeclared::Const(ty) => Operand::plain(ty),
        Predeclared::Iota => Operand::plain(Ty::basic(Basic::UntypedInt)),
        Predeclared::Nil => Operand::plain(Ty::basic(Basic::UntypedNil)),
        Predeclared::Builtin(builtin) => Operand::no_value(OperandKind::Builtin(builtin)),
    }
}
