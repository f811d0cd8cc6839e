//! The rows of `symbol_rows`, `packages` and `files`: found by their texts, compared, and written if they differ.

use std::sync::Arc;

use codeweft_db::Lang;
use codeweft_db::detail::ParameterDetail;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, params, params_from_iter};
use rustc_hash::{FxHashMap, FxHashSet};

use super::counts::{CountedTable, RowCounts};
use super::edges::Sets;
use crate::sqlite::codes;
use crate::sqlite::gather::{Gathered, Symbol};
use crate::sqlite::insert::{is_typed, language, name_columns, role_code};

type SqlResult<T> = rusqlite::Result<T>;

/// The columns of `symbol_rows` behind `sid`.
const COLUMNS: &str = "symbol_id, name_size, name, kind, package, parent, home, file_id, flags, name_line, name_col, \
     start_line, end_line, start_pos, end_pos, signature, type_expr";

/// The numbers of `parent` and `home` among [`COLUMNS`].
const LINKS: std::ops::Range<usize> = 5..7;

/// The number of `flags` among [`COLUMNS`].
const FLAGS: usize = 8;

fn is_external(flags: &Value) -> bool {
    matches!(flags, Value::Integer(flags) if flags & i64::from(codes::EXTERNAL) != 0)
}

/// The names of one transaction, and what it has to look at again at its end.
#[derive(Default)]
pub(crate) struct Names {
    sids: FxHashMap<(Option<Lang>, Arc<str>), i64>,
    packages: FxHashMap<(Option<Lang>, Arc<str>), i64>,
    files: FxHashMap<Arc<str>, i64>,
    /// The greatest sid that is taken; 0 before it is known.
    last_sid: i64,
    /// Symbols that may be in no edge any more.
    pub(crate) loose: FxHashSet<i64>,
    /// Packages and files that may have no symbol any more.
    pub(crate) loose_packages: FxHashSet<i64>,
    pub(crate) loose_files: FxHashSet<i64>,
    /// Whether a node of a library came.
    pub(crate) has_new_external: bool,
    /// Whether a file came, went, or is in another package.
    pub(crate) has_other_files: bool,
}

/// A connection in a transaction.
pub(crate) struct WriterRows<'c> {
    pub(crate) connection: &'c Connection,
    pub(crate) names: Names,
    pub(crate) sets: Sets,
    pub(crate) counts: RowCounts,
}

