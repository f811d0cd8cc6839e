//! Libraries: the selected interpreter, its folders, and the loaded files.

use expect_test::expect;

use super::world::{check, check_settings, check_with};

/// Returns a standard library of four modules below a prefix.
fn installation(prefix: &str) -> String {
    [
        "os.py:import sys, stat",
        "site.py:",
        "stat.py:",
        "json/__init__.py:from .decoder import loads; from . import tool",
        "json/decoder.py:import re",
        "json/tool.py:",
        "json/scanner.py:",
    ]
    .map(|line| format!("{prefix}/lib/python3.11/{line}\n"))
    .concat()
}

#[test]
fn library_modules_are_loaded_when_they_are_imported_and_what_they_import_in_turn() {
    check_with(
        &format!("{}main.py:import json, os.path", installation("/usr")),
        &[("VIRTUAL_ENV", "/usr")],
        expect![[r#"
            main (main.py)
                0 json
                1 os.path absent
            json (/usr/lib/python3.11/json/__init__.py)
                0 json.decoder
                1 json.tool
            json.decoder (/usr/lib/python3.11/json/decoder.py)
                0 re absent
            json.tool (/usr/lib/python3.11/json/tool.py)
        "#]],
    );
}

#[test]
fn a_virtual_environment_names_its_library_and_has_packages_of_its_own() {
    check_with(
        &format!(
            "{}/usr/lib/python3.9/os.py:
             /usr/lib/python3.9/site.py:
             /usr/lib/python3.11/site-packages/old.py:
             /w/pyproject.toml:
             /w/.venv/pyvenv.cfg:home = /usr/bin;version = 3.11.7
             /w/.venv/lib/python3.11/site-packages/new/__init__.py:import stat, old
             /w/.venv/lib/python3.11/site-packages/new/inner.py:
             main.py:import new, old, unknown",
            installation("/usr")
        ),
        &[],
        expect![[r#"
            main (main.py)
                0 new
                1 old absent
                2 unknown absent
            stat (/usr/lib/python3.11/stat.py)
            new (/w/.venv/lib/python3.11/site-packages/new/__init__.py)
                0 stat
                1 old absent
        "#]],
    );
}

#[test]
fn a_program_on_the_path_is_located_by_its_link_and_a_shim_by_its_version() {
    check_with(
        &format!(
            "{}/home/.pyenv/version:3.11.7
             /home/.pyenv/shims/python3:#!/bin/sh
             main.py:import stat",
            installation("/home/.pyenv/versions/3.11.7")
        ),
        &[("PATH", "/none:/home/.pyenv/shims:/usr/bin")],
        expect![[r#"
            main (main.py)
                0 stat
            stat (/home/.pyenv/versions/3.11.7/lib/python3.11/stat.py)
        "#]],
    );
    check_with(
        &format!(
            "{}/opt/py/bin/python3:
             main.py:import stat",
            installation("/opt/py")
        ),
        &[("PATH", "/none:/opt/py/bin")],
        expect![[r#"
            main (main.py)
                0 stat
            stat (/opt/py/lib/python3.11/stat.py)
        "#]],
    );
}

#[test]
fn the_highest_of_several_versions_in_one_prefix_is_used() {
    check_with(
        "/p/lib/python3.9/os.py:
         /p/lib/python3.9/site.py:
         /p/lib/python3.14/os.py:
         /p/lib/python3.14/site.py:
         main.py:import os",
        &[("CONDA_PREFIX", "/p")],
        expect![[r#"
            main (main.py)
                0 os
            os (/p/lib/python3.14/os.py)
        "#]],
    );
}

#[test]
fn a_setting_that_names_no_interpreter_is_reported_and_not_replaced() {
    check_settings(
        &format!("{}main.py:import os", installation("/usr")),
        &[("python", "/nowhere")],
        expect![[r#"
            main (main.py)
                0 os absent
            /nowhere: the setting `python` names no interpreter or environment
        "#]],
    );
    check_settings(
        &format!(
            "{}/w/.venv/pyvenv.cfg:home = /usr/bin
             main.py:import stat",
            installation("/usr")
        ),
        &[("python", ".venv/bin/python3")],
        expect![[r#"
            main (main.py)
                0 stat
            stat (/usr/lib/python3.11/stat.py)
        "#]],
    );
}

#[test]
fn lines_of_pth_files_are_folders_and_mappings_of_editable_installs_are_read() {
    check_with(
        &format!(
            "{}/usr/lib/python3.11/site-packages/a.pth:# more;/x/src;import os; os.abort();./sub
             /usr/lib/python3.11/site-packages/sub/insub.py:
             /usr/lib/python3.11/site-packages/__editable___e_finder.py:MAPPING: dict[str, str] = {{'e': '/y/e'}}
             /x/src/inx.py:
             /y/e/__init__.py:
             /y/f.py:
             main.py:import inx, insub, e, f",
            installation("/usr")
        ),
        &[("VIRTUAL_ENV", "/usr")],
        expect![[r#"
            main (main.py)
                0 inx
                1 insub
                2 e
                3 f absent
            insub (/usr/lib/python3.11/site-packages/sub/insub.py)
            inx (/x/src/inx.py)
            e (/y/e/__init__.py)
        "#]],
    );
}

#[test]
fn a_name_of_the_workspace_hides_the_library_of_that_name() {
    check_with(
        &format!(
            "{}/usr/lib/python3.11/site-packages/app/__init__.py:
             /usr/lib/python3.11/site-packages/other.py:import app.here, stat
             stat.py:
             app/__init__.py:
             app/here.py:
             main.py:import stat, os, other, app.gone",
            installation("/usr")
        ),
        &[("VIRTUAL_ENV", "/usr")],
        expect![[r#"
            main (main.py)
                0 stat
                1 os
                2 other
                3 app.gone absent
            stat (stat.py)
            os (/usr/lib/python3.11/os.py)
                0 sys
                1 stat
            other (/usr/lib/python3.11/site-packages/other.py)
                0 app.here
                1 stat
            app (app/__init__.py)
            app.here (app/here.py)
        "#]],
    );
}

#[test]
fn a_library_package_wins_over_a_folder_without_init_and_its_id_has_its_folder() {
    check_with(
        &format!(
            "{}json/data.py:
             main.py:import json, json.data, json.decoder",
            installation("/usr")
        ),
        &[("VIRTUAL_ENV", "/usr")],
        expect![[r#"
            main (main.py)
                0 /usr/lib/python3.11/json
                1 json.data absent
                2 /usr/lib/python3.11/json.decoder
            /usr/lib/python3.11/json (/usr/lib/python3.11/json/__init__.py)
                0 /usr/lib/python3.11/json.decoder
                1 /usr/lib/python3.11/json.tool
            /usr/lib/python3.11/json.decoder (/usr/lib/python3.11/json/decoder.py)
                0 re absent
            /usr/lib/python3.11/json.tool (/usr/lib/python3.11/json/tool.py)
            json (-)
            json.data (json/data.py)
        "#]],
    );
}

#[test]
fn portions_of_a_namespace_package_are_searched_together() {
    check_with(
        &format!(
            "{}/usr/lib/python3.11/site-packages/ns/lib/__init__.py:from ns.deep import other
             /x/ns/deep/other.py:
             /usr/lib/python3.11/site-packages/x.pth:/x
             ns/own.py:
             main.py:import ns.own, ns.lib; from ns import own, lib",
            installation("/usr")
        ),
        &[("VIRTUAL_ENV", "/usr")],
        expect![[r#"
            main (main.py)
                0 ns.own
                1 ns.lib
                2 ns.own
                2 ns.lib
            ns (-)
            ns.own (ns/own.py)
            ns.deep (-)
            ns.deep.other (/x/ns/deep/other.py)
            ns.lib (/usr/lib/python3.11/site-packages/ns/lib/__init__.py)
                0 ns.deep.other
        "#]],
    );
}

#[test]
fn stub_packages_and_stubs_beside_type_the_modules_of_their_names() {
    check_with(
        &format!(
            "{}/usr/lib/python3.11/site-packages/req/__init__.py:
             /usr/lib/python3.11/site-packages/req/api.py:
             /usr/lib/python3.11/site-packages/req-stubs/__init__.pyi:
             /usr/lib/python3.11/site-packages/req-stubs/api.pyi:
             /usr/lib/python3.11/site-packages/fast.cpython-311-x86_64-linux-gnu.so:
             /usr/lib/python3.11/site-packages/fast.py:
             /usr/lib/python3.11/site-packages/fast.pyi:
             /usr/lib/python3.11/site-packages/only-stubs/__init__.pyi:
             own/__init__.py:
             own-stubs/__init__.pyi:
             main.py:import req.api, fast, only, own",
            installation("/usr")
        ),
        &[("VIRTUAL_ENV", "/usr")],
        expect![[r#"
            main (main.py)
                0 req.api
                1 fast
                2 only
                3 own
            fast (/usr/lib/python3.11/site-packages/fast.pyi)
            only (/usr/lib/python3.11/site-packages/only-stubs/__init__.pyi)
            own (own/__init__.py, own-stubs/__init__.pyi)
            req (/usr/lib/python3.11/site-packages/req/__init__.py, /usr/lib/python3.11/site-packages/req-stubs/__init__.pyi)
            req.api (/usr/lib/python3.11/site-packages/req/api.py, /usr/lib/python3.11/site-packages/req-stubs/api.pyi)
        "#]],
    );
}

#[test]
fn a_folder_of_stubs_alone_comes_before_installed_packages() {
    check_with(
        &format!(
            "{}/usr/lib/python3.11/site-packages/req.py:
             typings/req.pyi:
             main.py:import req",
            installation("/usr")
        ),
        &[("VIRTUAL_ENV", "/usr")],
        expect![[r#"
            main (main.py)
                0 typings/req
            typings/req (typings/req.pyi)
        "#]],
    );
}

#[test]
fn the_standard_library_as_the_workspace_is_not_loaded_twice() {
    check_with(
        "os.py:import sys, stat
         site.py:
         stat.py:
         encodings/__init__.py:import codecs
         /usr/lib/python3.11/os.py:
         /usr/lib/python3.11/site.py:
         /usr/lib/python3.11/codecs.py:
         main.py:import os",
        &[("VIRTUAL_ENV", "/usr")],
        expect![[r#"
            main (main.py)
                0 os
            os (os.py)
                0 sys
                1 stat
            site (site.py)
            stat (stat.py)
            encodings (encodings/__init__.py)
                0 codecs absent
        "#]],
    );
}

#[test]
fn a_workspace_that_is_an_installed_package_has_its_name() {
    check_with(
        &format!(
            "{}__init__.py:
             core/__init__.py:from w.core import x
             core/x.py:from .. import core; import stat",
            installation("/usr")
        ),
        &[("VIRTUAL_ENV", "/usr")],
        expect![[r#"
            stat (/usr/lib/python3.11/stat.py)
            w (__init__.py)
            w.core (core/__init__.py)
                0 w.core.x
            w.core.x (core/x.py)
                0 w.core
                1 stat
        "#]],
    );
}

#[test]
fn the_folder_of_a_test_is_on_its_path_after_the_library() {
    check_with(
        &format!(
            "{}tests/conftest.py:
             tests/stat.py:
             tests/test_a.py:import conftest, stat, sub.inner
             tests/sub/__init__.py:
             tests/sub/inner.py:import conftest, sub
             app/__init__.py:
             app/m.py:import conftest, inner
             app/inner.py:",
            installation("/usr")
        ),
        &[("VIRTUAL_ENV", "/usr")],
        expect![[r#"
            stat (/usr/lib/python3.11/stat.py)
            app (app/__init__.py)
            app.inner (app/inner.py)
            app.m (app/m.py)
                0 conftest absent
                1 inner absent
            tests (-)
            tests.conftest (tests/conftest.py)
            tests.stat (tests/stat.py)
            tests.test_a (tests/test_a.py)
                0 tests.conftest
                1 stat
                2 tests.sub.inner
            tests.sub (tests/sub/__init__.py)
            tests.sub.inner (tests/sub/inner.py)
                0 tests.conftest
                1 tests.sub
        "#]],
    );
}

#[test]
fn the_projects_own_files_name_its_roots() {
    check(
        "pyproject.toml:[tool.setuptools.packages.find];where = ['lib']
         lib/app/__init__.py:
         lib/app/m.py:import app
         src/other.py:
         main.py:import app.m, other, src.other",
        "",
        expect![[r#"
            main (main.py)
                0 lib/app.m
                1 other absent
                2 src.other
            lib/app (lib/app/__init__.py)
            lib/app.m (lib/app/m.py)
                0 lib/app
            src (-)
            src.other (src/other.py)
        "#]],
    );
}

#[test]
fn a_project_sees_its_own_roots_before_those_of_others() {
    check(
        "a/pyproject.toml:
         a/src/app/__init__.py:import config, extra
         a/config.py:
         b/pyproject.toml:
         b/config.py:
         b/extra.py:import config, app",
        "",
        expect![[r#"
            a/config (a/config.py)
            a/src/app (a/src/app/__init__.py)
                0 a/config
                1 b/extra
            b/config (b/config.py)
            b/extra (b/extra.py)
                0 b/config
                1 a/src/app
        "#]],
    );
}

#[test]
fn imports_of_every_form_and_past_the_top() {
    check(
        "a/__init__.py:
         a/b/__init__.py:
         a/b/c.py:import a.b.c as d; from a.b import c as e, f; from . import c; from .. import b; from ... import x; from .c import *
         top.py:from . import a; from .a import b; from .. import z",
        "",
        expect![[r#"
            top (top.py)
                0 a
                1 a.b
                2 .. absent
            a (a/__init__.py)
            a.b (a/b/__init__.py)
            a.b.c (a/b/c.py)
                0 a.b.c
                1 a.b.c
                1 a.b
                2 a.b.c
                3 a.b
                5 a.b.c
        "#]],
    );
}

#[test]
fn the_model_comes_before_the_standard_library_and_after_the_workspace() {
    check_with(
        &format!(
            "{}/usr/lib/python3.11/typing.py:
             /usr/lib/python3.11/posixpath.py:import os
             /usr/lib/python3.11/site-packages/future/__init__.py:import sys, time
             /usr/lib/python3.11/site-packages/builtins/__init__.py:
             time.py:import typing, sys
             main.py:import time, builtins, future, os.path; from os import path",
            installation("/usr")
        ),
        &[("VIRTUAL_ENV", "/usr")],
        expect![[r#"
            main (main.py)
                0 time
                1 builtins
                2 future
                3 posixpath
                4 posixpath
            time (time.py)
                0 typing
                1 sys
            os (/usr/lib/python3.11/os.py)
                0 sys
                1 stat
            posixpath (/usr/lib/python3.11/posixpath.py)
                0 os
            stat (/usr/lib/python3.11/stat.py)
            future (/usr/lib/python3.11/site-packages/future/__init__.py)
                0 sys
                1 <codeweft>/python/time
        "#]],
    );
}

#[test]
fn only_imports_that_run_with_a_library_file_are_followed() {
    check_with(
        &format!(
            "{}/usr/lib/python3.11/lazy.py:def f():;    import stat;if TYPE_CHECKING:;    import json
             main.py:import lazy
             other.py:def f():;    import site",
            installation("/usr")
        ),
        &[("VIRTUAL_ENV", "/usr")],
        expect![[r#"
            main (main.py)
                0 lazy
            other (other.py)
                0 site
            lazy (/usr/lib/python3.11/lazy.py)
                0 stat absent
                1 json absent
            site (/usr/lib/python3.11/site.py)
        "#]],
    );
}

#[test]
fn what_is_wrong_with_a_row_of_frameworks_is_noted_with_the_file_and_the_line() {
    check_settings(
        "a.py:",
        &[(
            "framework",
            r#"[{"line": 7, "row": {"decorator": "web.App.get", "kept": true}}]"#,
        )],
        expect![[r#"
            a (a.py)
            /w/codeweft.toml:7: [[python.framework]] unknown field `kept`, expected one of `decorator`, `call`, `function`, `makes`, `keeps`
        "#]],
    );
}
