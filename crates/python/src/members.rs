//! Per-class and per-function projections of a module's items.
//!
//! An edit of one declaration leaves the projections of the others equal, so salsa does not rerun
//! the queries that read them (the firewall pattern). [`class_members`] projects a class body,
//! [`class_member`] one name of it, [`function_form`] a function header.

use std::collections::BTreeMap;
use std::sync::Arc;

use codeweft_db::{Db, File, NameId, SymbolId};
use codeweft_python_syntax::{BindingKind, Flags, Guard, ItemKind, NONE, ParamKind};

use crate::bindings::name_index;
use crate::declared::{declaration_of, enclosing_module, file_symbols, items, module_by_symbol};
use crate::keys::{ClassKey, FunctionKey, NameKey};
use crate::whole_file;

/// The names that a class's own text declares.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Members {
    /// Sorted by interned number of the name.
    rows: Box<[(NameId, Arc<Member>)]>,
}

/// The declarations of one name in a class's own text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Member {
    /// The functions and classes of this name, in text order.
    pub(crate) items: Vec<MemberItem>,
    /// Whether the class body binds the name other than by `del`.
    pub(crate) is_bound: bool,
    /// Whether the class body imports it.
    pub(crate) is_imported: bool,
    /// Whether the class body declares it as a variable or type alias.
    pub(crate) is_valued: bool,
    /// Whether the class body assigns a value.
    pub(crate) has_value: bool,
    /// Whether a method stores it through its first parameter (`self.x = …`).
    pub(crate) is_stored: bool,
}

/// A function or class inside a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemberItem {
    /// The symbol of the item.
    pub(crate) symbol: SymbolId,
    /// Whether the item is a class.
    pub(crate) is_class: bool,
    /// Whether the item has decorators.
    pub(crate) is_decorated: bool,
    /// Whether the item may be bound to the name once the class is created: no later unconditional
    /// statement rebinds the name.
    pub(crate) is_live: bool,
}

impl Members {
    fn get(&self, name: NameId) -> Option<&Arc<Member>> {
        let at = self.rows.binary_search_by_key(&name, |&(name, _)| name);
        at.ok().map(|at| &self.rows[at].1)
    }
}

/// Returns the names that a class's own text declares: in its body, and through the first parameter
/// of its methods.
#[salsa::tracked(returns(clone))]
pub fn class_members<'db>(db: &'db dyn Db, key: ClassKey<'db>) -> Arc<Members> {
    let Some((file, number)) = declaration_of(db, key.symbol(db)) else {
        return Arc::default();
    };
    let (Some(items), symbols) = (items(db, file), file_symbols(db, file)) else {
        return Arc::default();
    };
    let mut rows: BTreeMap<NameId, Member> = BTreeMap::new();
    let bindings = items.items.get(number as usize).map(|item| item.bindings);
    let bindings = bindings.and_then(|range| items.bindings.get(range.iter()));
    for binding in bindings.unwrap_or_default() {
        if binding.kind == BindingKind::Deleted {
            continue;
        }
        let member = rows.entry(binding.name).or_default();
        member.is_bound = true;
        if binding.guard == Guard::None {
            member
                .items
                .iter_mut()
                .for_each(|item| item.is_live = false);
        }
        match binding.kind {
            BindingKind::Item(item) => {
                if let (Some(declared), Some(&symbol)) =
                    (items.items.get(item as usize), symbols.get(item as usize))
                {
                    member.items.push(MemberItem {
                        symbol,
                        is_class: declared.kind == ItemKind::Class,
                        is_decorated: !declared.decorators.is_empty(),
                        is_live: true,
                    });
                }
            }
            BindingKind::Value { value, .. } => {
                member.is_valued = true;
                member.has_value |= value != NONE;
            }
            BindingKind::TypeAlias(_) => member.is_valued = true,
            BindingKind::Import { .. } => member.is_imported = true,
            _ => {}
        }
    }
    for name in name_index(db, file).stored_names(number) {
        rows.entry(name).or_default().is_stored = true;
    }
    Arc::new(Members {
        rows: rows
            .into_iter()
            .map(|(name, member)| (name, Arc::new(member)))
            .collect(),
    })
}

/// The query behind [`member_of`]: a new method or attribute of a class concerns only what looked for
/// its name.
#[salsa::tracked(returns(clone))]
pub fn class_member<'db>(db: &'db dyn Db, key: NameKey<'db>) -> Option<Arc<Member>> {
    let members = class_members(db, ClassKey::new(db, key.scope(db)));
    members.get(key.name(db)).cloned()
}

