//! The server of a workspace over real processes: discovery, start, sharing, end.

mod fixture;
mod workspace;

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use codeweft_testing::clients::Editor;
use rustix::process::Pid;
use serde_json::Value;
use workspace::{Client, CommandOutput, LONG, TestWorkspace, output_of, wait_for_end};

#[test]
fn a_client_starts_the_server_and_the_next_one_shares_it() {
    let workspace = TestWorkspace::new();
    let mut first = Client::start(workspace.command(&["mcp"]));
    first.ask();
    first.answer_is_right();
    let (pid, socket) = workspace.server();
    assert_eq!(workspace.servers(), [pid]);
    assert!(socket.starts_with(workspace.runtime()));
    let mut second = Client::start(workspace.command(&["mcp"]));
    second.ask();
    second.answer_is_right();
    assert_eq!(workspace.servers(), [pid]);
    let status = workspace.run(&["serve", "--status", "--json"]);
    let status: Value = serde_json::from_str(&status.out).expect("JSON");
    assert_eq!(status["pid"], pid);
    assert_eq!(status["agents"], 2);
    assert_eq!(first.end(), "");
    assert_eq!(second.end(), "");
    workspace.end();
}

#[test]
fn two_clients_at_once_start_one_server() {
    clients_start_one_server(2, 1);
}

#[test]
fn twenty_clients_at_one_instant_start_one_server() {
    clients_start_one_server(20, 1);
}

#[test]
fn twenty_clients_at_one_instant_start_one_server_a_hundred_times() {
    if std::env::var_os("CODEWEFT_SLOW").is_some() {
        clients_start_one_server(20, 100);
    }
}

fn clients_start_one_server(count: usize, times: usize) {
    let workspace = TestWorkspace::new();
    for _ in 0..times {
        let mut clients: Vec<Client> = (0..count)
            .map(|_| Client::start(workspace.command(&["mcp"])))
            .collect();
        // They look for a server at their first message.
        for client in &mut clients {
            client.ask();
        }
        for client in &mut clients {
            client.answer_is_right();
        }
        let (pid, _) = workspace.server();
        assert_eq!(workspace.servers(), [pid]);
        let status = workspace.run(&["serve", "--status", "--json"]);
        let status: Value = serde_json::from_str(&status.out).expect("JSON");
        assert_eq!(status["agents"], count);
        for client in clients {
            assert_eq!(client.end(), "");
        }
        workspace.end();
    }
}

#[test]
fn with_and_without_the_runtime_folder_there_is_one_server() {
    let workspace = TestWorkspace::new();
    let mut without = workspace.command(&["serve", "--detach"]);
    assert_eq!(output_of(without.env_remove("XDG_RUNTIME_DIR")).code, 0);
    let (pid, socket) = workspace.server();
    assert!(!socket.starts_with(workspace.runtime()));
    let mut with = Client::start(workspace.command(&["mcp"]));
    with.ask();
    with.answer_is_right();
    assert_eq!(workspace.servers(), [pid]);
    assert_eq!(with.end(), "");
    workspace.end();
}

#[test]
fn a_server_whose_socket_is_not_found_is_not_started_twice() {
    // Started with a runtime folder that the second client does not have.
    let workspace = TestWorkspace::new();
    assert_eq!(workspace.run(&["serve", "--detach"]).code, 0);
    let (pid, _) = workspace.server();
    let mut command = workspace.command(&["mcp"]);
    command.env_remove("XDG_RUNTIME_DIR");
    let mut client = Client::start(command);
    client.ask();
    client.answer_is_right();
    assert_eq!(workspace.servers(), [pid]);
    let words = client.end();
    assert!(words.contains("going on alone in this process"), "{words}");
    workspace.end();
}

#[test]
fn a_stale_socket_and_note_are_replaced() {
    let workspace = TestWorkspace::new();
    assert_eq!(workspace.run(&["serve", "--detach"]).code, 0);
    let (killed, socket) = workspace.server();
    kill(killed);
    assert!(socket.exists(), "nobody could clean up");
    let status = workspace.run(&["serve", "--status"]);
    assert_eq!(status.code, 1, "{status:?}");
    let mut client = Client::start(workspace.command(&["mcp"]));
    client.ask();
    client.answer_is_right();
    let (pid, _) = workspace.server();
    assert_ne!(pid, killed);
    assert_eq!(workspace.servers(), [pid]);
    assert_eq!(client.end(), "");
    workspace.end();
}

fn kill(pid: u32) {
    let process = Pid::from_raw(pid as i32).expect("a process");
    rustix::process::kill_process(process, rustix::process::Signal::KILL).expect("ours");
    wait_for_end(pid);
}

#[test]
fn a_signal_ends_the_server_cleanly() {
    for signal in [
        rustix::process::Signal::TERM,
        rustix::process::Signal::INT,
        rustix::process::Signal::HUP,
    ] {
        let workspace = TestWorkspace::new();
        assert_eq!(workspace.run(&["serve", "--detach"]).code, 0);
        let (pid, socket) = workspace.server();
        let process = Pid::from_raw(pid as i32).expect("a process");
        rustix::process::kill_process(process, signal).expect("ours");
        wait_for_end(pid);
        workspace.nothing_is_left();
        assert!(!socket.exists());
    }
}

