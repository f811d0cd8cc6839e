//! Fixtures: several files in one string, loaded, and rendered answers of the language.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use codeweft_db::{
    Db, DeclaredIn, Dispatch as _, File, FileUses, NameTarget, Semantics as _, SymbolClass,
    SymbolId, Unit, UnitGraph, UnitSymbols, UnresolvedSite, file_ranges,
};

use super::world::World;
use crate::Python;

/// A loaded fixture.
pub(super) struct Fixture {
    world: World,
}

impl Fixture {
    /// Loads a fixture. A line `#- path` starts a file, relative to the root; a text without one is
    /// the file `a.py`. The common indentation of a file's lines is removed.
    pub(super) fn new(text: &str) -> Fixture {
        let mut files: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        let mut path = None;
        for line in text.lines() {
            match line.trim_start().strip_prefix("#- ") {
                Some(next) => {
                    let next = format!("/w/{}", next.trim());
                    files.entry(next.clone()).or_default();
                    path = Some(next);
                }
                // The rest of the line of the opening quote belongs to no file.
                None if path.is_none() && line.trim().is_empty() => {}
                None => {
                    let path = path.get_or_insert_with(|| "/w/a.py".to_owned());
                    files.entry(path.clone()).or_default().push(line);
                }
            }
        }
        let files = files
            .into_iter()
            .map(|(path, lines)| (path, dedented(&lines).into()));
        Fixture {
            world: World::load(files.collect(), &[], &[]),
        }
    }

    pub(super) fn db(&self) -> &dyn Db {
        &self.world.db
    }

    /// Returns the file of a path relative to the root.
    pub(super) fn file(&self, path: &str) -> File {
        self.world.files[&format!("/w/{path}")]
    }

    /// Returns the workspace's units, in order of name.
    fn units(&self) -> impl Iterator<Item = Unit> {
        let units = self.world.units.iter().copied();
        units.filter(|unit| unit.origin(self.db()) == codeweft_db::Origin::Workspace)
    }

    /// Returns the id of a symbol.
    pub(super) fn id(&self, symbol: SymbolId) -> String {
        let key = self.db().shared().symbols.key(symbol);
        let own = self.db().shared().names.text(key.name);
        let number = match key.disambiguator.n {
            0 => String::new(),
            n => format!("#{}", n + 1),
        };
        let Some(parent) = key.parent else {
            return match key.declared_in {
                DeclaredIn::Absent(package) if key.class != SymbolClass::Package => {
                    format!("{}.{own}", self.db().shared().names.text(package))
                }
                _ => own.to_owned(),
            };
        };
        let inside = match self.db().shared().symbols.key(parent).class {
            SymbolClass::Function | SymbolClass::Method => ".<locals>.",
            _ => ".",
        };
        format!("{}{inside}{own}{number}", self.id(parent))
    }

    /// Returns the symbol of the id of a workspace declaration.
    pub(super) fn symbol(&self, id: &str) -> SymbolId {
        let rows = self.units().map(|unit| Python.symbols(self.db(), unit));
        let mut symbols = rows.flat_map(|rows: Arc<UnitSymbols>| {
            rows.rows.iter().map(|row| row.symbol).collect::<Vec<_>>()
        });
        let found = symbols.find(|&symbol| self.id(symbol) == id);
        found.unwrap_or_else(|| panic!("nothing is declared as {id}"))
    }

    /// Renders every declaration of the workspace: `id kind name at file:line:column lines
    /// first-last`, followed by `private` if it is.
    pub(super) fn symbols(&self) -> String {
        let mut out = String::new();
        for unit in self.units() {
            let symbols = Python.symbols(self.db(), unit);
            for row in &symbols.rows {
                let parent = match symbols.rows.get(row.parent as usize) {
                    Some(parent) => format!(" in {}", self.id(parent.symbol)),
                    None => String::new(),
                };
                let key = self.db().shared().symbols.key(row.symbol);
                let of_type = key.parent.filter(|&around| {
                    self.db().shared().symbols.key(around).class != SymbolClass::Package
                });
                let expected =
                    of_type.map_or_else(String::new, |id| format!(" in {}", self.id(id)));
                assert_eq!(parent, expected, "the parent's row is the parent's");
                let private = if row.public { "" } else { " private" };
                let _ = writeln!(
                    out,
                    "{} {}{private} {}",
                    self.id(row.symbol),
                    row.kind.wire_name(),
                    self.location(row.symbol)
                );
            }
        }
        out
    }

    /// Renders the location of a declaration: `file:line:column lines first-last`.
    pub(super) fn location(&self, symbol: SymbolId) -> String {
        let Some(declaration) = Python.declaration_range(self.db(), symbol) else {
            return "nowhere".to_owned();
        };
        let ranges = file_ranges(self.db(), declaration.file);
        let (line, column) = ranges.line_column(declaration.name.start);
        let path = declaration.file.path(self.db());
        let first = ranges.line_column(declaration.span.start).0;
        let end = declaration
            .span
            .end
            .saturating_sub(1)
            .max(declaration.span.start);
        let last = ranges.line_column(end).0;
        if declaration.span == Default::default() || (first, last) == (line, line) {
            return format!("{path}:{line}:{column}");
        }
        format!("{path}:{line}:{column} lines {first}-{last}")
    }

