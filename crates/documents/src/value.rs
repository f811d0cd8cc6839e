//! Reading of a [`Tree`] by key, through aliases and merge keys.

use std::cell::Cell;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use codeweft_syntax::Span;

use crate::tree::{NodeId, NodeKind, Tree};

/// The nodes behind aliases that one reader visits at most: a text of a few lines of aliases can be read as billions of
/// nodes.
const MAX_VISITS: u32 = 100_000;

/// A reader of a tree. It visits 100,000 nodes behind aliases, each counted every time: what follows is absent, and
/// [`Reader::is_cut`] says so. Nodes that no alias leads to are always there.
pub struct Reader<'t> {
    tree: &'t Tree,
    visits: Cell<u32>,
}

impl<'t> Reader<'t> {
    /// Returns a reader of a tree.
    pub fn new(tree: &'t Tree) -> Reader<'t> {
        Reader {
            tree,
            visits: Cell::new(0),
        }
    }

    /// Returns the values of the roots.
    pub fn roots(&self) -> impl Iterator<Item = Value<'_>> {
        let roots = self.tree.roots().iter();
        roots.map(|&node| self.value(node))
    }

    /// Returns the value of a node.
    pub fn value(&self, node: NodeId) -> Value<'_> {
        Value {
            reader: self,
            node,
            is_aliased: false,
        }
    }

    /// Returns whether nodes were absent because there are too many.
    pub fn is_cut(&self) -> bool {
        self.visits.get() > MAX_VISITS
    }

    fn visit(&self, nodes: usize) -> bool {
        let visits = self.visits.get().saturating_add(nodes as u32);
        self.visits.set(visits);
        visits <= MAX_VISITS
    }
}

/// The entries of a mapping so far.
#[derive(Default)]
struct Entries<'r> {
    list: Vec<(&'r str, Value<'r>)>,
    by_key: FxHashMap<&'r str, usize>,
}

/// A node as a value: an alias is what it refers to.
///
/// ```
/// use codeweft_documents::{Reader, read_yaml};
///
/// let tree = read_yaml("base: &b {image: x}\nweb: {<<: *b, port: 80}");
/// let reader = Reader::new(&tree);
/// let root = reader.roots().next().unwrap();
/// let web = root.get("web").unwrap();
/// assert_eq!(web.get("image").unwrap().text(), Some("x"));
/// assert_eq!(web.get("port").unwrap().text(), Some("80"));
/// ```
#[derive(Clone, Copy)]
pub struct Value<'r> {
    reader: &'r Reader<'r>,
    node: NodeId,
    /// Whether an alias led here.
    is_aliased: bool,
}

impl<'r> Value<'r> {
    /// Returns the number of the node: for an alias its own, not that of what it refers to.
    pub fn node(self) -> NodeId {
        self.node
    }

    /// Returns the range of the node.
    pub fn span(self) -> Span {
        self.reader.tree.span(self.node)
    }