impl WriterRows<'_> {
    /// Returns the sid of a symbol; one that is not known gets a row without a kind.
    pub(crate) fn sid(&mut self, lang: Option<Lang>, id: &Arc<str>) -> SqlResult<i64> {
        let key = (lang, id.clone());
        if let Some(&known) = self.names.sids.get(&key) {
            return Ok(known);
        }
        let mut find = self.connection.prepare_cached(
            "SELECT s.sid, p.language FROM symbol_rows s LEFT JOIN packages p ON p.package_id = s.package
             WHERE s.symbol_id = ?",
        )?;
        let rows = find.query_map([id], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, Option<String>>(1)?))
        })?;
        let rows: Vec<_> = rows.collect::<SqlResult<_>>()?;
        let own = language(lang).unwrap_or_default();
        let of_lang = rows.iter().find(|(_, of)| of.as_deref() == Some(own));
        let known = of_lang.or_else(|| rows.iter().find(|(_, of)| of.is_none()));
        let sid = match known {
            Some(&(sid, _)) => sid,
            None => {
                let sid = self.next_sid()?;
                let mut insert = self.connection.prepare_cached(
                    "INSERT INTO symbol_rows (sid, symbol_id, name, start_pos, end_pos) VALUES (?, ?, '', 0, 0)",
                )?;
                insert.execute(params![sid, id])?;
                self.counts.add(CountedTable::Symbols, 1);
                self.names.loose.insert(sid);
                sid
            }
        };
        self.names.sids.insert(key, sid);
        Ok(sid)
    }

    fn next_sid(&mut self) -> SqlResult<i64> {
        if self.names.last_sid == 0 {
            self.names.last_sid = self.connection.query_row(
                "SELECT coalesce(max(sid), 0) FROM symbol_rows",
                [],
                |row| row.get(0),
            )?;
        }
        self.names.last_sid += 1;
        Ok(self.names.last_sid)
    }

    /// Returns the number of a package. `about`: what an import writes and the folder, if this part knows them.
    fn package(&mut self, part: &Gathered, number: u32) -> SqlResult<Option<i64>> {
        let Some(package) = part.packages.get(number as usize) else {
            return Ok(None);
        };
        let key = (package.lang, package.name.clone());
        if let Some(&known) = self.names.packages.get(&key) {
            return Ok(Some(known));
        }
        let lang = language(package.lang).unwrap_or_default();
        let mut find = self.connection.prepare_cached(
            "SELECT package_id FROM packages WHERE module_path = ? AND language = ?",
        )?;
        let found: Option<i64> = find
            .query_row(params![package.name, lang], |row| row.get(0))
            .optional()?;
        let id = match found {
            Some(id) => id,
            None => {
                let mut insert = self
                    .connection
                    .prepare_cached("INSERT INTO packages (module_path, language) VALUES (?, ?)")?;
                self.counts.add(CountedTable::Packages, 1);
                insert.insert(params![package.name, lang])?
            }
        };
        self.names.packages.insert(key, id);
        Ok(Some(id))
    }

    /// Writes how an import names a package, if the node of the package is in the part.
    fn import_path(&mut self, part: &Gathered, package: u32, id: i64) -> SqlResult<()> {
        let Some(package) = part.packages.get(package as usize) else {
            return Ok(());
        };
        let written = package.import_path.as_ref();
        let written = written.filter(|path| **path != package.name);
        let mut update = self.connection.prepare_cached(
            "UPDATE packages SET import_path = ?2 WHERE package_id = ?1 AND import_path IS NOT ?2",
        )?;
        let changed = update.execute(params![id, written])?;
        self.counts.add(CountedTable::Packages, changed);
        Ok(())
    }

    /// Returns the number of a file; one that is not known becomes one of a library.
    pub(crate) fn file(&mut self, path: &Arc<str>) -> SqlResult<i64> {
        if let Some(&known) = self.names.files.get(path) {
            return Ok(known);
        }
        let mut find = self
            .connection
            .prepare_cached("SELECT file_id FROM files WHERE file_path = ?")?;
        let found: Option<i64> = find.query_row([path], |row| row.get(0)).optional()?;
        let id = match found {
            Some(id) => id,
            None => {
                let mut insert = self
                    .connection
                    .prepare_cached("INSERT INTO files (file_path, is_external) VALUES (?, 1)")?;
                self.counts.add(CountedTable::Files, 1);
                insert.insert([path])?
            }
        };
        self.names.files.insert(path.clone(), id);
        Ok(id)
    }

    /// Forgets the number of a file that was removed.
    pub(crate) fn forget_file(&mut self, path: &str) {
        self.names.files.remove(path);
    }

    /// Returns the sids of all symbols of a part that have an id, by number; 0 for top levels.
    pub(crate) fn sids(&mut self, part: &Gathered) -> SqlResult<Vec<i64>> {
        let symbols = part.symbols.iter();
        symbols
            .map(|symbol| match &symbol.id {
                Some(id) => self.sid(symbol.lang, id),
                None => Ok(0),
            })
            .collect()
    }

    /// Writes the row of a declaration, if it differs, and its parameters. The links of a library's node are left
    /// as they are: see [`super::loose`].
    pub(crate) fn write_symbol(
        &mut self,
        part: &Gathered,
        sids: &[i64],
        number: usize,
    ) -> SqlResult<()> {
        let (Some(symbol), Some(&sid)) = (part.symbols.get(number), sids.get(number)) else {
            return Ok(());
        };
        let external = symbol.flags & codes::EXTERNAL != 0;
        let mut row = self.columns(part, symbol, sids)?;
        let old = self.row(sid)?;
        if let Some(old) = &old
            && external
        {
            let links = old.get(LINKS).unwrap_or_default().to_vec();
            row.splice(LINKS, links);
            self.names.has_new_external |= old.get(3) == Some(&Value::Null);
            // A declaration of the workspace is now one of an absent package: its code is gone.
            if old.get(FLAGS).is_some_and(|flags| !is_external(flags)) {
                self.write_uses(sid, &[])?;
                self.write_runs(sid, &[])?;
                self.names.has_new_external = true;
            }
        }
        if old.as_ref() != Some(&row) {
            self.put(sid, &row, old.is_some())?;
        }
        self.write_parameters(sid, &symbol.parameters)
    }

    /// Returns the columns of a symbol behind `sid`.
    fn columns(&mut self, part: &Gathered, symbol: &Symbol, sids: &[i64]) -> SqlResult<Vec<Value>> {
        let (size, name) = name_columns(symbol);
        let package = match symbol.package {
            Some(package) => self.package(part, package)?,
            None => None,
        };
        if codes::kind_code("package") == Some(symbol.kind)
            && let (Some(number), Some(id)) = (symbol.package, package)
        {
            self.import_path(part, number, id)?;
        }
        let file = match &symbol.file {
            Some(file) => Some(self.file(file)?),
            None => None,
        };
        let sid_of = |number: Option<u32>| {
            let sid = number.and_then(|number| sids.get(number as usize).copied());
            sid.filter(|&sid| sid != 0)
        };
        let external = symbol.flags & codes::EXTERNAL != 0;
        let link = |number| if external { None } else { sid_of(number) };
        let known = |part: u32| (part != 0).then(|| i64::from(part));
        let number = |number: Option<i64>| number.map_or(Value::Null, Value::Integer);
        let text = |text: Option<&str>| text.map_or(Value::Null, |text| Value::Text(text.into()));
        Ok(vec![
            text(symbol.id.as_deref()),
            number(size),
            text(name),
            Value::Integer(symbol.kind.into()),
            number(package),
            number(link(symbol.parent)),
            number(link(symbol.home)),
            number(file),
            Value::Integer(symbol.flags.into()),
            number(known(symbol.name_position.0)),
            number(known(symbol.name_position.1)),
            number(known(symbol.lines.0)),
            number(known(symbol.lines.1)),
            Value::Integer(symbol.bytes.0.into()),
            Value::Integer(symbol.bytes.1.into()),
            text(symbol.signature.as_deref()),
            text(Some(symbol.type_expr.as_str()).filter(|_| is_typed(symbol))),
        ])
    }

    /// Returns the columns of a row behind `sid`.
    fn row(&self, sid: i64) -> SqlResult<Option<Vec<Value>>> {
        let statement = format!("SELECT {COLUMNS} FROM symbol_rows WHERE sid = ?");
        let mut find = self.connection.prepare_cached(&statement)?;
        let columns = find.column_count();
        find.query_row([sid], |row| (0..columns).map(|at| row.get(at)).collect())
            .optional()
    }

    fn put(&mut self, sid: i64, row: &[Value], known: bool) -> SqlResult<()> {
        let marks = "?, ".repeat(row.len() - 1) + "?";
        let statement = if known {
            format!("UPDATE symbol_rows SET ({COLUMNS}) = ({marks}) WHERE sid = ?")
        } else {
            format!("INSERT INTO symbol_rows ({COLUMNS}, sid) VALUES ({marks}, ?)")
        };
        let mut write = self.connection.prepare_cached(&statement)?;
        let sid = Value::Integer(sid);
        write.execute(params_from_iter(row.iter().chain([&sid])))?;
        self.counts.add(CountedTable::Symbols, 1);
        Ok(())
    }

    fn write_parameters(&mut self, sid: i64, parameters: &[ParameterDetail]) -> SqlResult<()> {
        let mut find = self.connection.prepare_cached(
            "SELECT role, name, param_type, default_value FROM parameter_rows WHERE sid = ? ORDER BY position",
        )?;
        type Row = (i64, String, String, Option<String>);
        let old = find.query_map([sid], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })?;
        let old: Vec<Row> = old.collect::<SqlResult<_>>()?;
        let same = old.len() == parameters.len()
            && old.iter().zip(parameters).all(|(old, new)| {
                old.0 == role_code(new.role)
                    && old.1 == new.name
                    && old.2 == new.type_expr
                    && old.3 == new.default
            });
        if same {
            return Ok(());
        }
        self.remove_parameters(sid)?;
        let mut insert = self
            .connection
            .prepare_cached("INSERT INTO parameter_rows VALUES (?, ?, ?, ?, ?, ?)")?;
        for (one, position) in parameters.iter().zip(0_i64..) {
            let role = role_code(one.role);
            insert.execute(params![
                sid,
                position,
                role,
                one.name,
                one.type_expr,
                one.default
            ])?;
        }
        self.counts.add(CountedTable::Parameters, parameters.len());
        Ok(())
    }

    fn remove_parameters(&mut self, sid: i64) -> SqlResult<()> {
        let mut delete = self
            .connection
            .prepare_cached("DELETE FROM parameter_rows WHERE sid = ?")?;
        let removed = delete.execute([sid])?;
        self.counts.add(CountedTable::Parameters, removed);
        Ok(())
    }

    /// Returns the sid of the top level of `home` in a file, whose row is written if it begins elsewhere.
    pub(crate) fn top_level(
        &mut self,
        part: &Gathered,
        number: usize,
        (file, home): (i64, i64),
        sids: &mut [i64],
    ) -> SqlResult<()> {
        let Some(symbol) = part.symbols.get(number) else {
            return Ok(());
        };
        let sid = match self.known_top_level(file, home)? {
            Some((sid, _)) => sid,
            None => self.next_sid()?,
        };
        let row = self.columns(part, symbol, sids)?;
        let old = self.row(sid)?;
        if old.as_ref() != Some(&row) {
            self.put(sid, &row, old.is_some())?;
        }
        if let Some(slot) = sids.get_mut(number) {
            *slot = sid;
        }
        Ok(())
    }

    /// Returns the sid and the first line of a top level.
    pub(crate) fn known_top_level(&self, file: i64, home: i64) -> SqlResult<Option<(i64, i64)>> {
        let mut find = self.connection.prepare_cached(
            "SELECT sid, start_line FROM symbol_rows WHERE file_id = ? AND kind = 0 AND home = ?",
        )?;
        find.query_row([file, home], |row| {
            let line: Option<i64> = row.get(1)?;
            Ok((row.get(0)?, line.unwrap_or_default()))
        })
        .optional()
    }

    /// Returns the sids of what a file declares, top levels too.
    pub(crate) fn declared_in(&self, file: i64) -> SqlResult<Vec<i64>> {
        let mut find = self
            .connection
            .prepare_cached("SELECT sid FROM symbol_rows WHERE file_id = ?")?;
        let found = find.query_map([file], |row| row.get(0))?;
        found.collect()
    }

    /// Removes a declaration with its own rows. What others name keeps its sid, without a kind, until nothing does.
    pub(crate) fn remove_symbol(&mut self, sid: i64) -> SqlResult<()> {
        let Some(old) = self.row(sid)? else {
            return Ok(());
        };
        self.remove_parameters(sid)?;
        if let Some(&Value::Integer(package)) = old.get(4) {
            self.names.loose_packages.insert(package);
        }
        if let Some(&Value::Integer(file)) = old.get(7) {
            self.names.loose_files.insert(file);
        }
        let is_top_level = old.first() == Some(&Value::Null);
        let statement = if is_top_level {
            "DELETE FROM symbol_rows WHERE sid = ?"
        } else {
            self.names.loose.insert(sid);
            "UPDATE symbol_rows SET name_size = NULL, name = '', kind = NULL, package = NULL, parent = NULL, home = NULL,
                file_id = NULL, flags = 0, name_line = NULL, name_col = NULL, start_line = NULL, end_line = NULL,
                start_pos = 0, end_pos = 0, signature = NULL, type_expr = NULL
             WHERE sid = ?"
        };
        self.connection.prepare_cached(statement)?.execute([sid])?;
        self.counts.add(CountedTable::Symbols, 1);
        Ok(())
    }
}
