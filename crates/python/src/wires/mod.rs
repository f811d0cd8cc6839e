//! The values, calls and writes of a file: a walk over the nodes of its bodies.
//!
//! The flow of local values is in the nodes already; names of other scopes are resolved as uses resolve them, without
//! inference of types. What a method is called on is known where the uses of the file know it.

mod names;
mod nodes;
mod uses;

use std::sync::Arc;

use codeweft_db::{
    Bodies, Db, File, FileUses, FileWires, NameId, RECEIVER, Ranges, Resolution, SymbolClass,
    SymbolId, ValueId, WireBuilder, WireFunction, WireParameter, WireValue, text_queries,
};
use codeweft_python_syntax::{
    self as python, AsPython as _, BindingKind, Code, ItemKind, Items, NONE, NodeId, ParamKind,
    UseKind,
};
use rustc_hash::FxHashMap;

use crate::declared::{file_symbols, items};
use crate::index;
use crate::recursion::on_enough_stack;

text_queries! {
    saved {
        /// Returns the values, calls and writes of a file.
        #[salsa::tracked(returns(clone), lru = 1024)]
        pub fn py_file_wires(db: &dyn Db, file: File) -> Arc<FileWires> {
            let bodies = codeweft_db::saved::file_bodies(db, file);
            let ranges = codeweft_db::saved::file_ranges(db, file);
            let uses = index::saved::file_uses(db, file);
            let text = file.saved_text(db);
            on_enough_stack(|| Arc::new(walk(db, file, text, (&bodies, &ranges), &uses)))
        }
    }
    edited {
        /// Returns the values, calls and writes of a file.
        #[salsa::tracked(returns(clone), lru = 1024)]
        pub fn py_file_wires(db: &dyn Db, file: File) -> Arc<FileWires> {
            let bodies = codeweft_db::file_bodies(db, file);
            let ranges = codeweft_db::file_ranges(db, file);
            let uses = index::file_uses(db, file);
            let text = file.text(db);
            on_enough_stack(|| Arc::new(walk(db, file, text, (&bodies, &ranges), &uses)))
        }
    }
    both {}
    /// Returns the values, calls and writes of a file.
    fn py_file_wires(File) -> Arc<FileWires>;
}

/// A walk over a file.
struct WireWalk<'a> {
    db: &'a dyn Db,
    file: File,
    text: &'a str,
    ranges: &'a Ranges,
    items: &'a Items,
    bodies: &'a python::Bodies,
    symbols: Arc<[SymbolId]>,
    /// What the uses know of a token, by body and token: `None` if it may be several declarations.
    known: FxHashMap<(u32, u32), Option<SymbolId>>,
    /// The item whose nodes are walked.
    item: u32,
    /// The values of the nodes of the bodies and of the items.
    of_bodies: FxHashMap<NodeId, ValueId>,
    of_items: FxHashMap<NodeId, ValueId>,
    /// Whether the nodes that are walked are those of the items.
    in_items: bool,
    /// The tokens of the strings that give a node of the bodies its value, in text order.
    texts: FxHashMap<NodeId, Vec<u32>>,
    /// The tokens of calls and attributes, by node of the bodies.
    tokens: FxHashMap<NodeId, u32>,
    /// The values that functions bind their names to: the scope, the name, the item and node.
    bound: FxHashMap<(u32, NameId), Vec<(u32, NodeId)>>,
    /// The local variables that nested functions read.
    captured: FxHashMap<(u32, NameId), ValueId>,
    builder: WireBuilder,
}

fn walk(
    db: &dyn Db,
    file: File,
    text: &str,
    (bodies, ranges): (&Bodies, &Ranges),
    uses: &FileUses,
) -> FileWires {
    let (Some(items), Some(bodies)) = (items(db, file), bodies.python()) else {
        return FileWires::default();
    };
    let mut known: FxHashMap<(u32, u32), Option<SymbolId>> = FxHashMap::default();
    for (symbol, uses) in uses.iter() {
        for one in uses {
            let is_sure = matches!(one.resolution, Resolution::Exact | Resolution::Value);
            let entry = known.entry((one.body, one.occ)).or_insert(Some(symbol));
            if !is_sure || *entry != Some(symbol) {
                *entry = None;
            }
        }
    }
    let mut walk = WireWalk {
        db,
        file,
        text: text.strip_prefix('\u{feff}').unwrap_or(text),
        ranges,
        items,
        bodies,
        symbols: file_symbols(db, file),
        known,
        item: 0,
        of_bodies: FxHashMap::default(),
        of_items: FxHashMap::default(),
        in_items: false,
        texts: FxHashMap::default(),
        tokens: FxHashMap::default(),
        bound: FxHashMap::default(),
        captured: FxHashMap::default(),
        builder: WireBuilder::default(),
    };
    walk.index_uses();
    walk.functions();
    walk.types();
    for item in 0..items.items.len() as u32 {
        db.unwind_query_if_cancelled();
        walk.body(item);
    }
    walk.builder.finish()
}

