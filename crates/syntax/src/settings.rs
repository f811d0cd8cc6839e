//! The keys of `codeweft.toml` that a language declares.

/// The form of a setting's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SettingsType {
    /// A text.
    Text,
    /// A list of texts, or one text with commas.
    Texts,
    /// `true` or `false`.
    Flag,
    /// A whole number within inclusive bounds.
    Whole {
        /// The smallest value.
        least: u32,
        /// The largest value.
        most: u32,
    },
    /// A size in bytes, within inclusive bounds: `8MiB`, `500000`.
    Size {
        /// The smallest size.
        least: u64,
        /// The largest size.
        most: u64,
    },
    /// A number.
    Number,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A duration: `500ms`, `10m`.
    Time,
    /// A list of tables, of which the reader of the key knows the keys.
    Tables,
    /// A table of numbers, each with one of these names.
    Numbers(&'static [&'static str]),
    /// Anything.
    Any,
}

/// A key of a section of `codeweft.toml`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SettingsKey {
    /// The name in the file.
    pub name: &'static str,
    /// The key among the settings of all languages; by default the name.
    pub key: &'static str,
    /// The form of the value.
    pub takes: SettingsType,
    /// Whether anything uses it.
    pub works: bool,
    /// Whether the value is a path, relative to the folder of the file.
    pub is_path: bool,
    /// Whether it decides for which build answers hold.
    pub is_of_build: bool,
}

impl SettingsKey {
    /// Returns a key that is used.
    pub const fn new(name: &'static str, takes: SettingsType) -> SettingsKey {
        SettingsKey {
            name,
            key: name,
            takes,
            works: true,
            is_path: false,
            is_of_build: false,
        }
    }

    /// Returns a key that nothing uses yet.
    pub const fn later(name: &'static str, takes: SettingsType) -> SettingsKey {
        SettingsKey {
            works: false,
            ..SettingsKey::new(name, takes)
        }
    }

    /// Returns a key for a path, kept under another key.
    pub const fn path(name: &'static str, key: &'static str) -> SettingsKey {
        SettingsKey {
            key,
            is_path: true,
            ..SettingsKey::new(name, SettingsType::Text)
        }
    }

    /// Returns a key that decides for which build answers hold.
    pub const fn of_build(name: &'static str, takes: SettingsType) -> SettingsKey {
        SettingsKey {
            is_of_build: true,
            ..SettingsKey::new(name, takes)
        }
    }
}
