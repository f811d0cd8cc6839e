//! The Parquet export, read by the reader of the same crate, and by another program where there is one.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::process::Command;

use codeweft_store::Moniker;
use codeweft_testing::Fixture;
use expect_test::expect;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::Field;

use super::{GO, PYTHON, exported};

/// The names of the tables.
const TABLES: [&str; 5] = ["aliases", "edges", "files", "nodes", "references"];

type Row = BTreeMap<String, String>;

fn rows(folder: &Path, table: &str) -> Vec<Row> {
    let file = File::open(folder.join(format!("{table}.parquet"))).expect("a table");
    let reader = SerializedFileReader::new(file).expect("a Parquet file");
    let rows = reader.get_row_iter(None).expect("rows");
    let text = |field: &Field| match field {
        Field::Str(text) => text.clone(),
        other => other.to_string(),
    };
    rows.map(|row| {
        let row = row.expect("a row");
        let columns = row.get_column_iter();
        columns
            .map(|(name, field)| (name.clone(), text(field)))
            .collect()
    })
    .collect()
}

/// Returns the ids of nodes by their keys.
fn ids(folder: &Path) -> BTreeMap<String, String> {
    let nodes = rows(folder, "nodes").into_iter();
    nodes
        .map(|row| (row["key"].clone(), row["id"].clone()))
        .collect()
}

