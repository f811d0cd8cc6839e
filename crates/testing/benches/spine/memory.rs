//! Memory of the process, and of what the database holds.

use std::collections::BTreeMap;

use codeweft_db::{RootDb, UnitGraph, file_bodies, file_identifiers};
use codeweft_go_syntax::AsGo as _;
use codeweft_graph::languages;
use codeweft_workspace::{ProjectDatabase, process_memory};

use crate::report::Report;

/// Measures anonymous memory after a cold index and queries.
pub fn resident(report: &mut Report, host: &ProjectDatabase) {
    let memory = process_memory();
    let megabytes = memory.rss_bytes as f64 / 1e6;
    report.figure(
        "memory-mb",
        megabytes,
        "MB",
        "anonymous memory after index and questions",
    );
    let db = host.db();
    let units = UnitGraph::get(db).units(db).iter();
    let files = units.flat_map(|unit| unit.files(db).iter());
    let bytes: usize = files.map(|file| file.text(db).len()).sum();
    let per_byte = memory.rss_bytes as f64 / bytes as f64;
    report.figure(
        "memory-per-byte",
        per_byte,
        "bytes",
        "of it per byte of source",
    );
    let peak = memory.peak_rss_bytes as f64 / 1e6;
    report.figure(
        "memory-peak-mb",
        peak,
        "MB",
        "the most that was ever resident",
    );
    for (name, bytes) in held(host.db()) {
        println!("    {name:<24} {:>10.1} MB", bytes as f64 / 1e6);
    }
}

/// Computes the bytes of vectors: length times the size of an element.
macro_rules! bytes {
    ($($list:expr),* $(,)?) => {
        0 $(+ $list.len() * $list.iter().next().map_or(0, |one| element(&one)))*
    };
}

/// Computes the bytes of arenas, without what their nodes point to.
macro_rules! arenas {
    ($($arena:expr),* $(,)?) => {
        0 $(+ $arena.len() * $arena.values().next().map_or(0, |one| element(&one)))*
    };
}

fn element<T: Sized>(one: &&T) -> usize {
    size_of_val(*one)
}

/// Returns the bytes of the parts of files and units, from their lengths.
fn held(db: &RootDb) -> BTreeMap<&'static str, usize> {
    let mut held: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut add = |name, bytes| *held.entry(name).or_default() += bytes;
    for &unit in UnitGraph::get(db).units(db).iter() {
        let Some(language) = languages::language_of(unit.lang(db)) else {
            continue;
        };
        for &file in unit.files(db).iter() {
            add("texts", file.text(db).len());
            if let Some(items) = file.items(db).go() {
                let code = &items.code;
                let lists = bytes!(
                    code.ints,
                    code.lists,
                    code.names,
                    code.literals,
                    items.items
                );
                let nodes = arenas!(code.exprs, code.stmts, code.sigs, code.fields);
                add("items", lists + nodes);
            }
        }
        for &file in language.files(db, unit).iter() {
            let bodies = file_bodies(db, file);
            for chunk in bodies.go().iter().flat_map(|bodies| &bodies.chunks) {
                let code = &chunk.code;
                let lists = bytes!(
                    code.ints,
                    code.lists,
                    code.names,
                    code.literals,
                    chunk.bodies
                );
                let nodes = arenas!(code.exprs, code.stmts, code.sigs, code.fields);
                add("file_bodies", lists + nodes);
            }
            add("file_identifiers", bytes!(file_identifiers(db, file).names));
            let uses = language.uses(db, file);
            for sites in &uses.uses_by_target {
                add("file_uses", bytes!(sites.targets, sites.starts, sites.uses));
            }
            add("file_uses", bytes!(uses.unresolved, uses.bodies));
            add(
                "file_uses, rows of types",
                bytes!(uses.types, uses.interfaces),
            );
        }
        let symbols = language.symbols(db, unit);
        let indexes = bytes!(
            symbols.rows,
            symbols.by_name,
            symbols.by_id,
            symbols.by_parent
        );
        add("unit_symbols", indexes);
        let index = language.index(db, unit);
        for group in &index.groups {
            add(
                "unit_index",
                bytes!(group.targets, group.starts, group.files, group.unresolved),
            );
        }
        add(
            "unit_identifiers",
            bytes!(language.identifiers(db, unit).names),
        );
        let hierarchy = language.hierarchy(db, unit);
        let methods = hierarchy.types.iter().chain(&hierarchy.interfaces);
        let methods: usize = methods.map(|row| bytes!(row.methods)).sum();
        add(
            "impl_index",
            methods + bytes!(hierarchy.by_method, hierarchy.types),
        );
    }
    held
}
