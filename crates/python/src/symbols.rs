//! The declarations of a unit as rows: modules, the items and variables that they declare, and
//! attributes.

use std::sync::Arc;

use codeweft_db::{Db, NONE, NameId, NodeKind, SymbolId, SymbolRow, Unit, UnitSymbols};
use codeweft_python_syntax::{Binding, BindingKind, Item, ItemKind, Items, Store};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::declared::{file_symbols, items};
use crate::imported_names::{ImportedNames, KnownName};
use crate::infer::variable_symbol;
use crate::modules::py_modules;
use crate::overloads::Overloads;

/// Returns the declarations of a unit: each module with its classes, functions, methods and lambdas
/// at any depth, module variables, and the attributes of classes and their instances. A module and
/// its stub share rows, so do a function and its overloads.
///
/// In the row of a variable or attribute, `field` is the number of its binding, or the number of
/// bindings plus that of its store; `item` is the scope.
#[salsa::tracked(returns(clone))]
pub fn py_symbols(db: &dyn Db, unit: Unit) -> Arc<UnitSymbols> {
    let names = &db.shared().names;
    let mut rows = Vec::new();
    for module in &py_modules(db, unit).modules {
        rows.push(SymbolRow {
            symbol: module.symbol,
            name: module.name,
            parent: NONE,
            kind: NodeKind::Package,
            public: names.text(module.name).split('.').all(is_public),
            file: module.file,
            item: NONE,
            field: NONE,
            tok: NONE,
        });
        if let Some(&file) = unit.files(db).get(module.file as usize)
            && let Some(items) = items(db, file)
        {
            let mut builder = SymbolRowBuilder {
                db,
                number: module.file,
                items,
                overloads: Overloads::of_file(db, file, items),
                symbols: &file_symbols(db, file),
                known_names: ImportedNames::of_file(db, file),
                row_of_item: vec![NONE; items.items.len()],
                with_abstract: FxHashSet::default(),
                rows: &mut rows,
            };
            builder.file();
        }
    }
    Arc::new(UnitSymbols::from_rows(rows))
}

/// Returns whether a name is public: it does not start with an underscore, or it starts and ends
/// with two (Python reference, "Reserved classes of identifiers").
pub(crate) fn is_public(name: &str) -> bool {
    !name.starts_with('_') || is_special(name)
}

/// Returns whether a name is a system-defined "dunder" name such as `__init__`.
pub(crate) fn is_special(name: &str) -> bool {
    name.len() > 4 && name.starts_with("__") && name.ends_with("__")
}

struct SymbolRowBuilder<'a, 'r> {
    db: &'a dyn Db,
    /// The number of the file in the unit.
    number: u32,
    items: &'a Items,
    overloads: Overloads,
    symbols: &'r [SymbolId],
    known_names: Option<ImportedNames<'a>>,
    row_of_item: Vec<u32>,
    /// The classes with an abstract method of their own.
    with_abstract: FxHashSet<u32>,
    rows: &'r mut Vec<SymbolRow>,
}

impl SymbolRowBuilder<'_, '_> {
    fn file(&mut self) {
        let mut declared: FxHashSet<(u32, NameId)> = FxHashSet::default();
        let mut stores: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for item in &self.items.items {
            let known_names = self.known_names.as_ref();
            let is_abstract = |decorator: &u32| {
                known_names.is_some_and(|known_names| {
                    known_names.is(*decorator, KnownName::AbstractMethod)
                })
            };
            if item.decorators.iter().any(is_abstract) {
                self.with_abstract.insert(item.parent);
            }
        }
        for (item, number) in self.items.items.iter().zip(0..) {
            let bindings = self.items.bindings.get(item.bindings.iter());
            for binding in bindings.unwrap_or_default() {
                if let BindingKind::Item(_) = binding.kind {
                    declared.insert((number, binding.name));
                }
            }
        }
        for (store, number) in self.items.stores.iter().zip(0..) {
            stores.entry(store.class).or_default().push(number);
        }
        for (item, number) in self.items.items.iter().zip(0..) {
            if !self.overloads.is_node(number) {
                continue;
            }
            let kind = match item.kind {
                ItemKind::Module => None,
                ItemKind::Class => Some(self.class_kind(item, number)),
                ItemKind::Function | ItemKind::Lambda => {
                    let enclosing = self.items.items.get(item.parent as usize);
                    let in_class =
                        enclosing.is_some_and(|enclosing| enclosing.kind == ItemKind::Class);
                    Some(match item.kind {
                        ItemKind::Function if in_class => NodeKind::Method,
                        _ => NodeKind::Function,
                    })
                }
            };
            if let Some(kind) = kind {
                self.item(item, number, kind);
            }
            if matches!(item.kind, ItemKind::Module | ItemKind::Class) {
                let stores = stores.get(&number).map_or(&[][..], Vec::as_slice);
                self.bound_names(item, number, &declared, stores);
            }
        }
    }

    fn push(&mut self, row: SymbolRow) {
        self.rows.push(row);
    }

    fn item(&mut self, item: &Item, number: u32, kind: NodeKind) {
        let Some(&symbol) = self.symbols.get(number as usize) else {
            return;
        };
        self.row_of_item[number as usize] = self.rows.len() as u32;
        self.push(SymbolRow {
            symbol,
            name: item.name,
            parent: self.row_of(item.parent),
            kind,
            public: is_public(self.db.shared().names.text(item.name)),
            file: self.number,
            item: number,
            field: NONE,
            tok: item.tok,
        });
    }

