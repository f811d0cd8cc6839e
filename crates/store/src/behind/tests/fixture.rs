//! A workspace with a store behind it.

use std::path::PathBuf;
use std::time::Duration;

use codeweft_testing::Workspace;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

use crate::behind::{Behind, FollowOptions, FollowStep, FollowedRevision};
use crate::{EdgeType, ExportOptions, format_named};

/// The longest that a test waits for the store.
pub(crate) const LONG: Duration = Duration::from_secs(20);

/// A store below a temporary folder.
pub(crate) struct Followed {
    pub(crate) behind: Behind,
    pub(crate) path: PathBuf,
    _folder: tempfile::TempDir,
}

impl Followed {
    pub(crate) fn new() -> Followed {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("state/graph.db");
        Followed {
            behind: started(path.clone()),
            path,
            _folder: folder,
        }
    }

    /// Ends the store: from then on another one runs instead, on a file of its own.
    pub(crate) fn stop(&mut self) {
        let other = self.path.with_extension("other");
        let old = std::mem::replace(&mut self.behind, started(other));
        let store = old.store().clone();
        drop(old);
        store.wait_for_end();
    }

    /// Ends the store, and starts another one on the same file.
    pub(crate) fn again(&mut self) {
        self.stop();
        self.behind = started(self.path.clone());
    }

    /// Follows a database until everything is in the file.
    pub(crate) fn follow(&mut self, world: &Workspace) {
        self.follow_exact(world);
        self.step_until(world, |step, _| step == FollowStep::Done);
        assert!(
            self.behind.figures().flush(LONG),
            "{:?}",
            self.behind.figures().json()
        );
    }

    /// Follows a database until the exact rows are in the file.
    pub(crate) fn follow_exact(&mut self, world: &Workspace) {
        let revision = world.host.revision();
        self.step_until(world, |step, behind| {
            step == FollowStep::Done || behind.has_sent(revision)
        });
        assert!(
            self.behind.figures().flush(LONG),
            "{:?}",
            self.behind.figures().json()
        );
    }

    /// Follows a database for so many steps of one file each.
    pub(crate) fn follow_some(&mut self, world: &Workspace, steps: usize) {
        let left = std::cell::Cell::new(steps + 1);
        self.step_until(world, |step, _| {
            left.set(left.get() - 1);
            left.get() == 0 || step == FollowStep::Done
        });
    }

    pub(crate) fn step_until(
        &mut self,
        world: &Workspace,
        mut is_done: impl FnMut(FollowStep, &Behind) -> bool,
    ) {
        let unsaved = world.host.unsaved();
        let cache = codeweft_graph::RevisionCache::default();
        let revision = FollowedRevision {
            db: world.host.db(),
            cache: &cache,
            revision: world.host.revision(),
            unsaved,
            since_write: LONG,
        };
        let until = std::time::Instant::now() + LONG;
        loop {
            let step = self.behind.step(revision, &|| true);
            if is_done(step, &self.behind) {
                return;
            }
            if let FollowStep::Wait(time) = step {
                std::thread::sleep(time);
            }
            assert!(
                std::time::Instant::now() < until,
                "{:?}",
                self.behind.figures().json()
            );
        }
    }

    /// Opens the file as another program does.
    pub(crate) fn opened(&self) -> Connection {
        reader(&self.path)
    }
}

fn started(path: PathBuf) -> Behind {
    let salt = String::new();
    Behind::start(FollowOptions { path, salt }).expect("a thread")
}

/// Opens a file for reading.
pub(crate) fn reader(path: &std::path::Path) -> Connection {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).expect("a database");
    crate::sqlite::content::define(&connection).expect("functions");
    connection
}

