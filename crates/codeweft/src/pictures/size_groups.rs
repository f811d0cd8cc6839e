//! Packages as tiles by size: so many that each can be read, the rest as folders.
//!
//! ```text
//! django.db.models.query, django.db.models.sql, ..., tests.admin_views.tests, ...   2,816 packages
//! django.db.models.query, django.db.backends, ..., tests.admin_views, tests (1890)  at most 150 tiles
//! ```

use std::collections::{BTreeMap, BinaryHeap};

use codeweft_diagrams::Tile;

/// With fewer tiles left a folder stays one.
const MIN_SPLIT: usize = 8;

/// A package with its parts: `django`, `db`, `models`.
struct Package<'a> {
    tile: Tile,
    parts: Vec<&'a str>,
}

/// Returns tiles of packages, at most `most` where folders can join more. A folder is named by its path and
/// has the size of what is in it.
pub(super) fn tiles(packages: &[Tile], most: usize) -> Vec<Tile> {
    let parts = |tile: &'_ Tile| -> Vec<String> {
        let separator = if tile.label.contains('/') { '/' } else { '.' };
        tile.label.split(separator).map(str::to_owned).collect()
    };
    let split: Vec<Vec<String>> = packages.iter().map(parts).collect();
    let all: Vec<Package<'_>> = packages
        .iter()
        .zip(&split)
        .map(|(tile, parts)| Package {
            tile: tile.clone(),
            parts: parts.iter().map(String::as_str).collect(),
        })
        .collect();
    let mut final_tiles: Vec<Tile> = Vec::new();
    let mut open: BinaryHeap<(u64, usize, Vec<usize>)> = BinaryHeap::new();
    open.push((u64::MAX, 0, (0..all.len()).collect()));
    while let Some((_, depth, members)) = open.pop() {
        let mut below: BTreeMap<Option<&str>, Vec<usize>> = BTreeMap::new();
        for member in members.iter().copied() {
            let part = all[member].parts.get(depth).copied();
            below.entry(part).or_default().push(member);
        }
        let left = most.saturating_sub(final_tiles.len() + open.len());
        if below.len() > left && depth > 0 && left < MIN_SPLIT {
            final_tiles.push(joined(&all, &members, depth));
            continue;
        }
        let mut parts: Vec<(u64, Option<&str>, Vec<usize>)> = below
            .into_iter()
            .map(|(part, members)| {
                let size = members.iter().map(|&one| all[one].tile.size).sum();
                (size, part, members)
            })
            .collect();
        parts.sort_by(|one, other| (other.0, &one.2).cmp(&(one.0, &other.2)));
        // Of a folder with too many parts the smaller ones are one tile.
        let kept = match depth {
            0 => parts.len(),
            _ if parts.len() > left => left - 1,
            _ => parts.len(),
        };
        let rest: Vec<usize> = parts
            .drain(kept..)
            .flat_map(|(.., members)| members)
            .collect();
        if !rest.is_empty() {
            final_tiles.push(joined(&all, &rest, depth));
        }
        for (size, part, members) in parts {
            match members.as_slice() {
                // The package of a folder itself, or the only one of it.
                _ if part.is_none() => {
                    final_tiles.extend(members.iter().map(|&one| all[one].tile.clone()));
                }
                &[one] => final_tiles.push(all[one].tile.clone()),
                _ => open.push((size, depth + 1, members)),
            }
        }
    }
    final_tiles
}

/// Returns the folder of some packages that have their first parts in common.
fn joined(all: &[Package<'_>], members: &[usize], depth: usize) -> Tile {
    let packages = members.iter().map(|&member| &all[member]);
    let first = packages.clone().next();
    let label = first.map_or_else(String::new, |package| {
        let separator = if package.tile.label.contains('/') {
            "/"
        } else {
            "."
        };
        package.parts[..depth].join(separator)
    });
    Tile {
        label: format!("{label} ({})", members.len()),
        size: packages.clone().map(|package| package.tile.size).sum(),
        ties: packages.map(|package| package.tile.ties).sum(),
        node: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(names: &[(&str, u64)], most: usize) -> Vec<String> {
        let packages: Vec<Tile> = names
            .iter()
            .map(|&(name, size)| Tile {
                label: name.to_owned(),
                size,
                ties: 1,
                node: Some(name.to_owned()),
            })
            .collect();
        let mut tiles: Vec<String> = tiles(&packages, most)
            .into_iter()
            .map(|tile| format!("{} {}", tile.label, tile.size))
            .collect();
        tiles.sort();
        tiles
    }

    const NAMES: [(&str, u64); 5] = [
        ("app.db.query", 50),
        ("app.db.sql", 40),
        ("app.web", 5),
        ("tests.a", 3),
        ("tests.b", 2),
    ];

    #[test]
    fn few_packages_are_tiles_of_their_own() {
        let wanted = [
            "app.db.query 50",
            "app.db.sql 40",
            "app.web 5",
            "tests.a 3",
            "tests.b 2",
        ];
        assert_eq!(labels(&NAMES, 5), wanted);
    }

    #[test]
    fn the_smallest_folders_are_joined_first() {
        let wanted = [
            "app.db.query 50",
            "app.db.sql 40",
            "app.web 5",
            "tests (2) 5",
        ];
        assert_eq!(labels(&NAMES, 4), wanted);
        assert_eq!(labels(&NAMES, 2), ["app (3) 95", "tests (2) 5"]);
    }

    #[test]
    fn a_package_with_packages_below_it_is_a_tile_beside_them() {
        let names = [("m/a", 5), ("m/a/b", 4), ("m/a/c", 3)];
        assert_eq!(labels(&names, 3), ["m/a 5", "m/a/b 4", "m/a/c 3"]);
    }
}
