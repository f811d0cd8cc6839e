//! The operation `impact`: the nodes that a change reaches, by the rules of the live engine.

use std::rc::Rc;

use codeweft_db::NodeKind;
use codeweft_graph::answer::{ChangeType, GraphRequest, ImpactType};
use codeweft_graph::export::OpenKind;
use codeweft_graph::shaping::{Impact, MAX_COMPLETENESS_NODES, severity, strongest};
use rustc_hash::{FxHashMap, FxHashSet};

use super::calls;
use super::failure::Found;
use super::links::{Link, ResultRow, TargetsOfSites, distinct};
use super::open_sites::OpenSites;
use super::operations::{self, libraries_may_use, sids};
use super::resolved::Target;
use super::result::Answer;
use super::rows::{Rows, Sid, SymbolFact};
use super::statements;
use super::walk::{VisitNeighbour, walk};
use crate::sqlite::codes::{self, USE_KINDS};

/// The steps that reach a node.
type Impacts = FxHashSet<Impact>;

/// A node that the walk does not continue from.
#[derive(Default)]
struct Leaf {
    impacts: Impacts,
    links: Vec<Link>,
}

/// Finds what a change of the target reaches.
pub(super) fn impact(rows: &Rows<'_>, request: &GraphRequest, target: &Target) -> Found<Answer> {
    let change = request.change_type;
    let starts: FxHashMap<Sid, Rc<SymbolFact>> = target
        .symbols
        .iter()
        .map(|symbol| (symbol.sid, symbol.clone()))
        .collect();
    let mut impacts: FxHashMap<Sid, Impacts> = FxHashMap::default();
    let mut targets_of_sites = TargetsOfSites::among(&target.symbols);
    let mut lacks_libraries = false;
    let mut step = |level: &[Sid], visit: VisitNeighbour<'_>| {
        let (own, others): (Vec<Sid>, Vec<Sid>) =
            level.iter().partition(|sid| starts.contains_key(sid));
        calls::each_caller(rows, &others, &mut |symbol, caller, links| {
            visit(symbol, caller, links)
        })?;
        for sid in own {
            let Some(symbol) = starts.get(&sid) else {
                continue;
            };
            let (first, lacks) = first_level(rows, symbol, change)?;
            lacks_libraries |= lacks;
            for (impact_type, by, mut links) in first {
                if let Some(file) = target.file {
                    links.retain(|link: &Link| link.position.file != file);
                    let stays = match impact_type {
                        ImpactType::Implementation => {
                            rows.fact(by)?.is_some_and(|by| by.file() != Some(file))
                        }
                        _ => !links.is_empty(),
                    };
                    if !stays {
                        continue;
                    }
                }
                let impact = (severity(change, impact_type), impact_type);
                impacts.entry(by).or_default().insert(impact);
                targets_of_sites.record(sid, by, &links);
                visit(sid, by, &links)?;
            }
        }
        Ok(())
    };
    let walked = walk(rows, &target.symbols, (request.depth, true), &mut step)?;
    let mut leaves: FxHashMap<Sid, Leaf> = FxHashMap::default();
    for symbol in &target.symbols {
        add_leaves(rows, symbol, change, &mut leaves, &mut targets_of_sites)?;
    }
    if let Some(file) = target.file {
        leaves.retain(|_, leaf| {
            leaf.links.retain(|link| link.position.file != file);
            !leaf.links.is_empty()
        });
    }
    let mut expanded = walked.expanded(&target.symbols, request.depth);
    let partial = expanded.len() > MAX_COMPLETENESS_NODES;
    lacks_libraries |= libraries_may_use(rows, &expanded)?;
    expanded.truncate(MAX_COMPLETENESS_NODES);
    let open = open_sites(rows, &expanded, target)?;
    let mut found = Answer::of_walk(walked, open);
    found.partial = partial.then_some(MAX_COMPLETENESS_NODES as u32);
    found.targets_of_sites = targets_of_sites;
    found.lacks_libraries = lacks_libraries;
    let transitive = (
        severity(change, ImpactType::TransitiveCaller),
        ImpactType::TransitiveCaller,
    );
    for row in &mut found.rows {
        let mut own: Impacts = match row.depth {
            Some(1) => impacts.remove(&row.symbol).unwrap_or_default(),
            _ => Impacts::from_iter([transitive]),
        };
        if let Some(leaf) = leaves.remove(&row.symbol) {
            if row.depth != Some(1) {
                row.depth = Some(1);
                row.links.clear();
                own.clear();
            }
            row.links.extend(leaf.links);
            own.extend(leaf.impacts);
        }
        row.impact = strongest(&own);
    }
    for (symbol, leaf) in leaves {
        if rows.fact(symbol)?.is_some() {
            found.rows.push(ResultRow {
                depth: Some(1),
                impact: strongest(&leaf.impacts),
                links: leaf.links,
                ..ResultRow::plain(symbol)
            });
        }
    }
    let order = rows.sids_in_order(found.rows.iter().map(|row| row.symbol).collect())?;
    let ranks: FxHashMap<Sid, u32> = order.into_iter().zip(0..).collect();
    found
        .rows
        .sort_by_key(|row| (row.depth, ranks.get(&row.symbol).copied()));
    for row in &mut found.rows {
        row.links = distinct(std::mem::take(&mut row.links));
    }
    Ok(found)
}

