//! Uses of packages without source.

use expect_test::expect;

use super::{GO, PYTHON, index, occurrences};

#[test]
fn a_qualified_name_of_a_package_without_source_is_an_occurrence() {
    let index = index(GO);
    let all = occurrences(&index, "main.go").into_iter();
    let absent = all.filter(|line| line.contains("lib") || line.contains("gone"));
    expect![[r#"
        7:2-17 import scip-go gomod example.com/lib v1.2.0 `example.com/lib`/
        8:2-29 import scip-go gomod example.com/lib/deep abcdefabcdef `example.com/lib/deep/nested`/
        9:2-18 import scip-go gomod gone.example/pkg . `gone.example/pkg`/
        18:1-4 read scip-go gomod example.com/lib v1.2.0 `example.com/lib`/
        18:5-8 read scip-go gomod example.com/lib v1.2.0 `example.com/lib`/Run().
        18:9-12 read scip-go gomod example.com/lib v1.2.0 `example.com/lib`/
        18:13-20 read scip-go gomod example.com/lib v1.2.0 `example.com/lib`/Options#
        18:24-30 read scip-go gomod example.com/lib/deep abcdefabcdef `example.com/lib/deep/nested`/
        18:31-36 read scip-go gomod example.com/lib/deep abcdefabcdef `example.com/lib/deep/nested`/Limit.
        19:1-4 read scip-go gomod gone.example/pkg . `gone.example/pkg`/
        19:5-9 read scip-go gomod gone.example/pkg . `gone.example/pkg`/Call().
        20:1-4 read scip-go gomod example.com/lib v1.2.0 `example.com/lib`/
        20:5-8 read scip-go gomod example.com/lib v1.2.0 `example.com/lib`/Run()."#]].assert_eq(&absent.collect::<Vec<_>>().join("\n"));
}

#[test]
fn what_is_a_type_in_one_place_is_one_where_it_is_called() {
    let index = index(
        r#"
//- main.go
package main

import "gone.example/pkg"

var id = pkg.ID(3)

func f(id pkg.ID) { pkg.Do(id); _ = pkg.Limit }
"#,
    );
    let all = occurrences(&index, "main.go").into_iter();
    let absent = all.filter(|line| line.contains("pkg`/") && !line.ends_with('/'));
    expect![[r#"
        5:13-15 read scip-go gomod gone.example/pkg . `gone.example/pkg`/ID#
        7:14-16 read scip-go gomod gone.example/pkg . `gone.example/pkg`/ID#
        7:24-26 read scip-go gomod gone.example/pkg . `gone.example/pkg`/Do().
        7:40-45 read scip-go gomod gone.example/pkg . `gone.example/pkg`/Limit."#]]
    .assert_eq(&absent.collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_local_that_has_the_name_of_a_package_qualifies_nothing() {
    let index = index(
        r#"
//- main.go
package main

import "gone.example/pkg"

type T struct{ Do func() }

func f(pkg T) { pkg.Do() }

var x = pkg.Y
"#,
    );
    let all = occurrences(&index, "main.go").into_iter();
    let absent = all.filter(|line| line.contains("gone.example"));
    expect![[r#"
        3:8-24 import scip-go gomod gone.example/pkg . `gone.example/pkg`/
        9:8-11 read scip-go gomod gone.example/pkg . `gone.example/pkg`/
        9:12-13 read scip-go gomod gone.example/pkg . `gone.example/pkg`/Y."#]]
    .assert_eq(&absent.collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_python_module_without_source_is_used_by_name() {
    let index = index(PYTHON);
    expect![[r#"
        1:0-0 definition scip-python python my-app 2.1 `app.main`/__init__:
        1:7-15 import scip-python python requests . requests/__init__:
        2:7-18 import scip-python python yaml . `yaml.loader`/__init__:
        3:5-8 import scip-python python my-app 2.1 app/__init__:
        3:16-19 import scip-python python my-app 2.1 `app.base`/Job#
        4:5-10 import scip-python python flask . flask/__init__:
        4:18-23 import scip-python python flask . flask/Flask.
        6:0-6 definition scip-python python my-app 2.1 `app.main`/server.
        6:0-6 write scip-python python my-app 2.1 `app.main`/server.
        6:9-14 read scip-python python flask . flask/Flask.
        7:0-8 read scip-python python requests . requests/__init__:
        7:9-12 read scip-python python requests . requests/get.
        8:0-8 read scip-python python requests . requests/__init__:
        8:9-17 read scip-python python requests . requests/sessions.
        8:18-25 read scip-python python requests . `requests.sessions`/Session.
        8:26-30 read scip-python python requests . `requests.sessions.Session`/send.
        9:0-4 read scip-python python yaml . yaml/__init__:
        9:5-11 read scip-python python yaml . `yaml.loader`/__init__:
        9:12-18 read scip-python python yaml . `yaml.loader`/Loader.
        10:0-3 read scip-python python my-app 2.1 `app.base`/Job#
        10:6-9 read scip-python python my-app 2.1 `app.base`/Job#run()."#]]
    .assert_eq(&occurrences(&index, "app/main.py").join("\n"));
}
