//! Edits of workspaces, as texts: what people and tools type, and what they leave half done.

use crate::{SeededRng, Texts};

/// What an edit does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum GoEditKind {
    /// A statement in a body, of names that stand there.
    Body,
    /// A call of another function of the package typed into a body.
    NewCall,
    /// A line of comment.
    Comment,
    /// A blank line.
    BlankLine,
    /// A parameter gets another name.
    RenameParameter,
    /// A function gets one more parameter; its callers stay as they are.
    Signature,
    /// A function more.
    NewFunction,
    /// A function less.
    DeletedFunction,
    /// A method more, which may satisfy an interface.
    NewMethod,
    /// A field more in a struct.
    NewField,
    /// A file more in a package.
    NewFile,
    /// A file less.
    DeletedFile,
    /// An import more, unused.
    ImportAdded,
    /// An import less; what named it stays.
    ImportRemoved,
    /// A text cut off in its middle.
    Broken,
    /// A build constraint set or taken away.
    Constraint,
    /// An import that closes a ring.
    Cycle,
}

impl GoEditKind {
    /// All of them.
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

    /// Whether nobody would leave a text so.
    pub fn is_half_done(self) -> bool {
        matches!(self, GoEditKind::Broken | GoEditKind::Cycle)
    }
}

/// One change of one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit<Kind = GoEditKind> {
    /// What it does.
    pub kind: Kind,
    /// The file.
    pub path: String,
    /// Its text after the edit; `None`: the file goes.
    pub text: Option<String>,
}

impl<Kind: Copy> Edit<Kind> {
    /// Does it to texts.
    pub fn apply(&self, texts: &mut Texts) {
        match &self.text {
            Some(text) => texts.insert(self.path.clone(), text.clone()),
            None => texts.remove(&self.path),
        };
    }

    /// The edit that takes this one back, when texts are still as they were before it.
    pub fn undo(&self, before: &Texts) -> Edit<Kind> {
        Edit {
            kind: self.kind,
            path: self.path.clone(),
            text: before.get(&self.path).cloned(),
        }
    }
}

/// An edit of this kind somewhere in these texts; `None` where a few looks found no place for one.
pub fn edit(lot: &mut SeededRng, texts: &Texts, kind: GoEditKind) -> Option<Edit> {
    let paths: Vec<&String> = texts.keys().filter(|path| path.ends_with(".go")).collect();
    (0..8).find_map(|_| {
        let path = *lot.one(&paths)?;
        let edited = GoEditing {
            lot,
            texts,
            path,
            lines: texts[path].lines().map(str::to_owned).collect(),
        };
        let (path, text) = edited.run(kind)?;
        (texts.get(&path) != text.as_ref()).then_some(Edit { kind, path, text })
    })
}

struct GoEditing<'a> {
    lot: &'a mut SeededRng,
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
                let statement = (*self.lot.one(&statement)?).to_owned();
                self.lines.insert(first + 1, statement);
            }
            GoEditKind::NewCall => {
                let (first, _) = self.function()?;
                let callee = self.callee()?;
                self.lines.insert(first + 1, format!("\t_ = {callee}"));
            }
            GoEditKind::Comment => {
                let at = self.lot.below(self.lines.len() + 1);
                self.lines
                    .insert(at, format!("// note {}", self.lot.below(100)));
            }
            GoEditKind::BlankLine => {
                let at = self.lot.below(self.lines.len() + 1);
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
                let (name, callee) = (self.lot.below(1000), self.callee()?);
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
                let name = *self.lot.one(&name)?;
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
                let field = (*self.lot.one(&field)?).to_owned();
                self.lines.insert(at + 1, field);
            }
            GoEditKind::NewFile => {
                let folder = self.path.rsplit_once('/')?.0;
                let clause = self
                    .lines
                    .iter()
                    .find(|line| line.starts_with("package "))?;
                let number = self.lot.below(1000);
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
                    .lot
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
                let mut cut = self.lot.below(text.len());
                while !text.is_char_boundary(cut) {
                    cut -= 1;
                }
                return Some((self.path.to_owned(), Some(text[..cut].to_owned())));
            }
            GoEditKind::Constraint => match self.lines.first()?.starts_with("//go:build") {
                true => {
                    self.lines.drain(..2);
                }
                false => {
                    let constraint = *self.lot.one(&["ignore", "windows", "linux || plan9"])?;
                    self.lines.insert(0, format!("//go:build {constraint}\n"));
                }
            },
            GoEditKind::Cycle => {
                let package = self.package()?;
                let importer = self.importer()?;
                // Types close the ring as well: declarations need each other over it.
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

    /// The first and last line of a function of more than one line.
    fn function(&mut self) -> Option<(usize, usize)> {
        let begin = |line: &String| line.starts_with("func ") && line.ends_with('{');
        let first: Vec<usize> = (0..self.lines.len())
            .filter(|&at| begin(&self.lines[at]))
            .collect();
        let first = *self.lot.one(&first)?;
        let length = self.lines[first..].iter().position(|line| line == "}")?;
        Some((first, first + length))
    }

    /// A line between declarations.
    fn between(&mut self) -> Option<usize> {
        let places: Vec<usize> = (1..self.lines.len())
            .filter(|&at| self.lines[at - 1] == "}")
            .collect();
        self.lot.one(&places).copied()
    }

    fn package(&self) -> Option<usize> {
        self.lines
            .iter()
            .position(|line| line.starts_with("package "))
    }

    /// What stands between `before` and `after` in a line of the file.
    fn declared(&self, before: &str, after: &str) -> Option<String> {
        self.lines.iter().find_map(|line| {
            let name = line.strip_prefix(before)?.split_once(after)?.0;
            Some(name.to_owned())
        })
    }

    /// A name that the package declares, as something to call.
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
        self.lot.one(&names).cloned()
    }

    /// The folder of a package that imports the file's own.
    fn importer(&mut self) -> Option<String> {
        let folder = self.path.rsplit_once('/')?.0;
        let import = format!("\"m/{folder}\"");
        let importers: Vec<&str> = self
            .texts
            .iter()
            .filter(|(path, text)| !path.ends_with("_test.go") && text.contains(&import))
            .filter_map(|(path, _)| Some(path.rsplit_once('/')?.0))
            .collect();
        self.lot.one(&importers).map(|folder| (*folder).to_owned())
    }
}

/// A line where a word stands for another.
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
    fn every_kind_of_edit_finds_a_place_and_is_undone() {
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
    fn a_word_is_not_a_part_of_another() {
        assert_eq!(with_word("n + nn(n), n", "n", "m"), "m + nn(m), m");
    }
}