    /// Returns the row of an item; [`NONE`] for the module, which is no type.
    fn row_of(&self, item: u32) -> u32 {
        self.row_of_item.get(item as usize).copied().unwrap_or(NONE)
    }

    /// Returns the kind of a class. Interfaces are classes with `Protocol` as a direct base, and
    /// classes with an abstract method of their own whose metaclass may be `ABCMeta` (Python
    /// library, `abc`).
    fn class_kind(&self, class: &Item, number: u32) -> NodeKind {
        let Some(known_names) = &self.known_names else {
            return NodeKind::Class;
        };
        if class
            .bases
            .iter()
            .any(|&base| known_names.is(base, KnownName::Protocol))
        {
            return NodeKind::Interface;
        }
        if self.with_abstract.contains(&number) && self.may_be_abstract(known_names, number) {
            return NodeKind::Interface;
        }
        NodeKind::Class
    }

    /// Returns whether the metaclass of a class may be `ABCMeta`: the class, or a base in the same
    /// file, names it or has a base that is neither of this file nor a builtin.
    fn may_be_abstract(&self, known_names: &ImportedNames<'_>, class: u32) -> bool {
        let names = &self.db.shared().names;
        let mut open = vec![class];
        let mut seen = FxHashSet::from_iter([class]);
        while let Some(class) = open.pop() {
            let Some(item) = self.items.items.get(class as usize) else {
                continue;
            };
            let names_it = item.keywords.iter().any(|&(keyword, value)| {
                names.text(keyword) == "metaclass" && known_names.is(value, KnownName::AbcMeta)
            });
            if names_it {
                return true;
            }
            for &base in &item.bases {
                match known_names.own_item(base) {
                    Some(own) if seen.insert(own) => open.push(own),
                    Some(_) => {}
                    None if known_names.is_builtin(base) => {}
                    None => return true,
                }
            }
        }
        false
    }

    /// Adds rows for the names that a module or class binds, and for the attributes that its
    /// methods store: one for each name, at its first binding, else its first store in `__init__`,
    /// else its first store.
    fn bound_names(
        &mut self,
        scope: &Item,
        number: u32,
        declared: &FxHashSet<(u32, NameId)>,
        stores: &[u32],
    ) {
        let own = |name: NameId| !declared.contains(&(number, name));
        let mut known: FxHashMap<NameId, usize> = FxHashMap::default();
        let mut found: Vec<BoundName> = Vec::new();
        for at in scope.bindings.iter() {
            let Some(binding) = self.items.bindings.get(at) else {
                break;
            };
            if !binds_own_value(binding) || !own(binding.name) {
                continue;
            }
            let kind = self.binding_kind(scope, binding);
            match known.get(&binding.name) {
                Some(&first) => {
                    let first = &mut found[first];
                    first.kind = first.kind.or(kind);
                }
                None => {
                    known.insert(binding.name, found.len());
                    found.push(BoundName {
                        name: binding.name,
                        kind,
                        field: at as u32,
                        tok: binding.tok,
                    });
                }
            }
        }
        for (in_init, &at) in [true, false]
            .iter()
            .flat_map(|in_init| stores.iter().map(move |at| (in_init, at)))
        {
            let Some(store) = self.items.stores.get(at as usize) else {
                break;
            };
            if own(store.name)
                && self.is_in_init(store) == *in_init
                && !known.contains_key(&store.name)
            {
                known.insert(store.name, found.len());
                found.push(BoundName {
                    name: store.name,
                    kind: None,
                    field: self.items.bindings.len() as u32 + at,
                    tok: store.tok,
                });
            }
        }
        let Some(&enclosing) = self.symbols.get(number as usize) else {
            return;
        };
        let usual = match scope.kind {
            ItemKind::Class => NodeKind::Field,
            _ => NodeKind::Variable,
        };
        let parent = self.row_of(number);
        for bound in found {
            self.push(SymbolRow {
                symbol: variable_symbol(self.db, enclosing, bound.name),
                name: bound.name,
                parent,
                kind: bound.kind.unwrap_or(usual),
                public: is_public(self.db.shared().names.text(bound.name)),
                file: self.number,
                item: number,
                field: bound.field,
                tok: bound.tok,
            });
        }
    }

    fn is_in_init(&self, store: &Store) -> bool {
        let method = self.items.items.get(store.method as usize);
        method.is_some_and(|method| self.db.shared().names.text(method.name) == "__init__")
    }

    /// Returns the kind that the form of a binding gives its name: a type for aliases and
    /// `NewType`, a constant for a module-level `Final`.
    fn binding_kind(&self, scope: &Item, binding: &Binding) -> Option<NodeKind> {
        let (value, annotation) = match binding.kind {
            BindingKind::TypeAlias(_) => return Some(NodeKind::Type),
            BindingKind::Value { value, annotation } => (value, annotation),
            _ => return None,
        };
        let known_names = self.known_names.as_ref()?;
        if known_names.is(annotation, KnownName::TypeAlias)
            || known_names.is_call_of(value, KnownName::NewType)
        {
            return Some(NodeKind::Type);
        }
        let is_constant =
            scope.kind == ItemKind::Module && known_names.is(annotation, KnownName::Final);
        is_constant.then_some(NodeKind::Constant)
    }
}

/// A name and its row.
struct BoundName {
    name: NameId,
    kind: Option<NodeKind>,
    field: u32,
    tok: u32,
}

/// Returns whether a binding gives a name a value of its own. Items have rows of their own, and an
/// imported name belongs to the other module.
fn binds_own_value(binding: &Binding) -> bool {
    matches!(
        binding.kind,
        BindingKind::Value { .. } | BindingKind::TypeAlias(_)
    )
}
