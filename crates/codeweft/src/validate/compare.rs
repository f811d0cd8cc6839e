//! The comparison of our graph with what the judge says, a line of the judge's after the other.
//!
//! What is compared is a pair: of calls, imports and references the place of the use and what it
//! leads to, of `implements` the type, the interface and the receiver. Only files of packages that
//! were judged count, and only pairs of types and interfaces of one run. A call is compared as a call
//! and not once more as a reference.

use rustc_hash::{FxHashMap, FxHashSet};

use super::lines::Line;
use super::ours::{CodeweftGraph, Number, TokenPosition, Uses, Verdict, plain};
use super::report::{ComparedKind, Counts, Differences, Report, Row};

/// A package as the judge listed it, in one run.
struct Package {
    path: String,
    imports: Vec<String>,
    files: Vec<Number>,
    error: Option<String>,
}

/// One comparison, over any number of the judge's runs.
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
    /// Judged files, and whether their package does not type-check.
    judged: FxHashMap<Number, bool>,
    /// Judged files that we did not read.
    unread: FxHashSet<String>,
    /// Types and interfaces that a run has declared.
    known: FxHashMap<Number, u32>,
    /// Places that the judge calls calls of what is declared.
    calls: FxHashSet<TokenPosition>,
    /// What the judge has said already: a file may be in several variants of its package.
    said: FxHashSet<(ComparedKind, TokenPosition, Number)>,
    /// The numbers of what the judge says a use leads to.
    texts: FxHashMap<Box<str>, Number>,
}

/// Where a text of the judge's lies.
enum At {
    /// In a file of the workspace that was read.
    Here(TokenPosition),
    /// In one that was not.
    Unread,
    /// Outside of the workspace, or nowhere.
    Elsewhere,
}

