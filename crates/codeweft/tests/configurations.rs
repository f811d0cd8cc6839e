//! Build configurations: flags, `codeweft.toml`, the environment, and a server with another one.

mod fixture;
mod workspace;

use std::fs;
use std::path::Path;

use fixture::codeweft;
use serde_json::Value;
use workspace::{Client, CommandOutput, TestWorkspace, output_of};

/// Returns a module whose `Close` is called under windows only.
fn module() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "go.mod", "module m\n\ngo 1.24\n");
    write(folder.path(), "a.go", "package m\n\nfunc Close() {}\n");
    write(
        folder.path(),
        "b_windows.go",
        "package m\n\nfunc End() { Close() }\n",
    );
    write(
        folder.path(),
        "c.go",
        "//go:build special\n\npackage m\n\nfunc Special() { Close() }\n",
    );
    folder
}

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).expect("written");
}

/// Queries the callers of `Close`.
fn callers(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> CommandOutput {
    let mut command = codeweft();
    command
        .args(["query", "callers", "m.Close", "--root"])
        .arg(folder);
    command.args(arguments).envs(variables.iter().copied());
    output_of(&mut command)
}

#[test]
fn an_empty_answer_names_its_build_configuration_and_the_excluded_files() {
    let folder = module();
    let zero = callers(folder.path(), &["--json"], &[]);
    assert_eq!(zero.code, 1, "{}", zero.err);
    let answer: Value = serde_json::from_str(&zero.out).expect("JSON");
    let completeness = &answer["completeness"];
    assert_eq!(completeness["complete"], false);
    assert_eq!(completeness["configuration"], "linux/amd64 cgo=0 tags=");
    assert_eq!(
        completeness["words"],
        "no caller found; 2 sites could call it under linux/amd64 cgo=0 tags="
    );
    assert_eq!(completeness["first"][0]["reason"], "excluded_file");
    assert_eq!(completeness["first"][0]["file"], "b_windows.go");
    assert_eq!(answer["warnings"][0]["kind"], "excluded");
    assert_eq!(answer["warnings"][0]["file"], "b_windows.go");
    let found = callers(folder.path(), &["--goos", "windows"], &[]);
    assert_eq!(found.code, 0, "{}", found.err);
    assert!(
        found.out.starts_with("b_windows.go\n  3  m.End\n"),
        "{}",
        found.out
    );
    assert!(
        found.out.ends_with(
            "1 site could call it under windows/amd64 cgo=0 tags=: c.go:5:18 excluded_file\n"
        ),
        "{}",
        found.out
    );
    let both = callers(folder.path(), &["--goos=windows", "--tags=special"], &[]);
    assert!(
        both.out
            .ends_with("2 callers; complete under windows/amd64 cgo=0 tags=special\n"),
        "{}",
        both.out
    );
}

#[test]
fn the_largest_file_that_is_read_is_a_setting() {
    let folder = module();
    write(
        folder.path(),
        "d.go",
        &format!(
            "package m\n\nfunc D() {{ Close() }} // {}\n",
            "x".repeat(200)
        ),
    );
    let ask = || callers(folder.path(), &["--goos", "windows"], &[]);
    assert!(ask().out.contains("  m.D\n"), "{}", ask().out);
    write(
        folder.path(),
        "codeweft.toml",
        "[workspace]\nmax_file_size = 100\n",
    );
    let cut = ask();
    assert!(
        cut.out.starts_with("b_windows.go\n  3  m.End\n"),
        "{}",
        cut.out
    );
    let warning = "warning: d.go: its 236 bytes are over the limit of 100 ([workspace] \
                   max_file_size in codeweft.toml)\n";
    assert!(cut.out.contains(warning), "{}", cut.out);
    assert_eq!(cut.err, "");
    write(
        folder.path(),
        "codeweft.toml",
        "[workspace]\nmax_file_size = \"1KiB\"\n",
    );
    assert!(ask().out.contains("  m.D\n"), "{}", ask().out);
}

#[test]
fn a_complete_empty_answer_names_its_build_configuration() {
    let folder = module();
    fs::remove_file(folder.path().join("b_windows.go")).expect("there");
    fs::remove_file(folder.path().join("c.go")).expect("there");
    let zero = callers(
        folder.path(),
        &["--json", "--goos", "js", "--goarch", "wasm"],
        &[],
    );
    let answer: Value = serde_json::from_str(&zero.out).expect("JSON");
    assert_eq!(answer["completeness"]["complete"], true);
    assert_eq!(
        answer["completeness"]["words"],
        "no caller found under js/wasm cgo=0 tags="
    );
}

#[test]
fn a_flag_wins_over_the_file_and_the_file_over_the_environment() {
    let folder = module();
    let last = |arguments: &[&str], variables: &[(&str, &str)]| {
        let ran = callers(folder.path(), arguments, variables);
        let line = ran.out.lines().last().unwrap_or_default().to_owned();
        let after = line.split(" under ").nth(1).unwrap_or_default();
        after.split(':').next().unwrap_or_default().to_owned()
    };
    let variables = [("GOARCH", "arm64"), ("GOFLAGS", "-tags=env")];
    assert_eq!(last(&[], &variables), "linux/arm64 cgo=0 tags=env");
    write(
        folder.path(),
        "codeweft.toml",
        "[go]\ngoarch = \"386\"\ntags = [\"file\"]\n",
    );
    assert_eq!(last(&[], &variables), "linux/386 cgo=0 tags=file");
    let flags = ["--goarch", "arm", "--tags", "flag", "--cgo"];
    assert_eq!(last(&flags, &variables), "linux/arm cgo=1 tags=flag");
}

#[test]
fn invalid_requests_suggest_the_nearest_name_and_exit_with_two() {
    let folder = module();
    let flag = callers(folder.path(), &["--goos", "windws"], &[]);
    assert_eq!((flag.code, flag.out.as_str()), (2, ""));
    assert_eq!(
        flag.err,
        "codeweft: --goos: `windws` is not known to Go; nearest: windows\n"
    );
    let variable = callers(folder.path(), &[], &[("GOARCH", "amd46")]);
    assert_eq!(variable.code, 2);
    assert!(
        variable
            .err
            .contains("GOARCH: `amd46` is not known to Go; nearest: amd64")
    );
    write(folder.path(), "codeweft.toml", "[go]\ngoss = \"linux\"\n");
    let file = callers(folder.path(), &[], &[]);
    assert_eq!(file.code, 2);
    assert_eq!(
        file.err,
        "codeweft: codeweft.toml:2: [go] no key `goss` is known; nearest: goos\n"
    );
}

#[test]
fn the_settings_file_excludes_folders_and_languages() {
    let folder = module();
    fs::create_dir(folder.path().join("old")).expect("made");
    write(folder.path(), "old/o.go", "package old\n");
    write(folder.path(), "x.py", "x = 1\n");
    let files = || {
        let mut command = codeweft();
        command
            .args(["index", "--json", "-q", "--root"])
            .arg(folder.path());
        let ran = output_of(&mut command);
        let report: Value = serde_json::from_str(&ran.out).expect("JSON");
        report["files"].clone()
    };
    assert_eq!(files(), 5);
    let text = "[workspace]\nexclude = [\"old/\"]\nlanguages = [\"go\"]\n[lsp]\nmode = \"alone\"\n";
    write(folder.path(), "codeweft.toml", text);
    assert_eq!(files(), 3);
    let reply = callers(folder.path(), &[], &[]);
    assert_eq!(
        reply.err,
        "codeweft: codeweft.toml: nothing goes by [lsp] mode yet\n"
    );
}

#[test]
fn a_server_is_not_queried_for_another_build_configuration() {
    let workspace = TestWorkspace::new();
    write(
        workspace.root().as_ref(),
        "w_windows.go",
        "package m\n\nfunc W() { B() }\n",
    );
    assert_eq!(workspace.run(&["serve", "--detach"]).code, 0);
    let served = workspace.run(&["query", "callers", "m.B"]);
    assert!(served.out.starts_with("a.go\n  3  m.A\n"), "{served:?}");
    assert_eq!(served.err, "");
    let other = workspace.run(&["query", "callers", "m.B", "--goos", "windows"]);
    assert!(other.out.starts_with("a.go\n  3  m.A\n"), "{other:?}");
    assert!(
        other.out.contains("\nw_windows.go\n  3  m.W\n"),
        "{other:?}"
    );
    assert_eq!(other.err.lines().count(), 1, "{other:?}");
    assert!(
        other.err.contains("the running server answers for linux/"),
        "{other:?}"
    );
    assert!(other.err.contains(" and windows/"), "{other:?}");
    let status = workspace.run(&["serve", "--status", "--json"]);
    let status: Value = serde_json::from_str(&status.out).expect("JSON");
    assert!(
        status["configuration"]
            .as_str()
            .is_some_and(|one| one.starts_with("linux/"))
    );
    // An agent's proxy then serves from its own process.
    let mut agent = Client::start(workspace.command(&["mcp", "--goos", "windows"]));
    agent.ask();
    let answer = agent.answer();
    let found = answer["structuredContent"]["results"]
        .as_array()
        .map(Vec::len);
    assert_eq!(found, Some(2), "{answer}");
    let said = agent.end();
    assert!(said.contains("going on alone in this process"), "{said}");
    workspace.end();
}

#[test]
fn a_server_uses_its_flags_and_the_settings_file() {
    let workspace = TestWorkspace::new();
    write(
        workspace.root().as_ref(),
        "w_windows.go",
        "package m\n\nfunc W() { B() }\n",
    );
    let file = Path::new(workspace.root()).join("codeweft.toml");
    fs::write(&file, "[go]\ngoos = \"windows\"\n").expect("written");
    assert_eq!(workspace.run(&["serve", "--detach"]).code, 0);
    let served = workspace.run(&["query", "callers", "m.B"]);
    assert_eq!(served.err, "");
    assert!(served.out.contains("m.W"), "{served:?}");
    let configuration = || {
        let status = workspace.run(&["serve", "--status", "--json"]);
        let status: Value = serde_json::from_str(&status.out).expect("JSON");
        let all = status["configuration"].as_str().expect("a text").to_owned();
        all.split('/').next().unwrap_or_default().to_owned()
    };
    assert_eq!(configuration(), "windows");
    let (pid, _) = workspace.server();
    // The server follows the file: without it, changed, wrong, and mended.
    fs::remove_file(&file).expect("there");
    let reply = workspace.run(&["query", "callers", "m.B"]);
    assert!(!reply.out.contains("m.W"), "{reply:?}");
    assert_eq!(
        (reply.err.as_str(), configuration().as_str()),
        ("", "linux")
    );
    let mut agent = Client::start(workspace.command(&["mcp"]));
    fs::write(&file, "[go]\ngoos = \"windows\"\n").expect("written");
    agent.ask();
    let answer = agent.answer();
    let found = answer["structuredContent"]["results"].as_array();
    assert_eq!(found.map(Vec::len), Some(2), "{answer}");
    assert_eq!(agent.end(), "");
    assert_eq!(configuration(), "windows");
    fs::write(&file, "[go]\ngoss = 1\n").expect("written");
    let mut agent = Client::start(workspace.command(&["mcp"]));
    agent.ask();
    let answer = agent.answer();
    let warning = &answer["structuredContent"]["warnings"][0];
    assert_eq!(warning["file"], "codeweft.toml", "{answer}");
    assert_eq!(warning["line"], 2, "{answer}");
    let words = "[go] no key `goss` is known; nearest: goos; the settings from before it hold";
    assert_eq!(warning["message"], words);
    let found = answer["structuredContent"]["results"].as_array();
    assert_eq!(found.map(Vec::len), Some(2), "{answer}");
    assert!(agent.end().contains(words));
    assert_eq!(configuration(), "windows");
    fs::write(&file, "[go]\ngoos = \"linux\"\n").expect("written");
    let reply = workspace.run(&["query", "callers", "m.B"]);
    assert!(!reply.out.contains("m.W"), "{reply:?}");
    assert_eq!(
        (reply.err.as_str(), configuration().as_str()),
        ("", "linux")
    );
    assert_eq!(workspace.servers(), [pid]);
    workspace.end();
    // An invalid file does not keep a server from starting.
    fs::write(&file, "[go]\ngoss = 1\n").expect("written");
    let mut agent = Client::start(workspace.command(&["mcp", "--goos=windows"]));
    agent.ask();
    let answer = agent.answer();
    let found = answer["structuredContent"]["results"]
        .as_array()
        .map(Vec::len);
    assert_eq!(found, Some(2), "{answer}");
    let said = agent.end();
    assert!(
        said.contains("codeweft.toml:2: [go] no key `goss` is known"),
        "{said}"
    );
    workspace.end();
}
