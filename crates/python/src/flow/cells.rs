//! Cells that hold values, and the edges between them.
//!
//! A set only grows, in rounds: in each, what came in the round before is handed on, once. So a value comes to a cell in the
//! round that the shortest way takes, whatever the order in which cells are looked at. A set that would exceed its bound
//! takes no more; of those that come in one round, the first in [`super::order`]. The round in which a value came is kept, so
//! that [`super::extension`] can find out whether an edge that is added later would have brought it earlier.

use std::ops::Range;

use codeweft_db::NameId;
use rustc_hash::{FxHashMap, FxHashSet};
use thin_vec::ThinVec;

use super::program::ItemId;
use super::solver::HUB;
use super::values::{ContextId, InstanceId, ValueId};

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
const MAX_VALUES: [u16; 5] = [64, 1024, 8, 32, 8];

/// The maximum number of containers at a cell of a small program: what each further one costs grows with the program.
const MAX_CONTAINERS_OF_SMALL: u16 = 16;

/// The maximum number of nodes of the bodies of a small program.
const MAX_SMALL_NODES: usize = 20_000;

/// The maximum number of values at all cells together: what a solution costs is bounded, whatever the program.
const MAX_FACTS: u32 = 8_000_000;

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
    counts: [u16; 5],
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
    /// The ends of edges, each with its filter.
    next: ThinVec<(CellId, u16)>,
    /// The numbers of the constraints that its values meet.
    constraints: ThinVec<u32>,
}

/// The cells with their edges.
#[derive(Default)]
pub(super) struct Cells {
    all: Vec<Cell>,
    /// The keys of cells by number; number 0 is none.
    by_number: Vec<Option<CellKey>>,
    /// The number of values at all of them.
    facts: u32,
    keys: FxHashMap<CellKey, CellId>,
    /// Those of cells with more than [`SMALL`].
    edges: FxHashSet<(CellId, CellId, u16)>,
    /// The cells to which values came in this round.
    queue: Vec<CellId>,
    /// The cells whose values of the round before are to be handed on, with the number of their values then; the next is last.
    frontier: Vec<(CellId, u32)>,
    /// The maximum number of values of each kind at a cell.
    max_values: [u16; 5],
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
    extension: Extension,
}

/// An extension in the making: see [`super::extension`].
#[derive(Default)]
struct Extension {
    /// The number of cells that are complete; 0 if there is no extension.
    complete: CellId,
    /// New parts of complete containers: nothing may come to them.
    sealed: FxHashSet<CellId>,
    /// The keys of new cells.
    keys: Vec<CellKey>,
    /// The round in which each edge of a new cell was made.
    edges: FxHashMap<(CellId, CellId, u16), u32>,
    /// The edges of complete cells that were added.
    edges_of_complete: Vec<(CellId, CellId)>,
    /// The constraints of complete cells that were added.
    constraints_of_complete: Vec<(CellId, u32)>,
    /// The complete containers of which all elements are read.
    reads_of_complete: Vec<(CellId, CellId)>,
    /// The complete containers of which all parts go into another one.
    copies_of_complete: Vec<(CellId, CellId)>,
    facts: u32,
    filters: usize,
    /// Whether the complete cells would not stay as they are.
    is_change: bool,
}

