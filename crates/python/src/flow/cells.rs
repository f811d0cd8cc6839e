//! Cells that hold values, and the edges between them.
//!
//! A set only grows. Each cell remembers up to where its values were handed on, so that a value is
//! handed on once. A set that would exceed its bound takes no more: which values come first is decided
//! by the order of the program alone, for the solution is made anew by one thread.

use std::collections::VecDeque;
use std::ops::Range;

use codeweft_db::NameId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::program::ItemId;
use super::values::{InstanceId, ValueId};

/// A cell by number.
pub(super) type CellId = u32;

/// No cell.
pub(super) const NOWHERE: CellId = u32::MAX;

/// The kinds of values that a cell has a bound for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Width {
    /// Objects, classes and modules.
    Objects,
    /// Functions.
    Functions,
    /// Containers.
    Containers,
    /// Constant strings.
    Texts,
    /// Bound methods, of which there is one for each object.
    Bound,
}

/// The maximum number of values of each kind at a cell.
const MAX_VALUES: [u16; 5] = [64, 1024, 8, 16, 8];

/// The maximum number of values at all cells together: what a solution costs is bounded, whatever the program.
const MAX_FACTS: u32 = 1_500_000;

/// Sets of at most this size, and lists of edges below it, are searched one by one.
const SMALL: usize = 12;

/// A part of a container.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Key {
    /// Any element.
    Any,
    /// The keys of a dictionary.
    Keys,
    /// An element by its index.
    Index(u32),
    /// An element by its constant key.
    Text(NameId),
}

/// The identity of a cell that is no node of a body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum CellKey {
    /// A name of a module, by the number of its file.
    Global(u32, NameId),
    /// A variable of a function that others read.
    Variable(InstanceId, NameId),
    /// A name of a class.
    ClassName(ItemId, NameId),
    /// An attribute of the objects of a class.
    Attribute(ItemId, NameId),
    /// The name of an attribute, as a string.
    NameText(NameId),
    /// An attribute of a function.
    OfFunction(ItemId, NameId),
    /// The functions that `singledispatch` may run.
    Registered(ItemId),
    /// A part of a container.
    Element(CellId, Key),
    /// An item after its decorators.
    Declared(InstanceId, u32),
    /// The value between two decorators of an item.
    Decorating(InstanceId, u32, u32),
    /// A node of the items' arena.
    ItemNode(InstanceId, u32),
    /// The elements of the objects of a class below `dict` or `list`.
    Elements(ItemId),
    /// The parameters of a fixture.
    RequestParam(ItemId),
    /// A further cell that a rule makes beside another one.
    Beside(CellId, u32),
}

/// A rule about which values pass an edge.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Filter {
    /// All pass.
    All,
    /// Only containers pass.
    Containers,
    /// What is an object of one of these classes passes, or what is none: see
    /// [`super::program::Program::narrows`].
    Narrow(u32),
}

/// One cell.
#[derive(Default)]
struct Cell {
    /// In order of arrival.
    values: Vec<ValueId>,
    /// The same, if there are many.
    known: Option<Box<FxHashSet<ValueId>>>,
    /// How many there are of each kind.
    counts: [u16; 5],
    /// The number of values that were handed on.
    done: u32,
    is_queued: bool,
    /// The ends of edges, each with its filter.
    next: Vec<(CellId, u16)>,
    /// The numbers of the constraints that its values meet.
    constraints: Vec<u32>,
}

/// The cells with their edges.
#[derive(Default)]
pub(super) struct Cells {
    all: Vec<Cell>,
    /// The number of values at all of them.
    facts: u32,
    keys: FxHashMap<CellKey, CellId>,
    /// Those of cells with more than [`SMALL`].
    edges: FxHashSet<(CellId, CellId, u16)>,
    queue: VecDeque<CellId>,
    filters: Vec<Filter>,
    /// The keys of containers' elements, by container, in order.
    element_keys: FxHashMap<CellId, Vec<Key>>,
    /// The cells that take all elements of a container.
    element_readers: FxHashMap<CellId, Vec<CellId>>,
    /// The containers that take all parts of a container.
    copies: FxHashMap<CellId, Vec<CellId>>,
}

impl Cells {
    /// Creates cells with memory for a number of them, so that few are moved as they grow.
    pub(super) fn with_capacity(count: usize) -> Cells {
        Cells {
            all: Vec::with_capacity(count),
            ..Cells::default()
        }
    }

    /// Adds cells and returns the first.
    pub(super) fn block(&mut self, count: u32) -> CellId {
        let first = self.all.len() as CellId;
        self.all
            .resize_with(self.all.len() + count as usize, Cell::default);
        first
    }

    /// Returns the cell of a key.
    pub(super) fn of(&mut self, key: CellKey) -> CellId {
        if let Some(&known) = self.keys.get(&key) {
            return known;
        }
        let cell = self.block(1);
        self.keys.insert(key, cell);
        if let CellKey::Element(site, part) = key {
            self.new_element(site, part, cell);
        }
        cell
    }

    /// Returns whether a key has a cell.
    pub(super) fn has(&self, key: CellKey) -> bool {
        self.keys.contains_key(&key)
    }

    /// Returns the number of values at a cell.
    pub(super) fn len(&self, cell: CellId) -> usize {
        self.all[cell as usize].values.len()
    }

