//! The graph for editors: queries by symbol, and complete lists instead of limited answers. Each
//! list equals that of the operation it is named after.
//!
//! [`EditorGraph`] has the facts about one symbol; what relates symbols, names and files to each
//! other is functions of it.

mod declarations;
mod editor_graph;
mod names;
mod neighbours;
mod type_relations;

pub use crate::outline::FileDeclaration;
pub use declarations::{
    declarations_of_file, embedded_at, excluded_declarations, files_of_package, search,
};
pub use editor_graph::EditorGraph;
pub use names::{NameUse, equal_resolutions, name_at, references_in, token, types_in};
pub use neighbours::{Neighbour, callees, callers, count_callers, count_references, references};
pub use type_relations::{implementations, implements, is_of_class, subtypes, supertypes};
