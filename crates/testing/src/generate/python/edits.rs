//! Edits of Python texts: edits as people and tools make them, complete and half done.

use super::code::{ATTRIBUTES, METHODS, NamesInScope};
use crate::generate::Edit;
use crate::{SeededRng, Texts};

/// The kind of an edit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PythonEditKind {
    /// Adds a call to a body.
    NewCall,
    /// Adds a comment line.
    Comment,
    /// Adds a blank line.
    BlankLine,
    /// Changes a literal in a body.
    Literal,
    /// Changes the result of a function.
    Return,
    /// Adds a store into an attribute of `self`.
    Store,
    /// Changes the bases of a class.
    Bases,
    /// Renames a function or class; its uses stay.
    Renamed,
    /// Annotates a parameter.
    Annotation,
    /// Decorates a function.
    Decorated,
    /// Adds a function that only this module has.
    NewFunction,
    /// Adds a method.
    NewMethod,
    /// Removes a function or class.
    Deleted,
    /// Adds an import.
    ImportAdded,
    /// Adds a star import.
    StarAdded,
    /// Removes an import; the uses of its name stay.
    ImportRemoved,
    /// Changes `__all__`.
    All,
    /// Rebinds a variable of the module, in a branch or not.
    Rebound,
    /// Adds a module, or a stub for one.
    NewFile,
    /// Removes a module.
    DeletedFile,
    /// Removes or adds the `__init__` of a package.
    Init,
    /// Cuts a text off in its middle.
    Broken,
    /// Adds an unclosed bracket.
    Unclosed,
}

impl PythonEditKind {
    /// All kinds.
    pub const ALL: [PythonEditKind; 23] = [
        PythonEditKind::NewCall,
        PythonEditKind::Comment,
        PythonEditKind::BlankLine,
        PythonEditKind::Literal,
        PythonEditKind::Return,
        PythonEditKind::Store,
        PythonEditKind::Bases,
        PythonEditKind::Renamed,
        PythonEditKind::Annotation,
        PythonEditKind::Decorated,
        PythonEditKind::NewFunction,
        PythonEditKind::NewMethod,
        PythonEditKind::Deleted,
        PythonEditKind::ImportAdded,
        PythonEditKind::StarAdded,
        PythonEditKind::ImportRemoved,
        PythonEditKind::All,
        PythonEditKind::Rebound,
        PythonEditKind::NewFile,
        PythonEditKind::DeletedFile,
        PythonEditKind::Init,
        PythonEditKind::Broken,
        PythonEditKind::Unclosed,
    ];

    /// Returns whether the text is left invalid, as in the middle of typing.
    pub fn is_half_done(self) -> bool {
        matches!(self, PythonEditKind::Broken | PythonEditKind::Unclosed)
    }
}

/// Returns an edit of this kind at a random position of these texts; `None` if a few tries found no
/// position for one.
pub fn edit(
    rng: &mut SeededRng,
    texts: &Texts,
    kind: PythonEditKind,
) -> Option<Edit<PythonEditKind>> {
    let paths: Vec<&String> = texts.keys().filter(|path| path.ends_with(".py")).collect();
    (0..12).find_map(|_| {
        let path = *rng.one(&paths)?;
        let edited = PythonEditing {
            rng,
            texts,
            path,
            lines: texts[path].lines().map(str::to_owned).collect(),
        };
        let (path, text) = edited.run(kind)?;
        (texts.get(&path) != text.as_ref()).then_some(Edit { kind, path, text })
    })
}

struct PythonEditing<'a> {
    rng: &'a mut SeededRng,
    texts: &'a Texts,
    path: &'a str,
    lines: Vec<String>,
}

