//! The scopes of a walk: the blocks of a function with the names that they declare, and the
//! function, literal or initialiser that owns them (Go spec, Blocks, Declarations and scope).
//!
//! Scopes are entered by closures, so that none is left open:
//!
//! ```text
//! declaration(…)                        a package-level declaration: all blocks are dropped at its end
//!   function(symbol, params, …)         its body: owns local types and their methods
//!     block(…)                          a block, a clause, an if, for or switch statement
//!       function_literal(number, …)     a function inside an expression
//!   owned_by(symbol, …)                 a type: its literals belong to the symbol
//! ```

use std::sync::Arc;

use codeweft_db::{Disambiguator, FlowNode, NameId, SymbolId};
use codeweft_go_syntax::Tok;
use rustc_hash::FxHashMap;

use crate::definitions::{TypeDef, TypeParams, Value};
use crate::types::Ty;

/// A name declared in a block of a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local {
    pub kind: LocalKind,
    /// The token of its declaration: in the items' code for parameters, in the bodies' for others.
    pub tok: Tok,
    pub in_items: bool,
}

/// The kinds of locals.
#[derive(Clone, Copy, Debug)]
pub(super) enum LocalKind {
    /// A variable, with its index for [`Scopes::variable`].
    Var(Ty, u32),
    /// A constant, with its index for [`Scopes::constant`].
    Const(Ty, u32),
    Type(Ty),
    Alias(Ty),
}

/// A local variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalVariable {
    /// Whether only function literals have been assigned to it.
    pub holds_literals: bool,
    /// Its node in the flow graph, if it is followed.
    pub node: Option<FlowNode>,
}

/// The scopes that are open, and the local types met so far.
pub(super) struct Scopes {
    /// The names in the open blocks, innermost last; parallel to `locals`.
    names: Vec<NameId>,
    locals: Vec<Local>,
    /// The start of each open block in `locals`.
    blocks: Vec<usize>,
    /// The variables of the declaration, those of closed blocks included.
    variables: Vec<LocalVariable>,
    /// The values of the declaration's constants.
    constants: Vec<Option<Value>>,
    /// The declaration that type literals belong to; `None` in bodies.
    pub owner: Option<SymbolId>,
    /// The function whose body is being walked, with its type parameters.
    pub function: Option<(SymbolId, TypeParams)>,
    /// The type of the innermost enclosing function.
    pub signature: Ty,
    /// Whether the initialiser of a variable is being walked, outside function literals.
    pub in_initialiser: bool,
    /// The number of the innermost enclosing function literal.
    pub literal: Option<u32>,
    pub literal_depth: u32,
    /// The value of `iota`, inside a constant spec.
    pub iota: Option<i64>,
    /// The number of calls of `reflect.ValueOf` in the function so far.
    reflect_calls: u16,
    /// The definitions of the local types met so far.
    types: FxHashMap<SymbolId, Arc<TypeDef>>,
    /// The number of types of each name that the function has declared so far.
    type_count: FxHashMap<NameId, u32>,
    /// The number of methods of each name that interface literals in a function have declared so
    /// far.
    method_count: FxHashMap<(SymbolId, NameId), u32>,
    /// The fields of struct literals in bodies, by their tokens.
    fields: FxHashMap<SymbolId, Tok>,
}

impl Default for Scopes {
    fn default() -> Self {
        Scopes {
            names: Vec::new(),
            locals: Vec::new(),
            blocks: Vec::new(),
            variables: Vec::new(),
            constants: Vec::new(),
            owner: None,
            function: None,
            signature: Ty::UNKNOWN,
            in_initialiser: false,
            literal: None,
            literal_depth: 0,
            iota: None,
            reflect_calls: 0,
            types: FxHashMap::default(),
            type_count: FxHashMap::default(),
            method_count: FxHashMap::default(),
            fields: FxHashMap::default(),
        }
    }
}

impl Scopes {
    /// Returns the local that a name denotes.
    pub fn local(&self, name: NameId) -> Option<Local> {
        let at = self.names.iter().rposition(|&local| local == name)?;
        Some(self.locals[at])
    }

    /// Returns whether the innermost block declares a name.
    pub fn declares(&self, name: NameId) -> bool {
        let from = self.blocks.last().copied().unwrap_or(0);
        self.names[from..].contains(&name)
    }

    /// Declares a local in the innermost block.
    pub fn declare(&mut self, name: NameId, local: Local) {
        self.names.push(name);
        self.locals.push(local);
    }

    /// Adds a variable and returns its index.
    pub fn add_variable(&mut self, variable: LocalVariable) -> u32 {
        self.variables.push(variable);
        self.variables.len() as u32 - 1
    }

