//! A link between two nodes: one use at one place of a text, not yet printed.

use codeweft_db::{
    Db, File, Language, Reason, Resolution, SymbolId, UnresolvedSite, Use, file_ranges,
};
use rustc_hash::FxHashMap;

use crate::answer::Site;

/// One use that links two nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Link {
    /// The file.
    pub(crate) file: File,
    /// Where in it.
    pub(crate) spot: SiteKey,
    /// How the target was found.
    pub(crate) resolution: Resolution,
    /// Why it is not exact, where that is known.
    pub(crate) why: Option<InexactReason>,
    /// Whether it stands in a function literal.
    pub(crate) in_literal: bool,
    /// Of a call: no override may run instead.
    pub(crate) direct: bool,
    /// What the use does, where the answer tells it.
    pub(crate) kind: Option<&'static str>,
}

/// A place in a file, free of offsets. The order is that of the text inside one body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum SiteKey {
    /// A byte offset.
    Offset(u32),
    /// An import statement by its number.
    Import(u32),
    /// A token of the items' arena.
    Token(u32),
    /// See [`codeweft_db::Use::body`] and [`codeweft_db::Use::occ`].
    Use {
        /// The body.
        body: u32,
        /// The token in it.
        occ: u32,
    },
}

/// Why a link is not exact.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum InexactReason {
    /// A method that a type has where its interface's or base's method is called.
    ClassHierarchy,
    /// A value that flows to the call runs this.
    Flow(SymbolId),
    /// The site is open.
    Open(Reason),
}

impl InexactReason {
    /// The name on the wire.
    pub(crate) fn wire_name(self) -> &'static str {
        match self {
            InexactReason::ClassHierarchy => "class_hierarchy",
            InexactReason::Flow(_) => "flow",
            InexactReason::Open(reason) => reason.wire_name(),
        }
    }
}

impl Link {
    /// The link of a use, as its file resolved it.
    pub(crate) fn of_use(file: File, one: &Use) -> Link {
        Link {
            file,
            spot: SiteKey::Use {
                body: one.body,
                occ: one.occ,
            },
            resolution: one.resolution,
            why: None,
            in_literal: one.in_literal,
            direct: one.direct,
            kind: None,
        }
    }

    /// The link of a place that no use stands for.
    pub(crate) fn plain(file: File, spot: SiteKey) -> Link {
        Link {
            file,
            spot,
            resolution: Resolution::Exact,
            why: None,
            in_literal: false,
            direct: false,
            kind: None,
        }
    }

    /// The link of a site whose target is chosen by name and arity alone.
    pub(crate) fn of_open(file: File, site: &UnresolvedSite) -> Link {
        Link {
            resolution: Resolution::Name,
            why: Some(InexactReason::Open(site.reason)),
            ..Link::plain(
                file,
                SiteKey::Use {
                    body: site.body,
                    occ: site.occ,
                },
            )
        }
    }

    /// The same use, as a call of a method that may run where the declared one is called.
    pub(crate) fn dispatched(self) -> Link {
        Link {
            resolution: self.resolution.max(Resolution::Dispatch),
            why: Some(InexactReason::ClassHierarchy),
            ..self
        }
    }

    /// The byte offset of the link's token.
    pub(crate) fn offset(&self, db: &dyn Db, language: &dyn Language) -> Option<u32> {
        match self.spot {
            SiteKey::Offset(offset) => Some(offset),
            SiteKey::Use { body, occ } => language.offset(db, self.file, body, occ),
            SiteKey::Token(token) => file_ranges(db, self.file)
                .item_tokens
                .get(token as usize)
                .copied(),
            SiteKey::Import(number) => file_ranges(db, self.file)
                .imports
                .get(number as usize)
                .map(|span| span.start),
        }
    }

    /// The 1-based line and column of the link's token; zeros where the text does not have it.
    pub(crate) fn line_column(&self, db: &dyn Db, language: &dyn Language) -> (u32, u32) {
        self.offset(db, language).map_or((0, 0), |offset| {
            file_ranges(db, self.file).line_column(offset)
        })
    }

    /// The link as printed, with the chain of values that leads to it.
    pub(crate) fn site(&self, db: &dyn Db, language: &dyn Language, chain: Option<&str>) -> Site {
        let (line, column) = self.line_column(db, language);
        Site {
            file: self.file.path(db).to_string(),
            line,
            column,
            resolution: self.resolution.wire_name().to_owned(),
            reason: chain
                .or(self.why.map(InexactReason::wire_name))
                .map(str::to_owned),
            in_literal: self.in_literal,
            targets: Vec::new(),
            kind: self.kind.map(str::to_owned),
        }
    }
}

/// The neighbours of a node with the links to each, one link a place: the best resolution wins.
#[derive(Default)]
pub(crate) struct Links {
    places: FxHashMap<(SymbolId, File, SiteKey), LinkDetail>,
}

/// How a link was found, whether it stands in a function literal, and what the use does.
type LinkDetail = (
    Resolution,
    Option<InexactReason>,
    bool,
    Option<&'static str>,
);

impl Links {
    /// Adds a link to a neighbour.
    pub(crate) fn add(&mut self, neighbour: SymbolId, link: Link) {
        let new = (link.resolution, link.why, link.in_literal, link.kind);
        self.places
            .entry((neighbour, link.file, link.spot))
            .and_modify(|known| *known = (*known).min(new))
            .or_insert(new);
    }

    /// Whether an import statement of a file is among the links, the name of whose package begins
    /// at a byte.
    pub(crate) fn has_import_at(&self, db: &dyn Db, file: File, at: u32) -> bool {
        let spots = self.places.keys().filter(|(_, of, _)| *of == file);
        spots.into_iter().any(|&(_, _, spot)| match spot {
            SiteKey::Import(number) => {
                let imports = &file_ranges(db, file).imports;
                let span = imports.get(number as usize);
                span.is_some_and(|span| span.start == at)
            }
            _ => false,
        })
    }

    /// Each neighbour with its links; in no order that means anything.
    pub(crate) fn finish(self) -> Vec<(SymbolId, Vec<Link>)> {
        let mut neighbours: FxHashMap<SymbolId, Vec<Link>> = FxHashMap::default();
        for ((neighbour, file, spot), (resolution, why, in_literal, kind)) in self.places {
            neighbours.entry(neighbour).or_default().push(Link {
                file,
                spot,
                resolution,
                why,
                in_literal,
                direct: false,
                kind,
            });
        }
        let mut neighbours: Vec<_> = neighbours.into_iter().collect();
        neighbours.sort_unstable_by_key(|(neighbour, _)| *neighbour);
        neighbours
    }
}

/// Sorts links by (file, place in it).
pub(crate) fn sort_links(db: &dyn Db, links: &mut [Link]) {
    links.sort_by(|a, b| {
        let by_file = if a.file == b.file {
            std::cmp::Ordering::Equal
        } else {
            a.file.path(db).cmp(b.file.path(db))
        };
        by_file
            .then_with(|| a.spot.cmp(&b.spot))
            .then_with(|| (a.resolution, a.why).cmp(&(b.resolution, b.why)))
    });
}
