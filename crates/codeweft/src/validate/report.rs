//! The result of a comparison, as JSON and as text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use serde::Serialize;

use crate::output::counted;

/// The maximum number of listed differences of each side.
pub const MAX_LISTED: usize = 200;

/// The maximum number printed in the text.
const MAX_PRINTED: usize = 20;

/// The maximum number of packages with errors that are named.
const MAX_NAMED: usize = 20;

/// The kinds of edges that are compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ComparedKind {
    /// Static calls, and calls through an interface to the method that it declares.
    Calls,
    /// Types and the interfaces that they implement, by value or only by pointer.
    Implements,
    /// Import statements.
    Imports,
    /// Uses that are no call.
    References,
}

impl ComparedKind {
    /// All kinds.
    pub const ALL: [ComparedKind; 4] = [
        ComparedKind::Calls,
        ComparedKind::Implements,
        ComparedKind::Imports,
        ComparedKind::References,
    ];

    fn word(self) -> &'static str {
        match self {
            ComparedKind::Calls => "calls",
            ComparedKind::Implements => "implements",
            ComparedKind::Imports => "imports",
            ComparedKind::References => "references",
        }
    }
}

/// A difference: a pair that only one side has.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct Row {
    /// The file as answers print it.
    pub file: Arc<str>,
    /// 1-based.
    pub line: u32,
    /// 1-based, in bytes.
    pub column: u32,
    /// The kind of edge.
    pub kind: ComparedKind,
    /// The declaration that contains it, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Arc<str>>,
    /// The target.
    pub to: Arc<str>,
    /// For `implements`: `value`, or `pointer` if only the pointer type implements it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receiver: Option<&'static str>,
}

/// The first differences of one side, and their total number.
#[derive(Clone, Default, Debug)]
pub struct Differences {
    first: BTreeSet<Row>,
    total: u64,
}

impl Differences {
    /// Adds a difference.
    pub fn add(&mut self, row: Row) {
        self.total += 1;
        self.first.insert(row);
        if self.first.len() > MAX_LISTED {
            self.first.pop_last();
        }
    }
}

/// The counts of one kind.
#[derive(Clone, Default, Debug, Serialize)]
pub struct Counts {
    /// The share of our pairs that the judge has; null if we have none.
    pub precision: Option<f64>,
    /// The share of the judge's pairs that we have; null if it has none.
    pub recall: Option<f64>,
    /// The number of pairs that both have.
    pub agreed: u64,
    /// The number that only we have.
    pub only_ours: u64,
    /// The number that only the judge has.
    pub only_theirs: u64,
}

/// A module that was judged.
#[derive(Clone, Default, Debug, Serialize)]
pub struct JudgedModule {
    /// Its folder, relative to the root; `.` is the root.
    pub folder: String,
    /// The release of Go that judged it.
    pub go: String,
    /// The number of judged packages.
    pub packages: u32,
    /// The reason why it was not judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The counts of what was not compared.
#[derive(Clone, Default, Debug, Serialize)]
pub struct NotCompared {
    /// Files in the folders of judged packages that the build configuration excludes.
    #[serde(rename = "files_left_out")]
    pub files_excluded: u64,
    /// Files that the compiler builds and that were not read: ignored by git, too large.
    pub files_not_read: u64,
    /// The judge's sites in such files, or of declarations in them.
    pub sites_of_files_not_read: u64,
    /// Packages with type errors, and packages that import one.
    pub packages_with_errors: u64,
    /// Our sites in those packages that the judge says nothing about.
    pub sites_without_verdict: u64,
    /// The first of those that have errors themselves: (package, its first error).
    pub errors: Vec<(String, String)>,
}

/// The result of a comparison.
#[derive(Clone, Default, Debug, Serialize)]
pub struct Report {
    /// The build configuration.
    pub configuration: String,
    /// The modules, by folder.
    pub modules: Vec<JudgedModule>,
    /// The number of interfaces with methods that the judged packages declare.
    pub total_interfaces: u64,
    /// The number of pairs that both have.
    pub agreed: u64,
    /// The first pairs that only we have, by file and line.
    pub only_ours: Vec<Row>,
    /// Their total number.
    pub only_ours_total: u64,
    /// The first pairs that only the judge has.
    pub only_theirs: Vec<Row>,
    /// Their total number.
    pub only_theirs_total: u64,
    /// agreed / (agreed + only ours + only theirs); null if nothing was compared.
    pub accuracy: Option<f64>,
    /// The counts by kind.
    pub by_kind: BTreeMap<ComparedKind, Counts>,
    /// The counts of what was not compared.
    pub not_compared: NotCompared,
    /// Further notes for the user.
    pub notes: Vec<String>,
}

impl Report {
    /// Computes the shares and sets the lists.
    pub fn finish(&mut self, ours: Differences, theirs: Differences) {
        let share = |part: u64, rest: u64| match part + rest {
            0 => None,
            whole => Some(part as f64 / whole as f64),
        };
        for counts in self.by_kind.values_mut() {
            counts.precision = share(counts.agreed, counts.only_ours);
            counts.recall = share(counts.agreed, counts.only_theirs);
        }
        self.agreed = self.by_kind.values().map(|counts| counts.agreed).sum();
        self.only_ours_total = ours.total;
        self.only_theirs_total = theirs.total;
        self.accuracy = share(self.agreed, ours.total + theirs.total);
        self.only_ours = ours.first.into_iter().collect();
        self.only_theirs = theirs.first.into_iter().collect();
        self.not_compared.errors.sort();
        self.not_compared.errors.truncate(MAX_NAMED);
    }

