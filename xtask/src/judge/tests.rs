//! Tests of the Go judge and of the scores.

use super::*;

fn have(program: &str) -> bool {
    Command::new(program).arg("version").output().is_ok()
}

/// Returns a module of one file, in a folder of its own.
fn module_of(name: &str, text: &str) -> PathBuf {
    let folder = place::work().unwrap().join("tests").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("go.mod"), "module example.com/m\n\ngo 1.23\n").unwrap();
    std::fs::write(folder.join("m.go"), text).unwrap();
    folder
}

/// Adds a file to a module, and the folder that it lies in.
fn add_file(module: &Path, path: &str, text: &str) {
    let file = module.join(path);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
}

/// Returns a module of three types.
fn module(name: &str) -> PathBuf {
    module_of(
        name,
        "package m\n\ntype I interface{ M() }\n\ntype T struct{ n int }\n\nfunc (t *T) M() { t.n++ }\n\n\
         func Call(i I) { i.M(); (&T{n: 1}).M() }\n\nvar _ = run()\n\nfunc run() int { Call(&T{}); return 0 }\n",
    )
}

#[test]
fn the_judge_pairs_types_with_generic_interfaces_that_they_satisfy_for_some_arguments() {
    if !have("go") {
        eprintln!("skipped: no Go toolchain");
        return;
    }
    let folder = module_of(
        "unifies",
        "package m\n\ntype Store[K comparable, V any] interface { Get(K) V; Put(K, V) }\n\n\
         type Fits struct{}\n\nfunc (*Fits) Get(string) int { return 0 }\n\nfunc (*Fits) Put(string, int) {}\n\n\
         type Two struct{}\n\nfunc (Two) Get(string) int { return 0 }\n\nfunc (Two) Put(string, bool) {}\n\n\
         type Slices struct{}\n\nfunc (Slices) Get([]int) int { return 0 }\n\nfunc (Slices) Put([]int, int) {}\n\n\
         type Map[A any] struct{}\n\nfunc (Map[A]) Get(int) []A { return nil }\n\nfunc (Map[A]) Put(int, []A) {}\n",
    );
    let verdict = verdict(&folder, &["./..."], &[]).unwrap();
    let mut said = Vec::new();
    records(&verdict, |record| {
        if record.k == "impl" {
            said.push(format!(
                "{} {} {}",
                record.type_id, record.iface, record.ptr
            ));
        }
    })
    .unwrap();
    said.sort();
    assert_eq!(
        said,
        [
            "example.com/m.Fits example.com/m.Store true",
            "example.com/m.Map example.com/m.Store false",
        ]
    );
}

/// Returns the pairs of types and of methods in a verdict, the latter with what they hold for.
fn pairs(verdict: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(verdict).unwrap();
    let records = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut said: Vec<String> = records
        .filter_map(|record| {
            let word = |field: &str| record[field].as_str().unwrap_or_default().to_owned();
            let flag = |field: &str| {
                if record[field] == true {
                    format!(" {field}")
                } else {
                    String::new()
                }
            };
            match record["k"].as_str() {
                Some("impl") => Some(format!("{} {}", word("type"), word("iface"))),
                Some("implm") => Some(format!(
                    "{} {}{}{}",
                    word("method_def"),
                    word("imethod_def"),
                    flag("literal"),
                    flag("some")
                )),
                _ => None,
            }
        })
        .collect();
    said.sort();
    said
}

#[test]
fn a_type_implements_an_interface_that_a_test_file_of_another_package_declares() {
    if !have("go") {
        eprintln!("skipped: no Go toolchain");
        return;
    }
    let folder = module_of(
        "variants",
        "package m\n\ntype Key struct{}\n\ntype Box[T any] struct{}\n",
    );
    add_file(
        &folder,
        "m_test.go",
        "package m\n\ntype reader interface { Read(Box[*Key]) (*Key, error) }\n\n\
         type fake struct{}\n\nfunc (fake) Close() *Key { return nil }\n",
    );
    add_file(
        &folder,
        "other/other.go",
        "package other\n\nimport \"example.com/m\"\n\ntype Key struct{}\n\n\
         type Fits struct{}\n\nfunc (*Fits) Read(m.Box[*m.Key]) (*m.Key, error) { return nil, nil }\n\n\
         type Not struct{}\n\nfunc (Not) Read(m.Box[*m.Key]) (*Key, error) { return nil, nil }\n\n\
         type Nor struct{}\n\nfunc (Nor) Read(m.Box[*Key]) (*m.Key, error) { return nil, nil }\n\n\
         type closer interface { Close() *m.Key }\n",
    );
    let verdict = verdict(&folder, &["./..."], &["-tests"]).unwrap();
    assert_eq!(
        pairs(&verdict),
        [
            "example.com/m.fake example.com/m/other.closer",
            "example.com/m/other.Fits example.com/m.reader",
            "m_test.go:7:13 other/other.go:19:25",
            "other/other.go:9:14 m_test.go:3:25",
        ]
    );
}

