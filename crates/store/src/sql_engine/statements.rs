//! The statements of the engine. None scans a large table or lets SQLite make an index; what is read from one
//! table by rows of another is joined with CROSS JOIN, whose order SQLite keeps.

/// A symbol, or the top level of a file.
pub(super) const SYMBOL: &str =
    "SELECT symbol_id, name_size, name, kind, package, parent, home, file_id, flags,
    start_line, end_line, name_line, name_col FROM symbol_rows WHERE sid = ?1";

/// The id of a symbol.
pub(super) const ID: &str = "SELECT symbol_id FROM symbol_rows WHERE sid = ?1";

/// What is only printed of a symbol.
pub(super) const PRINTED: &str =
    "SELECT start_pos, end_pos, signature FROM symbol_rows WHERE sid = ?1";

/// The symbols of an id.
pub(super) const BY_ID: &str = "SELECT sid FROM symbol_rows WHERE symbol_id = ?1";

/// The symbols of ids in a range, by id: all of a pattern without a beginning.
pub(super) const IN_RANGE: &str =
    "SELECT sid, symbol_id FROM symbol_rows WHERE symbol_id >= ?1 AND symbol_id < ?2";

/// The symbols of a name, and of others that share its number.
pub(super) const BY_NAME: &str = "SELECT sids FROM names WHERE number = ?1";

/// The symbols and top levels of a file.
pub(super) const IN_FILE: &str = "SELECT sid FROM symbol_rows WHERE file_id = ?1";

/// The methods and fields of a type.
pub(super) const MEMBERS: &str = "SELECT sid FROM symbol_rows WHERE parent = ?1 AND kind IN (7, 8)";

/// The owners of uses of a home.
pub(super) const OWNERS_OF_HOME: &str =
    "SELECT sid FROM symbol_rows WHERE home = ?1 AND flags & 64";

/// A package.
pub(super) const PACKAGE: &str = "SELECT module_path, language FROM packages WHERE package_id = ?1";

/// The packages with another name or in a folder.
pub(super) const PACKAGES: &str =
    "SELECT module_path, language, import_path, directory FROM packages";

/// A file.
pub(super) const FILE: &str = "SELECT file_path, language, module_path, is_test, is_built, is_external FROM files WHERE file_id = ?1";

/// The file of a path.
pub(super) const FILE_OF_PATH: &str = "SELECT file_id FROM files WHERE file_path = ?1";

/// All files.
pub(super) const FILES: &str = "SELECT file_id, file_path, is_external FROM files";

/// The text of a file.
pub(super) const TEXT: &str = "SELECT z, size FROM file_text WHERE file_id = ?1";

/// The lines of a file that could not be read.
pub(super) const ERROR_LINES: &str = "SELECT first_line, lines FROM error_lines WHERE file_id = ?1";

/// The owners that use a symbol.
pub(super) const USERS: &str = "SELECT kind, owner FROM users WHERE target = ?1";

/// The owners that call a symbol.
pub(super) const CALLERS: &str =
    "SELECT kind, owner FROM users WHERE target = ?1 AND kind IN (1, 33, 65, 97)";

/// The exact uses of an owner.
pub(super) const USES: &str = "SELECT dl, col, target, kind FROM uses WHERE owner = ?1";

/// The exact calls of an owner.
pub(super) const CALLS: &str =
    "SELECT dl, col, target, kind FROM uses WHERE owner = ?1 AND kind & 31 = 1";

/// The exact uses of an owner at a position.
pub(super) const USES_AT: &str =
    "SELECT target, kind FROM uses WHERE owner = ?1 AND dl = ?2 AND col = ?3";

/// What the sites of an owner may run: the sites.
pub(super) const RUNS: &str =
    "SELECT dl, col, resolution, reason, flags, set_id FROM run_sites WHERE owner = ?1";

/// What the sites of a set may run.
pub(super) const RUN_TARGETS: &str = "SELECT target FROM run_sets WHERE set_id = ?1";

/// The sets that a symbol is in.
pub(super) const RUN_SETS: &str = "SELECT set_id FROM run_sets WHERE target = ?1";

/// The sites of a set.
pub(super) const RUN_SITES: &str =
    "SELECT owner, dl, col, resolution, reason, flags FROM run_sites WHERE set_id = ?1";

/// The owners of the sites of a set.
pub(super) const RUN_OWNERS: &str = "SELECT DISTINCT owner FROM run_sites WHERE set_id = ?1";

