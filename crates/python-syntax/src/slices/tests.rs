use super::*;
use codeweft_syntax::Names;

/// A body under construction.
struct TestCode {
    names: Names,
    code: CodeBuilder,
}

impl TestCode {
    fn new() -> TestCode {
        TestCode {
            names: Names::default(),
            code: CodeBuilder {
                nodes: vec![Node::Opaque],
                list_starts: vec![0, 0],
                list_items: Vec::new(),
                calls: Vec::new(),
            },
        }
    }

    fn node(&mut self, node: Node) -> NodeId {
        self.code.nodes.push(node);
        self.code.nodes.len() as u32 - 1
    }

    fn global(&mut self, name: &str) -> NodeId {
        let name = self.names.intern(name);
        self.node(Node::Global(name))
    }

    fn list(&mut self, nodes: &[NodeId]) -> ListId {
        self.code.list_items.extend(nodes);
        self.code
            .list_starts
            .push(self.code.list_items.len() as u32);
        self.code.list_starts.len() as u32 - 2
    }

    fn call(&mut self, callee: NodeId, keywords: Vec<(NameId, NodeId)>) -> NodeId {
        let keywords = keywords.into();
        self.code.calls.push(Call {
            callee,
            positional: 0,
            keywords,
        });
        self.node(Node::Call(self.code.calls.len() as u32 - 1))
    }

    fn item(&self, parent: u32, kind: ItemKind) -> Item {
        Item {
            parent,
            name: self.names.intern(""),
            nth: 0,
            kind,
            tok: NONE,
            decorators: Box::default(),
            type_params: Box::default(),
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

    /// A module of the nodes below `module_end` around one function of the others, with the
    /// function's header and results.
    fn cut(self, module_end: u32, header: &[NodeId], results: &[NodeId]) -> Items {
        let module = self.item(NONE, ItemKind::Module);
        let mut function = self.item(0, ItemKind::Function);
        function.decorators = header.into();
        function.results = results.into();
        let end = self.code.nodes.len() as u32;
        let ranges = [(1, module_end), (module_end, end)];
        let bodies = ranges.map(|(start, end)| Body {
            nodes: Range { start, end },
            ..Body::default()
        });
        let whole = Items {
            items: [module, function].into(),
            ..Items::default()
        };
        let items = extract(whole, &self.code.finish(), &bodies);
        assert_eq!(items.misplaced_node(), None);
        items
    }
}

#[test]
fn headers_are_with_the_item_around_and_results_with_their_own() {
    let mut builder = TestCode::new();
    builder.global("unread");
    let decorator = builder.global("decorator");
    builder.global("unread");
    let module_end = builder.code.nodes.len() as u32;
    let base = builder.global("base");
    builder.global("unread");
    let name = builder.names.intern("name");
    let result = builder.node(Node::Attr { base, name });
    let items = builder.cut(module_end, &[decorator], &[result, 0, base]);
    let ranges: Vec<Range> = items.items.iter().map(|item| item.nodes).collect();
    assert_eq!(
        ranges,
        [Range { start: 1, end: 2 }, Range { start: 2, end: 4 }]
    );
    assert_eq!(*items.items[1].decorators, [1]);
    assert_eq!(*items.items[1].results, [3, 0, 2]);
    assert_eq!(items.code.nodes[3], Node::Attr { base: 2, name });
}

#[test]
fn back_edges_lists_and_calls_are_renumbered() {
    let mut builder = TestCode::new();
    let unread = builder.global("unread");
    builder.call(unread, Vec::new());
    builder.list(&[unread]);
    let callee = builder.global("callee");
    let list = builder.list(&[callee, 5]);
    let phi = builder.node(Node::Phi(list));
    let name = builder.names.intern("key");
    let call = builder.call(callee, vec![(name, phi)]);
    assert_eq!(call, 5, "the back edge of the list above");
    let items = builder.cut(1, &[], &[call]);
    assert_eq!(items.code.nodes.len(), 4);
    assert_eq!(items.code.nodes[2], Node::Phi(1));
    assert_eq!(items.code.list(0), [0; 0]);
    assert_eq!(items.code.list(1), [1, 3]);
    assert_eq!(items.code.nodes[3], Node::Call(0));
    let call = Call {
        callee: 1,
        positional: 0,
        keywords: [(name, 2)].into(),
    };
    assert_eq!(*items.code.calls, [call]);
}

#[test]
fn the_order_of_the_bodies_nodes_does_not_show() {
    let cut = |swapped: bool| {
        let mut builder = TestCode::new();
        let base = builder.global("base");
        let names = ["a", "b"].map(|name| builder.names.intern(name));
        let mut attr = |name| builder.node(Node::Attr { base, name });
        let (a, b) = if swapped {
            let b = attr(names[1]);
            (attr(names[0]), b)
        } else {
            (attr(names[0]), attr(names[1]))
        };
        // A join of a loop: it reaches itself through the element.
        let list = builder.list(&[a, 6]);
        let join = builder.node(Node::Phi(list));
        let _unread = builder.global("unread");
        let element = builder.node(Node::Iter(join));
        builder.cut(1, &[], &[a, b, element])
    };
    let items = cut(false);
    let swapped = cut(true);
    assert_eq!(items.code, swapped.code);
    assert_eq!(items.items, swapped.items);
}

#[test]
fn long_lists_and_keywords_end_in_something_unknown() {
    for (len, kept) in [(64, 64), (65, 63)] {
        let mut builder = TestCode::new();
        let element = builder.global("element");
        let list = builder.list(&vec![element; len]);
        let tuple = builder.node(Node::Tuple(list));
        let name = builder.names.intern("key");
        let call = builder.call(element, vec![(name, element); len]);
        let empty = builder.names.intern("");
        let items = builder.cut(1, &[], &[tuple, call]);
        let list = items.code.list(1);
        assert_eq!(list.len(), 64);
        assert_eq!(list.iter().filter(|&&node| node == 1).count(), kept);
        let keywords = &items.code.calls[0].keywords;
        assert_eq!(keywords.len(), 64);
        let is_last_unknown = keywords[63] == (empty, 0);
        assert_eq!(is_last_unknown, kept == 63);
        assert_eq!(list[63] == 0, kept == 63);
    }
}

#[test]
fn a_root_that_reaches_too_much_is_unknown_and_its_parts_are_not() {
    let mut builder = TestCode::new();
    let mut chain = vec![builder.global("first")];
    for _ in 0..MAX_REACH {
        let value = chain[chain.len() - 1];
        chain.push(builder.node(Node::Await(value)));
    }
    let (part, whole) = (chain[MAX_REACH - 1], chain[MAX_REACH]);
    let items = builder.cut(1, &[], &[whole, part]);
    assert_eq!(*items.items[1].results, [0, MAX_REACH as u32]);
    assert_eq!(items.code.nodes.len(), MAX_REACH + 1);
}
