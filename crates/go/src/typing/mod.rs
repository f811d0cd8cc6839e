//! Typing: one walk that determines the types of expressions and the targets of names, for
//! declarations, initialisers and bodies alike.
//!
//! The walk is a [`Checker`]. Types of expressions are dropped after use; a [`UseRecord`] collects
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
mod uses;
mod variables;

pub use checker::Checker;
pub use declarations::Declarations;
pub use record::{Probe, ProbeFound, UseRecord};
pub(crate) use reflected::is_reflect_value_of;