/// The pairs of a type or of its method.
pub(super) const INTERFACES: &str =
    "SELECT to_sid, type_args, receiver FROM implement_rows WHERE from_sid = ?1";

/// The pairs of an interface or of its method.
pub(super) const IMPLEMENTERS: &str =
    "SELECT from_sid, type_args, receiver FROM implement_rows WHERE to_sid = ?1";

/// The methods that run instead of a class's method, with the distance.
pub(super) const OVERRIDES: &str = "SELECT from_sid, distance FROM override_rows WHERE to_sid = ?1";

/// The methods that a class's method runs instead of, with the distance.
pub(super) const OVERRIDDEN: &str =
    "SELECT to_sid, distance FROM override_rows WHERE from_sid = ?1";

/// The classes below a class, each with its smallest distance.
pub(super) const SUBCLASSES: &str = "WITH RECURSIVE below(sid, distance) AS (
    VALUES (?1, 0)
    UNION
    SELECT x.owner, b.distance + 1 FROM below b CROSS JOIN users x
    WHERE x.target = b.sid AND x.kind = 2 AND b.distance < 64
) SELECT sid, min(distance) FROM below WHERE sid <> ?1 GROUP BY sid";

/// The classes above a class, each with its smallest distance.
pub(super) const BASES: &str = "WITH RECURSIVE above(sid, distance) AS (
    VALUES (?1, 0)
    UNION
    SELECT u.target, a.distance + 1 FROM above a CROSS JOIN uses u
    WHERE u.owner = a.sid AND u.kind = 2 AND a.distance < 64
) SELECT sid, min(distance) FROM above WHERE sid <> ?1 GROUP BY sid";

/// The pairs of a type as type or interface, with their numbers.
pub(super) const CONVERSION_PAIRS: &str =
    "SELECT pair_id, type, interface FROM conversion_pairs WHERE type = ?1
     UNION SELECT pair_id, type, interface FROM conversion_pairs WHERE interface = ?1";

/// The conversions of a pair.
pub(super) const CONVERSIONS: &str =
    "SELECT owner, dl, col, flags FROM conversion_rows WHERE pair_id = ?1";

/// The set of sites that could add to an answer about a symbol.
pub(super) const OPEN_SET: &str = "SELECT set_id FROM open_nodes WHERE sid = ?1 AND kind = ?2";

/// The sites of a set.
pub(super) const OPEN_SITES: &str = "SELECT o.file_id, o.line, o.col, o.reason, o.flags
    FROM open_sets m CROSS JOIN open_site_rows o
    WHERE m.set_id = ?1 AND o.site_id = m.site_id";

/// The positions of a set in files that the build configuration leaves out.
pub(super) const OPEN_MENTIONS: &str = "SELECT positions FROM open_mentions WHERE set_id = ?1";

/// The calls that can be reached from some symbols: from, to, and whether the call is exact.
pub(super) const REACHABLE: &str = "WITH RECURSIVE reach(sid) AS MATERIALIZED (
    SELECT value FROM json_each(?1)
    UNION
    SELECT u.target FROM reach r CROSS JOIN uses u
    WHERE u.owner = r.sid AND u.kind & 63 = 1
    UNION
    SELECT u.target FROM reach r CROSS JOIN symbol_rows o CROSS JOIN uses u
    WHERE o.home = r.sid AND o.flags & 64 AND u.owner = o.sid AND u.kind & 63 = 33
    UNION
    SELECT m.target FROM reach r CROSS JOIN run_sites s CROSS JOIN run_sets m
    WHERE s.owner = r.sid AND s.flags & 1 = 0 AND m.set_id = s.set_id
    UNION
    SELECT m.target FROM reach r CROSS JOIN symbol_rows o CROSS JOIN run_sites s CROSS JOIN run_sets m
    WHERE o.home = r.sid AND o.flags & 64 AND s.owner = o.sid AND s.flags & 1 AND m.set_id = s.set_id
)
SELECT r.sid, u.target, 1 FROM reach r CROSS JOIN uses u
WHERE u.owner = r.sid AND u.kind & 63 = 1
UNION ALL
SELECT r.sid, u.target, 1 FROM reach r CROSS JOIN symbol_rows o CROSS JOIN uses u
WHERE o.home = r.sid AND o.flags & 64 AND u.owner = o.sid AND u.kind & 63 = 33
UNION ALL
SELECT r.sid, m.target, 0 FROM reach r CROSS JOIN run_sites s CROSS JOIN run_sets m
WHERE s.owner = r.sid AND s.flags & 1 = 0 AND m.set_id = s.set_id
UNION ALL
SELECT r.sid, m.target, 0 FROM reach r CROSS JOIN symbol_rows o CROSS JOIN run_sites s CROSS JOIN run_sets m
WHERE o.home = r.sid AND o.flags & 64 AND s.owner = o.sid AND s.flags & 1 AND m.set_id = s.set_id";