/// What a change reaches in one step.
type FirstLevel = Vec<(ImpactType, Sid, Vec<Link>)>;

/// Returns the callers and implementations that a change of a symbol reaches in one step, and whether libraries may
/// have other implementations.
fn first_level(
    rows: &Rows<'_>,
    symbol: &Rc<SymbolFact>,
    change: ChangeType,
) -> Found<(FirstLevel, bool)> {
    let mut called = Vec::new();
    let mut implemented = (Vec::new(), false);
    match symbol.kind {
        NodeKind::Function | NodeKind::Package => called.push(symbol.sid),
        NodeKind::Method => {
            called.push(symbol.sid);
            implemented = operations::implementers(rows, symbol)?;
        }
        NodeKind::Interface | NodeKind::Struct | NodeKind::Class | NodeKind::Type => {
            if symbol.is_of_class() {
                called.push(symbol.sid);
            }
            if change != ChangeType::Signature {
                called.extend(methods_of(rows, symbol)?);
            }
            if symbol.kind == NodeKind::Interface || symbol.is_of_class() {
                implemented = operations::implementers(rows, symbol)?;
            }
        }
        NodeKind::Field | NodeKind::Constant | NodeKind::Variable => {}
    }
    let lacks_callers = libraries_may_use(rows, &called)?;
    let mut found = FirstLevel::new();
    calls::each_caller(rows, &called, &mut |_, by, links| {
        found.push((ImpactType::DirectCaller, by, links.clone()));
        Ok(())
    })?;
    let (implemented, lacks) = implemented;
    let implemented = implemented.into_iter();
    found.extend(implemented.map(|row| (ImpactType::Implementation, row.symbol, Vec::new())));
    Ok((found, lacks || lacks_callers))
}

/// Returns the methods that a type declares itself.
fn methods_of(rows: &Rows<'_>, ty: &SymbolFact) -> Found<Vec<Sid>> {
    let members = rows.symbols(rows.sids(statements::MEMBERS, [ty.sid])?)?;
    let methods = members.iter().filter(|one| one.kind == NodeKind::Method);
    Ok(methods.map(|one| one.sid).collect())
}

