//! The edges that belong to a package: imports, embeds, calls and references.

use std::sync::Arc;

use codeweft_db::{File, Receiver, Resolution, Role, SymbolId, Unit, Use};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{EdgeRow, EdgeType, ExportContext, ExportedPackage, Location};
use crate::call_graph;
use crate::link::{Link, SiteKey};
use crate::operations::uses::{reference_kind, type_usage_kind};
use crate::rendering::render::receiver;
use crate::symbols;

/// An edge that is not printed yet.
#[derive(Clone, Debug)]
pub(super) struct ExportEdge {
    pub(super) from: SymbolId,
    pub(super) to: SymbolId,
    pub(super) edge_type: EdgeType,
    pub(super) link: Option<Link>,
    pub(super) kind: Option<&'static str>,
    /// In what a type is written, if the options say so.
    pub(super) usage: Option<&'static str>,
    pub(super) receiver: Option<Receiver>,
    pub(super) type_args: Box<[Box<str>]>,
    pub(super) test: bool,
}

impl ExportEdge {
    pub(super) fn new(from: SymbolId, to: SymbolId, edge_type: EdgeType) -> ExportEdge {
        ExportEdge {
            from,
            to,
            edge_type,
            link: None,
            kind: None,
            usage: None,
            receiver: None,
            type_args: Box::default(),
            test: false,
        }
    }

    fn at(self, link: Link) -> ExportEdge {
        ExportEdge {
            link: Some(link),
            ..self
        }
    }
}

impl ExportContext<'_, '_> {
    /// Returns the edges in a package's own files.
    pub(super) fn edges(&self, package: &ExportedPackage) -> Vec<ExportEdge> {
        let mut edges = Vec::new();
        for &unit in &package.units {
            self.edges_of_unit(&mut edges, unit, &|_| true);
        }
        edges
    }

    /// Adds the edges in the wanted files of a unit.
    pub(super) fn edges_of_unit(
        &self,
        edges: &mut Vec<ExportEdge>,
        unit: Unit,
        is_wanted: &dyn Fn(File) -> bool,
    ) {
        let query = self.query;
        let db = query.db;
        let Some(language) = query.languages.of(unit.lang(db)) else {
            return;
        };
        let wanted = |edge_type| self.options.edges.contains(&edge_type);
        if wanted(EdgeType::Imports) {
            let rows = language.imports(db, unit);
            for row in rows.iter().filter(|row| is_wanted(row.file)) {
                let link = Link::plain(row.file, SiteKey::Import(row.import));
                edges.push(ExportEdge::new(row.from, row.to, EdgeType::Imports).at(link));
            }
        }
        if wanted(EdgeType::Embeds) {
            let hierarchy = language.hierarchy(db, unit);
            let rows = hierarchy.supertypes.iter();
            for row in rows.filter(|row| is_wanted(row.file)) {
                let link = Link::plain(row.file, SiteKey::Token(row.tok));
                edges.push(ExportEdge::new(row.from, row.to, EdgeType::Embeds).at(link));
            }
        }
        let files = language.files(db, unit);
        if wanted(EdgeType::Calls) {
            for &file in files.iter().filter(|&&file| is_wanted(file)) {
                let first = edges.len();
                let calls = call_graph::calls_in(query, file);
                let position = |one: &Use| (one.body, one.occ);
                let sites = calls
                    .all()
                    .chunk_by(|a, b| a.0 == b.0 && position(&a.2) == position(&b.2));
                for site in sites {
                    self.calls(edges, file, site);
                }
                if self.options.dispatch {
                    let uses = language.uses(db, file);
                    call_graph::value_calls(
                        query,
                        file,
                        &uses,
                        |_| true,
                        |from, to, link| {
                            edges.push(ExportEdge::new(from, to, EdgeType::Calls).at(link));
                        },
                    );
                    keep_best(edges, first);
                }
            }
        }
        if wanted(EdgeType::References) {
            let uses = call_graph::uses_in(query, unit, is_wanted);
            // The read of a called name is part of the call.
            let called = uses.iter().filter(|(_, _, one, _)| one.role.is_call());
            let called: FxHashSet<_> = called
                .map(|(_, to, one, file)| (*to, *file, one.body, one.occ))
                .collect();
            for (from, to, one, file) in uses {
                if called.contains(&(to, file, one.body, one.occ)) {
                    continue;
                }
                let for_answers = self.options.for_answers;
                let named_in_import = (for_answers && one.role == Role::Import).then_some("import");
                let Some(kind) = reference_kind(one.role).or(named_in_import) else {
                    continue;
                };
                if one.resolution != Resolution::Name {
                    let edge = ExportEdge::new(from, to, EdgeType::References);
                    edges.push(ExportEdge {
                        kind: Some(kind),
                        usage: type_usage_kind(one.role).filter(|_| for_answers),
                        ..edge.at(Link::of_use(file, &one))
                    });
                }
            }
        }
    }

