//! The state of lowering one text: the current body, the arena under construction, and the data
//! collected for the items.
//!
//! [`PythonLowering::run`] lowers the bodies in the order of their items. Equal nodes of a body are
//! shared ([`PythonLowering::push`]), so `x.a` read twice with the same `x` is one node with two
//! uses.

use rustc_hash::{FxHashMap, FxHashSet};

use super::flat::{Flat, FlatIndex};
use super::flow::{Env, LoopExits, UNBOUND};
use super::ir::*;
use super::kinds::PythonKind;
use super::resolve::NameBinding;
use super::scopes::{Scope, Scopes};
use super::words::SourceNames;
use codeweft_syntax::{NameId, Span};

/// Expressions and statements nested deeper than this become opaque.
const MAX_DEPTH: u32 = 256;

/// `stop` is polled once in this many expressions and statements.
const POLL_EVERY: u32 = 1024;

/// A binding whose token is not numbered yet.
pub(super) struct PendingBinding {
    /// The scope that the name belongs to.
    pub(super) scope: u32,
    /// Offset of the name.
    pub(super) offset: u32,
    /// Whether it is a target of a comprehension, which only nested scopes can see.
    pub(super) comprehended: bool,
    /// The binding; its token is set at the end.
    pub(super) binding: Binding,
}

/// A target of an enclosing comprehension.
#[derive(Clone, Copy, Debug)]
pub(super) struct ComprehensionTarget {
    pub(super) name: NameId,
    pub(super) slot: u32,
    /// The comprehension as a scope number.
    pub(super) comprehension: u32,
}

/// The properties of an item that lowering collects, besides its scope.
#[derive(Default)]
pub(super) struct PendingItem {
    pub(super) decorators: Vec<NodeId>,
    pub(super) type_params: Vec<(NameId, NodeId)>,
    /// Annotation and default of each parameter.
    pub(super) params: Vec<(NodeId, NodeId)>,
    pub(super) returns: Option<NodeId>,
    pub(super) bases: Vec<NodeId>,
    /// Offset of the last name of each base.
    pub(super) base_offsets: Vec<u32>,
    pub(super) keywords: Vec<(NameId, NodeId)>,
    pub(super) results: Vec<NodeId>,
    pub(super) yields: Vec<NodeId>,
    pub(super) flags: Flags,
    /// Whether it is a static method, whose first parameter is not the instance.
    pub(super) is_static: bool,
}

/// The lowering of one text.
pub(super) struct PythonLowering<'t, 'e> {
    pub(super) words: SourceNames<'t>,
    pub(super) flat: Flat,
    pub(super) scopes: Scopes<'t>,
    pub(super) stop: &'e dyn Fn() -> bool,

    // The arenas of all bodies.
    pub(super) nodes: Vec<Node>,
    /// The nodes of the current body, to share equal ones.
    known: FxHashMap<Node, NodeId>,
    list_starts: Vec<u32>,
    list_items: Vec<NodeId>,
    pub(super) calls: Vec<Call>,
    uses: Vec<Use>,
    body_tokens: Vec<u32>,
    bodies: Vec<Body>,
    pub(super) body_spans: Vec<Span>,

    // The current body. Its uses have offsets instead of tokens until it ends.
    pub(super) item: u32,
    pub(super) env: Env,
    pub(super) guard: Guard,
    open_uses: Vec<Use>,
    pub(super) loops: Vec<LoopExits>,
    pub(super) try_logs: Vec<Vec<(u32, NodeId)>>,
    /// Targets of the enclosing comprehensions, innermost last.
    pub(super) comprehension_targets: Vec<ComprehensionTarget>,
    /// The innermost of them as a scope number.
    pub(super) comprehension: u32,
    /// Number of enclosing comprehensions in which the names of a class are invisible.
    pub(super) comprehensions: u32,
    /// The item whose type parameters are visible: that of the current declaration.
    pub(super) declared: Option<u32>,
    /// The current `type` statement as a scope number, and its type parameters.
    pub(super) alias: Option<(u32, Vec<NameId>)>,
    /// The part of a declaration that is being lowered.
    pub(super) role: TypeRole,
    /// Whether an annotation is being lowered, whose names do not follow the flow.
    pub(super) in_type: bool,
    pub(super) found: FxHashMap<NameId, NameBinding>,

    // Data of the items.
    pub(super) pending_items: Vec<PendingItem>,
    pub(super) bindings: Vec<PendingBinding>,
    /// Stores with their offsets; the tokens are set at the end.
    pub(super) stores: Vec<(u32, Store)>,
    pub(super) all: Vec<AllChange>,
    pub(super) captured: FxHashSet<(u32, NameId)>,
    /// The special methods that the syntax of the file may call; see [`super::implied`].
    pub(super) implied: u64,

