//! What the code of a file says of the values that meet other programs: texts, the calls that get them, and what both are
//! made of. The knowledge graph finds routes, topics and addresses in it (docs/architecture.md, "Texts and wires").
//!
//! ```go
//! func (s *Server) routes() {
//!     api := s.engine.Group("/api")        // call 0: callee Member(engine, Group), argument Text("/api")
//!     api.GET(usersPath, s.users)          // call 1: callee Member(Local(0), GET), arguments Declared(usersPath), Member(…)
//! }
//! ```
//!
//! becomes an arena of [`WireValue`]s, the [`WireCall`]s with their arguments, and the writes to variables and fields.
//! Nothing in it depends on a library or framework: a language says what its syntax says, and resolves names as its uses
//! do. It has no offsets, but it has the values of literals: so it is computed when somebody needs it, and nothing that
//! resolves names reads it.

use std::sync::Arc;

use codeweft_syntax::NameId;

use crate::{Db, File, SymbolId};

/// The number of a value in [`FileWires::values`]; number 0 is [`WireValue::Unknown`].
pub type ValueId = u32;

/// The values, calls and writes of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileWires {
    /// The values; operands may follow the values that use them.
    pub values: Box<[WireValue]>,
    /// The values that each local variable is assigned, in text order.
    pub locals: Box<[Box<[ValueId]>]>,
    /// The calls, in text order within a function.
    pub calls: Box<[WireCall]>,
    /// The assignments to what is no local variable: the target and the value.
    pub writes: Box<[(ValueId, ValueId)]>,
    /// The functions; number 0 is the code outside of functions.
    pub functions: Box<[WireFunction]>,
    /// The declared types of fields and variables.
    pub types: Box<[(SymbolId, ValueId)]>,
    /// The types that types have members of: bases of classes, types of embedded fields.
    pub bases: Box<[(SymbolId, ValueId)]>,
    /// The branches of code that run only where a value is one of several; number 1 is the first.
    pub branches: Box<[WireBranch]>,
}

/// Code that runs only where a value is one of several: a case of a `switch`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WireBranch {
    /// The value.
    pub subject: ValueId,
    /// What it is there: one of these.
    pub values: Box<[ValueId]>,
    /// The branch around it; 0 without one.
    pub around: u32,
}

/// A value, as far as one file says what it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WireValue {
    /// Not known.
    Unknown,
    /// A constant text; numbers are as they are printed.
    Text(Arc<str>),
    /// The texts of several values, one behind another.
    Concat(Box<[ValueId]>),
    /// A template with the values that it is filled with.
    Format {
        /// The template.
        template: ValueId,
        /// What it is filled with: by position, or by name.
        arguments: Box<[WireArgument]>,
        /// How the template names its parts.
        style: FormatStyle,
    },
    /// Any one of several values.
    Any(Box<[ValueId]>),
    /// A local variable, by its number in [`FileWires::locals`].
    Local(u32),
    /// A parameter: the function's number in [`FileWires::functions`], and its own; [`RECEIVER`] for the receiver.
    Parameter {
        /// The function.
        function: u32,
        /// The number, without the receiver.
        number: u32,
    },
    /// A declaration that a name means: a function, type, constant or variable of a package.
    Declared(SymbolId),
    /// What a name means in a library whose source is not loaded: the path by which code names it, `pkg/path.Name`.
    Absent(Arc<str>),
    /// `base.name`, with the member where it is known.
    Member {
        /// The value before the dot.
        base: ValueId,
        /// The name behind it.
        name: NameId,
        /// The declaration.
        symbol: Option<SymbolId>,
    },
    /// The result of a call, by the call's number, and the number of the result.
    Result {
        /// The call.
        call: u32,
        /// The result.
        number: u32,
    },
    /// A function without a name, by its number.
    Function(u32),
    /// An object that is written with its fields.
    Object {
        /// The type.
        class: ValueId,
        /// The fields: name, declaration, value.
        fields: Box<[(NameId, Option<SymbolId>, ValueId)]>,
    },
    /// A list of values.
    List(Box<[ValueId]>),
    /// A map, by its keys and values.
    Pairs(Box<[(ValueId, ValueId)]>),
    /// Any element of a list, any value of a map.
    Element(ValueId),
    /// Any key of a map.
    Key(ValueId),
    /// The element of a list at a number (negative from its end).
    At(ValueId, i32),
    /// `base[key]`
    Index(ValueId, ValueId),
    /// `&value`
    Pointer(ValueId),
    /// `*value`, as the target of a write.
    Pointee(ValueId),
}

