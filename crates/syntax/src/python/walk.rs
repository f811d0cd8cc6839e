//! The state of lowering one text: the body at hand, the arena that fills, what belongs to the
//! items.

use rustc_hash::{FxHashMap, FxHashSet};

use super::flat::{Flat, FlatIndex};
use super::flow::{Env, LoopExits, UNBOUND};
use super::ir::*;
use super::kinds::PythonKind;
use super::resolve::NameBinding;
use super::scopes::{Scope, Scopes};
use super::words::SourceNames;
use crate::{NameId, Span};

/// Nesting beyond this many expressions and statements inside each other is cut.
const MAX_DEPTH: u32 = 256;

/// `stop` is asked once in this many expressions and statements.
const POLL_EVERY: u32 = 1024;

/// A binding in the making.
pub(super) struct BindingDraft {
    /// The scope that the name belongs to.
    pub(super) scope: u32,
    /// Where the name stands.
    pub(super) offset: u32,
    /// Whether it is a target of a comprehension, which only nested scopes can see.
    pub(super) comprehended: bool,
    /// Its token is filled in at the end.
    pub(super) binding: Binding,
}

/// A target of a comprehension.
#[derive(Clone, Copy, Debug)]
pub(super) struct ComprehensionTarget {
    pub(super) name: NameId,
    pub(super) slot: u32,
    /// The comprehension as a scope.
    pub(super) comprehension: u32,
}

/// What lowering knows of an item beside its scope.
#[derive(Default)]
pub(super) struct ItemDraft {
    pub(super) decorators: Vec<NodeId>,
    pub(super) type_params: Vec<(NameId, NodeId)>,
    /// Annotation and default of each parameter.
    pub(super) params: Vec<(NodeId, NodeId)>,
    pub(super) returns: Option<NodeId>,
    pub(super) bases: Vec<NodeId>,
    /// Where the last name of each base stands.
    pub(super) base_offsets: Vec<u32>,
    pub(super) keywords: Vec<(NameId, NodeId)>,
    pub(super) results: Vec<NodeId>,
    pub(super) yields: Vec<NodeId>,
    pub(super) flags: Flags,
    /// Whether its first argument is not bound: a static method.
    pub(super) is_static: bool,
}

/// Lowering of one text.
pub(super) struct PythonLowering<'t, 'e> {
    pub(super) words: SourceNames<'t>,
    pub(super) flat: Flat,
    pub(super) scopes: Scopes<'t>,
    pub(super) stop: &'e dyn Fn() -> bool,

    // The arena.
    pub(super) nodes: Vec<Node>,
    /// Of the body at hand.
    known: FxHashMap<Node, NodeId>,
    list_starts: Vec<u32>,
    list_items: Vec<NodeId>,
    pub(super) calls: Vec<Call>,
    uses: Vec<Use>,
    body_tokens: Vec<u32>,
    bodies: Vec<Body>,
    pub(super) body_spans: Vec<Span>,

    // The body at hand. Its uses have offsets for tokens until it ends.
    pub(super) item: u32,
    pub(super) env: Env,
    pub(super) guard: Guard,
    open_uses: Vec<Use>,
    pub(super) loops: Vec<LoopExits>,
    pub(super) tries: Vec<Vec<(u32, NodeId)>>,
    /// Targets of the comprehensions around, innermost last.
    pub(super) shadows: Vec<ComprehensionTarget>,
    /// The innermost of them as a scope.
    pub(super) comprehension: u32,
    /// How many comprehensions are around, where the names of a class are out of sight.
    pub(super) comprehensions: u32,
    /// The item whose type parameters are in sight: of the declaration at hand.
    pub(super) declared: Option<u32>,
    /// The `type` statement at hand as a scope, and its type parameters.
    pub(super) alias: Option<(u32, Vec<NameId>)>,
    /// The part of a declaration at hand.
    pub(super) role: TypeRole,
    /// Whether an annotation is at hand, whose names do not follow the flow.
    pub(super) in_type: bool,
    pub(super) found: FxHashMap<NameId, NameBinding>,

