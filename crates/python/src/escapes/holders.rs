//! What holds a function as a value in a file, such that other files can read it.
//!
//! Code of a file gets a function of another one as a value by a name: of the function, or of a variable,
//! an attribute or another function whose values have it. Only operators read without a name.
//!
//! ```python
//! later = [load]               # `later`: its elements are `load`
//! class Task:
//!     run = load               # `run`, of `Task` and of its subclasses
//! def chosen(f=load):
//!     return f                 # `chosen`, and what holds `chosen` as a value
//! names = map(load, lines)     # not `names`: it has the results
//! class Loaders:
//!     def __getitem__(self, n):
//!         return load          # any `x[n]`: not listed
//! ```
//!
//! The values are those of inference, from the slices of the file's items that others infer from too.

use codeweft_db::{Db, File, Holders, NameId, SymbolId};
use codeweft_python_syntax::{
    AsPython as _, Binding, BindingKind, Import, ItemKind, Items, NONE, Node, NodeId,
};
use rustc_hash::FxHashSet;

use super::by_name::looks_up_names;
use crate::classes::conditional_redefinitions;
use crate::declared::{file_of_module, file_symbols, items};
use crate::infer::{binding_values, field_values, parameter, returned};
use crate::keys::FunctionKey;
use crate::members::Reading;
use crate::recursion::on_enough_stack;
use crate::symbols::is_special;
use crate::values::{Shape, Value, Values, shape};

/// The function that reads an attribute by a name that is a value.
const GETATTR: &str = "getattr";

/// Returns what holds one of the known functions in a file, beside the known names and functions; `None`
/// if operators read what holds one.
pub(crate) fn holders(db: &dyn Db, file: File, has_name: bool, known: &Holders) -> Option<Holders> {
    let Some(items) = items(db, file) else {
        return Some(Holders::default());
    };
    let symbols = file_symbols(db, file);
    // The text of a stub beside the module is not what others infer values from.
    let module = symbols.first().copied();
    if module.and_then(|module| file_of_module(db, module)) != Some(file) {
        return Some(Holders::default());
    }
    let header = file.header(db).python();
    let imports = header.map_or(&[][..], |header| &header.imports);
    let mut search = Search {
        db,
        items,
        symbols: &symbols,
        imports,
        has_name,
        reads_by_value: reads_by_value(db, file, items, imports),
        names: known.names.iter().copied().collect(),
        functions: known.functions.iter().copied().collect(),
        found: Holders::default(),
    };
    for &function in &known.functions {
        search
            .functions
            .extend(conditional_redefinitions(db, function, Reading::ByName));
    }
    on_enough_stack(|| {
        loop {
            let before = (search.names.len(), search.functions.len());
            search.run()?;
            if before == (search.names.len(), search.functions.len()) {
                return Some(search.found);
            }
        }
    })
}

/// How a file calls `getattr`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReadsByValue {
    /// Not with a name that it does not write.
    No,
    /// Where it has the name of it.
    ByName,
    /// Maybe by another name.
    Anywhere,
}

fn reads_by_value(db: &dyn Db, file: File, items: &Items, imports: &[Import]) -> ReadsByValue {
    let is_getattr = |name: NameId| db.shared().names.text(name) == GETATTR;
    if !looks_up_names(db, file) {
        return ReadsByValue::No;
    }
    let mut names = imports.iter().flat_map(|import| &import.names);
    if names.any(|&name| is_getattr(name)) {
        return ReadsByValue::Anywhere;
    }
    let callees: FxHashSet<NodeId> = items.code.calls.iter().map(|call| call.callee).collect();
    let mut nodes = (0..).zip(&items.code.nodes);
    let is_value = nodes.any(|(number, node)| match *node {
        Node::Global(name) | Node::Attr { name, .. } => {
            is_getattr(name) && !callees.contains(&number)
        }
        _ => false,
    });
    if is_value {
        ReadsByValue::Anywhere
    } else {
        ReadsByValue::ByName
    }
}

