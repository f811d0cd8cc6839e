//! Groups the bodies of a file into chunks, so that an edit of one body leaves all other chunks
//! equal.
//!
//! Content-defined chunking by local minima, as for Go: an item begins a chunk if the hash of its
//! qualified name is the least among its neighbours; a body of [`CHUNK_NODES`] or more is a chunk
//! of its own. The numbers inside a chunk count from its start. So neither its borders nor its
//! contents depend on the position in the file, and an edit inside a body hardly ever moves a
//! border.
//!
//! ```text
//! item         m   a   b   c   d   e      two neighbours on either side
//! hash         9   4   8   6   1   7
//! begins       *   *           *          the first always; 4 < 9, 8, 6   and   1 < 8, 6, 7
//! chunks      [m] [a   b   c] [d   e]
//! ```

use super::ir::*;
use super::slices::Numbering;
use codeweft_syntax::Names;

/// Approximate number of nodes in a chunk. A larger body is a chunk of its own.
const CHUNK_NODES: usize = 1024;

/// Consecutive bodies of a file.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Chunk {
    /// The number of the first body, which is that of its item.
    pub first: u32,
    /// The bodies, in an arena of their own. Their first tokens are not kept: all are 0.
    pub bodies: Bodies,
}

impl Bodies {
    /// Returns the bodies in chunks: each body is in exactly one, in order.
    pub fn chunks(&self, items: &Items, names: &Names) -> Vec<Chunk> {
        let mut borders = self.borders(items, names);
        borders.push(self.bodies.len());
        let pairs = borders.iter().zip(borders.iter().skip(1));
        pairs.map(|(&from, &to)| self.chunk(from, to)).collect()
    }

    /// Returns a body as a chunk of its own; the empty chunk if there is none of that number.
    pub fn one_body(&self, number: usize) -> Chunk {
        match self.bodies.get(number) {
            Some(_) => self.chunk(number, number + 1),
            None => Chunk::default(),
        }
    }

    /// Returns whether a body equals that of the same number in another text, wherever it is in the
    /// two.
    pub fn has_same_body(&self, other: &Bodies, number: usize) -> bool {
        let sizes = |bodies: &Bodies| {
            let body = bodies.bodies.get(number)?;
            Some((body.nodes.iter().len(), body.uses.iter().len()))
        };
        sizes(self) == sizes(other) && self.one_body(number) == other.one_body(number)
    }

    /// Returns the numbers of the bodies that begin a chunk, ascending. The first is 0 unless there
    /// are no bodies.
    fn borders(&self, items: &Items, names: &Names) -> Vec<usize> {
        let size = |body: &Body| body.nodes.iter().len();
        let total: usize = self.bodies.iter().map(size).sum();
        if total < 2 * CHUNK_NODES {
            return vec![0];
        }
        let mut hashes: Vec<u32> = Vec::with_capacity(items.items.len());
        for item in &items.items {
            let around = hashes.get(item.parent as usize).copied();
            hashes.push(hash(around.unwrap_or(SEED), names.text(item.name)));
        }
        // A power of two: hardly ever affected by a small change of size.
        let width = CHUNK_NODES * self.bodies.len() / (2 * total);
        let width = 1 << width.max(1).ilog2();
        let is_large = |number: usize| size(&self.bodies[number]) >= CHUNK_NODES;
        let is_least = |number: usize| {
            let Some(&own) = hashes.get(number) else {
                return false;
            };
            let before = &hashes[number.saturating_sub(width)..number];
            let mut behind = hashes[number + 1..].iter().take(width);
            before.iter().all(|&other| own < other) && behind.all(|&other| own <= other)
        };
        let borders = (0..self.bodies.len()).filter(|&number| {
            number == 0 || is_large(number) || is_large(number - 1) || is_least(number)
        });
        borders.collect()
    }

    /// Copies the bodies `from..to`, with numbers that count from the start of the chunk.
    fn chunk(&self, from: usize, to: usize) -> Chunk {
        let bodies = &self.bodies[from..to];
        let (start, end) = match (bodies.first(), bodies.last()) {
            (Some(first), Some(last)) => (first, last),
            _ => return Chunk::default(),
        };
        let nodes = Range {
            start: start.nodes.start,
            end: end.nodes.end,
        };
        let mut copy = CodeCopy::new(&self.code, |node| {
            let is_own = nodes.contains(node) && node != 0;
            if is_own { node - nodes.start + 1 } else { 0 }
        });
        let own = self.code.nodes.get(nodes.iter()).unwrap_or_default();
        let mut renumbered = Vec::with_capacity(own.len() + 1);
        renumbered.push(Node::Opaque);
        renumbered.extend(own.iter().map(|node| node.renumbered(&mut copy)));
        let uses = start.uses.start..end.uses.end;
        let own = self
            .uses
            .get(uses.start as usize..uses.end as usize)
            .unwrap_or_default();
        let uses: Vec<Use> = own.iter().map(|one| one.renumbered(&mut copy)).collect();
        let moved = bodies.iter().map(|body| Body {
            first_tok: 0,
            nodes: body.nodes.moved(nodes.start, 1),
            uses: body.uses.moved(start.uses.start, 0),
            results: copy.list(body.results),
            yields: copy.list(body.yields),
        });
        let moved: Vec<Body> = moved.collect();
        Chunk {
            first: from as u32,
            bodies: Bodies {
                bodies: moved.into(),
                uses: uses.into(),
                code: copy.finish(renumbered),
            },
        }
    }
}