impl Cells {
    /// Creates cells for a program with a number of nodes, and memory for `count` of them, so that few are moved as they grow.
    pub(super) fn with_capacity(count: usize, nodes: usize) -> Cells {
        let mut max_values = MAX_VALUES;
        if nodes <= MAX_SMALL_NODES {
            max_values[Width::Containers as usize] = MAX_CONTAINERS_OF_SMALL;
        }
        Cells {
            all: Vec::with_capacity(count),
            max_values,
            by_number: vec![None],
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

    /// Returns the ends of the edges of a cell, each with its filter.
    pub(super) fn ends(&self, cell: CellId) -> &[(CellId, u16)] {
        &self.all[cell as usize].next
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

    /// Adds a value to a cell; returns whether it is lost, since the set is full.
    pub(super) fn add(&mut self, cell: CellId, value: ValueId, width: Width) -> bool {
        if cell == NOWHERE {
            return false;
        }
        if cell < self.extension.complete || self.extension.sealed.contains(&cell) {
            self.repeat(cell, value);
            return false;
        }
        let at = &mut self.all[cell as usize];
        let width = width as usize;
        if !at.is_queued {
            at.before = at.values.len() as u32;
            at.full = 0;
            for (kind, count) in at.counts.iter().enumerate() {
                at.full |= u8::from(*count >= self.max_values[kind]) << kind;
            }
        }
        if at.full & 1 << width != 0 || self.facts >= MAX_FACTS {
            // Which values come first is known of the whole program only.
            self.extension.is_change = true;
            return true;
        }
        let is_known = match &at.known {
            Some(known) => known.contains(&value),
            None => at.values.contains(&value),
        };
        if is_known {
            if self.extension.complete != 0 {
                self.check_first(cell, value);
            }
            return false;
        }
        at.counts[width] += 1;
        self.facts += 1;
        at.values.push(value);
        at.rounds.push(self.now);
        let is_overfull = at.counts[width] == self.max_values[width] + 1;
        let is_crowded = at.values.len() - at.before as usize == HUB + 1;
        if is_overfull || is_crowded {
            self.crowded.push(cell);
            self.extension.is_change = true;
        }
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
        false
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
        if from < self.extension.complete {
            self.extension.edges_of_complete.push((from, to));
            return at.done;
        }
        let is_known = if at.next.len() < SMALL {
            at.next.contains(&(to, filter))
        } else {
            if at.next.len() == SMALL {
                let known = at.next.iter().map(|&(to, filter)| (from, to, filter));
                self.edges.extend(known);
            }
            !self.edges.insert((from, to, filter))
        };
        if self.extension.complete != 0 {
            // Of an edge that is made again, the earlier one counts.
            let made = self.extension.edges.entry((from, to, filter));
            let is_later = *made.or_insert(self.now) > self.now;
            self.extension.is_change |= is_later && at.done > 0;
        }
        if is_known {
            return 0;
        }
        let at = &mut self.all[from as usize];
        at.next.push((to, filter));
        at.done
    }

    /// Adds a constraint to a cell; returns how many of its values met the others already.
    pub(super) fn constrain(&mut self, cell: CellId, constraint: u32) -> u32 {
        let at = &mut self.all[cell as usize];
        if cell >= self.extension.complete {
            at.constraints.push(constraint);
        } else {
            self.extension
                .constraints_of_complete
                .push((cell, constraint));
        }
        at.done
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

    /// Begins a round; returns its number, or `None` if nothing came in the last one. An extension has no rounds of its own: what
    /// is done in it is done at the earliest after what it reads came.
    pub(super) fn begin_round(&mut self) -> Option<u32> {
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
        }
        self.facts -= (at.values.len() - before) as u32;
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
                self.facts += 1;
                at.values.push(value);
                at.rounds.push(self.now);
                if let Some(known) = &mut at.known {
                    known.insert(value);
                }
            }
        }
    }

    /// Notes that a value comes to a complete cell: nothing changes if it would have been there already.
    fn repeat(&mut self, cell: CellId, value: ValueId) {
        let at = &self.all[cell as usize];
        let known = at.values.iter().position(|&known| known == value);
        let is_repeated = known.is_some_and(|known| at.rounds[known] <= self.now);
        self.extension.is_change |= !is_repeated;
    }

    /// Notes that a value comes to a new cell again: in the rounds of the whole program, the earlier time is the first.
    fn check_first(&mut self, cell: CellId, value: ValueId) {
        let at = &mut self.all[cell as usize];
        let known = at.values.iter().position(|&known| known == value);
        if let Some(known) = known
            && at.rounds[known] > self.now
        {
            at.rounds[known] = self.now;
            self.extension.is_change |= known < at.done as usize;
        }
    }

    /// Begins an extension of complete cells.
    pub(super) fn begin_extension(&mut self) {
        self.extension = Extension {
            complete: self.all.len() as CellId,
            facts: self.facts,
            filters: self.filters.len(),
            ..Extension::default()
        };
    }

    /// Returns whether the extension changes cells that were complete.
    pub(super) fn is_change(&self) -> bool {
        self.extension.is_change
    }

    /// Returns the number of cells that were complete when the extension began; 0 if there is none.
    pub(super) fn complete(&self) -> CellId {
        self.extension.complete
    }

    /// Ends an extension: the cells are as they were before.
    pub(super) fn end_extension(&mut self) {
        let ended = std::mem::take(&mut self.extension);
        for key in &ended.keys {
            self.keys.remove(key);
        }
        let keys = self.by_number.len() - ended.keys.len();
        self.by_number.truncate(keys);
        for (cell, at) in (ended.complete..).zip(&self.all[ended.complete as usize..]) {
            self.element_keys.remove(&cell);
            self.element_readers.remove(&cell);
            self.copies.remove(&cell);
            if at.next.len() > SMALL {
                for &(to, filter) in &at.next {
                    self.edges.remove(&(cell, to, filter));
                }
            }
        }
        self.all.truncate(ended.complete as usize);
        self.filters.truncate(ended.filters);
        self.facts = ended.facts;
        self.queue.clear();
        self.frontier.clear();
        self.crowded.clear();
        self.now = self.round;
    }

    /// Returns the edges of a cell.
    pub(super) fn next_of(&self, cell: CellId, at: usize) -> Option<(CellId, u16)> {
        self.all[cell as usize].next.get(at).copied()
    }

    /// Returns the edges of complete cells that the extension adds: none of them is in [`Cells::ends`].
    pub(super) fn edges_of_complete(&self) -> &[(CellId, CellId)] {
        &self.extension.edges_of_complete
    }

    /// Returns the constraints that the extension adds to complete cells, each with its cell.
    pub(super) fn constraints_of_complete(&self) -> &[(CellId, u32)] {
        &self.extension.constraints_of_complete
    }

    /// Returns the complete containers of which the extension reads all elements, each with the cell that takes them.
    pub(super) fn reads_of_complete(&self) -> &[(CellId, CellId)] {
        &self.extension.reads_of_complete
    }

    /// Returns the complete containers of which the extension copies all parts, each with the container that takes them.
    pub(super) fn copies_of_complete(&self) -> &[(CellId, CellId)] {
        &self.extension.copies_of_complete
    }

    /// Returns the edges that the extension adds.
    pub(super) fn added_edges(&self) -> impl Iterator<Item = (CellId, CellId)> {
        let own = self.extension.edges.keys().map(|&(from, to, _)| (from, to));
        own.chain(self.extension.edges_of_complete.iter().copied())
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
        if site < self.extension.complete {
            self.extension.sealed.insert(cell);
            return;
        }
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
        if site >= self.extension.complete {
            let readers = self.element_readers.entry(site).or_default();
            if readers.contains(&to) {
                self.extension.is_change = true;
                return Vec::new();
            }
            readers.push(to);
        } else {
            self.extension.reads_of_complete.push((site, to));
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
        if from >= self.extension.complete {
            let copies = self.copies.entry(from).or_default();
            if copies.contains(&to) {
                self.extension.is_change = true;
                return Vec::new();
            }
            copies.push(to);
        } else {
            self.extension.copies_of_complete.push((from, to));
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
