//! `init`, `mcp-config` and `doctor` as processes.

mod fixture;

use std::fs;
use std::path::Path;

use fixture::codeweft;
use serde_json::Value;

struct Home {
    top: tempfile::TempDir,
}

impl Home {
    fn new() -> Home {
        let top = tempfile::tempdir().expect("a folder");
        for folder in ["w", "home", "run", "state"] {
            fs::create_dir(top.path().join(folder)).expect("made");
        }
        fs::write(top.path().join("w/go.mod"), "module m\n").expect("written");
        fs::write(top.path().join("w/a.go"), "package m\n").expect("written");
        Home { top }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        fs::canonicalize(self.top.path()).expect("there").join(name)
    }

    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let output = codeweft()
            .args(arguments)
            .arg("--root")
            .arg(self.path("w"))
            .env("HOME", self.path("home"))
            .env("XDG_RUNTIME_DIR", self.path("run"))
            .env("XDG_STATE_HOME", self.path("state"))
            .output()
            .expect("the binary starts");
        (
            output.status.code().expect("it ends by itself"),
            String::from_utf8(output.stdout).expect("UTF-8"),
            String::from_utf8(output.stderr).expect("UTF-8"),
        )
    }
}

fn json(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("there");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn every_clients_file_gets_an_absolute_root_and_merging_is_idempotent() {
    for (client, file, servers) in [
        ("claude-code", "w/.mcp.json", "mcpServers"),
        ("cursor", "w/.cursor/mcp.json", "mcpServers"),
        ("vscode", "w/.vscode/mcp.json", "servers"),
        ("zed", "home/.config/zed/settings.json", "context_servers"),
        (
            "windsurf",
            "home/.codeium/windsurf/mcp_config.json",
            "mcpServers",
        ),
    ] {
        let home = Home::new();
        let ask = ["mcp-config", "--client", client, "--write"];
        let (code, _, err) = home.run(&ask);
        assert_eq!(code, 0, "{err}");
        let file = home.path(file);
        let entry = json(&file)[servers]["codeweft"].clone();
        assert_eq!(entry["command"], env!("CARGO_BIN_EXE_codeweft"));
        assert_eq!(
            entry["args"],
            serde_json::json!(["mcp", "--root", home.path("w")])
        );
        let once = fs::read(&file).expect("there");
        let (code, _, err) = home.run(&ask);
        assert_eq!(code, 0);
        assert!(err.contains("already"), "{err}");
        assert_eq!(fs::read(&file).expect("there"), once);
    }
}

#[test]
fn codexs_file_keeps_its_comments() {
    let home = Home::new();
    let file = home.path("home/.codex/config.toml");
    fs::create_dir_all(file.parent().expect("a folder")).expect("made");
    fs::write(&file, "# mine\nmodel = \"x\"\n").expect("written");
    let ask = ["mcp-config", "--client", "codex", "--write"];
    assert_eq!(home.run(&ask).0, 0);
    let text = fs::read_to_string(&file).expect("there");
    assert!(
        text.starts_with("# mine\nmodel = \"x\"\n\n[mcp_servers.codeweft]\n"),
        "{text}"
    );
    assert_eq!(home.run(&ask).0, 0);
    assert_eq!(fs::read_to_string(&file).expect("there"), text);
}

#[test]
fn a_file_with_comments_is_unchanged_and_the_reason_printed() {
    let home = Home::new();
    let file = home.path("home/.config/zed/settings.json");
    fs::create_dir_all(file.parent().expect("a folder")).expect("made");
    let text = "// mine\n{}\n";
    fs::write(&file, text).expect("written");
    let (code, _, err) = home.run(&["mcp-config", "--client", "zed", "--write"]);
    assert_eq!(code, 2);
    assert!(err.contains("comments in it would be lost"), "{err}");
    assert_eq!(fs::read_to_string(&file).expect("there"), text);
}

#[test]
fn without_write_the_entry_is_only_printed() {
    let home = Home::new();
    let (code, out, err) = home.run(&["mcp-config", "--client", "claude-code"]);
    assert_eq!(code, 0);
    let printed: Value = serde_json::from_str(&out).expect("JSON");
    assert!(printed["mcpServers"]["codeweft"].is_object());
    assert!(err.contains(".mcp.json"), "{err}");
    assert!(!home.path("w/.mcp.json").exists());
}

#[test]
fn the_doctor_reports_a_folder_accessible_to_others() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = Home::new();
    let finding = |out: &str, what: &str| -> Value {
        let said: Value = serde_json::from_str(out).expect("JSON");
        let findings = said["findings"].as_array().expect("a list").clone();
        let found = findings.into_iter().find(|one| one["what"] == what);
        found.expect("looked at")
    };
    let (_, out, err) = home.run(&["doctor", "--json"]);
    assert_eq!(finding(&out, "socket folder")["ok"], true, "{out}{err}");
    assert_eq!(finding(&out, "go")["ok"], true, "{out}");
    assert_eq!(finding(&out, "server")["ok"], true, "{out}");
    let folder = home.path("run/codeweft");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).expect("changed");
    let (code, out, _) = home.run(&["doctor", "--json"]);
    assert_eq!(code, 1);
    let socket = finding(&out, "socket folder");
    assert_eq!(socket["ok"], false);
    assert!(
        socket["words"]
            .as_str()
            .expect("a text")
            .contains("mode 755"),
        "{socket}"
    );
    let (code, out, _) = home.run(&["doctor"]);
    assert_eq!(code, 1);
    assert!(out.contains("!!  socket folder"), "{out}");
}