/// Returns columns of a table as a text, keys as ids.
fn table(folder: &Path, name: &str, columns: &[&str]) -> String {
    let ids = ids(folder);
    let rows = rows(folder, name).into_iter();
    let lines = rows.map(|row| {
        let cells = columns.iter().map(|column| {
            let cell = &row[*column];
            let id = column.ends_with("key").then(|| ids.get(cell).cloned());
            id.map_or_else(|| cell.clone(), |id| id.unwrap_or_else(|| "?".to_owned()))
        });
        cells.collect::<Vec<_>>().join(" | ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn edges_join_nodes_by_keys_and_uses_of_absent_packages_are_by_name() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = exported(&Fixture::new(GO).load(), "parquet", folder.path());
    let columns = ["from_key", "type", "to_key", "resolution", "line", "column"];
    expect![[r#"
        app | imports | example.com/lib |  | 7 | 2
        app | imports | example.com/lib/deep/nested |  | 8 | 2
        app | imports | gone.example/pkg |  | 9 | 2
        app | imports | io |  | 4 | 2
        app | imports | shape |  | 6 | 4
        app | imports | testing |  | 3 | 8
        app.TestMain | calls | app.main | exact | 5 | 31
        app.main | calls | shape.Shape.Area | exact | 15 | 58
        app.main | calls | shape.Square.Area | dispatch | 15 | 58
        app.main | calls | example.com/lib.Run | name | 18 | 6
        app.main | calls | gone.example/pkg.Call | name | 19 | 6
        shape.Square.Area | implements | shape.Shape.Area |  | 0 | 0
        shape.Framed | embeds | shape.Square |  | 14 | 2
        shape.Framed | implements | shape.Shape |  | 0 | 0
        shape.Square | implements | shape.Shape |  | 0 | 0"#]]
    .assert_eq(&table(&path, "edges", &columns));
    let columns = ["from_key", "kind", "to_key", "resolution", "line", "column"];
    expect![[r#"
        app | read | shape.Größe | exact | 12 | 15
        app.TestMain | type | testing.T | exact | 5 | 26
        app.main | write | app.total | exact | 15 | 44
        app.main | type | shape.Framed | exact | 15 | 24
        app.main | key | shape.Framed.Name | exact | 15 | 31
        app.main | type | shape.Shape | exact | 15 | 14
        app.main | type | io.Writer | name | 16 | 13
        app.main | read | example.com/lib.Run | name | 20 | 6
        app.main | type | example.com/lib.Options | name | 18 | 14
        app.main | read | example.com/lib/deep/nested.Limit | name | 18 | 32
        shape.Square.Area | type | shape.Square | exact | 11 | 9
        shape.Square.Area | read | shape.Square.Side | exact | 11 | 39
        shape.Square.Area | read | shape.Square.Side | exact | 11 | 48
        shape.Framed | embed | shape.Square | exact | 14 | 2"#]]
    .assert_eq(&table(&path, "references", &columns));
    let columns = [
        "path",
        "language",
        "package_id",
        "test",
        "built",
        "lines",
        "code_lines",
    ];
    expect![[r#"
        main.go | go | app | false | true | 21 | 17
        main_test.go | go | app | true | true | 5 | 3
        shape/shape.go | go | shape | false | true | 21 | 11"#]]
    .assert_eq(&table(&path, "files", &columns));
}

#[test]
fn a_key_is_that_of_the_moniker_beside_it() {
    for text in [GO, PYTHON] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = exported(&Fixture::new(text).load(), "parquet", folder.path());
        let nodes = rows(&path, "nodes");
        assert!(!nodes.is_empty());
        for row in nodes {
            let moniker = Moniker {
                manager: row["manager"].clone(),
                package: row["package"].clone(),
                version: row["version"].clone(),
                descriptor: row["descriptor"].clone(),
            };
            assert_eq!(row["key"], moniker.key().to_string(), "{moniker:?}");
        }
    }
}

#[test]
fn aliases_lead_from_names_to_declarations() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = exported(&Fixture::new(PYTHON).load(), "parquet", folder.path());
    expect![[r#"
        my-app | `app.Job`/limit. | app.base.Job.limit
        my-app | `app.Job`/run. | app.base.Job.run
        my-app | `app.base.Job`/limit. | app.base.Job.limit
        my-app | `app.base.Job`/run. | app.base.Job.run
        my-app | `app.base.Mail`/run. | app.base.Mail.run
        my-app | `app.base`/Job. | app.base.Job
        my-app | `app.base`/Mail. | app.base.Mail
        my-app | `app.base`/run. | app.base.run
        my-app | `app.main.Job`/limit. | app.base.Job.limit
        my-app | `app.main.Job`/run. | app.base.Job.run
        my-app | `app.main`/Job. | app.base.Job
        my-app | `app.more`/_hidden. | app.more._hidden
        my-app | `app.more`/more. | app.more.more
        my-app | app/Job. | app.base.Job
        my-app | app/more. | app.more.more
        my-app | app/run. | app.base.run"#]]
    .assert_eq(&table(&path, "aliases", &["package", "descriptor", "key"]));
}

/// Reads all tables with DuckDB, if Python has it, and prints their numbers of rows and the callers of a
/// name.
const READ_BACK: &str = r#"
import sys
try:
    import duckdb
except ImportError:
    sys.exit(77)
folder = sys.argv[1]
for table in ["aliases", "edges", "files", "nodes", "references"]:
    print(table, duckdb.sql(f"select count(*) from '{folder}/{table}.parquet'").fetchall()[0][0])
print(*duckdb.sql(f"""
    select caller.id, callee.version, count(*) from '{folder}/edges.parquet' as edge
    join '{folder}/nodes.parquet' as caller on caller.key = edge.from_key
    join '{folder}/nodes.parquet' as callee on callee.key = edge.to_key
    where callee.package = 'example.com/lib' and callee.name = 'Run' and edge.type = 'calls'
    group by all
""").fetchall())
"#;

#[test]
fn another_program_reads_the_same_rows() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = exported(&Fixture::new(GO).load(), "parquet", folder.path());
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let ended = Command::new(python)
        .args(["-c", READ_BACK])
        .arg(&path)
        .output();
    let Ok(ended) = ended else {
        eprintln!("skipped: there is no python3");
        return;
    };
    if ended.status.code() == Some(77) {
        eprintln!("skipped: python3 has no duckdb");
        return;
    }
    assert!(ended.status.success(), "{ended:?}");
    let counted: String = TABLES
        .iter()
        .map(|name| format!("{name} {}\n", rows(&path, name).len()))
        .collect();
    let expected = format!("{counted}('app.main', 'v1.2.0', 1)\n");
    assert_eq!(String::from_utf8_lossy(&ended.stdout), expected);
}
