//! What an extension does to the cells that were there before, noted to be undone, and when what it adds would have come.
//!
//! In the rounds of the whole program a value comes to a cell at the earliest time that a way takes. An extension has no rounds:
//! it finds these times by what is known of each value, edge and constraint. What comes earlier than it did is handed on again
//! ([`Cells::take_earlier`]), so the times are those of solving anew, and with them what a full set keeps.

use rustc_hash::FxHashSet;

use super::{Added, CellId, CellKey, Cells, KINDS, MAX_FACTS, SMALL, Width};
use crate::flow::values::{ValueId, Values};

/// The maximum number of changes to cells that were there before that an extension makes; a larger one is solved anew.
const MAX_UNDONE: usize = 50_000;

/// What an extension did to a cell that was there before.
pub(super) enum Undo {
    /// A value came.
    Value(CellId, Width),
    /// A value, by its number in order of arrival, came earlier than in this round.
    Round(CellId, u32, u32),
    /// An edge was made.
    Edge(CellId),
    /// An edge, by its number, was made earlier than in this round.
    Made(CellId, u32, u16),
    /// A constraint was added.
    Constraint(CellId),
    /// A container has an element under another key.
    ElementKey(CellId),
    /// A cell takes all elements of a container.
    Reader(CellId),
    /// A container takes all parts of another one.
    Copy(CellId),
}

/// An extension in the making: see [`crate::flow::extension`].
#[derive(Default)]
pub(super) struct Extension {
    /// The number of cells that were there before; 0 if there is no extension.
    pub(super) complete: CellId,
    /// What was done to them, in order.
    undo: Vec<Undo>,
    /// The values that came earlier than they were handed on, by their number in order of arrival.
    earlier: Vec<(CellId, u32)>,
    /// Whether values came to cells that were there before, or to new elements of such containers.
    has_grown: bool,
    /// Whether all cells are looked at as one solution.
    is_whole: bool,
    /// The cells that have what they have since nothing else came.
    otherwise: FxHashSet<CellId>,
    /// New elements of containers that were there before.
    elements_of_complete: FxHashSet<CellId>,
    /// The keys of new cells.
    pub(super) keys: Vec<CellKey>,
    /// The edges that were added.
    edges: Vec<(CellId, CellId)>,
    /// Those of cells that were there before.
    edges_of_complete: Vec<(CellId, CellId)>,
    /// The number of the first constraint that was added.
    first_constraint: u32,
    /// The round in which each was.
    constraints: Vec<u32>,
    /// The constraints that were added to cells that were there before.
    constraints_of_complete: Vec<(CellId, u32)>,
    /// The containers that were there before of which all elements are read.
    reads_of_complete: Vec<(CellId, CellId)>,
    /// Those of which all parts go into another one.
    copies_of_complete: Vec<(CellId, CellId)>,
    facts: [u32; KINDS],
    filters: usize,
    /// Whether only the whole program says what the cells hold.
    is_change: bool,
}

impl Extension {
    /// Notes that a container has an element under another key.
    pub(super) fn note_element(&mut self, container: CellId, cell: CellId) {
        if container < self.complete {
            self.elements_of_complete.insert(cell);
            self.undo.push(Undo::ElementKey(container));
        }
    }

    /// Notes that a cell takes all elements of a container, and whether it did before.
    pub(super) fn note_reader(&mut self, container: CellId, reader: CellId, is_known: bool) {
        if container < self.complete {
            self.reads_of_complete.push((container, reader));
            if !is_known {
                self.undo.push(Undo::Reader(container));
            }
        }
    }

    /// Notes that a container takes all parts of another one, and whether it did before.
    pub(super) fn note_copy(&mut self, container: CellId, copy: CellId, is_known: bool) {
        if container < self.complete {
            self.copies_of_complete.push((container, copy));
            if !is_known {
                self.undo.push(Undo::Copy(container));
            }
        }
    }
}

impl Cells {
    /// Begins an extension of what is there, with the number of constraints; `otherwise` are the cells that have what they have since
    /// nothing else came.
    pub(in crate::flow) fn begin_extension(
        &mut self,
        constraints: usize,
        otherwise: FxHashSet<CellId>,
    ) {
        self.extension = Extension {
            complete: self.all.len() as CellId,
            first_constraint: constraints as u32,
            facts: self.facts,
            filters: self.filters.len(),
            otherwise,
            ..Extension::default()
        };
    }