/// Adds the uses that are not calls, and conversions that become invalid.
fn add_leaves(
    rows: &Rows<'_>,
    symbol: &Rc<SymbolFact>,
    change: ChangeType,
    leaves: &mut FxHashMap<Sid, Leaf>,
    targets_of_sites: &mut TargetsOfSites,
) -> Found<()> {
    let removed = change == ChangeType::Removal;
    let is_value = matches!(
        symbol.kind,
        NodeKind::Field | NodeKind::Constant | NodeKind::Variable
    );
    let is_type = symbol.kind.is_type();
    let impact_type = |code: u8, usage: Option<&str>| match code {
        codes::EMBEDS | codes::IMPORT => None,
        _ if is_value => Some(ImpactType::Reference),
        codes::CALL => None,
        _ if is_type && usage.is_some() => Some(ImpactType::TypeUsage),
        codes::VALUE if change != ChangeType::Behavior => Some(ImpactType::Reference),
        _ if removed => Some(ImpactType::Reference),
        _ => None,
    };
    let mut found: Vec<(ImpactType, Sid, Link)> = Vec::new();
    let mut owners = rows.all(statements::USERS, [symbol.sid], |row| row.get::<_, Sid>(1))?;
    owners.sort_unstable();
    owners.dedup();
    for owner in owners {
        for one in calls::uses(rows, owner)? {
            if one.target != symbol.sid {
                continue;
            }
            let Some(around) = rows.user(owner, one.flags)? else {
                continue;
            };
            let known = USE_KINDS.iter().find(|kind| kind.code == one.code);
            if known.is_none() {
                rows.count_broken();
            }
            let impact_type = known.and_then(|known| impact_type(one.code, known.usage));
            if let Some(impact_type) = impact_type {
                found.push((impact_type, around, Link::exact(one.position, one.flags)));
            }
        }
    }
    if is_value {
        for (around, link) in calls::unions_of(rows, symbol.sid)? {
            found.push((ImpactType::Reference, around, link));
        }
    }
    if symbol.kind == NodeKind::Package {
        for (importer, links) in operations::importers_of(rows, symbol.sid)? {
            let links = links.into_iter();
            found.extend(links.map(|link| (ImpactType::Reference, importer, link)));
        }
    }
    for (around, link) in lost_conversions(rows, symbol, change)? {
        found.push((ImpactType::LostImplementation, around, link));
    }
    for (impact_type, around, link) in found {
        let leaf = leaves.entry(around).or_default();
        leaf.impacts
            .insert((severity(change, impact_type), impact_type));
        leaf.links.push(link);
        targets_of_sites.record(symbol.sid, around, &[link]);
    }
    Ok(())
}

/// Returns the conversions to an interface that become invalid.
fn lost_conversions(
    rows: &Rows<'_>,
    symbol: &Rc<SymbolFact>,
    change: ChangeType,
) -> Found<Vec<(Sid, Link)>> {
    match (symbol.kind, change) {
        (_, ChangeType::Behavior) => Ok(Vec::new()),
        (NodeKind::Method, ChangeType::Removal) if symbol.has(codes::OF_INTERFACE) => {
            Ok(Vec::new())
        }
        (NodeKind::Method, _) => {
            let pairs = pairs_through(rows, symbol)?;
            let types: FxHashSet<Sid> = pairs.iter().map(|&(ty, _)| ty).collect();
            let interfaces: FxHashSet<Sid> = pairs.iter().map(|&(_, of)| of).collect();
            let fewer = if types.len() < interfaces.len() {
                types
            } else {
                interfaces
            };
            let mut found = Vec::new();
            for of in fewer {
                found.extend(conversions(rows, of, |pair| pairs.contains(pair))?);
            }
            Ok(found)
        }
        (
            NodeKind::Interface | NodeKind::Struct | NodeKind::Type | NodeKind::Class,
            ChangeType::Removal,
        ) => conversions(rows, symbol.sid, |_| true),
        _ => Ok(Vec::new()),
    }
}

/// A type and an interface that it satisfies.
type Pair = (Sid, Sid);

