//! The pass before lowering: finds the items a text declares, the names each scope binds, and its
//! imports (Python reference, Naming and binding).
//!
//! Names must be known before bodies are lowered, since a name bound anywhere in a function is
//! local in all of it:
//!
//! ```python
//! x = 1
//! def f():            # scope of `f`: parent module, slots { y: 0, x: 1 }
//!     y = x           # local and unbound here, because of the next line
//!     x = 2
//!     def g():
//!         nonlocal y  # `y` becomes a shared name of `f`
//!         y = 3
//! ```
//!
//! The pass runs over the flat tree in preorder with a stack of [`Region`]s, the ranges of nodes in
//! which a scope and a guard hold.

mod params;

use rustc_hash::{FxHashMap, FxHashSet};

use super::binders::{alias_name, captured_last, is_capture, target_names, type_param_name};
use super::flat::{Flat, FlatIndex};
use super::guards::{self, Branches};
use super::imports::Imports;
use super::ir::*;
use super::kinds::{NodeField, PythonKind};
use super::words::{SourceNames, mangling};
use codeweft_syntax::NameId;
pub(super) use params::ParamSite;

/// The scope of an item.
pub(super) struct Scope<'t> {
    pub(super) parent: u32,
    pub(super) kind: ItemKind,
    pub(super) name: NameId,
    pub(super) nth: u32,
    /// The definition.
    pub(super) node: FlatIndex,
    /// The definition with its decorators.
    pub(super) whole: FlatIndex,
    /// Its body, if it has one.
    pub(super) body: Option<FlatIndex>,
    pub(super) params: Vec<ParamSite>,
    pub(super) type_params: Vec<NameId>,
    pub(super) guard: Guard,
    /// The name of the class that mangles private names here.
    pub(super) class: Option<&'t str>,
    /// The slot of each name that is bound here.
    pub(super) slots: FxHashMap<NameId, u32>,
    /// The number of slots.
    pub(super) width: u32,
    /// The nodes where names are bound, in order, with the slots.
    bound: Vec<(FlatIndex, u32)>,
    pub(super) globals: FxHashSet<NameId>,
    pub(super) nonlocals: FxHashSet<NameId>,
    /// Names that nested functions bind as well.
    pub(super) shared: FxHashSet<NameId>,
    /// Targets of comprehensions, with the range of nodes where they are visible, outer ones first.
    comprehended: Vec<(FlatIndex, FlatIndex, NameId)>,
}

impl Scope<'_> {
    fn bind(&mut self, name: NameId, at: FlatIndex) {
        let width = &mut self.width;
        let slot = *self.slots.entry(name).or_insert_with(|| {
            *width += 1;
            *width - 1
        });
        if self.bound.last().is_some_and(|&(last, _)| last > at) {
            let index = self.bound.partition_point(|&(before, _)| before <= at);
            self.bound.insert(index, (at, slot));
        } else {
            self.bound.push((at, slot));
        }
    }

    /// Returns the slots that are bound in a range of nodes, sorted and distinct.
    pub(super) fn bound_in(&self, start: FlatIndex, end: FlatIndex) -> Vec<u32> {
        let first = self.bound.partition_point(|&(at, _)| at < start);
        let last = self.bound.partition_point(|&(at, _)| at < end);
        let mut slots: Vec<u32> = self
            .bound
            .get(first..last)
            .unwrap_or(&[])
            .iter()
            .map(|&(_, slot)| slot)
            .collect();
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// Returns the innermost comprehension around a node that has `name` as a target.
    pub(super) fn comprehends(&self, name: NameId, at: FlatIndex) -> Option<FlatIndex> {
        let mut targets = self.comprehended.iter().rev();
        targets
            .find(|&&(start, end, target)| target == name && start <= at && at < end)
            .map(|&(start, ..)| start)
    }

    /// Returns whether nested functions see its names.
    pub(super) fn is_function(&self) -> bool {
        matches!(self.kind, ItemKind::Function | ItemKind::Lambda)
    }
}