/// Returns the rows of a fresh export.
pub(crate) fn fresh(world: &Workspace) -> Vec<(&'static str, Vec<String>)> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let target = folder.path().join("graph.db");
    let options = ExportOptions {
        edges: EdgeType::ALL.to_vec(),
        ..ExportOptions::default()
    };
    let format = format_named("sqlite").expect("a format");
    format
        .write_file(world.host.db(), &options, 1, &target)
        .expect("written");
    all_rows(&reader(&target))
}

/// All tables by text ids: a name, and a query.
const TABLES: &[(&str, &str)] = &[
    (
        "files",
        "SELECT file_path, language, module_path, is_test, is_generated, is_built, is_external, line_count_total,
            line_count_code, line_count_comment, line_count_blank, size_bytes, file_hash FROM files f
            WHERE size_bytes IS NOT NULL OR EXISTS (SELECT 1 FROM symbol_rows s WHERE s.file_id = f.file_id)",
    ),
    ("file_content", "SELECT file_path, content FROM file_content"),
    ("packages", "SELECT module_path, language, import_path, directory FROM packages"),
    (
        "symbols",
        "SELECT s.symbol_id, s.name_size, s.name, s.kind, p.module_path, p.language, a.symbol_id, h.symbol_id,
            f.file_path, s.flags, s.name_line, s.name_col, s.start_line, s.end_line, s.start_pos, s.end_pos,
            s.signature, s.type_expr
         FROM symbol_rows s LEFT JOIN packages p ON p.package_id = s.package LEFT JOIN symbol_rows a ON a.sid = s.parent AND a.kind > 0
         LEFT JOIN symbol_rows h ON h.sid = s.home AND h.kind > 0
         LEFT JOIN files f ON f.file_id = s.file_id WHERE s.kind IS NOT NULL",
    ),
    (
        "parameters",
        "SELECT s.symbol_id, r.position, r.role, r.name, r.param_type, r.default_value
         FROM parameter_rows r JOIN symbol_rows s ON s.sid = r.sid",
    ),
    (
        "uses",
        "SELECT coalesce(o.symbol_id, f.file_path || ' ' || h.symbol_id), u.dl, u.col, t.symbol_id, u.kind
         FROM uses u LEFT JOIN symbol_rows o ON o.sid = u.owner LEFT JOIN symbol_rows h ON h.sid = o.home
         LEFT JOIN files f ON f.file_id = o.file_id LEFT JOIN symbol_rows t ON t.sid = u.target",
    ),
    (
        "users",
        "SELECT coalesce(o.symbol_id, f.file_path || ' ' || h.symbol_id), t.symbol_id, u.kind
         FROM users u LEFT JOIN symbol_rows o ON o.sid = u.owner LEFT JOIN symbol_rows h ON h.sid = o.home
         LEFT JOIN files f ON f.file_id = o.file_id LEFT JOIN symbol_rows t ON t.sid = u.target",
    ),
    (
        "runs",
        "SELECT coalesce(o.symbol_id, f.file_path || ' ' || h.symbol_id), r.dl, r.col, r.resolution, w.name, r.flags,
            (SELECT group_concat(id, ' ') FROM (SELECT t.symbol_id AS id FROM run_sets m
                LEFT JOIN symbol_rows t ON t.sid = m.target WHERE m.set_id = r.set_id ORDER BY 1))
         FROM run_sites r LEFT JOIN symbol_rows o ON o.sid = r.owner LEFT JOIN symbol_rows h ON h.sid = o.home
         LEFT JOIN files f ON f.file_id = o.file_id LEFT JOIN reasons w ON w.reason = r.reason",
    ),
    (
        "sets",
        "SELECT group_concat(id, ' ') FROM (SELECT m.set_id AS s, t.symbol_id AS id FROM run_sets m
            LEFT JOIN symbol_rows t ON t.sid = m.target ORDER BY 1, 2) GROUP BY s",
    ),
    (
        "implements",
        "SELECT a.symbol_id, b.symbol_id, i.type_args, i.receiver, i.test FROM implement_rows i
         LEFT JOIN symbol_rows a ON a.sid = i.from_sid LEFT JOIN symbol_rows b ON b.sid = i.to_sid",
    ),
    (
        "unresolved",
        "SELECT f.file_path, u.line, u.col, u.name, u.arity, w.name FROM unresolved_rows u
         LEFT JOIN files f ON f.file_id = u.file_id LEFT JOIN reasons w ON w.reason = u.reason",
    ),
];

