//! All figures of a workspace, crate by crate.

use super::additions::Additions;
use super::cycles::{self, Cycle};
use super::docs::{self, Docs};
use super::exempt::Exempt;
use super::names::Names;
use super::source::Crate;
use super::types::{self, Homonym, Wide};

/// The figures of a workspace.
pub struct House {
    /// Its crates, in order of name.
    pub crates: Vec<Measured>,
    /// The files that change where something is added.
    pub additions: Additions,
}

impl House {
    /// Measures the crates of a workspace.
    pub fn of(crates: &[Crate], exempt: &[Exempt]) -> House {
        House {
            crates: crates
                .iter()
                .map(|read| Measured::of(read, exempt))
                .collect(),
            additions: Additions::of(crates),
        }
    }
}

/// The figures of a crate.
pub struct Measured {
    /// The name of its folder below `crates/`.
    pub name: String,
    /// Files without tests.
    pub files: usize,
    /// Its largest import cycle.
    pub cycle: Cycle,
    /// Its types that have methods, widest first.
    pub types: Vec<Type>,
    /// Public type names that it declares more than once.
    pub homonyms: Vec<Homonym>,
    /// Its documentation.
    pub docs: Docs,
}

/// A type, and why it may be wide.
pub struct Type {
    /// Its methods and lines.
    pub wide: Wide,
    /// Why the floor does not bind it; `None` for nearly all.
    pub exempt: Option<&'static str>,
}

impl Measured {
    /// Measures a crate.
    pub fn of(read: &Crate, exempt: &[Exempt]) -> Measured {
        let names = Names::of(read);
        let types = types::widest(read, &names).into_iter().map(|wide| Type {
            exempt: exempt
                .iter()
                .find(|entry| entry.is_of(&read.name, &wide))
                .map(|entry| entry.reason),
            wide,
        });
        Measured {
            name: read.name.clone(),
            files: read.files.len(),
            cycle: cycles::largest(read, &names),
            types: types.collect(),
            homonyms: types::homonyms(read),
            docs: docs::count(read),
        }
    }

    /// The widest type that the floor binds.
    pub fn widest(&self) -> Option<&Wide> {
        let mut bound = self.types.iter().filter(|of| of.exempt.is_none());
        bound.next().map(|of| &of.wide)
    }
}

/// The documentation of all crates together.
pub fn all_docs(crates: &[Measured]) -> Docs {
    let mut sum = Docs::default();
    for measured in crates {
        sum.add(measured.docs);
    }
    sum
}
