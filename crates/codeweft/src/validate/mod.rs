//! `codeweft validate --deep`: compares our graph with the verdict of Go's own type checker on the
//! same files.

mod compare;
mod judge;
mod lines;
mod modules;
mod ours;
mod report;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::Path;

use codeweft_go::GoSettings;
use codeweft_graph::export::{ExportOptions, each_package};
use codeweft_workspace::ProjectDatabase;

use crate::arguments::Validate;
use crate::output::{print, print_error};
use crate::progress::Bar;
use crate::workspace::{self, WRONG_USE};

use compare::Comparison;
use judge::{Case, Go};
use ours::{CodeweftGraph, EDGES};
use report::{JudgedModule, Report};

/// The exit code if there was nothing to compare.
const NOTHING: u8 = 1;

/// The exit code if `--fail-under` was missed.
const MISSED: u8 = 4;

/// Compares and prints; returns the exit code.
pub fn run(validate: &Validate) -> u8 {
    if !validate.deep {
        print_error(
            "say `codeweft validate --deep`: it compares the whole graph with what Go's type",
        );
        print_error(
            "checker says, in minutes on a large workspace. Another validation there is not",
        );
        return WRONG_USE;
    }
    // Looked up first, but reported only if there is Go code to judge.
    let go = Go::find();
    let database = match workspace::load(&validate.workspace, &validate.quiet) {
        Ok(database) => database,
        Err(code) => return code,
    };
    let (sources, python) = (database.sources("go"), database.sources("python"));
    if sources.is_empty() {
        if python.is_empty() {
            return NOTHING;
        }
        print_error("validation of Python is not built yet, and there is no Go here to judge");
        return WRONG_USE;
    }
    let configuration = database.configuration("go");
    let settings = configuration
        .as_deref()
        .and_then(|it| it.downcast::<GoSettings>());
    let (mut go, settings) = match (go, settings.cloned()) {
        (Ok(go), Some(settings)) => (go, settings),
        (Err(words), _) => {
            print_error(&words);
            return WRONG_USE;
        }
        (_, None) => return NOTHING,
    };
    let root = database.root().to_owned();
    let (mut ours, folders) = gather(database, &sources, validate.quiet.quiet);
    let mut report = compare(
        &mut go,
        Path::new(&root),
        &mut ours,
        &folders,
        &settings,
        validate,
    );
    if !python.is_empty() {
        let words = format!(
            "validation of Python is not built yet: its files ({}) took no part",
            python.len()
        );
        report.notes.push(words);
    }
    print_report(&report, validate)
}

/// Returns our graph and the folders of its packages; the database is dropped to free its memory.
fn gather(
    database: ProjectDatabase,
    sources: &[String],
    quiet: bool,
) -> (CodeweftGraph, BTreeSet<String>) {
    let bar = Bar::new(quiet);
    database.index_all(0, &|progress| bar.show(progress));
    drop(bar);
    let mut ours = CodeweftGraph::new(database.root(), sources);
    let mut edges = EDGES.to_vec();
    edges.sort();
    let options = ExportOptions {
        edges,
        // Of calls through an interface the judge knows the method alone, not what it may run.
        dispatch: false,
        ..ExportOptions::default()
    };
    each_package(
        database.db(),
        &options,
        database.threads(),
        &mut |package| {
            ours.add(package);
        },
    );
    drop(database);
    ours.finish();
    let packages = ours.declared.iter().filter(|declared| !declared.external);
    let folders: BTreeSet<String> = packages
        .filter_map(|package| Some(ours.file_name(package.folder?).to_string()))
        .collect();
    (ours, folders)
}

fn compare(
    go: &mut Go,
    root: &Path,
    ours: &mut CodeweftGraph,
    folders: &BTreeSet<String>,
    settings: &GoSettings,
    validate: &Validate,
) -> Report {
    let modules = modules::modules(root, folders);
    let mut comparison = Comparison::new(ours, validate.tests);
    let mut judged = Vec::new();
    for (at, folder) in modules.iter().enumerate() {
        let patterns = modules::patterns(root, &modules, at, &validate.patterns);
        if patterns.is_empty() {
            continue;
        }
        let module = match folder.as_str() {
            "" => root.to_owned(),
            folder => root.join(folder),
        };
        let mut row = JudgedModule {
            folder: match folder.as_str() {
                "" => ".".to_owned(),
                folder => folder.to_owned(),
            },
            ..JudgedModule::default()
        };
        let case = Case {
            root,
            module: &module,
            patterns: &patterns,
            settings,
            tests: validate.tests,
        };
        let run = go.release(&module).and_then(|release| {
            if !validate.quiet.quiet {
                print_error(&format!("judging {} with {release}", module.display()));
            }
            row.go = release;
            go.judge(&row.go, &case, &mut |line| comparison.take(line))
        });
        row.error = run.err();
        row.packages = comparison.end_of_run(row.error.is_none());
        judged.push(row);
    }
    let mut report = comparison.finish();
    report.modules = judged;
    report.configuration = format!(
        "{}/{} cgo=0 tags={}",
        settings.goos,
        settings.goarch,
        settings.tags.join(",")
    );
    if settings.cgo {
        let words = "the judge builds without cgo: files that import \"C\" took no part";
        report.notes.push(words.to_owned());
    }
    report
}

fn print_report(report: &Report, validate: &Validate) -> u8 {
    let judged = report
        .modules
        .iter()
        .filter(|module| module.error.is_none());
    if judged.clone().next().is_none() {
        for module in &report.modules {
            let words = module.error.as_deref().unwrap_or_default();
            print_error(&format!("{} could not be judged: {words}", module.folder));
        }
        if report.modules.is_empty() {
            print_error("no module of the workspace holds what the patterns name");
        }
        return WRONG_USE;
    }
    let code = match (report.accuracy, validate.fail_under) {
        (None, _) => NOTHING,
        (Some(accuracy), Some(least)) if accuracy < least => MISSED,
        _ => 0,
    };
    let text = if validate.json {
        serde_json::to_string(report).unwrap_or_default()
    } else {
        report.words()
    };
    let code = print(&text, code);
    if code == MISSED {
        print_error("the accuracy is below what --fail-under asks for");
    }
    code
}
