//! The list of salsa ingredients: a missing or new one is noticed, and each query is run.

use std::collections::BTreeSet;
use std::path::Path;

use codeweft_graph::answer::{GraphRequest, Operation};
use codeweft_testing::fixture::texts;
use codeweft_testing::fresh_check::questions;
use codeweft_testing::generate::{Size, python, workspace};
use codeweft_testing::{Fixture, SeededRng};

/// Inputs and interned keys.
const STRUCTS: [&str; 18] = [
    "AllowedSecrets",
    "AssignKey",
    "ChunkKey",
    "ClassKey",
    "DeclKey",
    "File",
    "FunctionKey",
    "LanguageConfig",
    "MethodsKey",
    "ModuleKey",
    "NameKey",
    "PartKey",
    "PyGroupKey",
    "PyPartKey",
    "TypeKey",
    "Unit",
    "UnitGraph",
    "ReceiverKey",
];

/// Tracked queries of documents and wires, which no question about code runs; the tests of `knowledge` do.
const OF_KNOWLEDGE: [&str; 9] = [
    "document_deployment",
    "document_references",
    "document_tree",
    "documents_by_path",
    "file_wires",
    "filled_deployment",
    "joined_contracts",
    "own_contracts",
    "py_file_wires",
];

/// Tracked queries of retrieval, which no question about code runs; `retrieval_live` does.
const OF_RETRIEVAL: [&str; 1] = ["file_lex"];

/// Tracked queries. Only `companion_units`, `import_cuts` and `units` read every unit.
const QUERIES: [&str; 102] = [
    "binds_name",
    "body_chunk",
    "body_count",
    "base_of_receiver",
    "binding_values",
    "calls_by_reflection",
    "chunk_uses",
    "class_info",
    "companion_units",
    "class_member",
    "class_members",
    "class_statement",
    "computed_names",
    "decl",
    "declared_name",
    "declaration_uses",
    "resolved_declaration",
    "edited_text_looks_up",
    "extra_methods",
    "field_values",
    "file_bodies",
    "file_imports",
    "file_items_by_symbol",
    "file_identifiers",
    "file_ranges",
    "file_report",
    "file_secrets",
    "file_symbols",
    "file_uses",
    "function_body",
    "function_form",
    "function_header",
    "function_info",
    "has_methods_of",
    "impl_index",
    "import_cuts",
    "local_type_def",
    "lower",
    "members",
    "methods_of",
    "name_index",
    "unit_unknown_bases",
    "part_uses",
    "py_class_row",
    "py_class_rows",
    "py_entry_points",
    "py_flow",
    "py_follows_values",
    "py_flow_classes",
    "py_flow_declarations",
    "py_flow_escaped",
    "py_flow_fragment",
    "py_flow_imports",
    "py_flow_body_facts",
    "py_flow_seeds",
    "py_flow_targets",
    "py_group_index",
    "py_hierarchy",
    "py_import_targets",
    "py_imported_names",
    "py_imports",
    "py_library_imports",
    "py_module",
    "py_module_classes",
    "py_module_importers",
    "py_module_imports",
    "py_modules",
    "py_named_paths",
    "py_part_uses",
    "py_symbols",
    "py_unit_index",
    "py_unit_identifiers",
    "py_workspace_modules",
    "returned",
    "saved_literal_words",
    "saved_look_up_uses",
    "saved_text_looks_up",
    "final_binding_values",
    "final_field_values",
    "final_returned",
    "signature",
    "star_names",
    "test_of",
    "type_def",
    "unit_broken",
    "unit_decls",
    "unit_files",
    "unit_flows",
    "unit_import_rows",
    "unit_imports",
    "unit_excluded_imports",
    "unit_incomplete_files",
    "unit_index",
    "unit_linknames",
    "unit_identifiers",
    "unit_name",
    "unit_scope",
    "unit_symbols",
    "unit_types",
    "unit_vars",
    "units",
    "uses_of_value_of",
];

/// Returns the names that follow attributes of salsa in the sources of every crate.
fn declared(attributes: &[&str]) -> BTreeSet<String> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut names = BTreeSet::new();
    let mut folders = vec![crates];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)
            .expect("a folder of the workspace")
            .flatten()
        {
            let path = entry.path();
            if path.is_dir() {
                // Queries that tests declare are in no database of the product.
                if path.file_name().is_none_or(|name| name != "tests") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&path).expect("a source");
                names.extend(declared_in(&text, attributes));
            }
        }
    }
    names
}

