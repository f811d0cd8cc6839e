//! The index of a file's bindings and attribute stores, by scope and name (Python reference, "Naming
//! and binding").

use std::sync::Arc;

use codeweft_db::{Db, File, NameId};
use codeweft_python_syntax::{Binding, BindingKind, Guard, ItemKind, Items};

use crate::declared::items;

/// The index of the bindings and attribute stores of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NameIndex {
    /// (item of the scope, name, number in `Items::bindings`), sorted.
    bindings: Box<[(u32, NameId, u32)]>,
    /// (item of the class, name, number in `Items::stores`), sorted.
    stores: Box<[(u32, NameId, u32)]>,
    /// Whether the module has star imports.
    has_stars: bool,
}

impl NameIndex {
    /// Returns the numbers of a name's bindings in a scope, in text order.
    pub(crate) fn bindings(&self, scope: u32, name: NameId) -> impl Iterator<Item = u32> + '_ {
        range(&self.bindings, scope, name)
    }

    /// Returns whether the module has star imports.
    pub(crate) fn has_stars(&self) -> bool {
        self.has_stars
    }

    /// Returns the numbers of the stores into an attribute of a class, in text order.
    pub(crate) fn stores(&self, class: u32, name: NameId) -> impl Iterator<Item = u32> + '_ {
        range(&self.stores, class, name)
    }

    /// Returns the names of the attributes that methods of a class store; a name may repeat.
    pub(crate) fn stored_names(&self, class: u32) -> impl Iterator<Item = NameId> + '_ {
        let from = self.stores.partition_point(|&(of, _, _)| of < class);
        let rows = self.stores[from..].iter();
        rows.take_while(move |&&(of, _, _)| of == class)
            .map(|&(_, name, _)| name)
    }
}

fn range(rows: &[(u32, NameId, u32)], scope: u32, name: NameId) -> impl Iterator<Item = u32> + '_ {
    let from = rows.partition_point(|&(s, n, _)| (s, n) < (scope, name));
    let rows = rows[from..].iter();
    rows.take_while(move |&&(s, n, _)| (s, n) == (scope, name))
        .map(|&(_, _, number)| number)
}

/// Returns the index of a file's bindings and stores.
#[salsa::tracked(returns(clone))]
pub fn name_index(db: &dyn Db, file: File) -> Arc<NameIndex> {
    let Some(items) = items(db, file) else {
        return Arc::default();
    };
    let mut bindings = Vec::with_capacity(items.bindings.len());
    for (scope, item) in items.items.iter().enumerate() {
        for number in item.bindings.iter() {
            if let Some(binding) = items.bindings.get(number) {
                bindings.push((scope as u32, binding.name, number as u32));
            }
        }
    }
    let stores = items.stores.iter().zip(0..);
    let mut stores: Vec<_> = stores
        .map(|(store, number)| (store.class, store.name, number))
        .collect();
    let mut of_module = items
        .items
        .iter()
        .take(1)
        .flat_map(|item| item.bindings.iter());
    let has_stars = of_module.any(|number| {
        let binding = items.bindings.get(number);
        binding.is_some_and(|binding| matches!(binding.kind, BindingKind::Star(_)))
    });
    bindings.sort_unstable();
    stores.sort_unstable();
    Arc::new(NameIndex {
        bindings: bindings.into(),
        stores: stores.into(),
        has_stars,
    })
}

/// Returns the bindings of a name that are visible to other scopes.
pub(crate) fn visible_bindings<'i>(
    items: &'i Items,
    index: &NameIndex,
    scope: u32,
    name: NameId,
) -> Vec<&'i Binding> {
    let all: Vec<&Binding> = index
        .bindings(scope, name)
        .filter_map(|number| items.bindings.get(number as usize))
        .collect();
    // A captured variable of a function is read between any two of its bindings.
    let is_function = items
        .items
        .get(scope as usize)
        .is_some_and(|item| matches!(item.kind, ItemKind::Function | ItemKind::Lambda));
    let is_last =
        |binding: &&Binding| binding.owner == scope && binding.guard == Guard::None && !is_function;
    let from = all.iter().rposition(is_last).unwrap_or(0);
    let (before, after) = all.split_at(from);
    // Functions that declare the name `global` may run at any time.
    let elsewhere = before.iter().filter(|binding| binding.owner != scope);
    let mut visible: Vec<&Binding> = elsewhere.chain(after).copied().collect();
    if visible
        .iter()
        .any(|binding| is_running_function(items, binding))
    {
        visible.retain(|binding| !is_for_type_checkers(binding));
    }
    visible
}

/// Returns whether a binding is an import under `if TYPE_CHECKING:`, which is false when code runs (Python library,
/// `typing.TYPE_CHECKING`).
pub(crate) fn is_for_type_checkers(binding: &Binding) -> bool {
    binding.guard == Guard::TypeChecking && matches!(binding.kind, BindingKind::Import { .. })
}

/// Returns whether a binding is a function that is declared where code runs: then what is imported under its name for type checkers
/// is not what a call of it runs.
///
/// ```python
/// if TYPE_CHECKING:
///     from typing_extensions import override
/// else:
///     def override(method): ...     # this is what `@override` runs
/// ```
pub(crate) fn is_running_function(items: &Items, binding: &Binding) -> bool {
    let BindingKind::Item(item) = binding.kind else {
        return false;
    };
    let declared = items.items.get(item as usize);
    binding.guard != Guard::TypeChecking
        && declared.is_some_and(|declared| declared.kind == ItemKind::Function)
}