    // Of the items.
    pub(super) drafts: Vec<ItemDraft>,
    pub(super) bindings: Vec<BindingDraft>,
    /// Stores with their offsets; tokens are filled in at the end.
    pub(super) stores: Vec<(u32, Store)>,
    pub(super) all: Vec<AllChange>,
    pub(super) captured: FxHashSet<(u32, NameId)>,
    /// Which special methods the syntax stands for: see [`super::implied`].
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
        let room = flat.len() as usize / 2;
        let has_errors = !flat.errors.is_empty();
        let count = scopes.all.len();
        let mut drafts = Vec::new();
        drafts.resize_with(count, ItemDraft::default);
        let mut nodes = Vec::with_capacity(room);
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
            uses: Vec::with_capacity(room),
            body_tokens: Vec::with_capacity(room),
            bodies: Vec::with_capacity(count),
            body_spans: Vec::with_capacity(count),
            item: 0,
            env: Env::default(),
            guard: Guard::None,
            open_uses: Vec::new(),
            loops: Vec::new(),
            tries: Vec::new(),
            shadows: Vec::new(),
            comprehension: NONE,
            comprehensions: 0,
            declared: None,
            alias: None,
            role: TypeRole::None,
            in_type: false,
            found: FxHashMap::default(),
            drafts,
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

    /// The scope of the body at hand.
    pub(super) fn scope(&self) -> &Scope<'t> {
        &self.scopes.all[self.item as usize]
    }

    /// What is known of the item at hand.
    pub(super) fn draft(&mut self) -> &mut ItemDraft {
        &mut self.drafts[self.item as usize]
    }

    pub(super) fn kind(&self, at: FlatIndex) -> PythonKind {
        self.flat.kind(at)
    }

    /// The children of a node.
    pub(super) fn children(&self, at: FlatIndex) -> Vec<FlatIndex> {
        self.flat.children(at).collect()
    }

    /// The text of a node.
    pub(super) fn text(&self, at: FlatIndex) -> &'t str {
        self.words.of(&self.flat, at)
    }

    /// The offset where a node begins.
    pub(super) fn start(&self, at: FlatIndex) -> u32 {
        self.flat.node(at).start
    }

    /// Where the last byte of a node stands: what is run on the value of an expression, when all
    /// of it has been evaluated. No callee's name starts there.
    pub(super) fn last_byte(&self, at: FlatIndex) -> u32 {
        let node = self.flat.node(at);
        node.end.saturating_sub(1).max(node.start)
    }

    /// The number of the name at an identifier, mangled.
    pub(super) fn name(&mut self, at: FlatIndex) -> NameId {
        let text = self.text(at);
        let class = self.scope().class;
        self.words.in_class(text, class)
    }

    /// The node of the body at hand, made if it is not there yet: equal nodes are one, but for
    /// calls, and for those with lists.
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

    /// The nodes of a list.
    pub(super) fn list_of(&self, list: ListId) -> &[NodeId] {
        let list = list as usize;
        let (start, end) = (self.list_starts[list], self.list_starts[list + 1]);
        &self.list_items[start as usize..end as usize]
    }

    /// Notes a use at an offset.
    pub(super) fn note(&mut self, offset: u32, kind: UseKind) {
        self.open_uses.push(Use { tok: offset, kind });
    }

    /// Counts one expression or statement and asks `stop` now and then; `true`: give up.
    pub(super) fn tick(&mut self) -> bool {
        self.until_poll -= 1;
        if self.until_poll == 0 {
            self.until_poll = POLL_EVERY;
            self.stopped |= (self.stop)();
        }
        self.stopped
    }

    /// Runs `inner` one level deeper; gives `None` where nesting is cut or lowering stops.
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

    /// Lowers the bodies of all items, the module's from the trees with these roots.
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
        self.tries.clear();
        self.shadows.clear();
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
                self.draft().results.push(value);
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

    /// Numbers the tokens of the body at hand and files its uses.
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
        self.bodies.push(Body {
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

    /// The finished bodies and the offsets of their tokens.
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

/// Empties a map, and keeps its room where that is small: emptying goes through all of it.
fn empty<K, V>(map: &mut FxHashMap<K, V>) {
    if map.capacity() > 512 {
        *map = FxHashMap::default();
    } else {
        map.clear();
    }
}