/// The items of a text with their scopes, and its imports.
pub(super) struct Scopes<'t> {
    pub(super) all: Vec<Scope<'t>>,
    items: FxHashMap<FlatIndex, u32>,
    /// The comprehensions and `type` statements, in text order.
    comprehensions: Vec<FlatIndex>,
    pub(super) imports: Imports,
}

impl Scopes<'_> {
    /// Returns the item that a definition declares.
    pub(super) fn item_of(&self, definition: FlatIndex) -> Option<u32> {
        self.items.get(&definition).copied()
    }

    /// Returns the scope number of a comprehension or `type` statement.
    pub(super) fn comprehension(&self, at: FlatIndex) -> u32 {
        COMPREHENSION + self.comprehensions.partition_point(|&before| before < at) as u32
    }

    /// Returns whether an item is declared directly in a class.
    pub(super) fn is_method(&self, item: u32) -> bool {
        let parent = self.all.get(item as usize).map(|scope| scope.parent);
        let parent = parent.and_then(|parent| self.all.get(parent as usize));
        parent.is_some_and(|parent| parent.kind == ItemKind::Class)
    }

    /// Returns the function that owns a `nonlocal` name of an item.
    pub(super) fn nonlocal_owner(&self, item: u32, name: NameId) -> Option<u32> {
        let mut scope = self.all.get(item as usize)?.parent;
        while let Some(outer) = self.all.get(scope as usize) {
            if outer.is_function()
                && outer.slots.contains_key(&name)
                && !outer.nonlocals.contains(&name)
                && !outer.globals.contains(&name)
            {
                return Some(scope);
            }
            scope = outer.parent;
        }
        None
    }
}

/// The scope and the guard that hold in a range of nodes.
#[derive(Clone, Copy)]
struct Region {
    scope: u32,
    guard: Guard,
}

struct ScopeCollector<'p, 't> {
    flat: &'p Flat,
    words: &'p mut SourceNames<'t>,
    out: Scopes<'t>,
    /// The enclosing regions with their ends, innermost last.
    open: Vec<(FlatIndex, Region)>,
    /// The regions that begin later, with their first nodes; the nearest is last.
    upcoming: Vec<(FlatIndex, Region)>,
    siblings: FxHashMap<(u32, NameId), u32>,
    decorated: Option<(FlatIndex, FlatIndex)>,
}

/// Collects the scopes of the trees with these roots.
pub(super) fn scopes<'t>(
    flat: &Flat,
    words: &mut SourceNames<'t>,
    roots: &[FlatIndex],
) -> Scopes<'t> {
    let empty = words.empty;
    let mut pass = ScopeCollector {
        flat,
        words,
        out: Scopes {
            all: Vec::new(),
            items: FxHashMap::default(),
            comprehensions: Vec::new(),
            imports: Imports::default(),
        },
        open: Vec::new(),
        upcoming: Vec::new(),
        siblings: FxHashMap::default(),
        decorated: None,
    };
    pass.out.all.push(Scope {
        parent: NONE,
        kind: ItemKind::Module,
        name: empty,
        nth: 0,
        node: 0,
        whole: 0,
        body: None,
        params: Vec::new(),
        type_params: Vec::new(),
        guard: Guard::None,
        class: None,
        slots: FxHashMap::default(),
        width: 0,
        bound: Vec::new(),
        globals: FxHashSet::default(),
        nonlocals: FxHashSet::default(),
        shared: FxHashSet::default(),
        comprehended: Vec::new(),
    });
    for &root in roots {
        for at in root..flat.node(root).next {
            pass.visit(at);
        }
        pass.open.clear();
        pass.upcoming.clear();
    }
    pass.mark_shared_names();
    pass.out
}

