//! Places that hold values, and the edges between them.
//!
//! A set only grows. Each place remembers up to where its values were handed on, so that a value is
//! handed on once. A set that would exceed its bound takes no more: which values come first is decided
//! by the order of the program alone, for the solution is made anew by one thread.

use std::collections::VecDeque;

use codeweft_db::NameId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::program::ItemId;
use super::values::{InstanceId, ValueId};

/// A place by number.
pub(super) type PlaceId = u32;

/// No place.
pub(super) const NOWHERE: PlaceId = u32::MAX;

/// The kinds of values that a place has a bound for each.
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

/// The maximum number of values of each kind at a place.
const MAX_VALUES: [u16; 5] = [64, 1024, 8, 16, 8];

/// The maximum number of values at all places together: what a solution costs is bounded, whatever the program.
const MAX_FACTS: u32 = 1_500_000;

/// Sets of at most this size are searched one by one.
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

/// The identity of a place that is no node of a body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum PlaceKey {
    /// A name of a module, by the number of its file.
    Global(u32, NameId),
    /// A variable of a function that others read.
    Variable(InstanceId, NameId),
    /// A name of a class.
    ClassName(ItemId, NameId),
    /// An attribute of the objects of a class.
    Attribute(ItemId, NameId),
    /// An attribute of a function.
    OfFunction(ItemId, NameId),
    /// The functions that `singledispatch` may run.
    Registered(ItemId),
    /// A part of a container.
    Element(PlaceId, Key),
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
    /// A further place that a rule makes beside another one.
    Beside(PlaceId, u32),
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

/// One place.
#[derive(Default)]
struct Place {
    /// In order of arrival.
    values: Vec<ValueId>,
    /// The same, if there are many.
    known: FxHashSet<ValueId>,
    /// How many there are of each kind.
    counts: [u16; 5],
    /// The number of values that were handed on.
    done: u32,
    is_queued: bool,
    /// The ends of edges, each with its filter.
    next: Vec<(PlaceId, u16)>,
    /// The numbers of the constraints that its values meet.
    constraints: Vec<u32>,
}

/// What is to be handed on from a place.
pub(super) struct Arrival {
    /// The place.
    pub(super) place: PlaceId,
    /// The new values.
    pub(super) values: Vec<ValueId>,
}

/// The places with their edges.
#[derive(Default)]
pub(super) struct Places {
    all: Vec<Place>,
    /// The number of values at all of them.
    facts: u32,
    keys: FxHashMap<PlaceKey, PlaceId>,
    edges: FxHashSet<(PlaceId, PlaceId, u16)>,
    queue: VecDeque<PlaceId>,
    filters: Vec<Filter>,
    /// The keys of containers' elements, by container, in order.
    element_keys: FxHashMap<PlaceId, Vec<Key>>,
    /// The places that take all elements of a container.
    element_readers: FxHashMap<PlaceId, Vec<PlaceId>>,
    /// The containers that take all parts of a container.
    copies: FxHashMap<PlaceId, Vec<PlaceId>>,
}

impl Places {
    /// Adds places and returns the first.
    pub(super) fn block(&mut self, count: u32) -> PlaceId {
        let first = self.all.len() as PlaceId;
        self.all
            .resize_with(self.all.len() + count as usize, Place::default);
        first
    }

    /// Returns the place of a key.
    pub(super) fn of(&mut self, key: PlaceKey) -> PlaceId {
        if let Some(&known) = self.keys.get(&key) {
            return known;
        }
        let place = self.block(1);
        self.keys.insert(key, place);
        if let PlaceKey::Element(site, part) = key {
            self.new_element(site, part, place);
        }
        place
    }

    /// Returns whether a key has a place.
    pub(super) fn has(&self, key: PlaceKey) -> bool {
        self.keys.contains_key(&key)
    }

    /// Returns the number of values at a place.
    pub(super) fn len(&self, place: PlaceId) -> usize {
        self.all[place as usize].values.len()
    }