/// The search for holders in a file.
struct Search<'a> {
    db: &'a dyn Db,
    items: &'a Items,
    symbols: &'a [SymbolId],
    imports: &'a [Import],
    has_name: bool,
    reads_by_value: ReadsByValue,
    /// The names that are known to lead to a function, here and elsewhere.
    names: FxHashSet<NameId>,
    /// The functions, and those that return one.
    functions: FxHashSet<SymbolId>,
    found: Holders,
}

impl Search<'_> {
    /// Looks at everything of the file that others can read, once. `None` if operators read one of it.
    fn run(&mut self) -> Option<()> {
        let count = self.items.items.len();
        let evaluates: Vec<bool> = (0..count).map(|number| self.may_evaluate(number)).collect();
        self.add_parameters();
        for (number, _) in evaluates.iter().enumerate().filter(|(_, may)| **may) {
            self.add_function(number)?;
        }
        for number in 0..count {
            self.add_bindings(number, &evaluates)?;
        }
        for store in &self.items.stores {
            let (class, method) = (store.class as usize, store.method as usize);
            if evaluates.get(method).copied().unwrap_or(true)
                && let Some(&class) = self.symbols.get(class)
            {
                self.add_attribute(class, store.name)?;
            }
        }
        Some(())
    }

    /// Returns whether a node of an item's slice may be a known function as a value. False only if none is.
    fn may_evaluate(&self, number: usize) -> bool {
        if self.reads_by_value == ReadsByValue::Anywhere {
            return true;
        }
        let Some(item) = self.items.items.get(number) else {
            return false;
        };
        let is_getattr = |name: NameId| {
            self.reads_by_value == ReadsByValue::ByName
                && self.db.shared().names.text(name) == GETATTR
        };
        let has_default = |number: u32| {
            let param = self.items.params.get(item.params.iter());
            let param = param.and_then(|params| params.get(number as usize));
            param.is_none_or(|param| param.default != NONE)
        };
        let nodes = self.items.code.nodes.get(item.nodes.iter());
        nodes.unwrap_or_default().iter().any(|node| match *node {
            Node::Global(name) | Node::Attr { name, .. } => {
                self.names.contains(&name) || is_getattr(name)
            }
            Node::Str(name) => self.names.contains(&name),
            // Variables of enclosing functions have no names for other files.
            Node::Free { .. } => true,
            Node::Param(number) => has_default(number),
            Node::Item(item) | Node::Decorated(item) => self.declares_function(item),
            Node::Import { import, which } => self.imports_name(import, which),
            _ => false,
        })
    }

    /// Returns whether an item is a known function.
    fn declares_function(&self, item: u32) -> bool {
        let symbol = self.symbols.get(item as usize);
        symbol.is_some_and(|symbol| self.functions.contains(symbol))
    }

    /// Returns whether an import may be of a known name.
    fn imports_name(&self, import: u32, which: u32) -> bool {
        let import = self.imports.get(import as usize);
        let name = import.and_then(|import| import.names.get(which as usize));
        name.is_some_and(|name| self.names.contains(name))
    }

    /// Adds a function whose results may have a known one.
    fn add_function(&mut self, number: usize) -> Option<()> {
        let (Some(item), Some(&symbol)) = (self.items.items.get(number), self.symbols.get(number))
        else {
            return Some(());
        };
        let returns = !item.results.is_empty() || !item.yields.is_empty();
        let is_function = matches!(item.kind, ItemKind::Function | ItemKind::Lambda);
        if !is_function || !returns || self.functions.contains(&symbol) {
            return Some(());
        }
        let values = returned(self.db, FunctionKey::new(self.db, symbol));
        if self.has_function(&values.result) || self.has_function(&values.yields) {
            if is_special(self.db.shared().names.text(item.name)) {
                return None;
            }
            self.functions.insert(symbol);
            self.found.functions.push(symbol);
        }
        Some(())
    }

    /// Adds the names of a module or class that a known function is bound to. In a file that has no
    /// known name also those of a function: it is read by `getattr` there, and only the body that does
    /// is resolved.
    fn add_bindings(&mut self, number: usize, evaluates: &[bool]) -> Option<()> {
        let (Some(item), Some(&scope)) = (self.items.items.get(number), self.symbols.get(number))
        else {
            return Some(());
        };
        let bindings = self.items.bindings.get(item.bindings.iter());
        for binding in bindings.unwrap_or_default() {
            if !self.may_bind(binding, evaluates) {
                continue;
            }
            match item.kind {
                ItemKind::Class => self.add_attribute(scope, binding.name)?,
                ItemKind::Function | ItemKind::Lambda if self.has_name => {}
                _ if self.names.contains(&binding.name) => {}
                _ => {
                    let values = binding_values(self.db, scope, binding.name);
                    if values.is_some_and(|values| self.has_function(&values)) {
                        self.add_name(binding.name)?;
                    }
                }
            }
        }
        Some(())
    }

    fn may_bind(&self, binding: &Binding, evaluates: &[bool]) -> bool {
        match binding.kind {
            BindingKind::Item(item) => self.declares_function(item),
            BindingKind::Import { import, which } => {
                self.reads_by_value == ReadsByValue::Anywhere || self.imports_name(import, which)
            }
            BindingKind::Value { .. } => {
                let owner = evaluates.get(binding.owner as usize);
                owner.copied().unwrap_or(true)
            }
            BindingKind::Param(_) => true,
            BindingKind::Star(_) | BindingKind::TypeAlias(_) | BindingKind::Deleted => false,
        }
    }

    /// Adds an attribute of a class that may hold a known function.
    fn add_attribute(&mut self, class: SymbolId, name: NameId) -> Option<()> {
        if self.names.contains(&name) {
            return Some(());
        }
        let values = field_values(self.db, class, name);
        if self.has_function(&values) {
            self.add_name(name)?;
        }
        Some(())
    }

    /// Adds the parameters whose defaults have a known function, in a file that has no known name: it is
    /// read by `getattr` there, and the body of the parameter's function is not resolved.
    fn add_parameters(&mut self) {
        if self.has_name || self.reads_by_value == ReadsByValue::No {
            return;
        }
        for (item, &function) in self.items.items.iter().zip(self.symbols) {
            let params = self.items.params.get(item.params.iter());
            for (number, param) in (0..).zip(params.unwrap_or_default()) {
                if param.default != NONE
                    && self.has_function(&parameter(self.db, function, number))
                    && self.names.insert(param.name)
                {
                    self.found.names.push(param.name);
                }
            }
        }
    }

    /// Adds a name that other files can read a known function by; `None` if operators read it.
    fn add_name(&mut self, name: NameId) -> Option<()> {
        let names = &self.db.shared().names;
        let text = names.text(name);
        if is_special(text) {
            return None;
        }
        self.names.insert(name);
        self.found.names.push(name);
        // Texts have a private name as it is before it is mangled (Python reference, Identifiers).
        if text.starts_with('_')
            && let Some(at) = text.rfind("__").filter(|&at| at > 0)
        {
            self.found.names.push(names.intern(&text[at..]));
        }
        Some(())
    }

    /// Returns whether a known function is among some values, or in one of them.
    fn has_function(&self, values: &Values) -> bool {
        values.iter().any(|one| self.is_function(one))
    }

    fn is_function(&self, one: Value) -> bool {
        match shape(self.db, one) {
            Shape::Function(function) | Shape::Decorated(function) => {
                self.functions.contains(function)
            }
            Shape::Bound { function, receiver } => {
                self.functions.contains(function) || self.is_function(*receiver)
            }
            Shape::Super { receiver, .. } => self.is_function(*receiver),
            shape => shape
                .parts()
                .into_iter()
                .any(|part| self.has_function(part)),
        }
    }
}
