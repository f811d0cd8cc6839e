//! The comparison of our graph with the judge's verdict, one line of the judge's output after the
//! other.
//!
//! Pairs are compared: for calls, imports and references (position of the use, target), for
//! `implements` (type, interface, receiver). Only files of judged packages count, and only pairs of
//! types and interfaces of one run of the judge. A call is compared as a call and not again as a
//! reference.
//!
//! ```text
//! judge:  call at m.go:7:3 -> m.F      ours: calls m.G -> m.F @ m.go:7:3     agreed
//! judge:  call at m.go:9:3 -> m.H      ours: nothing at m.go:9:3             only theirs
//! ```

use rustc_hash::{FxHashMap, FxHashSet};

use super::lines::{Line, split_position};
use super::ours::{CodeweftGraph, Number, TokenPosition, Uses, Verdict, plain};
use super::report::{ComparedKind, Counts, Differences, Report, Row};

/// A package as the judge listed it, in one run.
struct Package {
    path: String,
    imports: Vec<String>,
    files: Vec<Number>,
    error: Option<String>,
}

/// A comparison over any number of the judge's runs.
pub struct Comparison<'a> {
    ours: &'a mut CodeweftGraph,
    tests: bool,
    report: Report,
    only_ours: Differences,
    only_theirs: Differences,
    /// The packages of this run.
    packages: Vec<Package>,
    /// The number of this run.
    run: u32,
    /// Judged files, each with whether its package has type errors.
    judged: FxHashMap<Number, bool>,
    /// Judged files that we did not read.
    unread: FxHashSet<String>,
    /// Types and interfaces that a run has declared.
    known: FxHashMap<Number, u32>,
    /// Positions of calls whose callee is declared, according to the judge.
    calls: FxHashSet<TokenPosition>,
    /// The pairs that the judge has named already: a file may be in several variants of its
    /// package.
    seen: FxHashSet<(ComparedKind, TokenPosition, Number)>,
    /// The numbers of the targets that the judge names.
    texts: FxHashMap<Box<str>, Number>,
}

/// The location of a position of the judge's.
enum At {
    /// In a file of the workspace that was read.
    Here(TokenPosition),
    /// In a file of the workspace that was not read.
    Unread,
    /// Outside of the workspace, or nowhere.
    Outside,
}