fn declared_in(text: &str, attributes: &[&str]) -> Vec<String> {
    let mut names = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if !attributes
            .iter()
            .any(|attribute| line.trim_start().starts_with(attribute))
        {
            continue;
        }
        let declaration = lines.find_map(|line| {
            let rest = line.trim_start().trim_start_matches("pub ");
            let rest = rest.trim_start_matches("pub(crate) ");
            rest.strip_prefix("fn ")
                .or_else(|| rest.strip_prefix("struct "))
        });
        let name = declaration.unwrap_or_default();
        let end = name.find(|c: char| !c.is_alphanumeric() && c != '_');
        names.push(name[..end.unwrap_or(name.len())].to_owned());
    }
    names
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

#[test]
fn every_ingredient_of_the_sources_is_in_the_list() {
    let queries = set(&QUERIES).into_iter().chain(set(&OF_KNOWLEDGE));
    let queries = queries.chain(set(&OF_RETRIEVAL));
    assert_eq!(declared(&["#[salsa::tracked"]), queries.collect());
    let structs = ["#[salsa::input", "#[salsa::interned"];
    assert_eq!(declared(&structs), set(&STRUCTS));
}

#[test]
fn an_ingredient_is_found_in_a_source() {
    let text = "#[salsa::tracked(returns(ref))]\npub fn some<'db>(db: &'db dyn Db) {}\n\
                #[salsa::input(debug)]\n/// Words.\npub struct Other {}\n";
    assert_eq!(declared_in(text, &["#[salsa::tracked"]), ["some"]);
    assert_eq!(declared_in(text, &["#[salsa::input"]), ["Other"]);
}

#[test]
fn every_query_of_the_list_runs_when_everything_is_asked() {
    let mut all = workspace(2, Size::SMALL);
    all.extend(python::workspace(2, Size::SMALL));
    all.extend(texts(
        r#"//- linked/linked.go
package linked

import _ "unsafe"

//go:linkname Own m/linked.Own
func Own() {}

func calls() { Own() }
"#,
    ));
    all.extend(texts(
        r#"//- go.work
go 1.25

use .
use ./reflect
//- flows/flows.go
package flows

import "reflect"

type voice struct{}

func (voice) Speak() {}

func reflects(x any) { reflect.ValueOf(x).Method(0) }

func hears(x any) { x.(interface{ Speak() }).Speak() }

func speaks() {
	type loud struct{ voice }
	hears(loud{})
}
//- reflect/go.mod
module reflect
//- reflect/reflect.go
package reflect

type Value struct{}

func (Value) Method(int) Value { return Value{} }

func ValueOf(any) Value { return Value{} }
"#,
    ));
    all.extend(texts(
        r#"//- stars/__init__.py
from stars.names import *
//- stars/names.py
def named():
    return 1
//- stars/named.py
//- stars/user.py
from stars import named

def uses_star():
    return named()
//- stars/plugins.py
import importlib

from stars.names import named

class Plugin:
    def start(self):
        return named()

def load(attribute):
    for name in ["stars.user"]:
        getattr(importlib.import_module(name), attribute)()
"#,
    ));
    let bodies = (0..2000).map(|number| format!("func f{number}() {{\n\tOwn()\n}}\n\n"));
    let large = format!("package linked\n\n{}", bodies.collect::<String>());
    all.insert("linked/large.go".to_owned(), large);
    let mut workspace = Fixture::of(all.clone()).recording().load();
    // Only an edited file is resolved by its content.
    let large = all["linked/large.go"].replacen("\tOwn()", "\tOwn()\n\tOwn()", 1);
    workspace.open("linked/large.go", &large);
    let module = all.iter().find(|(path, _)| path.ends_with(".py"));
    let (module, text) = module.expect("a module is generated");
    workspace.open(
        module,
        &format!("{text}\n\ndef edited():\n    return edited()\n"),
    );
    let host = &workspace.host;
    host.index_all(1, &|_| {});
    for request in questions(host.db(), &all, &mut SeededRng::new(2), 64) {
        // Whether there is an answer is not the matter of this test.
        let _ = host.ask(&request);
    }
    let by_name = ["stars.names.named", "stars.plugins.Plugin.start"];
    for target in by_name
        .into_iter()
        .chain(["linked.Own", "flows.voice.Speak"])
    {
        let _ = host.ask(&GraphRequest::new(Operation::Callers, target));
    }
    // As in the first seconds of a server.
    let tables = host.db().tables();
    tables.set_may_have_unresolved_files(true);
    for request in questions(host.db(), &all, &mut SeededRng::new(3), 64) {
        let _ = host.ask(&request);
    }
    tables.set_may_have_unresolved_files(false);
    let happened = host.recording().expect("it records").take(host.db());
    let ran: BTreeSet<String> = happened
        .executed
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    let missing: Vec<String> = set(&QUERIES).difference(&ran).cloned().collect();
    assert_eq!(missing, [""; 0], "in the list, but never run");
    let unlisted: Vec<String> = ran.difference(&set(&QUERIES)).cloned().collect();
    assert_eq!(unlisted, [""; 0], "run, but not in the list");
}
