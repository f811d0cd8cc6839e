//! Edits of Go workspaces, as texts: edits as people and tools make them, complete and half done.

use crate::{SeededRng, Texts};

/// The kind of an edit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum GoEditKind {
    /// Adds a statement to a body, of names that are in it.
    Body,
    /// Adds a call of another function of the package to a body.
    NewCall,
    /// Adds a comment line.
    Comment,
    /// Adds a blank line.
    BlankLine,
    /// Renames a parameter.
    RenameParameter,
    /// Adds a parameter to a function; its callers are unchanged.
    Signature,
    /// Adds a function.
    NewFunction,
    /// Removes a function.
    DeletedFunction,
    /// Adds a method, which may satisfy an interface.
    NewMethod,
    /// Adds a field to a struct.
    NewField,
    /// Adds a file to a package.
    NewFile,
    /// Removes a file.
    DeletedFile,
    /// Adds an unused import.
    ImportAdded,
    /// Removes an import; the uses of its name stay.
    ImportRemoved,
    /// Cuts a text off in its middle.
    Broken,
    /// Adds or removes a build constraint.
    Constraint,
    /// Adds an import that closes a cycle.
    Cycle,
}

impl GoEditKind {
    /// All kinds.
    pub const ALL: [GoEditKind; 17] = [
        GoEditKind::Body,
        GoEditKind::NewCall,
        GoEditKind::Comment,
        GoEditKind::BlankLine,
        GoEditKind::RenameParameter,
        GoEditKind::Signature,
        GoEditKind::NewFunction,
        GoEditKind::DeletedFunction,
        GoEditKind::NewMethod,
        GoEditKind::NewField,
        GoEditKind::NewFile,
        GoEditKind::DeletedFile,
        GoEditKind::ImportAdded,
        GoEditKind::ImportRemoved,
        GoEditKind::Broken,
        GoEditKind::Constraint,
        GoEditKind::Cycle,
    ];

    /// Returns whether the text is left invalid, as in the middle of typing.
    pub fn is_half_done(self) -> bool {
        matches!(self, GoEditKind::Broken | GoEditKind::Cycle)
    }
}

/// A change of one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit<Kind = GoEditKind> {
    /// The kind.
    pub kind: Kind,
    /// The file.
    pub path: String,
    /// Its text after the edit; `None` if the file is removed.
    pub text: Option<String>,
}

impl<Kind: Copy> Edit<Kind> {
    /// Applies the edit to texts.
    pub fn apply(&self, texts: &mut Texts) {
        match &self.text {
            Some(text) => texts.insert(self.path.clone(), text.clone()),
            None => texts.remove(&self.path),
        };
    }

    /// Returns the edit that undoes this one, given the texts before it.
    pub fn undo(&self, before: &Texts) -> Edit<Kind> {
        Edit {
            kind: self.kind,
            path: self.path.clone(),
            text: before.get(&self.path).cloned(),
        }
    }
}

/// Returns an edit of this kind at a random position of these texts; `None` if a few tries found no
/// position for one.
pub fn edit(rng: &mut SeededRng, texts: &Texts, kind: GoEditKind) -> Option<Edit> {
    let paths: Vec<&String> = texts.keys().filter(|path| path.ends_with(".go")).collect();
    (0..8).find_map(|_| {
        let path = *rng.one(&paths)?;
        let edited = GoEditing {
            rng,
            texts,
            path,
            lines: texts[path].lines().map(str::to_owned).collect(),
        };
        let (path, text) = edited.run(kind)?;
        (texts.get(&path) != text.as_ref()).then_some(Edit { kind, path, text })
    })
}

struct GoEditing<'a> {
    rng: &'a mut SeededRng,
    texts: &'a Texts,
    path: &'a str,
    lines: Vec<String>,
}