    /// Renders every resolved use of a file by location, `line:column token -> id role`, with the
    /// resolution unless it is `exact`; then the unresolved calls.
    pub(super) fn uses(&self, path: &str) -> String {
        let file = self.file(path);
        let uses: Arc<FileUses> = Python.uses(self.db(), file);
        let mut lines: Vec<((u32, u32), String)> = Vec::new();
        let site = |body: u32, occ: u32| {
            let offset = Python.offset(self.db(), file, body, occ).expect("a place");
            let position = file_ranges(self.db(), file).line_column(offset);
            (position, self.word(file, offset))
        };
        for (target, sites) in uses.iter() {
            for one in sites {
                let (position, word) = site(one.body, one.occ);
                let role = format!("{:?}", one.role).to_lowercase();
                let resolution = match one.resolution {
                    codeweft_db::Resolution::Exact => String::new(),
                    other => format!(" {}", other.wire_name()),
                };
                let direct = if one.direct { " direct" } else { "" };
                let text = format!("{word} -> {} {role}{resolution}{direct}", self.id(target));
                lines.push((position, text));
            }
        }
        let is_open = |open: &&UnresolvedSite| !open.is_possible_other_use();
        for open in uses.unresolved.iter().filter(is_open) {
            let (position, word) = site(open.body, open.occ);
            lines.push((position, format!("{word} open {}", open.reason.wire_name())));
        }
        lines.sort();
        let lines = lines.into_iter();
        lines
            .map(|((line, column), text)| format!("{line}:{column} {text}\n"))
            .collect()
    }

    fn word(&self, file: File, offset: u32) -> String {
        let text = &file.text(self.db())[offset as usize..];
        let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        match end.unwrap_or(text.len()) {
            0 => text.chars().take(1).collect(),
            end => text[..end].to_owned(),
        }
    }

    /// Renders what each name after a `^` in `marked` (an excerpt of the file) means: `text: id at
    /// location`.
    pub(super) fn at(&self, path: &str, marked: &str) -> String {
        let file = self.file(path);
        let mark = marked.find('^').expect("a mark");
        let start = file.text(self.db()).find(&marked.replace('^', ""));
        let offset = start.expect("the text") + mark;
        match Python.name_at(self.db(), file, offset as u32) {
            Some(NameTarget::Symbol(symbol)) => {
                format!(
                    "{marked}: {} at {}\n",
                    self.id(symbol),
                    self.location(symbol)
                )
            }
            Some(NameTarget::Local {
                owner,
                name,
                declaration,
            }) => {
                let (line, column) =
                    file_ranges(self.db(), file).line_column(declaration.name.start);
                let name = self.db().shared().names.text(name);
                let owner = self.id(owner);
                format!("{marked}: local {name} of {owner} at {line}:{column}\n")
            }
            None => format!("{marked}: nothing\n"),
        }
    }

    /// Renders the uses of the local after the `^`: `text: line:column …`.
    pub(super) fn local_uses(&self, path: &str, marked: &str) -> String {
        let file = self.file(path);
        let mark = marked.find('^').expect("a mark");
        let start = file.text(self.db()).find(&marked.replace('^', ""));
        let offset = start.expect("the text") + mark;
        let Some(NameTarget::Local { declaration, .. }) =
            Python.name_at(self.db(), file, offset as u32)
        else {
            panic!("{marked} is no local");
        };
        let uses = Python.local_uses(self.db(), &declaration);
        let sites = uses.iter().map(|one| {
            let (line, column) = file_ranges(self.db(), file).line_column(one.offset);
            format!(" {line}:{column}")
        });
        format!("{marked}:{}\n", sites.collect::<String>())
    }

    /// Renders which classes satisfy which protocol: `class fits protocol`.
    pub(super) fn fits(&self) -> String {
        let hierarchies: Vec<_> = self
            .units()
            .map(|unit| Python.hierarchy(self.db(), unit))
            .collect();
        let mut lines = Vec::new();
        for ty in hierarchies.iter().flat_map(|hierarchy| &hierarchy.types) {
            for protocol in hierarchies
                .iter()
                .flat_map(|hierarchy| &hierarchy.interfaces)
            {
                if Python.satisfies(self.db(), ty, protocol).is_some() {
                    let (ty, protocol) = (self.id(ty.symbol), self.id(protocol.symbol));
                    lines.push(format!("{ty} fits {protocol}\n"));
                }
            }
        }
        lines.sort();
        lines.concat()
    }

    /// Renders the direct bases of classes: `class: base`.
    pub(super) fn bases(&self) -> String {
        let mut lines = String::new();
        for unit in self.units() {
            for row in &Python.hierarchy(self.db(), unit).supertypes {
                let _ = writeln!(lines, "{}: {}", self.id(row.from), self.id(row.to));
            }
        }
        lines
    }