impl<'a> WireWalk<'a> {
    fn code(&self) -> &'a Code {
        if self.in_items {
            &self.items.code
        } else {
            &self.bodies.code
        }
    }

    fn uses_of(&self, item: u32) -> &'a [python::Use] {
        let body = self.bodies.bodies.get(item as usize);
        let uses = body.and_then(|body| self.bodies.uses.get(body.uses.iter()));
        uses.unwrap_or(&[])
    }

    /// Notes the tokens of nodes, and what names are bound to.
    fn index_uses(&mut self) {
        for item in 0..self.bodies.bodies.len() as u32 {
            for one in self.uses_of(item) {
                match one.kind {
                    UseKind::Text(node) => self.texts.entry(node).or_default().push(one.tok),
                    UseKind::Call(node) => {
                        self.tokens.insert(node, one.tok);
                    }
                    UseKind::Attr { value, .. } if value != NONE && value != 0 => {
                        self.tokens.entry(value).or_insert(one.tok);
                    }
                    UseKind::Name {
                        scope,
                        name,
                        access: python::Access::Store,
                        value,
                        ..
                    } if value != NONE => {
                        self.bound
                            .entry((scope, name))
                            .or_default()
                            .push((item, value));
                    }
                    _ => {}
                }
            }
        }
    }

    /// Adds a function for each item, of the same number.
    fn functions(&mut self) {
        let empty = self.db.shared().names.intern("");
        let first = self.symbols.first().copied();
        for (number, item) in self.items.items.iter().enumerate() {
            let symbol = self.symbols.get(number).copied().or(first);
            let Some(symbol) = symbol else {
                continue;
            };
            let is_method = self.class_of_method(number as u32).is_some();
            let class = self.class_of_method(number as u32);
            let receiver = class.and_then(|class| self.symbols.get(class as usize).copied());
            let receiver = receiver.map_or(0, |class| self.builder.add(WireValue::Declared(class)));
            let params = self.items.params.get(item.params.iter()).unwrap_or(&[]);
            let mut parameters = Vec::with_capacity(params.len());
            for param in params.iter().skip(usize::from(is_method)) {
                let (declared, default) = self.in_header(item.parent, |walk| {
                    (
                        walk.optional(param.annotation),
                        walk.optional(param.default),
                    )
                });
                parameters.push(WireParameter {
                    name: match param.kind {
                        ParamKind::PositionalOnly | ParamKind::DoubleStar => empty,
                        _ => param.name,
                    },
                    declared,
                    default,
                    is_variadic: param.kind == ParamKind::Star,
                });
            }
            self.builder.add_function(WireFunction {
                symbol,
                is_named: item.kind == ItemKind::Function,
                around: match item.parent {
                    NONE => 0,
                    parent => parent,
                },
                parameters: parameters.into(),
                receiver,
                returns: Box::default(),
            });
            for &base in &item.bases {
                let base = self.in_header(item.parent, |walk| walk.node(base));
                if base != 0 {
                    self.builder.bases.push((symbol, base));
                }
            }
        }
    }

    /// Adds the types that annotations give the variables of modules and classes.
    fn types(&mut self) {
        for (scope, item) in (0..).zip(&self.items.items) {
            let bindings = self.items.bindings.get(item.bindings.iter()).unwrap_or(&[]);
            for binding in bindings {
                let BindingKind::Value { annotation, .. } = binding.kind else {
                    continue;
                };
                let symbol = self.stored_name(scope, binding.name);
                let Some(symbol) = symbol.filter(|_| annotation != NONE) else {
                    continue;
                };
                let class = self.in_header(binding.owner, |walk| walk.node(annotation));
                if class != 0 {
                    self.builder.types.push((symbol, class));
                }
            }
        }
    }

    /// Runs `work` over nodes of the items that `item` evaluates.
    fn in_header<T>(&mut self, item: u32, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = (self.in_items, self.item);
        (self.in_items, self.item) = (true, if item == NONE { 0 } else { item });
        let result = work(self);
        (self.in_items, self.item) = before;
        result
    }

    fn optional(&mut self, node: NodeId) -> ValueId {
        if node == NONE { 0 } else { self.node(node) }
    }

    /// Returns the class whose method an item is, if it has a receiver.
    fn class_of_method(&self, number: u32) -> Option<u32> {
        let item = self.items.items.get(number as usize)?;
        let class = self.items.items.get(item.parent as usize)?;
        let is_method = item.kind == ItemKind::Function && class.kind == ItemKind::Class;
        let names = &self.db.shared().names;
        let code = &self.items.code;
        let is_static = item.decorators.iter().any(|&decorator| {
            matches!(code.nodes.get(decorator as usize), Some(&python::Node::Global(name)) if names.text(name) == "staticmethod")
        });
        (is_method && !is_static && !item.params.iter().is_empty()).then_some(item.parent)
    }

    /// Returns the value of parameter `number` of an item, with the receiver as its first.
    fn parameter(&mut self, item: u32, number: u32) -> ValueId {
        let number = match (self.class_of_method(item), number) {
            (Some(_), 0) => RECEIVER,
            (Some(_), number) => number - 1,
            (None, number) => number,
        };
        self.builder.add(WireValue::Parameter {
            function: item,
            number,
        })
    }

    fn class(&self, symbol: SymbolId) -> SymbolClass {
        self.db.shared().symbols.key(symbol).class
    }
}