    /// Returns the report as text.
    pub fn words(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let judged = self.modules.iter().filter(|module| module.error.is_none());
        let packages: u32 = judged.clone().map(|module| module.packages).sum();
        let mut releases: Vec<&str> = judged.map(|module| module.go.as_str()).collect();
        releases.sort_unstable();
        releases.dedup();
        let _ = writeln!(
            text,
            "{} judged by the type checker of {} under {}; {} of theirs",
            counted(u64::from(packages), "package", "packages"),
            releases.join(", "),
            self.configuration,
            counted(self.total_interfaces, "interface", "interfaces"),
        );
        let _ = writeln!(
            text,
            "{:12} {:>9} {:>10} {:>12} {:>10} {:>10}",
            "", "agreed", "only ours", "only theirs", "precision", "recall"
        );
        for (kind, counts) in &self.by_kind {
            let _ = writeln!(
                text,
                "{:12} {:>9} {:>10} {:>12} {:>10} {:>10}",
                kind.word(),
                counts.agreed,
                counts.only_ours,
                counts.only_theirs,
                printed(counts.precision),
                printed(counts.recall),
            );
        }
        let _ = writeln!(text, "{:12} {:>9}", "accuracy", printed(self.accuracy));
        list(
            &mut text,
            "only ours",
            &self.only_ours,
            self.only_ours_total,
        );
        list(
            &mut text,
            "only theirs",
            &self.only_theirs,
            self.only_theirs_total,
        );
        for line in self.not_compared.words() {
            let _ = writeln!(text, "not compared: {line}");
        }
        for module in &self.modules {
            if let Some(error) = &module.error {
                let _ = writeln!(text, "not judged: {}: {error}", module.folder);
            }
        }
        for note in &self.notes {
            let _ = writeln!(text, "note: {note}");
        }
        text
    }
}

impl NotCompared {
    fn words(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.files_excluded > 0 {
            lines.push(format!(
                "{} that the build configuration leaves out",
                counted(self.files_excluded, "file", "files")
            ));
        }
        if self.files_not_read > 0 {
            lines.push(format!(
                "{} that the compiler builds and Codeweft does not read (`codeweft index` says why), \
                 with {}",
                counted(self.files_not_read, "file", "files"),
                counted(self.sites_of_files_not_read, "site", "sites")
            ));
        }
        if self.packages_with_errors > 0 {
            lines.push(format!(
                "{} of ours without a verdict, in {} with type errors, own or of an import",
                counted(self.sites_without_verdict, "site", "sites"),
                counted(self.packages_with_errors, "package", "packages")
            ));
        }
        for (package, error) in &self.errors {
            lines.push(format!("{package}: {error}"));
        }
        lines
    }
}

fn list(text: &mut String, title: &str, rows: &[Row], total: u64) {
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(text, "{title}: {total}");
    for row in rows.iter().take(MAX_PRINTED) {
        let from = row.from.as_deref().map(|from| format!("{from} -> "));
        let receiver = row.receiver.map(|receiver| format!(" ({receiver})"));
        let _ = writeln!(
            text,
            "  {}:{}:{} {} {}{}{}",
            row.file,
            row.line,
            row.column,
            row.kind.word(),
            from.unwrap_or_default(),
            row.to,
            receiver.unwrap_or_default()
        );
    }
    let printed = rows.len().min(MAX_PRINTED) as u64;
    if total > printed {
        let most = (rows.len() as u64 > printed).then(|| format!(" (--json lists {})", rows.len()));
        let _ = writeln!(
            text,
            "  and {} more{}",
            total - printed,
            most.unwrap_or_default()
        );
    }
}

fn printed(share: Option<f64>) -> String {
    match share {
        Some(share) => format!("{share:.5}"),
        None => "-".to_owned(),
    }
}
