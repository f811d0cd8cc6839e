//! The declaration of Go.

use codeweft_syntax::record::PartsCodec;
use codeweft_syntax::{Lang, LanguageSpec, LowerParts, SettingsKey, SettingsType};

use crate::ir::{Bodies, Header, Items};

/// The language Go, up to 1.27.
pub const GO: Lang = Lang::new(&SPEC);

static SPEC: LanguageSpec = LanguageSpec {
    extensions: &["go"],
    project_files: &["go.work", "go.mod"],
    test_suffixes: &["_test.go"],
    names_share_a_type: true,
    settings: &[
        SettingsKey::of_build("goos", SettingsType::Text),
        SettingsKey::of_build("goarch", SettingsType::Text),
        SettingsKey::of_build("tags", SettingsType::Texts),
        SettingsKey::of_build("cgo", SettingsType::Flag),
        SettingsKey::path("goroot", "goroot"),
        SettingsKey::path("modcache", "modcache"),
    ],
    variables: &[
        "CGO_ENABLED",
        "GO111MODULE",
        "GOARCH",
        "GOENV",
        "GOEXPERIMENT",
        "GOFLAGS",
        "GOMODCACHE",
        "GOOS",
        "GOPATH",
        "GOROOT",
        "GOTOOLCHAIN",
        "GOWORK",
    ],
    build_variables: &["GOOS", "GOARCH", "GOFLAGS", "GOENV"],
    program: Some("go"),
    lowers_without_tree: true,
    lower_edited: Some(crate::edited::lower_edited),
    lower_parts: Some(LowerParts {
        header: crate::outline::header,
        items: crate::outline::items,
    }),
    text_parts: Some(crate::text_parts::text_parts),
    parts_codec: Some(PartsCodec::of::<Header, Items, Bodies>()),
    ..LanguageSpec::new("go", "Go", "go:", crate::lower)
};
