//! The files that a configuration selects.

use crate::settings::GoSettings;
use codeweft_go_syntax::AsGo as _;
use codeweft_go_syntax::GO;
use codeweft_syntax::{Names, lower};

use crate::project::{Exclusion, excluded_by, file_matches};

fn settings(goos: &str, goarch: &str) -> GoSettings {
    GoSettings {
        goos: goos.to_owned(),
        goarch: goarch.to_owned(),
        cgo: false,
        tags: vec!["mine".to_owned()],
        release: 26,
        experiments: vec!["greenteagc".to_owned()],
    }
}

fn excluded(file: &str, text: &str, settings: &GoSettings) -> Option<Exclusion> {
    let names = Names::default();
    let ir = lower(text, GO, &names, &|| false).expect("lowering ends");
    let header = ir.header.go().expect("a Go header");
    let excluded = excluded_by(file, header, settings, &names);
    assert_eq!(
        excluded.is_none(),
        file_matches(file, header, settings, &names)
    );
    excluded
}

/// Returns whether a file with this constraint line is selected.
fn holds(line: &str, settings: &GoSettings) -> bool {
    excluded("a.go", &format!("{line}\n\npackage a\n"), settings).is_none()
}

/// Returns whether a file of this name is selected.
fn named(file: &str, settings: &GoSettings) -> bool {
    match excluded(file, "package a\n", settings) {
        None => true,
        Some(why) => {
            assert_eq!(why, Exclusion::Name, "{file}");
            false
        }
    }
}

#[test]
fn a_file_name_may_end_in_a_system_an_architecture_or_both_and_then_test() {
    let linux = settings("linux", "amd64");
    for file in [
        "a_linux.go",
        "a_amd64.go",
        "a_linux_amd64.go",
        "a_linux_test.go",
        "a_linux_amd64_test.go",
        "a_b_linux.go",
        "a_windows_b.go",
        "a_windows_linux.go",
        "a_unix.go",
        "a_linux.x_windows.go",
    ] {
        assert!(named(file, &linux), "{file}");
    }
    for file in [
        "a_windows.go",
        "a_arm64.go",
        "a_linux_arm64.go",
        "a_windows_amd64.go",
        "a_windows_test.go",
        "a_b_plan9_386_test.go",
        "a_zos.go",
        "windows_amd64_arm64.go",
    ] {
        assert!(!named(file, &linux), "{file}");
    }
}

#[test]
fn a_file_name_without_anything_before_the_system_is_for_every_system() {
    let linux = settings("linux", "amd64");
    for file in ["windows.go", "arm64.go", "windows_test.go", "x.windows.go"] {
        assert!(named(file, &linux), "{file}");
    }
    // The part before the first `_` is no system; the parts after it may be.
    assert!(!named("linux_arm64.go", &linux));
}

#[test]
fn a_file_whose_name_starts_with_an_underscore_or_a_dot_is_never_in() {
    let linux = settings("linux", "amd64");
    assert_eq!(
        excluded("_a.go", "package a\n", &linux),
        Some(Exclusion::Hidden)
    );
    assert_eq!(
        excluded(".a.go", "package a\n", &linux),
        Some(Exclusion::Hidden)
    );
}

#[test]
fn a_go_build_line_is_an_expression_of_not_and_or() {
    let linux = settings("linux", "amd64");
    for (line, wanted) in [
        ("//go:build linux", true),
        ("//go:build !linux", false),
        ("//go:build linux && arm64", false),
        ("//go:build linux || arm64", true),
        ("//go:build !(windows || plan9) && amd64", true),
        ("//go:build windows || linux && arm64", false),
        ("//go:build !windows && !(darwin || arm64)", true),
        ("//go:build ignore", false),
        ("//go:build mine", true),
        ("//go:build gc && !gccgo", true),
    ] {
        assert_eq!(holds(line, &linux), wanted, "{line}");
    }
}

