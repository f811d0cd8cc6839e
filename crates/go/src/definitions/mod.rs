//! Definitions: what a declaration means, as plain data, and the members that follow from it.
//!
//! Everything here is computed from its arguments alone. The queries that yield definitions are in
//! [`decls`](crate::decls); the checker reaches them through [`Declarations`](crate::typing::Declarations).
//!
//! ```go
//! type T struct{ io.Reader } // TypeDef { symbol: T, underlying: struct{ io.Reader }, methods: [Close] }
//! func (T) Close() error     // MethodDef { name: Close, signature: func() error }
//! var x T                    // Decl::Var { symbol: x, ty: T };   Members of T: Close, Read, Reader
//! ```

mod declared;
mod members;

pub use declared::{Decl, ExtraMethods, MethodDef, TypeDef, TypeParamDef, TypeParams, Value};
pub use members::{Member, MemberKind, Members, flat, flatten, interface_methods, method_set};
