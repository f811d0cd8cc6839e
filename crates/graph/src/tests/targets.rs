//! What a target may be, and what is said when it is none.

use codeweft_db::{Language, RootDb};
use expect_test::{Expect, expect};

use super::{answer, ask_languages, lines, toy};
use crate::answer::{GraphRequest, Operation};

const WORLD: &str = "
//- net/http/server.go
struct Server
field Server.Handler
method *Server.Serve 1 : listen
method *Server.Close 0
fn listen : $port =Debug $port
fn init
fn init
const Debug
//- net/http/more.go
fn init
fn Handler
//- net/http/server_test.go
fn init
fn TestServe : Server.Serve
//- net/rpc/rpc.go
use net/http
struct Server
method Server.Close 0
fn main : {Local} net/http.listen
//- /lib/os/os.go
fn Open
fn Exit
struct File
method File.Close 0
";

fn world() -> RootDb {
    toy::load(WORLD)
}

/// Where each target leads.
fn defined(db: &RootDb, targets: &[&str]) -> String {
    let mut text = String::new();
    for target in targets {
        text.push_str(&format!("{target} =>\n"));
        for line in answer(db, Operation::Definition, target).lines() {
            text.push_str(&format!("    {line}\n"));
        }
    }
    text
}

fn check(operation: Operation, targets: &[&str], expected: Expect) {
    let db = world();
    let mut text = String::new();
    for target in targets {
        text.push_str(&format!("{target} =>\n"));
        for line in answer(&db, operation, target).lines() {
            text.push_str(&format!("    {line}\n"));
        }
    }
    expected.assert_eq(&text);
}

#[test]
fn a_full_id_wins_and_gos_receivers_and_type_arguments_are_read_through() {
    let text = defined(
        &world(),
        &[
            "net/http.Server.Close",
            "net/http.(*Server).Close",
            "net/http.Server[int].Close",
            "net/http",
            "net/rpc.main.Local",
        ],
    );
    expect![[r#""#]].assert_eq(&text);
}

#[test]
fn a_suffix_ends_at_a_dot_or_slash_and_several_fits_are_candidates() {
    check(
        Operation::Definition,
        &["Serve", "http.Server", "Server", "erver", "tp.Server", "http"],
        expect![[r#""#]],
    );
}

#[test]
fn functions_go_before_fields_and_the_workspace_before_libraries() {
    check(
        Operation::Definition,
        &["Handler", "Debug", "Close", "File.Close", "Exit"],
        expect![[r#""#]],
    );
}

#[test]
fn twins_are_numbered_by_file_then_text_and_tests_come_last() {
    check(
        Operation::Definition,
        &[
            "net/http.init",
            "net/http.init#2",
            "net/http.init#3",
            "net/http.init#4",
            "net/http.init#5",
            "init#4",
        ],
        expect![[r#""#]],
    );
}

#[test]
fn a_pattern_is_a_set_and_the_question_runs_from_all() {
    check(
        Operation::Definition,
        &["%.Close", "*Server.Clos?", "os.%", "%zzz%"],
        expect![[r#""#]],
    );
    check(Operation::Callers, &["net/http.%"], expect![[r#""#]]);
}

#[test]
fn a_line_is_what_it_declares_else_the_function_around_it_else_the_package() {
    check(
        Operation::Definition,
        &[
            "net/http/server.go:3",
            "server.go:5",
            "/home/me/work/net/http/server.go:1",
            "net/rpc/rpc.go:1",
            "net/rpc/rpc.go:99",
            "nowhere.go:1",
        ],
        expect![[r#""#]],
    );
}

#[test]
fn a_column_is_the_token_there() {
    check(
        Operation::Definition,
        &[
            "net/http/server.go:3:26",
            "net/http/server.go:5:13",
            "net/http/server.go:5:10",
            "net/http/server.go:5:99",
        ],
        expect![[r#""#]],
    );
}

#[test]
fn locals_answer_definition_and_references_only() {
    check(
        Operation::References,
        &["net/http/server.go:5:13"],
        expect![[r#""#]],
    );
    check(
        Operation::Callers,
        &["net/http/server.go:5:13"],
        expect![[r#""#]],
    );
}

#[test]
fn packages_are_found_by_import_path_directory_and_file() {
    check(
        Operation::Dependents,
        &["example.com/net/http", "./net/http/", "net/http/more.go", "http", "Serve"],
        expect![[r#""#]],
    );
}

#[test]
fn what_an_operation_does_not_take_is_refused_with_the_one_that_does() {
    check(Operation::Callers, &["http.Server", "Debug"], expect![[r#""#]]);
    check(Operation::Implementations, &["http.Server"], expect![[r#""#]]);
    check(Operation::TypeUsages, &["Serve"], expect![[r#""#]]);
    check(Operation::Dependencies, &["net/http.Server"], expect![[r#""#]]);
}

#[test]
fn nothing_found_names_the_nearest() {
    check(
        Operation::Callers,
        &["Srve", "http.lisen", "Opne", "zzzzzzzzz", "x"],
        expect![[r#""#]],
    );
}

#[test]
fn an_id_of_two_languages_wants_the_language_before_it() {
    let db = toy::load("//- app/a.go\nfn main\n//- app/b.py\nfn main\nfn only\n");
    let both: [&dyn Language; 2] = [&toy::GO, &toy::PYTHON];
    let mut text = String::new();
    for target in ["app.main", "go:app.main", "py:app.main", "only", "go:only"] {
        let request = GraphRequest::new(Operation::Definition, target);
        text.push_str(&lines(&ask_languages(&db, &both, &request)));
    }
    expect![[r#""#]].assert_eq(&text);
}

#[test]
fn a_language_of_imports_only_answers_nothing_else() {
    let db = toy::load("//- app/b.py\nuse lib\nfn main\n//- lib/c.py\n");
    let languages: [&dyn Language; 2] = [&toy::GO, &toy::PYTHON_IMPORTS];
    let mut text = String::new();
    for (operation, target) in [
        (Operation::Callers, "app.main"),
        (Operation::Callers, "app"),
        (Operation::Definition, "app"),
        (Operation::Dependencies, "app"),
    ] {
        let request = GraphRequest::new(operation, target);
        text.push_str(&lines(&ask_languages(&db, &languages, &request)));
    }
    expect![[r#""#]].assert_eq(&text);
}