    /// Adds the calls of one caller at one position: each callee once, with its best resolution.
    fn calls(&self, edges: &mut Vec<ExportEdge>, file: File, site: &[(SymbolId, SymbolId, Use)]) {
        let mut found: Vec<(SymbolId, Link)> = Vec::new();
        for (_, to, one) in site {
            let link = Link::of_use(file, one);
            if link.resolution == Resolution::Name {
                continue;
            }
            found.push((*to, link));
            if self.options.dispatch {
                call_graph::may_run(self.query, *to, link, |run, link| {
                    if link.resolution != Resolution::Name {
                        found.push((run, link));
                    }
                });
            }
        }
        if site.len() > 1 {
            found.sort_by_key(|&(to, link)| (to, link.resolution, link.reason, link.in_literal));
            found.dedup_by_key(|(to, _)| *to);
        }
        let Some(&(from, ..)) = site.first() else {
            return;
        };
        let new = found.into_iter();
        edges.extend(new.map(|(to, link)| ExportEdge::new(from, to, EdgeType::Calls).at(link)));
    }

    /// Prints edges in their order.
    pub(super) fn printed(&self, edges: Vec<ExportEdge>) -> Vec<EdgeRow> {
        let query = self.query;
        let mut by_file: FxHashMap<File, Vec<Link>> = FxHashMap::default();
        for link in edges.iter().filter_map(|edge| edge.link) {
            by_file.entry(link.file).or_default().push(link);
        }
        let by_file: Vec<(File, Vec<Link>)> = by_file.into_iter().collect();
        type Positions = FxHashMap<SiteKey, (u32, u32)>;
        let positions: Vec<(Arc<str>, Positions)> =
            query.map(&by_file, |languages, db, (file, links)| {
                let mut positions = Positions::default();
                if let Some(language) = languages.of(file.lang(db)) {
                    for link in links {
                        positions
                            .entry(link.key)
                            .or_insert_with(|| link.line_column(db, language));
                    }
                }
                (file.path(db).clone(), positions)
            });
        let positions: FxHashMap<File, (Arc<str>, Positions)> = by_file
            .into_iter()
            .map(|(file, _)| file)
            .zip(positions)
            .collect();
        let mut rows: Vec<EdgeRow> = edges
            .into_iter()
            .map(|edge| {
                let location = edge.link.and_then(|link| {
                    let (file, positions) = positions.get(&link.file)?;
                    let &(line, column) = positions.get(&link.key)?;
                    Some(Location {
                        file: file.clone(),
                        line,
                        column,
                    })
                });
                let call = edge.link.filter(|_| edge.edge_type == EdgeType::Calls);
                EdgeRow {
                    from: symbols::id(query, edge.from),
                    to: symbols::id(query, edge.to),
                    edge_type: edge.edge_type,
                    location,
                    resolution: call.map(|link| link.resolution.wire_name().to_owned()),
                    kind: edge.kind.map(str::to_owned),
                    usage: edge.usage,
                    receiver: edge.receiver.map(receiver),
                    type_args: edge.type_args.iter().map(|arg| arg.to_string()).collect(),
                    test: edge.test,
                    reason: edge
                        .link
                        .and_then(|link| link.reason)
                        .map(|reason| reason.wire_name().to_owned()),
                    in_literal: edge.link.is_some_and(|link| link.in_literal),
                    of_literal: edge.link.is_some_and(|link| link.of_literal),
                }
            })
            .collect();
        rows.sort_by(|a, b| {
            let order = (&a.from, a.edge_type, &a.to, &a.location);
            order
                .cmp(&(&b.from, b.edge_type, &b.to, &b.location))
                .then_with(|| a.cmp(b))
        });
        rows.dedup();
        rows
    }
}

/// Keeps of the calls from a number on, of each callee at each position of a caller, those with its best resolution: a call that
/// values decide may be named by the uses, too.
fn keep_best(edges: &mut Vec<ExportEdge>, first: usize) {
    let mut calls = edges.split_off(first);
    let mut best: FxHashMap<(SymbolId, SymbolId, SiteKey), Resolution> = FxHashMap::default();
    let key = |edge: &ExportEdge| {
        let link = edge.link?;
        Some(((edge.from, edge.to, link.key), link.resolution))
    };
    for (of, resolution) in calls.iter().filter_map(key) {
        let known = best.entry(of).or_insert(resolution);
        *known = (*known).min(resolution);
    }
    let is_worse = |(of, resolution)| best.get(&of).is_some_and(|best| *best < resolution);
    calls.retain(|edge| !key(edge).is_some_and(is_worse));
    edges.append(&mut calls);
}
