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

/// The reason of sites in files that the build configuration leaves out.
pub(crate) const EXCLUDED_FILE: &str = "excluded_file";

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
    let numbers = write_sites(connection, &open.sites, reasons, &file)?;
    let nodes = open.nodes.iter();
    let mut nodes: Vec<(u32, u8, u32)> = nodes
        .map(|&(number, kind, set)| (sid(number), open_kind_code(kind), set))
        .collect();
    nodes.sort_unstable();
    let (callers, with_literals) = (
        open_kind_code(OpenKind::Callers),
        open_kind_code(OpenKind::CallersOfLiterals),
    );
    nodes.dedup_by(|next, before| {
        (before.0, before.2) == (next.0, next.2) && (before.1, next.1) == (callers, with_literals)
    });
    let mut sets: FxHashMap<u32, u32> = FxHashMap::default();
    let mut member = connection.prepare("INSERT INTO open_sets VALUES (?, ?)")?;
    let mut mentions = connection.prepare("INSERT INTO open_mentions VALUES (?, ?)")?;
    let mut insert = connection.prepare("INSERT INTO open_nodes VALUES (?, ?, ?)")?;
    for (sid, kind, set) in nodes {
        let next = sets.len() as u32 + 1;
        let number = *sets.entry(set).or_insert(next);
        insert.execute(params![sid, kind, number])?;
        if number != next {
            continue;
        }
        let sites = open.sets.get(set as usize);
        let sites = sites.iter().flat_map(|sites| sites.iter());
        let (mut rows, mut positions) = (Vec::new(), Vec::new());
        for &number in sites {
            let known = numbers.get(number as usize).copied().flatten();
            match (known, open.sites.get(number as usize)) {
                (Some(row), _) => rows.push(row),
                (None, Some(site)) => positions.push((file(&site.file), site.line, site.column)),
                (None, None) => {}
            }
        }
        rows.sort_unstable();
        for row in rows {
            member.execute(params![number, row])?;
        }
        positions.sort_unstable();
        if !positions.is_empty() {
            mentions.execute(params![number, packed(&positions)])?;
        }
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

/// Writes the sites that are rows; returns the number of each, of a mention in an excluded file none.
fn write_sites(
    connection: &Connection,
    sites: &[OpenSite],
    reasons: &mut Vec<String>,
    file: impl Fn(&str) -> Option<u32>,
) -> rusqlite::Result<Vec<Option<u32>>> {
    // Numbers by file and position, whatever the order of the work was.
    let mut order: Vec<(&OpenSite, usize)> = sites.iter().zip(0..).collect();
    order.retain(|(site, _)| site.reason != EXCLUDED_FILE);
    order.sort_by_key(|(site, _)| {
        (
            &site.file,
            site.line,
            site.column,
            site.reason,
            site.is_listable,
            site.number_there,
        )
    });
    let mut numbers = vec![None; sites.len()];
    let mut insert = connection.prepare("INSERT INTO open_site_rows VALUES (?, ?, ?, ?, ?, ?)")?;
    for ((site, position), at) in order.into_iter().zip(1_u32..) {
        if let Some(number) = numbers.get_mut(position) {
            *number = Some(at);
        }
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
            u8::from(site.is_listable) | site.number_there << 1
        ])?;
    }
    Ok(numbers)
}

/// Packs positions, which are sorted.
fn packed(positions: &[(Option<u32>, u32, u32)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut before = 0;
    for &(file, line, column) in positions {
        let file = file.unwrap_or(0);
        for number in [file - before, line, column] {
            put_number(&mut bytes, number);
        }
        before = file;
    }
    bytes
}

/// Adds a number with 7 bits a byte, the lowest first (LEB128).
fn put_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Returns the numbers that [`put_number`] added, as far as the bytes are whole.
pub(crate) fn packed_numbers(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    let mut bytes = bytes.iter();
    std::iter::from_fn(move || {
        let mut number = 0_u32;
        for shift in (0..32).step_by(7) {
            let &byte = bytes.next()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    })
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
    for of_number in rows.chunk_by(|a, b| a.0 == b.0) {
        let mut bytes = Vec::new();
        let mut before = 0;
        for &(_, sid) in of_number {
            put_number(&mut bytes, sid - before);
            before = sid;
        }
        if let Some((number, _)) = of_number.first() {
            insert.execute(params![number, bytes])?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{packed_numbers, put_number};

    #[test]
    fn packed_numbers_are_themselves_again_and_broken_ones_end() {
        let numbers = [0, 1, 127, 128, 300, 1 << 20, u32::MAX];
        let mut bytes = Vec::new();
        for number in numbers {
            put_number(&mut bytes, number);
        }
        assert!(packed_numbers(&bytes).eq(numbers));
        assert_eq!(packed_numbers(&bytes[..bytes.len() - 1]).count(), 6);
        assert_eq!(packed_numbers(&[0xff; 9]).count(), 0);
    }
}
