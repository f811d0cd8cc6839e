//! Modules and imports of workspaces without libraries.

use expect_test::expect;

use super::world::check;

#[test]
fn a_module_is_named_by_its_dotted_path_in_its_root() {
    check(
        "main.py:import app.auth
         app/__init__.py:
         app/auth.py:import os.path, app
         app/api/__init__.py:
         app/api/v1.py:",
        "",
        expect![[r#"
            main (main.py)
                0 app.auth
            app (app/__init__.py)
            app.auth (app/auth.py)
                0 os.path absent
                1 app
            app.api (app/api/__init__.py)
            app.api.v1 (app/api/v1.py)
        "#]],
    );
}

#[test]
fn a_relative_import_counts_from_the_package() {
    check(
        "app/__init__.py:from . import a
         app/a.py:from . import b, c; from .sub import x; from .sub.m import y
         app/b.py:
         app/sub/__init__.py:from .. import b
         app/sub/m.py:from ... import z; from .... import z",
        "",
        expect![[r#"
            app (app/__init__.py)
                0 app.a
            app.a (app/a.py)
                0 app.b
                0 app
                1 app.sub
                2 app.sub.m
            app.b (app/b.py)
            app.sub (app/sub/__init__.py)
                0 app.b
            app.sub.m (app/sub/m.py)
                1 .... absent
        "#]],
    );
}

#[test]
fn names_of_a_from_import_are_submodules_if_they_exist() {
    check(
        "app/__init__.py:
         app/a.py:
         app/b.py:
         main.py:from app import a, b; from app import a, Thing; from app import *; from app.a import f
         out.py:from requests import get; from . import main",
        "",
        expect![[r#"
            main (main.py)
                0 app.a
                0 app.b
                1 app.a
                1 app
                2 app
                3 app.a
            out (out.py)
                0 requests absent
                1 main
            app (app/__init__.py)
            app.a (app/a.py)
            app.b (app/b.py)
        "#]],
    );
}

#[test]
fn a_folder_without_init_is_a_namespace_package() {
    check(
        "ns/x.py:import ns, ns.deep.y, ns.deep
         ns/deep/y.py:from ns import x",
        "",
        expect![[r#"
            ns (-)
            ns.x (ns/x.py)
                0 ns
                1 ns.deep.y
                2 ns.deep
            ns.deep (-)
            ns.deep.y (ns/deep/y.py)
                0 ns.x
        "#]],
    );
}

#[test]
fn the_src_folder_is_a_root_unless_it_is_a_package() {
    check(
        "pyproject.toml:
         src/app/__init__.py:
         src/app/a.py:import app.b
         src/app/b.py:
         tests/test_a.py:from app.a import f; import src.app.b",
        "",
        expect![[r#"
            app (src/app/__init__.py)
            app.a (src/app/a.py)
                0 app.b
            app.b (src/app/b.py)
            tests (-)
            tests.test_a (tests/test_a.py)
                0 app.a
                1 app.b
        "#]],
    );
    check(
        "src/__init__.py:
         src/a.py:import src.a",
        "",
        expect![[r#"
            src (src/__init__.py)
            src.a (src/a.py)
                0 src.a
        "#]],
    );
}

#[test]
fn names_of_a_project_below_the_root_are_prefixed_with_its_folder() {
    check(
        "services/a/pyproject.toml:
         services/a/app/__init__.py:
         services/a/app/main.py:import app.main, lib
         services/b/setup.py:
         services/b/src/app/main.py:import app.main
         services/b/src/lib.py:",
        "",
        expect![[r#"
            services/a/app (services/a/app/__init__.py)
            services/a/app.main (services/a/app/main.py)
                0 services/a/app.main
                1 services/b/src/lib
            services/b/setup (services/b/setup.py)
            services/b/src/lib (services/b/src/lib.py)
            services/b/src/app (-)
            services/b/src/app.main (services/b/src/app/main.py)
                0 services/b/src/app.main
        "#]],
    );
}

#[test]
fn settings_add_roots() {
    check(
        "code/python/app.py:import lib
         code/python/lib.py:",
        "./code/python/, nowhere",
        expect![[r#"
            code/python/app (code/python/app.py)
                0 code/python/lib
            code/python/lib (code/python/lib.py)
        "#]],
    );
}

#[test]
fn a_stub_beside_its_module_is_the_same_module() {
    check(
        "app/__init__.py:
         app/a.py:import app.b
         app/a.pyi:import app.c
         app/b.pyi:
         app/c.py:",
        "",
        expect![[r#"
            app (app/__init__.py)
            app.a (app/a.py, app/a.pyi)
                0 app.b
                0 app.c
            app.b (app/b.pyi)
            app.c (app/c.py)
        "#]],
    );
}

#[test]
fn equal_names_in_the_root_and_in_src_get_different_ids() {
    check(
        "app/x.py:import app.x
         conftest.py:
         src/app/x.py:import app.x
         src/conftest.py:",
        "",
        expect![[r#"
            conftest (conftest.py)
            app (-)
            app.x (app/x.py)
                0 app.x
            src/conftest (src/conftest.py)
            src/app (-)
            src/app.x (src/app/x.py)
                0 src/app.x
        "#]],
    );
}
