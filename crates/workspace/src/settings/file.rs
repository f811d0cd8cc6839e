//! `codeweft.toml`, the file of a workspace's settings. An unknown key is an error that names its
//! line and the nearest known key; a known one that nothing goes by yet is reported.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use codeweft_db::{SettingsKey, SettingsType};
use codeweft_graph::languages::specs;
use codeweft_retrieval::{Profile, TOKEN_BUDGET, WEIGHT_NAMES};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::duration::duration;
use super::named_tables;
use super::size::size;
use super::table_list;

/// The name of the file, at the root.
pub const NAME: &str = "codeweft.toml";

/// A section: its name and its keys; without keys it takes anything.
type Section = (&'static str, &'static [SettingsKey]);

/// Returns the sections (docs/user-guide.md, "Settings"): those of languages behind the first.
fn sections() -> impl Iterator<Item = Section> {
    let of_languages = specs().map(|spec| (spec.wire_name, spec.settings));
    let (first, others) = SECTIONS.split_at(1);
    first
        .iter()
        .copied()
        .chain(of_languages)
        .chain(others.iter().copied())
}

/// Returns the keys of all sections that have an effect.
pub(super) fn keys() -> impl Iterator<Item = &'static SettingsKey> {
    let keys = sections().flat_map(|(_, keys)| keys);
    keys.filter(|key| key.works)
}

/// A number of tokens.
const TOKENS: SettingsType = SettingsType::Whole {
    least: 1,
    most: u32::MAX,
};

/// The size of an answer of retrieval.
const BUNDLE_TOKENS: SettingsType = SettingsType::Whole {
    least: TOKEN_BUDGET.0,
    most: TOKEN_BUDGET.1,
};

/// The size of a file: positions in a text are of 32 bits.
const MAX_FILE_SIZE: SettingsType = SettingsType::Size {
    least: 1,
    most: 1 << 30,
};

/// The sections that belong to no language.
const SECTIONS: &[Section] = &[
    (
        "workspace",
        &[
            SettingsKey::new("languages", SettingsType::Texts),
            SettingsKey::new("exclude", SettingsType::Texts),
            SettingsKey::later("include_generated", SettingsType::Flag),
            SettingsKey::new("max_file_size", MAX_FILE_SIZE),
        ],
    ),
    (
        "serve",
        &[
            SettingsKey::new("idle_exit", SettingsType::Time),
            SettingsKey::new(
                "watch_debounce_ms",
                SettingsType::Whole {
                    least: 0,
                    most: 500,
                },
            ),
        ],
    ),
    (
        "store",
        &[
            SettingsKey::new("enabled", SettingsType::Flag),
            SettingsKey::path("path", "store_path"),
        ],
    ),
    (
        "cache",
        &[
            SettingsKey::path("dir", "cache_dir"),
            SettingsKey::new(
                "max_size",
                SettingsType::Size {
                    least: 0,
                    most: 1 << 40,
                },
            ),
        ],
    ),
    (
        "secrets",
        &[SettingsKey {
            key: "secrets_allow",
            ..SettingsKey::new("allow", SettingsType::Texts)
        }],
    ),
    (
        "lsp",
        &[SettingsKey::later(
            "mode",
            SettingsType::Word(&["alone", "beside"]),
        )],
    ),
    (
        "retrieval",
        &[
            SettingsKey {
                key: "retrieval_token_budget",
                ..SettingsKey::new("token_budget", BUNDLE_TOKENS)
            },
            SettingsKey {
                key: "retrieval_profile",
                ..SettingsKey::new("profile", SettingsType::Word(&Profile::NAMES))
            },
            SettingsKey {
                key: "retrieval_weights",
                ..SettingsKey::new("weights", SettingsType::Numbers(&WEIGHT_NAMES))
            },
            SettingsKey {
                key: "retrieval_model",
                ..SettingsKey::new("model", SettingsType::Text)
            },
        ],
    ),
    (
        "knowledge",
        &[
            SettingsKey {
                key: "knowledge_enabled",
                ..SettingsKey::new("enabled", SettingsType::Flag)
            },
            SettingsKey::new("asyncapi_v2", SettingsType::Word(&["service", "client"])),
            SettingsKey::new("recogniser", SettingsType::Tables),
            SettingsKey::later("context_token_budget", TOKENS),
            SettingsKey::later("semantic_weight", SettingsType::Number),
            SettingsKey::later("graph_weight", SettingsType::Number),
        ],
    ),
    ("services", OF_NAMES),
    ("entities", OF_NAMES),
];

/// The keys of a section that has a table for each of some names.
const OF_NAMES: &[SettingsKey] = &[];

/// What the file says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileSettings {
    /// Values by key, which no two sections share of those that work; lists are joined with commas,
    /// `exclude` with line ends.
    pub values: BTreeMap<&'static str, String>,
    /// `[serve] idle_exit`.
    pub idle_exit: Option<Duration>,
    /// Keys that nothing goes by yet, as `[section] key`.
    pub later: Vec<String>,
}

/// What is wrong with the file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{NAME}:{line}: {words}")]
pub struct SettingsFileError {
    /// 1-based.
    pub line: usize,
    /// What is wrong there.
    pub words: String,
}

