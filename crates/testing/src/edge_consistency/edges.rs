//! A compact representation of edges: a standard library has millions.

use std::sync::Arc;

use rustc_hash::FxHashMap;

/// Interned texts. Number 0 is the empty text.
#[derive(Default)]
pub struct Names {
    numbers: FxHashMap<Arc<str>, u32>,
    texts: Vec<Arc<str>>,
}

impl Names {
    /// Interns a text.
    pub fn number(&mut self, text: &str) -> u32 {
        if self.texts.is_empty() {
            self.texts.push("".into());
            self.numbers.insert("".into(), 0);
        }
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.texts.len() as u32;
        let text: Arc<str> = text.into();
        self.texts.push(text.clone());
        self.numbers.insert(text, number);
        number
    }

    /// Returns the number of a text that is interned already.
    pub fn known(&self, text: &str) -> Option<u32> {
        self.numbers.get(text).copied()
    }

    /// Returns the text of a number.
    pub fn text(&self, number: u32) -> &str {
        self.texts.get(number as usize).map_or("", |text| text)
    }
}

/// An edge; texts are numbers of [`Names`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Edge {
    /// The id of its source, prefixed with its language.
    pub from: u32,
    /// The id of its target, prefixed with its language.
    pub to: u32,
    /// The file of its site; 0 without one.
    pub file: u32,
    /// 1-based.
    pub line: u32,
    /// 1-based, in bytes.
    pub column: u32,
    /// The label that is compared too: a resolution, a kind, a receiver with type arguments.
    pub how: u32,
}

/// A list of edges.
#[derive(Clone, Default, Debug)]
pub struct Edges {
    /// The edges, unsorted until [`Edges::sort`].
    pub list: Vec<Edge>,
}

impl Edges {
    /// Sorts and removes duplicates.
    pub fn sort(&mut self) {
        self.list.sort_unstable();
        self.list.dedup();
    }

    /// Returns the edges mapped by `change`, without those that it drops, sorted.
    pub fn mapped(&self, change: impl Fn(Edge) -> Option<Edge>) -> Edges {
        let mut list: Vec<Edge> = self.list.iter().filter_map(|&edge| change(edge)).collect();
        list.sort_unstable();
        list.dedup();
        Edges { list }
    }

    /// Returns whether a sorted list has an edge.
    pub fn has(&self, edge: &Edge) -> bool {
        self.list.binary_search(edge).is_ok()
    }

    /// Returns the edges of a sorted list that another one lacks.
    pub fn without(&self, other: &Edges) -> Vec<Edge> {
        let mut others = other.list.iter().peekable();
        let mut only = Vec::new();
        for edge in &self.list {
            while others.next_if(|other| *other < edge).is_some() {}
            if others.peek() != Some(&edge) {
                only.push(*edge);
            }
        }
        only
    }
}
