//! Every table and view, and the rows beside those of the JSON export.

use codeweft_store::EdgeType;
use codeweft_testing::Fixture;
use expect_test::expect;
use rusqlite::OpenFlags;
use serde_json::Value;

use super::{GO, PYTHON, database, exported, opened, rows, text};

/// Checks that nodes and edges are those of the JSON export, row by row, and that each view has its part.
fn check_beside_json(texts: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let world = Fixture::new(texts).load();
    let json = exported(&world, "json", &EdgeType::ALL, folder.path());
    let graph = std::fs::read_to_string(json).expect("the export");
    let graph: Value = serde_json::from_str(&graph).expect("JSON");
    let path = exported(&world, "sqlite", &EdgeType::ALL, folder.path());
    let found = opened(&path, OpenFlags::SQLITE_OPEN_READ_ONLY);

    let cell = |row: &Value, name: &str| match &row[name] {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        Value::Bool(holds) => u8::from(*holds).to_string(),
        other => other.to_string(),
    };
    let list = |name: &str| graph[name].as_array().expect("a list").clone();
    let mut nodes: Vec<String> = list("nodes")
        .iter()
        .map(|node| {
            let names = [
                "language",
                "id",
                "kind",
                "name",
                "file",
                "package",
                "visibility",
                "external",
            ];
            let places = [
                "start_line",
                "end_line",
                "start_pos",
                "end_pos",
                "name_line",
                "name_column",
            ];
            let words = names.map(|name| cell(node, name));
            let places = places.map(|name| cell(node, name));
            let is_known = places[1] != "0";
            let places = places.map(|place| if is_known { place } else { "-".to_owned() });
            let words = words.map(|word| {
                if word.is_empty() {
                    "-".to_owned()
                } else {
                    word
                }
            });
            format!("{} | {}", words.join(" | "), places.join(" | "))
        })
        .collect();
    nodes.sort();
    let query = "SELECT language, symbol_id, kind, name, file_path, nullif(module_path, ''), visibility, external,
                        start_line, end_line, iif(start_line, start_pos, NULL), iif(start_line, end_pos, NULL),
                        name_line, name_col FROM symbols";
    let mut symbols = rows(&found, query);
    symbols.sort();
    assert_eq!(symbols, nodes);
    assert!(!nodes.is_empty());

    let mut edges: Vec<String> = list("edges")
        .iter()
        .map(|edge| {
            let place = &edge["location"];
            let flag = |name: &str| u8::from(edge[name] == true).to_string();
            let args = match &edge["type_args"] {
                Value::Null => "[]".to_owned(),
                args => args.to_string(),
            };
            let cells = [
                cell(edge, "from"),
                cell(edge, "to"),
                cell(edge, "type"),
                cell(place, "file"),
                cell(place, "line"),
                cell(place, "column"),
                cell(edge, "resolution"),
                cell(edge, "kind"),
                cell(edge, "reason"),
                flag("in_literal"),
                flag("of_literal"),
                cell(edge, "receiver"),
                args,
                flag("test"),
            ];
            cells.join(" | ")
        })
        .collect();
    edges.sort();
    let mut of_view = rows(&found, "SELECT * FROM edges");
    of_view.sort();
    assert_eq!(of_view, edges);
    let count = rows(
        &found,
        "SELECT value FROM cache_metadata WHERE key LIKE '%_count' ORDER BY key",
    );
    assert_eq!(count, [edges.len().to_string(), nodes.len().to_string()]);
    for (view, edge_type) in [
        ("function_calls", "calls"),
        ("imports", "imports"),
        ("symbol_references", "references"),
    ] {
        let list = list("edges");
        let of_type = list.iter().filter(|edge| edge["type"] == edge_type);
        let of_type = of_type.count().to_string();
        assert_eq!(
            text(&found, &format!("SELECT count(*) FROM {view}")),
            of_type,
            "{view}"
        );
    }
}

#[test]
fn nodes_and_edges_of_go_are_those_of_the_json_export() {
    check_beside_json(GO);
}

