//! Semantic analysis of Python: modules and the search path, declarations, classes, and the
//! references that code makes.
//!
//! The entry point for the rest of the database is [`Python`], the implementation of
//! `codeweft_db::Language`. Everything else is a salsa query behind it:
//!
//! ```text
//! layout, project/*        files -> units, roots, search path, library files to load
//! modules, imports         unit -> modules; import statement -> module (Python reference, The import system)
//! symbols, declared        file -> declarations with ids, and back
//! keys, bindings           keys of queries; file -> bindings by scope and name
//! members, bases, classes  class statement -> bases, C3 order, attributes
//! function_parts           header and body of a function by themselves
//! whole_file               queries that read a file's items as a whole, and no firewalls of it
//! infer/*, values/*        expression -> bounded set of values
//! known                    decorators, functions and classes of the library with an effect
//! uses/*, index            file -> references and unresolved sites; unit -> merged index
//! file_groups              keys of what is joined over some files of a unit
//! hierarchy, arity         supertypes, protocols (PEP 544)
//! completeness, escapes/*  what could still use a symbol though no resolved reference says so
//! flow/*                   what the values of the whole workspace carry to calls
//! locations, locals        symbols and references <-> byte offsets, for editors
//! ```

mod aliases;
mod arity;
mod bases;
mod bindings;
mod classes;
mod completeness;
mod conftest;
mod declared;
mod editor_text;
mod entry_points;
mod escapes;
mod file_groups;
mod flow;
mod frameworks;
mod function_parts;
mod hierarchy;
mod imported_names;
mod imports;
mod index;
mod infer;
mod keepers;
mod keys;
mod known;
mod language;
mod layout;
mod locals;
mod locations;
mod members;
mod modules;
mod open_sites;
mod overloads;
mod project;
mod recursion;
mod settings;
mod symbols;
mod uses;
mod values;
mod whole_file;
mod wires;

#[cfg(test)]
mod tests;

pub use entry_points::{EntryPoints, py_entry_points};
pub use escapes::{
    py_imported_names, py_library_imports, py_module_classes, py_module_importers,
    py_module_imports, py_workspace_modules,
};
pub use flow::{
    FlowCounts, FlowSolution, flow_anew, flow_counts, py_flow, py_flow_fragment, py_flow_seeds,
    py_flow_targets,
};
pub use frameworks::py_named_paths;
pub use imports::{py_import_targets, py_imports};
pub use language::Python;
pub use modules::{Module, Modules, py_modules};
pub use symbols::py_symbols;
