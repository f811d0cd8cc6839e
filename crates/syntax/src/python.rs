//! Python: so far the imports of a module.

use std::num::NonZeroU16;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;
use tree_sitter::{Node, Tree};

use crate::{FileIr, Lang, Mentions, NameId, Names, Ranges, Report, Span};

/// What is read of a Python module before its items.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// Every import statement's target, in text order.
    pub imports: Box<[Import]>,
}

/// One imported module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import {
    /// The dotted name as written, without leading dots; empty in `from . import x`.
    pub module: NameId,
    /// How many leading dots: 0 is an absolute import.
    pub level: u32,
    /// The names of `from … import a, b`; each may be a submodule. Empty for `import m` and `*`.
    pub names: Box<[NameId]>,
}

/// The declarations of a Python module; none yet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Items;

/// The kinds of nodes that are looked at, by tree-sitter's numbers.
struct Kinds {
    identifier: u16,
    import: u16,
    from: u16,
    future: u16,
    aliased: u16,
    dotted: u16,
    relative: u16,
    prefix: u16,
    module_field: Option<NonZeroU16>,
}

impl Kinds {
    fn get() -> &'static Kinds {
        static KINDS: OnceLock<Kinds> = OnceLock::new();
        KINDS.get_or_init(|| {
            let language = crate::tree::language(Lang::Python);
            let kind = |name| language.id_for_node_kind(name, true);
            Kinds {
                identifier: kind("identifier"),
                import: kind("import_statement"),
                from: kind("import_from_statement"),
                future: kind("future_import_statement"),
                aliased: kind("aliased_import"),
                dotted: kind("dotted_name"),
                relative: kind("relative_import"),
                prefix: kind("import_prefix"),
                module_field: language.field_id_for_name("module_name"),
            }
        })
    }
}

/// Lowers a Python text; see [`crate::lower`]. Import statements count wherever they stand; there
/// are no items and bodies yet.
pub fn lower(text: &str, names: &Names, stop: &dyn Fn() -> bool) -> Option<FileIr> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let tree = crate::tree::parse(text.as_bytes(), Lang::Python, stop)?;
    let mut reader = Reader {
        text,
        names,
        kinds: Kinds::get(),
        imports: Vec::new(),
        spans: Vec::new(),
        known: FxHashMap::default(),
        error_offsets: Vec::new(),
    };
    reader.read(&tree, stop)?;
    let mut ranges = Ranges {
        lines: crate::line_starts(text),
        ..Ranges::default()
    };
    ranges.imports = reader.spans.into();
    let lines = reader
        .error_offsets
        .iter()
        .map(|&offset| ranges.line_column(offset).0);
    let mut error_lines: Vec<u32> = lines.collect();
    error_lines.sort_unstable();
    error_lines.dedup();
    let report = Report {
        error_lines: error_lines.into(),
        ..Report::default()
    };
    Some(FileIr {
        header: Arc::new(crate::Header::Python(Header {
            imports: reader.imports.into(),
        })),
        items: Arc::new(crate::Items::Python(Items)),
        bodies: Arc::new(crate::Bodies::Python),
        ranges: Arc::new(ranges),
        mentions: Arc::new(Mentions::from_names(reader.known.into_values().collect())),
        report: Arc::new(report),
    })
}

struct Reader<'t> {
    text: &'t str,
    names: &'t Names,
    kinds: &'static Kinds,
    imports: Vec<Import>,
    spans: Vec<Span>,
    known: FxHashMap<&'t str, NameId>,
    error_offsets: Vec<u32>,
}

impl<'t> Reader<'t> {
    /// Walks the whole tree without recursion.
    fn read(&mut self, tree: &Tree, stop: &dyn Fn() -> bool) -> Option<()> {
        let kinds = self.kinds;
        let mut cursor = tree.walk();
        for count in 1u32.. {
            if count.is_multiple_of(4096) && stop() {
                return None;
            }
            let node = cursor.node();
            let kind = node.kind_id();
            if node.is_error() || node.is_missing() {
                self.error_offsets.push(node.start_byte() as u32);
            } else if kind == kinds.identifier {
                let text = self.slice(node);
                let names = self.names;
                self.known.entry(text).or_insert_with(|| names.intern(text));
            } else if kind == kinds.import {
                self.import(node);
            } else if kind == kinds.from || kind == kinds.future {
                self.import_names(node);
            }
            if !cursor.goto_first_child() {
                while !cursor.goto_next_sibling() {
                    if !cursor.goto_parent() {
                        return Some(());
                    }
                }
            }
        }
        None
    }

    fn slice(&self, node: Node) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    /// The number of a dotted name, which may be spread by blanks and continued lines.
    fn dotted(&self, node: Node) -> NameId {
        let text = self.slice(node);
        if text.contains(|char: char| char.is_whitespace() || char == '\\') {
            let mut cursor = node.walk();
            let parts: Vec<&str> = node
                .named_children(&mut cursor)
                .map(|part| self.slice(part))
                .collect();
            return self.names.intern(&parts.join("."));
        }
        self.names.intern(text)
    }

    /// The dotted name of `a.b` or `a.b as c`.
    fn imported<'n>(&self, node: Node<'n>) -> Option<Node<'n>> {
        let kinds = self.kinds;
        if node.kind_id() == kinds.aliased {
            let mut cursor = node.walk();
            return node
                .named_children(&mut cursor)
                .find(|part| part.kind_id() == kinds.dotted);
        }
        (node.kind_id() == kinds.dotted).then_some(node)
    }

    fn push(&mut self, import: Import, node: Node) {
        self.imports.push(import);
        let (start, end) = (node.start_byte() as u32, node.end_byte() as u32);
        self.spans.push(Span { start, end });
    }

    /// `import a.b, c as d`
    fn import(&mut self, node: Node) {
        for child in node.named_children(&mut node.walk()) {
            if let Some(name) = self.imported(child) {
                let module = self.dotted(name);
                self.push(
                    Import {
                        module,
                        level: 0,
                        names: Box::default(),
                    },
                    name,
                );
            }
        }
    }

    /// `from ..a.b import c, d as e`, `from __future__ import f`
    fn import_names(&mut self, node: Node) {
        let kinds = self.kinds;
        let from = kinds
            .module_field
            .and_then(|field| node.child_by_field_id(field.get()));
        let mut level = 0;
        let mut module = match from {
            Some(from) if from.kind_id() == kinds.dotted => self.dotted(from),
            Some(_) => self.names.intern(""),
            None => self.names.intern("__future__"),
        };
        if let Some(relative) = from.filter(|from| from.kind_id() == kinds.relative) {
            for part in relative.named_children(&mut relative.walk()) {
                if part.kind_id() == kinds.prefix {
                    let dots = self.slice(part).bytes().filter(|&byte| byte == b'.');
                    level = dots.count() as u32;
                } else if part.kind_id() == kinds.dotted {
                    module = self.dotted(part);
                }
            }
        }
        let mut cursor = node.walk();
        let names = node
            .named_children(&mut cursor)
            .filter(|&child| Some(child) != from)
            .filter_map(|child| self.imported(child))
            .map(|name| self.dotted(name))
            .collect();
        // `__future__` is a word of the grammar and stands second.
        let path = from.or_else(|| node.child(1)).unwrap_or(node);
        self.push(
            Import {
                module,
                level,
                names,
            },
            path,
        );
    }
}
