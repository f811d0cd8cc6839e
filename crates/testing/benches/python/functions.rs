//! Functions to edit and functions to call: found with the bare grammar, so that the draw does not
//! depend on what is measured.

use std::ops::Range;
use std::sync::Arc;

use codeweft_db::{Origin, UnitGraph};
use codeweft_python_syntax::PYTHON;
use codeweft_workspace::ProjectDatabase;
use tree_sitter::{Node, Parser};

/// A file of the workspace.
pub struct Source {
    /// Its path relative to the root.
    pub path: String,
    /// Its text.
    pub text: Arc<str>,
    /// The functions and methods in which a line can be inserted.
    pub bodies: Vec<Body>,
    /// Functions of the module that are declared on one line and not decorated.
    pub callees: Vec<String>,
}

/// A function in which a line can be inserted.
pub struct Body {
    /// The byte offset of its first statement that is no docstring.
    pub at: usize,
    /// The indentation of that statement.
    pub indent: String,
    /// The byte range of the function without decorators.
    pub span: Range<usize>,
}

impl Source {
    /// Returns the id of a function of the module.
    pub fn id(&self, function: &str) -> String {
        let stem = self.path.strip_suffix(".py").unwrap_or(&self.path);
        let stem = stem.strip_suffix("/__init__").unwrap_or(stem);
        format!("{}.{function}", stem.replace('/', "."))
    }

    /// Returns the text with a line inserted at the start of a body.
    pub fn with(&self, body: &Body, line: &str) -> String {
        let (before, after) = self.text.split_at(body.at);
        format!("{before}{line}\n{}{after}", body.indent)
    }

    /// Returns the text with a new function before one of [`Source::callees`], which it calls.
    pub fn with_function(&self, callee: &str) -> Option<String> {
        let at = self.text.find(&format!("def {callee}("))?;
        let line = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let (before, after) = self.text.split_at(line);
        let declared = format!("def newly_declared():\n    {callee}()\n");
        Some(format!("{before}{declared}\n\n{after}"))
    }
}

/// Returns the workspace's files with functions.
pub fn read(host: &ProjectDatabase) -> Vec<Source> {
    let db = host.db();
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_python::LANGUAGE.into())
        .expect("the grammar fits the library");
    let mut sources = Vec::new();
    for &unit in UnitGraph::get(db).units(db).iter() {
        if unit.lang(db) != PYTHON || unit.origin(db) != Origin::Workspace {
            continue;
        }
        for &file in unit.files(db).iter() {
            let path = file.path(db).to_string();
            if !path.ends_with(".py") || path.starts_with('/') {
                continue;
            }
            sources.extend(source(&mut parser, path, file.text(db).clone()));
        }
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources
}

/// Returns the editable functions of a text; `None` if it has syntax errors or other line ends.
fn source(parser: &mut Parser, path: String, text: Arc<str>) -> Option<Source> {
    if text.contains('\r') {
        return None;
    }
    let tree = parser.parse(text.as_bytes(), None)?;
    if tree.root_node().has_error() {
        return None;
    }
    let mut cursor = tree.walk();
    let callees = tree
        .root_node()
        .named_children(&mut cursor)
        .filter(|node| node.kind() == "function_definition")
        .filter_map(|node| node.child_by_field_name("name"))
        .map(|name| text[name.byte_range()].to_owned())
        .filter(|name| text.matches(&format!("def {name}(")).count() == 1)
        .collect();
    let mut bodies = Vec::new();
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        if node.kind() == "function_definition" {
            bodies.extend(body(node, &text));
        }
        let mut cursor = node.walk();
        open.extend(node.named_children(&mut cursor));
    }
    bodies.sort_by_key(|body: &Body| body.at);
    Some(Source {
        path,
        text,
        bodies,
        callees,
    })
}

fn body(function: Node<'_>, text: &str) -> Option<Body> {
    let block = function.child_by_field_name("body")?;
    let mut cursor = block.walk();
    let first = block
        .named_children(&mut cursor)
        .find(|node| node.kind() != "comment" && !is_docstring(*node))?;
    let line = text[..first.start_byte()].rfind('\n')? + 1;
    let indent = &text[line..first.start_byte()];
    let stands_alone = !indent.is_empty() && indent.bytes().all(|byte| byte == b' ');
    stands_alone.then(|| Body {
        at: first.start_byte(),
        indent: indent.to_owned(),
        span: function.byte_range(),
    })
}

fn is_docstring(node: Node<'_>) -> bool {
    let string = node.named_child(0).map(|child| child.kind());
    node.kind() == "expression_statement" && string == Some("string")
}