    /// Returns a variable of the declaration.
    pub fn variable(&mut self, index: u32) -> &mut LocalVariable {
        &mut self.variables[index as usize]
    }

    /// Returns whether only function literals have been assigned to a variable.
    pub fn holds_literals(&self, index: u32) -> bool {
        let variable = self.variables.get(index as usize);
        variable.is_some_and(|variable| variable.holds_literals)
    }

    /// Adds the value of a constant and returns its index.
    pub fn add_constant(&mut self, value: Option<Value>) -> u32 {
        self.constants.push(value);
        self.constants.len() as u32 - 1
    }

    /// Returns the value of a constant of the declaration.
    pub fn constant(&self, index: u32) -> Option<&Value> {
        self.constants.get(index as usize)?.as_ref()
    }

    /// Opens a block; returns its depth for [`Scopes::close_block`].
    pub fn open_block(&mut self) -> usize {
        let depth = self.names.len();
        self.blocks.push(depth);
        depth
    }

    /// Drops what the innermost block declares.
    pub fn close_block(&mut self, depth: usize) {
        self.blocks.pop();
        self.names.truncate(depth);
        self.locals.truncate(depth);
    }

    /// Enters the body of a function, or the initialiser of a package-level variable.
    pub fn enter_function(&mut self, symbol: SymbolId, params: TypeParams) {
        self.function = Some((symbol, params));
        self.reflect_calls = 0;
        self.type_count.clear();
    }

    /// Drops all blocks at the end of a declaration. The definitions of local types are kept.
    pub fn close_declaration(&mut self) {
        self.in_initialiser = false;
        self.signature = Ty::UNKNOWN;
        self.method_count.clear();
        self.fields.clear();
        self.owner = None;
        self.function = None;
        self.names.clear();
        self.locals.clear();
        self.blocks.clear();
        self.variables.clear();
        self.constants.clear();
        self.literal_depth = 0;
        self.literal = None;
    }

    /// Returns the function that literals and escaping values belong to; `None` in the initialiser
    /// of a package-level variable and outside bodies.
    pub fn enclosing_function(&self) -> Option<SymbolId> {
        let function = self.function.as_ref().map(|&(symbol, _)| symbol);
        function.filter(|_| !self.in_initialiser)
    }

    /// Returns whether the walked code is inside a function literal.
    pub fn in_literal(&self) -> bool {
        self.literal_depth > 0
    }

    /// Returns the number of the next call of `reflect.ValueOf` in the function.
    pub fn next_reflect_call(&mut self) -> u16 {
        let number = self.reflect_calls;
        self.reflect_calls = number.saturating_add(1);
        number
    }

    /// Returns the definition of a local type.
    pub fn local_type(&self, symbol: SymbolId) -> Option<&Arc<TypeDef>> {
        self.types.get(&symbol)
    }

    /// Returns the definitions of all local types met so far.
    pub fn local_types(&self) -> &FxHashMap<SymbolId, Arc<TypeDef>> {
        &self.types
    }

    /// Adds the definition of a local type.
    pub fn add_local_type(&mut self, def: Arc<TypeDef>) {
        self.types.insert(def.symbol, def);
    }

    /// Returns the disambiguator of the next type of a name in the function.
    pub fn next_type(&mut self, name: NameId) -> Disambiguator {
        let count = self.type_count.entry(name).or_insert(0);
        *count += 1;
        numbered(*count - 1)
    }

    /// Returns the disambiguator of the next method of a name that an interface literal in a
    /// function declares.
    pub fn next_method(&mut self, function: SymbolId, name: NameId) -> Disambiguator {
        let count = self.method_count.entry((function, name)).or_insert(0);
        *count += 1;
        numbered(*count - 1)
    }

    /// Counts a method of an interface literal in the signature of a function, which comes before
    /// those in its body.
    pub fn method_in_signature(&mut self, function: SymbolId, name: NameId) {
        self.method_count.insert((function, name), 1);
    }

    /// Returns the disambiguator of the next field of a struct literal in the declaration.
    pub fn next_field(&self) -> Disambiguator {
        numbered(self.fields.len() as u32 + 1)
    }

    /// Adds a field of a struct literal in a body.
    pub fn add_field(&mut self, symbol: SymbolId, tok: Tok) {
        self.fields.insert(symbol, tok);
    }

    /// Returns the token that declares a field of a struct literal in a body; `None` for any other
    /// symbol.
    pub fn field(&self, symbol: SymbolId) -> Option<Tok> {
        if self.fields.is_empty() {
            return None;
        }
        self.fields.get(&symbol).copied()
    }
}

fn numbered(n: u32) -> Disambiguator {
    Disambiguator { file: None, n }
}
