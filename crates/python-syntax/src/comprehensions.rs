//! Lowers comprehensions and generator expressions (Python reference, Displays for lists, sets and
//! dictionaries).
//!
//! ```python
//! [f(x) for x in xs if x]     # List[Call f(Narrow x)], where x is Iter(xs); inlined in the enclosing body
//! ```

use super::flat::FlatIndex;
use super::ir::*;
use super::kinds::{NodeField, PythonKind};
use super::walk::PythonLowering;

impl PythonLowering<'_, '_> {
    /// Lowers a comprehension or generator expression: its targets are visible inside it only, and
    /// its first iterable is evaluated outside (Python reference, Displays for lists, sets and
    /// dictionaries).
    pub(super) fn comprehension(&mut self, at: FlatIndex) -> NodeId {
        let before = self.env.clone();
        let comprehension_targets = self.comprehension_targets.len();
        let mut inside = false;
        for clause in self.children(at) {
            match self.kind(clause) {
                PythonKind::ForIn => {
                    let is_async = self.flat.first(clause, PythonKind::AsyncKeyword).is_some();
                    let rights: Vec<FlatIndex> = self
                        .flat
                        .children(clause)
                        .filter(|&part| self.flat.node(part).field == NodeField::Right)
                        .filter(|&part| self.kind(part).is_expr())
                        .collect();
                    let value = match rights[..] {
                        [only] => self.expr(only),
                        _ => {
                            let list = self.exprs(rights.iter().copied());
                            self.push(Node::Tuple(list))
                        }
                    };
                    if let Some(&first) = rights.first() {
                        self.iterate(first, value, is_async);
                    }
                    if !inside {
                        inside = true;
                        self.comprehensions += 1;
                    }
                    let element = self.element(value, is_async);
                    if let Some(left) = self.flat.field(clause, NodeField::Left) {
                        let own = self.scopes.comprehension(at);
                        let outer = std::mem::replace(&mut self.comprehension, own);
                        self.bind_comprehension_targets(left, element);
                        self.comprehension = outer;
                    }
                }
                PythonKind::IfClause => {
                    if let Some(test) = self.flat.first_expr(clause) {
                        self.test(test, false);
                    }
                }
                _ => {}
            }
        }
        let body = self.flat.field(at, NodeField::Body);
        let (key, value) = match body {
            Some(body) if self.kind(body) == PythonKind::Pair => self.pair(body),
            Some(body) if self.unpacks_mapping(body) => {
                let inner = self.flat.first_expr(body);
                let value = inner.map_or(0, |inner| self.expr(inner));
                (self.push(Node::Star(value)), 0)
            }
            Some(body) => (0, self.expr(body)),
            None => (0, 0),
        };
        if inside {
            self.comprehensions -= 1;
        }
        self.comprehension_targets.truncate(comprehension_targets);
        // Only bindings by `:=` outlive it.
        let after = std::mem::replace(&mut self.env, before);
        for slot in self.scope().bound_in(at, self.flat.node(at).next) {
            let at = slot as usize;
            if let (Some(&old), Some(&new)) = (self.env.values.get(at), after.values.get(at)) {
                self.env.values[at] = self.phi(&mut vec![old, new]);
            }
        }
        match self.kind(at) {
            PythonKind::DictComprehension => {
                let list = self.list(&[key, value]);
                self.push(Node::Dict(list))
            }
            PythonKind::Generator => self.push(Node::Generator(value)),
            PythonKind::SetComprehension if body.is_some_and(|body| self.unpacks_mapping(body)) => {
                let list = self.list(&[key, value]);
                self.push(Node::Dict(list))
            }
            kind => {
                let list = self.list(&[value]);
                self.push(if kind == PythonKind::SetComprehension {
                    Node::Set(list)
                } else {
                    Node::List(list)
                })
            }
        }
    }

    /// Returns whether an element of a comprehension is `**value` (PEP 798), of which the grammar
    /// sees only the second star.
    fn unpacks_mapping(&self, at: FlatIndex) -> bool {
        let start = self.start(at);
        self.kind(at) == PythonKind::ListSplat
            && self.words.slice(start.saturating_sub(1), start) == "*"
    }

    /// Adds an element of the iteration over a value.
    pub(super) fn element(&mut self, value: NodeId, is_async: bool) -> NodeId {
        self.push(if is_async {
            Node::AsyncIter(value)
        } else {
            Node::Iter(value)
        })
    }
}
