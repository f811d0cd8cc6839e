//! The operations but `impact` and `path`.

use std::rc::Rc;

use codeweft_db::NodeKind;
use codeweft_graph::answer::{GraphRequest, ReceiverKind};
use codeweft_graph::export::OpenKind;
use codeweft_graph::shaping::MAX_COMPLETENESS_NODES;
use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::{self, RunSets};
use super::failure::Found;
use super::links::{
    Kind, Link, Links, LiteralCalls, Neighbours, ResultRow, TargetsOfSites, listed,
};
use super::open_sites::{OpenSites, is_used_by_libraries};
use super::resolved::Target;
use super::result::Answer;
use super::rows::{Fact, Rows, Sid, SymbolFact};
use super::walk::{VisitNeighbour, walk};
use super::{position, statements};
use crate::sqlite::codes::{self, USE_KINDS};

/// Returns the numbers of the target's symbols.
pub(super) fn sids(symbols: &[Rc<SymbolFact>]) -> Vec<Sid> {
    symbols.iter().map(|one| one.sid).collect()
}

/// Returns whether code of libraries could use one of some symbols in ways that the database does not have.
pub(super) fn libraries_may_use(rows: &Rows<'_>, symbols: &[Sid]) -> Found<bool> {
    if !rows.has_libraries() {
        return Ok(false);
    }
    for &symbol in symbols {
        let is_external = rows.fact(symbol)?.is_some_and(Fact::is_external);
        if is_external || is_used_by_libraries(rows, symbol)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns whether one of some symbols is of a library whose text was read when the file was written.
fn has_read_library(rows: &Rows<'_>, symbols: &[Sid]) -> Found<bool> {
    for &symbol in symbols {
        if rows.fact(symbol)?.is_some_and(Fact::is_of_read_library) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Finds the callers of the target.
pub(super) fn callers(rows: &Rows<'_>, request: &GraphRequest, target: &Target) -> Found<Answer> {
    let starts: FxHashSet<Sid> = sids(&target.symbols).into_iter().collect();
    let mut targets_of_sites = TargetsOfSites::among(&target.symbols);
    let mut literal_calls = LiteralCalls::of(request.include_literal_calls);
    let mut step = |level: &[Sid], visit: VisitNeighbour<'_>| {
        calls::each_caller(rows, level, &mut |symbol, caller, links| {
            let is_start = starts.contains(&symbol);
            if let Some(file) = target.file.filter(|_| is_start) {
                links.retain(|link| link.position.file != file);
            }
            literal_calls.hide(caller, links);
            if links.is_empty() {
                return Ok(());
            }
            if is_start {
                targets_of_sites.record(symbol, caller, links);
            }
            visit(symbol, caller, links)
        })
    };
    let walked = walk(rows, &target.symbols, (request.depth, true), &mut step)?;
    let mut expanded = walked.expanded(&target.symbols, request.depth);
    let max_checked = MAX_COMPLETENESS_NODES.max(target.symbols.len());
    let partial = expanded.len() > max_checked;
    let lacks_libraries = libraries_may_use(rows, &expanded)?;
    expanded.truncate(max_checked);
    let kind = if request.include_literal_calls {
        OpenKind::CallersOfLiterals
    } else {
        OpenKind::Callers
    };
    let mut open = OpenSites::default();
    open.add_all(rows, expanded, kind)?;
    Ok(Answer {
        targets_of_sites,
        partial: partial.then_some(max_checked as u32),
        literal_calls,
        lacks_libraries,
        ..Answer::of_walk(walked, open)
    })
}

/// Finds what the target calls.
pub(super) fn callees(rows: &Rows<'_>, request: &GraphRequest, target: &Target) -> Found<Answer> {
    let starts: FxHashSet<Sid> = sids(&target.symbols).into_iter().collect();
    let mut targets_of_sites = TargetsOfSites::among(&target.symbols);
    let mut literal_calls = LiteralCalls::of(request.include_literal_calls);
    let mut sets = RunSets::default();
    let mut step = |level: &[Sid], visit: VisitNeighbour<'_>| {
        for &symbol in level {
            let is_start = starts.contains(&symbol);
            let of_file = target.file.filter(|_| is_start);
            for (callee, mut links) in calls::callees_of(rows, symbol, &mut sets)? {
                if let Some(file) = of_file {
                    links.retain(|link| link.position.file == file);
                    let fact = rows.fact(callee)?;
                    if fact.is_none_or(|fact| fact.file() == Some(file)) {
                        continue;
                    }
                }
                literal_calls.hide(callee, &mut links);
                if links.is_empty() {
                    continue;
                }
                if is_start {
                    targets_of_sites.record(symbol, callee, &links);
                }
                visit(symbol, callee, &links)?;
            }
        }
        Ok(())
    };
    let walked = walk(rows, &target.symbols, (request.depth, false), &mut step)?;
    let expanded = walked.expanded(&target.symbols, request.depth);
    let lacks_libraries = has_read_library(rows, &expanded)?;
    let mut open = OpenSites::default();
    open.add_all(rows, expanded.iter().copied(), OpenKind::Callees)?;
    open.add_all(rows, expanded, OpenKind::PossibleCallees)?;
    Ok(Answer {
        targets_of_sites,
        literal_calls,
        lacks_libraries,
        ..Answer::of_walk(walked, open)
    })
}

/// Finds what the target imports, or (`backward`) what imports it.
pub(super) fn imports(
    rows: &Rows<'_>,
    request: &GraphRequest,
    target: &Target,
    backward: bool,
) -> Found<Answer> {
    let only = target.file.filter(|_| !backward);
    let starts: FxHashSet<Sid> = sids(&target.symbols).into_iter().collect();
    let mut targets_of_sites = TargetsOfSites::among(&target.symbols);
    let mut step = |level: &[Sid], visit: VisitNeighbour<'_>| {
        for &package in level {
            let found = if backward {
                importers_of(rows, package)?
            } else {
                imports_of(rows, package)?
            };
            let is_start = starts.contains(&package);
            for (neighbour, mut links) in found {
                if let Some(file) = only.filter(|_| is_start) {
                    links.retain(|link| link.position.file == file);
                }
                if links.is_empty() {
                    continue;
                }
                if is_start {
                    targets_of_sites.record(package, neighbour, &links);
                }
                visit(package, neighbour, &links)?;
            }
        }
        Ok(())
    };
    let walked = walk(rows, &target.symbols, (request.depth, backward), &mut step)?;
    let mut expanded = walked.expanded(&target.symbols, request.depth);
    let max_checked = MAX_COMPLETENESS_NODES.max(target.symbols.len());
    let partial = expanded.len() > max_checked;
    let lacks_libraries = if backward {
        libraries_may_use(rows, &expanded)?
    } else {
        has_read_library(rows, &expanded)?
    };
    expanded.truncate(max_checked);
    let kind = if backward {
        OpenKind::Importers
    } else {
        OpenKind::Imports
    };
    let mut open = OpenSites::default();
    open.add_all(rows, expanded, kind)?;
    Ok(Answer {
        targets_of_sites,
        partial: partial.then_some(max_checked as u32),
        lacks_libraries,
        ..Answer::of_walk(walked, open)
    })
}

/// Returns the packages that import a package.
pub(super) fn importers_of(rows: &Rows<'_>, package: Sid) -> Found<Neighbours> {
    let mut links = Links::default();
    let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, u8>(0)?, row.get::<_, Sid>(1)?));
    let mut owners = rows.all(statements::USERS, [package], read)?;
    owners.retain(|(kind, _)| code_of(*kind) == codes::IMPORT);
    let owners: FxHashSet<Sid> = owners.into_iter().map(|(_, owner)| owner).collect();
    for owner in owners {
        for one in calls::uses(rows, owner)? {
            if one.target == package
                && one.code == codes::IMPORT
                && let Some(importer) = rows.user(owner, one.flags)?
            {
                links.add(importer, Link::exact(one.position, one.flags));
            }
        }
    }
    Ok(links.finish())
}

