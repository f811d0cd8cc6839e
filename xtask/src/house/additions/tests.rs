//! The counting of files on small workspaces.

use super::{Addition, Additions};
use crate::house::source::{Crate, inline};

/// Files by `crate path`, each after a line `//- crate path`.
fn workspace(text: &str) -> Vec<Crate> {
    let mut crates: Vec<(&str, Vec<(&str, &str)>)> = Vec::new();
    for part in text.split("//- ").skip(1) {
        let (name, text) = part.split_once('\n').expect("a line and a text");
        let (package, path) = name.split_once(' ').expect("a crate and a path");
        match crates.last_mut().filter(|(name, _)| *name == package) {
            Some((_, files)) => files.push((path, text)),
            None => crates.push((package, vec![(path, text)])),
        }
    }
    crates
        .iter()
        .map(|(package, files)| inline(package, files))
        .collect()
}

fn changed(addition: Addition, text: &str) -> Option<String> {
    let additions = Additions::of(&workspace(text));
    additions.files(addition).map(|files| files.join(", "))
}

const TABLE: &str = r#"
//- graph lib.rs
mod operation; mod operations; mod render; mod filter;
//- graph operation.rs
macro_rules! operation_table {
    ($expand:ident) => {
        $expand! {
            Callers("callers") { spec: spec("caller"), run: |query| query.callers() }
            TypeUsages("type_usages") { spec: spec("usage"), run: |query| query.used() }
            Path("path") { spec: spec("path"), run: |query| query.path() }
        }
    };
}
//- graph operations/mod.rs
mod calls;
//- graph operations/calls.rs
fn callers() { f("callers") }
//- graph filter.rs
fn f(operation: Operation) -> bool { operation == Operation::Callers }
"#;

#[test]
fn the_table_and_the_mod_line_change_for_an_operation() {
    let text = format!("{TABLE}//- graph render.rs\n");
    assert_eq!(
        changed(Addition::Operation, &text).as_deref(),
        Some("graph operation.rs, graph operations/mod.rs")
    );
}

#[test]
fn a_second_list_of_the_operations_changes_as_well() {
    let lists = [
        "const NAMES: &[&str] = &[\"callers\", \"type_usages\", \"path\"];",
        "fn f(o: O) { match o { O::Callers => 1, O::TypeUsages => 2, O::Path => 3 } }",
        "fn f(o: O) { match o { O::Callers => 1, O::TypeUsages => 2, _ => 3 } }",
    ];
    for list in lists {
        let text = format!("{TABLE}//- graph render.rs\n{list}");
        let files = changed(Addition::Operation, &text).expect("a table");
        assert_eq!(files.split(", ").count(), 3, "{list}: {files}");
    }
}

#[test]
fn lists_in_tests_do_not_count() {
    let list = "const NAMES: &[&str] = &[\"callers\", \"type_usages\", \"path\"];";
    let text = format!(
        "{TABLE}//- graph render.rs\n#[cfg(test)] mod of_tests {{ {list} }}\n\
         //- testing lib.rs\n{list}"
    );
    let files = changed(Addition::Operation, &text).expect("a table");
    assert_eq!(files.split(", ").count(), 2, "{files}");
}

#[test]
fn without_a_table_the_variants_are_the_members() {
    let text = "//- graph lib.rs\nmod a; enum Operation { Callers, TypeUsages }\n\
                //- graph a.rs\nfn f() { g(\"callers\", Operation::TypeUsages) }";
    assert_eq!(
        changed(Addition::Operation, text).as_deref(),
        Some("graph a.rs")
    );
    assert_eq!(changed(Addition::Operation, "//- graph lib.rs\n"), None);
}

const TOOL: &str = r#"
//- mcp lib.rs
mod handler; mod tools;
//- mcp tools/mod.rs
mod graph;
pub const TOOLS: &[&dyn AgentTool] = &[&graph::GraphTool];
//- mcp tools/graph/mod.rs
mod text;
const NAME: &str = "code_graph";
pub struct GraphTool;
//- mcp tools/graph/text.rs
fn f() { g("code_graph", super::GraphTool) }
"#;

#[test]
fn the_list_changes_for_a_tool() {
    let text = format!("{TOOL}//- mcp handler.rs\nuse crate::tools::TOOLS;");
    assert_eq!(
        changed(Addition::Tool, &text).as_deref(),
        Some("mcp tools/mod.rs")
    );
}

#[test]
fn files_that_know_the_tool_by_name_or_path_change_as_well() {
    for knows in [
        "use crate::tools::graph::GraphTool;",
        "const INSTRUCTIONS: &str = \"Ask code_graph before you rename.\";",
        "fn f() { json!({\"name\": \"code_graph\"}) }",
    ] {
        let text = format!("{TOOL}//- mcp handler.rs\n{knows}");
        assert_eq!(
            changed(Addition::Tool, &text).as_deref(),
            Some("mcp handler.rs, mcp tools/mod.rs"),
            "{knows}"
        );
    }
}

const EXPORT: &str = r#"
//- store lib.rs
mod formats;
pub use formats::FORMATS;
//- store formats/mod.rs
mod json;
pub const FORMATS: &[ExportFormat] = &[json::FORMAT];
pub use json::write_json;
//- store formats/json.rs
const NAME: &str = "json";
pub const FORMAT: ExportFormat = ExportFormat { name: NAME };
pub fn write_json() {}
"#;

#[test]
fn a_format_that_another_crate_names_changes_a_file_there() {
    let files = |code: &str| {
        let text = format!("{EXPORT}//- codeweft main.rs\n{code}");
        changed(Addition::Export, &text).expect("a list")
    };
    assert_eq!(
        files("use codeweft_store::FORMATS;"),
        "store formats/mod.rs"
    );
    let two = "codeweft main.rs, store formats/mod.rs";
    assert_eq!(files("fn f() { let Format::Json = format; }"), two);
    assert_eq!(
        files("fn f() { codeweft_store::formats::write_json() }"),
        two
    );
}

#[test]
fn a_known_name_that_another_file_holds_changes_that_file() {
    let files = |code: &str| {
        let text = format!(
            "//- python lib.rs\nmod known; mod calls;\n//- python known.rs\n\
             const DECORATORS: &[D] = &[keeps(\"functools.cache\")];\n\
             const FUNCTIONS: &[F] = &[(\"copy\", \"copy\", Known::Copy)];\n\
             //- python calls.rs\n{code}"
        );
        changed(Addition::Decorator, &text).expect("rows")
    };
    assert_eq!(files("fn f() { g(\"cache\") }"), "python known.rs");
    let two = "python known.rs, python calls.rs";
    assert_eq!(files("fn f() { g(\"functools.cache\") }"), two);
    assert_eq!(files("fn f() { g(\"copy.copy\") }"), two);
}