impl<'t> ScopeCollector<'_, 't> {
    fn here(&self) -> Region {
        self.open.last().map_or(
            Region {
                scope: 0,
                guard: Guard::None,
            },
            |&(_, region)| region,
        )
    }

    fn visit(&mut self, at: FlatIndex) {
        while self.open.last().is_some_and(|&(end, _)| at >= end) {
            self.open.pop();
        }
        // In a broken tree the first node of a region may have been skipped.
        while self.upcoming.last().is_some_and(|&(first, _)| first < at) {
            self.upcoming.pop();
        }
        if let Some((_, region)) = self.upcoming.pop_if(|&mut (first, _)| first == at) {
            self.open.push((self.flat.node(at).next, region));
        }
        match self.flat.kind(at) {
            PythonKind::Identifier => {
                let text = self.words.of(self.flat, at);
                self.words.intern(text);
            }
            PythonKind::Decorated => {
                let mut parts = self.flat.children(at);
                let found = parts.find(|&part| {
                    matches!(
                        self.flat.kind(part),
                        PythonKind::Function | PythonKind::Class
                    )
                });
                self.decorated = found.map(|definition| (definition, at));
            }
            PythonKind::Function | PythonKind::Class => self.definition(at),
            PythonKind::Lambda => self.lambda(at),
            PythonKind::Assignment | PythonKind::Augmented | PythonKind::For => {
                if let Some(left) = self.flat.field(at, NodeField::Left) {
                    self.targets(left);
                }
                if self.flat.kind(at) == PythonKind::For {
                    self.branches(at);
                }
            }
            PythonKind::While => self.branches(at),
            PythonKind::Named => {
                if let Some(name) = self.flat.field(at, NodeField::Name) {
                    self.targets(name);
                }
            }
            PythonKind::AsTarget | PythonKind::Delete => {
                for part in self.flat.children(at) {
                    self.targets(part);
                }
            }
            PythonKind::TypeAlias => {
                self.out.comprehensions.push(at);
                if let Some(name) = alias_name(self.flat, at) {
                    self.targets(name);
                }
            }
            PythonKind::Except => {
                if let Some(alias) = self.flat.field(at, NodeField::Alias) {
                    self.targets(alias);
                }
            }
            PythonKind::If => self.tested(at),
            PythonKind::Try => self.tried(at),
            PythonKind::Case => {
                self.captures(at);
                self.branches(at);
            }
            PythonKind::ListComprehension
            | PythonKind::SetComprehension
            | PythonKind::DictComprehension
            | PythonKind::Generator => self.comprehension(at),
            PythonKind::Global | PythonKind::Nonlocal => self.declared(at),
            PythonKind::Import | PythonKind::ImportFrom | PythonKind::FutureImport => {
                self.import(at)
            }
            _ => {}
        }
    }

    fn bind(&mut self, name: FlatIndex) {
        let text = self.words.of(self.flat, name);
        let scope = self.here().scope;
        if let Some(scope) = self.out.all.get_mut(scope as usize) {
            let name_id = self.words.in_class(text, scope.class);
            scope.bind(name_id, name);
        }
    }

    /// Binds the names of an assignment target.
    fn targets(&mut self, at: FlatIndex) {
        let mut names = Vec::new();
        target_names(self.flat, at, &mut names);
        for name in names {
            self.bind(name);
        }
    }

    /// Binds the names that the patterns of a `case` capture.
    fn captures(&mut self, at: FlatIndex) {
        let patterns: Vec<FlatIndex> = self
            .flat
            .children(at)
            .filter(|&part| self.flat.kind(part) == PythonKind::CasePattern)
            .collect();
        for pattern in patterns {
            for at in pattern..self.flat.node(pattern).next {
                match self.flat.kind(at) {
                    PythonKind::DottedName if is_capture(self.flat, at) => self.bind(at + 1),
                    PythonKind::StarPattern | PythonKind::AsPattern => {
                        if let Some(name) = captured_last(self.flat, at) {
                            self.bind(name);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Adds regions for the branches of an `if` statement.
    fn tested(&mut self, at: FlatIndex) {
        let here = self.here();
        let first = self.upcoming.len();
        let mut guards = Branches::new();
        let test = |at: FlatIndex| self.flat.field(at, NodeField::Condition);
        let mut own = guards.failed();
        if let Some(test) = test(at) {
            own = guards.test(self.flat, self.words, test);
        }
        for part in self.flat.children(at) {
            let branch = match self.flat.kind(part) {
                PythonKind::Block => own,
                PythonKind::Elif | PythonKind::Else => test(part).map_or(guards.failed(), |test| {
                    guards.test(self.flat, self.words, test)
                }),
                _ => continue,
            };
            let guard = guards::inside(here.guard, branch);
            self.upcoming.push((part, Region { guard, ..here }));
        }
        self.upcoming[first..].reverse();
    }

    /// Adds regions for the blocks of a statement.
    fn branches(&mut self, at: FlatIndex) {
        let here = self.here();
        let first = self.upcoming.len();
        let guard = guards::inside(here.guard, Guard::Other);
        for part in self.flat.children(at) {
            let kind = self.flat.kind(part);
            if matches!(kind, PythonKind::Block | PythonKind::Else) {
                self.upcoming.push((part, Region { guard, ..here }));
            }
        }
        self.upcoming[first..].reverse();
    }

    fn tried(&mut self, at: FlatIndex) {
        let here = self.here();
        let body = guards::of_try(self.flat, self.words, at);
        let first = self.upcoming.len();
        for part in self.flat.children(at) {
            let branch = match self.flat.kind(part) {
                PythonKind::Block => body,
                PythonKind::Except if guards::takes_import_error(self.flat, self.words, part) => {
                    Guard::ImportError
                }
                PythonKind::Except | PythonKind::Else => Guard::Other,
                _ => continue,
            };
            let guard = guards::inside(here.guard, branch);
            self.upcoming.push((part, Region { guard, ..here }));
        }
        self.upcoming[first..].reverse();
    }

    /// Declares an item whose scope is the subtree of `body`.
    fn item(
        &mut self,
        kind: ItemKind,
        name: NameId,
        class: Option<&'t str>,
        at: FlatIndex,
        whole: FlatIndex,
    ) {
        let here = self.here();
        let number = self.out.all.len() as u32;
        let body = self.flat.field(at, NodeField::Body);
        let nth = self.siblings.entry((here.scope, name)).or_insert(0);
        self.out.all.push(Scope {
            parent: here.scope,
            kind,
            name,
            nth: *nth,
            node: at,
            whole,
            body,
            params: Vec::new(),
            type_params: Vec::new(),
            guard: here.guard,
            class,
            slots: FxHashMap::default(),
            width: 0,
            bound: Vec::new(),
            globals: FxHashSet::default(),
            nonlocals: FxHashSet::default(),
            shared: FxHashSet::default(),
            comprehended: Vec::new(),
        });
        *nth += 1;
        self.out.items.insert(at, number);
        if let Some(body) = body {
            let guard = match kind {
                ItemKind::Class => here.guard,
                _ => Guard::None,
            };
            self.upcoming.push((
                body,
                Region {
                    scope: number,
                    guard,
                },
            ));
        }
    }

    fn definition(&mut self, at: FlatIndex) {
        let Some(name) = self.flat.field(at, NodeField::Name) else {
            return;
        };
        self.bind(name);
        let text = self.words.of(self.flat, name);
        let outer = self.class_here();
        let id = self.words.intern(text);
        let whole = match self.decorated.take() {
            Some((definition, whole)) if definition == at => whole,
            _ => at,
        };
        let is_class = self.flat.kind(at) == PythonKind::Class;
        let (kind, class) = if is_class {
            (ItemKind::Class, Some(mangling(text)))
        } else {
            (ItemKind::Function, outer)
        };
        self.item(kind, id, class, at, whole);
        if let Some(params) = self.flat.field(at, NodeField::TypeParameters) {
            let mut names = Vec::new();
            for param in self.flat.children(params) {
                if let Some(name) = type_param_name(self.flat, param) {
                    let text = self.words.of(self.flat, name);
                    names.push(self.words.intern(text));
                }
            }
            if let Some(scope) = self.out.all.last_mut() {
                scope.type_params = names;
            }
        }
        if let Some(params) = self.flat.field(at, NodeField::Parameters) {
            self.params(params);
        }
    }

    fn lambda(&mut self, at: FlatIndex) {
        let name = self.words.quiet("<lambda>");
        let class = self.class_here();
        self.item(ItemKind::Lambda, name, class, at, at);
        if let Some(params) = self.flat.field(at, NodeField::Parameters) {
            self.params(params);
        }
    }

    fn class_here(&self) -> Option<&'t str> {
        self.out.all.get(self.here().scope as usize)?.class
    }

    fn comprehension(&mut self, at: FlatIndex) {
        self.out.comprehensions.push(at);
        let mut names = Vec::new();
        for clause in self.flat.children(at) {
            if self.flat.kind(clause) == PythonKind::ForIn
                && let Some(left) = self.flat.field(clause, NodeField::Left)
            {
                target_names(self.flat, left, &mut names);
            }
        }
        let end = self.flat.node(at).next;
        let scope = self.here().scope;
        for name in names {
            let text = self.words.of(self.flat, name);
            if let Some(scope) = self.out.all.get_mut(scope as usize) {
                let name = self.words.in_class(text, scope.class);
                scope.comprehended.push((at, end, name));
            }
        }
    }

    /// Records `global a, b` or `nonlocal a, b`.
    fn declared(&mut self, at: FlatIndex) {
        let is_global = self.flat.kind(at) == PythonKind::Global;
        let scope = self.here().scope;
        let Some(scope) = self.out.all.get_mut(scope as usize) else {
            return;
        };
        for name in self.flat.children(at) {
            if self.flat.kind(name) != PythonKind::Identifier {
                continue;
            }
            let text = self.words.of(self.flat, name);
            let name = self.words.in_class(text, scope.class);
            if is_global {
                scope.globals.insert(name);
            } else {
                scope.nonlocals.insert(name);
            }
        }
    }

    fn import(&mut self, at: FlatIndex) {
        let here = self.here();
        let mut scope = here.scope;
        let mut in_function = false;
        while let Some(around) = self.out.all.get(scope as usize) {
            in_function |= around.is_function();
            scope = around.parent;
        }
        let bound = self
            .out
            .imports
            .read(self.flat, self.words, at, here.guard, in_function);
        for name in bound {
            self.bind(name);
        }
    }

    /// Marks in each scope the names that nested functions bind through `global` and `nonlocal`.
    fn mark_shared_names(&mut self) {
        for number in 1..self.out.all.len() {
            let scope = &self.out.all[number];
            if scope.globals.is_empty() && scope.nonlocals.is_empty() {
                continue;
            }
            let mut found: Vec<(u32, u32, NameId, bool)> = Vec::new();
            for (&name, &slot) in &scope.slots {
                if scope.globals.contains(&name) {
                    found.push((slot, 0, name, true));
                } else if scope.nonlocals.contains(&name)
                    && let Some(owner) = self.out.nonlocal_owner(number as u32, name)
                {
                    found.push((slot, owner, name, false));
                }
            }
            found.sort_unstable_by_key(|&(slot, ..)| slot);
            for (_, owner, name, is_global) in found {
                let Some(owner) = self.out.all.get_mut(owner as usize) else {
                    continue;
                };
                if is_global && !owner.slots.contains_key(&name) {
                    owner.slots.insert(name, owner.width);
                    owner.width += 1;
                }
                owner.shared.insert(name);
            }
        }
    }
}
