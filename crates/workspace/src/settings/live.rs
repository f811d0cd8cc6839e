//! The settings of a live workspace: the file is read again whenever it has changed.
//!
//! ```text
//! at the start  no file: flags and environment   right: the file's   wrong: as without a file, and a warning
//! later         removed: flags and environment   right: the file's   wrong: those from before, and a warning
//! ```

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use super::{NAME, Settings, SettingsError, text};
use crate::project::FileStamp;
use crate::sync::lock;

/// The settings of a live workspace, which follow `codeweft.toml` at its root. The flags of the
/// command line keep winning over the file.
pub struct LiveSettings {
    root: String,
    flags: BTreeMap<String, String>,
    /// `None`: that of this process.
    variables: Option<BTreeMap<String, String>>,
    seen: Mutex<SeenFile>,
}

/// The file when it was last read, and what follows from it.
struct SeenFile {
    /// The stamp before it was read; `None` if there was no file.
    stamp: Option<FileStamp>,
    text: Result<Option<String>, SettingsError>,
    current: Arc<CurrentSettings>,
}

/// The settings that apply now.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CurrentSettings {
    /// The settings.
    pub settings: Settings,
    /// What is wrong with the file or the environment, so that its values do not apply.
    pub warning: Option<SettingsWarning>,
}

/// A warning that settings do not apply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingsWarning {
    /// Whether the file is wrong; else a variable of the environment is.
    pub is_of_file: bool,
    /// The line of the file, 1-based, if it is one line's.
    pub line: Option<usize>,
    /// What is wrong, and which settings apply instead; a sentence for people.
    pub words: String,
}

impl SettingsWarning {
    /// Returns the words without the file and the line that they begin with.
    pub fn message(&self) -> &str {
        let begin = match self.line {
            Some(line) => format!("{NAME}:{line}: "),
            None => format!("{NAME}: "),
        };
        self.words.strip_prefix(&begin).unwrap_or(&self.words)
    }

    fn new(error: &SettingsError, instead: &str) -> SettingsWarning {
        let words = error.to_string();
        let is_of_file = words.starts_with(NAME);
        SettingsWarning {
            is_of_file,
            line: match error {
                SettingsError::File(error) => Some(error.line),
                SettingsError::Unreadable(_) | SettingsError::Value(_) => None,
            },
            words: if is_of_file {
                format!("{words}; {instead}")
            } else {
                words
            },
        }
    }
}

impl LiveSettings {
    /// Reads the settings of the workspace at `root` (absolute), as [`Settings::find`]. A file that is
    /// wrong counts as none, with a warning.
    pub fn find(
        root: &str,
        flags: &BTreeMap<String, String>,
        variables: Option<BTreeMap<String, String>>,
    ) -> LiveSettings {
        let stamp = FileStamp::of(&file_of(root));
        let text = text(Path::new(&file_of(root)));
        let (settings, error) = Settings::lenient(root, text.clone(), flags, variables.as_ref());
        let warning = error.map(|error| SettingsWarning::new(&error, "the file counts as none"));
        LiveSettings {
            root: root.to_owned(),
            flags: flags.clone(),
            variables,
            seen: Mutex::new(SeenFile {
                stamp,
                text,
                current: Arc::new(CurrentSettings { settings, warning }),
            }),
        }
    }

    /// Returns the settings when the file was last read.
    pub fn current(&self) -> Arc<CurrentSettings> {
        lock(&self.seen).current.clone()
    }

    /// Reads the file again if it may have changed. Returns whether other settings or another warning
    /// follow.
    pub(crate) fn look(&self) -> bool {
        let mut seen = lock(&self.seen);
        let path = file_of(&self.root);
        let stamp = FileStamp::of(&path);
        let unchanged = match seen.stamp {
            Some(before) => before.holds(stamp),
            None => stamp.is_none(),
        };
        if unchanged {
            return false;
        }
        let text = text(Path::new(&path));
        seen.stamp = stamp;
        if seen.text == text {
            return false;
        }
        let found = text.clone().and_then(|text| {
            Settings::of_text(
                &self.root,
                text.as_deref(),
                &self.flags,
                self.variables.as_ref(),
            )
        });
        seen.text = text;
        let current = match found {
            Ok(settings) => CurrentSettings {
                settings,
                warning: None,
            },
            Err(error) => CurrentSettings {
                settings: seen.current.settings.clone(),
                warning: Some(SettingsWarning::new(
                    &error,
                    "the settings from before it hold",
                )),
            },
        };
        if *seen.current == current {
            return false;
        }
        seen.current = Arc::new(current);
        true
    }
}

/// Returns the path of the file of the workspace at `root`.
fn file_of(root: &str) -> String {
    format!("{}/{NAME}", root.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_file_keeps_the_settings_from_before_and_flags_win_over_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = std::fs::canonicalize(folder.path()).expect("there");
        let root = root.to_str().expect("UTF-8");
        let file = folder.path().join(NAME);
        let write = |text: &str| std::fs::write(&file, text).expect("written");
        let flags = BTreeMap::from([("tags".to_owned(), "flag".to_owned())]);
        write("[go]\ngoss = 1\n");
        let live = LiveSettings::find(root, &flags, Some(BTreeMap::new()));
        let value = |key: &str| live.current().settings.values.get(key).cloned();
        let warning = || {
            let current = live.current();
            let warning = current.warning.clone();
            warning.map(|warning| (warning.line, warning.words))
        };
        let (line, words) = warning().expect("a warning");
        assert_eq!(line, Some(2));
        assert!(
            words.ends_with("nearest: goos; the file counts as none"),
            "{words}"
        );
        assert_eq!(value("goos"), None);

        write("[go]\ngoos = \"windows\"\ntags = [\"file\"]\n");
        assert!(live.look());
        assert!(!live.look());
        assert_eq!(warning(), None);
        assert_eq!(value("goos").as_deref(), Some("windows"));
        assert_eq!(value("tags").as_deref(), Some("flag"));

        write("[go]\ngoos = \"windws\"\n");
        assert!(live.look());
        let (line, words) = warning().expect("a warning");
        assert_eq!(line, None);
        assert_eq!(
            words,
            "codeweft.toml: [go] goos: `windws` is not known to Go; nearest: windows; \
             the settings from before it hold"
        );
        assert_eq!(value("goos").as_deref(), Some("windows"));

        std::fs::remove_file(&file).expect("there");
        assert!(live.look());
        assert_eq!((warning(), value("goos")), (None, None));
        assert!(!live.look());
    }
}