#[test]
fn a_server_without_clients_ends_after_its_idle_timeout() {
    let workspace = TestWorkspace::new();
    let started = workspace.run(&["serve", "--detach", "--idle-exit", "300ms"]);
    assert_eq!(started.code, 0, "{started:?}");
    let (pid, socket) = workspace.server();
    wait_for_end(pid);
    assert!(!socket.exists());
    workspace.nothing_is_left();
}

#[test]
fn a_server_ends_when_its_workspace_is_removed() {
    let workspace = TestWorkspace::new();
    assert_eq!(workspace.run(&["serve", "--detach"]).code, 0);
    let (pid, socket) = workspace.server();
    let root = workspace.site.root();
    fs::rename(root, root.with_file_name("elsewhere")).expect("renamed");
    wait_for_end(pid);
    assert!(!socket.exists());
}

#[test]
fn a_connected_client_keeps_the_server() {
    let workspace = TestWorkspace::new();
    let started = workspace.run(&["serve", "--detach", "--idle-exit", "1s"]);
    assert_eq!(started.code, 0, "{started:?}");
    let (pid, _) = workspace.server();
    let mut client = Client::start(workspace.command(&["mcp"]));
    client.ask();
    client.answer_is_right();
    // Longer than its idle timeout.
    std::thread::sleep(Duration::from_millis(1500));
    assert_eq!(workspace.servers(), [pid]);
    client.end();
    wait_for_end(pid);
    workspace.nothing_is_left();
}

#[test]
fn a_second_server_reports_that_one_runs() {
    let workspace = TestWorkspace::new();
    assert_eq!(workspace.run(&["serve", "--detach"]).code, 0);
    let (pid, _) = workspace.server();
    let again = workspace.run(&["serve", "--detach"]);
    assert_eq!(again.code, 0);
    assert!(again.err.contains("a server runs already"), "{again:?}");
    let third = workspace.run(&["serve"]);
    assert_eq!(third.code, 2);
    assert!(third.err.contains("a server runs already"), "{third:?}");
    assert_eq!(workspace.servers(), [pid]);
    workspace.end();
}

#[test]
fn without_a_server_stop_status_and_stats_report_that() {
    let workspace = TestWorkspace::new();
    for arguments in [
        &["serve", "--stop"][..],
        &["serve", "--status"],
        &["stats"],
        &["stats", "--json"],
    ] {
        let said = workspace.run(arguments);
        assert_eq!(said.code, 1, "{said:?}");
        assert_eq!(said.out, "");
        assert!(said.err.contains("no server runs for"), "{said:?}");
    }
    let status = workspace.run(&["serve", "--status", "--json"]);
    assert_eq!(status.code, 1);
    let status: Value = serde_json::from_str(&status.out).expect("JSON");
    assert_eq!(status["running"], false);
    // None was started, and nothing was written.
    assert!(!workspace.site.root().join(".codeweft").exists());
}

#[test]
fn a_client_with_another_environment_gets_a_note_that_names_the_variable() {
    let workspace = TestWorkspace::new();
    assert_eq!(workspace.run(&["serve", "--detach"]).code, 0);
    let mut command = workspace.command(&["mcp"]);
    command.env("GOFLAGS", "-tags=other");
    let mut client = Client::start(command);
    client.ask();
    client.answer_is_right();
    let words = client.end();
    assert!(words.contains("GOFLAGS is `-tags=other` here"), "{words}");
    assert_eq!(words.lines().count(), 1, "{words}");
    workspace.end();
}

#[test]
fn the_command_line_queries_the_server_unless_disk_is_requested() {
    let workspace = TestWorkspace::new();
    let ask = ["query", "callers", "m.B", "--json"];
    let alone = workspace.run(&ask);
    assert_eq!(alone.code, 0, "{alone:?}");
    assert!(!workspace.site.root().join(".codeweft").exists());
    assert_eq!(workspace.run(&["serve", "--detach"]).code, 0);
    let count = || {
        let stats = workspace.run(&["stats", "--json"]);
        assert_eq!(stats.code, 0, "{stats:?}");
        let stats: Value = serde_json::from_str(&stats.out).expect("JSON");
        stats["query_count"].as_u64().expect("a number")
    };
    let before = count();
    let asked = workspace.run(&ask);
    assert_eq!(asked.code, 0, "{asked:?}");
    assert_eq!(count(), before + 1);
    let results = |ran: &CommandOutput| {
        let answer: Value = serde_json::from_str(&ran.out).expect("JSON");
        answer["results"].clone()
    };
    assert_eq!(results(&asked), results(&alone));
    let from_disk = workspace.run(&["query", "callers", "m.B", "--json", "--disk"]);
    assert_eq!(results(&from_disk), results(&alone));
    assert_eq!(count(), before + 1);
    let nobody = workspace.run(&["query", "callers", "m.Nobody"]);
    assert_eq!(nobody.code, 1, "{nobody:?}");
    assert!(nobody.err.contains("m.Nobody"), "{nobody:?}");
    workspace.end();
}

