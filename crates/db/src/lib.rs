//! The database: salsa inputs, the `Db` trait, the `Language` trait, `lower` with its firewalls,
//! durability, and the interners of names and symbols.
//!
//! Inputs are file texts (with what `syntax` reads of each outside bodies), the file set with its
//! grouping, and settings. Everything else is a query or a pure function of query results.

mod answers;
mod cancel;
mod durability;
mod flows;
#[allow(missing_docs, reason = "salsa adds accessors to the inputs")]
mod inputs;
mod language;
mod layout;
mod lowering;
mod root;
mod symbols;
mod uses;

pub use answers::*;
pub use cancel::*;
pub use durability::*;
pub use flows::*;
pub use inputs::*;
pub use language::*;
pub use layout::*;
pub use lowering::*;
pub use root::*;
pub use symbols::*;
pub use uses::*;

pub use codeweft_syntax::{
    Bodies, CachedTree, FileIr, Header, Identifiers, Items, Lang, NameId, Names, Ranges, Report,
    Span,
};
pub use codeweft_syntax::{
    lower as lower_text, lower_edited as lower_text_edited, lower_next as lower_text_next,
};
pub use salsa::Setter;