    /// Adds a value to a place.
    pub(super) fn add(&mut self, place: PlaceId, value: ValueId, width: Width) {
        if place == NOWHERE {
            return;
        }
        let at = &mut self.all[place as usize];
        let width = width as usize;
        if at.counts[width] >= MAX_VALUES[width] || self.facts >= MAX_FACTS {
            return;
        }
        let is_known = if at.known.is_empty() {
            at.values.contains(&value)
        } else {
            at.known.contains(&value)
        };
        if is_known {
            return;
        }
        at.counts[width] += 1;
        self.facts += 1;
        at.values.push(value);
        if at.values.len() > SMALL {
            if at.known.is_empty() {
                at.known.extend(at.values.iter().copied());
            } else {
                at.known.insert(value);
            }
        }
        if !at.is_queued {
            at.is_queued = true;
            self.queue.push_back(place);
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

    /// Adds an edge; returns the values that are to be handed on along it, if it is new.
    pub(super) fn edge(&mut self, from: PlaceId, to: PlaceId, filter: u16) -> Vec<ValueId> {
        if from == to || from == NOWHERE || to == NOWHERE || !self.edges.insert((from, to, filter))
        {
            return Vec::new();
        }
        let at = &mut self.all[from as usize];
        at.next.push((to, filter));
        at.values[..at.done as usize].to_vec()
    }

    /// Adds a constraint to a place; returns the values that met the others already.
    pub(super) fn constrain(&mut self, place: PlaceId, constraint: u32) -> Vec<ValueId> {
        let at = &mut self.all[place as usize];
        at.constraints.push(constraint);
        at.values[..at.done as usize].to_vec()
    }

    /// Takes the next place whose values are to be handed on.
    pub(super) fn next(&mut self) -> Option<Arrival> {
        let place = self.queue.pop_front()?;
        let at = &mut self.all[place as usize];
        at.is_queued = false;
        let values = at.values[at.done as usize..].to_vec();
        at.done = at.values.len() as u32;
        Some(Arrival { place, values })
    }

    /// Returns the edges of a place.
    pub(super) fn next_of(&self, place: PlaceId, at: usize) -> Option<(PlaceId, u16)> {
        self.all[place as usize].next.get(at).copied()
    }

    /// Returns a constraint of a place.
    pub(super) fn constraint_of(&self, place: PlaceId, at: usize) -> Option<u32> {
        self.all[place as usize].constraints.get(at).copied()
    }

    fn new_element(&mut self, site: PlaceId, key: Key, place: PlaceId) {
        self.element_keys.entry(site).or_default().push(key);
        if key != Key::Keys {
            let readers = self.element_readers.get(&site).cloned();
            for reader in readers.unwrap_or_default() {
                // A new place has no values to hand on.
                self.edge(place, reader, 0);
            }
        }
        for copy in self.copies.get(&site).cloned().unwrap_or_default() {
            let to = self.of(PlaceKey::Element(copy, key));
            self.edge(place, to, 0);
        }
    }

    /// Lets a place take all elements of a container; returns the places of those that exist.
    pub(super) fn read_elements(&mut self, site: PlaceId, to: PlaceId) -> Vec<PlaceId> {
        let readers = self.element_readers.entry(site).or_default();
        if readers.contains(&to) {
            return Vec::new();
        }
        readers.push(to);
        let keys = self.element_keys.get(&site).cloned().unwrap_or_default();
        let keys = keys.into_iter().filter(|&key| key != Key::Keys);
        keys.map(|key| self.of(PlaceKey::Element(site, key)))
            .collect()
    }

    /// Lets a container take all parts of another one; returns the pairs of parts that exist.
    pub(super) fn copy_elements(&mut self, from: PlaceId, to: PlaceId) -> Vec<(PlaceId, PlaceId)> {
        let copies = self.copies.entry(from).or_default();
        if from == to || copies.contains(&to) {
            return Vec::new();
        }
        copies.push(to);
        let keys = self.element_keys.get(&from).cloned().unwrap_or_default();
        let keys = keys.into_iter();
        keys.map(|key| {
            let pair = |places: &mut Places, site| places.of(PlaceKey::Element(site, key));
            (pair(self, from), pair(self, to))
        })
        .collect()
    }
}