#[test]
fn nodes_and_edges_of_python_are_those_of_the_json_export() {
    check_beside_json(PYTHON);
}

#[test]
fn the_tables_and_views_of_go() {
    let found = database(GO);
    let functions =
        "SELECT function_id, file_path, module_path, name, start_line, end_line, is_method,
        receiver_type_name, is_exported, external, signature FROM functions ORDER BY 1";
    expect![[r#"
        m.TestSum | main_test.go | m | TestSum | 5 | 5 | 0 | - | 1 | 0 | func TestSum(t *testing.T)
        m.each | main.go | m | each | 14 | 14 | 0 | - | 0 | 0 | func each(f func())
        m.main | main.go | m | main | 7 | 10 | 0 | - | 0 | 0 | func main()
        m.sum | main.go | m | sum | 12 | 12 | 0 | - | 0 | 0 | func sum(s shape.Shape)
        shape.Circle.Area | shape/shape.go | shape | Area | 12 | 12 | 1 | Circle | 1 | 0 | func (c *Circle) Area() int
        shape.Round | shape/shape.go | shape | Round | 18 | 18 | 0 | - | 1 | 0 | func Round() Shape
        shape.Shape.Area | shape/shape.go | shape | Area | 4 | 4 | 1 | Shape | 1 | 0 | Area() int
        shape.Square.Area | shape/shape.go | shape | Area | 8 | 8 | 1 | Square | 1 | 0 | func (s Square) Area() int
        shape.make1 | shape/shape.go | shape | make1 | 16 | 16 | 0 | - | 0 | 0 | func make1(side int) Shape"#]].assert_eq(&text(&found, functions));
    let types = "SELECT type_id, file_path, module_path, name, kind, is_exported FROM types
        WHERE NOT external ORDER BY 1";
    expect![[r#"
        shape.Circle | shape/shape.go | shape | Circle | struct | 1
        shape.Shape | shape/shape.go | shape | Shape | interface | 1
        shape.Square | shape/shape.go | shape | Square | struct | 1"#]]
    .assert_eq(&text(&found, types));
    expect![[r#"
        shape.Circle | shape.Circle.Square | Square | Square | 1 | 10
        shape.Square | shape.Square.Side | Side | int | 1 | 6"#]]
    .assert_eq(&text(&found, "SELECT * FROM type_fields ORDER BY 1, 2"));
    expect![[r#"
        m.TestSum | 0 | t | *testing.T | 0 | 0 | -
        m.each | 0 | f | func() | 0 | 0 | -
        m.sum | 0 | s | shape.Shape | 0 | 0 | -
        shape.Circle.Area | 0 | c | *Circle | 0 | 1 | -
        shape.Circle.Area | 1 |  | int | 1 | 0 | -
        shape.Round | 0 |  | Shape | 1 | 0 | -
        shape.Shape.Area | 0 |  | int | 1 | 0 | -
        shape.Square.Area | 0 | s | Square | 0 | 1 | -
        shape.Square.Area | 1 |  | int | 1 | 0 | -
        shape.make1 | 0 | side | int | 0 | 0 | -
        shape.make1 | 1 |  | Shape | 1 | 0 | -"#]]
    .assert_eq(&text(
        &found,
        "SELECT * FROM function_parameters ORDER BY 1, 2",
    ));
    expect![[r#"
        m | shape.Shape.Area | shape.Shape.Area | main.go | 5 | 24 | exact | - | 0 | 0
        m | shape.Square.Area | shape.Square.Area | main.go | 5 | 24 | dispatch | flow | 0 | 0
        m.main | m.sum | m.sum | main.go | 8 | 2 | exact | - | 0 | 0
        m.main | shape.Round | shape.Round | main.go | 8 | 12 | exact | - | 0 | 0
        m.main | m.each | m.each | main.go | 9 | 2 | exact | - | 0 | 0
        m.sum | shape.Circle.Area | shape.Circle.Area | main.go | 12 | 37 | dispatch | flow | 0 | 0
        m.sum | shape.Shape.Area | shape.Shape.Area | main.go | 12 | 37 | exact | - | 0 | 0
        m.sum | shape.Circle.Area | shape.Circle.Area | main.go | 12 | 48 | dispatch | flow | 0 | 0
        m.sum | shape.Shape.Area | shape.Shape.Area | main.go | 12 | 48 | exact | - | 0 | 0
        m.each | m.main | m.main | main.go | 14 | 23 | value | flow | 0 | 1
        m.TestSum | m.sum | m.sum | main_test.go | 5 | 30 | exact | - | 0 | 0
        shape | shape.make1 | shape.make1 | shape/shape.go | 14 | 12 | exact | - | 0 | 0"#]]
    .assert_eq(&text(
        &found,
        "SELECT * FROM function_calls ORDER BY 4, 5, 6, 3",
    ));
    expect![[r#"
        shape.Circle | shape.Shape | implements | pointer | [] | - | - | - | 0
        shape.Circle | shape.Square | embeds | - | [] | shape/shape.go | 10 | 21 | 0
        shape.Square | shape.Shape | implements | value | [] | - | - | - | 0"#]]
    .assert_eq(&text(
        &found,
        "SELECT * FROM type_relationships ORDER BY 1, 2, 3",
    ));
    expect![[r#"
        shape.Circle.Area | shape.Shape.Area | 0
        shape.Square.Area | shape.Shape.Area | 0"#]]
    .assert_eq(&text(
        &found,
        "SELECT * FROM method_implements ORDER BY 1, 2",
    ));
    expect![[r#"
        main.go | m/shape | shape | 3 | 8 | m
        main_test.go | testing | testing | 3 | 8 | m"#]]
    .assert_eq(&text(&found, "SELECT * FROM imports ORDER BY 1, 2"));
    let references =
        "SELECT * FROM symbol_references WHERE symbol_id LIKE 'shape.%' ORDER BY 3, 4, 5";
    expect![[r#"
        shape.Unit | m | main.go | 5 | 19 | read | - | 0
        shape.Shape | m.sum | main.go | 12 | 18 | type | parameter | 0
        shape.Square | shape.Square.Area | shape/shape.go | 8 | 9 | type | - | 0
        shape.Square.Side | shape.Square.Area | shape/shape.go | 8 | 39 | read | - | 0
        shape.Square | shape.Circle | shape/shape.go | 10 | 21 | embed | embed | 0
        shape.Circle | shape.Circle.Area | shape/shape.go | 12 | 10 | type | - | 0
        shape.Shape | shape.make1 | shape/shape.go | 16 | 22 | type | return | 0
        shape.Square | shape.make1 | shape/shape.go | 16 | 37 | type | literal | 0
        shape.Shape | shape.Round | shape/shape.go | 18 | 14 | type | return | 0
        shape.Circle | shape.Round | shape/shape.go | 18 | 30 | type | literal | 0"#]]
    .assert_eq(&text(&found, references));
    expect!["main.go | 14 | 23 |  | 0 | function_value"].assert_eq(&text(
        &found,
        "SELECT * FROM unresolved_sites ORDER BY 1, 2",
    ));
    let files = "SELECT file_path, language, module_path, is_test, is_built, line_count_total, line_count_code,
        line_count_comment, line_count_blank, size_bytes FROM files WHERE NOT is_external ORDER BY 1";
    expect![[r#"
        main.go | go | m | 0 | 1 | 14 | 9 | 0 | 5 | 211
        main_test.go | go | m | 1 | 1 | 5 | 3 | 0 | 2 | 72
        other_windows.go | go | m | 0 | 0 | 3 | 2 | 0 | 1 | 30
        shape/shape.go | go | shape | 0 | 1 | 18 | 9 | 1 | 8 | 344"#]]
    .assert_eq(&text(&found, files));
    let packages = "SELECT module_path, language, import_path, directory FROM packages ORDER BY 1";
    expect![[r#"
        m | go | - | 
        shape | go | m/shape | shape
        testing | go | - | -"#]]
    .assert_eq(&text(&found, packages));
    let kept =
        "SELECT key, value FROM cache_metadata WHERE key IN ('schema_version', 'configuration')";
    expect![[r#"
        configuration | linux/amd64 cgo=0 tags=
        schema_version | 2.2"#]]
    .assert_eq(&text(&found, kept));
}

#[test]
fn the_tables_and_views_of_python() {
    let found = database(PYTHON);
    let own = "SELECT symbol_id, kind, parent_id, start_line, signature, type_expr FROM symbols WHERE NOT external ORDER BY 1";
    expect![[r#"
        app | package | - | 1 | - | -
        app.base | package | - | 1 | - | -
        app.base.Job | interface | app.base | 5 | class Job(ABC) | -
        app.base.Job.limit | field | app.base.Job | 6 | limit: int = 3 | int
        app.base.Job.run | method | app.base.Job | 8 | def run(self, times=1) | -
        app.base.Mail | class | app.base | 12 | class Mail(Job) | -
        app.base.Mail.run | method | app.base.Mail | 13 | def run(self, times=1) | -
        app.main | package | - | 1 | - | -
        app.main.mail | variable | app.main | 4 | mail = Mail() | -
        app.main.work | function | app.main | 8 | def work(job: Job, other) -> int | -"#]]
    .assert_eq(&text(&found, own));
    expect!["app.base.Job | app.base.Job.limit | limit | int | 1 | 6"]
        .assert_eq(&text(&found, "SELECT * FROM type_fields ORDER BY 1, 2"));
    let parameters = "SELECT * FROM function_parameters ORDER BY 1, 2";
    expect![[r#"
        app.base.Job.run | 0 | self |  | 0 | 1 | -
        app.base.Job.run | 1 | times |  | 0 | 0 | 1
        app.base.Mail.run | 0 | self |  | 0 | 1 | -
        app.base.Mail.run | 1 | times |  | 0 | 0 | 1
        app.main.work | 0 | job | Job | 0 | 0 | -
        app.main.work | 1 | other |  | 0 | 0 | -
        app.main.work | 2 |  | int | 1 | 0 | -"#]]
    .assert_eq(&text(&found, parameters));
    expect![[r#"
        app.base.Job | abc.abstractmethod | abc.abstractmethod | app/base.py | 8 | 6 | exact | - | 0 | 0
        app.main | app.base.Mail | app.base.Mail | app/main.py | 4 | 8 | exact | - | 0 | 0
        app.main | app.base.Mail.run | app.base.Mail.run | app/main.py | 5 | 6 | exact | - | 0 | 0
        app.main.work | app.base.Job.run | app.base.Job.run | app/main.py | 10 | 16 | exact | - | 0 | 0
        app.main.work | app.base.Mail.run | app.base.Mail.run | app/main.py | 10 | 16 | dispatch | class_hierarchy | 0 | 0"#]].assert_eq(&text(&found, "SELECT * FROM function_calls ORDER BY 4, 5, 6, 3"));
    let pairs = "SELECT from_type_id, to_type_id, relationship_type, file_path, line FROM type_relationships ORDER BY 1, 2, 3";
    expect![[r#"
        app.base.Job | typing.Hashable | implements | - | -
        app.base.Mail | app.base.Job | implements | - | -
        app.base.Mail | app.base.Job | inherits | app/base.py | 12
        app.base.Mail | typing.Hashable | implements | - | -"#]]
    .assert_eq(&text(&found, pairs));
    expect![[r#"
        app.base.Mail.run | app.base.Job.run | 0
        builtins.object.__hash__ | typing.Hashable.__hash__ | 0"#]]
    .assert_eq(&text(
        &found,
        "SELECT * FROM method_implements ORDER BY 1, 2",
    ));
    expect![[r#"
        app/base.py | abc | abc | 2 | 6 | app.base
        app/main.py | app.base | app.base | 1 | 6 | app.main"#]]
    .assert_eq(&text(&found, "SELECT * FROM imports ORDER BY 1, 4, 5"));
    expect!["app/main.py | 9 | 11 | unknown | 1 | unknown_receiver"].assert_eq(&text(
        &found,
        "SELECT * FROM unresolved_sites ORDER BY 1, 2",
    ));
    let files =
        "SELECT file_path, module_path, line_count_total, line_count_code, line_count_comment,
        line_count_blank FROM files WHERE NOT is_external ORDER BY 1";
    expect![[r#"
        app/__init__.py | app | 0 | 0 | 0 | 0
        app/base.py | app.base | 14 | 9 | 0 | 5
        app/main.py | app.main | 10 | 6 | 1 | 3"#]]
    .assert_eq(&text(&found, files));
}

#[test]
fn sites_that_may_run_the_same_share_a_set() {
    let found = database(GO);
    let sites = "SELECT count(*), count(DISTINCT set_id) FROM run_sites WHERE resolution = 1";
    expect!["3 | 2"].assert_eq(&text(&found, sites));
    let sets = "SELECT r.set_id, count(DISTINCT r.owner || ' ' || r.dl || ' ' || r.col), group_concat(DISTINCT s.symbol_id)
        FROM run_sites r JOIN run_sets m ON m.set_id = r.set_id JOIN symbol_rows s ON s.sid = m.target
        GROUP BY r.set_id ORDER BY 3";
    let words: Vec<String> = rows(&found, sets)
        .iter()
        .filter_map(|row| Some(row.split_once(" | ")?.1.to_owned()))
        .collect();
    expect![[r#"
        1 | m.main
        2 | shape.Circle.Area
        1 | shape.Square.Area"#]]
    .assert_eq(&words.join("\n"));
}

#[test]
fn a_blank_line_on_top_changes_no_use() {
    for texts in [GO, PYTHON] {
        let moved = texts
            .replace("package shape\n", "package shape\n\n")
            .replace("package main\n", "\npackage main\n")
            .replace("from app.base", "\nfrom app.base")
            .replace("from abc", "\nfrom abc");
        let (before, after) = (database(texts), database(&moved));
        for table in [
            "uses",
            "users",
            "run_sites",
            "run_sets",
            "implement_rows",
            "parameter_rows",
        ] {
            let all = format!("SELECT * FROM {table}");
            let rows = rows(&before, &all);
            assert_eq!(rows, super::rows(&after, &all), "{table}");
            assert!(!rows.is_empty() || table == "run_sets" || table == "run_sites");
        }
        let lines = "SELECT start_line FROM symbol_rows";
        assert_ne!(rows(&before, lines), rows(&after, lines));
    }
}

#[test]
fn questions_by_id_scan_no_table() {
    let found = database(GO);
    for question in [
        "SELECT * FROM symbols WHERE symbol_id = ?1",
        "SELECT * FROM function_calls WHERE callee_function_id = ?1",
        "SELECT * FROM function_calls WHERE caller_function_id = ?1",
        "SELECT * FROM symbol_references WHERE symbol_id = ?1",
        "SELECT * FROM symbol_references WHERE from_id = ?1",
        "SELECT * FROM type_relationships WHERE to_type_id = ?1",
        "SELECT * FROM type_relationships WHERE from_type_id = ?1",
        "SELECT * FROM method_implements WHERE to_id = ?1",
        "SELECT * FROM imports WHERE resolved_module_path = ?1",
        "SELECT * FROM type_fields WHERE type_id = ?1",
        "SELECT * FROM function_parameters WHERE function_id = ?1",
    ] {
        let mut plan = found
            .prepare(&format!("EXPLAIN QUERY PLAN {question}"))
            .expect(question);
        let steps = plan.query_map(["m.main"], |row| row.get::<_, String>(3));
        for step in steps.expect(question) {
            let step = step.expect(question);
            let tables = ["u", "x", "o", "c", "t", "r", "m", "s", "a", "b", "i", "p"];
            let scans = tables.map(|table| format!("SCAN {table}"));
            let scanned = scans
                .iter()
                .any(|scan| step == *scan || step.starts_with(&format!("{scan} ")));
            assert!(
                !scanned && !step.contains("AUTOMATIC"),
                "{question}: {step}"
            );
        }
    }
}