    /// Returns whether only the whole program says what the cells hold.
    pub(in crate::flow) fn is_change(&self) -> bool {
        self.extension.is_change || self.extension.undo.len() > MAX_UNDONE
    }

    /// Returns whether the extension brings values to cells that were there before.
    pub(in crate::flow) fn has_grown(&self) -> bool {
        self.extension.has_grown
    }

    /// Returns the number of cells that were there before the extension; 0 if there is none, or all are looked at as one solution.
    pub(in crate::flow) fn complete(&self) -> CellId {
        if self.extension.is_whole {
            0
        } else {
            self.extension.complete
        }
    }

    /// Returns the number of cells that the extension added.
    pub(in crate::flow) fn added(&self) -> u32 {
        self.count() - self.extension.complete
    }

    /// Looks at all cells, those of the extension among them, as one solution.
    pub(in crate::flow) fn be_whole(&mut self) {
        self.extension.is_whole = true;
    }

    /// Returns whether all cells are looked at as one solution, whether or not an extension added some.
    pub(in crate::flow) fn is_whole(&self) -> bool {
        self.extension.is_whole || self.extension.complete == 0
    }

    /// Returns the edges that the extension adds to cells that were there before.
    pub(in crate::flow) fn edges_of_complete(&self) -> &[(CellId, CellId)] {
        &self.extension.edges_of_complete
    }

    /// Returns the constraints that the extension adds to cells that were there before, each with its cell.
    pub(in crate::flow) fn constraints_of_complete(&self) -> &[(CellId, u32)] {
        &self.extension.constraints_of_complete
    }

    /// Returns the containers that were there before of which the extension reads all elements, each with the cell that takes them.
    pub(in crate::flow) fn reads_of_complete(&self) -> &[(CellId, CellId)] {
        &self.extension.reads_of_complete
    }

    /// Returns the containers that were there before of which the extension copies all parts, each with the container that takes them.
    pub(in crate::flow) fn copies_of_complete(&self) -> &[(CellId, CellId)] {
        &self.extension.copies_of_complete
    }

    /// Returns the edges that the extension adds.
    pub(in crate::flow) fn added_edges(&self) -> &[(CellId, CellId)] {
        &self.extension.edges
    }

    /// Returns the round in which a constraint was added.
    pub(in crate::flow) fn round_of(&self, constraint: u32) -> u32 {
        match constraint.checked_sub(self.extension.first_constraint) {
            Some(at) if self.extension.complete != 0 => self.extension.constraints[at as usize],
            _ => {
                let rounds = &self.first_constraints;
                rounds.partition_point(|&first| first <= constraint) as u32
            }
        }
    }

    /// Takes a value that came earlier than it was handed on, by its number in the order of arrival.
    pub(in crate::flow) fn take_earlier(&mut self) -> Option<(CellId, u32)> {
        self.extension.earlier.pop()
    }

    /// Returns whether the set of a cell holds a further value that comes now: not if it is full, and by what came in earlier rounds.
    pub(super) fn added_in_extension(
        &mut self,
        cell: CellId,
        width: Width,
        values: &Values,
    ) -> Added {
        if self.facts[width as usize] >= MAX_FACTS[width as usize] {
            self.extension.is_change = true;
            return Added::Lost;
        }
        let at = &self.all[cell as usize];
        if at.counts[width as usize] < self.max_values[width as usize] {
            return Added::Held;
        }
        let kept = at.values.iter().zip(&at.rounds);
        let of_width = kept.filter(|&(&value, _)| values.width(value) == width);
        let last = of_width.map(|(_, &round)| round).max().unwrap_or(0);
        // A value that comes earlier is kept instead of another one.
        self.extension.is_change |= self.now < last;
        if self.now == last {
            Added::Tied
        } else {
            Added::Lost
        }
    }

