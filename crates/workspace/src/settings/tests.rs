use std::collections::BTreeMap;
use std::time::Duration;

use super::size::size;
use super::*;

fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    let pairs = pairs.iter();
    pairs
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect()
}

fn wrong(text: &str) -> String {
    parse(text).expect_err("it is wrong").to_string()
}

/// Returns the settings of a folder with this file, on linux/arm64 by the environment.
fn found(file: &str, flags: &[(&str, &str)]) -> Result<Settings, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let root = std::fs::canonicalize(folder.path()).expect("there");
    std::fs::write(root.join(NAME), file).expect("written");
    let root = root.to_str().expect("UTF-8");
    let variables = map(&[
        ("GOOS", "linux"),
        ("GOARCH", "arm64"),
        ("GOFLAGS", "-tags=env"),
        ("GOENV", "off"),
    ]);
    let found = Settings::find(root, &map(flags), Some(&variables));
    found.map_err(|error| error.to_string().replace(root, "ROOT"))
}

#[test]
fn a_time_has_a_unit() {
    assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
    assert_eq!(duration("10m"), Ok(Duration::from_secs(600)));
    for wrong in ["", "10", "m", "-1s", "1.5h", "10 m", "99999999999h"] {
        assert!(duration(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_size_is_a_number_of_bytes_or_has_a_unit() {
    assert_eq!(size("500000", 1, 1 << 30), Ok(500_000));
    assert_eq!(size("8MiB", 1, 1 << 30), Ok(8 << 20));
    assert_eq!(size("64 KiB", 1, 1 << 30), Ok(64 << 10));
    assert_eq!(size("1GiB", 1, 1 << 30), Ok(1 << 30));
    for wrong in [
        "",
        "MiB",
        "-1",
        "1.5MiB",
        "8MB",
        "8mib",
        "0",
        "2GiB",
        "99999999999GiB",
    ] {
        assert!(size(wrong, 1, 1 << 30).is_err(), "{wrong}");
    }
}

#[test]
fn a_size_in_the_file_is_a_number_or_a_text() {
    for written in ["1048576", "\"1MiB\"", "\"1048576\""] {
        let read = parse(&format!("[workspace]\nmax_file_size = {written}\n"));
        let read = read.expect("it is right");
        assert_eq!(read.values["max_file_size"], "1048576");
        assert_eq!(read.later, [""; 0]);
    }
    assert_eq!(
        wrong("[workspace]\nmax_file_size = \"1MB\"\n"),
        "codeweft.toml:2: [workspace] max_file_size: a size is a whole number of bytes, or one in quotes \
         with KiB, MiB or GiB behind it"
    );
    assert_eq!(
        wrong("[workspace]\nmax_file_size = \"2GiB\"\n"),
        "codeweft.toml:2: [workspace] max_file_size: a size is 1 byte to 1GiB"
    );
}

#[test]
fn a_whole_number_has_bounds() {
    let read = parse("[serve]\nwatch_debounce_ms = 200\n").expect("it is right");
    assert_eq!(read.values["watch_debounce_ms"], "200");
    for value in ["-1", "501", "\"50\""] {
        assert_eq!(
            wrong(&format!("[serve]\nwatch_debounce_ms = {value}\n")),
            "codeweft.toml:2: [serve] watch_debounce_ms: takes a whole number from 0 to 500"
        );
    }
}

#[test]
fn an_unknown_key_is_an_error_with_its_line_and_the_nearest_one() {
    assert_eq!(
        wrong("[go]\ngoos = \"linux\"\ngorch = \"arm64\"\n"),
        "codeweft.toml:3: [go] no key `gorch` is known; nearest: goarch"
    );
    assert_eq!(
        wrong("\n[work]\n"),
        "codeweft.toml:2: no section `work` is known; nearest: go"
    );
    assert_eq!(
        wrong("[workspaces]\n"),
        "codeweft.toml:1: no section `workspaces` is known; nearest: workspace"
    );
    assert_eq!(wrong("go = 1\n"), "codeweft.toml:1: go is a section: [go]");
}

#[test]
fn a_value_of_another_form_is_an_error_with_its_line() {
    assert_eq!(
        wrong("[go]\n\ncgo = \"yes\"\n"),
        "codeweft.toml:3: [go] cgo: takes true or false"
    );
    assert_eq!(
        wrong("[workspace]\nexclude = [1]\n"),
        "codeweft.toml:2: [workspace] exclude: takes a list of texts"
    );
    assert_eq!(
        wrong("[serve]\nidle_exit = \"10\"\n"),
        "codeweft.toml:2: [serve] idle_exit: a time is a whole number with ms, s, m or h behind it"
    );
    assert!(wrong("[go]\ngoos = \n").starts_with("codeweft.toml:2: "));
}

#[test]
fn a_key_without_an_effect_is_accepted_and_reported() {
    let read =
        parse("[workspace]\ninclude_generated = true\n[lsp]\nmode = \"alone\"\n[go]\ncgo = true\n");
    let read = read.expect("it is right");
    assert_eq!(read.later, ["[workspace] include_generated", "[lsp] mode"]);
    assert_eq!(read.values["cgo"], "true");
}

#[test]
fn flags_win_over_the_file_and_the_file_over_the_environment() {
    let alone = found("", &[]).expect("right");
    assert_eq!(alone.configuration, "linux/arm64 cgo=0 tags=env");
    assert!(!alone.set_the_build());
    let file = "[go]\ngoos = \"darwin\"\ntags = [\"b\", \"a\"]\ncgo = true\n";
    let by_file = found(file, &[]).expect("right");
    assert_eq!(by_file.configuration, "darwin/arm64 cgo=1 tags=a,b");
    assert!(by_file.set_the_build());
    let flags = [("goos", "windows"), ("tags", "x"), ("cgo", "false")];
    let by_flag = found(file, &flags).expect("right");
    assert_eq!(by_flag.configuration, "windows/arm64 cgo=0 tags=x");
}

#[test]
fn a_value_that_go_does_not_know_is_reported_with_its_source_and_the_nearest() {
    assert_eq!(
        found("", &[("goos", "windws")]),
        Err("--goos: `windws` is not known to Go; nearest: windows".to_owned())
    );
    assert_eq!(
        found("[go]\ngoarch = \"amd46\"\n", &[]),
        Err("codeweft.toml: [go] goarch: `amd46` is not known to Go; nearest: amd64".to_owned())
    );
    assert_eq!(
        found("[workspace]\nlanguages = [\"golang\"]\n", &[]),
        Err("codeweft.toml: [workspace] languages: `golang` is not known; nearest: go".to_owned())
    );
}

#[test]
fn folders_of_the_file_are_relative_to_the_root() {
    let file = r#"[go]
goroot = "sdk/go"
[python]
interpreter = "/opt/py"
roots = ["a", "b"]
[serve]
idle_exit = "2h"
"#;
    let settings = found(file, &[]).expect("right");
    assert!(settings.values["goroot"].ends_with("/sdk/go"));
    assert!(settings.values["goroot"].starts_with('/'));
    assert_eq!(settings.values["python"], "/opt/py");
    assert_eq!(settings.values["roots"], "a,b");
    assert_eq!(settings.idle_exit, Some(Duration::from_secs(7200)));
}

#[test]
fn the_store_is_below_the_root_and_ends_with_db() {
    let store = |file: &str| {
        let none = BTreeMap::new();
        let settings = Settings::of_text("/w", Some(file), &none, Some(&none)).expect("right");
        let path = settings.store("/w").map_err(|error| error.to_string());
        path.map(|path| path.map(|path| path.display().to_string()))
    };
    assert_eq!(store(""), Ok(Some("/w/.codeweft/graph.db".to_owned())));
    assert_eq!(store("[store]\nenabled = false\n"), Ok(None));
    let own = "[store]\nenabled = true\npath = \"build/code.db\"\n";
    assert_eq!(store(own), Ok(Some("/w/build/code.db".to_owned())));
    for wrong in ["../code.db", "main.go", "/etc/code.db"] {
        let error = store(&format!("[store]\npath = \"{wrong}\"\n"));
        let words =
            "codeweft.toml: [store] path: takes a file below the root whose name ends with .db";
        assert_eq!(error, Err(words.to_owned()));
    }
}

#[test]
fn services_and_entities_are_tables_by_name_and_a_wrong_key_is_an_error_with_its_line() {
    let text = "[services.orders]\npaths = [\"orders\", \"lib\"]\ndomain = \"shop\"\n[entities.Order]\nowner = \"orders\"\n";
    let read = parse(text).expect("it is right");
    assert_eq!(
        read.values["services"],
        r#"{"orders":{"paths":["orders","lib"],"domain":"shop"}}"#
    );
    assert_eq!(read.values["entities"], r#"{"Order":{"owner":"orders"}}"#);
    assert_eq!(
        wrong("[services.a]\npath = \"x\"\n"),
        "codeweft.toml:2: [services.a] no key `path` is known; nearest: paths"
    );
    assert_eq!(
        wrong("[services.a]\npaths = 1\n"),
        "codeweft.toml:2: [services.a] paths: takes a text or a list of texts"
    );
    assert_eq!(
        wrong("[services]\na = 1\n"),
        "codeweft.toml:2: [services] a: takes a table: [services.a]"
    );
}

#[test]
fn recognisers_are_kept_whole_with_their_lines() {
    let text = "[knowledge]\nasyncapi_v2 = \"client\"\n\n[[knowledge.recogniser]]\ncall = \"p.F\"\nroute = { path = 0, handler = \"1|h\" }\n\n[[knowledge.recogniser]]\ncall = \"p.G\"\n";
    let read = parse(text).expect("it is right");
    assert_eq!(
        read.values["recogniser"],
        r#"[{"line":5,"row":{"call":"p.F","route":{"path":0,"handler":"1|h"}}},{"line":9,"row":{"call":"p.G"}}]"#
    );
    assert_eq!(
        wrong("[knowledge]\nrecogniser = 1\n"),
        "codeweft.toml:2: [knowledge] recogniser: takes tables, each headed by its name in double brackets"
    );
}

#[test]
fn frameworks_of_python_are_kept_whole_with_their_lines() {
    let text = "[python]\nroots = [\"lib\"]\n\n[[python.framework]]\ncall = \"web.on\"\nfunction = [1, \"handler\"]\n";
    let read = parse(text).expect("it is right");
    assert_eq!(
        read.values["framework"],
        r#"[{"line":5,"row":{"call":"web.on","function":[1,"handler"]}}]"#
    );
}

#[test]
fn sections_with_a_key_of_the_same_name_do_not_share_its_value() {
    let read = parse("[store]\nenabled = true\n[knowledge]\nenabled = false\n").expect("right");
    assert_eq!(read.values["enabled"], "true");
    assert_eq!(read.values["knowledge_enabled"], "false");
}

#[test]
fn weights_of_retrieval_are_numbers_by_the_names_of_terms() {
    let read = parse("[retrieval]\ntoken_budget = 900\nweights = { recent = 0, len = -0.5 }\n");
    let read = read.expect("right");
    assert_eq!(read.values["retrieval_token_budget"], "900");
    assert_eq!(
        read.values["retrieval_weights"],
        r#"{"recent":0.0,"len":-0.5}"#
    );
    assert_eq!(
        wrong("[retrieval]\nweights = { recnt = 1.0 }\n"),
        "codeweft.toml:2: [retrieval] weights: no weight `recnt` is known; nearest: recent"
    );
}
