//! Lowers strings: constants, f-strings with their parts, and strings parsed as annotations.

use super::flat::FlatIndex;
use super::implied::Implied;
use super::ir::*;
use super::kinds::{NodeField, PythonKind};
use super::walk::PythonLowering;
use codeweft_syntax::tree;

/// Maximum length in bytes of a constant string that is kept.
const MAX_STRING: u32 = 64;
/// Maximum length in bytes of a string that is parsed as a type.
const MAX_TYPE: u32 = 4096;

impl<'t> PythonLowering<'t, '_> {
    /// Returns whether a string has parts that are evaluated.
    pub(super) fn has_parts(&self, at: FlatIndex) -> bool {
        self.flat.first(at, PythonKind::Interpolation).is_some()
    }

    /// Lowers a string, or several adjacent ones.
    pub(super) fn string(&mut self, at: FlatIndex) -> NodeId {
        let pieces: Vec<FlatIndex> = match self.kind(at) {
            PythonKind::String => vec![at],
            _ => self
                .flat
                .children(at)
                .filter(|&part| self.kind(part) == PythonKind::String)
                .collect(),
        };
        let has = |l: &Self, letters: [char; 2]| {
            pieces
                .iter()
                .any(|&piece| l.prefix(piece).contains(letters))
        };
        if has(self, ['t', 'T']) {
            return self.template(&pieces);
        }
        if has(self, ['f', 'F']) {
            let format = self.format(&pieces);
            self.text_start(&pieces, format);
            return self.texted(&pieces, format);
        }
        if has(self, ['b', 'B']) {
            return self.constant(Constant::Bytes);
        }
        if self.in_type {
            return match pieces[..] {
                [only] => self.forward(only),
                _ => 0,
            };
        }
        let mut whole = String::new();
        for &piece in &pieces {
            match self.content(piece) {
                Some((start, end)) if whole.len() as u32 + end - start <= MAX_STRING => {
                    whole.push_str(self.words.slice(start, end));
                }
                _ => {
                    let constant = self.push(Node::Constant(Constant::Str));
                    return self.texted(&pieces, constant);
                }
            }
        }
        let name = self.words.quiet(&whole);
        self.push(Node::Str(name))
    }

    /// Records the text before the first value of an f-string.
    fn text_start(&mut self, pieces: &[FlatIndex], node: NodeId) {
        let Some(&piece) = pieces.first() else { return };
        let (Some(start), Some(value)) = (
            self.flat.first(piece, PythonKind::StringStart),
            self.flat.first(piece, PythonKind::Interpolation),
        ) else {
            return;
        };
        let (start, end) = (self.flat.node(start).end, self.start(value));
        if start >= end || end - start > MAX_STRING {
            return;
        }
        let text = self.words.slice(start, end);
        if !text.contains(['\\', '{', '}']) {
            let text = self.words.quiet(text);
            let kind = UseKind::TextStart { value: node, text };
            self.record_use(self.start(piece), kind);
        }
    }

    /// Records that the value of a node is that of adjacent strings.
    fn texted(&mut self, pieces: &[FlatIndex], node: NodeId) -> NodeId {
        for &piece in pieces {
            self.record_use(self.start(piece), UseKind::Text(node));
        }
        node
    }

    /// Returns the prefix before the quotes.
    fn prefix(&self, at: FlatIndex) -> &'t str {
        let start = self.flat.first(at, PythonKind::StringStart);
        let text = start.map_or("", |start| self.text(start));
        text.trim_end_matches(['"', '\''])
    }

    /// Returns the range of a string's contents if they equal its value, which they do without
    /// escapes.
    pub(super) fn content(&self, at: FlatIndex) -> Option<(u32, u32)> {
        let start = self.flat.first(at, PythonKind::StringStart)?;
        let end = self.flat.first(at, PythonKind::StringEnd)?;
        let quotes = self.text(start).len() - self.prefix(at).len();
        // The grammar takes backslashes at the end of a raw string for a part of the closing quotes.
        // Quotes that were inserted have no width.
        let end = self.flat.node(end);
        let end = end.start.max(end.end.saturating_sub(quotes as u32));
        let start = self.flat.node(start).end;
        let text = self.words.slice(start, end);
        (start <= end && !text.contains('\\')).then_some((start, end))
    }

    /// Lowers a t-string (PEP 750): its parts are evaluated, but not formatted.
    fn template(&mut self, pieces: &[FlatIndex]) -> NodeId {
        let before = std::mem::take(&mut self.role);
        for &piece in pieces {
            self.evaluated(piece);
        }
        self.role = before;
        0
    }

    /// Evaluates the expressions in braces below a node.
    fn evaluated(&mut self, at: FlatIndex) {
        for part in self.children(at) {
            match self.kind(part) {
                PythonKind::Interpolation | PythonKind::FormatExpression => {
                    if let Some(value) = self.flat.field(part, NodeField::Expression) {
                        self.expr(value);
                    }
                    if let Some(spec) = self.flat.field(part, NodeField::FormatSpec) {
                        self.deeper(|l| l.evaluated(spec));
                    }
                }
                _ => {}
            }
        }
    }

    /// Lowers f-strings and the strings adjacent to them.
    fn format(&mut self, pieces: &[FlatIndex]) -> NodeId {
        let mut parts = Vec::new();
        let before = std::mem::take(&mut self.role);
        for &piece in pieces {
            for part in self.children(piece) {
                if self.kind(part) == PythonKind::Interpolation {
                    self.interpolation(part, &mut parts);
                }
            }
        }
        self.role = before;
        let list = self.list(&parts);
        self.push(Node::Format(list))
    }

    fn interpolation(&mut self, at: FlatIndex, parts: &mut Vec<NodeId>) {
        let Some(value_at) = self.flat.field(at, NodeField::Expression) else {
            return;
        };
        let value = self.expr(value_at);
        parts.push(value);
        self.imply(Implied::Format, 0);
        let list = self.list(&[value]);
        let part = self.push(Node::Format(list));
        self.record_use(self.start(value_at), UseKind::Operator(part));
        if let Some(spec) = self.flat.field(at, NodeField::FormatSpec) {
            self.deeper(|l| {
                for inner in l.children(spec) {
                    if l.kind(inner) == PythonKind::FormatExpression {
                        l.interpolation(inner, parts);
                    }
                }
            });
        }
    }

    /// Lowers a string in an annotation: a type expression of its own (PEP 484, Forward
    /// references).
    fn forward(&mut self, at: FlatIndex) -> NodeId {
        let Some((start, end)) = self.content(at) else {
            return 0;
        };
        let text = self.words.slice(start, end);
        if end - start > MAX_TYPE || text.trim().is_empty() {
            return 0;
        }
        if is_identifier(text) {
            let name = self.flat.push_name(start, end);
            return match text {
                "None" => self.constant(Constant::None),
                _ => self.load(name, Access::Load),
            };
        }
        // Line breaks are allowed inside, as in parentheses.
        let wrapped = format!("({text})");
        let Some(tree) = tree::parse(wrapped.as_bytes(), &crate::grammar::GRAMMAR, self.stop)
        else {
            self.stopped = true;
            return 0;
        };
        if tree.root_node().has_error() {
            return 0;
        }
        let len = self.words.text.len() as u32;
        let Some(root) = self
            .flat
            .push_tree(&tree, i64::from(start) - 1, len, self.stop)
        else {
            self.stopped = true;
            return 0;
        };
        let statement = self.flat.first(root, PythonKind::ExpressionStatement);
        match statement.and_then(|statement| self.flat.first_expr(statement)) {
            Some(expr) => self.expr(expr),
            None => 0,
        }
    }
}

fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    let first = chars.next();
    first.is_some_and(|first| first == '_' || first.is_alphabetic())
        && chars.all(|char| char == '_' || char.is_alphanumeric())
}
