//! The rows of what answers may lack, of conversions and of names.

use std::sync::Arc;

use codeweft_graph::export::{OpenKind, OpenNodes, OpenSite};
use rusqlite::{Connection, params};
use rustc_hash::{FxHashMap, FxHashSet};

use super::gather::Site;

/// What answers may lack, by numbers in the order in which it came.
#[derive(Default)]
pub(super) struct Open {
    pub(super) sites: Vec<OpenSite>,
    pub(super) sets: Vec<Arc<[u32]>>,
    /// The number of a symbol, a kind, and the number of a set.
    pub(super) nodes: Vec<(u32, OpenKind, u32)>,
    pub(super) conversions: Vec<Conversion>,
    /// The numbers of two symbols with the distance of their classes.
    pub(super) relations: Vec<(u32, u32, u32)>,
}

/// A conversion of a value of a type to an interface.
#[derive(Clone, Copy)]
pub(super) struct Conversion {
    pub(super) site: Site,
    pub(super) ty: u32,
    pub(super) interface: u32,
}

impl Open {
    /// Adds what a package has; `symbol` returns the number of its node at an index.
    pub(super) fn add(&mut self, open: OpenNodes, symbol: impl Fn(u32) -> Option<u32>) {
        self.sites.extend(open.new_sites);
        self.sets.extend(open.new_sets);
        let nodes = open.nodes.into_iter();
        self.nodes
            .extend(nodes.filter_map(|one| Some((symbol(one.node)?, one.kind, one.set))));
    }
}

/// Returns the number of a kind in the tables: its position in [`OpenKind::ALL`].
pub(crate) fn open_kind_code(kind: OpenKind) -> u8 {
    let position = OpenKind::ALL.iter().position(|&one| one == kind);
    position.unwrap_or_default() as u8
}

/// Returns the number by which the table `names` has a name.
pub(crate) fn name_number(name: &str) -> u32 {
    // FNV-1a of 32 bits, folded as its authors say.
    let hash = name.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    hash >> 24 ^ hash & 0x00ff_ffff
}

/// Fills the tables of what answers may lack. `sid` returns the sid of a symbol's number, `file` the number of
/// a file, `relative` the owner's sid and the line less the owner's of a site.
pub(super) fn write_open(
    connection: &Connection,
    open: &Open,
    reasons: &mut Vec<String>,
    sid: impl Fn(u32) -> u32,
    file: impl Fn(&str) -> Option<u32>,
    relative: impl Fn(&Site) -> (u32, i64),
) -> rusqlite::Result<()> {
    // Numbers by file and position, whatever the order of the work was.
    let mut order: Vec<u32> = (0..open.sites.len() as u32).collect();
    let key = |number: &u32| {
        let site = open.sites.get(*number as usize);
        site.map(|site| (&site.file, site.line, site.column, site.reason, site.is_listable))
    };
    order.sort_by(|a, b| key(a).cmp(&key(b)));
    let mut numbers = vec![0_u32; order.len()];
    let mut insert = connection.prepare("INSERT INTO open_site_rows VALUES (?, ?, ?, ?, ?, ?)")?;
    for (&number, at) in order.iter().zip(1_u32..) {
        let (Some(site), Some(slot)) = (
            open.sites.get(number as usize),
            numbers.get_mut(number as usize),
        ) else {
            continue;
        };
        *slot = at;
        let known = reasons.iter().position(|known| known == site.reason);
        let reason = known.unwrap_or_else(|| {
            reasons.push(site.reason.to_owned());
            reasons.len() - 1
        });
        insert.execute(params![
            at,
            file(&site.file),
            site.line,
            site.column,
            reason as i64 + 1,
            site.is_listable
        ])?;
    }
    let mut nodes: Vec<(u32, u8, u32)> = open.nodes.iter().map(|&(number, kind, set)| {
        (sid(number), open_kind_code(kind), set)
    }).collect();
    nodes.sort_unstable();
    let mut sets: FxHashMap<u32, u32> = FxHashMap::default();
    let mut member = connection.prepare("INSERT INTO open_sets VALUES (?, ?)")?;
    let mut insert = connection.prepare("INSERT INTO open_nodes VALUES (?, ?, ?)")?;
    for (sid, kind, set) in nodes {
        let next = sets.len() as u32 + 1;
        let number = match sets.get(&set) {
            Some(&known) => known,
            None => {
                sets.insert(set, next);
                let sites = open.sets.get(set as usize);
                let sites = sites.iter().flat_map(|sites| sites.iter());
                let mut sites: Vec<u32> = sites
                    .filter_map(|&site| numbers.get(site as usize).copied())
                    .collect();
                sites.sort_unstable();
                for site in sites {
                    member.execute(params![next, site])?;
                }
                next
            }
        };
        insert.execute(params![sid, kind, number])?;
    }
    let relations = open.relations.iter();
    let mut relations: Vec<_> = relations
        .map(|&(from, to, distance)| (sid(from), sid(to), distance))
        .collect();
    relations.sort_unstable();
    // Sorted by distance too: the smallest is kept.
    relations.dedup_by_key(|(from, to, _)| (*from, *to));
    let mut insert = connection.prepare("INSERT INTO override_rows VALUES (?, ?, ?)")?;
    for (from, to, distance) in relations {
        insert.execute(params![from, to, distance])?;
    }
    write_conversions(connection, &open.conversions, sid, relative)
}

fn write_conversions(
    connection: &Connection,
    conversions: &[Conversion],
    sid: impl Fn(u32) -> u32,
    relative: impl Fn(&Site) -> (u32, i64),
) -> rusqlite::Result<()> {
    let mut rows: Vec<_> = conversions
        .iter()
        .map(|one| {
            let (owner, below) = relative(&one.site);
            let pair = (sid(one.ty), sid(one.interface));
            (pair, owner, below, one.site.column, one.site.flags)
        })
        .collect();
    rows.sort_unstable();
    let mut seen = FxHashSet::default();
    rows.retain(|&(pair, owner, below, column, _)| seen.insert((pair, owner, below, column)));
    let mut insert_pair = connection.prepare("INSERT INTO conversion_pairs VALUES (?, ?, ?)")?;
    let mut insert = connection.prepare("INSERT INTO conversion_rows VALUES (?, ?, ?, ?, ?)")?;
    for (of_pair, number) in rows.chunk_by(|a, b| a.0 == b.0).zip(1_i64..) {
        if let Some(((ty, interface), ..)) = of_pair.first() {
            insert_pair.execute(params![number, ty, interface])?;
        }
        for (_, owner, below, column, flags) in of_pair {
            insert.execute(params![number, owner, below, column, flags])?;
        }
    }
    Ok(())
}

/// Fills the table of names with the names and sids of the symbols.
pub(super) fn write_names<'a>(
    connection: &Connection,
    symbols: impl Iterator<Item = (&'a str, u32)>,
) -> rusqlite::Result<()> {
    let mut rows: Vec<(u32, u32)> = symbols
        .map(|(name, sid)| (name_number(name), sid))
        .collect();
    rows.sort_unstable();
    rows.dedup();
    let mut insert = connection.prepare("INSERT INTO names VALUES (?, ?)")?;
    for (number, sid) in rows {
        insert.execute(params![number, sid])?;
    }
    Ok(())
}