fn code_of(kind: u8) -> u8 {
    kind & ((1 << codes::FLAGS_BEHIND) - 1)
}

fn imports_of(rows: &Rows<'_>, package: Sid) -> Found<Neighbours> {
    let mut links = Links::default();
    for (owner, of_home) in rows.owners_of(package)? {
        for one in calls::uses(rows, owner)? {
            let is_own = (one.flags & codes::OF_HOME != 0) == of_home;
            if one.code == codes::IMPORT && is_own {
                links.add(one.target, Link::exact(one.position, one.flags));
            }
        }
    }
    Ok(links.finish())
}

/// Which uses an operation lists.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Listed {
    /// All.
    References,
    /// Where a type is written.
    TypeUsages,
}

/// Finds the uses of the target, by enclosing declaration; for a package its imports.
pub(super) fn uses(rows: &Rows<'_>, target: &Target, listed_uses: Listed) -> Found<Answer> {
    let mut links: FxHashMap<Sid, Vec<Link>> = FxHashMap::default();
    let mut targets_of_sites = TargetsOfSites::among(&target.symbols);
    let mut open = OpenSites::default();
    for symbol in &target.symbols {
        for (around, mut of_symbol) in uses_of(rows, symbol, listed_uses)? {
            if let Some(file) = target.file {
                of_symbol.retain(|link| link.position.file != file);
            }
            if !of_symbol.is_empty() {
                targets_of_sites.record(symbol.sid, around, &of_symbol);
                links.entry(around).or_default().extend(of_symbol);
            }
        }
        open.add(rows, symbol.sid, OpenKind::Users)?;
    }
    let neighbours = links.into_iter();
    let neighbours = neighbours.map(|(around, links)| (around, super::links::distinct(links)));
    if listed_uses == Listed::TypeUsages {
        open = open.without_listable();
    }
    Ok(Answer {
        targets_of_sites,
        lacks_libraries: libraries_may_use(rows, &sids(&target.symbols))?,
        ..Answer::list(listed(rows, neighbours.collect())?, open)
    })
}