    depth: u32,
    until_poll: u32,
    pub(super) stopped: bool,
    pub(super) cut: bool,
    /// Whether a tree has errors: only then are ERROR nodes looked for.
    pub(super) has_errors: bool,
}

impl<'t, 'e> PythonLowering<'t, 'e> {
    pub(super) fn new(
        words: SourceNames<'t>,
        flat: Flat,
        scopes: Scopes<'t>,
        stop: &'e dyn Fn() -> bool,
    ) -> Self {
        let capacity = flat.len() as usize / 2;
        let has_errors = !flat.errors.is_empty();
        let count = scopes.all.len();
        let mut pending_items = Vec::new();
        pending_items.resize_with(count, PendingItem::default);
        let mut nodes = Vec::with_capacity(capacity);
        nodes.push(Node::Opaque);
        PythonLowering {
            words,
            flat,
            scopes,
            stop,
            nodes,
            known: FxHashMap::default(),
            list_starts: vec![0, 0],
            list_items: Vec::new(),
            calls: Vec::new(),
            uses: Vec::with_capacity(capacity),
            body_tokens: Vec::with_capacity(capacity),
            bodies: Vec::with_capacity(count),
            body_spans: Vec::with_capacity(count),
            item: 0,
            env: Env::default(),
            guard: Guard::None,
            open_uses: Vec::new(),
            loops: Vec::new(),
            try_logs: Vec::new(),
            comprehension_targets: Vec::new(),
            comprehension: NONE,
            comprehensions: 0,
            declared: None,
            alias: None,
            role: TypeRole::None,
            in_type: false,
            found: FxHashMap::default(),
            pending_items,
            bindings: Vec::new(),
            stores: Vec::new(),
            all: Vec::new(),
            captured: FxHashSet::default(),
            implied: 0,
            depth: 0,
            until_poll: POLL_EVERY,
            stopped: false,
            cut: false,
            has_errors,
        }
    }

