//! A batch as one transaction.

use rusqlite::{Connection, TransactionBehavior, params};
use rustc_hash::FxHashSet;

use super::batch::{Batch, FileChange};
use super::counts::RowCounts;
use super::edges::Sets;
use super::symbols::{Names, WriterRows};

type SqlResult<T> = rusqlite::Result<T>;

/// What the writer knows of a file between transactions.
#[derive(Default)]
pub(crate) struct Known {
    /// `None` before it is read, and after a transaction that failed.
    sets: Option<Sets>,
    /// Symbols that may be in no edge any more.
    loose: FxHashSet<i64>,
    /// Packages and files of libraries that may have no symbol any more.
    loose_packages: FxHashSet<i64>,
    loose_files: FxHashSet<i64>,
    /// Whether `loose` has all of them.
    has_all_loose: bool,
}

/// Writes a batch: all of it, or nothing. Returns how many rows it wrote.
///
/// # Errors
/// What SQLite says; the file is then as before.
pub(crate) fn write(
    connection: &mut Connection,
    known: &mut Known,
    batch: &Batch,
    now: &str,
) -> SqlResult<RowCounts> {
    // Taken, so that a failure leaves nothing that the file does not have.
    let sets = known.sets.take();
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let sets = match sets {
        Some(sets) => sets,
        None => Sets::read(&transaction)?,
    };
    let mut rows = WriterRows {
        connection: &transaction,
        names: Names::default(),
        sets,
        counts: RowCounts::default(),
    };
    rows.names.loose = known.loose.clone();
    rows.names.loose_packages = known.loose_packages.clone();
    rows.names.loose_files = known.loose_files.clone();
    if let Some(paths) = &batch.paths {
        rows.remove_other_files(paths)?;
    }
    for (path, change) in &batch.files {
        if matches!(change, FileChange::Gone) {
            rows.remove_file(path)?;
        }
    }
    for change in batch.files.values() {
        if let FileChange::Rows(file) = change {
            rows.write_file(file, now)?;
        }
    }
    if rows.names.has_other_files {
        rows.write_directories()?;
    }
    if let Some(packages) = &batch.packages {
        rows.write_packages(packages)?;
    }
    if let Some(pairs) = &batch.pairs {
        rows.write_pairs(pairs)?;
    }
    for (path, runs) in &batch.runs {
        rows.write_file_runs(path, runs.as_ref())?;
    }
    rows.remove_loose_sets()?;
    let is_whole = batch.is_level || batch.has_level_sets;
    if is_whole {
        if !known.has_all_loose {
            rows.suspect_all()?;
        }
        rows.names.loose = rows.remove_loose()?;
        if std::mem::take(&mut rows.names.has_new_external) {
            rows.link_externals()?;
        }
    }
    write_metadata(&transaction, batch, now)?;
    let (names, counts, sets) = (rows.names, rows.counts, rows.sets);
    transaction.commit()?;
    known.sets = Some(sets);
    known.has_all_loose |= is_whole;
    known.has_all_loose &= !names.has_new_external;
    known.loose = names.loose;
    known.loose_packages = names.loose_packages;
    known.loose_files = names.loose_files;
    Ok(counts)
}

/// Writes what the file is level with, the revision last.
fn write_metadata(connection: &Connection, batch: &Batch, now: &str) -> SqlResult<()> {
    let mut put = connection.prepare_cached(
        "INSERT INTO cache_metadata VALUES (?1, ?2, ?3)
         ON CONFLICT (key) DO UPDATE SET value = ?2, updated_at = ?3",
    )?;
    let revision = batch.revision.to_string();
    let is_partial = !(batch.is_level || batch.has_level_sets);
    put.execute(params!["partial", i64::from(is_partial), now])?;
    let inputs = batch.inputs.as_deref().unwrap_or_default();
    put.execute(params!["inputs", inputs, now])?;
    if batch.has_level_sets {
        put.execute(params!["dispatch_revision", revision, now])?;
    }
    put.execute(params!["revision", revision, now])?;
    Ok(())
}
