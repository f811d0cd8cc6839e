//! Resolution of targets, and the errors of those that do not resolve.

use codeweft_db::{Language, RootDb};
use expect_test::{Expect, expect};

use super::{answer, execute, lines, toy};
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

/// Prints what each target resolves to.
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
fn a_full_id_wins_and_printed_receivers_and_type_arguments_are_ignored() {
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
    expect![[r#"
        net/http.Server.Close =>
            net/http.Server.Close
        net/http.(*Server).Close =>
            net/http.Server.Close
        net/http.Server[int].Close =>
            net/http.Server.Close
        net/http =>
            net/http
        net/rpc.main.Local =>
            net/rpc.main.Local
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_suffix_begins_at_a_dot_or_slash_and_several_matches_are_candidates() {
    check(
        Operation::Definition,
        &[
            "Serve",
            "http.Server",
            "Server",
            "erver",
            "tp.Server",
            "http",
        ],
        expect![[r#"
            Serve =>
                net/http.Server.Serve
            http.Server =>
                net/http.Server
            Server =>
                ambiguous_target: Server fits 2 symbols
                ask with one of the candidates
                candidates: net/http.Server net/rpc.Server
            erver =>
                target_not_found: no symbol, package or file fits erver
                nearest: net/http.Server, net/rpc.Server; search finds others
                candidates: net/http.Server net/rpc.Server
            tp.Server =>
                target_not_found: no symbol, package or file fits tp.Server
                nearest: net/http.Server, net/rpc.Server, net/http.Server.Serve; search finds others
                candidates: net/http.Server net/rpc.Server net/http.Server.Serve
            http =>
                net/http
        "#]],
    );
}

#[test]
fn functions_win_over_fields_and_the_workspace_over_libraries() {
    check(
        Operation::Definition,
        &["Handler", "Debug", "Close", "File.Close", "Exit"],
        expect![[r#"
            Handler =>
                net/http.Handler
            Debug =>
                net/http.Debug
            Close =>
                ambiguous_target: Close fits 2 symbols
                ask with one of the candidates
                candidates: net/http.Server.Close net/rpc.Server.Close
            File.Close =>
                os.File.Close
            Exit =>
                os.Exit
        "#]],
    );
}

#[test]
fn redefinitions_are_numbered_by_file_then_text_with_tests_last() {
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
        expect![[r#"
            net/http.init =>
                net/http.init
                net/http.init#2
                net/http.init#3
                net/http.init#4
            net/http.init#2 =>
                net/http.init#2
            net/http.init#3 =>
                net/http.init#3
            net/http.init#4 =>
                net/http.init#4
            net/http.init#5 =>
                target_not_found: no symbol, package or file fits net/http.init#5
                nearest: net/http.init, net/http.init#2, net/http.init#3, net/http.init#4; search finds others
                candidates: net/http.init net/http.init#2 net/http.init#3 net/http.init#4
            init#4 =>
                net/http.init#4
        "#]],
    );
}

#[test]
fn a_pattern_means_all_matching_symbols() {
    check(
        Operation::Definition,
        &["%.Close", "*Server.Clos?", "os.%", "%zzz%"],
        expect![[r#"
            %.Close =>
                net/http.Server.Close
                net/rpc.Server.Close
            *Server.Clos? =>
                net/http.Server.Close
                net/rpc.Server.Close
            os.% =>
                os.Exit
                os.File
                os.File.Close
                os.Open
            %zzz% =>
                target_not_found: no symbol, package or file fits %zzz%
                search finds declarations by a part of the name
        "#]],
    );
    check(
        Operation::Callers,
        &["net/http.%"],
        expect![[r#"
        net/http.% =>
            1 net/http.Server.Serve  net/http/server.go:3:26 exact
            1 net/http.TestServe  net/http/server_test.go:2:16 exact
    "#]],
    );
}

#[test]
fn a_line_means_its_declaration_else_the_enclosing_function_else_the_package() {
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
        expect![[r#"
            net/http/server.go:3 =>
                net/http.Server.Serve
            server.go:5 =>
                net/http.listen
            /home/me/work/net/http/server.go:1 =>
                net/http.Server
            net/rpc/rpc.go:1 =>
                net/rpc
            net/rpc/rpc.go:99 =>
                target_not_found: net/rpc/rpc.go:99: the file has 4 lines
                give a line of the file
            nowhere.go:1 =>
                target_not_found: no symbol, package or file fits nowhere.go:1
                search finds declarations by a part of the name
        "#]],
    );
}

#[test]
fn a_column_means_the_token_there() {
    check(
        Operation::Definition,
        &[
            "net/http/server.go:3:26",
            "net/http/server.go:5:13",
            "net/http/server.go:5:10",
            "net/http/server.go:5:99",
        ],
        expect![[r#"
            net/http/server.go:3:26 =>
                net/http.listen
            net/http/server.go:5:13 =>
                net/http.listen.<locals>.port
            net/http/server.go:5:10 =>
                target_not_found: net/http/server.go:5:10: no symbol stands there; left of it: listen; right of it: port
                give the column of a name
            net/http/server.go:5:99 =>
                target_not_found: net/http/server.go:5:99: line 5 has 30 bytes
                give a column of the line, in bytes from 1
        "#]],
    );
}

#[test]
fn locals_are_targets_of_definition_and_references_only() {
    check(
        Operation::References,
        &["net/http/server.go:5:13"],
        expect![[r#"
            net/http/server.go:5:13 =>
                net/http.listen  net/http/server.go:5:27 exact
        "#]],
    );
    check(
        Operation::Callers,
        &["net/http/server.go:5:13"],
        expect![[r#"
            net/http/server.go:5:13 =>
                invalid_request: callers of net/http/server.go:5:13: port is a local: definition and references take locals
                definition and references take locals
        "#]],
    );
}

#[test]
fn packages_are_found_by_import_path_directory_and_file() {
    check(
        Operation::Dependents,
        &[
            "example.com/net/http",
            "./net/http/",
            "net/http/more.go",
            "http",
            "Serve",
        ],
        expect![[r#"
            example.com/net/http =>
                1 net/rpc  net/rpc/rpc.go:1:5 exact
            ./net/http/ =>
                1 net/rpc  net/rpc/rpc.go:1:5 exact
            net/http/more.go =>
                1 net/rpc  net/rpc/rpc.go:1:5 exact
            http =>
                1 net/rpc  net/rpc/rpc.go:1:5 exact
            Serve =>
                target_not_found: no symbol, package or file fits Serve
                nearest: net/http.Server.Serve, net/http.Server, net/rpc.Server; search finds others
                candidates: net/http.Server.Serve net/http.Server net/rpc.Server
        "#]],
    );
}

#[test]
fn a_refused_target_names_the_operation_that_takes_it() {
    check(
        Operation::Callers,
        &["http.Server", "Debug"],
        expect![[r#"
            http.Server =>
                invalid_request: callers of net/http.Server: net/http.Server is a struct: callers takes functions, methods and packages; ask type_usages
                callers takes functions, methods and packages; ask type_usages
            Debug =>
                invalid_request: callers of net/http.Debug: net/http.Debug is a constant: callers takes functions, methods and packages; ask references
                callers takes functions, methods and packages; ask references
        "#]],
    );
    check(
        Operation::Implementations,
        &["http.Server"],
        expect![[r#"
            http.Server =>
                invalid_request: implementations of net/http.Server: net/http.Server is a struct: implementations takes interfaces and their methods; ask implements
                implementations takes interfaces and their methods; ask implements
        "#]],
    );
    check(
        Operation::TypeUsages,
        &["Serve"],
        expect![[r#"
        Serve =>
            invalid_request: type_usages of net/http.Server.Serve: net/http.Server.Serve is a method: type_usages takes types; ask callers
            type_usages takes types; ask callers
    "#]],
    );
    check(
        Operation::Dependencies,
        &["net/http.Server"],
        expect![[r#"
            net/http.Server =>
                invalid_request: dependencies of net/http.Server: net/http.Server is a struct: dependencies takes packages, directories and files; ask references
                dependencies takes packages, directories and files; ask references
        "#]],
    );
}

#[test]
fn an_unknown_target_suggests_the_nearest_names() {
    check(
        Operation::Callers,
        &["Srve", "http.lisen", "Opne", "zzzzzzzzz", "x"],
        expect![[r#"
            Srve =>
                target_not_found: no symbol, package or file fits Srve
                nearest: net/http.Server.Serve; search finds others
                candidates: net/http.Server.Serve
            http.lisen =>
                target_not_found: no symbol, package or file fits http.lisen
                nearest: net/http.listen; search finds others
                candidates: net/http.listen
            Opne =>
                target_not_found: no symbol, package or file fits Opne
                nearest: os.Open; search finds others
                candidates: os.Open
            zzzzzzzzz =>
                target_not_found: no symbol, package or file fits zzzzzzzzz
                search finds declarations by a part of the name
            x =>
                target_not_found: no symbol, package or file fits x
                search finds declarations by a part of the name
        "#]],
    );
}

#[test]
fn an_id_of_two_languages_needs_a_language_prefix() {
    static BOTH: [&dyn Language; 2] = [&toy::GO, &toy::PYTHON];
    let db = toy::load_in(
        &BOTH,
        "//- app/a.go\nfn main\n//- app/b.py\nfn main\nfn only\n",
    );
    let mut text = String::new();
    for target in ["app.main", "go:app.main", "py:app.main", "only", "go:only"] {
        let request = GraphRequest::new(Operation::Definition, target);
        text.push_str(&lines(&execute(&db, &request)));
    }
    expect![[r#"
        ambiguous_target: app.main fits 2 symbols
        ask with one of the candidates
        candidates: go:app.main py:app.main
        app.main
        app.main
        app.only
        target_not_found: no symbol, package or file fits go:only
        search finds declarations by a part of the name
    "#]]
    .assert_eq(&text);
}