    /// Returns the text of a scalar; `None` for other nodes and for null (YAML 1.2, Core schema: an empty plain scalar,
    /// `~`, `null`). Numbers and `true` are texts.
    pub fn text(self) -> Option<&'r str> {
        match &self.resolved()?.kind {
            NodeKind::Scalar { text, plain } => {
                let null = matches!(&**text, "" | "~" | "null" | "Null" | "NULL");
                (!(*plain && null)).then_some(&**text)
            }
            _ => None,
        }
    }

    /// Returns whether this is the plain scalar `true` (YAML 1.2, Core schema).
    pub fn is_true(self) -> bool {
        let node = self.resolved();
        node.is_some_and(|node| match &node.kind {
            NodeKind::Scalar { text, plain } => {
                *plain && matches!(&**text, "true" | "True" | "TRUE")
            }
            _ => false,
        })
    }

    /// Returns whether this is a mapping.
    pub fn is_mapping(self) -> bool {
        self.resolved()
            .is_some_and(|node| node.kind == NodeKind::Mapping)
    }

    /// Returns whether this is a sequence.
    pub fn is_sequence(self) -> bool {
        self.resolved()
            .is_some_and(|node| node.kind == NodeKind::Sequence)
    }

    /// Returns the elements of a sequence; of another node none.
    pub fn items(self) -> Vec<Value<'r>> {
        let Some(node) = self
            .resolved()
            .filter(|node| node.kind == NodeKind::Sequence)
        else {
            return Vec::new();
        };
        let children = self.reader.tree.children(node);
        if !self.visit(children.len()) {
            return Vec::new();
        }
        let values = children.iter().map(|&node| self.at(node));
        values.collect()
    }

    /// Returns the entries of a mapping in text order: key, and value. A repeated key has its last value, as in the
    /// parsers that accept one. What the merge key `<<` brings follows, keys that are there already excepted (YAML, Merge
    /// key). Keys that are no scalars are absent.
    pub fn entries(self) -> Vec<(&'r str, Value<'r>)> {
        let mut entries = Entries::default();
        self.add_entries(&mut entries, 0);
        entries.list
    }

    /// Returns the value of a key of a mapping.
    pub fn get(self, key: &str) -> Option<Value<'r>> {
        let entries = self.entries();
        let found = entries.into_iter().find(|(known, _)| *known == key);
        found.map(|(_, value)| value)
    }

    /// Returns the text of the value of a key.
    pub fn text_of(self, key: &str) -> Option<&'r str> {
        self.get(key)?.text()
    }

    fn add_entries(self, entries: &mut Entries<'r>, depth: u32) {
        /// Merges in merges; a mapping that merges itself has no end.
        const MAX_MERGES: u32 = 16;
        let node = self.resolved();
        let Some(node) = node.filter(|node| node.kind == NodeKind::Mapping) else {
            return;
        };
        let children = self.reader.tree.children(node);
        if !self.visit(children.len()) {
            return;
        }
        let from = entries.list.len();
        let mut merges = Vec::new();
        for pair in children.chunks_exact(2) {
            let &[key, value] = pair else { continue };
            let key = self.at(key).resolved().map(|key| &key.kind);
            let Some(NodeKind::Scalar { text, plain }) = key else {
                continue;
            };
            let value = self.at(value);
            if *plain && &**text == "<<" {
                merges.push(value);
                continue;
            }
            match entries.by_key.entry(text) {
                Entry::Occupied(known) if *known.get() >= from => {
                    if let Some(entry) = entries.list.get_mut(*known.get()) {
                        entry.1 = value;
                    }
                }
                Entry::Occupied(_) => {}
                Entry::Vacant(vacant) => {
                    vacant.insert(entries.list.len());
                    entries.list.push((text, value));
                }
            }
        }
        if depth >= MAX_MERGES {
            return;
        }
        for merge in merges {
            if merge.is_sequence() {
                for merge in merge.items() {
                    merge.add_entries(entries, depth + 1);
                }
            } else {
                merge.add_entries(entries, depth + 1);
            }
        }
    }

    /// Returns whether children may be read.
    fn visit(self, children: usize) -> bool {
        !self.is_aliased && !self.is_alias() || self.reader.visit(children)
    }

    fn is_alias(self) -> bool {
        let node = self.reader.tree.node(self.node);
        node.is_some_and(|node| matches!(node.kind, NodeKind::Alias(_)))
    }

    fn at(self, node: NodeId) -> Value<'r> {
        Value {
            reader: self.reader,
            node,
            is_aliased: self.is_aliased || self.is_alias(),
        }
    }

    fn resolved(self) -> Option<&'r crate::tree::Node> {
        let tree: &'r Tree = self.reader.tree;
        let node = tree.node(self.node)?;
        match node.kind {
            // The target of an alias is a node with an anchor, and no alias has one.
            NodeKind::Alias(of) => tree.node(of),
            _ => Some(node),
        }
    }
}