/// The number of the receiver among parameters.
pub const RECEIVER: u32 = u32::MAX;

/// How a template names its parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatStyle {
    /// `%s`
    Percent,
    /// `{}`, `{0}`, `{name}`
    Braces,
}

/// An argument of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WireArgument {
    /// The keyword; `None` by position.
    pub name: Option<NameId>,
    /// The value.
    pub value: ValueId,
    /// Whether the value holds several arguments: `xs...`, `*xs`.
    pub is_spread: bool,
}

/// A call, or the application of a decorator that is no call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WireCall {
    /// The function around it, by its number.
    pub function: u32,
    /// The callee.
    pub callee: ValueId,
    /// The arguments in text order.
    pub arguments: Box<[WireArgument]>,
    /// The function or class that it decorates.
    pub decorates: Option<SymbolId>,
    /// The innermost branch around it in [`FileWires::branches`], from 1; 0 without one.
    pub branch: u32,
    /// See [`crate::Use::body`].
    pub body: u32,
    /// See [`crate::Use::occ`].
    pub occ: u32,
}

/// A function or method, a function without a name, or the code outside of functions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WireFunction {
    /// The symbol; for a function without a name that of the function around it, for code outside that of the package.
    pub symbol: SymbolId,
    /// Whether it has a name of its own.
    pub is_named: bool,
    /// The function around it.
    pub around: u32,
    /// The parameters without the receiver.
    pub parameters: Box<[WireParameter]>,
    /// The type of the receiver, or the class of a method.
    pub receiver: ValueId,
    /// The values of each return statement.
    pub returns: Box<[Box<[ValueId]>]>,
}

/// A parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WireParameter {
    /// The name; the empty name without one.
    pub name: NameId,
    /// The declared type.
    pub declared: ValueId,
    /// The value without an argument.
    pub default: ValueId,
    /// Whether it holds all further arguments by position.
    pub is_variadic: bool,
}

impl FileWires {
    /// Returns a branch by its number; `None` for 0.
    pub fn branch(&self, number: u32) -> Option<&WireBranch> {
        self.branches.get(number.checked_sub(1)? as usize)
    }

    /// Returns a value; [`WireValue::Unknown`] beyond the last.
    pub fn value(&self, id: ValueId) -> &WireValue {
        self.values.get(id as usize).unwrap_or(&WireValue::Unknown)
    }

    /// Returns the values that a value is made of: operands, what a variable is assigned, callee and arguments of a call.
    pub fn operands(&self, value: &WireValue) -> Vec<ValueId> {
        match value {
            WireValue::Concat(parts) | WireValue::Any(parts) | WireValue::List(parts) => {
                parts.to_vec()
            }
            WireValue::Format {
                template,
                arguments,
                ..
            } => {
                let arguments = arguments.iter().map(|argument| argument.value);
                std::iter::once(*template).chain(arguments).collect()
            }
            WireValue::Local(local) => {
                let values = self.locals.get(*local as usize);
                values.map_or_else(Vec::new, |values| values.to_vec())
            }
            WireValue::Member { base, .. }
            | WireValue::At(base, _)
            | WireValue::Key(base)
            | WireValue::Element(base)
            | WireValue::Pointer(base)
            | WireValue::Pointee(base) => vec![*base],
            WireValue::Index(base, key) => vec![*base, *key],
            WireValue::Object { fields, .. } => fields.iter().map(|(_, _, value)| *value).collect(),
            WireValue::Pairs(pairs) => {
                let pairs = pairs.iter();
                pairs.flat_map(|(key, value)| [*key, *value]).collect()
            }
            WireValue::Result { call, .. } => {
                let call = self.calls.get(*call as usize);
                call.map_or_else(Vec::new, |call| {
                    let arguments = call.arguments.iter().map(|argument| argument.value);
                    std::iter::once(call.callee).chain(arguments).collect()
                })
            }
            WireValue::Parameter { .. }
            | WireValue::Unknown
            | WireValue::Text(_)
            | WireValue::Declared(_)
            | WireValue::Absent(_)
            | WireValue::Function(_) => Vec::new(),
        }
    }
}