#[test]
fn init_counts_indexes_and_says_what_comes_next() {
    let home = Home::new();
    let (code, out, err) = home.run(&["init"]);
    assert_eq!((code, &*err), (0, ""), "{out}");
    let line = |name: &str| {
        let found = out.lines().find(|line| line.starts_with(name));
        found.unwrap_or_default()
    };
    assert!(line("workspace").ends_with("/w"), "{out}");
    assert_eq!(line("sources"), "sources      1 file of Go, 0.0 MB");
    assert!(line("estimate").contains("about 1 s"), "{out}");
    assert!(line("settings").contains("--write"), "{out}");
    assert_eq!(line("units"), "units        1");
    assert!(line("next").contains("codeweft query"), "{out}");
    assert!(!home.path("w/codeweft.toml").exists());
}

#[test]
fn init_writes_settings_that_change_nothing_and_keeps_those_that_are_there() {
    let home = Home::new();
    let state = |arguments: &[&str]| {
        let (code, out, err) = home.run(arguments);
        assert_eq!((code, &*err), (0, ""), "{out}");
        let out: Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(out["sources"]["go"]["files"], 1);
        assert_eq!(out["index"]["files"], 1);
        out["settings"].as_str().expect("a word").to_owned()
    };
    assert_eq!(state(&["init", "--json"]), "absent");
    assert_eq!(state(&["init", "--json", "--write"]), "written");
    let (code, _, err) = home.run(&["index"]);
    assert_eq!((code, &*err), (0, ""));
    let own = "[workspace]\nexclude = []\n";
    fs::write(home.path("w/codeweft.toml"), own).expect("written");
    assert_eq!(state(&["init", "--json", "--write"]), "present");
    let kept = fs::read_to_string(home.path("w/codeweft.toml")).expect("there");
    assert_eq!(kept, own);
}

#[test]
fn init_of_a_folder_without_sources_exits_with_one() {
    let home = Home::new();
    fs::remove_file(home.path("w/a.go")).expect("there");
    let (code, out, err) = home.run(&["init"]);
    assert_eq!(code, 1, "{out}");
    assert!(err.contains("holds no source file"), "{err}");
    assert!(out.contains("\nsources      no source file\n"), "{out}");
    assert!(out.contains("codeweft doctor"), "{out}");
}