    /// Notes that a value came to a cell.
    pub(super) fn note_growth(&mut self, cell: CellId, width: Width) {
        let extension = &mut self.extension;
        if cell < extension.complete {
            extension.undo.push(Undo::Value(cell, width));
            extension.has_grown = true;
            extension.is_change |= extension.otherwise.contains(&cell);
        } else {
            extension.has_grown |= extension.elements_of_complete.contains(&cell);
        }
    }

    /// Notes that an edge was made.
    pub(super) fn note_edge(&mut self, from: CellId, to: CellId) {
        let extension = &mut self.extension;
        extension.edges.push((from, to));
        if from < extension.complete {
            extension.undo.push(Undo::Edge(from));
            extension.edges_of_complete.push((from, to));
        }
    }

    /// Notes that a constraint was added.
    pub(super) fn note_constraint(&mut self, cell: CellId, constraint: u32) {
        let extension = &mut self.extension;
        extension.constraints.push(self.now);
        if cell < extension.complete {
            extension.undo.push(Undo::Constraint(cell));
            extension.constraints_of_complete.push((cell, constraint));
        }
    }

    /// Notes that a known value comes to a cell again: in the rounds of the whole program, the earlier time is the first.
    pub(super) fn bring_forward(&mut self, cell: CellId, value: ValueId) {
        let at = &mut self.all[cell as usize];
        let known = at.values.iter().position(|&known| known == value);
        let Some(known) = known.filter(|&known| at.rounds[known] > self.now) else {
            return;
        };
        let before = std::mem::replace(&mut at.rounds[known], self.now);
        let number = known as u32;
        let extension = &mut self.extension;
        if cell < extension.complete {
            extension.undo.push(Undo::Round(cell, number, before));
        }
        if number < at.done {
            extension.earlier.push((cell, number));
        }
    }

    /// Notes that a known edge is made again; returns how many values it hands on earlier by that.
    pub(super) fn bring_edge_forward(&mut self, from: CellId, to: CellId, filter: u16) -> u32 {
        let at = &mut self.all[from as usize];
        let known = at.next.iter().position(|edge| edge.is_to(to, filter));
        let now = u16::try_from(self.now).unwrap_or(u16::MAX);
        let Some(known) = known.filter(|&known| at.next[known].made > now) else {
            return 0;
        };
        let before = std::mem::replace(&mut at.next[known].made, now);
        if from < self.extension.complete {
            let undo = Undo::Made(from, known as u32, before);
            self.extension.undo.push(undo);
        }
        at.done
    }

    /// Ends an extension: the cells are as they were before.
    pub(in crate::flow) fn end_extension(&mut self) {
        let mut ended = std::mem::take(&mut self.extension);
        while let Some(done) = ended.undo.pop() {
            self.undo(&done);
        }
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
                for edge in &at.next {
                    self.edges.remove(&(cell, edge.to, edge.filter));
                }
            }
        }
        self.all.truncate(ended.complete as usize);
        self.filters.truncate(ended.filters);
        self.facts = ended.facts;
        self.queue.clear();
        self.frontier.clear();
        self.now = self.round;
    }

    fn undo(&mut self, done: &Undo) {
        match *done {
            Undo::Value(cell, width) => {
                let at = &mut self.all[cell as usize];
                if let Some(value) = at.values.pop()
                    && let Some(known) = &mut at.known
                {
                    known.remove(&value);
                }
                at.rounds.pop();
                at.counts[width as usize] -= 1;
                at.done = at.done.min(at.values.len() as u32);
                at.is_queued = false;
            }
            Undo::Round(cell, number, before) => {
                self.all[cell as usize].rounds[number as usize] = before;
            }
            Undo::Edge(cell) => {
                if let Some(edge) = self.all[cell as usize].next.pop() {
                    self.edges.remove(&(cell, edge.to, edge.filter));
                }
            }
            Undo::Made(cell, number, before) => {
                self.all[cell as usize].next[number as usize].made = before;
            }
            Undo::Constraint(cell) => {
                self.all[cell as usize].constraints.pop();
            }
            Undo::ElementKey(container) => {
                self.element_keys.get_mut(&container).and_then(Vec::pop);
            }
            Undo::Reader(container) => {
                self.element_readers.get_mut(&container).and_then(Vec::pop);
            }
            Undo::Copy(container) => {
                self.copies.get_mut(&container).and_then(Vec::pop);
            }
        }
    }
}