#[test]
fn an_interface_literal_requires_unexported_methods_of_its_own_package() {
    if !have("go") {
        eprintln!("skipped: no Go toolchain");
        return;
    }
    let folder = module_of(
        "literals",
        "package m\n\ntype Fits struct{}\n\nfunc (Fits) byValue() {}\n\n\
         func Register(s any) {\n\tif t, ok := s.(interface{ byValue() }); ok {\n\t\tt.byValue()\n\t}\n}\n",
    );
    add_file(
        &folder,
        "other/other.go",
        "package other\n\ntype Not struct{}\n\nfunc (Not) byValue() {}\n",
    );
    let verdict = verdict(&folder, &["./..."], &[]).unwrap();
    assert_eq!(pairs(&verdict), ["m.go:5:13 m.go:8:28 literal"]);
}

#[test]
fn methods_of_generic_types_are_paired_for_some_arguments() {
    if !have("go") {
        eprintln!("skipped: no Go toolchain");
        return;
    }
    let folder = module_of(
        "some",
        "package m\n\ntype ints interface { get() int; put(int) }\n\n\
         type Fits[T any] struct{}\n\nfunc (f Fits[T]) get() (t T) { return }\n\nfunc (*Fits[T]) put(T) {}\n\n\
         type Two[T, U any] struct{}\n\nfunc (Two[T, U]) get() (t T) { return }\n\nfunc (Two[T, U]) put(U) {}\n\n\
         type Not[T any] struct{}\n\nfunc (Not[T]) get() (t T) { return }\n\nfunc (Not[T]) put([]T) {}\n\n\
         type Nor[T ~string] struct{}\n\nfunc (Nor[T]) get() (t T) { return }\n\nfunc (Nor[T]) put(T) {}\n",
    );
    let verdict = verdict(&folder, &["./..."], &[]).unwrap();
    assert_eq!(
        pairs(&verdict),
        [
            "m.go:13:18 m.go:3:23 some",
            "m.go:15:18 m.go:3:34 some",
            "m.go:7:18 m.go:3:23 some",
            "m.go:9:17 m.go:3:34 some",
        ]
    );
}

#[test]
fn packages_whose_imports_are_not_there_are_not_judged() {
    if !have("go") {
        eprintln!("skipped: no Go toolchain");
        return;
    }
    let folder = module_of(
        "absent",
        "package m\n\nimport \"example.com/absent\"\n\nvar _ = absent.V\n",
    );
    std::fs::write(
        folder.join("go.mod"),
        "module example.com/m\n\ngo 1.23\n\nrequire example.com/absent v1.0.0\n",
    )
    .unwrap();
    let error = verdict(&folder, &["./..."], &[]).unwrap_err();
    let said = format!("{error:#}");
    assert!(said.contains("not all packages can be loaded"), "{said}");
    assert!(said.contains("example.com/absent"), "{said}");
}

#[test]
fn the_judge_says_what_calls_implement_and_mean() {
    if !have("go") {
        eprintln!("skipped: no Go toolchain");
        return;
    }
    let folder = module("says");
    let verdict = verdict(&folder, &["./..."], &["-uses"]).unwrap();
    let mut said = Vec::new();
    records(&verdict, |record| match record.k.as_str() {
        "call" => said.push(format!(
            "{} {} {}",
            record.caller, record.kind, record.callee
        )),
        "impl" => said.push(format!(
            "{} {} {}",
            record.type_id, record.iface, record.ptr
        )),
        _ => {}
    })
    .unwrap();
    assert_eq!(
        said,
        [
            "example.com/m.T example.com/m.I true",
            "example.com/m.Call interface (example.com/m.I).M",
            "example.com/m.Call static (*example.com/m.T).M",
            "example.com/m.<vars> static example.com/m.run",
            "example.com/m.run static example.com/m.Call",
        ]
    );
    let text = std::fs::read_to_string(&verdict).unwrap();
    let uses: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|record: &Value| record["k"] == "use" && record["name"] == "n")
        .collect();
    let kinds: Vec<_> = uses
        .iter()
        .map(|one| (one["kind"].as_str().unwrap(), one["def"].as_str().unwrap()))
        .collect();
    assert_eq!(kinds, [("field", "m.go:5:16"); 3]);
    assert_eq!(uses.iter().filter(|one| one["decl"] == true).count(), 1);
}

