//! Cells that hold values, and the edges between them.
//!
//! A set only grows, in rounds: in each, what came in the round before is handed on, once. So a value comes to a cell in the
//! round that the shortest way takes, whatever the order in which cells are looked at. A set that would exceed its bound
//! takes no more; of those that come in one round, the first in [`super::order`]. The round in which a value came is kept, so
//! that an [`extension`] knows when what is added later would have come.

mod extension;

use std::ops::Range;

use codeweft_db::NameId;
use rustc_hash::{FxHashMap, FxHashSet};
use thin_vec::ThinVec;

use super::program::ItemId;
use super::solver::HUB;
use super::values::{ContextId, InstanceId, ValueId, Values};
use extension::Extension;

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
    /// Starts of strings, each of which is for many names.
    Starts,
    /// Bound methods, of which there is one for each object.
    Bound,
}

/// The number of kinds.
const KINDS: usize = 6;

/// The maximum number of values of each kind at a cell.
const MAX_VALUES: [u16; KINDS] = [64, 1024, 8, 32, 8, 8];

/// The maximum number of containers at a cell of a small program: what each further one costs grows with the program.
const MAX_CONTAINERS_OF_SMALL: u16 = 16;

/// The maximum number of nodes of the bodies of a small program.
const MAX_SMALL_NODES: usize = 20_000;

/// The maximum number of values of each kind at all cells together: what a solution costs is bounded, whatever the program. Too many
/// of one kind take nothing from the others.
const MAX_FACTS: [u32; KINDS] = [
    3_000_000, 5_000_000, 1_000_000, 1_000_000, 500_000, 1_000_000,
];

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
    /// A part of a sequence, as a sequence of its own. No element has this key.
    Slice,
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
    /// An attribute of the objects of a class, or of the one of a context.
    Attribute(ItemId, NameId, ContextId),
    /// The name of an attribute, as a string.
    NameText(NameId),
    /// An attribute of a function that was made in a run.
    OfFunction(ItemId, InstanceId, NameId),
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

/// Whether a set holds a value that came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Added {
    /// It does.
    Held,
    /// It is full.
    Lost,
    /// It is full by what came in the same round: the first in [`super::order`] are kept.
    Tied,
}

/// A rule about which values pass an edge.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Filter {
    /// All pass.
    All,
    /// Only containers pass.
    Containers,
    /// All but classes pass.
    NoClasses,
    /// What is an object of one of these classes passes, or what is none: see
    /// [`super::program::Program::narrows`].
    Narrow(u32),
}

/// An edge of a cell.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    /// Its end.
    pub(super) to: CellId,
    /// Which values pass.
    pub(super) filter: u16,
    /// The round in which it was made, or the last that can be noted.
    pub(super) made: u16,
}

impl Edge {
    fn is_to(self, to: CellId, filter: u16) -> bool {
        self.to == to && self.filter == filter
    }
}

/// One cell. There are millions, most of them without any value.
#[derive(Default)]
struct Cell {
    /// In order of arrival.
    values: ThinVec<ValueId>,
    /// The round in which each came.
    rounds: ThinVec<u32>,
    /// The same, if there are many.
    known: Option<Box<FxHashSet<ValueId>>>,
    /// How many there are of each kind.
    counts: [u16; KINDS],
    /// The number of values that were handed on.
    done: u32,
    /// The number of values before this round.
    before: u32,
    /// The kinds that were full before this round, a bit for each.
    full: u8,
    /// Whether values came in this round.
    is_queued: bool,
    /// The number of its key; 0 if it has none.
    key: u32,
    /// The edges that begin there.
    next: ThinVec<Edge>,
    /// The numbers of the constraints that its values meet.
    constraints: ThinVec<u32>,
}

