//! The settings of a workspace, the strongest source first: flags, `codeweft.toml` at the root, the
//! environment, the machine. The last two are read by each language.

mod duration;
mod file;
mod live;
mod named_tables;
mod size;
mod table_list;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use codeweft_db::UnknownValue;
use codeweft_db::cache::{DEFAULT_MAX_SIZE, default_folder};
use codeweft_graph::languages;
use codeweft_vfs::CodingLines;

pub use duration::duration;
pub use file::{FileSettings, NAME, SettingsFileError, parse};
pub use live::{CurrentSettings, LiveSettings, SettingsWarning};

use crate::project::{CacheOptions, WorkspaceDisk};

/// The settings of a workspace.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// The settings of a [`ProjectDatabase`](crate::ProjectDatabase) by key: `goos`, `goarch`, `tags`, `cgo`,
    /// `goroot`, `modcache`; `python`, `roots`; `languages`, `exclude`, `max_file_size` (in bytes);
    /// `watch_debounce_ms`; `cache_dir`, `max_size` (of the cache, in bytes); `enabled` and `store_path` (of the
    /// store); `secrets_allow` (patterns, one a line); `knowledge_enabled`, `asyncapi_v2`, `services` and `entities` (of the knowledge graph).
    pub values: BTreeMap<String, String>,
    /// `[serve] idle_exit`.
    pub idle_exit: Option<Duration>,
    /// The build configuration that results from them, printed as in answers.
    pub configuration: String,
    /// The name of the language that `configuration` is of; empty without one.
    pub configured: &'static str,
    /// Keys of the file that have no effect yet.
    pub later: Vec<String>,
}

/// Where the store is, below the root.
const STORE: &str = ".codeweft/graph.db";

/// The longest file of settings, in bytes.
const MAX_FILE: u64 = 1 << 20;

/// The reason why there are no settings.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file has an error.
    #[error(transparent)]
    File(#[from] SettingsFileError),
    /// The file exists and cannot be read, for this reason.
    #[error("{NAME} cannot be read: {0}")]
    Unreadable(String),
    /// A value is unknown; the message for users.
    #[error("{0}")]
    Value(String),
}

impl Settings {
    /// Returns the settings of the workspace at `root` (absolute), from its file, `flags` and an environment
    /// (`None`: that of this process).
    ///
    /// # Errors
    /// See [`SettingsError`].
    pub fn find(
        root: &str,
        flags: &BTreeMap<String, String>,
        variables: Option<&BTreeMap<String, String>>,
    ) -> Result<Settings, SettingsError> {
        let text = text(&Path::new(root).join(NAME))?;
        Settings::of_text(root, text.as_deref(), flags, variables)
    }

    /// As [`Settings::find`], for these texts of the file (`None`: there is none).
    fn of_text(
        root: &str,
        text: Option<&str>,
        flags: &BTreeMap<String, String>,
        variables: Option<&BTreeMap<String, String>>,
    ) -> Result<Settings, SettingsError> {
        let file = match text {
            Some(text) => parse(text)?,
            None => FileSettings::default(),
        };
        Settings::of(root, file, flags, variables)
    }

    /// As [`Settings::of_text`], for a server or a frontend, which must start even with a wrong file or
    /// environment: then the settings of the flags alone, and the error.
    fn lenient(
        root: &str,
        text: Result<Option<String>, SettingsError>,
        flags: &BTreeMap<String, String>,
        variables: Option<&BTreeMap<String, String>>,
    ) -> (Settings, Option<SettingsError>) {
        let found =
            text.and_then(|text| Settings::of_text(root, text.as_deref(), flags, variables));
        match found {
            Ok(settings) => (settings, None),
            Err(wrong) => {
                let settings = Settings::without_file(root, flags, variables);
                // Only a variable is invalid; its language reads it as it is.
                let settings = settings.unwrap_or_else(|_| Settings {
                    values: flags.clone(),
                    ..Settings::default()
                });
                (settings, Some(wrong))
            }
        }
    }

    /// As [`Settings::find`], without the file.
    ///
    /// # Errors
    /// [`SettingsError::Value`].
    pub fn without_file(
        root: &str,
        flags: &BTreeMap<String, String>,
        variables: Option<&BTreeMap<String, String>>,
    ) -> Result<Settings, SettingsError> {
        Settings::of(root, FileSettings::default(), flags, variables)
    }