/// What the file says of itself.
pub(super) const ABOUT: &str = "SELECT key, value FROM cache_metadata";

/// The names of reasons.
pub(super) const REASONS: &str = "SELECT reason, name FROM reasons";

/// All of them, for the tests.
#[cfg(test)]
pub(super) const ALL: &[&str] = &[
    SYMBOL,
    ID,
    PRINTED,
    BY_ID,
    IN_RANGE,
    BY_NAME,
    IN_FILE,
    MEMBERS,
    OWNERS_OF_HOME,
    PACKAGE,
    PACKAGES,
    FILE,
    FILE_OF_PATH,
    FILES,
    TEXT,
    ERROR_LINES,
    USERS,
    CALLERS,
    USES,
    CALLS,
    USES_AT,
    RUNS,
    RUN_TARGETS,
    RUN_SETS,
    RUN_SITES,
    RUN_OWNERS,
    INTERFACES,
    IMPLEMENTERS,
    OVERRIDES,
    OVERRIDDEN,
    SUBCLASSES,
    BASES,
    CONVERSION_PAIRS,
    CONVERSIONS,
    OPEN_SET,
    OPEN_SITES,
    OPEN_MENTIONS,
    REACHABLE,
    ABOUT,
    REASONS,
];

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::ALL;

    /// What may be read whole: rows of the statement itself, and tables of a row a file or package.
    const SMALL: [&str; 9] = [
        "r",
        "b",
        "a",
        "below",
        "above",
        "reach",
        "json_each",
        "packages",
        "files",
    ];

    /// Tables with a row a key.
    const TINY: [&str; 2] = ["cache_metadata", "reasons"];

    fn database() -> Connection {
        let connection = Connection::open_in_memory().expect("memory");
        for tables in [
            include_str!("../sqlite/tables.sql"),
            include_str!("../sqlite/open.sql"),
            include_str!("../sqlite/indexes.sql"),
        ] {
            connection.execute_batch(tables).expect("tables");
        }
        connection
    }

    /// Returns the lines of a plan that scan a large table or make an index.
    fn slow_lines(connection: &Connection, statement: &str) -> Vec<String> {
        let explain = format!("EXPLAIN QUERY PLAN {statement}");
        let mut prepared = connection.prepare(&explain).expect(statement);
        let none = vec![rusqlite::types::Null; prepared.parameter_count()];
        let none = rusqlite::params_from_iter(none);
        let lines = prepared.query_map(none, |row| row.get::<_, String>(3));
        let lines = lines.expect(statement).map(|line| line.expect("a text"));
        let is_slow = |line: &String| {
            let scanned = line.strip_prefix("SCAN ").map(|rest| {
                let name = rest.split(' ').next().unwrap_or(rest);
                let known = SMALL.contains(&name) || TINY.contains(&name);
                !known && !rest.starts_with("CONSTANT ROW") && !rest.starts_with("(")
            });
            line.contains("AUTOMATIC") || scanned.unwrap_or(false)
        };
        lines.filter(is_slow).collect()
    }

    #[test]
    fn no_statement_scans_a_large_table_or_makes_an_index() {
        let connection = database();
        for statement in ALL {
            let slow = slow_lines(&connection, statement);
            assert!(slow.is_empty(), "{statement}\n{slow:?}");
        }
    }

    #[test]
    fn a_scan_of_symbols_would_be_seen() {
        let connection = database();
        let scan = "SELECT sid FROM symbol_rows WHERE name_line = 3";
        assert_eq!(slow_lines(&connection, scan), ["SCAN symbol_rows"]);
        let joined = "SELECT 1 FROM uses u JOIN (SELECT DISTINCT sid + 1 AS x FROM symbol_rows) s ON s.x = u.target";
        assert!(!slow_lines(&connection, joined).is_empty());
    }
}