impl GoEditing<'_> {
    fn run(mut self, kind: GoEditKind) -> Option<(String, Option<String>)> {
        match kind {
            GoEditKind::Body => {
                let (first, _) = self.function()?;
                let statement = [
                    "\tprintln(1)",
                    "\tvar added int; _ = added",
                    "\tfor range 2 {\n\t}",
                ];
                let statement = (*self.rng.one(&statement)?).to_owned();
                self.lines.insert(first + 1, statement);
            }
            GoEditKind::NewCall => {
                let (first, _) = self.function()?;
                let callee = self.callee()?;
                self.lines.insert(first + 1, format!("\t_ = {callee}"));
            }
            GoEditKind::Comment => {
                let at = self.rng.below(self.lines.len() + 1);
                self.lines
                    .insert(at, format!("// note {}", self.rng.below(100)));
            }
            GoEditKind::BlankLine => {
                let at = self.rng.below(self.lines.len() + 1);
                self.lines.insert(at, String::new());
            }
            GoEditKind::RenameParameter => {
                let (first, last) = self.function()?;
                for line in &mut self.lines[first..=last] {
                    *line = with_word(line, "n", "number");
                }
            }
            GoEditKind::Signature => {
                let (first, _) = self.function()?;
                let line = &self.lines[first];
                let open = line.find("(n int)").or_else(|| line.find("(name string"))?;
                self.lines[first].insert_str(open + 1, "more string, ");
            }
            GoEditKind::NewFunction => {
                let at = self.between()?;
                let (name, callee) = (self.rng.below(1000), self.callee()?);
                let text = format!("func Added{name}(n int) {{\n\t_ = {callee}\n}}\n");
                self.lines.insert(at, text);
            }
            GoEditKind::DeletedFunction => {
                let (first, last) = self.function()?;
                self.lines.drain(first..=last);
            }
            GoEditKind::NewMethod => {
                let at = self.between()?;
                let item = self.declared("type Item", " struct")?;
                let name = ["Do(n int) int", "Count() int", "Label() string", "Do()"];
                let name = *self.rng.one(&name)?;
                self.lines.insert(
                    at,
                    format!("func (i Item{item}) {name} {{\n\tpanic(i)\n}}\n"),
                );
            }
            GoEditKind::NewField => {
                let at = self
                    .lines
                    .iter()
                    .position(|line| line.ends_with("struct {"))?;
                let field = ["\tmore int", "\t*Box[int]", "\tDoer0", "\tCount string"];
                let field = (*self.rng.one(&field)?).to_owned();
                self.lines.insert(at + 1, field);
            }
            GoEditKind::NewFile => {
                let folder = self.path.rsplit_once('/')?.0;
                let clause = self
                    .lines
                    .iter()
                    .find(|line| line.starts_with("package "))?;
                let number = self.rng.below(1000);
                let path = format!("{folder}/more{number}.go");
                let text = format!(
                    "{}\n\ntype More{number} struct {{\n\tItem0\n}}\n\nfunc (m *More{number}) Do(n int) int {{\n\treturn Default0.Do(n)\n}}\n",
                    clause.trim_end_matches("_test")
                );
                return Some((path, Some(text)));
            }
            GoEditKind::DeletedFile => return Some((self.path.to_owned(), None)),
            GoEditKind::ImportAdded => {
                let package = self.package()?;
                let folder = self
                    .rng
                    .one(&["p0", "absent", "internal/p1", "lib/deep/p2"])?;
                self.lines
                    .insert(package + 1, format!("import more \"m/{folder}\""));
            }
            GoEditKind::ImportRemoved => {
                let at = self
                    .lines
                    .iter()
                    .position(|line| line.starts_with("\t\"m/"))?;
                self.lines.remove(at);
            }
            GoEditKind::Broken => {
                let text = self.lines.join("\n");
                let mut cut = self.rng.below(text.len());
                while !text.is_char_boundary(cut) {
                    cut -= 1;
                }
                return Some((self.path.to_owned(), Some(text[..cut].to_owned())));
            }
            GoEditKind::Constraint => {
                if self.lines.first()?.starts_with("//go:build") {
                    self.lines.drain(..2);
                } else {
                    let constraint = *self.rng.one(&["ignore", "windows", "linux || plan9"])?;
                    self.lines.insert(0, format!("//go:build {constraint}\n"));
                }
            }
            GoEditKind::Cycle => {
                let package = self.package()?;
                let importer = self.importer()?;
                // Types close the cycle as well: declarations depend on each other over it.
                let text = format!(
                    "import ring \"m/{importer}\"\n\ntype Loop struct {{\n\tring.Item0\n}}\n\nvar looped = ring.Default0"
                );
                self.lines.insert(package + 1, text);
            }
        }
        let mut text = self.lines.join("\n");
        text.push('\n');
        Some((self.path.to_owned(), Some(text)))
    }

    /// Returns the first and last line of a function of more than one line.
    fn function(&mut self) -> Option<(usize, usize)> {
        let begin = |line: &String| line.starts_with("func ") && line.ends_with('{');
        let first: Vec<usize> = (0..self.lines.len())
            .filter(|&at| begin(&self.lines[at]))
            .collect();
        let first = *self.rng.one(&first)?;
        let length = self.lines[first..].iter().position(|line| line == "}")?;
        Some((first, first + length))
    }

    /// Returns a line between declarations.
    fn between(&mut self) -> Option<usize> {
        let lines: Vec<usize> = (1..self.lines.len())
            .filter(|&at| self.lines[at - 1] == "}")
            .collect();
        self.rng.one(&lines).copied()
    }

    fn package(&self) -> Option<usize> {
        self.lines
            .iter()
            .position(|line| line.starts_with("package "))
    }

    /// Returns the text between `before` and `after` in a line of the file.
    fn declared(&self, before: &str, after: &str) -> Option<String> {
        self.lines.iter().find_map(|line| {
            let name = line.strip_prefix(before)?.split_once(after)?.0;
            Some(name.to_owned())
        })
    }

    /// Returns a name that the package declares, as a callee.
    fn callee(&mut self) -> Option<String> {
        let folder = self.path.rsplit_once('/')?.0;
        let names: Vec<String> = self
            .texts
            .iter()
            .filter(|(path, _)| {
                path.rsplit_once('/')
                    .is_some_and(|(other, _)| other == folder)
            })
            .flat_map(|(_, text)| text.lines())
            .filter_map(|line| line.strip_prefix("func ")?.split_once("(n int)"))
            .filter(|(name, _)| !name.starts_with('('))
            .map(|(name, _)| format!("{name}(1)"))
            .chain([
                "Default0.Do(2)".into(),
                "Default0.Label()".into(),
                "nobody(3)".into(),
            ])
            .collect();
        self.rng.one(&names).cloned()
    }

    /// Returns the folder of a package that imports the file's own.
    fn importer(&mut self) -> Option<String> {
        let folder = self.path.rsplit_once('/')?.0;
        let import = format!("\"m/{folder}\"");
        let importers: Vec<&str> = self
            .texts
            .iter()
            .filter(|(path, text)| !path.ends_with("_test.go") && text.contains(&import))
            .filter_map(|(path, _)| Some(path.rsplit_once('/')?.0))
            .collect();
        self.rng.one(&importers).map(|folder| (*folder).to_owned())
    }
}

/// Returns a line with a word replaced by another.
fn with_word(line: &str, word: &str, other: &str) -> String {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(part) {
        let (before, from) = rest.split_at(at);
        let end = from.find(|c| !part(c)).unwrap_or(from.len());
        out.push_str(before);
        out.push_str(if &from[..end] == word {
            other
        } else {
            &from[..end]
        });
        rest = &from[end..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::{GoEditKind, edit, with_word};
    use crate::SeededRng;
    use crate::generate::{Size, workspace};

    #[test]
    fn every_kind_of_edit_finds_a_position_and_can_be_undone() {
        let texts = workspace(3, Size::SMALL);
        for kind in GoEditKind::ALL {
            let edit =
                edit(&mut SeededRng::new(5), &texts, kind).unwrap_or_else(|| panic!("{kind:?}"));
            let mut after = texts.clone();
            edit.apply(&mut after);
            assert_ne!(after, texts, "{kind:?}");
            edit.undo(&texts).apply(&mut after);
            assert_eq!(after, texts, "{kind:?}");
        }
    }

    #[test]
    fn a_word_is_not_found_inside_another() {
        assert_eq!(with_word("n + nn(n), n", "n", "m"), "m + nn(m), m");
    }
}
