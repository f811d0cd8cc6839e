//! One declaration by itself: its header or its body with numbers of their own.
//!
//! The numbers of [`Items`] count from the start of the file, so a function that is added changes
//! those of everything behind it. A [`Cut`] has only what the header or the body of one item is
//! computed from, and counts from its own start: it is equal as long as the declaration means the
//! same, wherever it is.
//!
//! ```python
//! def added(): ...     # item 1
//! def f(x=default):    # item 2, its nodes begin at 2; in a cut item 1, whose nodes begin at 1
//!     return g(x)
//! ```

use super::chunks::CodeCopy;
use super::ir::*;

/// A part of an item that is evaluated by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ItemPart {
    /// Decorators, type parameters, parameters, annotations and bases: evaluated by the item's
    /// parent.
    Header,
    /// Results and yielded values, with the flags of the function: evaluated by the item.
    Body,
}

/// A part of an item with what it is computed from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cut {
    /// The item, those that its nodes refer to, and the parents of all of them; the module is 0. Of
    /// the others only kind, name, names of type parameters, and whether there are decorators are
    /// kept.
    pub items: Items,
    /// The number of the item.
    pub item: u32,
    /// The number of the item whose code evaluates the part: it has all nodes.
    pub evaluated_by: u32,
}

impl Items {
    /// Returns a part of an item by itself, and the number here of each item there; `None` for the
    /// module.
    pub fn cut(&self, item: u32, part: ItemPart) -> Option<(Cut, Vec<u32>)> {
        let declared = self.items.get(item as usize)?;
        let parent = self.items.get(declared.parent as usize)?;
        let (evaluated_by, range) = match part {
            ItemPart::Header => (declared.parent, parent.nodes),
            ItemPart::Body => (item, declared.nodes),
        };
        let kept = self.reached(&self.roots(declared, part), range);
        let numbers = self.mentioned(&kept, item);
        let number_of = |item: u32| numbers.binary_search(&item).map_or(NONE, |at| at as u32);
        let node_of = |node: NodeId| match kept.binary_search(&node) {
            Ok(at) => at as NodeId + 1,
            Err(_) if node == NONE => NONE,
            Err(_) => 0,
        };

        let mut copy = CodeCopy::new(&self.code, node_of);
        let mut nodes = vec![Node::Opaque];
        nodes.extend(kept.iter().map(|&node| {
            let node = self.code.nodes.get(node as usize);
            let node = node.copied().unwrap_or(Node::Opaque).renumbered(&mut copy);
            with_items(node, number_of)
        }));
        let code = copy.finish(nodes);

        let others = numbers.iter().filter_map(|&number| {
            let other = self.items.get(number as usize)?;
            let mut outline = outline(other, number_of(other.parent));
            if number == evaluated_by {
                outline.nodes = Range {
                    start: 1,
                    end: kept.len() as u32 + 1,
                };
            }
            Some(outline)
        });
        let mut items: Vec<Item> = others.collect();
        let own = items.get_mut(number_of(item) as usize)?;
        let mut params: Box<[Param]> = Box::default();
        match part {
            ItemPart::Header => {
                let all = self.params.get(declared.params.iter()).unwrap_or_default();
                params = all.iter().map(|param| with_nodes(param, node_of)).collect();
                own.params.end = params.len() as u32;
                own.decorators = declared.decorators.iter().map(|&at| node_of(at)).collect();
                own.bases = declared.bases.iter().map(|&at| node_of(at)).collect();
                own.returns = node_of(declared.returns);
                let named = |&(name, at): &(_, NodeId)| (name, node_of(at));
                own.type_params = declared.type_params.iter().map(named).collect();
                own.keywords = declared.keywords.iter().map(named).collect();
            }
            ItemPart::Body => {
                own.results = declared.results.iter().map(|&at| node_of(at)).collect();
                own.yields = declared.yields.iter().map(|&at| node_of(at)).collect();
                own.flags = declared.flags;
            }
        }
        let cut = Cut {
            items: Items {
                items: items.into(),
                params,
                code,
                ..Items::default()
            },
            item: number_of(item),
            evaluated_by: number_of(evaluated_by),
        };
        Some((cut, numbers))
    }

