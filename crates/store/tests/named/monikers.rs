//! Which symbols are called what.

use expect_test::expect;

use super::{GO, PYTHON, index};

/// Returns all symbols that documents declare, sorted.
fn declared(text: &str) -> String {
    let index = index(text);
    let documents = index.documents.iter();
    let mut symbols: Vec<&str> = documents
        .flat_map(|document| document.symbols.iter().map(|symbol| &*symbol.symbol))
        .collect();
    symbols.sort_unstable();
    symbols.join("\n")
}

/// Returns all symbols that only other repositories declare.
fn external(text: &str) -> String {
    let index = index(text);
    let symbols = index.external_symbols.iter();
    let symbols: Vec<&str> = symbols.map(|symbol| &*symbol.symbol).collect();
    symbols.join("\n")
}

#[test]
fn a_go_symbol_is_its_import_path_and_scip_gos_suffixes_in_the_module_that_has_it() {
    expect![[r#"
        scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/
        scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/Framed#
        scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/Framed#Name.
        scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/Framed#Square.
        scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/Shape#
        scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/Shape#Area.
        scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/Square#
        scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/Square#Area().
        scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/Square#Side.
        scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/`Größe`.
        scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/init().
        scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/init(+1).
        scip-go gomod example.com/app v9.8.7 `example.com/app`/
        scip-go gomod example.com/app v9.8.7 `example.com/app`/TestMain().
        scip-go gomod example.com/app v9.8.7 `example.com/app`/main().
        scip-go gomod example.com/app v9.8.7 `example.com/app`/total."#]]
    .assert_eq(&declared(GO));
}

#[test]
fn a_go_module_without_source_is_the_longest_that_is_required() {
    expect![[r#"
        scip-go gomod example.com/lib v1.2.0 `example.com/lib`/
        scip-go gomod example.com/lib v1.2.0 `example.com/lib`/Options#
        scip-go gomod example.com/lib v1.2.0 `example.com/lib`/Run().
        scip-go gomod example.com/lib/deep abcdefabcdef `example.com/lib/deep/nested`/
        scip-go gomod example.com/lib/deep abcdefabcdef `example.com/lib/deep/nested`/Limit.
        scip-go gomod github.com/golang/go/src go1.26.0 io/
        scip-go gomod github.com/golang/go/src go1.26.0 io/Writer#
        scip-go gomod github.com/golang/go/src go1.26.0 testing/
        scip-go gomod github.com/golang/go/src go1.26.0 testing/T#
        scip-go gomod gone.example/pkg . `gone.example/pkg`/
        scip-go gomod gone.example/pkg . `gone.example/pkg`/Call()."#]]
    .assert_eq(&external(GO));
}

#[test]
fn a_python_symbol_is_its_module_in_the_normalised_distribution() {
    expect![[r#"
        scip-python python my-app 2.1 `app.base`/Job#
        scip-python python my-app 2.1 `app.base`/Job#limit.
        scip-python python my-app 2.1 `app.base`/Job#run().
        scip-python python my-app 2.1 `app.base`/Mail#
        scip-python python my-app 2.1 `app.base`/Mail#run().
        scip-python python my-app 2.1 `app.base`/__init__:
        scip-python python my-app 2.1 `app.base`/run().
        scip-python python my-app 2.1 `app.main`/__init__:
        scip-python python my-app 2.1 `app.main`/server.
        scip-python python my-app 2.1 `app.more`/__init__:
        scip-python python my-app 2.1 `app.more`/_hidden().
        scip-python python my-app 2.1 `app.more`/more().
        scip-python python my-app 2.1 app/__init__:"#]]
    .assert_eq(&declared(PYTHON));
}

#[test]
fn a_python_name_without_source_is_its_dotted_name() {
    expect![[r#"
        scip-python python flask . flask/Flask.
        scip-python python flask . flask/__init__:
        scip-python python python-stdlib . builtins/int#
        scip-python python python-stdlib . builtins/object#__hash__().
        scip-python python python-stdlib . typing/Hashable#
        scip-python python python-stdlib . typing/Hashable#__hash__().
        scip-python python requests . `requests.sessions.Session`/send.
        scip-python python requests . `requests.sessions`/Session.
        scip-python python requests . requests/__init__:
        scip-python python requests . requests/get.
        scip-python python requests . requests/sessions.
        scip-python python yaml . `yaml.loader`/Loader.
        scip-python python yaml . `yaml.loader`/__init__:
        scip-python python yaml . yaml/__init__:"#]]
    .assert_eq(&external(PYTHON));
}

#[test]
fn installed_distributions_are_found_by_their_metadata() {
    let text = r#"
//- pyproject.toml
[tool.codeweft]
//- .venv/pyvenv.cfg
home = /nowhere
//- .venv/lib/python3.12/site-packages/PyYAML-6.0.2.dist-info/METADATA
Metadata-Version: 2.1
Name: PyYAML
Version: 6.0.2

Name: of the description
//- .venv/lib/python3.12/site-packages/PyYAML-6.0.2.dist-info/top_level.txt
_yaml
yaml
//- .venv/lib/python3.12/site-packages/yaml/__init__.py
def load(text): ...
//- .venv/lib/python3.12/site-packages/six-1.0.dist-info/METADATA
Name: six
Version: 1.0
//- .venv/lib/python3.12/site-packages/six-1.0.dist-info/RECORD
six.py,sha256=x,1
six-1.0.dist-info/METADATA,,
//- .venv/lib/python3.12/site-packages/six.py
def b(text): ...
//- app.py
import six
import yaml

yaml.load(six.b("x"))
"#;
    expect![[r#"
        scip-python python pyyaml 6.0.2 yaml/__init__:
        scip-python python pyyaml 6.0.2 yaml/load().
        scip-python python six 1.0 six/__init__:
        scip-python python six 1.0 six/b()."#]]
    .assert_eq(&external(text));
}

#[test]
fn a_vendored_package_belongs_to_the_module_that_is_required() {
    let text = r#"
//- go.mod
module example.com/app

go 1.26

require example.com/Vendored/lib v1.5.0
//- vendor/modules.txt
# example.com/Vendored/lib v1.5.0
## explicit
example.com/Vendored/lib/sub
//- vendor/example.com/Vendored/lib/sub/a.go
package sub

func F() {}
//- main.go
package main

import "example.com/Vendored/lib/sub"

func main() { sub.F() }
"#;
    expect![[r#"
        scip-go gomod example.com/Vendored/lib v1.5.0 `example.com/Vendored/lib/sub`/
        scip-go gomod example.com/Vendored/lib v1.5.0 `example.com/Vendored/lib/sub`/F().
        scip-go gomod example.com/app v9.8.7 `example.com/app`/
        scip-go gomod example.com/app v9.8.7 `example.com/app`/main()."#]]
    .assert_eq(&declared(text));
}