impl Range {
    /// Returns the range shifted so that `from` becomes `to`.
    fn moved(self, from: u32, to: u32) -> Range {
        Range {
            start: self.start - from + to,
            end: self.end - from + to,
        }
    }
}

/// A [`Numbering`] that copies lists and calls into an arena of their own.
pub(super) struct CodeCopy<'c, F> {
    code: &'c Code,
    /// The new number of each node; 0 for one that is not copied.
    number: F,
    list_starts: Vec<u32>,
    list_items: Vec<NodeId>,
    calls: Vec<Call>,
}

impl<'c, F: Fn(NodeId) -> NodeId> CodeCopy<'c, F> {
    pub(super) fn new(code: &'c Code, number: F) -> CodeCopy<'c, F> {
        CodeCopy {
            code,
            number,
            list_starts: vec![0, 0],
            list_items: Vec::new(),
            calls: Vec::new(),
        }
    }

    /// Returns the arena with these nodes, which were renumbered by the copy.
    pub(super) fn finish(self, nodes: Vec<Node>) -> Code {
        Code {
            nodes: nodes.into(),
            list_starts: self.list_starts.into(),
            list_items: self.list_items.into(),
            calls: self.calls.into(),
        }
    }
}

impl<F: Fn(NodeId) -> NodeId> Numbering for CodeCopy<'_, F> {
    fn node(&mut self, node: NodeId) -> NodeId {
        if node == NONE {
            NONE
        } else {
            (self.number)(node)
        }
    }

    fn list(&mut self, list: ListId) -> ListId {
        let nodes = self.code.list(list);
        if nodes.is_empty() {
            return 0;
        }
        for &node in nodes {
            let node = self.node(node);
            self.list_items.push(node);
        }
        self.list_starts.push(self.list_items.len() as u32);
        self.list_starts.len() as u32 - 2
    }

    fn call(&mut self, number: u32) -> u32 {
        let Some(call) = self.code.calls.get(number as usize) else {
            return NONE;
        };
        let keywords = call.keywords.iter();
        let call = Call {
            callee: self.node(call.callee),
            positional: self.list(call.positional),
            keywords: keywords
                .map(|&(name, value)| (name, self.node(value)))
                .collect(),
        };
        self.calls.push(call);
        self.calls.len() as u32 - 1
    }
}

impl Use {
    /// Returns the use with its nodes renumbered.
    pub(crate) fn renumbered(mut self, to: &mut impl Numbering) -> Use {
        match &mut self.kind {
            UseKind::Name { value: node, .. }
            | UseKind::Call(node)
            | UseKind::Keyword { call: node, .. }
            | UseKind::Operator(node)
            | UseKind::Truth(node)
            | UseKind::Iterate { value: node, .. }
            | UseKind::With { value: node, .. }
            | UseKind::Await(node)
            | UseKind::Raise(node)
            | UseKind::Text(node) => *node = to.node(*node),
            UseKind::Attr { base, value, .. } => {
                *base = to.node(*base);
                *value = to.node(*value);
            }
            UseKind::SubscriptStore {
                base, index, value, ..
            } => {
                *base = to.node(*base);
                *index = to.node(*index);
                *value = to.node(*value);
            }
            UseKind::Decorate { value, .. } | UseKind::TextStart { value, .. } => {
                *value = to.node(*value);
            }
            UseKind::ClassStatement(_)
            | UseKind::Import { .. }
            | UseKind::ImportedModule(_)
            | UseKind::All(_) => {}
        }
        self
    }
}

const SEED: u32 = 0x811c_9dc5;

/// FNV-1a with a final mix: the same on every machine. `around` is the hash of the parent's
/// qualified name.
fn hash(around: u32, name: &str) -> u32 {
    let hash = name.bytes().fold(around ^ SEED, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    (hash ^ (hash >> 15)).wrapping_mul(0x2c1b_3c6d)
}