/// The cells with their edges.
#[derive(Default)]
pub(super) struct Cells {
    all: Vec<Cell>,
    /// The keys of cells by number; number 0 is none.
    by_number: Vec<Option<CellKey>>,
    /// The number of values of each kind at all of them.
    facts: [u32; KINDS],
    keys: FxHashMap<CellKey, CellId>,
    /// Those of cells with more than [`SMALL`].
    edges: FxHashSet<(CellId, CellId, u16)>,
    /// The cells to which values came in this round.
    queue: Vec<CellId>,
    /// The cells whose values of the round before are to be handed on, with the number of their values then; the next is last.
    frontier: Vec<(CellId, u32)>,
    /// The maximum number of values of each kind at a cell.
    max_values: [u16; KINDS],
    /// The cells of which more values came in this round than a set holds, or than a hub follows.
    crowded: Vec<CellId>,
    filters: Vec<Filter>,
    /// The keys of containers' elements, by container, in order.
    element_keys: FxHashMap<CellId, Vec<Key>>,
    /// The cells that take all elements of a container.
    element_readers: FxHashMap<CellId, Vec<CellId>>,
    /// The containers that take all parts of a container.
    copies: FxHashMap<CellId, Vec<CellId>>,
    /// The round.
    round: u32,
    /// The round, or in an extension the first round, in which what is done now is done.
    now: u32,
    /// The number of the first constraint that was added in each round but the first.
    first_constraints: Vec<u32>,
    extension: Extension,
}

impl Cells {
    /// Creates cells for a program with a number of nodes, and memory for `count` of them, so that few are moved as they grow.
    pub(super) fn with_capacity(count: usize, nodes: usize) -> Cells {
        Cells {
            all: Vec::with_capacity(count),
            max_values: max_values(nodes),
            by_number: vec![None],
            ..Cells::default()
        }
    }

    /// Returns whether their sets have the bounds of a program with a number of nodes.
    pub(super) fn are_of_size(&self, nodes: usize) -> bool {
        self.max_values == max_values(nodes)
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
        self.all[cell as usize].key = self.by_number.len() as u32;
        self.by_number.push(Some(key));
        if self.extension.complete != 0 {
            self.extension.keys.push(key);
        }
        if let CellKey::Element(site, part) = key {
            self.new_element(site, part, cell);
        }
        cell
    }

    /// Returns the key of a cell, if it has one.
    pub(super) fn key_of(&self, cell: CellId) -> Option<CellKey> {
        let number = self.all.get(cell as usize)?.key;
        *self.by_number.get(number as usize)?
    }

    /// Returns the keys with their cells, in no order.
    pub(super) fn keyed(&self) -> impl Iterator<Item = (CellKey, CellId)> {
        self.keys.iter().map(|(&key, &cell)| (key, cell))
    }

    /// Returns the cell of a key, if it has one.
    pub(super) fn known(&self, key: CellKey) -> Option<CellId> {
        self.keys.get(&key).copied()
    }

    /// Returns the values of a cell in order of arrival.
    pub(super) fn values(&self, cell: CellId) -> &[ValueId] {
        self.all.get(cell as usize).map_or(&[], |at| &at.values)
    }

    /// Returns the values of a cell that came in this round.
    pub(super) fn values_of_now(&self, cell: CellId) -> impl Iterator<Item = ValueId> {
        let at = &self.all[cell as usize];
        let values = at.values.iter().zip(&at.rounds);
        values.filter_map(|(&value, &round)| (round == self.now).then_some(value))
    }

    /// Returns the ends of the edges of a cell.
    pub(super) fn ends(&self, cell: CellId) -> impl Iterator<Item = CellId> {
        self.all[cell as usize].next.iter().map(|edge| edge.to)
    }

    /// Returns the keys of the elements of a container.
    pub(super) fn keys_of(&self, site: CellId) -> &[Key] {
        self.element_keys.get(&site).map_or(&[], Vec::as_slice)
    }

    /// Returns the containers that take all parts of a container.
    pub(super) fn copies_of(&self, site: CellId) -> &[CellId] {
        self.copies.get(&site).map_or(&[], Vec::as_slice)
    }

    /// Returns the cells that take all elements of a container.
    pub(super) fn readers_of(&self, site: CellId) -> &[CellId] {
        self.element_readers.get(&site).map_or(&[], Vec::as_slice)
    }

    /// Returns the number of cells.
    pub(super) fn count(&self) -> u32 {
        self.all.len() as u32
    }

    /// Returns whether a key has a cell.
    pub(super) fn has(&self, key: CellKey) -> bool {
        self.keys.contains_key(&key)
    }

