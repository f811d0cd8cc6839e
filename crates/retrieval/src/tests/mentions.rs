use super::{ask, index, paths};
use crate::query::ReadQuery;

const SERVER: &str = "\
== src/app/main.py src/app/route.py
def main(): serve(route)
== src/app/route.py src/app/store.py
def route(request): return load(request)
== src/app/store.py
def load(key): return key
== src/other/store.py
def load(key): return key
== src/app/request.py
def request(): request(request(request()))
== src/app/serve.py
def serve(request): request()
";

#[test]
fn the_innermost_frame_of_the_workspace_beats_outer_ones() {
    let text = "It breaks\nTraceback (most recent call last):\n  File \"/home/me/src/app/main.py\", line 1, in main\n  File \"/home/me/src/app/route.py\", line 1, in route\n  File \"/home/me/src/app/store.py\", line 1, in load\n  File \"/usr/lib/python3/dist-packages/requests/api.py\", line 3, in get\n";
    let ranking = ask(&index(SERVER), text);
    let part = |path: &str| {
        let file = ranking.files.iter().find(|file| &*file.path == path);
        let parts = file.map_or(&[][..], |file| file.parts.as_slice());
        parts
            .iter()
            .find(|(name, _)| *name == "tb_last")
            .map(|&(_, part)| part)
    };
    assert_eq!(part("src/app/store.py"), Some(0.7));
    assert_eq!(part("src/app/route.py"), Some(0.35));
    assert_eq!(part("src/other/store.py"), Some(0.0));
    let same = "def same(): pass\n";
    let equals = index(&format!(
        "== a/one.py\n{same}== a/two.py\n{same}== a/three.py\n{same}"
    ));
    let text = "x\n File \"/s/a/one.py\", line 1\n File \"/s/a/two.py\", line 1\n File \"/s/a/three.py\", line 1\n";
    let ranking = ask(&equals, text);
    assert_eq!(
        paths(&ranking.files),
        ["a/three.py", "a/two.py", "a/one.py"]
    );
}

#[test]
fn stacks_of_go_begin_with_the_innermost_frame() {
    let workspace = index(
        "\
== cmd/run.go
package main
func run() {}
== lib/parse.go
package lib
func parse() {}
== net/http/server.go
package http
func serve() {}
",
    );
    let text = "panic\ngoroutine 1 [running]:\nx/lib.parse()\n\t/home/me/x/lib/parse.go:12 +0x1d\nmain.run()\n\t/home/me/x/cmd/run.go:3\n\t/usr/local/go/src/net/http/server.go:9\n";
    let ranking = ask(&workspace, text);
    let part = |path: &str| {
        let file = ranking.files.iter().find(|file| &*file.path == path);
        let parts = file.map_or(&[][..], |file| file.parts.as_slice());
        parts
            .iter()
            .find(|(name, _)| *name == "tb_last")
            .map(|&(_, part)| part)
    };
    assert_eq!(part("lib/parse.go"), Some(0.7));
    assert_eq!(part("cmd/run.go"), Some(0.35));
    assert_eq!(part("net/http/server.go"), Some(0.0));
}

#[test]
fn a_path_of_the_query_is_among_the_first_three() {
    let workspace = index(SERVER);
    for named in [
        "src/app/serve.py",
        "see https://example.org/o/r/blob/main/src/app/serve.py#L3",
        "src\\app\\serve.py",
    ] {
        let ranking = ask(
            &workspace,
            &format!("load of the store key by route\n{named}"),
        );
        let ranked = paths(&ranking.files);
        assert!(
            ranked[..3].contains(&"src/app/serve.py"),
            "{named}: {ranked:?}"
        );
    }
}

#[test]
fn a_path_that_several_files_may_be_counts_less_for_each() {
    let ranking = ask(&index(SERVER), "x\nstore.py and app/route.py");
    let part = |path: &str, name: &str| {
        let file = ranking.files.iter().find(|file| &*file.path == path);
        let parts = file.map_or(&[][..], |file| file.parts.as_slice());
        parts
            .iter()
            .find(|(own, _)| *own == name)
            .map(|&(_, part)| part)
    };
    // Two files have the name alone, one the name with its folder.
    assert_eq!(part("src/app/store.py", "path_full"), Some(0.0));
    assert_eq!(part("src/app/route.py", "path_full"), Some(0.4));
    assert_eq!(part("src/app/route.py", "path_share"), Some(0.45));
}

#[test]
fn names_of_code_are_those_in_code_form() {
    let query = ReadQuery::of(
        "Title\nCall `one two` then three() or four_five, sixSeven, a.eight.nine, Plain word. Version 1.2",
    );
    assert_eq!(
        query.names,
        [
            "one",
            "two",
            "three",
            "four_five",
            "sixSeven",
            "eight",
            "nine"
        ]
    );
}

#[test]
fn frames_of_libraries_count_only_as_whole_paths() {
    let query = ReadQuery::of(
        "x\n File \"/v/lib/site-packages/requests/api.py\", line 3, in get\n File \"/v/lib/site-packages/app/store.py\", line 3, in load\n",
    );
    let ranking = ask(
        &index("== api.py\ndef get(): pass\n== src/app/store.py\ndef load(): pass\n"),
        "x\n File \"/v/lib/site-packages/requests/api.py\", line 3, in get\n",
    );
    assert_eq!(query.stacks.len(), 1);
    let parts = &ranking
        .files
        .iter()
        .find(|file| &*file.path == "api.py")
        .expect("it is ranked")
        .parts;
    assert!(parts.contains(&("tb_last", 0.0)), "{parts:?}");
}
