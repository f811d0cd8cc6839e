//! Sites that link two nodes, and the rows of results.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use rustc_hash::FxHashSet;

use codeweft_graph::answer::{ImpactType, ReceiverKind, Severity};

use super::failure::Found;
use super::rows::{FileId, Rows, Sid, SymbolFact};
use crate::sqlite::codes;

/// How a target was found: the better first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Resolution {
    Exact,
    Dispatch,
    Value,
}

/// The position of a use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Position {
    pub(super) file: FileId,
    /// 1-based; 0, as `column`, without a position.
    pub(super) line: u32,
    pub(super) column: u32,
}

/// A use at a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Link {
    pub(super) position: Position,
    pub(super) resolution: Resolution,
    /// The number of the reason; 0 without one.
    pub(super) reason: u16,
    pub(super) of_literal: bool,
    pub(super) in_literal: bool,
    /// The kind of use, for operations that report it.
    pub(super) kind: Kind,
}

/// A kind of use as it is printed, or none. The order is that of the words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct Kind(u8);

/// The kinds by their words.
const KINDS: [&str; 19] = [
    "annotation",
    "assertion",
    "base",
    "call",
    "constraint",
    "conversion",
    "embed",
    "field",
    "import",
    "key",
    "literal",
    "parameter",
    "read",
    "return",
    "type",
    "type_argument",
    "value",
    "variable",
    "write",
];

impl Kind {
    /// Returns the kind of a word.
    pub(super) fn named(word: &str) -> Kind {
        let at = KINDS.iter().position(|&known| known == word);
        Kind(at.map_or(0, |at| at as u8 + 1))
    }

    /// Returns the word; `None` for no kind.
    pub(super) fn word(self) -> Option<&'static str> {
        KINDS.get(usize::from(self.0).checked_sub(1)?).copied()
    }
}

impl Link {
    /// Returns the link of an exact use.
    pub(super) fn exact(position: Position, flags: u8) -> Link {
        Link {
            position,
            resolution: Resolution::Exact,
            reason: 0,
            of_literal: flags & codes::OF_LITERAL != 0,
            in_literal: flags & codes::IN_LITERAL != 0,
            kind: Kind::default(),
        }
    }
}

/// Neighbours of a node, each with its links.
pub(super) type Neighbours = Vec<(Sid, Vec<Link>)>;

/// The neighbours of a node with the links to each: one link per position, the best wins.
#[derive(Default)]
pub(super) struct Links(Vec<(Sid, Link)>);

impl Links {
    pub(super) fn add(&mut self, neighbour: Sid, link: Link) {
        self.0.push((neighbour, link));
    }

    /// Returns each neighbour with its links, by number.
    pub(super) fn finish(mut self) -> Neighbours {
        self.0.sort_unstable();
        self.0
            .dedup_by_key(|(neighbour, link)| (*neighbour, link.position));
        let of_neighbours = self.0.chunk_by(|a, b| a.0 == b.0);
        of_neighbours
            .filter_map(|links| {
                let (neighbour, _) = links.first()?;
                Some((*neighbour, links.iter().map(|(_, link)| *link).collect()))
            })
            .collect()
    }
}

/// Keeps one link per position: the best wins.
pub(super) fn distinct(mut links: Vec<Link>) -> Vec<Link> {
    links.sort_unstable();
    links.dedup_by_key(|link| link.position);
    links
}

/// A result that is not printed yet.
#[derive(Clone, Debug)]
pub(super) struct ResultRow {
    pub(super) symbol: Sid,
    /// The distance from the target, for operations with levels.
    pub(super) depth: Option<u32>,
    pub(super) links: Vec<Link>,
    /// How the type satisfies the interface.
    pub(super) receiver: Option<ReceiverKind>,
    /// The type arguments of an instance.
    pub(super) type_args: Vec<String>,
    /// How a change reaches the node, and how severe it is there.
    pub(super) impact: Option<(ImpactType, Severity)>,
}

impl ResultRow {
    /// Returns a row with the node alone.
    pub(super) fn plain(symbol: Sid) -> ResultRow {
        ResultRow {
            symbol,
            depth: None,
            links: Vec::new(),
            receiver: None,
            type_args: Vec::new(),
            impact: None,
        }
    }
}

/// Turns neighbours into rows, by (language, id).
pub(super) fn listed(rows: &Rows<'_>, neighbours: Neighbours) -> Found<Vec<ResultRow>> {
    let mut links: FxHashMap<Sid, Vec<Link>> = neighbours.into_iter().collect();
    let symbols = rows.sids_in_order(links.keys().copied().collect())?;
    let found = symbols.into_iter().map(|symbol| ResultRow {
        links: links.remove(&symbol).unwrap_or_default(),
        ..ResultRow::plain(symbol)
    });
    Ok(found.collect())
}

/// Which of several targets a site belongs to, by listed neighbour and position.
#[derive(Default)]
pub(super) struct TargetsOfSites {
    several: bool,
    of: FxHashMap<(Sid, Position), Vec<Sid>>,
}

impl TargetsOfSites {
    /// Returns an empty record; it stays empty for a single target.
    pub(super) fn among(targets: &[Rc<SymbolFact>]) -> TargetsOfSites {
        TargetsOfSites {
            several: targets.len() > 1,
            of: FxHashMap::default(),
        }
    }

    /// Records the links between one target and a neighbour.
    pub(super) fn record(&mut self, target: Sid, neighbour: Sid, links: &[Link]) {
        if !self.several {
            return;
        }
        for link in links {
            let targets = self.of.entry((neighbour, link.position)).or_default();
            if !targets.contains(&target) {
                targets.push(target);
            }
        }
    }

    /// Returns the targets of a neighbour's site; none for a single target.
    pub(super) fn of(&self, neighbour: Sid, position: Position) -> &[Sid] {
        let known = self.of.get(&(neighbour, position));
        known.map_or(&[], Vec::as_slice)
    }
}

/// The calls of function literals that an answer hides.
#[derive(Default)]
pub(super) struct LiteralCalls {
    listed: bool,
    sites: u32,
    neighbours: FxHashSet<Sid>,
}

impl LiteralCalls {
    /// Returns an empty record; it stays empty if such calls are listed.
    pub(super) fn of(listed: bool) -> LiteralCalls {
        LiteralCalls {
            listed,
            ..LiteralCalls::default()
        }
    }

    /// Takes the calls of literals out of the links to a neighbour, unless they are listed.
    pub(super) fn hide(&mut self, neighbour: Sid, links: &mut Vec<Link>) {
        if self.listed {
            return;
        }
        let before = links.len();
        links.retain(|link| !link.of_literal);
        if links.len() < before {
            self.sites += (before - links.len()) as u32;
            self.neighbours.insert(neighbour);
        }
    }

    /// Returns the number of hidden sites, and of neighbours that have no other site.
    pub(super) fn hidden(&self, rows: &[ResultRow]) -> (u32, u32) {
        let listed: FxHashSet<Sid> = rows.iter().map(|row| row.symbol).collect();
        let hidden = self.neighbours.iter().filter(|&one| !listed.contains(one));
        (self.sites, hidden.count() as u32)
    }
}