    /// Returns the number of values at a cell.
    pub(super) fn len(&self, cell: CellId) -> usize {
        self.all[cell as usize].values.len()
    }

    /// Adds a value to a cell; returns whether the set holds it.
    pub(super) fn add(&mut self, cell: CellId, value: ValueId, values: &Values) -> Added {
        if cell == NOWHERE {
            return Added::Held;
        }
        let at = &self.all[cell as usize];
        let is_known = match &at.known {
            Some(known) => known.contains(&value),
            None => at.values.contains(&value),
        };
        if is_known {
            if self.extension.complete != 0 {
                self.bring_forward(cell, value);
            }
            return Added::Held;
        }
        let width = values.width(value);
        let added = match self.extension.complete {
            0 => self.added_in_round(cell, width),
            _ => self.added_in_extension(cell, width, values),
        };
        if added != Added::Held {
            return added;
        }
        let at = &mut self.all[cell as usize];
        at.counts[width as usize] += 1;
        self.facts[width as usize] += 1;
        at.values.push(value);
        at.rounds.push(self.now);
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
            self.queue.push(cell);
        }
        if self.extension.complete != 0 {
            self.note_growth(cell, width);
        } else {
            let at = &self.all[cell as usize];
            let is_overfull = at.counts[width as usize] == self.max_values[width as usize] + 1;
            let is_crowded = at.values.len() - at.before as usize == HUB + 1;
            if is_overfull || is_crowded {
                self.crowded.push(cell);
            }
        }
        Added::Held
    }

    /// Returns whether a set was full before this round. Of what comes in one round, the first are kept when all is there.
    fn added_in_round(&mut self, cell: CellId, width: Width) -> Added {
        let at = &mut self.all[cell as usize];
        if !at.is_queued {
            at.before = at.values.len() as u32;
            at.full = 0;
            for (kind, count) in at.counts.iter().enumerate() {
                at.full |= u8::from(*count >= self.max_values[kind]) << kind;
            }
        }
        let is_full = at.full & 1 << width as usize != 0;
        if is_full || self.facts[width as usize] >= MAX_FACTS[width as usize] {
            Added::Lost
        } else {
            Added::Held
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
            at.next.iter().any(|edge| edge.is_to(to, filter))
        } else {
            if at.next.len() == SMALL {
                let known = at.next.iter().map(|edge| (from, edge.to, edge.filter));
                self.edges.extend(known);
            }
            !self.edges.insert((from, to, filter))
        };
        if is_known {
            return match self.extension.complete {
                0 => 0,
                _ => self.bring_edge_forward(from, to, filter),
            };
        }
        let made = u16::try_from(self.now).unwrap_or(u16::MAX);
        at.next.push(Edge { to, filter, made });
        let done = at.done;
        if self.extension.complete != 0 {
            self.note_edge(from, to);
        }
        done
    }

    /// Adds a constraint to a cell; returns how many of its values met the others already.
    pub(super) fn constrain(&mut self, cell: CellId, constraint: u32) -> u32 {
        let at = &mut self.all[cell as usize];
        at.constraints.push(constraint);
        let done = at.done;
        if self.extension.complete != 0 {
            self.note_constraint(cell, constraint);
        }
        done
    }

    /// Returns the round in which what is done now is done.
    pub(super) fn now(&self) -> u32 {
        self.now
    }

    /// Sets the round in which what is done next is done.
    pub(super) fn set_now(&mut self, now: u32) {
        self.now = now;
    }

    /// Returns a value of a cell, by its number in the order of arrival, to be handed on: not before the round `since`, and
    /// after it came.
    pub(super) fn take(&mut self, cell: CellId, at: u32, since: u32) -> ValueId {
        let (cell, at) = (&self.all[cell as usize], at as usize);
        self.now = since.max(cell.rounds[at] + 1);
        cell.values[at]
    }

    /// Begins a round, with the number of constraints so far; returns its number, or `None` if nothing came in the last one. An extension has no rounds of its own: what
    /// is done in it is done at the earliest after what it reads came.
    pub(super) fn begin_round(&mut self, constraints: usize) -> Option<u32> {
        if self.queue.is_empty() {
            return None;
        }
        for cell in self.queue.drain(..).rev() {
            let at = &mut self.all[cell as usize];
            at.is_queued = false;
            self.frontier.push((cell, at.values.len() as u32));
        }
        if self.extension.complete != 0 {
            return Some(0);
        }
        self.round += 1;
        self.now = self.round;
        self.first_constraints.push(constraints as u32);
        Some(self.round)
    }

    /// Takes the next cell whose values are to be handed on in this round, with the numbers of those values.
    pub(super) fn next(&mut self) -> Option<(CellId, Range<u32>)> {
        let (cell, len) = self.frontier.pop()?;
        let first = std::mem::replace(&mut self.all[cell as usize].done, len);
        Some((cell, first..len))
    }

    /// Takes the cells of which the values that came in this round are to be ordered.
    pub(super) fn take_crowded(&mut self) -> Vec<CellId> {
        std::mem::take(&mut self.crowded)
    }

    /// Returns the values that came to a cell in this round.
    pub(super) fn new_values(&self, cell: CellId) -> &[ValueId] {
        let at = &self.all[cell as usize];
        &at.values[at.before as usize..]
    }

    /// Keeps of the values that came to a cell in this round, in their order, the first of each kind that the set holds.
    pub(super) fn keep_first(&mut self, cell: CellId, new: &[(ValueId, Width)]) {
        let at = &mut self.all[cell as usize];
        let before = at.before as usize;
        for &(_, width) in new {
            at.counts[width as usize] -= 1;
            self.facts[width as usize] -= 1;
        }
        if let Some(known) = &mut at.known {
            for value in &at.values[before..] {
                known.remove(value);
            }
        }
        at.values.truncate(before);
        at.rounds.truncate(before);
        for &(value, width) in new {
            let count = &mut at.counts[width as usize];
            if *count < self.max_values[width as usize] {
                *count += 1;
                self.facts[width as usize] += 1;
                at.values.push(value);
                at.rounds.push(self.now);
                if let Some(known) = &mut at.known {
                    known.insert(value);
                }
            }
        }
    }

    /// Returns an edge of a cell by number.
    pub(super) fn edge_of(&self, cell: CellId, at: usize) -> Option<Edge> {
        self.all[cell as usize].next.get(at).copied()
    }

    /// Returns the constraints of a cell.
    pub(super) fn constraints(&self, cell: CellId) -> &[u32] {
        &self.all[cell as usize].constraints
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
        self.extension.note_element(site, cell);
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
        let is_known = readers.contains(&to);
        if !is_known {
            readers.push(to);
        }
        self.extension.note_reader(site, to, is_known);
        if is_known && self.extension.complete == 0 {
            return Vec::new();
        }
        let keys = self.element_keys.get(&site).cloned().unwrap_or_default();
        let keys = keys.into_iter().filter(|&key| key != Key::Keys);
        keys.map(|key| self.of(CellKey::Element(site, key)))
            .collect()
    }

    /// Lets a container take all parts of another one; returns the pairs of parts that exist.
    pub(super) fn copy_elements(&mut self, from: CellId, to: CellId) -> Vec<(CellId, CellId)> {
        if from == to {
            return Vec::new();
        }
        let copies = self.copies.entry(from).or_default();
        let is_known = copies.contains(&to);
        if !is_known {
            copies.push(to);
        }
        self.extension.note_copy(from, to, is_known);
        if is_known && self.extension.complete == 0 {
            return Vec::new();
        }
        let keys = self.element_keys.get(&from).cloned().unwrap_or_default();
        let keys = keys.into_iter();
        keys.map(|key| {
            let pair = |cells: &mut Cells, site| cells.of(CellKey::Element(site, key));
            (pair(self, from), pair(self, to))
        })
        .collect()
    }
}

/// Returns the maximum number of values of each kind at a cell of a program with a number of nodes.
fn max_values(nodes: usize) -> [u16; KINDS] {
    let mut max_values = MAX_VALUES;
    if nodes <= MAX_SMALL_NODES {
        max_values[Width::Containers as usize] = MAX_CONTAINERS_OF_SMALL;
    }
    max_values
}