/// Reads the text of the file.
///
/// # Errors
/// See [`SettingsFileError`].
pub fn parse(text: &str) -> Result<FileSettings, SettingsFileError> {
    let line = |at: usize| {
        text.as_bytes()[..at.min(text.len())]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count()
            + 1
    };
    let wrong = |at: usize, words: String| SettingsFileError {
        line: line(at),
        words,
    };
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        wrong(at, error.message().trim().replace('\n', ", "))
    })?;
    let mut settings = FileSettings::default();
    for (name, section) in in_order(table.get_ref()) {
        let at = name.span().start;
        let known = sections().find(|(known, _)| known == name.get_ref());
        let Some((section_name, keys)) = known else {
            let names = sections().map(|(known, _)| known);
            return Err(wrong(at, unknown("section", name.get_ref(), names)));
        };
        let DeValue::Table(values) = section.get_ref() else {
            return Err(wrong(
                at,
                format!("{section_name} is a section: [{section_name}]"),
            ));
        };
        if keys.is_empty() {
            let text =
                named_tables::read(section_name, values).map_err(|(at, words)| wrong(at, words))?;
            settings.values.insert(section_name, text);
            continue;
        }
        for (name, value) in in_order(values) {
            let at = name.span().start;
            let Some(key) = keys.iter().find(|key| key.name == name.get_ref()) else {
                let names = keys.iter().map(|key| key.name);
                let words = unknown("key", name.get_ref(), names);
                return Err(wrong(at, format!("[{section_name}] {words}")));
            };
            let key_name = format!("[{section_name}] {}", key.name);
            let text = if key.takes == SettingsType::Tables {
                table_list::read(value.get_ref(), &line)
            } else {
                read(key, value.get_ref())
            };
            let text =
                text.map_err(|words| wrong(value.span().start, format!("{key_name}: {words}")))?;
            if !key.works {
                settings.later.push(key_name);
            } else if key.takes == SettingsType::Time {
                settings.idle_exit = duration(&text).ok();
            } else {
                // A path is made absolute under its name first.
                let kept_as = if key.is_path { key.name } else { key.key };
                settings.values.insert(kept_as, text);
            }
        }
    }
    Ok(settings)
}

/// The entries of a table in order of the text.
pub(super) fn in_order<'a, 'i>(
    table: &'a DeTable<'i>,
) -> Vec<(&'a Spanned<Cow<'i, str>>, &'a Spanned<DeValue<'i>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    entries
}

/// `no key goss is known; nearest: goos`.
pub(super) fn unknown(what: &str, name: &str, known: impl Iterator<Item = &'static str>) -> String {
    match nearest(name, known) {
        Some(near) => format!("no {what} `{name}` is known; nearest: {near}"),
        None => format!("no {what} `{name}` is known"),
    }
}

/// The known word that a word is most like; of equals the first.
pub(super) fn nearest<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let word = word.to_lowercase();
    known.min_by_key(|known| strsim::damerau_levenshtein(&word, known))
}

/// A value as one text.
fn read(key: &SettingsKey, value: &DeValue<'_>) -> Result<String, String> {
    let text = |value: &DeValue<'_>| match value {
        DeValue::String(text) => Some(text.to_string()),
        _ => None,
    };
    match key.takes {
        SettingsType::Text => text(value).ok_or_else(|| "takes a text".to_owned()),
        SettingsType::Texts => {
            let joint = match key.name {
                // Patterns may have commas.
                "exclude" | "allow" => "\n",
                _ => ",",
            };
            if let Some(text) = text(value) {
                return Ok(text);
            }
            let DeValue::Array(list) = value else {
                return Err("takes a list of texts".to_owned());
            };
            let texts: Option<Vec<String>> = list.iter().map(|one| text(one.get_ref())).collect();
            let texts = texts.ok_or_else(|| "takes a list of texts".to_owned())?;
            Ok(texts.join(joint))
        }
        SettingsType::Flag => match value {
            DeValue::Boolean(flag) => Ok(flag.to_string()),
            _ => Err("takes true or false".to_owned()),
        },
        SettingsType::Whole { least, most } => {
            let number = match value {
                DeValue::Integer(number) => number.as_str().parse::<u32>().ok(),
                _ => None,
            };
            match number.filter(|number| (least..=most).contains(number)) {
                Some(number) => Ok(number.to_string()),
                None => Err(format!("takes a whole number from {least} to {most}")),
            }
        }
        SettingsType::Size { least, most } => {
            let written = match value {
                DeValue::Integer(number) => number.as_str(),
                DeValue::String(text) => text,
                _ => "",
            };
            size(written, least, most).map(|bytes| bytes.to_string())
        }
        SettingsType::Number => match value {
            DeValue::Integer(number) => Ok(number.as_str().to_owned()),
            DeValue::Float(number) => Ok(number.as_str().to_owned()),
            _ => Err("takes a number".to_owned()),
        },
        SettingsType::Word(words) => match text(value) {
            Some(word) if words.contains(&word.as_str()) => Ok(word),
            _ => Err(format!("takes {}", words.join(" or "))),
        },
        SettingsType::Time => match text(value) {
            Some(time) => duration(&time).map(|_| time),
            None => Err("takes a time in quotes: \"10m\"".to_owned()),
        },
        SettingsType::Numbers(names) => numbers(value, names),
        SettingsType::Any | SettingsType::Tables => Ok(String::new()),
    }
}

/// A table of numbers by name as a JSON object.
fn numbers(value: &DeValue<'_>, names: &'static [&'static str]) -> Result<String, String> {
    let DeValue::Table(table) = value else {
        return Err("takes a table of numbers: { name = 1.0 }".to_owned());
    };
    let mut read = serde_json::Map::new();
    for (name, value) in in_order(table) {
        let name = name.get_ref();
        if !names.contains(&&**name) {
            return Err(unknown("weight", name, names.iter().copied()));
        }
        let number = match value.get_ref() {
            DeValue::Integer(number) => number.as_str().parse::<f64>().ok(),
            DeValue::Float(number) => number.as_str().parse().ok(),
            _ => None,
        };
        let number = number.and_then(serde_json::Number::from_f64);
        let number = number.ok_or_else(|| format!("{name} takes a number"))?;
        read.insert(name.to_string(), number.into());
    }
    Ok(serde_json::Value::Object(read).to_string())
}