    fn of(
        root: &str,
        file: FileSettings,
        flags: &BTreeMap<String, String>,
        variables: Option<&BTreeMap<String, String>>,
    ) -> Result<Settings, SettingsError> {
        let mut values: BTreeMap<String, String> = BTreeMap::new();
        for (&name, value) in &file.values {
            let absolute = || {
                let path = codeweft_vfs::normalise(Path::new(root), Path::new(value));
                path.unwrap_or_else(|| value.clone())
            };
            match file::keys().find(|key| key.name == name && key.is_path) {
                Some(key) if !value.is_empty() => values.insert(key.key.to_owned(), absolute()),
                _ => values.insert(name.to_owned(), value.clone()),
            };
        }
        if let Some(words) = wrong_value(root, &values) {
            return Err(SettingsError::Value(format!("{NAME}: {words}")));
        }
        values.extend(flags.clone());
        let languages = languages::ALL;
        let disk = WorkspaceDisk::new(root, languages, variables.cloned(), &BTreeMap::new());
        let mut configuration = String::new();
        let mut configured_language = "";
        for language in languages {
            let lang = language.lang();
            let configured = language.configured(&disk, &values).map_err(|unknown| {
                let source = match unknown.variable {
                    Some(variable) => variable.to_owned(),
                    None if flags.contains_key(unknown.key) => format!("--{}", unknown.key),
                    None => format!("{NAME}: [{}] {}", lang.wire_name(), unknown.key),
                };
                SettingsError::Value(words(&source, lang.name, &unknown))
            })?;
            if !configured.is_empty() {
                configured_language = lang.spec().name;
            }
            configuration.push_str(&configured);
        }
        Ok(Settings {
            values,
            idle_exit: file.idle_exit,
            configuration,
            configured: configured_language,
            later: file.later,
        })
    }

    /// Returns where lowered texts are kept between runs, and how much of them: as the file says, else below
    /// the user's folder of caches. `None` if there is no such folder or the size is 0. `variables`: the
    /// environment (`None`: that of this process).
    pub fn cache(&self, variables: Option<&BTreeMap<String, String>>) -> Option<CacheOptions> {
        let variable = |name: &str| match variables {
            Some(variables) => variables.get(name).cloned(),
            None => std::env::var(name).ok(),
        };
        let folder = self.values.get("cache_dir").map(PathBuf::from);
        let max_size = self.values.get("max_size");
        let max_size = max_size.and_then(|bytes| bytes.parse().ok());
        let options = CacheOptions {
            folder: folder.or_else(|| default_folder(variable))?,
            max_size: max_size.unwrap_or(DEFAULT_MAX_SIZE),
        };
        (options.max_size > 0).then_some(options)
    }

    /// Returns the file in which a server of the workspace at `root` keeps the graph: as the file says, else
    /// `.codeweft/graph.db`; `None` if it keeps none.
    ///
    /// # Errors
    /// The file is not below the root, or its name does not end with `.db`: a mistake must not replace another file.
    pub fn store(&self, root: &str) -> Result<Option<PathBuf>, SettingsError> {
        if self
            .values
            .get("enabled")
            .is_some_and(|flag| flag == "false")
        {
            return Ok(None);
        }
        let Some(path) = self
            .values
            .get("store_path")
            .filter(|path| !path.is_empty())
        else {
            return Ok(Some(Path::new(root).join(STORE)));
        };
        let path = PathBuf::from(path);
        if !path.starts_with(root) || path.extension().is_none_or(|end| end != "db") {
            let words = format!(
                "{NAME}: [store] path: takes a file below the root whose name ends with .db"
            );
            return Err(SettingsError::Value(words));
        }
        Ok(Some(path))
    }

    /// Returns whether flags or the file set the build configuration.
    pub fn set_the_build(&self) -> bool {
        let mut keys = file::keys().filter(|key| key.is_of_build);
        keys.any(|key| self.values.contains_key(key.key))
    }
}

/// Returns the message for an unknown value: `--goos: windws is not known; nearest: windows`.
fn words(source: &str, language: &str, unknown: &UnknownValue) -> String {
    let value = &unknown.value;
    match file::nearest(value, unknown.known.iter().copied()) {
        Some(near) => format!("{source}: `{value}` is not known to {language}; nearest: {near}"),
        None => format!("{source}: `{value}` is not known to {language}"),
    }
}

/// Returns the error in values that no language reads, if there is one.
fn wrong_value(root: &str, values: &BTreeMap<String, String>) -> Option<String> {
    let known = || languages::specs().map(|spec| spec.wire_name);
    let languages = values.get("languages").map_or("", String::as_str);
    for language in languages.split(',').filter(|one| !one.is_empty()) {
        if !known().any(|name| name == language) {
            let near = file::nearest(language, known()).unwrap_or_default();
            return Some(format!(
                "[workspace] languages: `{language}` is not known; nearest: {near}"
            ));
        }
    }
    let allowed = values.get("secrets_allow").map_or("", String::as_str);
    let allowed: Vec<String> = allowed.lines().map(str::to_owned).collect();
    if let Err(wrong) = codeweft_db::secret_rules::Allowed::new(None, &allowed) {
        return Some(format!("[secrets] allow: {wrong}"));
    }
    let patterns = values.get("exclude").map_or("", String::as_str);
    let patterns = patterns.lines().filter(|one| !one.is_empty());
    let wrong = codeweft_vfs::Exclude::new(root, patterns).err()?;
    Some(format!("[workspace] exclude: {wrong}"))
}

/// Returns the text of the file; `None` if there is no file.
fn text(path: &Path) -> Result<Option<String>, SettingsError> {
    let Some(path) = path.to_str() else {
        return Ok(None);
    };
    match codeweft_vfs::read_text(path, MAX_FILE, &CodingLines::default()) {
        Ok(text) => Ok(Some(text.text.to_string())),
        Err(codeweft_vfs::UnreadReason::Absent) => Ok(None),
        Err(reason) => Err(SettingsError::Unreadable(reason.to_string())),
    }
}
