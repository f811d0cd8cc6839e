//! The memory of a database by salsa's ingredients.

use codeweft_workspace::ProjectDatabase;

/// The number of ingredients that are listed.
const LISTED: usize = 15;

/// Prints salsa's memory by ingredient. Consumes the database, for salsa needs exclusive access.
pub fn print(host: ProjectDatabase) {
    let mut db = host.db().clone();
    drop(host);
    let database: &mut dyn salsa::Database = &mut db;
    let usage = database.memory_usage();
    let structs = usage.structs.iter().map(|info| (info.debug_name(), info));
    let queries = usage.queries.iter().map(|(name, info)| (*name, info));
    let mut rows: Vec<(usize, String)> = structs
        .chain(queries)
        .map(|(name, info)| {
            let heap = info.heap_size_of_fields().unwrap_or(0);
            let whole = info.size_of_fields() + info.size_of_metadata() + heap;
            let (count, each) = (info.count(), whole / info.count().max(1));
            (whole, format!("{name:<24} {count:>9} of {each:>5} bytes"))
        })
        .collect();
    rows.sort_by(|a, b| b.cmp(a));
    println!("  salsa, without what its values point to:");
    for (bytes, words) in rows.into_iter().take(LISTED) {
        println!("    {words} {:>10.1} MB", bytes as f64 / 1e6);
    }
}