#[test]
fn plus_build_lines_count_where_there_is_no_go_build_line() {
    let linux = settings("linux", "amd64");
    for (lines, wanted) in [
        ("// +build linux", true),
        ("// +build windows plan9", false),
        ("// +build windows linux", true),
        ("// +build linux,arm64", false),
        ("// +build linux\n// +build arm64", false),
        ("// +build !windows,amd64", true),
        ("//go:build linux\n// +build windows", true),
    ] {
        assert_eq!(holds(lines, &linux), wanted, "{lines}");
    }
}

#[test]
fn release_tags_hold_up_to_the_release_of_the_goroot() {
    let linux = settings("linux", "amd64");
    for (line, wanted) in [
        ("//go:build go1.1", true),
        ("//go:build go1.26", true),
        ("//go:build go1.27", false),
        ("//go:build go1.0", false),
        ("//go:build go1.026", false),
        ("//go:build go1.26.1", false),
        ("//go:build go1.", false),
        ("//go:build go2", false),
        ("//go:build !go1.20", false),
    ] {
        assert_eq!(holds(line, &linux), wanted, "{line}");
    }
}

#[test]
fn unix_holds_for_its_systems_and_some_systems_imply_another() {
    for (goos, tags, not) in [
        ("linux", "unix && linux", "android"),
        ("android", "unix && linux && android", "darwin"),
        ("ios", "unix && darwin && ios", "linux"),
        ("illumos", "unix && solaris && illumos", "linux"),
        ("windows", "windows", "unix"),
        ("js", "js", "unix"),
        ("plan9", "plan9", "unix"),
    ] {
        let settings = settings(goos, "amd64");
        assert!(holds(&format!("//go:build {tags}"), &settings), "{tags}");
        assert!(!holds(&format!("//go:build {not}"), &settings), "{not}");
    }
    // In file names `unix` has no meaning; the implied systems have.
    assert!(named("a_unix.go", &settings("windows", "amd64")));
    assert!(named("a_linux.go", &settings("android", "arm64")));
    assert!(named("a_darwin_arm64.go", &settings("ios", "arm64")));
    assert!(!named("a_android.go", &settings("linux", "arm64")));
}

#[test]
fn experiments_hold_as_they_are_set() {
    let linux = settings("linux", "amd64");
    assert!(holds("//go:build goexperiment.greenteagc", &linux));
    assert!(holds("//go:build !goexperiment.jsonv2", &linux));
    assert!(holds("//go:build !boringcrypto", &linux));
}

#[test]
fn the_default_features_of_an_architecture_hold() {
    let on = |arch: &str, tag: &str| holds(&format!("//go:build {tag}"), &settings("linux", arch));
    assert!(on("amd64", "amd64.v1"));
    assert!(!on("amd64", "amd64.v3"));
    assert!(!on("amd64", "arm64.v8.0"));
    assert!(on("arm64", "arm64.v8.0"));
    assert!(on("arm", "arm.6"));
    assert!(on("mips64le", "mips64le.hardfloat"));
}

#[test]
fn a_file_that_imports_c_is_in_only_with_cgo() {
    let off = settings("linux", "amd64");
    let on = GoSettings {
        cgo: true,
        ..off.clone()
    };
    let text = "package a\n\nimport \"C\"\n";
    assert_eq!(excluded("a.go", text, &off), Some(Exclusion::Cgo));
    assert_eq!(excluded("a.go", text, &on), None);
    assert!(holds("//go:build !cgo", &off));
    assert!(holds("//go:build cgo", &on));
}

#[test]
fn a_file_of_package_documentation_is_never_in() {
    let linux = settings("linux", "amd64");
    let why = excluded("a.go", "package documentation\n", &linux);
    assert_eq!(why, Some(Exclusion::Documentation));
}

#[test]
fn a_constraint_that_nests_as_deep_as_its_line_is_long_is_evaluated() {
    let linux = settings("linux", "amd64");
    let line = format!("//go:build {}linux", "windows || ".repeat(5000));
    assert!(holds(&line, &linux));
}
