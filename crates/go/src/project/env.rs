//! The settings, the environment and the variables of `go env -w` (`go help environment`).

use std::collections::BTreeMap;

use crate::settings::GoSettings;
use codeweft_db::{FileSystem, LayoutInput, UnknownValue};

use super::paths::join;
use super::tags::{KNOWN_ARCH, KNOWN_OS};

/// The separator in lists of folders.
pub(super) const LIST_SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };

/// Returns the printed build configuration of these settings and this environment.
///
/// # Errors Returns an operating system or architecture that no release of Go has had
/// (`internal/syslist`).
pub fn configured(
    reader: &dyn FileSystem,
    settings: &BTreeMap<String, String>,
) -> Result<String, UnknownValue> {
    let env = Environment::of(reader, settings);
    let (goos, goarch) = (env.goos(), env.goarch());
    let check = |key, variable, value: &String, known: &'static [&'static str]| {
        let unknown = UnknownValue {
            key,
            variable: env.setting(key).is_none().then_some(variable),
            value: value.clone(),
            known,
        };
        if known.contains(&value.as_str()) {
            Ok(())
        } else {
            Err(unknown)
        }
    };
    check("goos", "GOOS", &goos, &KNOWN_OS)?;
    check("goarch", "GOARCH", &goarch, &KNOWN_ARCH)?;
    let settings = GoSettings {
        goos,
        goarch,
        cgo: env.cgo(),
        tags: env.tags(),
        release: 0,
        experiments: Vec::new(),
    };
    Ok(settings.printed())
}

/// The configuration variables, from the source of highest precedence.
pub(super) struct Environment<'a> {
    reader: &'a dyn FileSystem,
    settings: &'a BTreeMap<String, String>,
    /// The variables written by `go env -w`.
    written: BTreeMap<String, String>,
}

impl<'a> Environment<'a> {
    pub(super) fn new(input: &LayoutInput<'a>) -> Environment<'a> {
        Environment::of(input.reader, input.settings)
    }

    /// Returns the environment of the settings and a file system.
    pub(super) fn of(
        reader: &'a dyn FileSystem,
        settings: &'a BTreeMap<String, String>,
    ) -> Environment<'a> {
        let mut env = Environment {
            reader,
            settings,
            written: BTreeMap::new(),
        };
        env.written = env.written_variables().unwrap_or_default();
        env
    }

    fn written_variables(&self) -> Option<BTreeMap<String, String>> {
        let text = match self.reader.variable("GOENV") {
            Some(off) if off == "off" => None,
            Some(path) => self.reader.read(&path),
            None => {
                let home = self.home();
                let below_home = |path: &str| home.as_deref().map(|home| join(home, path));
                [
                    self.reader.variable("XDG_CONFIG_HOME"),
                    below_home(".config"),
                    below_home("Library/Application Support"),
                    self.reader.variable("AppData"),
                ]
                .into_iter()
                .flatten()
                .find_map(|folder| self.reader.read(&join(&folder, "go/env")))
            }
        }?;
        let variables = text.lines().filter_map(|line| {
            let (name, value) = line.trim().split_once('=')?;
            (!name.starts_with('#')).then(|| (name.to_owned(), value.to_owned()))
        });
        Some(variables.collect())
    }

    /// Returns a setting by key; an empty one counts as unset.
    pub(super) fn setting(&self, key: &str) -> Option<&'a str> {
        self.settings
            .get(key)
            .map(|value| value.as_str())
            .filter(|value| !value.is_empty())
    }

    /// Returns a variable of the environment, else of `go env -w`.
    pub(super) fn variable(&self, name: &str) -> Option<String> {
        self.reader
            .variable(name)
            .or_else(|| self.written.get(name).cloned())
            .filter(|value| !value.is_empty())
    }

    /// Returns the value of a flag in GOFLAGS: `vendor` of `-mod=vendor`.
    pub(super) fn flag(&self, name: &str) -> Option<String> {
        let flags = self.variable("GOFLAGS")?;
        flags.split_whitespace().rev().find_map(|flag| {
            let flag = flag.trim_start_matches('-').strip_prefix(name)?;
            flag.strip_prefix('=').map(str::to_owned)
        })
    }

    /// Returns the user's home folder.
    pub(super) fn home(&self) -> Option<String> {
        self.reader
            .variable("HOME")
            .or_else(|| self.reader.variable("USERPROFILE"))
            .map(|home| home.replace('\\', "/"))
    }

    /// Returns the folders of GOPATH, by default `~/go`.
    pub(super) fn gopath(&self) -> Vec<String> {
        let list = self
            .variable("GOPATH")
            .or_else(|| Some(join(&self.home()?, "go")));
        list.iter()
            .flat_map(|list| list.split(LIST_SEPARATOR))
            .filter(|folder| !folder.is_empty())
            .map(|folder| folder.replace('\\', "/").trim_end_matches('/').to_owned())
            .collect()
    }

    /// Returns the module cache: the setting `modcache`, GOMODCACHE, else `pkg/mod` in the first
    /// folder of GOPATH.
    pub(super) fn modcache(&self) -> Option<String> {
        self.setting("modcache")
            .map(str::to_owned)
            .or_else(|| self.variable("GOMODCACHE"))
            .or_else(|| Some(join(self.gopath().first()?, "pkg/mod")))
            .map(|folder| folder.replace('\\', "/"))
    }

    /// Returns the target operating system: the setting, GOOS, else that of this machine.
    pub(super) fn goos(&self) -> String {
        self.setting("goos")
            .map(str::to_owned)
            .or_else(|| self.variable("GOOS"))
            .unwrap_or_else(|| match std::env::consts::OS {
                "macos" => "darwin".to_owned(),
                os => os.to_owned(),
            })
    }

    /// Returns the target architecture: the setting, GOARCH, else that of this machine.
    pub(super) fn goarch(&self) -> String {
        self.setting("goarch")
            .map(str::to_owned)
            .or_else(|| self.variable("GOARCH"))
            .unwrap_or_else(|| {
                let little = cfg!(target_endian = "little");
                match std::env::consts::ARCH {
                    "x86" => "386",
                    "x86_64" => "amd64",
                    "aarch64" => "arm64",
                    "loongarch64" => "loong64",
                    "powerpc64" if little => "ppc64le",
                    "powerpc64" => "ppc64",
                    "mips" if little => "mipsle",
                    "mips64" if little => "mips64le",
                    "wasm32" => "wasm",
                    arch => arch,
                }
                .to_owned()
            })
    }

    /// Returns the build tags: the setting `tags`, else `-tags` of GOFLAGS; separated by commas or
    /// blanks.
    pub(super) fn tags(&self) -> Vec<String> {
        let list = self
            .setting("tags")
            .map(str::to_owned)
            .or_else(|| self.flag("tags"))
            .unwrap_or_default();
        let mut tags: Vec<String> = list
            .split([',', ' '])
            .filter(|tag| !tag.is_empty())
            .map(str::to_owned)
            .collect();
        tags.sort_unstable();
        tags.dedup();
        tags
    }

    /// Returns whether files that import "C" are included: only if the settings say so.
    pub(super) fn cgo(&self) -> bool {
        matches!(self.setting("cgo"), Some("true" | "1"))
    }
}
