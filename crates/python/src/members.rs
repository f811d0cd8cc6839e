//! What the text of one class or function says, whatever else its module declares: an edit of
//! another declaration leaves these equal, and nobody who asks for them runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use codeweft_db::{Db, File, NameId, SymbolId};
use codeweft_syntax::python::{BindingKind, Flags, Guard, ItemKind, NONE, ParamKind};

use crate::classes::ClassKey;
use crate::declared::{file_symbols, items, located};
use crate::infer::{FunctionKey, name_index};

/// The names that a class's own text declares.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Members {
    /// Sorted by number of name.
    rows: Box<[(NameId, Member)]>,
}

/// What a class's own text declares by a name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Member {
    /// Its functions and classes, in text order.
    pub(crate) items: Vec<MemberItem>,
    /// Whether the class's body binds it, but by `del`.
    pub(crate) is_bound: bool,
    /// Whether the class's body imports it.
    pub(crate) is_imported: bool,
    /// Whether the class's body declares it as a variable or an alias.
    pub(crate) is_valued: bool,
    /// Whether the class's body gives it a value.
    pub(crate) has_value: bool,
    /// Whether a method stores it in its object.
    pub(crate) is_stored: bool,
}

/// A function or class inside a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemberItem {
    /// Its symbol.
    pub(crate) symbol: SymbolId,
    /// Whether it is a class.
    pub(crate) is_class: bool,
    /// Whether it has decorators.
    pub(crate) is_decorated: bool,
    /// Whether the name may mean it once the class is made: no later line outside any branch binds
    /// the name anew.
    pub(crate) is_live: bool,
}

impl Members {
    /// What is declared by a name.
    pub(crate) fn get(&self, name: NameId) -> Option<&Member> {
        let at = self.rows.binary_search_by_key(&name, |&(name, _)| name);
        at.ok().map(|at| &self.rows[at].1)
    }
}

/// The names that a class's own text declares, in its body and through the first parameter of its
/// methods.
#[salsa::tracked(returns(clone))]
pub fn class_members<'db>(db: &'db dyn Db, key: ClassKey<'db>) -> Arc<Members> {
    let Some((file, number)) = located(db, key.symbol(db)) else {
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
    for name in name_index(db, file).stored(number) {
        rows.entry(name).or_default().is_stored = true;
    }
    Arc::new(Members {
        rows: rows.into_iter().collect(),
    })
}

/// What the text of a function says without its annotations and its body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionShape {
    /// What it is.
    pub(crate) kind: ItemKind,
    /// Its flags.
    pub(crate) flags: Flags,
    /// Whether it has decorators.
    pub(crate) is_decorated: bool,
    /// Whether its result is annotated.
    pub(crate) is_annotated: bool,
    /// Its parameters in text order.
    pub(crate) params: Box<[ParameterShape]>,
}

/// A parameter of a [`FunctionShape`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParameterShape {
    /// Its name.
    pub(crate) name: NameId,
    /// How it takes arguments.
    pub(crate) kind: ParamKind,
    /// Whether it may be left out.
    pub(crate) has_default: bool,
}

/// The form of a function by its module's own text; `None` of what that does not declare.
#[salsa::tracked(returns(clone))]
pub fn function_form<'db>(db: &'db dyn Db, key: FunctionKey<'db>) -> Option<Arc<FunctionShape>> {
    let (file, item) = located(db, key.symbol(db))?;
    form_at(db, file, item).map(Arc::new)
}

/// The form of an item of a file.
pub(crate) fn form_at(db: &dyn Db, file: File, item: u32) -> Option<FunctionShape> {
    let items = items(db, file)?;
    let item = items.items.get(item as usize)?;
    let params = items.params.get(item.params.iter()).unwrap_or_default();
    let params = params.iter().map(|param| ParameterShape {
        name: param.name,
        kind: param.kind,
        has_default: param.default != NONE,
    });
    Some(FunctionShape {
        kind: item.kind,
        flags: item.flags,
        is_decorated: !item.decorators.is_empty(),
        is_annotated: item.returns != NONE,
        params: params.collect(),
    })
}