/// How a lookup reads what classes declare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reading {
    /// By the name, with a memo for each class that is looked at: what a query reads so is not run again
    /// for another name.
    ByName,
    /// All names of a class at once: for what no query runs. There is nothing to run again, and a method
    /// that thousands of classes inherit would leave a memo for each of them and of their bases.
    Whole,
}

/// Returns the declarations of one name in a class's own text, for what a query runs.
pub(crate) fn member_of(db: &dyn Db, class: SymbolId, name: NameId) -> Option<Arc<Member>> {
    read_member(db, class, name, Reading::ByName)
}

/// Returns the declarations of one name in a class's own text.
pub(crate) fn read_member(
    db: &dyn Db,
    class: SymbolId,
    name: NameId,
    reading: Reading,
) -> Option<Arc<Member>> {
    if reading == Reading::Whole || whole_file::is_without_firewalls(db, class) {
        let members = class_members(db, ClassKey::new(db, class));
        members.get(name).cloned()
    } else {
        class_member(db, NameKey::new(db, class, name))
    }
}

/// The header of a function without its annotations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionShape {
    /// Whether it is a function, lambda or class.
    pub(crate) kind: ItemKind,
    /// The flags of the item (`async`, generator, …).
    pub(crate) flags: Flags,
    /// Whether it has decorators.
    pub(crate) is_decorated: bool,
    /// Whether its result is annotated.
    pub(crate) is_annotated: bool,
    /// Whether a parameter or the result may be annotated, here or in the stub next to the module.
    pub(crate) has_annotations: bool,
    /// The parameters in text order.
    pub(crate) params: Box<[ParameterShape]>,
}

/// A parameter of a [`FunctionShape`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParameterShape {
    /// The name of the parameter.
    pub(crate) name: NameId,
    /// Whether it is positional, keyword-only or variadic.
    pub(crate) kind: ParamKind,
    /// Whether it has a default.
    pub(crate) has_default: bool,
}

/// Returns the header of a function by its module's own text; `None` if that does not declare it.
pub(crate) fn form_of(db: &dyn Db, function: SymbolId) -> Option<Arc<FunctionShape>> {
    if whole_file::is_without_firewalls(db, function) {
        read_form(db, function).map(Arc::new)
    } else {
        function_form(db, FunctionKey::new(db, function))
    }
}

/// The query behind [`form_of`].
#[salsa::tracked(returns(clone))]
pub fn function_form<'db>(db: &'db dyn Db, key: FunctionKey<'db>) -> Option<Arc<FunctionShape>> {
    read_form(db, key.symbol(db)).map(Arc::new)
}

fn read_form(db: &dyn Db, function: SymbolId) -> Option<FunctionShape> {
    let (file, item) = declaration_of(db, function)?;
    let mut form = form_at(db, file, item)?;
    let module = module_by_symbol(db, enclosing_module(db, function));
    form.has_annotations |= module.is_some_and(|(_, module)| module.stub != NONE);
    Some(form)
}

/// Returns the header of an item of a file.
pub(crate) fn form_at(db: &dyn Db, file: File, item: u32) -> Option<FunctionShape> {
    let items = items(db, file)?;
    let item = items.items.get(item as usize)?;
    let params = items.params.get(item.params.iter()).unwrap_or_default();
    let is_annotated = item.returns != NONE;
    let has_annotations = is_annotated || params.iter().any(|param| param.annotation != NONE);
    let params = params.iter().map(|param| ParameterShape {
        name: param.name,
        kind: param.kind,
        has_default: param.default != NONE,
    });
    Some(FunctionShape {
        kind: item.kind,
        flags: item.flags,
        is_decorated: !item.decorators.is_empty(),
        is_annotated,
        has_annotations,
        params: params.collect(),
    })
}

/// The behaviour of a function as an attribute of a class (Python reference, Data model,
/// "Implementing Descriptors").
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FunctionKind {
    /// Bound to the instance.
    #[default]
    Plain,
    /// Not bound: `staticmethod`, `__new__`.
    Static,
    /// Bound to the class: `classmethod`, `__init_subclass__`.
    Class,
    /// Runs when the attribute is read: `property`.
    Property,
    /// Runs when the attribute is stored: `@x.setter`.
    Setter,
    /// Runs when the attribute is deleted: `@x.deleter`.
    Deleter,
}

impl FunctionKind {
    /// Returns whether the function runs when the attribute is read or stored.
    pub fn is_property(self) -> bool {
        matches!(self, FunctionKind::Property | FunctionKind::Setter)
    }
}