    /// Returns the scope of the current body.
    pub(super) fn scope(&self) -> &Scope<'t> {
        &self.scopes.all[self.item as usize]
    }

    /// Returns the collected properties of the current item.
    pub(super) fn pending_item(&mut self) -> &mut PendingItem {
        &mut self.pending_items[self.item as usize]
    }

    pub(super) fn kind(&self, at: FlatIndex) -> PythonKind {
        self.flat.kind(at)
    }

    /// Returns the children of a node.
    pub(super) fn children(&self, at: FlatIndex) -> Vec<FlatIndex> {
        self.flat.children(at).collect()
    }

    /// Returns the text of a node.
    pub(super) fn text(&self, at: FlatIndex) -> &'t str {
        self.words.of(&self.flat, at)
    }

    /// Returns the offset of the first byte of a node.
    pub(super) fn start(&self, at: FlatIndex) -> u32 {
        self.flat.node(at).start
    }

    /// Returns the offset of the last byte of a node: the position of operations that run on the
    /// value of an expression once it is evaluated. No name of a callee starts there.
    pub(super) fn last_byte(&self, at: FlatIndex) -> u32 {
        let node = self.flat.node(at);
        node.end.saturating_sub(1).max(node.start)
    }

    /// Interns the name at an identifier, mangled.
    pub(super) fn name(&mut self, at: FlatIndex) -> NameId {
        let text = self.text(at);
        let class = self.scope().class;
        self.words.in_class(text, class)
    }

    /// Returns the node of the current body, adding it if it is new. Equal nodes are shared, except
    /// for calls and nodes with lists.
    pub(super) fn push(&mut self, node: Node) -> NodeId {
        let id = self.nodes.len() as NodeId;
        let is_own = matches!(
            node,
            Node::Call(_)
                | Node::Phi(_)
                | Node::Union(_)
                | Node::Tuple(_)
                | Node::List(_)
                | Node::Set(_)
                | Node::Dict(_)
                | Node::Format(_)
        );
        if !is_own {
            let known = *self.known.entry(node).or_insert(id);
            if known != id {
                return known;
            }
        }
        self.nodes.push(node);
        id
    }

    pub(super) fn list(&mut self, items: &[NodeId]) -> ListId {
        if items.is_empty() {
            return 0;
        }
        let id = self.list_starts.len() as ListId - 1;
        self.list_items.extend_from_slice(items);
        self.list_starts.push(self.list_items.len() as u32);
        id
    }

    /// Returns the nodes of a list.
    pub(super) fn list_of(&self, list: ListId) -> &[NodeId] {
        let list = list as usize;
        let (start, end) = (self.list_starts[list], self.list_starts[list + 1]);
        &self.list_items[start as usize..end as usize]
    }

    /// Records a use at an offset.
    pub(super) fn record_use(&mut self, offset: u32, kind: UseKind) {
        self.open_uses.push(Use { tok: offset, kind });
    }

    /// Counts an expression or statement and polls `stop` now and then. Returns whether to give up.
    pub(super) fn tick(&mut self) -> bool {
        self.until_poll -= 1;
        if self.until_poll == 0 {
            self.until_poll = POLL_EVERY;
            self.stopped |= (self.stop)();
        }
        self.stopped
    }

    /// Runs `inner` one level deeper. Returns `None` at the depth limit, or if lowering was
    /// stopped.
    pub(super) fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.tick() {
            return None;
        }
        if self.depth >= MAX_DEPTH {
            self.cut = true;
            return None;
        }
        self.depth += 1;
        let result = stacker::maybe_grow(128 * 1024, 1024 * 1024, || inner(self));
        self.depth -= 1;
        Some(result)
    }

    /// Lowers the bodies of all items; `roots` are the trees of the module's body.
    pub(super) fn run(&mut self, roots: &[FlatIndex]) {
        for item in 0..self.scopes.all.len() as u32 {
            self.body(item, roots);
            if self.stopped {
                return;
            }
        }
    }

    fn body(&mut self, item: u32, roots: &[FlatIndex]) {
        self.item = item;
        empty(&mut self.found);
        empty(&mut self.known);
        self.loops.clear();
        self.try_logs.clear();
        self.comprehension_targets.clear();
        self.comprehensions = 0;
        self.declared = None;
        self.alias = None;
        self.role = TypeRole::None;
        self.in_type = false;
        let first_node = self.nodes.len() as u32;
        let scope = &self.scopes.all[item as usize];
        self.env = Env {
            values: vec![UNBOUND; scope.width as usize],
            dead: false,
        };
        self.guard = match scope.kind {
            ItemKind::Class => scope.guard,
            _ => Guard::None,
        };
        let (kind, body) = (scope.kind, scope.body);
        if scope.is_function() {
            self.enter_function();
        }
        match (kind, body) {
            (ItemKind::Module, _) => {
                for &root in roots {
                    self.block(root);
                }
            }
            (ItemKind::Lambda, Some(body)) => {
                let value = self.expr(body);
                self.pending_item().results.push(value);
            }
            (_, Some(body)) => {
                self.block(body);
                if kind == ItemKind::Function {
                    self.leave_function(body);
                }
            }
            _ => {}
        }
        let span = match (kind, body) {
            (ItemKind::Module, _) => Span {
                start: 0,
                end: self.words.text.len() as u32,
            },
            (_, Some(body)) => {
                let node = self.flat.node(body);
                Span {
                    start: node.start,
                    end: node.end,
                }
            }
            _ => Span::default(),
        };
        self.body_spans.push(span);
        self.close_body(first_node);
    }

    /// Numbers the tokens of the current body and stores its uses.
    fn close_body(&mut self, first_node: u32) {
        let first_tok = self.body_tokens.len() as Tok;
        let first_use = self.uses.len() as u32;
        self.open_uses.sort_by_key(|found| found.tok);
        for mut found in self.open_uses.drain(..) {
            let is_new = self.body_tokens.len() as Tok == first_tok
                || self.body_tokens.last() != Some(&found.tok);
            if is_new {
                self.body_tokens.push(found.tok);
            }
            found.tok = self.body_tokens.len() as Tok - 1 - first_tok;
            self.uses.push(found);
        }
        let pending = &self.pending_items[self.item as usize];
        let (results, yields) = (pending.results.clone(), pending.yields.clone());
        let (results, yields) = (self.list(&results), self.list(&yields));
        self.bodies.push(Body {
            results,
            yields,
            first_tok,
            nodes: Range {
                start: first_node,
                end: self.nodes.len() as u32,
            },
            uses: Range {
                start: first_use,
                end: self.uses.len() as u32,
            },
        });
    }

    /// Returns the finished bodies and the offsets of their tokens.
    pub(super) fn take_bodies(&mut self) -> (Bodies, Box<[u32]>) {
        let bodies = Bodies {
            code: Code {
                nodes: std::mem::take(&mut self.nodes).into(),
                list_starts: std::mem::take(&mut self.list_starts).into(),
                list_items: std::mem::take(&mut self.list_items).into(),
                calls: std::mem::take(&mut self.calls).into(),
            },
            uses: std::mem::take(&mut self.uses).into(),
            bodies: std::mem::take(&mut self.bodies).into(),
        };
        (bodies, std::mem::take(&mut self.body_tokens).into())
    }
}

/// Clears a map; replaces it if it is large, because clearing takes time in proportion to the
/// capacity.
fn empty<K, V>(map: &mut FxHashMap<K, V>) {
    if map.capacity() > 512 {
        *map = FxHashMap::default();
    } else {
        map.clear();
    }
}
