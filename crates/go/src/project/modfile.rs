//! Parsing of `go.mod` and `go.work` (Go Modules Reference, "go.mod files" and "go.work files").

use super::versions::minor_release;

/// The directives of a `go.mod` or `go.work` that decide where packages are found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ModFile {
    /// The path of the module; empty in a `go.work` or if the line is missing.
    pub(super) module: String,
    /// The minor release of the `go` line.
    pub(super) go: Option<u32>,
    /// The required modules: path, version.
    pub(super) require: Vec<(String, String)>,
    /// The replacements, in text order.
    pub(super) replace: Vec<Replace>,
    /// The excluded modules: path, version.
    pub(super) exclude: Vec<(String, String)>,
    /// The folders of a `go.work`, as written.
    pub(super) used: Vec<String>,
    /// The 1-based lines that could not be parsed.
    pub(super) bad_lines: Vec<u32>,
}

/// A replacement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Replace {
    /// The module that is replaced.
    pub(super) path: String,
    /// The version that is replaced; `None` for all.
    pub(super) version: Option<String>,
    /// The replacement.
    pub(super) by: Replacement,
}

/// The target of a replacement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Replacement {
    /// A folder, as written.
    Folder(String),
    /// A module: path, version.
    Module(String, String),
}

impl ModFile {
    /// Parses a text; lines that cannot be parsed are reported and skipped.
    pub(super) fn read(text: &str) -> ModFile {
        let mut file = ModFile::default();
        let mut block: Option<String> = None;
        for (number, line) in (1..).zip(text.lines()) {
            let mut words = words(line);
            let directive = match (&block, words.as_slice()) {
                (_, []) => continue,
                (Some(_), [close]) if close == ")" => {
                    block = None;
                    continue;
                }
                (Some(directive), _) => directive.clone(),
                (None, [directive, open]) if open == "(" => {
                    block = Some(directive.clone());
                    continue;
                }
                (None, _) => words.remove(0),
            };
            if file.take(&directive, &words).is_none() {
                file.bad_lines.push(number);
            }
        }
        file
    }

    /// Applies one line; `None` if it cannot be parsed. Directives that do not affect where
    /// packages are found (`toolchain`, `retract`, `tool`, …) are skipped.
    fn take(&mut self, directive: &str, words: &[String]) -> Option<()> {
        let pair = || match words {
            [path, version] => Some((path.clone(), version.clone())),
            _ => None,
        };
        match (directive, words) {
            ("module", [path]) => self.module = path.clone(),
            ("go", [version]) => self.go = Some(minor_release(version)?),
            ("require", _) => self.require.push(pair()?),
            ("exclude", _) => self.exclude.push(pair()?),
            ("use", [folder]) => self.used.push(folder.clone()),
            ("replace", _) => self.replace.push(Replace::read(words)?),
            ("module" | "go" | "use", _) => return None,
            _ => {}
        }
        Some(())
    }
}

impl Replace {
    fn read(words: &[String]) -> Option<Replace> {
        let arrow = words.iter().position(|word| word == "=>")?;
        let (path, version) = match &words[..arrow] {
            [path] => (path.clone(), None),
            [path, version] => (path.clone(), Some(version.clone())),
            _ => return None,
        };
        let by = match &words[arrow + 1..] {
            [folder] => Replacement::Folder(folder.clone()),
            [path, version] => Replacement::Module(path.clone(), version.clone()),
            _ => return None,
        };
        Some(Replace { path, version, by })
    }
}

/// Returns the words of a line without its comment, strings without their quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let len = match first {
            _ if rest.starts_with("//") => break,
            _ if rest.starts_with("=>") => 2,
            '"' | '`' => {
                let inner = &rest[1..];
                // An unterminated string extends to the end of the line.
                let end = inner.find(first).unwrap_or(inner.len());
                words.push(inner[..end].to_owned());
                rest = inner.get(end + 1..).unwrap_or("").trim_start();
                continue;
            }
            '(' | ')' | '[' | ']' | ',' => 1,
            _ => rest
                .char_indices()
                .find(|&(at, c)| {
                    c.is_whitespace() || "()[],".contains(c) || rest[at..].starts_with("//")
                })
                .map_or(rest.len(), |(at, _)| at),
        };
        words.push(rest[..len].to_owned());
        rest = rest[len..].trim_start();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_blocks_comments_and_strings_are_read() {
        let file = ModFile::read(
            r#"// Deprecated: no.
module "example.com/m" // the module
go 1.21.3
toolchain go1.22.0
require example.com/a v1.0.0
require (
	example.com/b v1.1.0 // indirect
	// example.com/no v1.0.0

	`example.com/c` v0.0.0-20200101000000-abcdefabcdef
)
exclude example.com/b v1.2.0
replace example.com/a => ../a
replace (
	example.com/b v1.1.0 => example.com/fork v1.1.1
)
retract [v1.0.0, v1.0.5] // bad
tool example.com/a/cmd/t
"#,
        );
        assert_eq!((file.module.as_str(), file.go), ("example.com/m", Some(21)));
        let required: Vec<_> = file.require.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(
            required,
            ["example.com/a", "example.com/b", "example.com/c"]
        );
        assert_eq!(file.exclude, [("example.com/b".into(), "v1.2.0".into())]);
        assert_eq!(file.replace[0].by, Replacement::Folder("../a".into()));
        assert_eq!(file.replace[1].version.as_deref(), Some("v1.1.0"));
        assert_eq!(
            file.replace[1].by,
            Replacement::Module("example.com/fork".into(), "v1.1.1".into())
        );
        assert!(file.bad_lines.is_empty());
    }

    #[test]
    fn the_folders_of_a_workspace_file_are_read() {
        let file = ModFile::read("go 1.22\nuse ./a\nuse (\n\t./b\n\t../c\n)\n");
        assert_eq!(file.used, ["./a", "./b", "../c"]);
    }

    #[test]
    fn lines_that_cannot_be_parsed_are_reported_and_skipped() {
        let file = ModFile::read("module m\r\nrequire x\r\ngo one\r\nrequire y v1.0.0\r\n\"");
        assert_eq!(file.bad_lines, [2, 3]);
        assert_eq!(file.require, [("y".into(), "v1.0.0".into())]);
        assert_eq!(file.module, "m");
    }
}