    /// Returns the nodes that a part of an item refers to.
    fn roots(&self, item: &Item, part: ItemPart) -> Vec<NodeId> {
        let mut roots = Vec::new();
        match part {
            ItemPart::Header => {
                let params = self.params.get(item.params.iter()).unwrap_or_default();
                roots.extend(params.iter().flat_map(|one| [one.annotation, one.default]));
                roots.extend(item.decorators.iter().chain(&item.bases));
                roots.push(item.returns);
                let named = item.type_params.iter().chain(&item.keywords);
                roots.extend(named.map(|&(_, node)| node));
            }
            ItemPart::Body => roots.extend(item.results.iter().chain(&item.yields)),
        }
        roots
    }

    /// Returns the nodes of a range that roots reach, ascending.
    fn reached(&self, roots: &[NodeId], range: Range) -> Vec<NodeId> {
        let mut seen = vec![false; range.iter().len()];
        let mut pending = roots.to_vec();
        while let Some(node) = pending.pop() {
            if node == 0 || !range.contains(node) {
                continue;
            }
            if let Some(seen) = seen.get_mut((node - range.start) as usize)
                && !std::mem::replace(seen, true)
            {
                self.code
                    .each_operand(node, |operand| pending.push(operand));
            }
        }
        let nodes = (range.start..range.end).zip(seen);
        nodes
            .filter_map(|(node, seen)| seen.then_some(node))
            .collect()
    }

    /// Returns the numbers of an item, those that nodes refer to, and their parents, ascending.
    fn mentioned(&self, nodes: &[NodeId], item: u32) -> Vec<u32> {
        let mut pending = vec![0, item];
        for &node in nodes {
            if let Some(&node) = self.code.nodes.get(node as usize) {
                with_items(node, |item| {
                    pending.push(item);
                    item
                });
            }
        }
        let mut found = Vec::new();
        while let Some(item) = pending.pop() {
            if let Some(declared) = self.items.get(item as usize)
                && !found.contains(&item)
            {
                found.push(item);
                pending.push(declared.parent);
            }
        }
        found.sort_unstable();
        found
    }
}

/// Returns a node with the numbers of items that it refers to replaced.
fn with_items(node: Node, mut number_of: impl FnMut(u32) -> u32) -> Node {
    match node {
        Node::Free { scope, name } => Node::Free {
            scope: number_of(scope),
            name,
        },
        Node::TypeParam { item, number } => Node::TypeParam {
            item: number_of(item),
            number,
        },
        Node::Item(item) => Node::Item(number_of(item)),
        Node::Decorated(item) => Node::Decorated(number_of(item)),
        Node::ClassCell(item) => Node::ClassCell(number_of(item)),
        _ => node,
    }
}

fn with_nodes(param: &Param, node_of: impl Fn(NodeId) -> NodeId) -> Param {
    Param {
        annotation: node_of(param.annotation),
        default: node_of(param.default),
        tok: NONE,
        ..*param
    }
}

/// Returns what a cut keeps of an item that is not its own.
fn outline(item: &Item, parent: u32) -> Item {
    let is_decorated = !item.decorators.is_empty();
    Item {
        parent,
        name: item.name,
        nth: 0,
        kind: item.kind,
        tok: NONE,
        decorators: vec![0; usize::from(is_decorated)].into(),
        type_params: item
            .type_params
            .iter()
            .map(|&(name, _)| (name, 0))
            .collect(),
        params: Range::default(),
        returns: NONE,
        bases: Box::default(),
        base_toks: Box::default(),
        keywords: Box::default(),
        nodes: Range::default(),
        bindings: Range::default(),
        results: Box::default(),
        yields: Box::default(),
        flags: Flags::default(),
        guard: Guard::None,
    }
}
