//! What nothing refers to any more, at the end of a transaction: nodes of libraries that no edge touches, symbols
//! that are declared nowhere, packages and files of libraries without a symbol; and the links of libraries' nodes.

use rusqlite::{OptionalExtension as _, params};
use rustc_hash::FxHashSet;

use super::counts::CountedTable;
use super::symbols::WriterRows;
use crate::sqlite::codes;

type SqlResult<T> = rusqlite::Result<T>;

impl WriterRows<'_> {
    /// Notes every symbol that may be loose, for a file of which it is not known what the last process left.
    pub(crate) fn suspect_all(&mut self) -> SqlResult<()> {
        let mut find = self.connection.prepare_cached(
            "SELECT sid FROM symbol_rows WHERE symbol_id IS NOT NULL AND (kind IS NULL OR flags & ?)",
        )?;
        let found = find.query_map([codes::EXTERNAL], |row| row.get(0))?;
        let found: Vec<i64> = found.collect::<SqlResult<_>>()?;
        self.names.loose.extend(found);
        let mut find = self
            .connection
            .prepare_cached("SELECT package_id FROM packages")?;
        let found = find.query_map([], |row| row.get(0))?;
        let found: Vec<i64> = found.collect::<SqlResult<_>>()?;
        self.names.loose_packages.extend(found);
        let mut find = self
            .connection
            .prepare_cached("SELECT file_id FROM files WHERE is_external")?;
        let found = find.query_map([], |row| row.get(0))?;
        let found: Vec<i64> = found.collect::<SqlResult<_>>()?;
        self.names.loose_files.extend(found);
        self.names.has_new_external = true;
        Ok(())
    }

    /// Removes the loose symbols; returns those that an edge still refers to.
    pub(crate) fn remove_loose(&mut self) -> SqlResult<FxHashSet<i64>> {
        let mut kept = FxHashSet::default();
        for sid in std::mem::take(&mut self.names.loose) {
            let mut find = self.connection.prepare_cached(
                "SELECT kind, flags, package, file_id FROM symbol_rows WHERE sid = ?",
            )?;
            type Row = (Option<i64>, i64, Option<i64>, Option<i64>);
            let row: Option<Row> = find
                .query_row([sid], |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
                })
                .optional()?;
            let Some((kind, flags, package, file)) = row else {
                continue;
            };
            if kind.is_some() && flags & i64::from(codes::EXTERNAL) == 0 {
                continue;
            }
            // What declarations of the workspace are in may be declared again.
            if self.is_in_an_edge(sid)? || kind.is_none() && self.encloses_own(sid)? {
                kept.insert(sid);
                continue;
            }
            self.names.loose_packages.extend(package);
            self.names.loose_files.extend(file);
            if kind == codes::kind_code("package").map(i64::from)
                && let Some(package) = package
            {
                let statement = "UPDATE packages SET import_path = NULL WHERE package_id = ?";
                self.connection
                    .prepare_cached(statement)?
                    .execute([package])?;
            }
            for statement in [
                "UPDATE symbol_rows SET parent = NULL WHERE parent = ?",
                "UPDATE symbol_rows SET home = NULL WHERE home = ?",
                "DELETE FROM parameter_rows WHERE sid = ?",
                "DELETE FROM symbol_rows WHERE sid = ?",
            ] {
                let changed = self.connection.prepare_cached(statement)?.execute([sid])?;
                self.counts.add(CountedTable::Symbols, changed);
            }
        }
        for package in std::mem::take(&mut self.names.loose_packages) {
            let mut delete = self.connection.prepare_cached(
                "DELETE FROM packages WHERE package_id = ?1
                 AND NOT EXISTS (SELECT 1 FROM symbol_rows WHERE package = ?1)",
            )?;
            let removed = delete.execute([package])?;
            self.counts.add(CountedTable::Packages, removed);
        }
        for file in std::mem::take(&mut self.names.loose_files) {
            let mut delete = self.connection.prepare_cached(
                "DELETE FROM files WHERE file_id = ?1 AND is_external
                 AND NOT EXISTS (SELECT 1 FROM symbol_rows WHERE file_id = ?1)",
            )?;
            let removed = delete.execute([file])?;
            self.counts.add(CountedTable::Files, removed);
        }
        Ok(kept)
    }

    fn is_in_an_edge(&self, sid: i64) -> SqlResult<bool> {
        for statement in [
            "SELECT 1 FROM users WHERE target = ? LIMIT 1",
            "SELECT 1 FROM run_sets WHERE target = ? LIMIT 1",
            "SELECT 1 FROM implement_rows WHERE from_sid = ? LIMIT 1",
            "SELECT 1 FROM implement_rows WHERE to_sid = ? LIMIT 1",
        ] {
            if self.connection.prepare_cached(statement)?.exists([sid])? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn encloses_own(&self, sid: i64) -> SqlResult<bool> {
        for statement in [
            "SELECT 1 FROM symbol_rows WHERE parent = ? AND NOT flags & ? LIMIT 1",
            "SELECT 1 FROM symbol_rows WHERE home = ? AND NOT flags & ? LIMIT 1",
        ] {
            let external = i64::from(codes::EXTERNAL);
            let mut find = self.connection.prepare_cached(statement)?;
            if find.exists([sid, external])? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Writes what encloses the nodes of libraries, as far as it is a node itself.
    pub(crate) fn link_externals(&mut self) -> SqlResult<()> {
        let mut find = self.connection.prepare_cached(
            "SELECT s.sid, s.symbol_id, s.name_size, s.name, s.parent, s.home, p.module_path, p.language
             FROM symbol_rows s JOIN packages p ON p.package_id = s.package
             WHERE s.flags & ? AND s.kind <> ?",
        )?;
        struct Node {
            sid: i64,
            id: String,
            size: Option<i64>,
            name: Option<String>,
            links: (Option<i64>, Option<i64>),
            package: String,
            lang: String,
        }
        let kind = codes::kind_code("package");
        let nodes = find.query_map(params![codes::EXTERNAL, kind], |row| {
            Ok(Node {
                sid: row.get(0)?,
                id: row.get(1)?,
                size: row.get(2)?,
                name: row.get(3)?,
                links: (row.get(4)?, row.get(5)?),
                package: row.get(6)?,
                lang: row.get(7)?,
            })
        })?;
        let nodes: Vec<Node> = nodes.collect::<SqlResult<_>>()?;
        for node in nodes {
            let size = node.size.and_then(|size| usize::try_from(size).ok());
            let parent = self.node(enclosing(&node.id, size, node.name.as_deref()), &node.lang)?;
            let home = self.node(&node.package, &node.lang)?;
            if (parent, home) != node.links {
                let mut update = self
                    .connection
                    .prepare_cached("UPDATE symbol_rows SET parent = ?, home = ? WHERE sid = ?")?;
                update.execute(params![parent, home, node.sid])?;
                self.counts.add(CountedTable::Symbols, 1);
            }
        }
        Ok(())
    }

    /// Returns the sid of a node by its id.
    fn node(&self, id: &str, lang: &str) -> SqlResult<Option<i64>> {
        let mut find = self.connection.prepare_cached(
            "SELECT s.sid FROM symbol_rows s JOIN packages p ON p.package_id = s.package
             WHERE s.symbol_id = ? AND p.language = ?",
        )?;
        find.query_row([id, lang], |row| row.get(0)).optional()
    }
}

/// Returns the id of what encloses a symbol, by its id and its name: the number of characters at the end of the id, or
/// the name itself.
fn enclosing<'i>(id: &'i str, size: Option<usize>, name: Option<&str>) -> &'i str {
    let rest = match (size, name) {
        (Some(size), _) => {
            let at = id.char_indices().rev().nth(size.saturating_sub(1));
            at.map_or("", |(at, _)| &id[..at])
        }
        (None, Some(name)) => {
            let unnumbered = id.rsplit_once('#').map_or(id, |(before, _)| before);
            unnumbered.strip_suffix(name).unwrap_or("")
        }
        (None, None) => "",
    };
    rest.strip_suffix(".<locals>.")
        .or_else(|| rest.strip_suffix('.'))
        .unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::enclosing;

    #[test]
    fn what_encloses_a_symbol_is_its_id_without_its_name() {
        assert_eq!(
            enclosing("net/http.Server.Close", Some(5), None),
            "net/http.Server"
        );
        assert_eq!(enclosing("m.f.<locals>.é", Some(1), None), "m.f");
        assert_eq!(enclosing("m.home#2", None, Some("home")), "m");
        assert_eq!(enclosing("len", Some(3), None), "");
        assert_eq!(enclosing("", None, None), "");
    }
}
