//! The declaration of Python.

use codeweft_syntax::record::PartsCodec;
use codeweft_syntax::{Lang, LanguageSpec, SettingsKey, SettingsType};

use crate::ir::{Bodies, Header, Items};

/// The language Python, 3.8 to 3.14.
pub const PYTHON: Lang = Lang::new(&SPEC);

static SPEC: LanguageSpec = LanguageSpec {
    extensions: &["py", "pyi"],
    project_files: &["pyproject.toml"],
    stub_extension: Some(("py", "pyi")),
    package_separator: '.',
    inside_function: ".<locals>.",
    line_comment: "#",
    has_coding_line: true,
    packages_are_files: true,
    imports_name_parents: true,
    settings: &[
        SettingsKey::path("interpreter", "python"),
        SettingsKey::new("roots", SettingsType::Texts),
        SettingsKey::later("version", SettingsType::Text),
        SettingsKey::new("framework", SettingsType::Tables),
    ],
    variables: &["CONDA_PREFIX", "PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV"],
    program: Some("python3"),
    environment_file: Some("pyvenv.cfg"),
    version_file: Some(".python-version"),
    library_hint: Some("no library was read: set VIRTUAL_ENV, or put python3 on PATH"),
    text_parts: Some(crate::text_parts::text_parts),
    parts_codec: Some(PartsCodec::of::<Header, Items, Bodies>()),
    ..LanguageSpec::new("python", "Python", "py:", crate::lower)
};
