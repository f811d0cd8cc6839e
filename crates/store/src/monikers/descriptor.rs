//! Descriptors: a symbol in its package by the grammar of SCIP symbols.
//!
//! ```text
//! Go      `net/http`/              a package           Python  `requests.api`/__init__:   a module
//!         `net/http`/Server#       a type                      `requests.api`/get().      a function
//!         `net/http`/Server#Addr.  a field
//!         `net/http`/Server#Close(). a method
//!         `net/http`/Handler#ServeHTTP.  a method of an interface
//! ```
//!
//! Go's are those of scip-go, Python's those of scip-python. The second and further symbols of one name have
//! a disambiguator: `init(+1).`.

use codeweft_graph::export::{PathForm, PathPart, SymbolPath};
use scip::types::descriptor::Suffix;

/// A part of a descriptor.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct NamePart {
    pub(crate) name: String,
    pub(crate) suffix: Suffix,
    /// The disambiguator of a method; empty for the first.
    pub(crate) disambiguator: String,
}

impl NamePart {
    fn plain(name: &str, suffix: Suffix) -> NamePart {
        NamePart {
            name: name.to_owned(),
            suffix,
            disambiguator: String::new(),
        }
    }
}

/// Returns the parts of a path's descriptor, the package's first.
pub(crate) fn descriptors(path: &SymbolPath) -> Vec<NamePart> {
    let is_module = path.lang.is_some_and(|lang| lang.packages_are_files);
    let is_unknown = |part: &PathPart| part.form == PathForm::Unknown;
    if is_module && path.parts.iter().all(is_unknown) && !path.parts.is_empty() {
        let names = path.parts.iter().map(|part| &*part.name);
        return unknown_path(&path.package.import_path, names);
    }
    let mut parts = vec![NamePart::plain(
        &path.package.import_path,
        Suffix::Namespace,
    )];
    if is_module && path.parts.is_empty() {
        parts.push(NamePart::plain("__init__", Suffix::Meta));
    }
    parts.extend(path.parts.iter().map(part));
    parts
}

/// Returns the parts for names behind a module's of which no text says what they are: modules, classes and
/// a last name. A table of aliases leads from such a descriptor to that of the declaration.
pub(crate) fn unknown_path<'n>(
    module: &str,
    names: impl Iterator<Item = &'n str>,
) -> Vec<NamePart> {
    let mut dotted = module.to_owned();
    let mut last = String::new();
    for name in names {
        if !last.is_empty() {
            dotted.push('.');
            dotted.push_str(&last);
        }
        name.clone_into(&mut last);
    }
    vec![
        NamePart::plain(&dotted, Suffix::Namespace),
        NamePart::plain(&last, Suffix::Term),
    ]
}

fn part(part: &PathPart) -> NamePart {
    let suffix = match part.form {
        PathForm::Type => Suffix::Type,
        PathForm::Function => Suffix::Method,
        PathForm::InterfaceMethod | PathForm::Variable | PathForm::Unknown => Suffix::Term,
    };
    let (name, disambiguator) = match (part.number, suffix) {
        (0, _) => (part.name.to_string(), String::new()),
        (number, Suffix::Method) => (part.name.to_string(), format!("+{number}")),
        // The grammar has disambiguators for methods alone.
        (number, _) => (format!("{}#{}", part.name, number + 1), String::new()),
    };
    NamePart {
        name,
        suffix,
        disambiguator,
    }
}

/// Returns a descriptor by the grammar of SCIP symbols.
pub(crate) fn printed(parts: &[NamePart]) -> String {
    let descriptors = parts.iter().map(|part| scip::types::Descriptor {
        name: part.name.clone(),
        disambiguator: part.disambiguator.clone(),
        suffix: part.suffix.into(),
        ..Default::default()
    });
    let symbol = scip::types::Symbol {
        descriptors: descriptors.collect(),
        ..Default::default()
    };
    let options = scip::symbol::SymbolFormatOptions {
        include_scheme: false,
        include_package_manager: false,
        include_package_name: false,
        include_package_version: false,
        include_descriptor: true,
    };
    scip::symbol::format_symbol_with(symbol, options)
}