impl<'a> Comparison<'a> {
    /// Compares `ours`; `tests` says whether the judge judges tests.
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
            said: FxHashSet::default(),
            texts: FxHashMap::default(),
        }
    }

    /// Takes a line of the judge's.
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

    /// A run of the judge's has ended, whole or not. Gives the number of its packages; those of a run
    /// that broke are none, and of ours nothing is held against them.
    pub fn end_of_run(&mut self, whole: bool) -> u32 {
        let mut packages = std::mem::take(&mut self.packages);
        if !whole {
            packages.clear();
        }
        let mut broken: FxHashSet<&str> = FxHashSet::default();
        // The judge lists a package after what it imports.
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

    /// What came of it, once all runs have ended.
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
        let left_out = self.ours.sources.iter().filter(|file| {
            let name = self.ours.file_name(**file);
            let of_tests = name.ends_with("_test.go");
            !self.judged.contains_key(file)
                && (self.tests || !of_tests)
                && folders.contains(folder(name))
        });
        self.report.not_compared.files_left_out = left_out.count() as u64;
        self.report.not_compared.files_not_read = self.unread.len() as u64;
        self.report.finish(self.only_ours, self.only_theirs);
        self.report
    }

    /// What only we have of the edges of a kind.
    fn only_in_uses(&mut self, kind: ComparedKind) {
        let uses = std::mem::take(uses(self.ours, kind));
        for one in &uses.0 {
            let Some(&broken) = self.judged.get(&one.place.file) else {
                continue;
            };
            match one.verdict {
                Verdict::Agreed | Verdict::Skipped => continue,
                Verdict::Silent if broken => {
                    self.report.not_compared.sites_without_verdict += 1;
                    continue;
                }
                Verdict::Silent | Verdict::Spoken => {}
            }
            self.counts(kind).only_ours += 1;
            let row = Row {
                from: Some(self.ours.declared[one.from as usize].id.clone()),
                ..self.row(kind, one.place, &self.ours.declared[one.to as usize].id)
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
            let universe = self.ours.declared[interface as usize].place.is_none();
            if of_type != of_interface && !universe {
                continue;
            }
            let place = |number: Number| self.ours.declared[number as usize].place;
            let broken = |place: Option<TokenPosition>| {
                place.is_some_and(|place| self.judged.get(&place.file) == Some(&true))
            };
            if broken(place(ty)) || broken(place(interface)) {
                self.report.not_compared.sites_without_verdict += 1;
                continue;
            }
            let Some(at) = place(ty) else { continue };
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

    /// The run that declared a type or an interface; every run knows the universe's.
    fn run_of(&self, number: Number) -> Option<u32> {
        let declared = &self.ours.declared[number as usize];
        let universe = declared.place.is_none() && &*declared.id == "error";
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
        let Some(place) = self.site(&line.at, "") else {
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
        let agreed = matched(imports, place, |to| {
            let package = &declared[to as usize];
            folder.is_some() && package.folder == folder || *package.id == *line.path
        });
        self.theirs(
            ComparedKind::Imports,
            place,
            agreed,
            &line.path,
            None,
            &line.path,
        );
    }

    fn call(&mut self, line: &Line<'_>) {
        let Some(place) = self.site(&line.at, &line.callee_def) else {
            return;
        };
        match &*line.kind {
            "static" | "interface" | "typeparam" => {}
            // What the compiler could not decide judges nothing; a literal that is called is no
            // declared function.
            "closure" | "unresolved" => {
                for one in self.ours.calls.at(place) {
                    one.verdict = Verdict::Skipped;
                }
                return;
            }
            _ => {
                for one in self.ours.calls.at(place) {
                    one.verdict = Verdict::Spoken;
                }
                return;
            }
        }
        self.calls.insert(place);
        for one in self.ours.references.at(place) {
            one.verdict = Verdict::Skipped;
        }
        let definition = self.place(&line.callee_def);
        let CodeweftGraph {
            declared, calls, ..
        } = &mut *self.ours;
        let agreed = matched(calls, place, |to| {
            let declared = &declared[to as usize];
            is_same(
                declared.place,
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
            place,
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
        let Some(place) = self.site(&line.at, &line.def) else {
            return;
        };
        if self.calls.contains(&place) {
            return;
        }
        if !is_edge(line) {
            for one in self.ours.references.at(place) {
                if one.verdict == Verdict::Silent {
                    one.verdict = Verdict::Spoken;
                }
            }
            return;
        }
        let definition = self.place(&line.def);
        let CodeweftGraph {
            declared,
            references,
            ..
        } = &mut *self.ours;
        let agreed = matched(references, place, |to| {
            let declared = &declared[to as usize];
            is_same(
                declared.place,
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
            place,
            agreed,
            target,
            None,
            &printed,
        );
    }

    fn declared(&mut self, line: &Line<'_>) {
        let Some(place) = self.site(&line.def, "") else {
            return;
        };
        let number = self.text(&line.id);
        if &*line.kind == "interface"
            && line.methods > 0
            && !line.constraint
            && self.said.insert((ComparedKind::Implements, place, number))
        {
            self.report.total_interfaces += 1;
        }
        for found in self.ours.find(Some(place), &line.id) {
            self.known.insert(found, self.run);
        }
    }

    fn implements(&mut self, line: &Line<'_>) {
        let Some(place) = self.site(&line.type_def, &line.iface_def) else {
            return;
        };
        let definition = self.place(&line.iface_def);
        let types = self.ours.find(Some(place), &line.ty);
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
        if !self.said.insert((ComparedKind::Implements, place, number)) {
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
            ..self.row(ComparedKind::Implements, place, &line.iface)
        };
        self.only_theirs.add(row);
    }

    /// Counts what the judge says of a place, once.
    fn theirs(
        &mut self,
        kind: ComparedKind,
        place: TokenPosition,
        agreed: bool,
        target: &str,
        from: Option<&str>,
        to: &str,
    ) {
        let number = self.text(target);
        if !self.said.insert((kind, place, number)) {
            return;
        }
        if agreed {
            self.counts(kind).agreed += 1;
            return;
        }
        self.counts(kind).only_theirs += 1;
        let row = Row {
            from: from.map(Into::into),
            ..self.row(kind, place, to)
        };
        self.only_theirs.add(row);
    }

    fn row(&self, kind: ComparedKind, place: TokenPosition, to: &str) -> Row {
        Row {
            file: self.ours.file_name(place.file).clone(),
            line: place.line,
            column: place.column,
            kind,
            from: None,
            to: to.into(),
            receiver: None,
        }
    }

    fn counts(&mut self, kind: ComparedKind) -> &mut Counts {
        self.report.by_kind.entry(kind).or_default()
    }

    /// The place of a use, where both it and the definition lie in files that can be compared.
    fn site(&mut self, at: &str, definition: &str) -> Option<TokenPosition> {
        let At::Here(place) = self.at(at) else {
            if let At::Unread = self.at(at) {
                self.report.not_compared.sites_of_files_not_read += 1;
            }
            return None;
        };
        if let At::Unread = self.at(definition) {
            self.report.not_compared.sites_of_files_not_read += 1;
            for uses in [&mut self.ours.calls, &mut self.ours.references] {
                for one in uses.at(place) {
                    one.verdict = Verdict::Skipped;
                }
            }
            return None;
        }
        Some(place)
    }

    fn at(&self, text: &str) -> At {
        let Some((file, line, column)) = split(text).filter(|_| !text.starts_with('/')) else {
            return At::Elsewhere;
        };
        match self.ours.known_file(file) {
            Some(file) if self.ours.sources.contains(&file) => {
                At::Here(TokenPosition { file, line, column })
            }
            _ => At::Unread,
        }
    }

    /// A place anywhere that one of our declarations may have.
    fn place(&self, text: &str) -> Option<TokenPosition> {
        let (file, line, column) = split(text)?;
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

/// Marks the edges at a place, and says whether one leads where the judge says.
fn matched(uses: &mut Uses, place: TokenPosition, is_it: impl Fn(Number) -> bool) -> bool {
    let mut agreed = false;
    for one in uses.at(place) {
        if is_it(one.to) {
            agreed = true;
            one.verdict = Verdict::Agreed;
        } else if one.verdict == Verdict::Silent {
            one.verdict = Verdict::Spoken;
        }
    }
    agreed
}

/// Whether a declaration of ours is the judge's: by place, else, outside of the workspace, where the
/// two may read different copies of a library, by id.
fn is_same(
    place: Option<TokenPosition>,
    id: &str,
    definition: Option<TokenPosition>,
    printed: &str,
    theirs: &str,
) -> bool {
    if place.is_some() && place == definition {
        return true;
    }
    if place.is_some() && !printed.is_empty() && !printed.starts_with('/') {
        return false;
    }
    !theirs.is_empty() && plain(theirs) == id
}

/// Whether a use is an edge of the graph: not the name of a package, a builtin or a local.
fn is_edge(line: &Line<'_>) -> bool {
    let kind = &*line.kind;
    if matches!(kind, "package" | "builtin" | "nil") {
        return false;
    }
    if line.local {
        return kind == "type" && !line.alias;
    }
    !line.def.is_empty() || kind == "method"
}

/// `file:line:column`.
fn split(text: &str) -> Option<(&str, u32, u32)> {
    let (rest, column) = text.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some((file, line.parse().ok()?, column.parse().ok()?))
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
    match pointer {
        true => "pointer",
        false => "value",
    }
}