/// What code says of the values that meet other programs. The default is for languages that say nothing of it.
pub trait Wires {
    /// Returns the values, calls and writes of a file. Reads the file's text and its uses.
    fn wires(&self, _db: &dyn Db, _file: File) -> Arc<FileWires> {
        Arc::default()
    }
}

/// The values, calls and writes of a file under construction.
pub struct WireBuilder {
    /// See [`FileWires::values`].
    pub values: Vec<WireValue>,
    /// See [`FileWires::locals`].
    pub locals: Vec<Vec<ValueId>>,
    /// See [`FileWires::calls`].
    pub calls: Vec<WireCall>,
    /// See [`FileWires::writes`].
    pub writes: Vec<(ValueId, ValueId)>,
    /// See [`FileWires::functions`], with the returns under construction.
    pub functions: Vec<WireFunction>,
    /// The returns of each function.
    pub returns: Vec<Vec<Box<[ValueId]>>>,
    /// See [`FileWires::types`].
    pub types: Vec<(SymbolId, ValueId)>,
    /// See [`FileWires::bases`].
    pub bases: Vec<(SymbolId, ValueId)>,
    /// See [`FileWires::branches`].
    pub branches: Vec<WireBranch>,
}

impl Default for WireBuilder {
    fn default() -> WireBuilder {
        WireBuilder {
            values: vec![WireValue::Unknown],
            locals: Vec::new(),
            calls: Vec::new(),
            writes: Vec::new(),
            functions: Vec::new(),
            returns: Vec::new(),
            types: Vec::new(),
            bases: Vec::new(),
            branches: Vec::new(),
        }
    }
}

impl WireBuilder {
    /// Adds a value and returns its number.
    pub fn add(&mut self, value: WireValue) -> ValueId {
        if value == WireValue::Unknown {
            return 0;
        }
        self.values.push(value);
        self.values.len() as ValueId - 1
    }

    /// Adds a text and returns its number.
    pub fn add_text(&mut self, text: &str) -> ValueId {
        self.add(WireValue::Text(text.into()))
    }

    /// Adds a local variable with its first values and returns its number.
    pub fn add_local(&mut self, values: Vec<ValueId>) -> u32 {
        self.locals.push(values);
        self.locals.len() as u32 - 1
    }

    /// Adds a function and returns its number.
    pub fn add_function(&mut self, function: WireFunction) -> u32 {
        self.functions.push(function);
        self.returns.push(Vec::new());
        self.functions.len() as u32 - 1
    }

    /// Adds a branch and returns its number.
    pub fn add_branch(&mut self, branch: WireBranch) -> u32 {
        self.branches.push(branch);
        self.branches.len() as u32
    }

    /// Adds a return statement of a function.
    pub fn add_return(&mut self, function: u32, values: Vec<ValueId>) {
        if let Some(returns) = self.returns.get_mut(function as usize) {
            returns.push(values.into());
        }
    }

    /// Returns the finished file.
    pub fn finish(mut self) -> FileWires {
        for (function, returns) in self.functions.iter_mut().zip(self.returns) {
            function.returns = returns.into();
        }
        FileWires {
            values: self.values.into(),
            locals: self.locals.into_iter().map(Vec::into).collect(),
            calls: self.calls.into(),
            writes: self.writes.into(),
            functions: self.functions.into(),
            types: self.types.into(),
            bases: self.bases.into(),
            branches: self.branches.into(),
        }
    }
}