/// Returns the conversions of the pairs of a type or interface that `keep` accepts.
fn conversions(rows: &Rows<'_>, of: Sid, keep: impl Fn(&Pair) -> bool) -> Found<Vec<(Sid, Link)>> {
    let read = |row: &rusqlite::Row<'_>| {
        let pair: (u32, Pair) = (row.get(0)?, (row.get(1)?, row.get(2)?));
        Ok(pair)
    };
    let mut found = Vec::new();
    for (number, pair) in rows.all(statements::CONVERSION_PAIRS, [of], read)? {
        if keep(&pair) {
            found.extend(calls::conversions_of(rows, number)?);
        }
    }
    Ok(found)
}

/// Returns the pairs that hold because of a method. For a type's method: every type that has it, with every interface
/// that requires it. For an interface's method: every type with every interface that has it, embedded ones included,
/// unless the type has the method from that very interface.
fn pairs_through(rows: &Rows<'_>, method: &Rc<SymbolFact>) -> Found<FxHashSet<Pair>> {
    let mut pairs = FxHashSet::default();
    let Some(parent) = method.parent else {
        return Ok(pairs);
    };
    let read = |row: &rusqlite::Row<'_>| row.get::<_, Sid>(0);
    let having = with_member(rows, parent, method.name())?;
    if method.has(codes::OF_INTERFACE) {
        for &interface in &having {
            let is_interface = rows.symbol(interface)?;
            if is_interface.is_none_or(|one| one.kind != NodeKind::Interface) {
                continue;
            }
            let types = rows.all(statements::IMPLEMENTERS, [interface], read)?;
            let types = types.into_iter().filter(|ty| !having.contains(ty));
            pairs.extend(types.map(|ty| (ty, interface)));
        }
        return Ok(pairs);
    }
    let mut interfaces = FxHashSet::default();
    for required in rows.all(statements::INTERFACES, [method.sid], read)? {
        if let Some(required) = rows.symbol(required)?
            && let Some(interface) = required.parent
        {
            interfaces.extend(with_member(rows, interface, required.name())?);
        }
    }
    for ty in having {
        let satisfied = rows.all(statements::INTERFACES, [ty], read)?;
        let satisfied = satisfied.into_iter().filter(|one| interfaces.contains(one));
        pairs.extend(satisfied.map(|interface| (ty, interface)));
    }
    Ok(pairs)
}

/// Returns a type and those that have a member of it because they embed it, and declare none of that name.
fn with_member(rows: &Rows<'_>, ty: Sid, name: &str) -> Found<FxHashSet<Sid>> {
    let mut found = FxHashSet::from_iter([ty]);
    let mut level = vec![ty];
    while let Some(at) = level.pop() {
        let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, u8>(0)?, row.get::<_, Sid>(1)?));
        for (kind, owner) in rows.all(statements::USERS, [at], read)? {
            if kind & ((1 << codes::FLAGS_BEHIND) - 1) != codes::EMBEDS || found.contains(&owner) {
                continue;
            }
            let members = rows.symbols(rows.sids(statements::MEMBERS, [owner])?)?;
            if !members.iter().any(|member| member.name() == name) {
                found.insert(owner);
                level.push(owner);
            }
        }
    }
    Ok(found)
}

/// Returns the sites of an impact: callers of expanded nodes, and uses of the target.
fn open_sites(rows: &Rows<'_>, expanded: &[Sid], target: &Target) -> Found<OpenSites> {
    let targets: FxHashSet<Sid> = sids(&target.symbols).into_iter().collect();
    let mut open = OpenSites::default();
    let mut users = OpenSites::default();
    for &symbol in expanded {
        let Some(fact) = rows.fact(symbol)? else {
            continue;
        };
        let is_callable = match fact.kind() {
            Some(NodeKind::Function | NodeKind::Method) => true,
            _ => fact.has(codes::CLASS),
        };
        if is_callable {
            open.add(rows, symbol, OpenKind::CallersOfLiterals)?;
        } else if targets.contains(&symbol) {
            users.add(rows, symbol, OpenKind::Users)?;
        }
    }
    open.extend(rows, users.without_listable());
    open.add_all(rows, targets, OpenKind::Implementers)?;
    Ok(open)
}