#[test]
fn unsaved_text_is_visible_to_the_command_line_until_the_editor_disconnects() {
    let workspace = TestWorkspace::new();
    let mut child = workspace
        .command(&["lsp"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let ends = child.stdout.take().zip(child.stdin.take());
    let (output, input) = ends.expect("piped");
    let mut editor = Editor::over(output, input);
    editor
        .initialize(workspace.root(), &["utf-8"])
        .expect("answered");
    let path = format!("{}/a.go", workspace.root());
    let text = fs::read_to_string(&path).expect("there");
    editor.open(&path, &text).expect("sent");
    editor
        .edit(&path, ((0, 9), (0, 9)), "\n\nfunc Typed() { B() }")
        .expect("sent");
    // The answer shows that the server has processed the change.
    let symbols = Editor::at(&path, 2, 5);
    let symbols = editor.ask("textDocument/documentSymbol", symbols);
    assert!(symbols.expect("answered").to_string().contains("Typed"));
    let callers = |further: &[&str]| {
        let mut ask = vec!["query", "callers", "m.B", "--json"];
        ask.extend(further);
        let asked = workspace.run(&ask);
        let answer: Value = serde_json::from_str(&asked.out).expect("JSON");
        let results = answer["results"].as_array().expect("a list").clone();
        let names = results.into_iter().map(|one| one["node"]["name"].clone());
        names.collect::<Vec<Value>>()
    };
    assert_eq!(callers(&[]), ["A", "Typed"]);
    assert_eq!(callers(&["--disk"]), ["A"]);
    child.kill().expect("ours");
    child.wait().expect("it ends");
    let until = Instant::now() + LONG;
    while callers(&[]) != ["A"] {
        assert!(Instant::now() < until, "the editor's text stays");
    }
    workspace.end();
}

#[test]
fn standalone_starts_no_server() {
    let workspace = TestWorkspace::new();
    let mut client = Client::start(workspace.command(&["mcp", "--standalone"]));
    client.ask();
    client.answer_is_right();
    assert_eq!(workspace.servers(), [0; 0]);
    assert_eq!(client.end(), "");
    assert!(!workspace.site.root().join(".codeweft").exists());
}

#[test]
fn stats_has_the_specified_figures() {
    let workspace = TestWorkspace::new();
    assert_eq!(workspace.run(&["serve", "--detach"]).code, 0);
    let stats = workspace.run(&["stats", "--json"]);
    assert_eq!(stats.code, 0, "{stats:?}");
    let stats: Value = serde_json::from_str(&stats.out).expect("JSON");
    for name in [
        "query_count",
        "avg_query_time_ms",
        "p99_query_time_ms",
        "by_operation",
        "cache_hit_rate",
        "graph_size_mb",
        "last_reload_time_ms",
        "revision",
        "files",
        "symbols",
        "edges",
        "rss_bytes",
        "store_bytes",
        "cache_bytes",
    ] {
        assert!(stats.get(name).is_some(), "{name}: {stats}");
    }
    // The phases are over when a question has been answered, not before.
    assert_eq!(workspace.run(&["query", "callers", "m.B"]).code, 0);
    let shown = workspace.run(&["stats", "--timeline"]);
    for phase in ["walk", "read", "lower", "layout"] {
        assert!(shown.out.contains(phase), "{}", shown.out);
    }
    workspace.end();
}

#[test]
fn a_second_server_lowers_no_text_and_answers_the_same() {
    let workspace = TestWorkspace::new();
    let target = "m.B";
    let mut answers = Vec::new();
    for round in 0..2 {
        assert_eq!(workspace.run(&["serve", "--detach"]).code, 0);
        let answer = workspace.run(&["query", "callers", target]);
        answers.push((answer.code, answer.out));
        let figures = || -> Value {
            let stats = workspace.run(&["stats", "--json"]);
            serde_json::from_str(&stats.out).expect("JSON")
        };
        // What was lowered first is written behind, at the latest five seconds after the last of it.
        let written =
            |figures: &Value| figures["cache"]["written"].as_u64() == figures["parses"].as_u64();
        let deadline = Instant::now() + Duration::from_secs(60);
        while !written(&figures()) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(100));
        }
        let figures = figures();
        assert!(written(&figures), "{figures}");
        assert_eq!(figures["parses"] == 0, round == 1, "{figures}");
        assert!(figures["cache_bytes"].as_u64() > Some(0), "{figures}");
        workspace.end();
    }
    assert_eq!(answers[0], answers[1]);
    // The same from a command without a server, and with the cache off.
    let alone = workspace.run(&["query", "callers", target, "--disk"]);
    assert_eq!((alone.code, alone.out), answers[0]);
    let settings = format!("{}/codeweft.toml", workspace.root());
    fs::write(settings, "[cache]\nmax_size = 0\n").expect("written");
    let alone = workspace.run(&["query", "callers", target, "--disk"]);
    assert_eq!((alone.code, alone.out), answers[0]);
}
