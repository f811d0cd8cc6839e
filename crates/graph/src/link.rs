//! Links between two nodes: a use at a position of a text, without byte offsets.
//!
//! Byte offsets change with nearly every edit, so links hold a [`SiteKey`] that the language crate
//! turns into an offset only when an answer is rendered.

use codeweft_db::{
    Db, File, Language, Reason, Resolution, SymbolId, UnresolvedSite, Use, file_ranges,
};
use rustc_hash::FxHashMap;

use crate::answer::Site;

/// A use that links two nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Link {
    /// The file of the use.
    pub(crate) file: File,
    /// The position of the use in the file.
    pub(crate) key: SiteKey,
    /// How the target was found.
    pub(crate) resolution: Resolution,
    /// Why the link is not exact, if known.
    pub(crate) reason: Option<InexactReason>,
    /// Whether the use is inside a function literal.
    pub(crate) in_literal: bool,
    /// For calls of function values: whether only a function literal runs that is made inside the
    /// callee, not the callee itself.
    pub(crate) of_literal: bool,
    /// For calls: whether exactly the named method runs, never an override.
    pub(crate) direct: bool,
    /// The role of the use, for operations that report it.
    pub(crate) kind: Option<&'static str>,
}

/// A position in a file that does not depend on byte offsets. The order inside one body is the
/// text's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum SiteKey {
    /// A byte offset (0-based).
    Offset(u32),
    /// An import statement, by its number in the file.
    Import(u32),
    /// A token of the items' arena.
    Token(u32),
    /// A token of a body: see [`codeweft_db::Use::body`] and [`codeweft_db::Use::occ`].
    Use {
        /// The number of the body.
        body: u32,
        /// The number of the token in the body.
        occ: u32,
    },
}

impl SiteKey {
    /// Returns the position of an unresolved site.
    pub(crate) fn of(site: &UnresolvedSite) -> SiteKey {
        SiteKey::Use {
            body: site.body,
            occ: site.occ,
        }
    }
}

/// Why a link is not exact.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum InexactReason {
    /// The target is found by the class hierarchy: a call names an interface's or base's method.
    ClassHierarchy,
    /// A value that reaches the call runs this target.
    Flow(SymbolId),
    /// The site is unresolved.
    Unresolved(Reason),
}

impl InexactReason {
    /// Returns the name on the wire.
    pub(crate) fn wire_name(self) -> &'static str {
        match self {
            InexactReason::ClassHierarchy => "class_hierarchy",
            InexactReason::Flow(_) => "flow",
            InexactReason::Unresolved(reason) => reason.wire_name(),
        }
    }
}

impl Link {
    /// Creates the link of a use as its file resolved it.
    pub(crate) fn of_use(file: File, one: &Use) -> Link {
        Link {
            file,
            key: SiteKey::Use {
                body: one.body,
                occ: one.occ,
            },
            resolution: one.resolution,
            reason: None,
            in_literal: one.in_literal,
            of_literal: false,
            direct: one.direct,
            kind: None,
        }
    }

    /// Creates an exact link without a recorded use.
    pub(crate) fn plain(file: File, key: SiteKey) -> Link {
        Link {
            file,
            key,
            resolution: Resolution::Exact,
            reason: None,
            in_literal: false,
            of_literal: false,
            direct: false,
            kind: None,
        }
    }

    /// Creates the link of an unresolved site to a target that only fits by name and arity.
    pub(crate) fn of_unresolved(file: File, site: &UnresolvedSite) -> Link {
        Link {
            resolution: Resolution::Name,
            reason: Some(InexactReason::Unresolved(site.reason)),
            ..Link::plain(file, SiteKey::of(site))
        }
    }

    /// Returns the same use as a call of an override or implementation of the called method.
    pub(crate) fn dispatched(self) -> Link {
        Link {
            resolution: self.resolution.max(Resolution::Dispatch),
            reason: Some(InexactReason::ClassHierarchy),
            ..self
        }
    }