    /// Adds a value to a cell.
    pub(super) fn add(&mut self, cell: CellId, value: ValueId, width: Width) {
        if cell == NOWHERE {
            return;
        }
        let at = &mut self.all[cell as usize];
        let width = width as usize;
        if at.counts[width] >= MAX_VALUES[width] || self.facts >= MAX_FACTS {
            return;
        }
        let is_known = match &at.known {
            Some(known) => known.contains(&value),
            None => at.values.contains(&value),
        };
        if is_known {
            return;
        }
        at.counts[width] += 1;
        self.facts += 1;
        at.values.push(value);
        match &mut at.known {
            Some(known) => {
                known.insert(value);
            }
            None if at.values.len() > SMALL => {
                at.known = Some(Box::new(at.values.iter().copied().collect()));
            }
            None => {}
        }
        if !at.is_queued {
            at.is_queued = true;
            self.queue.push_back(cell);
        }
    }

    /// Returns the number of a filter.
    pub(super) fn filter(&mut self, filter: Filter) -> u16 {
        if let Some(at) = self.filters.iter().position(|known| *known == filter) {
            return at as u16;
        }
        if self.filters.len() >= usize::from(u16::MAX) {
            return 0;
        }
        self.filters.push(filter);
        self.filters.len() as u16 - 1
    }

    /// Returns a filter by number.
    pub(super) fn filter_of(&self, number: u16) -> &Filter {
        self.filters
            .get(usize::from(number))
            .unwrap_or(&Filter::All)
    }

    /// Adds an edge; returns how many of the first cell's values are to be handed on along it: none if the edge is known.
    pub(super) fn edge(&mut self, from: CellId, to: CellId, filter: u16) -> u32 {
        if from == to || from == NOWHERE || to == NOWHERE {
            return 0;
        }
        let at = &mut self.all[from as usize];
        let is_known = if at.next.len() < SMALL {
            at.next.contains(&(to, filter))
        } else {
            if at.next.len() == SMALL {
                let known = at.next.iter().map(|&(to, filter)| (from, to, filter));
                self.edges.extend(known);
            }
            !self.edges.insert((from, to, filter))
        };
        if is_known {
            return 0;
        }
        at.next.push((to, filter));
        at.done
    }

    /// Adds a constraint to a cell; returns how many of its values met the others already.
    pub(super) fn constrain(&mut self, cell: CellId, constraint: u32) -> u32 {
        let at = &mut self.all[cell as usize];
        at.constraints.push(constraint);
        at.done
    }

    /// Returns a value of a cell, by its number in the order of arrival.
    pub(super) fn value(&self, cell: CellId, at: u32) -> ValueId {
        self.all[cell as usize].values[at as usize]
    }

    /// Takes the next cell whose values are to be handed on, with the numbers of those that are new.
    pub(super) fn next(&mut self) -> Option<(CellId, Range<u32>)> {
        let cell = self.queue.pop_front()?;
        let at = &mut self.all[cell as usize];
        at.is_queued = false;
        let first = std::mem::replace(&mut at.done, at.values.len() as u32);
        Some((cell, first..at.done))
    }

    /// Returns the edges of a cell.
    pub(super) fn next_of(&self, cell: CellId, at: usize) -> Option<(CellId, u16)> {
        self.all[cell as usize].next.get(at).copied()
    }

    /// Returns the number of constraints of a cell.
    pub(super) fn constraint_count(&self, cell: CellId) -> usize {
        self.all[cell as usize].constraints.len()
    }

    /// Returns a constraint of a cell.
    pub(super) fn constraint_of(&self, cell: CellId, at: usize) -> Option<u32> {
        self.all[cell as usize].constraints.get(at).copied()
    }

    fn new_element(&mut self, site: CellId, key: Key, cell: CellId) {
        self.element_keys.entry(site).or_default().push(key);
        if key != Key::Keys {
            let readers = self.element_readers.get(&site).cloned();
            for reader in readers.unwrap_or_default() {
                // A new cell has no values to hand on.
                self.edge(cell, reader, 0);
            }
        }
        for copy in self.copies.get(&site).cloned().unwrap_or_default() {
            let to = self.of(CellKey::Element(copy, key));
            self.edge(cell, to, 0);
        }
    }

    /// Lets a cell take all elements of a container; returns the cells of those that exist.
    pub(super) fn read_elements(&mut self, site: CellId, to: CellId) -> Vec<CellId> {
        let readers = self.element_readers.entry(site).or_default();
        if readers.contains(&to) {
            return Vec::new();
        }
        readers.push(to);
        let keys = self.element_keys.get(&site).cloned().unwrap_or_default();
        let keys = keys.into_iter().filter(|&key| key != Key::Keys);
        keys.map(|key| self.of(CellKey::Element(site, key)))
            .collect()
    }

    /// Lets a container take all parts of another one; returns the pairs of parts that exist.
    pub(super) fn copy_elements(&mut self, from: CellId, to: CellId) -> Vec<(CellId, CellId)> {
        let copies = self.copies.entry(from).or_default();
        if from == to || copies.contains(&to) {
            return Vec::new();
        }
        copies.push(to);
        let keys = self.element_keys.get(&from).cloned().unwrap_or_default();
        let keys = keys.into_iter();
        keys.map(|key| {
            let pair = |cells: &mut Cells, site| cells.of(CellKey::Element(site, key));
            (pair(self, from), pair(self, to))
        })
        .collect()
    }
}
