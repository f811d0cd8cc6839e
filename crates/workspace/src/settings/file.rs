//! `codeweft.toml`, the file of a workspace's settings. An unknown key is an error that names its
//! line and the nearest known key; a known one that nothing goes by yet is told.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::duration::duration;

/// The name of the file, at the root.
pub const NAME: &str = "codeweft.toml";

/// What a key takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum KeyType {
    Text,
    /// A list of texts, or one text with commas.
    Texts,
    Flag,
    Whole,
    Number,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A time: `500ms`, `10m`.
    Time,
    /// Anything.
    Any,
}

/// A key of a section.
struct SettingsKey {
    name: &'static str,
    takes: KeyType,
    /// Whether something goes by it.
    works: bool,
}

const fn key(name: &'static str, takes: KeyType) -> SettingsKey {
    SettingsKey {
        name,
        takes,
        works: true,
    }
}

/// A key that nothing goes by yet.
const fn later(name: &'static str, takes: KeyType) -> SettingsKey {
    SettingsKey {
        name,
        takes,
        works: false,
    }
}

/// The sections and their keys (docs/user-guide.md, "Settings").
const SECTIONS: &[(&str, &[SettingsKey])] = &[
    (
        "workspace",
        &[
            key("languages", KeyType::Texts),
            key("exclude", KeyType::Texts),
            later("include_generated", KeyType::Flag),
            later("max_file_size", KeyType::Text),
        ],
    ),
    (
        "go",
        &[
            key("goos", KeyType::Text),
            key("goarch", KeyType::Text),
            key("tags", KeyType::Texts),
            key("cgo", KeyType::Flag),
            key("goroot", KeyType::Text),
            key("modcache", KeyType::Text),
        ],
    ),
    (
        "python",
        &[
            key("interpreter", KeyType::Text),
            key("roots", KeyType::Texts),
            later("version", KeyType::Text),
        ],
    ),
    (
        "serve",
        &[
            key("idle_exit", KeyType::Time),
            later("watch_debounce_ms", KeyType::Whole),
        ],
    ),
    (
        "store",
        &[
            later("enabled", KeyType::Flag),
            later("path", KeyType::Text),
        ],
    ),
    (
        "cache",
        &[
            later("dir", KeyType::Text),
            later("max_size", KeyType::Text),
        ],
    ),
    ("lsp", &[later("mode", KeyType::Word(&["alone", "beside"]))]),
    (
        "retrieval",
        &[
            later("token_budget", KeyType::Whole),
            later("weights", KeyType::Any),
        ],
    ),
    (
        "knowledge",
        &[
            later("enabled", KeyType::Flag),
            later("context_token_budget", KeyType::Whole),
            later("semantic_weight", KeyType::Number),
            later("graph_weight", KeyType::Number),
        ],
    ),
    ("services", ANYTHING),
    ("entities", ANYTHING),
];

/// The keys of a section that takes any.
const ANYTHING: &[SettingsKey] = &[];

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
        let known = SECTIONS.iter().find(|(known, _)| known == name.get_ref());
        let Some((section_name, keys)) = known else {
            let names = SECTIONS.iter().map(|(known, _)| *known);
            return Err(wrong(at, unknown("section", name.get_ref(), names)));
        };
        let DeValue::Table(values) = section.get_ref() else {
            return Err(wrong(
                at,
                format!("{section_name} is a section: [{section_name}]"),
            ));
        };
        if keys.is_empty() {
            settings.later.push(format!("[{section_name}]"));
            continue;
        }
        for (name, value) in in_order(values) {
            let at = name.span().start;
            let Some(key) = keys.iter().find(|key| key.name == name.get_ref()) else {
                let names = keys.iter().map(|key| key.name);
                let words = unknown("key", name.get_ref(), names);
                return Err(wrong(at, format!("[{section_name}] {words}")));
            };
            let place = format!("[{section_name}] {}", key.name);
            let text = read(key, value.get_ref())
                .map_err(|words| wrong(value.span().start, format!("{place}: {words}")))?;
            if !key.works {
                settings.later.push(place);
            } else if key.takes == KeyType::Time {
                settings.idle_exit = duration(&text).ok();
            } else {
                settings.values.insert(key.name, text);
            }
        }
    }
    Ok(settings)
}

/// The entries of a table as they stand in the text.
fn in_order<'a, 'i>(
    table: &'a DeTable<'i>,
) -> Vec<(&'a Spanned<Cow<'i, str>>, &'a Spanned<DeValue<'i>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    entries
}

/// `no key goss is known; nearest: goos`.
fn unknown(what: &str, name: &str, known: impl Iterator<Item = &'static str>) -> String {
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
        KeyType::Text => text(value).ok_or_else(|| "takes a text".to_owned()),
        KeyType::Texts => {
            let joint = match key.name {
                "exclude" => "\n",
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
        KeyType::Flag => match value {
            DeValue::Boolean(flag) => Ok(flag.to_string()),
            _ => Err("takes true or false".to_owned()),
        },
        KeyType::Whole => match value {
            DeValue::Integer(number) => Ok(number.as_str().to_owned()),
            _ => Err("takes a whole number".to_owned()),
        },
        KeyType::Number => match value {
            DeValue::Integer(number) => Ok(number.as_str().to_owned()),
            DeValue::Float(number) => Ok(number.as_str().to_owned()),
            _ => Err("takes a number".to_owned()),
        },
        KeyType::Word(words) => match text(value) {
            Some(word) if words.contains(&word.as_str()) => Ok(word),
            _ => Err(format!("takes {}", words.join(" or "))),
        },
        KeyType::Time => match text(value) {
            Some(time) => duration(&time).map(|_| time),
            None => Err("takes a time in quotes: \"10m\"".to_owned()),
        },
        KeyType::Any => Ok(String::new()),
    }
}