impl PythonEditing<'_> {
    fn run(mut self, kind: PythonEditKind) -> Option<(String, Option<String>)> {
        match kind {
            PythonEditKind::NewCall => {
                let (def, indent) = self.def(|_| true)?;
                let object = self.object();
                let method = METHODS[self.rng.below(METHODS.len())];
                let line = format!("{indent}    fresh = {object}.{method}()");
                self.lines.insert(def + 1, line);
            }
            PythonEditKind::Comment => {
                let at = self.rng.below(self.lines.len() + 1);
                let line = format!("# note {}", self.rng.below(100));
                self.lines.insert(at, line);
            }
            PythonEditKind::BlankLine => {
                let at = self.rng.below(self.lines.len() + 1);
                self.lines.insert(at, String::new());
            }
            PythonEditKind::Literal => {
                let (def, indent) = self.def(|_| true)?;
                let line = format!("{indent}    number = {}", self.rng.below(1000));
                self.lines.insert(def + 1, line);
            }
            PythonEditKind::Return => {
                let object = self.object();
                let at = self.line(|line| line.trim_start().starts_with("return "))?;
                let (before, _) = self.lines[at].split_once("return ")?;
                self.lines[at] = format!("{before}return {object}");
            }
            PythonEditKind::Store => {
                let (def, indent) = self.def(|line| line.contains("(self"))?;
                let object = self.object();
                let names = [&ATTRIBUTES[..], &["fresh"]].concat();
                let name = *self.rng.one(&names)?;
                let line = format!("{indent}    self.{name} = {object}");
                self.lines.insert(def + 1, line);
            }
            PythonEditKind::Bases => {
                let at = self.line(|line| line.starts_with("class "))?;
                let name = self.declared(at)?;
                let bases = match self.rng.below(5) {
                    0 => String::new(),
                    1 => "(absent_name)".into(),
                    _ => format!("({})", self.names().classes[self.rng.below(2)]),
                };
                self.lines[at] = format!("class {name}{bases}:");
            }
            PythonEditKind::Renamed => {
                let at = self.line(declares)?;
                let name = self.declared(at)?;
                let other = *self.rng.one(&["renamed", "peer", "Item", "make"])?;
                self.lines[at] = self.lines[at].replacen(&name, other, 1);
            }
            PythonEditKind::Annotation => {
                let at = self.line(|line| line.contains("it=None"))?;
                let class = self.names().classes[0].clone();
                self.lines[at] =
                    self.lines[at].replacen("it=None", &format!("it: '{class}' = None"), 1);
            }
            PythonEditKind::Decorated => {
                let (def, indent) = self.def(|_| true)?;
                let name = *self.rng.one(&[
                    "unknown",
                    "traced",
                    "property",
                    "contextmanager",
                    "staticmethod",
                ])?;
                self.lines.insert(def, format!("{indent}@{name}"));
            }
            PythonEditKind::NewFunction => {
                let (number, object) = (self.rng.below(1000), self.object());
                let text = format!("\n\ndef _added{number}(it=None):\n    return {object}");
                self.lines.push(text);
            }
            PythonEditKind::NewMethod => {
                let (def, indent) = self.def(|line| line.contains("(self"))?;
                let names = [
                    "peer",
                    "__post_init__",
                    "__getattr__",
                    "__new__",
                    "__enter__",
                    "close",
                ];
                let name = *self.rng.one(&names)?;
                let object = self.object();
                let text =
                    format!("{indent}def {name}(self, other=None):\n{indent}    return {object}\n");
                let before = self.lines.get(def.checked_sub(1)?)?;
                if before.trim_start().starts_with('@') {
                    return None;
                }
                self.lines.insert(def, text);
            }
            PythonEditKind::Deleted => {
                let at = self.line(declares)?;
                let indent = indent(&self.lines[at]).len();
                let inside = |line: &&String| {
                    line.is_empty() || line.len() - line.trim_start().len() > indent
                };
                let length = self.lines[at + 1..].iter().take_while(inside).count();
                let from = self.lines[..at]
                    .iter()
                    .rposition(|line| !line.trim_start().starts_with('@'));
                self.lines
                    .drain(from.map_or(at, |at| at + 1)..at + 1 + length);
            }
            PythonEditKind::ImportAdded => {
                let module = self.module()?;
                let name = *self
                    .rng
                    .one(&["Item", "make", "CURRENT", "renew", "nobody"])?;
                let line = match self.rng.below(3) {
                    0 => format!("import {module}"),
                    1 => format!("from {module} import {name}"),
                    _ => format!("if count:\n    from {module} import {name}"),
                };
                self.import(line);
            }
            PythonEditKind::StarAdded => {
                let module = self.module()?;
                self.import(format!("from {module} import *"));
            }
            PythonEditKind::ImportRemoved => {
                let at =
                    self.line(|line| line.starts_with("from ") || line.starts_with("import "))?;
                self.lines.remove(at);
            }
            PythonEditKind::All => match self.line(|line| line.starts_with("__all__")) {
                Some(at) if self.rng.chance(1, 2) => {
                    self.lines.remove(at);
                }
                _ => {
                    let name = *self
                        .rng
                        .one(&["Item", "make", "DEFAULT", "count", "nobody"])?;
                    let line = match self.rng.below(3) {
                        0 => format!("__all__ = ['{name}']"),
                        1 => format!("__all__ += ['{name}']"),
                        _ => format!("__all__.remove('{name}')"),
                    };
                    self.lines.push(line);
                }
            },
            PythonEditKind::Rebound => {
                let name = *self.rng.one(&["Item", "make", "DEFAULT", "CURRENT"])?;
                let object = self.object();
                let line = match self.rng.below(3) {
                    0 => format!("{name} = {object}"),
                    1 => format!("if count:\n    {name} = {object}"),
                    _ => format!("def _set(it):\n    global {name}\n    {name} = {object}"),
                };
                self.lines.push(line);
            }
            PythonEditKind::NewFile => return Some(self.file()),
            PythonEditKind::DeletedFile => return Some((self.path.to_owned(), None)),
            PythonEditKind::Init => {
                let folder = self.path.rsplit_once('/')?.0;
                let path = format!("{folder}/__init__.py");
                let text = if self.texts.contains_key(&path) {
                    None
                } else {
                    Some("from .m0 import *\n".to_owned())
                };
                return Some((path, text));
            }
            PythonEditKind::Broken => {
                let text = self.lines.join("\n");
                let mut cut = self.rng.below(text.len());
                while !text.is_char_boundary(cut) {
                    cut -= 1;
                }
                return Some((self.path.to_owned(), Some(text[..cut].to_owned())));
            }
            PythonEditKind::Unclosed => {
                let (def, indent) = self.def(|_| true)?;
                let object = self.object();
                let bracket = *self.rng.one(&["(", "[", "{", "f\"{", "'''"])?;
                self.lines
                    .insert(def + 1, format!("{indent}    broken = {bracket}{object}"));
            }
        }
        let mut text = self.lines.join("\n");
        text.push('\n');
        Some((self.path.to_owned(), Some(text)))
    }

    /// Returns a random line of those that fit.
    fn line(&mut self, fits: impl Fn(&str) -> bool) -> Option<usize> {
        let lines: Vec<usize> = (0..self.lines.len())
            .filter(|&at| fits(&self.lines[at]))
            .collect();
        self.rng.one(&lines).copied()
    }

    /// Returns the line of a function's `def`, and its indentation.
    fn def(&mut self, fits: impl Fn(&str) -> bool) -> Option<(usize, String)> {
        let is_def = |line: &str| {
            let line = line.trim_start();
            (line.starts_with("def ") || line.starts_with("async def ")) && line.ends_with(':')
        };
        let at = self.line(|line| is_def(line) && fits(line))?;
        Some((at, indent(&self.lines[at]).to_owned()))
    }

    /// Returns the name that a line declares.
    fn declared(&self, at: usize) -> Option<String> {
        let line = self.lines[at].trim_start();
        let rest = ["class ", "def ", "async def "]
            .iter()
            .find_map(|word| line.strip_prefix(word))?;
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
        Some(rest[..end].to_owned())
    }

    /// Returns the names at the top level of the module.
    fn names(&mut self) -> NamesInScope {
        let mut names = NamesInScope::default();
        for line in &self.lines {
            if let Some(rest) = line.strip_prefix("class ") {
                names
                    .classes
                    .extend(rest.split(['(', ':']).next().map(str::to_owned));
            } else if let Some(rest) = line.strip_prefix("def ") {
                names
                    .functions
                    .extend(rest.split('(').next().map(str::to_owned));
            } else if let Some((_, list)) = line
                .strip_prefix("from ")
                .and_then(|line| line.split_once(" import "))
            {
                for name in list.split(", ") {
                    let name = name.rsplit(' ').next().unwrap_or(name).to_owned();
                    if name.starts_with(char::is_uppercase) {
                        names.classes.push(name);
                    } else if name != "*" {
                        names.functions.push(name);
                    }
                }
            } else if let Some((name, _)) = line.split_once(" = ")
                && name.chars().all(char::is_alphanumeric)
            {
                names.objects.push(name.to_owned());
            }
        }
        self.rng.shuffle(&mut names.classes);
        names.classes.extend(["Item".into(), "object".into()]);
        names
    }

    fn object(&mut self) -> String {
        let names = self.names();
        let depth = self.rng.below(3);
        names.object(self.rng, depth)
    }

    /// Returns the dotted name of a module of the workspace.
    fn module(&mut self) -> Option<String> {
        let paths: Vec<&String> = self
            .texts
            .keys()
            .filter(|path| path.ends_with(".py"))
            .collect();
        let path = self.rng.one(&paths)?.strip_suffix(".py")?;
        let path = path.strip_suffix("/__init__").unwrap_or(path);
        Some(path.replace('/', "."))
    }

    fn import(&mut self, line: String) {
        let at = if self.rng.chance(1, 2) {
            self.lines.len()
        } else {
            1.min(self.lines.len())
        };
        self.lines.insert(at, line);
    }

    fn file(&mut self) -> (String, Option<String>) {
        let folder = self.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let module = self.module().unwrap_or_default();
        let stem = self.path.strip_suffix(".py").unwrap_or(self.path);
        match self.rng.below(4) {
            0 => (
                format!("{stem}.pyi"),
                Some("from typing import Any\n\nclass Item:\n    def peer(self) -> Item: ...\n\ndef make(it: Any = ...) -> Item: ...\n".into()),
            ),
            1 => (
                format!("{stem}/__init__.py"),
                Some(format!("from {module} import *\n")),
            ),
            number => {
                let path = match folder {
                    "" => format!("more{number}.py"),
                    folder => format!("{folder}/more{number}.py"),
                };
                (
                    path,
                    Some(format!(
                        "from {module} import Item, make\n\n\nclass More(Item):\n    def peer(self):\n        return make(self)\n\n    def again(self, other=None):\n        return self.part.again()\n"
                    )),
                )
            }
        }
    }
}

fn declares(line: &str) -> bool {
    let line = line.trim_start();
    ["class ", "def ", "async def "]
        .iter()
        .any(|word| line.starts_with(word))
}

fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

#[cfg(test)]
mod tests {
    use super::super::workspace;
    use super::{PythonEditKind, edit};
    use crate::SeededRng;
    use crate::generate::Size;

    #[test]
    fn every_kind_of_edit_finds_a_position_and_can_be_undone() {
        let texts = workspace(3, Size::SMALL);
        for kind in PythonEditKind::ALL {
            let edit =
                edit(&mut SeededRng::new(5), &texts, kind).unwrap_or_else(|| panic!("{kind:?}"));
            let mut after = texts.clone();
            edit.apply(&mut after);
            assert_ne!(after, texts, "{kind:?}");
            edit.undo(&texts).apply(&mut after);
            assert_eq!(after, texts, "{kind:?}");
        }
    }
}