/// Returns the uses of a symbol by enclosing declaration.
pub(super) fn uses_of(
    rows: &Rows<'_>,
    symbol: &SymbolFact,
    listed_uses: Listed,
) -> Found<Neighbours> {
    let mut links = Links::default();
    if listed_uses == Listed::References && symbol.kind == NodeKind::Package {
        for (importer, of_importer) in importers_of(rows, symbol.sid)? {
            for link in of_importer {
                let kind = Kind::named("import");
                links.add(importer, Link { kind, ..link });
            }
        }
    }
    let mut owners = rows.all(statements::USERS, [symbol.sid], |row| row.get::<_, Sid>(1))?;
    owners.sort_unstable();
    owners.dedup();
    for owner in owners {
        for one in calls::uses(rows, owner)? {
            if one.target != symbol.sid || matches!(one.code, codes::EMBEDS | codes::IMPORT) {
                continue;
            }
            let Some(around) = rows.user(owner, one.flags)? else {
                continue;
            };
            let Some(known) = USE_KINDS.iter().find(|kind| kind.code == one.code) else {
                rows.count_broken();
                continue;
            };
            let word = match listed_uses {
                Listed::References => Some(known.name),
                Listed::TypeUsages => known.usage,
            };
            if let Some(word) = word {
                let kind = Kind::named(word);
                let link = Link::exact(one.position, one.flags);
                links.add(around, Link { kind, ..link });
            }
        }
    }
    if listed_uses == Listed::References {
        for (around, link) in calls::unions_of(rows, symbol.sid)? {
            let kind = Kind::named("call");
            links.add(around, Link { kind, ..link });
        }
    }
    Ok(links.finish())
}

/// Finds the implementations of the target, or (`inverse`) what it implements.
pub(super) fn implementations(rows: &Rows<'_>, target: &Target, inverse: bool) -> Found<Answer> {
    let mut found = Vec::new();
    let mut open = OpenSites::default();
    let mut lacks_libraries = false;
    for symbol in &target.symbols {
        let (of_symbol, lacks) = if inverse {
            implemented(rows, symbol)?
        } else {
            implementers(rows, symbol)?
        };
        found.extend(of_symbol);
        lacks_libraries |= lacks;
        let kind = if inverse {
            OpenKind::Supertypes
        } else {
            OpenKind::Implementers
        };
        open.add(rows, symbol.sid, kind)?;
    }
    let found = by_depth_and_id(rows, found)?;
    Ok(Answer {
        lacks_libraries,
        ..Answer::list(found, open)
    })
}