#[test]
fn a_score_counts_what_is_right_missing_and_wrong() {
    if !have("go") || !have("python3") {
        eprintln!("skipped: no Go toolchain, or no Python");
        return;
    }
    let folder = module("score");
    let verdict = verdict(&folder, &["./..."], &[]).unwrap();
    let node = |id: &str, kind: &str, line: u32, column: u32| json!({"id": id, "kind": kind, "file": "m.go", "name_line": line, "name_column": column});
    let call = |from: &str, to: &str, line: u32, column: u32| {
        json!({"from": from, "to": to, "type": "calls", "resolution": "exact",
            "location": {"file": "m.go", "line": line, "column": column}})
    };
    // One call found, one with the wrong target, one with the wrong caller, one missing.
    let export = json!({
        "nodes": [node("m", "package", 1, 9), node("m.I", "interface", 3, 6),
            node("m.I.M", "method", 3, 19), node("m.T", "struct", 5, 6),
            node("m.T.M", "method", 7, 13), node("m.Call", "function", 9, 6),
            node("m.run", "function", 13, 6)],
        "edges": [call("m.Call", "m.I.M", 9, 20), call("m.Call", "m.I.M", 9, 36),
            call("m.run", "m.run", 11, 9),
            json!({"from": "m.T", "to": "m.I", "type": "implements", "receiver": "pointer"}),
            json!({"from": "m.T.M", "to": "m.I.M", "type": "implements"}),
            json!({"from": "m.run", "to": "m.I.M", "type": "implements"})],
    });
    let file = folder.join("export.json");
    std::fs::write(&file, export.to_string()).unwrap();
    let score = scored("score.py", &file, &verdict, 0).unwrap();
    assert_eq!(score.counts("recall interface"), "1 of 1");
    assert_eq!(score.counts("recall static"), "1 of 3");
    assert_eq!(score.counts("precision exact"), "2 of 3");
    assert_eq!(score.counts("caller of the call"), "1 of 2");
    assert_eq!(score.counts("recall implements"), "1 of 1");
    assert_eq!(score.counts("precision implements"), "1 of 1");
    assert_eq!(score.counts("recall implements, methods"), "1 of 1");
    assert_eq!(score.counts("precision implements, methods"), "1 of 2");
}

#[test]
fn references_are_scored_by_use_and_definition() {
    if !have("go") || !have("python3") {
        eprintln!("skipped: no Go toolchain, or no Python");
        return;
    }
    let folder = module("references");
    let text = "package m\n\ntype T struct{ n int }\n\nfunc (t *T) M() { t.n++ }\n\n\
                func f() {\n\tone := struct{ n int }{n: 1}\n\t(&T{n: one.n}).M()\n}\n";
    std::fs::write(folder.join("m.go"), text).unwrap();
    let verdict = verdict(&folder, &["./..."], &["-uses"]).unwrap();
    let locals = crate::locals::sample(&verdict, 100).unwrap();
    let mut of_one: Vec<&str> = locals
        .iter()
        .filter(|local| local.declared == "m.go:8:17" || local.name == "one")
        .map(|local| local.at.as_str())
        .collect();
    of_one.sort_unstable();
    let expected = [
        "m.go:8:17",
        "m.go:8:2",
        "m.go:8:25",
        "m.go:9:13",
        "m.go:9:9",
    ];
    assert_eq!(of_one, expected);

    let node = |id: &str, line: u32, column: u32| {
        json!({"id": id, "kind": "type", "file": "m.go",
        "name_line": line, "name_column": column})
    };
    let edge = |edge_type: &str, to: &str, line: u32, column: u32| {
        json!({"from": "m", "to": to, "type": edge_type, "resolution": "exact",
            "location": {"file": "m.go", "line": line, "column": column}})
    };
    // All references: the receiver's type, the field twice, the literal's type, the call.
    let all = [
        edge("references", "m.T", 5, 10),
        edge("references", "m.T.n", 5, 21),
        edge("references", "m.T", 9, 4),
        edge("references", "m.T.n", 9, 6),
        edge("calls", "m.T.M", 9, 17),
    ];
    let nodes = [
        node("m.T", 3, 6),
        node("m.T.n", 3, 16),
        node("m.T.M", 5, 13),
        node("m.f", 7, 6),
    ];
    let file = folder.join("export.json");
    let score = |edges: &[Value], name: &str| {
        std::fs::write(&file, json!({"nodes": nodes, "edges": edges}).to_string()).unwrap();
        let score = scored("score.py", &file, &verdict, 0).unwrap();
        score.counts(&format!("references {name}"))
    };
    assert_eq!(score(&all, "recall"), "5 of 5");
    assert_eq!(score(&all, "precision"), "5 of 5");
    for at in 0..all.len() {
        let mut less = all.to_vec();
        let gone = less.remove(at);
        assert_eq!(score(&less, "recall"), "4 of 5", "without {gone}");
        assert_eq!(score(&less, "precision"), "4 of 4", "without {gone}");
        let mut turned = all.to_vec();
        turned[at]["to"] = json!("m.f");
        assert_eq!(score(&turned, "recall"), "4 of 5", "instead of {gone}");
        assert_eq!(score(&turned, "precision"), "4 of 5", "instead of {gone}");
    }
    // A local variable has no edge: one to it is wrong, and so is one where nothing is used.
    for (line, column) in [(8, 25), (1, 1)] {
        let mut more = all.to_vec();
        more.push(edge("references", "m.T.n", line, column));
        assert_eq!(score(&more, "recall"), "5 of 5");
        assert_eq!(score(&more, "precision"), "5 of 6");
    }
}

