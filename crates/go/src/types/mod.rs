//! Types (Go spec, Types) and the table that interns them: identity, substitution, inference and
//! printing.

mod display;
mod identity;
mod integer;
mod member_name;
mod subst;
mod table;
mod unify;

pub use display::printed;
pub use identity::{Bindings, all_may_be_identical, may_be_identical};
pub use integer::{Arithmetic, Integer};
pub use member_name::{MemberName, is_exported};
pub use subst::{Args, subst};
pub use table::{Basic, Interface, Signature, StructField, Ty, Type, Types, Union, table};
pub use unify::{InferredTypeParam, UnderlyingTypes, infer, unknown};