/// Orders rows by depth and id and keeps each result once, at its smallest depth.
fn by_depth_and_id(rows: &Rows<'_>, found: Vec<ResultRow>) -> Found<Vec<ResultRow>> {
    let mut keyed = Vec::with_capacity(found.len());
    for row in found {
        let Some(symbol) = rows.symbol(row.symbol)? else {
            continue;
        };
        let lang = rows.lang(&symbol)?;
        let receiver = row.receiver.map(|one| one == ReceiverKind::Pointer);
        let id = symbol.id.clone();
        keyed.push(((row.depth, lang, id, row.type_args.clone(), receiver), row));
    }
    keyed.sort_by(|(a, _), (b, _)| a.cmp(b));
    let mut seen = FxHashSet::default();
    let rows = keyed.into_iter().map(|(_, row)| row);
    Ok(rows
        .filter(|row| seen.insert((row.symbol, row.type_args.clone())))
        .collect())
}

/// Returns the implementations of a symbol, and whether libraries may have others.
pub(super) fn implementers(
    rows: &Rows<'_>,
    symbol: &Rc<SymbolFact>,
) -> Found<(Vec<ResultRow>, bool)> {
    related(rows, symbol, Relation::BELOW)
}

/// Returns what a symbol implements, and whether libraries may have others.
pub(super) fn implemented(
    rows: &Rows<'_>,
    symbol: &Rc<SymbolFact>,
) -> Found<(Vec<ResultRow>, bool)> {
    if symbol.kind == NodeKind::Interface && !symbol.is_of_class() {
        return Ok((Vec::new(), false));
    }
    related(rows, symbol, Relation::ABOVE)
}

/// The statements of one direction.
struct Relation {
    /// Of classes by their bases.
    classes: &'static str,
    /// Of the methods of classes, and of classes by other relations.
    others: &'static str,
    pairs: &'static str,
}

impl Relation {
    const BELOW: Relation = Relation {
        classes: statements::SUBCLASSES,
        others: statements::OVERRIDES,
        pairs: statements::IMPLEMENTERS,
    };
    const ABOVE: Relation = Relation {
        classes: statements::BASES,
        others: statements::OVERRIDDEN,
        pairs: statements::INTERFACES,
    };
}

fn related(
    rows: &Rows<'_>,
    symbol: &Rc<SymbolFact>,
    relation: Relation,
) -> Found<(Vec<ResultRow>, bool)> {
    let of_class = symbol.is_of_class();
    let is_method = symbol.kind == NodeKind::Method;
    let mut found = Vec::new();
    let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, Sid>(0)?, row.get::<_, u32>(1)?));
    let mut distances = Vec::new();
    if of_class {
        distances = rows.all(relation.others, [symbol.sid], read)?;
    }
    if of_class && !is_method {
        distances.extend(rows.all(relation.classes, [symbol.sid], read)?);
    }
    for (sid, distance) in distances {
        if rows.fact(sid)?.is_some() {
            found.push(ResultRow {
                depth: Some(distance),
                ..ResultRow::plain(sid)
            });
        }
    }
    // The pairs of classes have distances above.
    if !of_class {
        let read = |row: &rusqlite::Row<'_>| {
            let pair: (Sid, String, Option<String>) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(pair)
        };
        for (sid, type_args, receiver) in rows.all(relation.pairs, [symbol.sid], read)? {
            if rows.fact(sid)?.is_none() {
                continue;
            }
            let Ok(type_args) = serde_json::from_str(&type_args) else {
                rows.count_broken();
                continue;
            };
            found.push(ResultRow {
                receiver: receiver_of(receiver.as_deref()),
                type_args,
                ..ResultRow::plain(sid)
            });
        }
    }
    found.retain(|row| row.symbol != symbol.sid);
    Ok((found, symbol.is_external() && rows.has_libraries()))
}

fn receiver_of(word: Option<&str>) -> Option<ReceiverKind> {
    match word? {
        "value" => Some(ReceiverKind::Value),
        "pointer" => Some(ReceiverKind::Pointer),
        _ => None,
    }
}

/// Returns the declarations of the target.
pub(super) fn definition(rows: &Rows<'_>, target: &Target) -> Found<Answer> {
    let mut found = Vec::new();
    for symbol in &target.symbols {
        let embedded = match target.at {
            Some(at) => position::embedded_at(rows, symbol, at)?,
            None => None,
        };
        let symbol = embedded.as_ref().unwrap_or(symbol);
        found.push(ResultRow::plain(symbol.sid));
    }
    Ok(Answer::list(found, OpenSites::default()))
}
