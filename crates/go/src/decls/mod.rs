//! Declarations: the meaning of package-level names, the definitions of types, their members, and
//! one firewall query per symbol. No query here reads a body.
//!
//! ```text
//! unit_decls(unit)     one run over all declarations of a unit     reruns on any signature edit of the unit
//!  ├─ decl(unit, name)       firewall per name        ┐ equal for every name but the edited one,
//!  ├─ type_def(symbol)       firewall per type        │ so only their dependents run again
//!  └─ members(symbol)        fields and methods       ┘
//! unit_vars(unit)      second run: variables without a written type
//! ```

mod queries;
mod run;
mod scope;

pub use queries::{
    DeclKey, TypeKey, decl, extra_methods, members, members_in_view, type_def, type_params,
};
pub use run::unit_decls;
pub use scope::DeclarationQueries;