    /// Renders the method that runs when `method` is called on an object of `class`.
    pub(super) fn runs(&self, method: &str, class: &str) -> String {
        let run = Python.resolve_method(self.db(), self.symbol(class), self.symbol(method));
        run.map_or_else(|| "nothing".to_owned(), |run| self.id(run))
    }

    /// Renders what the values that flow run on each line of a file that says it in a comment, `# runs a.f`:
    /// `line: targets`, and what the comments say.
    pub(super) fn flow(&self, path: &str) -> (String, String) {
        let file = self.file(path);
        let solution = crate::py_flow(self.db(), UnitGraph::get(self.db()));
        let mut found: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        for &(body, occ, target) in solution.of(file) {
            let offset = Python.offset(self.db(), file, body, occ).expect("a place");
            let (line, _) = file_ranges(self.db(), file).line_column(offset);
            found.entry(line).or_default().push(self.id(target));
        }
        let (mut runs, mut said) = (String::new(), String::new());
        for (line, number) in file.text(self.db()).lines().zip(1..) {
            let Some((_, wanted)) = line.split_once("# runs ") else {
                continue;
            };
            let mut wanted: Vec<&str> = wanted.split(", ").collect();
            wanted.sort_unstable();
            let _ = writeln!(said, "{number}: {}", wanted.join(", "));
            let mut own = found.remove(&number).unwrap_or_default();
            own.sort();
            own.dedup();
            let own = if own.is_empty() {
                "nothing".to_owned()
            } else {
                own.join(", ")
            };
            let _ = writeln!(runs, "{number}: {own}");
        }
        (runs, said)
    }

    /// Returns for each line of a file that says in a comment `is …` whether the calls there are closed, and what it says: `exact`,
    /// `closed` or `open`, and `, open to others` if code outside of the workspace may make it another one.
    pub(super) fn closed(&self, path: &str) -> (String, String) {
        let file = self.file(path);
        let targets = crate::py_flow_targets(self.db(), UnitGraph::get(self.db()), file);
        let mut found: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
        for &(body, occ, _) in targets.rows() {
            let offset = Python.offset(self.db(), file, body, occ).expect("a place");
            let (line, _) = file_ranges(self.db(), file).line_column(offset);
            let is_closed_to_others = targets.is_closed_to_others(body, occ);
            found.entry(line).or_default().push(
                match (targets.is_exact(body, occ), targets.is_closed(body, occ)) {
                    (true, _) if is_closed_to_others => "exact",
                    (true, _) => "exact, open to others",
                    (false, true) if is_closed_to_others => "closed",
                    (false, true) => "closed, open to others",
                    (false, false) => "open",
                },
            );
        }
        let (mut is, mut said) = (String::new(), String::new());
        for (line, number) in file.text(self.db()).lines().zip(1..) {
            let Some((_, wanted)) = line.split_once("# is ") else {
                continue;
            };
            let _ = writeln!(said, "{number}: {wanted}");
            let mut own = found.remove(&number).unwrap_or_default();
            own.sort_unstable();
            own.dedup();
            let _ = writeln!(is, "{number}: {}", own.join("; "));
        }
        (is, said)
    }

    /// Returns for each line of a file that says `# stays` or `# leaves` whether what is declared there leaves to code that is not
    /// followed, and what it says.
    pub(super) fn escaped(&self, path: &str) -> (String, String) {
        let file = self.file(path);
        let mut found: BTreeMap<u32, bool> = BTreeMap::new();
        for &symbol in crate::declared::file_symbols(self.db(), file).iter() {
            if let Some(range) = Python.declaration_range(self.db(), symbol) {
                let (line, _) = file_ranges(self.db(), file).line_column(range.name.start);
                found.insert(line, crate::flow::may_escape(self.db(), symbol));
            }
        }
        let (mut is, mut said) = (String::new(), String::new());
        for (line, number) in file.text(self.db()).lines().zip(1..) {
            let Some((declared, wanted)) = line.split_once("# ") else {
                continue;
            };
            if ["stays", "leaves"].contains(&wanted) {
                let leaves = found.get(&number).copied();
                let own = match leaves {
                    Some(true) => "leaves",
                    Some(false) => "stays",
                    None => "no declaration",
                };
                let _ = writeln!(is, "{number}: {} {own}", declared.trim());
                let _ = writeln!(said, "{number}: {} {wanted}", declared.trim());
            }
        }
        (is, said)
    }

    /// Returns the database.
    pub(super) fn database(&self) -> &dyn Db {
        self.db()
    }
}

/// Removes the common indentation of all lines that are not empty.
fn dedented(lines: &[&str]) -> String {
    let depth = |line: &&str| line.len() - line.trim_start().len();
    let full = lines.iter().filter(|line| !line.trim().is_empty());
    let cut = full.map(depth).min().unwrap_or(0);
    let mut text = String::new();
    for line in lines {
        text.push_str(line.get(cut..).unwrap_or("").trim_end());
        text.push('\n');
    }
    text
}