impl<'a> Comparison<'a> {
    /// Returns a comparison with `ours`; `tests` is whether the judge covers tests.
    pub fn new(ours: &'a mut CodeweftGraph, tests: bool) -> Comparison<'a> {
        let report = Report {
            by_kind: ComparedKind::ALL
                .into_iter()
                .map(|kind| (kind, Counts::default()))
                .collect(),
            ..Report::default()
        };
        Comparison {
            ours,
            tests,
            report,
            only_ours: Differences::default(),
            only_theirs: Differences::default(),
            packages: Vec::new(),
            run: 0,
            judged: FxHashMap::default(),
            unread: FxHashSet::default(),
            known: FxHashMap::default(),
            calls: FxHashSet::default(),
            seen: FxHashSet::default(),
            texts: FxHashMap::default(),
        }
    }

    /// Processes a line of the judge's.
    pub fn take(&mut self, line: &Line<'_>) {
        match &*line.k {
            "package" => self.package(line),
            "import" => self.import(line),
            "type" => self.declared(line),
            "impl" => self.implements(line),
            "call" => self.call(line),
            "use" => self.reference(line),
            _ => {}
        }
    }

    /// Ends a run of the judge. `whole`: it completed. Returns the number of its packages; a run
    /// that failed counts none, and is not held against our edges.
    pub fn end_of_run(&mut self, whole: bool) -> u32 {
        let mut packages = std::mem::take(&mut self.packages);
        if !whole {
            packages.clear();
        }
        let mut broken: FxHashSet<&str> = FxHashSet::default();
        // The judge lists a package after its imports.
        for package in &packages {
            let inherits = || package.imports.iter().any(|path| broken.contains(&**path));
            if package.error.is_some() || inherits() {
                broken.insert(&package.path);
            }
        }
        self.report.not_compared.packages_with_errors += broken.len() as u64;
        for package in &packages {
            let is_broken = broken.contains(&*package.path);
            for &file in &package.files {
                *self.judged.entry(file).or_default() |= is_broken;
            }
            if let Some(error) = &package.error {
                let errors = &mut self.report.not_compared.errors;
                errors.push((package.path.clone(), error.clone()));
            }
        }
        self.run += 1;
        packages.len() as u32
    }

    /// Returns the report, once all runs have ended.
    pub fn finish(mut self) -> Report {
        for kind in [
            ComparedKind::Calls,
            ComparedKind::Imports,
            ComparedKind::References,
        ] {
            self.only_in_uses(kind);
        }
        self.only_in_pairs();
        let mut folders: FxHashSet<&str> = FxHashSet::default();
        for &file in self.judged.keys() {
            folders.insert(folder(self.ours.file_name(file)));
        }
        let excluded = self.ours.sources.iter().filter(|file| {
            let name = self.ours.file_name(**file);
            let of_tests = name.ends_with("_test.go");
            !self.judged.contains_key(file)
                && (self.tests || !of_tests)
                && folders.contains(folder(name))
        });
        self.report.not_compared.files_excluded = excluded.count() as u64;
        self.report.not_compared.files_not_read = self.unread.len() as u64;
        self.report.finish(self.only_ours, self.only_theirs);
        self.report
    }

    /// Collects the edges of a kind that only we have.
    fn only_in_uses(&mut self, kind: ComparedKind) {
        let uses = std::mem::take(uses(self.ours, kind));
        for one in &uses.0 {
            let Some(&broken) = self.judged.get(&one.position.file) else {
                continue;
            };
            match one.verdict {
                Verdict::Agreed | Verdict::Skipped => continue,
                Verdict::Unjudged if broken => {
                    self.report.not_compared.sites_without_verdict += 1;
                    continue;
                }
                Verdict::Unjudged | Verdict::Judged => {}
            }
            self.counts(kind).only_ours += 1;
            let row = Row {
                from: Some(self.ours.declared[one.from as usize].id.clone()),
                ..self.row(kind, one.position, &self.ours.declared[one.to as usize].id)
            };
            self.only_ours.add(row);
        }
    }

    fn only_in_pairs(&mut self) {
        let pairs = std::mem::take(&mut self.ours.pairs);
        for ((ty, interface, pointer), (test, agreed)) in pairs {
            if agreed || (test && !self.tests) {
                continue;
            }
            let (Some(of_type), Some(of_interface)) = (self.run_of(ty), self.run_of(interface))
            else {
                continue;
            };
            let universe = self.ours.declared[interface as usize].position.is_none();
            if of_type != of_interface && !universe {
                continue;
            }
            let position = |number: Number| self.ours.declared[number as usize].position;
            let broken = |position: Option<TokenPosition>| {
                position.is_some_and(|position| self.judged.get(&position.file) == Some(&true))
            };
            if broken(position(ty)) || broken(position(interface)) {
                self.report.not_compared.sites_without_verdict += 1;
                continue;
            }
            let Some(at) = position(ty) else { continue };
            let row = Row {
                from: Some(self.ours.declared[ty as usize].id.clone()),
                receiver: Some(receiver(pointer)),
                ..self.row(
                    ComparedKind::Implements,
                    at,
                    &self.ours.declared[interface as usize].id,
                )
            };
            self.counts(ComparedKind::Implements).only_ours += 1;
            self.only_ours.add(row);
        }
    }

    /// Returns the run that declared a type or an interface; the universe's belong to every run.
    fn run_of(&self, number: Number) -> Option<u32> {
        let declared = &self.ours.declared[number as usize];
        let universe = declared.position.is_none() && &*declared.id == "error";
        universe
            .then_some(0)
            .or_else(|| self.known.get(&number).copied())
    }

    fn package(&mut self, line: &Line<'_>) {
        let mut files = Vec::new();
        for name in &line.files {
            if name.starts_with('/') {
                continue;
            }
            match self.ours.known_file(name) {
                Some(file) if self.ours.sources.contains(&file) => files.push(file),
                _ => {
                    self.unread.insert(name.clone());
                }
            }
        }
        if files.is_empty() && line.errors == 0 {
            return;
        }
        let error = || {
            let first = line.first_errors.iter().flatten().next();
            first.cloned().unwrap_or_default()
        };
        self.packages.push(Package {
            path: line.pkg.to_string(),
            imports: line.imports.clone(),
            files,
            error: (line.errors > 0).then(error),
        });
    }

    fn import(&mut self, line: &Line<'_>) {
        let Some(position) = self.site(&line.at, "") else {
            return;
        };
        let dir = match &*line.dir {
            "." => "",
            dir => dir,
        };
        let folder = self.ours.known_file(dir).filter(|_| !line.dir.is_empty());
        let CodeweftGraph {
            declared, imports, ..
        } = &mut *self.ours;
        let agreed = matched(imports, position, |to| {
            let package = &declared[to as usize];
            folder.is_some() && package.folder == folder || *package.id == *line.path
        });
        self.theirs(
            ComparedKind::Imports,
            position,
            agreed,
            &line.path,
            None,
            &line.path,
        );
    }

    fn call(&mut self, line: &Line<'_>) {
        let Some(position) = self.site(&line.at, &line.callee_def) else {
            return;
        };
        match &*line.kind {
            "static" | "interface" | "typeparam" => {}
            // Calls that the compiler cannot resolve are no evidence; a called function literal is
            // no declared function.
            "closure" | "unresolved" => {
                for one in self.ours.calls.at(position) {
                    one.verdict = Verdict::Skipped;
                }
                return;
            }
            _ => {
                for one in self.ours.calls.at(position) {
                    one.verdict = Verdict::Judged;
                }
                return;
            }
        }
        self.calls.insert(position);
        for one in self.ours.references.at(position) {
            one.verdict = Verdict::Skipped;
        }
        let definition = self.position(&line.callee_def);
        let CodeweftGraph {
            declared, calls, ..
        } = &mut *self.ours;
        let agreed = matched(calls, position, |to| {
            let declared = &declared[to as usize];
            is_same(
                declared.position,
                &declared.id,
                definition,
                &line.callee_def,
                &line.callee,
            )
        });
        let target = either(&line.callee_def, &line.callee);
        let from = Some(&*line.caller);
        self.theirs(
            ComparedKind::Calls,
            position,
            agreed,
            target,
            from,
            &line.callee,
        );
    }

    fn reference(&mut self, line: &Line<'_>) {
        if line.decl {
            return;
        }
        let Some(position) = self.site(&line.at, &line.def) else {
            return;
        };
        if self.calls.contains(&position) {
            return;
        }
        if !line.is_edge() {
            for one in self.ours.references.at(position) {
                if one.verdict == Verdict::Unjudged {
                    one.verdict = Verdict::Judged;
                }
            }
            return;
        }
        let definition = self.position(&line.def);
        let CodeweftGraph {
            declared,
            references,
            ..
        } = &mut *self.ours;
        let agreed = matched(references, position, |to| {
            let declared = &declared[to as usize];
            is_same(
                declared.position,
                &declared.id,
                definition,
                &line.def,
                &line.id,
            )
        });
        let printed = match (&*line.id, &*line.def) {
            ("", def) => format!("{} {} at {def}", line.kind, line.name),
            (id, _) => id.to_owned(),
        };
        let target = either(&line.def, &line.id);
        self.theirs(
            ComparedKind::References,
            position,
            agreed,
            target,
            None,
            &printed,
        );
    }

    fn declared(&mut self, line: &Line<'_>) {
        let Some(position) = self.site(&line.def, "") else {
            return;
        };
        let number = self.text(&line.id);
        if &*line.kind == "interface"
            && line.methods > 0
            && !line.constraint
            && self
                .seen
                .insert((ComparedKind::Implements, position, number))
        {
            self.report.total_interfaces += 1;
        }
        for found in self.ours.find(Some(position), &line.id) {
            self.known.insert(found, self.run);
        }
    }

    fn implements(&mut self, line: &Line<'_>) {
        let Some(position) = self.site(&line.type_def, &line.iface_def) else {
            return;
        };
        let definition = self.position(&line.iface_def);
        let types = self.ours.find(Some(position), &line.ty);
        let interfaces = self.ours.find(definition, &line.iface);
        let mut agreed = false;
        for ty in types {
            for &interface in &interfaces {
                if let Some(pair) = self.ours.pairs.get_mut(&(ty, interface, line.ptr)) {
                    pair.1 = true;
                    agreed = true;
                }
            }
        }
        let receiver = receiver(line.ptr);
        let target = format!("{receiver} {}", either(&line.iface_def, &line.iface));
        let number = self.text(&target);
        if !self
            .seen
            .insert((ComparedKind::Implements, position, number))
        {
            return;
        }
        if agreed {
            self.counts(ComparedKind::Implements).agreed += 1;
            return;
        }
        self.counts(ComparedKind::Implements).only_theirs += 1;
        let row = Row {
            from: Some((&*line.ty).into()),
            receiver: Some(receiver),
            ..self.row(ComparedKind::Implements, position, &line.iface)
        };
        self.only_theirs.add(row);
    }

    /// Counts a pair of the judge's, once.
    fn theirs(
        &mut self,
        kind: ComparedKind,
        position: TokenPosition,
        agreed: bool,
        target: &str,
        from: Option<&str>,
        to: &str,
    ) {
        let number = self.text(target);
        if !self.seen.insert((kind, position, number)) {
            return;
        }
        if agreed {
            self.counts(kind).agreed += 1;
            return;
        }
        self.counts(kind).only_theirs += 1;
        let row = Row {
            from: from.map(Into::into),
            ..self.row(kind, position, to)
        };
        self.only_theirs.add(row);
    }

    fn row(&self, kind: ComparedKind, position: TokenPosition, to: &str) -> Row {
        Row {
            file: self.ours.file_name(position.file).clone(),
            line: position.line,
            column: position.column,
            kind,
            from: None,
            to: to.into(),
            receiver: None,
        }
    }

    fn counts(&mut self, kind: ComparedKind) -> &mut Counts {
        self.report.by_kind.entry(kind).or_default()
    }

    /// Returns the position of a use if both it and the definition are in files that can be
    /// compared.
    fn site(&mut self, at: &str, definition: &str) -> Option<TokenPosition> {
        let At::Here(position) = self.at(at) else {
            if let At::Unread = self.at(at) {
                self.report.not_compared.sites_of_files_not_read += 1;
            }
            return None;
        };
        if let At::Unread = self.at(definition) {
            self.report.not_compared.sites_of_files_not_read += 1;
            for uses in [&mut self.ours.calls, &mut self.ours.references] {
                for one in uses.at(position) {
                    one.verdict = Verdict::Skipped;
                }
            }
            return None;
        }
        Some(position)
    }

    fn at(&self, text: &str) -> At {
        let Some((file, line, column)) = split_position(text).filter(|_| !text.starts_with('/'))
        else {
            return At::Outside;
        };
        match self.ours.known_file(file) {
            Some(file) if self.ours.sources.contains(&file) => {
                At::Here(TokenPosition { file, line, column })
            }
            _ => At::Unread,
        }
    }

    /// Returns a position in any file in which we may have a declaration.
    fn position(&self, text: &str) -> Option<TokenPosition> {
        let (file, line, column) = split_position(text)?;
        let file = self.ours.known_file(file)?;
        Some(TokenPosition { file, line, column })
    }

    fn text(&mut self, text: &str) -> Number {
        if let Some(&known) = self.texts.get(text) {
            return known;
        }
        let number = self.texts.len() as Number;
        self.texts.insert(text.into(), number);
        number
    }
}

fn uses(ours: &mut CodeweftGraph, kind: ComparedKind) -> &mut Uses {
    match kind {
        ComparedKind::Calls => &mut ours.calls,
        ComparedKind::Imports => &mut ours.imports,
        ComparedKind::References | ComparedKind::Implements => &mut ours.references,
    }
}

/// Marks our edges at a position; returns whether one has the judge's target.
fn matched(uses: &mut Uses, position: TokenPosition, is_it: impl Fn(Number) -> bool) -> bool {
    let mut agreed = false;
    for one in uses.at(position) {
        if is_it(one.to) {
            agreed = true;
            one.verdict = Verdict::Agreed;
        } else if one.verdict == Verdict::Unjudged {
            one.verdict = Verdict::Judged;
        }
    }
    agreed
}

/// Returns whether a declaration of ours is the judge's: by position, or, outside of the workspace,
/// where the two may read different copies of a library, by id.
fn is_same(
    position: Option<TokenPosition>,
    id: &str,
    definition: Option<TokenPosition>,
    printed: &str,
    theirs: &str,
) -> bool {
    if position.is_some() && position == definition {
        return true;
    }
    if position.is_some() && !printed.is_empty() && !printed.starts_with('/') {
        return false;
    }
    !theirs.is_empty() && plain(theirs) == id
}

fn either<'a>(one: &'a str, other: &'a str) -> &'a str {
    match one {
        "" => other,
        one => one,
    }
}

fn folder(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn receiver(pointer: bool) -> &'static str {
    if pointer { "pointer" } else { "value" }
}