/// A command in a module: dispatch, promotion, values, literals, type parameters.
#[test]
fn call_graphs_are_contracted_to_declarations() {
    if !have("go") || !have("python3") {
        eprintln!("skipped: no Go toolchain, or no Python");
        return;
    }
    let Ok(_) = Program::CallGraph.build() else {
        eprintln!("skipped: golang.org/x/tools is not to be had");
        return;
    };
    let folder = module("callgraph");
    let text = "package main\n\ntype I interface{ M() }\n\ntype T struct{}\n\nfunc (t *T) M() {}\n\n\
                type E struct{ *T }\n\ntype Unused struct{}\n\nfunc (Unused) M() {}\n\n\
                func call(i I, f func()) { i.M(); f() }\n\nfunc f() {}\n\n\
                func of[X I](x X) { x.M() }\n\n\
                func main() {\n\tcall(E{}, f)\n\tcall(E{}, func() {})\n\tcall(E{}, (&T{}).M)\n\tof(&T{})\n}\n";
    std::fs::write(folder.join("m.go"), text).unwrap();
    let verdict = Program::CallGraph
        .verdict(&folder, &["."], &[], None)
        .unwrap();
    let mut said = Vec::new();
    records(&verdict, |record| {
        if record.k == "site" && !record.at.starts_with('/') && record.kind != "static" {
            let targets = record.targets.iter();
            let targets: Vec<String> = targets
                .map(|one| format!("{}{}", if one.literal { "in " } else { "" }, one.def))
                .collect();
            said.push(format!(
                "{} {}: {}",
                record.at,
                record.kind,
                targets.join(", ")
            ));
        }
    })
    .unwrap();
    assert_eq!(
        said,
        [
            "m.go:15:30 interface: m.go:7:13",
            "m.go:15:35 value: m.go:17:6, in m.go:21:6, m.go:7:13",
            "m.go:19:23 typeparam: m.go:7:13",
        ]
    );

    let node = |id: &str, kind: &str, line: u32, column: u32| json!({"id": id, "kind": kind, "file": "m.go", "name_line": line, "name_column": column});
    let nodes = [
        node("m.T.M", "method", 7, 13),
        node("m.Unused.M", "method", 13, 15),
        node("m.f", "function", 17, 6),
        node("m.main", "function", 21, 6),
    ];
    let call = |to: &str, column: u32, resolution: &str| {
        json!({"from": "m.call", "to": to, "type": "calls", "resolution": resolution,
            "location": {"file": "m.go", "line": 15, "column": column}})
    };
    let edges = [
        call("m.T.M", 30, "dispatch"),
        call("m.Unused.M", 30, "dispatch"),
        call("m.f", 35, "value"),
        call("m.main", 35, "value"),
        call("m.Unused.M", 35, "value"),
    ];
    let file = folder.join("export.json");
    std::fs::write(&file, json!({"nodes": nodes, "edges": edges}).to_string()).unwrap();
    let score = scored("dispatch.py", &file, &verdict, 0).unwrap();
    let counts = |row: &str| score.counts(row);
    assert_eq!(counts("recall dispatch"), "1 of 1");
    assert_eq!(counts("size dispatch"), "2 of 1");
    assert_eq!(counts("recall type parameters"), "0 of 1");
    assert_eq!(counts("recall values"), "1 of 2");
    assert_eq!(counts("size values"), "2 of 2");
    assert_eq!(counts("recall literals"), "1 of 1");
    assert_eq!(counts("recall either"), "2 of 3");
    assert_eq!(counts("size either"), "3 of 3");
}
