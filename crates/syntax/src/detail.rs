//! The parts of one declaration as its text writes them, for people: read from its text on demand, and
//! part of no intermediate form.

/// The parts of a declaration.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeclarationDetail {
    /// The type: of a field or variable its type, of a method its header behind the name, of a type what
    /// it is declared as, if that is no list of members. Empty without one.
    pub type_expr: String,
    /// The receiver, the parameters and the results, in text order.
    pub parameters: Vec<ParameterDetail>,
    /// The type parameters.
    pub type_params: Vec<(String, String)>,
    /// Decorators, directives and struct tags: name and arguments.
    pub annotations: Vec<(String, String)>,
}

/// A parameter, receiver or result.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ParameterDetail {
    /// The name; empty without one. Python's stars are part of it.
    pub name: String,
    /// The type; empty without one.
    pub type_expr: String,
    /// The default value.
    pub default: Option<String>,
    /// The role.
    pub role: ParameterRole,
}

/// What a parameter is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ParameterRole {
    /// The value that a method is called on.
    Receiver,
    /// A parameter.
    #[default]
    Parameter,
    /// A result.
    Result,
}

/// Returns the text of a syntax node, with white space as single spaces.
pub fn text_of(node: tree_sitter::Node<'_>, text: &str) -> String {
    let written = text.get(node.byte_range()).unwrap_or_default();
    let words: Vec<&str> = written.split_whitespace().collect();
    words.join(" ")
}
