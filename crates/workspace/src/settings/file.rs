//! `codeweft.toml`, the file of a workspace's settings. An unknown key is an error that names its line and the
//! nearest known key; a known key that has no effect yet is reported. Entry point: [`parse`].

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::duration::duration;

/// The name of the file, at the root.
pub const NAME: &str = "codeweft.toml";

/// The type of a key's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum KeyType {
    Text,
    /// A list of texts, or one text with commas.
    Texts,
    Flag,
    Whole,
    Number,
    /// A word of this list.
    Word(&'static [&'static str]),
    /// A duration: `500ms`, `10m`.
    Time,
    /// Any value.
    Any,
}

/// A key of a section.
struct SettingsKey {
    section: &'static str,
    name: &'static str,
    takes: KeyType,
    /// Whether the key has an effect.
    works: bool,
}

const fn key(section: &'static str, name: &'static str, takes: KeyType) -> SettingsKey {
    SettingsKey {
        section,
        name,
        takes,
        works: true,
    }
}

/// Returns a key that has no effect yet.
const fn later(section: &'static str, name: &'static str, takes: KeyType) -> SettingsKey {
    SettingsKey {
        section,
        name,
        takes,
        works: false,
    }
}

/// The keys of each section (docs/user-guide.md, "Settings").
const KEYS: &[SettingsKey] = &[
    key("workspace", "languages", KeyType::Texts),
    key("workspace", "exclude", KeyType::Texts),
    later("workspace", "include_generated", KeyType::Flag),
    later("workspace", "max_file_size", KeyType::Text),
    key("go", "goos", KeyType::Text),
    key("go", "goarch", KeyType::Text),
    key("go", "tags", KeyType::Texts),
    key("go", "cgo", KeyType::Flag),
    key("go", "goroot", KeyType::Text),
    key("go", "modcache", KeyType::Text),
    key("python", "interpreter", KeyType::Text),
    key("python", "roots", KeyType::Texts),
    later("python", "version", KeyType::Text),
    key("serve", "idle_exit", KeyType::Time),
    later("serve", "watch_debounce_ms", KeyType::Whole),
    later("store", "enabled", KeyType::Flag),
    later("store", "path", KeyType::Text),
    later("cache", "dir", KeyType::Text),
    later("cache", "max_size", KeyType::Text),
    later("lsp", "mode", KeyType::Word(&["alone", "beside"])),
    later("retrieval", "token_budget", KeyType::Whole),
    later("retrieval", "weights", KeyType::Any),
    later("knowledge", "enabled", KeyType::Flag),
    later("knowledge", "context_token_budget", KeyType::Whole),
    later("knowledge", "semantic_weight", KeyType::Number),
    later("knowledge", "graph_weight", KeyType::Number),
];

/// Sections that take any keys and have no effect yet.
const OPEN_SECTIONS: [&str; 2] = ["services", "entities"];

/// Returns the names of all sections, each at least once.
fn sections() -> impl Iterator<Item = &'static str> {
    let of_keys = KEYS.iter().map(|key| key.section);
    of_keys.chain(OPEN_SECTIONS)
}

/// The settings of the file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileSettings {
    /// Values by key, without the section: no two sections share a key that has an effect. Lists are joined
    /// with commas, `exclude` with line ends.
    pub values: BTreeMap<&'static str, String>,
    /// `[serve] idle_exit`.
    pub idle_exit: Option<Duration>,
    /// Keys that have no effect yet, as `[section] key`.
    pub later: Vec<String>,
}

/// An error in the file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{NAME}:{line}: {words}")]
pub struct SettingsFileError {
    /// The line, 1-based.
    pub line: usize,
    /// The error in words.
    pub words: String,
}

/// Parses the text of the file.
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
        let Some(section_name) = sections().find(|known| known == name.get_ref()) else {
            return Err(wrong(at, unknown("section", name.get_ref(), sections())));
        };
        let DeValue::Table(values) = section.get_ref() else {
            return Err(wrong(
                at,
                format!("{section_name} is a section: [{section_name}]"),
            ));
        };
        if OPEN_SECTIONS.contains(&section_name) {
            settings.later.push(format!("[{section_name}]"));
            continue;
        }
        for (name, value) in in_order(values) {
            let at = name.span().start;
            let keys = KEYS.iter().filter(|key| key.section == section_name);
            let Some(key) = keys.clone().find(|key| key.name == name.get_ref()) else {
                let names = keys.map(|key| key.name);
                let words = unknown("key", name.get_ref(), names);
                return Err(wrong(at, format!("[{section_name}] {words}")));
            };
            let printed = format!("[{section_name}] {}", key.name);
            let text = read(key, value.get_ref())
                .map_err(|words| wrong(value.span().start, format!("{printed}: {words}")))?;
            if !key.works {
                settings.later.push(printed);
            } else if key.takes == KeyType::Time {
                settings.idle_exit = duration(&text).ok();
            } else {
                settings.values.insert(key.name, text);
            }
        }
    }
    Ok(settings)
}

/// Returns the entries of a table in the order of the text.
fn in_order<'a, 'i>(
    table: &'a DeTable<'i>,
) -> Vec<(&'a Spanned<Cow<'i, str>>, &'a Spanned<DeValue<'i>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    entries
}

/// Returns the message for an unknown name: `no key goss is known; nearest: goos`.
fn unknown(what: &str, name: &str, known: impl Iterator<Item = &'static str>) -> String {
    match nearest(name, known) {
        Some(near) => format!("no {what} `{name}` is known; nearest: {near}"),
        None => format!("no {what} `{name}` is known"),
    }
}

/// Returns the known word with the least edit distance to a word; the first of equals.
pub(super) fn nearest<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let word = word.to_lowercase();
    known.min_by_key(|known| strsim::damerau_levenshtein(&word, known))
}

/// Returns a value as one text.
///
/// # Errors
/// The value has another type; in words.
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
