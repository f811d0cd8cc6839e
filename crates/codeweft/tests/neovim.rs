//! The LSP frontend in a real editor: headless Neovim, whose grid, quickfix list, buffer and cursor
//! are recorded. Skipped with a message if there is no `nvim`.

mod fixture;

use std::path::Path;
use std::process::Command;

use codeweft_testing::clients::Sandbox;
use expect_test::expect;
use serde_json::Value;

/// Returns whether the editor is installed; prints that the test is skipped if not.
fn is_there() -> bool {
    let there = Command::new("nvim").arg("--version").output().is_ok();
    if !there {
        eprintln!("skipped: nvim is not installed (apt-get install neovim)");
    }
    there
}

fn lines(value: &Value) -> String {
    let lines = value.as_array().into_iter().flatten();
    let lines: Vec<&str> = lines.filter_map(Value::as_str).collect();
    lines.join("\n") + "\n"
}

/// Runs a script in Neovim, with further variables; returns what it recorded.
fn recorded(script: &str, root: &Path, variables: &[(&str, &Path)]) -> Value {
    let record = root.join("record.json");
    let site = Sandbox::new(env!("CARGO_BIN_EXE_codeweft"), root).expect("a home of its own");
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/editors");
    let mut command = site.command(&[]);
    let environment: Vec<_> = command
        .get_envs()
        .map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned)))
        .collect();
    command = Command::new("nvim");
    for (name, value) in environment {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let output = command
        .args(["--headless", "-u", "NONE", "-S"])
        .arg(scripts.join(script))
        .env("CODEWEFT", env!("CARGO_BIN_EXE_codeweft"))
        .env("ROOT", root)
        .env("RECORD", &record)
        .env("GOROOT", fixture::fixture("goroot-small"))
        .envs(variables.iter().copied())
        .current_dir(root)
        .output()
        .expect("nvim starts");
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complained}");
    let record = std::fs::read_to_string(record).expect("the script has written it");
    serde_json::from_str(&record).expect("JSON")
}

#[test]
fn neovim_shows_callers_one_of_them_unsaved_implementations_references_an_outline_and_a_hover() {
    if !is_there() {
        return;
    }
    let folder = fixture::copy("live-small");
    let root = std::fs::canonicalize(folder.path()).expect("it is there");
    let seen = recorded("neovim.lua", &root, &[]);

    expect![[r#"
        fair/fair.go:18:35: Friday
        fair/fair.go:7:35: Monday
        fair/fair.go:11:17: Tuesday
        fair/fair.go:14:14: Tuesday
    "#]]
    .assert_eq(&lines(&seen["callers"]));
    expect![[r#"
                Text() string
        }

        // Plain is the only Label.
        type Plain struct{ words string }

        // Text gives the words.
        func (p Plain) Text() string { return p.words }

        // Sell calls through the interface.
        func Sell(till Till, cents int) error { return till.Pay(cents) }
        shop/shop.go  37,6  Bot
        fair/fair.go|18 col 35| Friday
        fair/fair.go|7 col 35| Monday
        fair/fair.go|11 col 17| Tuesday
        fair/fair.go|14 col 14| Tuesday
        ~
        ~
        ~
        ~
        ~
        ~
        [Quickfix List]                                                         1,1            All

    "#]]
    .assert_eq(&lines(&seen["callers_grid"]));
    assert_eq!(seen["unsaved"], true);
    let disk = std::fs::read_to_string(root.join("fair/fair.go")).expect("it is there");
    assert!(!disk.contains("Friday"));
    let jump = |field: &str| seen["jump"][field].as_str().unwrap_or_default().to_owned();
    let jumped = [jump("buffer"), jump("cursor"), jump("line")].join("\n");
    expect![[r#"
        shop/shop.go
        34:15
        func (p Plain) Text() string { return p.words }"#]]
    .assert_eq(&jumped);
    expect![[r#"
                return nil
        }

        // Card is a Till, too.
        type Card struct{ left int }

        // Pay takes what is left.
        func (c Card) Pay(cents int) error { return nil }

        // Label has one implementation.
        type Label interface {
                Text() string
        }

        // Plain is the only Label.
        type Plain struct{ words string }

        // Text gives the words.
        func (p Plain) Text() string { return p.words }

        // Sell calls through the interface.
        func Sell(till Till, cents int) error { return till.Pay(cents) }
        shop/shop.go  34,16  Bot

    "#]]
    .assert_eq(&lines(&seen["jump_grid"]));
    expect![[r#"
        shop/shop.go:14:18: func (d *Drawer) Pay(cents int) error {
        shop/shop.go:23:15: func (c Card) Pay(cents int) error { return nil }
    "#]]
    .assert_eq(&lines(&seen["implementations"]));
    expect![[r#"
        shop/shop.go:37:11: func Sell(till Till, cents int) error { return till.Pay(cents) }
        shop/shop.go:37:48: func Sell(till Till, cents int) error { return till.Pay(cents) }
    "#]]
    .assert_eq(&lines(&seen["references"]));
    expect![[r#"
        shop/shop.go:6:6: [Interface] Till
        shop/shop.go:7:2: [Method] Pay
        shop/shop.go:11:6: [Struct] Drawer
        shop/shop.go:11:21: [Field] sum
        shop/shop.go:14:18: [Method] Pay
        shop/shop.go:20:6: [Struct] Card
        shop/shop.go:20:19: [Field] left
        shop/shop.go:23:15: [Method] Pay
        shop/shop.go:26:6: [Interface] Label
        shop/shop.go:27:2: [Method] Text
        shop/shop.go:31:6: [Struct] Plain
        shop/shop.go:31:20: [Field] words
        shop/shop.go:34:16: [Method] Text
        shop/shop.go:37:6: [Function] Sell
    "#]]
    .assert_eq(&lines(&seen["outline"]));
    expect![[r#"
        func Sell(till Till, cents int) error
        ─────────────────────────────────────
        Sell calls through the interface.
        ─────────────────────────────────────
        3 callers
    "#]]
    .assert_eq(&lines(&seen["hover"]));
    assert_eq!(seen["stopped"], true, "it ends when it is told to");
}

#[test]
fn neovim_gets_answers_in_a_folder_that_it_adds() {
    if !is_there() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let top = std::fs::canonicalize(folder.path()).expect("it is there");
    let module = |name: &str, function: &str| {
        let root = top.join(name);
        std::fs::create_dir(&root).expect("made");
        let write =
            |file: &str, text: &str| std::fs::write(root.join(file), text).expect("written");
        write("go.mod", &format!("module {name}\n\ngo 1.24\n"));
        write(
            &format!("{}.go", function.to_lowercase()),
            &format!(
                "package {name}\n\nfunc {function}() {{}}\n\nfunc Uses() {{ {function}() }}\n"
            ),
        );
        root
    };
    let (first, second) = (module("first", "Shared"), module("second", "Other"));
    let seen = recorded("neovim_folders.lua", &first, &[("SECOND", &second)]);
    assert_eq!(lines(&seen["first"]), "5: Uses\n");
    assert_eq!(lines(&seen["second"]), "7: Typed\n5: Uses\n");
    assert_eq!(lines(&seen["symbols"]), "Uses\nUses\n");
}
