//! `codeweft validate --deep`: our graph against what Go's own type checker says of the same files.

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

use codeweft_ide::{GoSettings, ProjectDatabase};

use crate::arguments::Validate;
use crate::output::{complain, print};
use crate::progress::Bar;
use crate::workspace::{self, WRONG_USE};

use compare::Comparison;
use judge::{Case, Go};
use ours::{CodeweftGraph, EDGES};
use report::{JudgedModule, Report};

/// Nothing was there to compare.
const NOTHING: u8 = 1;

/// `--fail-under` was missed.
const MISSED: u8 = 4;

/// Compares and prints; gives the exit code.
pub fn run(validate: &Validate) -> u8 {
    if !validate.deep {
        complain("say `codeweft validate --deep`: it compares the whole graph with what Go's type");
        complain("checker says, in minutes on a large workspace. Another validation there is not");
        return WRONG_USE;
    }
    // Asked first, told only where there is Go to judge.
    let go = Go::find();
    let world = match workspace::load(&validate.workspace, &validate.quiet) {
        Ok(world) => world,
        Err(code) => return code,
    };
    let (sources, python) = (world.sources("go"), world.sources("python"));
    if sources.is_empty() {
        if python.is_empty() {
            return NOTHING;
        }
        complain("validation of Python is not built yet, and there is no Go here to judge");
        return WRONG_USE;
    }
    let (mut go, settings) = match (go, world.go()) {
        (Ok(go), Some(settings)) => (go, settings),
        (Err(words), _) => {
            complain(&words);
            return WRONG_USE;
        }
        (_, None) => return NOTHING,
    };
    let root = world.root().to_owned();
    let (mut ours, folders) = gather(world, &sources, validate.quiet.quiet);
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
    tell(&report, validate)
}

/// Our graph, and the folders of its packages; the World's memory is given back.
fn gather(
    world: ProjectDatabase,
    sources: &[String],
    quiet: bool,
) -> (CodeweftGraph, BTreeSet<String>) {
    let bar = Bar::new(quiet);
    world.index_all(0, &|progress| bar.tell(progress));
    drop(bar);
    let mut ours = CodeweftGraph::new(world.root(), sources);
    world.each_package(&EDGES, &mut |package| ours.add(package));
    drop(world);
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
                complain(&format!("judging {} with {release}", module.display()));
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

fn tell(report: &Report, validate: &Validate) -> u8 {
    let judged = report
        .modules
        .iter()
        .filter(|module| module.error.is_none());
    if judged.clone().next().is_none() {
        for module in &report.modules {
            let words = module.error.as_deref().unwrap_or_default();
            complain(&format!("{} could not be judged: {words}", module.folder));
        }
        if report.modules.is_empty() {
            complain("no module of the workspace holds what the patterns name");
        }
        return WRONG_USE;
    }
    let code = match (report.accuracy, validate.fail_under) {
        (None, _) => NOTHING,
        (Some(accuracy), Some(least)) if accuracy < least => MISSED,
        _ => 0,
    };
    let text = match validate.json {
        // Counts, texts and lists always have a JSON.
        true => serde_json::to_string(report).unwrap_or_default(),
        false => report.words(),
    };
    let code = print(&text, code);
    if code == MISSED {
        complain("the accuracy is below what --fail-under asks for");
    }
    code
}
