//! The rows of a file of the workspace: its own, its text, its unresolved sites, and all that it owns.

use std::collections::BTreeSet;
use std::sync::Arc;

use codeweft_graph::export::FileRow;
use rusqlite::types::Value;
use rusqlite::{OptionalExtension as _, params, params_from_iter};
use rustc_hash::{FxHashMap, FxHashSet};

use super::batch::FileRows;
use super::counts::CountedTable;
use super::edges::uses_by_owner;
use super::symbols::WriterRows;
use crate::sqlite::codes;
use crate::sqlite::content;
use crate::sqlite::gather::Gathered;

type SqlResult<T> = rusqlite::Result<T>;

/// The columns of `files` that are compared. The rest is the number, the path, and times.
const COLUMNS: &str = "language, module_path, is_test, is_generated, is_built, is_external, unsaved, line_count_total, \
     line_count_code, line_count_comment, line_count_blank, size_bytes, file_hash";

/// The number of `file_hash` among [`COLUMNS`].
const HASH: usize = 12;

/// The number of columns of [`COLUMNS`] that say which package a file is in.
const PACKAGE: usize = 2;

/// A row of `unresolved_rows` behind its file.
type Unresolved = (u32, u32, String, Option<u8>, i64);

impl WriterRows<'_> {
    /// Writes what differs of a file of the workspace: itself, its text, its declarations and its exact edges.
    pub(crate) fn write_file(&mut self, rows: &FileRows, now: &str) -> SqlResult<()> {
        let FileRows { row, unsaved, part } = rows;
        let file = self.file(&row.path)?;
        self.write_row(file, row, *unsaved, now)?;
        self.write_unresolved(file, row)?;
        let mut sids = self.sids(part)?;
        let mut own: FxHashSet<i64> = FxHashSet::default();
        for (number, symbol) in part.symbols.iter().enumerate() {
            if symbol.kind == 0 {
                continue;
            }
            let of_file = symbol.file.as_ref() == Some(&row.path);
            let of_none = symbol.file.is_none();
            if of_file || of_none || symbol.flags & codes::EXTERNAL != 0 {
                self.write_symbol(part, &sids, number)?;
            }
            if of_file {
                own.extend(sids.get(number));
            }
        }
        for (number, symbol) in part.symbols.iter().enumerate() {
            if symbol.kind != codes::TOP_LEVEL || symbol.id.is_some() {
                continue;
            }
            let home = symbol
                .home
                .and_then(|home| sids.get(home as usize))
                .copied();
            let of = (file, home.unwrap_or_default());
            self.top_level(part, number, of, &mut sids)?;
            own.extend(sids.get(number));
        }
        let uses = uses_by_owner(part, &sids);
        for sid in self.declared_in(file)? {
            if !own.contains(&sid) {
                self.remove_owner(sid)?;
            }
        }
        for sid in own {
            self.write_uses(sid, uses.get(&sid).map_or(&[], Vec::as_slice))?;
        }
        Ok(())
    }

    /// Writes what the calls of a file may run.
    pub(crate) fn write_file_runs(
        &mut self,
        path: &Arc<str>,
        part: Option<&Gathered>,
    ) -> SqlResult<()> {
        let mut find = self
            .connection
            .prepare_cached("SELECT file_id FROM files WHERE file_path = ? AND is_external = 0")?;
        let found: Option<i64> = find.query_row([path], |row| row.get(0)).optional()?;
        let Some(file) = found else {
            return Ok(());
        };
        let mut runs = FxHashMap::default();
        if let Some(part) = part {
            let mut sids = self.sids(part)?;
            let mut starts = FxHashMap::default();
            for (number, symbol) in part.symbols.iter().enumerate() {
                if symbol.kind != codes::TOP_LEVEL || symbol.id.is_some() {
                    continue;
                }
                let home = symbol
                    .home
                    .and_then(|home| sids.get(home as usize))
                    .copied();
                let of = (file, home.unwrap_or_default());
                match self.known_top_level(of.0, of.1)? {
                    // It begins with the first exact use: a call reads before it runs.
                    Some((sid, start)) => {
                        if let Some(slot) = sids.get_mut(number) {
                            *slot = sid;
                        }
                        starts.insert(number as u32, start);
                    }
                    None => self.top_level(part, number, of, &mut sids)?,
                }
            }
            self.write_externals(part, &sids)?;
            runs = self.runs_by_owner(part, &sids, &starts)?;
        }
        for sid in self.declared_in(file)? {
            self.write_runs(sid, runs.get(&sid).map_or(&[], Vec::as_slice))?;
        }
        Ok(())
    }

    /// Removes a file of the workspace with all that it owns.
    pub(crate) fn remove_file(&mut self, path: &str) -> SqlResult<()> {
        let mut find = self
            .connection
            .prepare_cached("SELECT file_id FROM files WHERE file_path = ?")?;
        let found: Option<i64> = find.query_row([path], |row| row.get(0)).optional()?;
        let Some(file) = found else {
            return Ok(());
        };
        for sid in self.declared_in(file)? {
            self.remove_owner(sid)?;
        }
        for (table, statement) in [
            (
                CountedTable::Unresolved,
                "DELETE FROM unresolved_rows WHERE file_id = ?",
            ),
            (
                CountedTable::Texts,
                "DELETE FROM file_text WHERE file_id = ?",
            ),
            (CountedTable::Files, "DELETE FROM files WHERE file_id = ?"),
        ] {
            let removed = self.connection.prepare_cached(statement)?.execute([file])?;
            self.counts.add(table, removed);
        }
        self.forget_file(path);
        self.names.has_other_files = true;
        Ok(())
    }

    /// Writes the folders of the packages: that of the first file.
    pub(crate) fn write_directories(&mut self) -> SqlResult<()> {
        let mut find = self.connection.prepare_cached(
            "SELECT p.package_id, p.directory, min(f.file_path) FROM packages p
             LEFT JOIN files f ON f.module_path = p.module_path AND f.language = p.language AND NOT f.is_external
             GROUP BY p.package_id",
        )?;
        type Folder = (i64, Option<String>, Option<String>);
        let found = find.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let found: Vec<Folder> = found.collect::<SqlResult<_>>()?;
        for (package, old, first) in found {
            let folder = first
                .as_deref()
                .map(|path| path.rsplit_once('/').map_or("", |(folder, _)| folder));
            if old.as_deref() != folder {
                let mut update = self
                    .connection
                    .prepare_cached("UPDATE packages SET directory = ? WHERE package_id = ?")?;
                update.execute(params![folder, package])?;
                self.counts.add(CountedTable::Packages, 1);
            }
        }
        Ok(())
    }

    /// Removes the files of the workspace that are not among `paths`.
    pub(crate) fn remove_other_files(&mut self, paths: &BTreeSet<Arc<str>>) -> SqlResult<()> {
        let mut find = self
            .connection
            .prepare_cached("SELECT file_path FROM files WHERE is_external = 0")?;
        let known = find.query_map([], |row| row.get::<_, String>(0))?;
        let known: Vec<String> = known.collect::<SqlResult<_>>()?;
        for path in known.iter().filter(|path| !paths.contains(path.as_str())) {
            self.remove_file(path)?;
        }
        Ok(())
    }

    /// Removes a declaration or a top level with its edges.
    fn remove_owner(&mut self, sid: i64) -> SqlResult<()> {
        self.write_uses(sid, &[])?;
        self.write_runs(sid, &[])?;
        self.remove_symbol(sid)
    }

    /// Writes the nodes of packages, and removes those of the workspace that are not among them and in no file.
    pub(crate) fn write_packages(&mut self, parts: &[Gathered]) -> SqlResult<()> {
        let mut known: FxHashSet<i64> = FxHashSet::default();
        for part in parts {
            let sids = self.sids(part)?;
            for (number, symbol) in part.symbols.iter().enumerate() {
                if symbol.kind != 0 && symbol.file.is_none() {
                    self.write_symbol(part, &sids, number)?;
                    known.extend(sids.get(number));
                }
            }
        }
        let package = codes::kind_code("package");
        let mut find = self.connection.prepare_cached(
            "SELECT sid FROM symbol_rows WHERE kind = ? AND file_id IS NULL AND NOT flags & ?",
        )?;
        let found = find.query_map(params![package, codes::EXTERNAL], |row| row.get(0))?;
        let found: Vec<i64> = found.collect::<SqlResult<_>>()?;
        for sid in found.into_iter().filter(|sid| !known.contains(sid)) {
            self.remove_owner(sid)?;
        }
        Ok(())
    }

    fn write_row(&mut self, file: i64, row: &FileRow, unsaved: bool, now: &str) -> SqlResult<()> {
        let text = |text: &str| Value::Text(text.to_owned());
        let flag = |flag: bool| Value::Integer(flag.into());
        let number = |number: u32| Value::Integer(number.into());
        let size = row.visible_text().len() as i64;
        let new = vec![
            text(row.lang.wire_name()),
            text(&row.package),
            flag(row.test),
            flag(row.generated),
            flag(row.built),
            flag(false),
            flag(unsaved),
            number(row.lines.total),
            number(row.lines.code),
            number(row.lines.comment),
            number(row.lines.blank),
            Value::Integer(size),
            text(
                blake3::hash(row.visible_text().as_bytes())
                    .to_hex()
                    .as_str(),
            ),
        ];
        let statement = format!("SELECT {COLUMNS} FROM files WHERE file_id = ?");
        let mut find = self.connection.prepare_cached(&statement)?;
        let columns = find.column_count();
        let old: Vec<Value> =
            find.query_row([file], |row| (0..columns).map(|at| row.get(at)).collect())?;
        if old == new {
            return Ok(());
        }
        let marks = "?, ".repeat(columns);
        let statement =
            format!("UPDATE files SET ({COLUMNS}, indexed_at) = ({marks}?) WHERE file_id = ?");
        let mut update = self.connection.prepare_cached(&statement)?;
        let rest = [text(now), Value::Integer(file)];
        update.execute(params_from_iter(new.iter().chain(&rest)))?;
        self.counts.add(CountedTable::Files, 1);
        self.names.has_other_files |= old.get(..PACKAGE) != new.get(..PACKAGE);
        if old.get(HASH) == new.get(HASH) {
            return Ok(());
        }
        let packed = content::compressed(row.visible_text().as_bytes())
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        let known = old.get(HASH) != Some(&Value::Null);
        let statement = if known {
            "UPDATE file_text SET file_path = ?2, z = ?3, size = ?4 WHERE file_id = ?1"
        } else {
            "INSERT INTO file_text VALUES (?1, ?2, ?3, ?4)"
        };
        let mut write = self.connection.prepare_cached(statement)?;
        write.execute(params![file, row.path, packed, size])?;
        self.counts.add(CountedTable::Texts, 1);
        Ok(())
    }

    fn write_unresolved(&mut self, file: i64, row: &FileRow) -> SqlResult<()> {
        let mut new: Vec<Unresolved> = Vec::with_capacity(row.unresolved.len());
        for site in &row.unresolved {
            let reason = self.reason(Some(site.reason))?;
            new.push((
                site.line,
                site.column,
                site.name.clone(),
                site.arguments,
                reason,
            ));
        }
        new.sort_unstable();
        let mut find = self.connection.prepare_cached(
            "SELECT line, col, name, arity, reason FROM unresolved_rows WHERE file_id = ?",
        )?;
        let old = find.query_map([file], |row| {
            Ok((
                row.get(0)?,
                row.get(1)?,
                row.get(2)?,
                row.get(3)?,
                row.get(4)?,
            ))
        })?;
        let mut old: Vec<Unresolved> = old.collect::<SqlResult<_>>()?;
        old.sort_unstable();
        if old == new {
            return Ok(());
        }
        let mut delete = self
            .connection
            .prepare_cached("DELETE FROM unresolved_rows WHERE file_id = ?")?;
        delete.execute([file])?;
        let mut insert = self
            .connection
            .prepare_cached("INSERT INTO unresolved_rows VALUES (?, ?, ?, ?, ?, ?)")?;
        for (line, column, name, arity, reason) in &new {
            insert.execute(params![file, line, column, name, arity, reason])?;
        }
        self.counts
            .add(CountedTable::Unresolved, old.len() + new.len());
        Ok(())
    }
}