    /// Returns the byte offset of the link's token.
    pub(crate) fn offset(&self, db: &dyn Db, language: &dyn Language) -> Option<u32> {
        match self.key {
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

    /// Returns the 1-based line and column of the link's token; (0, 0) if the text does not have
    /// it.
    pub(crate) fn line_column(&self, db: &dyn Db, language: &dyn Language) -> (u32, u32) {
        self.offset(db, language).map_or((0, 0), |offset| {
            file_ranges(db, self.file).line_column(offset)
        })
    }

    /// Returns the link as printed; `chain` is the chain of values that leads to it.
    pub(crate) fn site(&self, db: &dyn Db, language: &dyn Language, chain: Option<&str>) -> Site {
        let (line, column) = self.line_column(db, language);
        Site {
            file: self.file.path(db).to_string(),
            line,
            column,
            resolution: self.resolution.wire_name().to_owned(),
            reason: chain
                .or(self.reason.map(InexactReason::wire_name))
                .map(str::to_owned),
            in_literal: self.in_literal,
            of_literal: self.of_literal,
            targets: Vec::new(),
            kind: self.kind.map(str::to_owned),
            code: None,
        }
    }
}

/// The neighbours of a node with the links to each: one link per position, the best resolution
/// wins.
#[derive(Default)]
pub(crate) struct Links {
    by_position: FxHashMap<(SymbolId, File, SiteKey), LinkDetail>,
}

/// The resolution of a link, its reason, whether it is a call of a literal, whether it is inside a
/// function literal, and its role.
type LinkDetail = (
    Resolution,
    Option<InexactReason>,
    bool,
    bool,
    Option<&'static str>,
);

impl Links {
    /// Adds a link to a neighbour.
    pub(crate) fn add(&mut self, neighbour: SymbolId, link: Link) {
        let (of_literal, in_literal) = (link.of_literal, link.in_literal);
        let new = (
            link.resolution,
            link.reason,
            of_literal,
            in_literal,
            link.kind,
        );
        self.by_position
            .entry((neighbour, link.file, link.key))
            .and_modify(|known| *known = (*known).min(new))
            .or_insert(new);
    }

    /// Returns whether the links hold an import statement of `file` whose path begins at the byte
    /// offset `at`.
    pub(crate) fn has_import_at(&self, db: &dyn Db, file: File, at: u32) -> bool {
        let keys = self.by_position.keys().filter(|(_, of, _)| *of == file);
        keys.into_iter().any(|&(_, _, key)| match key {
            SiteKey::Import(number) => {
                let imports = &file_ranges(db, file).imports;
                let span = imports.get(number as usize);
                span.is_some_and(|span| span.start == at)
            }
            _ => false,
        })
    }

    /// Returns each neighbour with its links, in unspecified order.
    pub(crate) fn finish(self) -> Vec<(SymbolId, Vec<Link>)> {
        let mut neighbours: FxHashMap<SymbolId, Vec<Link>> = FxHashMap::default();
        for ((neighbour, file, key), detail) in self.by_position {
            let (resolution, reason, of_literal, in_literal, kind) = detail;
            neighbours.entry(neighbour).or_default().push(Link {
                file,
                key,
                resolution,
                reason,
                in_literal,
                of_literal,
                direct: false,
                kind,
            });
        }
        let mut neighbours: Vec<_> = neighbours.into_iter().collect();
        neighbours.sort_unstable_by_key(|(neighbour, _)| *neighbour);
        neighbours
    }
}

/// Sorts links by file, then position.
pub(crate) fn sort_links(db: &dyn Db, links: &mut [Link]) {
    links.sort_by(|a, b| {
        let by_file = if a.file == b.file {
            std::cmp::Ordering::Equal
        } else {
            a.file.path(db).cmp(b.file.path(db))
        };
        by_file
            .then_with(|| a.key.cmp(&b.key))
            .then_with(|| (a.resolution, a.reason).cmp(&(b.resolution, b.reason)))
    });
}
