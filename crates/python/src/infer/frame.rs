//! An item with the values of its nodes: the input of all rules of evaluation. The evaluation itself
//! is in [`super::evaluate`].

use std::sync::Arc;

use codeweft_db::{Db, File, SymbolId, Unit};
use codeweft_python_syntax::{Code, ItemKind, Items, NONE, Node, NodeId, Range};

use super::builtins::{builtin_class, object_class};
use super::memo::{FileMemo, cached};
use crate::declared::{file_symbols, items, module_of};
use crate::function_parts::FunctionPart;
use crate::values::{Class, Shape, Value, Values, value};

/// An item, the code that evaluates it, and the values of its nodes.
pub(crate) struct Frame<'a> {
    pub(crate) db: &'a dyn Db,
    pub(crate) file: File,
    pub(crate) unit: Option<Unit>,
    pub(crate) items: &'a Items,
    /// The number of the item.
    pub(crate) item: u32,
    pub(crate) code: &'a Code,
    pub(crate) symbols: Arc<[SymbolId]>,
    /// The nodes of the item.
    pub(super) range: Range,
    /// The nodes whose values are kept, ascending; empty if all nodes of `range` are.
    pub(super) kept: Vec<NodeId>,
    pub(super) values: Vec<Values>,
    unknown: Values,
    pub(super) memo: Option<&'a FileMemo>,
}

impl<'a> Frame<'a> {
    /// Returns a frame over the expressions of an item that the file's items keep (defaults,
    /// annotations, decorators, results), without its body.
    pub(crate) fn of_items(db: &'a dyn Db, file: File, item: u32) -> Frame<'a> {
        let items = items(db, file).unwrap_or_else(|| no_items());
        let range = items
            .items
            .get(item as usize)
            .map(|item| item.nodes)
            .unwrap_or_default();
        Frame::new(db, file, items, item, &items.code, range)
    }

    /// Returns a frame over the header or the body of a function by itself.
    pub(crate) fn of_part(db: &'a dyn Db, part: &'a FunctionPart) -> Frame<'a> {
        let (items, item) = (&part.cut.items, part.cut.evaluated_by);
        let evaluating = items.items.get(item as usize);
        Frame {
            db,
            file: part.file,
            unit: module_of(db, part.file).map(|(unit, _)| unit),
            items,
            item,
            code: &items.code,
            symbols: part.symbols.clone(),
            range: evaluating.map(|item| item.nodes).unwrap_or_default(),
            kept: Vec::new(),
            values: Vec::new(),
            unknown: Values::unknown(),
            memo: None,
        }
    }

    /// Returns a frame over the body of an item.
    pub(crate) fn new(
        db: &'a dyn Db,
        file: File,
        items: &'a Items,
        item: u32,
        code: &'a Code,
        range: Range,
    ) -> Frame<'a> {
        Frame {
            db,
            file,
            unit: module_of(db, file).map(|(unit, _)| unit),
            items,
            item,
            code,
            symbols: file_symbols(db, file),
            range,
            kept: Vec::new(),
            values: Vec::new(),
            unknown: Values::unknown(),
            memo: None,
        }
    }

    /// Returns the frame with a lookup cache that is shared with other frames of its file.
    pub(crate) fn sharing(mut self, memo: &'a FileMemo) -> Frame<'a> {
        self.memo = Some(memo);
        self
    }

    /// Returns the symbol of the item.
    pub(crate) fn symbol(&self) -> Option<SymbolId> {
        self.symbols.get(self.item as usize).copied()
    }

    /// Returns the class of the method that this item is or is nested in.
    pub(crate) fn enclosing_class(&self) -> Option<SymbolId> {
        let mut item = self.item;
        loop {
            let declared = self.items.items.get(item as usize)?;
            let parent = self.items.items.get(declared.parent as usize)?;
            if parent.kind == ItemKind::Class && declared.kind != ItemKind::Class {
                return self.symbols.get(declared.parent as usize).copied();
            }
            item = declared.parent;
        }
    }

    /// Returns the values of an evaluated node; unknown for any other.
    pub(crate) fn node(&self, node: NodeId) -> &Values {
        let at = if self.is_whole() {
            node.checked_sub(self.range.start).map(|at| at as usize)
        } else {
            self.kept.binary_search(&node).ok()
        };
        match at {
            Some(at) if node != 0 && node != NONE => self.values.get(at).unwrap_or(&self.unknown),
            _ => &self.unknown,
        }
    }

    /// Returns whether the values of all nodes in the range are kept.
    pub(super) fn is_whole(&self) -> bool {
        self.kept.is_empty()
    }

    /// Returns the node by its number.
    pub(crate) fn kind(&self, node: NodeId) -> Node {
        self.code
            .nodes
            .get(node as usize)
            .copied()
            .unwrap_or(Node::Opaque)
    }

    /// Returns a class of the builtins.
    pub(super) fn builtin_class(&self, unit: Unit, name: &'static str) -> SymbolId {
        cached(self.memo.map(|memo| &memo.builtins), name, || {
            builtin_class(self.db, unit, name)
        })
    }

    /// Returns the class `object` as seen by the file; `None` without the model of the builtins.
    pub(crate) fn object_class(&self) -> Option<SymbolId> {
        cached(self.memo.map(|memo| &memo.object_class), (), || {
            object_class(self.db, self.file)
        })
    }

    /// Returns an instance of a builtin class.
    pub(crate) fn object(&self, name: &'static str) -> Values {
        cached(self.memo.map(|memo| &memo.objects), name, || {
            self.container(name, Vec::new())
        })
    }

    /// Returns an instance of a builtin class with type arguments.
    pub(crate) fn container(&self, name: &'static str, args: Vec<Values>) -> Values {
        let Some(unit) = self.unit else {
            return Values::unknown();
        };
        let class = Class {
            symbol: self.builtin_class(unit, name),
            args: args.into(),
        };
        Values::of(self.db, Shape::Instance { class, exact: true })
    }
}

/// Returns an instance of a class or a subclass.
pub(crate) fn object(db: &dyn Db, class: SymbolId) -> Value {
    value(
        db,
        Shape::Instance {
            class: Class::plain(class),
            exact: false,
        },
    )
}

/// Returns the value `None`.
pub(crate) fn value_of_none(db: &dyn Db) -> Value {
    value(db, Shape::None)
}

fn no_items() -> &'static Items {
    static NONE: std::sync::OnceLock<Items> = std::sync::OnceLock::new();
    NONE.get_or_init(Items::default)
}