/// Returns all tables by text ids, sorted.
pub(crate) fn all_rows(connection: &Connection) -> Vec<(&'static str, Vec<String>)> {
    let tables = TABLES.iter();
    tables
        .map(|(name, query)| {
            let mut found = rows(connection, query);
            found.sort();
            (*name, found)
        })
        .collect()
}

/// Returns the rows of a query, a line each.
pub(crate) fn rows(connection: &Connection, query: &str) -> Vec<String> {
    let mut statement = connection.prepare(query).expect(query);
    let columns = statement.column_count();
    let lines = statement.query_map([], |row| {
        let cells = (0..columns).map(|at| {
            Ok(match row.get_ref(at)? {
                ValueRef::Null => "-".to_owned(),
                ValueRef::Integer(number) => number.to_string(),
                ValueRef::Real(number) => number.to_string(),
                ValueRef::Text(text) | ValueRef::Blob(text) => {
                    String::from_utf8_lossy(text).into_owned()
                }
            })
        });
        Ok(cells.collect::<rusqlite::Result<Vec<_>>>()?.join(" | "))
    });
    lines
        .expect(query)
        .collect::<rusqlite::Result<_>>()
        .expect(query)
}

/// Returns the lines that only one of two has, by table.
pub(crate) fn difference(
    found: &[(&'static str, Vec<String>)],
    expected: &[(&'static str, Vec<String>)],
) -> String {
    let mut text = String::new();
    for ((name, found), (_, expected)) in found.iter().zip(expected) {
        let only = |some: &[String], other: &[String], sign: &str| -> String {
            let mut rest: std::collections::BTreeMap<&String, i32> = Default::default();
            for line in other {
                *rest.entry(line).or_default() += 1;
            }
            let mut lines = String::new();
            for line in some {
                let left = rest.entry(line).or_default();
                *left -= 1;
                if *left < 0 {
                    lines += &format!("  {sign} {line}\n");
                }
            }
            lines
        };
        let lines = only(found, expected, "store") + &only(expected, found, "fresh");
        if !lines.is_empty() {
            text += &format!("{name}\n{lines}");
        }
    }
    text
}

/// The symbols that are declared nowhere although nothing names them.
const GARBAGE: &str = "SELECT s.symbol_id FROM symbol_rows s WHERE s.kind IS NULL
    AND NOT EXISTS (SELECT 1 FROM users u WHERE u.target = s.sid)
    AND NOT EXISTS (SELECT 1 FROM run_sets m WHERE m.target = s.sid)
    AND NOT EXISTS (SELECT 1 FROM implement_rows i WHERE s.sid IN (i.from_sid, i.to_sid))
    AND NOT EXISTS (SELECT 1 FROM symbol_rows c WHERE s.sid IN (c.parent, c.home))";

/// Checks that the file has the rows of a fresh export, and that its full-text index is that of its texts.
pub(crate) fn assert_level(followed: &Followed, world: &Workspace, about: &str) {
    let connection = followed.opened();
    let difference = difference(&all_rows(&connection), &fresh(world));
    assert!(difference.is_empty(), "{about}:\n{difference}");
    assert_eq!(rows(&connection, GARBAGE), [""; 0], "{about}");
    let check = Connection::open(&followed.path).expect("a database");
    crate::sqlite::content::define(&check).expect("functions");
    check
        .execute_batch("INSERT INTO files_fts (files_fts, rank) VALUES ('integrity-check', 1)")
        .expect("the index agrees with the texts");
}
