//! Typing: one walk that determines the types of expressions and the targets of names, for
//! declarations, initialisers and bodies alike.
//!
//! The walk is a [`Checker`]. It determines types and targets; recorders add the uses, unresolved
//! calls, conversions and value flow edges to a [`UseRecord`], after which types of expressions are
//! dropped. The parts, from below:
//!
//! ```text
//! context, declarations    the file and what it sees: names, imports, declarations    immutable
//! scopes                   blocks, locals, the enclosing function or literal
//! lookup                   Underlying types; Core types; General interfaces
//! operand, origin          the meaning of an expression, with the origin of its value
//! unnamed, reflected       nodes of the flow graph that no text names
//! recorders                uses, converts: UseRecorder      flows, flow_*: FlowRecorder
//! checker                  the state of the walk, and the scopes that it enters
//! ```
//!
//! The rules are methods of the checker, by section of the Go specification:
//!
//! ```text
//! names      Declarations and scope; Qualified identifiers       types      Types
//! exprs      Expressions; Composite literals                     selectors  Selectors
//! calls      Calls; Conversions; Built-in functions              stmts      Statements
//! constants  Constant expressions                                sizes      Size and alignment guarantees
//! variables  Initialisers of package-level variables
//! ```

mod boxed;
mod calls;
mod checker;
mod constants;
mod context;
mod converts;
mod declarations;
mod exprs;
mod flow_calls;
mod flow_operands;
mod flow_record;
mod flows;
mod lookup;
mod names;
mod operand;
mod origin;
mod record;
mod recorders;
mod reflected;
mod scopes;
mod selectors;
mod sizes;
mod stmts;
mod tokens;
mod types;
mod unnamed;
mod uses;
mod variables;

pub use checker::Checker;
pub use declarations::Declarations;
pub use record::{Probe, ProbeFound, UseRecord};
pub(crate) use reflected::{as_escaped, is_reflect_value_of};
pub use unnamed::Unnamed;
