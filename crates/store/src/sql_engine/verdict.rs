//! How complete an answer is: the sites that could belong to it, their reasons, the first of them, and warnings. The
//! database may say less than the live engine, never more: what it does not have makes an answer incomplete.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::rc::Rc;

use codeweft_db::OutsideCaller;
use codeweft_graph::answer::{
    Completeness, GraphRequest, Hidden, MAX_WARNINGS, Operation, UnresolvedGroup,
    UnresolvedSiteAnswer, Warning, WarningKind,
};
use codeweft_graph::shaping::{MAX_LISTED_GROUPS, MAX_LISTED_UNRESOLVED, VerdictWords, words};
use rustc_hash::{FxHashMap, FxHashSet};

use super::failure::Found;
use super::links::ResultRow;
use super::open_sites::{OpenSites, has_caller_outside};
use super::operations;
use super::package;
use super::resolved::Target;
use super::result::{Answer, STEPS};
use super::rows::{Fact, FileFact, FileId, Rows};
use super::statements;
use crate::sqlite::EXCLUDED_FILE;

/// The reason of files with syntax errors.
const PARSE_ERROR: &str = "parse_error";

/// The counts of a verdict besides open sites.
pub(super) struct Counts<'a> {
    /// The number of results after filters.
    pub(super) found: u32,
    /// The same by whose they are, in words.
    pub(super) origins: String,
    /// What the filters hid.
    pub(super) hidden: Option<&'a Hidden>,
    /// The build configuration, printed.
    pub(super) configuration: String,
}

/// An open site with what orders it: own code before its tests and those before libraries, then by path.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Ranked {
    origin: u8,
    path: Rc<str>,
    line: u32,
    column: u32,
    reason: usize,
    file: FileId,
    word: Rc<str>,
}

fn ranked(rows: &Rows<'_>, open: &OpenSites) -> Found<Vec<Ranked>> {
    let mut paths: FxHashMap<FileId, (u8, Rc<str>)> = FxHashMap::default();
    let mut found = Vec::with_capacity(open.count() as usize);
    for (position, site) in open.iter() {
        let (origin, path) = match paths.get(&position.file) {
            Some(known) => known.clone(),
            None => {
                let file = rows.file(position.file)?;
                let rank = |file: &FileFact| match (file.is_external, file.is_test) {
                    (true, _) => 2,
                    (false, is_test) => u8::from(is_test),
                };
                let origin = file.as_ref().map_or(2, |file| rank(file));
                let path = file.map_or_else(|| "".into(), |file| (&*file.path).into());
                paths.insert(position.file, (origin, path));
                paths
                    .get(&position.file)
                    .cloned()
                    .unwrap_or_else(|| (2, "".into()))
            }
        };
        found.push(Ranked {
            origin,
            path,
            line: position.line,
            column: position.column,
            reason: rows.reason_rank(site.reason),
            file: position.file,
            word: rows.reason(site.reason).unwrap_or_else(|| "".into()),
        });
    }
    found.sort_unstable();
    Ok(found)
}

/// Returns the verdict on an answer.
pub(super) fn completeness(
    rows: &Rows<'_>,
    request: &GraphRequest,
    target: &Target,
    answer: &Answer,
    counts: Counts<'_>,
) -> Found<Completeness> {
    let sites = ranked(rows, &answer.open)?;
    let count = answer.open.count();
    let mut nouns = request
        .operation
        .answer_nouns(target.file.is_some(), request.depth);
    nouns.singular = answer.none.unwrap_or(nouns.singular);
    let lacking = lacking(rows, answer);
    let mut outside: Vec<OutsideCaller> = Vec::new();
    if request.operation == Operation::Callers {
        for caller in OutsideCaller::ALL {
            for symbol in &target.symbols {
                if has_caller_outside(rows, symbol.sid, caller)? {
                    outside.push(caller);
                    break;
                }
            }
        }
    }
    let words = words(
        nouns,
        &VerdictWords {
            found: counts.found,
            origins: &counts.origins,
            hidden: counts.hidden,
            of_file: target.file.is_some(),
            unresolved: count,
            partial: answer.partial,
            lacking: &lacking,
            outside: &outside,
            configuration: &counts.configuration,
        },
    );
    let mut by_reason: BTreeMap<String, u32> = BTreeMap::new();
    for site in &sites {
        *by_reason.entry(site.word.to_string()).or_default() += 1;
    }
    let (groups, groups_total) = if count as usize > MAX_LISTED_UNRESOLVED {
        groups(rows, &sites, target)?
    } else {
        Default::default()
    };
    let listable = answer.open.count_listable();
    let may_list = request.operation.uses("include_unresolved");
    Ok(Completeness {
        complete: count == 0 && answer.partial.is_none() && lacking.is_empty(),
        configuration: counts.configuration,
        unresolved_sites: count,
        by_reason,
        first: first(&sites),
        groups_total: (groups_total as usize > groups.len()).then_some(groups_total),
        groups,
        include_unresolved: (may_list && listable > 0).then_some(listable),
        words,
    })
}

/// Returns what an answer lacks besides open sites, in words.
fn lacking(rows: &Rows<'_>, answer: &Answer) -> String {
    let mut words = Vec::new();
    if answer.lacks_libraries {
        words.push("what libraries use of each other is not in the database".to_owned());
    }
    if answer.lacks_steps {
        words.push(format!("only {STEPS} steps were followed"));
    }
    match rows.broken() {
        0 => {}
        1 => words.push("1 row of the database could not be read".to_owned()),
        broken => words.push(format!("{broken} rows of the database could not be read")),
    }
    words.join("; ")
}

/// Returns the listed sites: the first of each reason, then others, in their order.
fn first(sites: &[Ranked]) -> Vec<UnresolvedSiteAnswer> {
    let mut seen = FxHashSet::default();
    let (mut chosen, others): (Vec<&Ranked>, Vec<&Ranked>) =
        sites.iter().partition(|site| seen.insert(site.reason));
    chosen.extend(others);
    chosen.truncate(MAX_LISTED_UNRESOLVED);
    chosen.sort_unstable();
    let chosen = chosen.into_iter().map(|site| UnresolvedSiteAnswer {
        file: site.path.to_string(),
        line: site.line,
        column: site.column,
        reason: site.word.to_string(),
    });
    chosen.collect()
}

/// Returns the sites by file and reason, the first groups and the number of all.
fn groups(
    rows: &Rows<'_>,
    sites: &[Ranked],
    target: &Target,
) -> Found<(Vec<UnresolvedGroup>, u32)> {
    let importing = importing(rows, target)?;
    let mut counted: FxHashMap<(FileId, usize), (&Ranked, u32)> = FxHashMap::default();
    for site in sites {
        // Sites come by position.
        counted
            .entry((site.file, site.reason))
            .or_insert((site, 0))
            .1 += 1;
    }
    let mut ordered = Vec::with_capacity(counted.len());
    for ((file, reason), (first, count)) in counted {
        let is_likely =
            importing.files.contains(&file) || importing.folders.contains(folder(&first.path));
        let order = (
            first.origin,
            !is_likely,
            Reverse(count),
            first.path.clone(),
            reason,
        );
        ordered.push((order, first));
    }
    ordered.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    let total = ordered.len() as u32;
    ordered.truncate(MAX_LISTED_GROUPS);
    let groups = ordered.into_iter();
    let groups = groups.map(|((_, _, Reverse(count), path, _), first)| UnresolvedGroup {
        file: path.to_string(),
        line: first.line,
        column: first.column,
        reason: first.word.to_string(),
        count,
    });
    Ok((groups.collect(), total))
}

/// The files that import the package of a target, and the folders of the targets, which hold their packages.
#[derive(Default)]
struct Importing {
    files: FxHashSet<FileId>,
    folders: FxHashSet<Box<str>>,
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn importing(rows: &Rows<'_>, target: &Target) -> Found<Importing> {
    let mut found = Importing::default();
    let mut packages = FxHashSet::default();
    for symbol in &target.symbols {
        if let Some(file) = rows.file_of(symbol)? {
            found.folders.insert(folder(&file.path).into());
        }
        let Some(fact) = rows.package_of(symbol)? else {
            continue;
        };
        if !packages.insert(fact.id.clone()) {
            continue;
        }
        if let Some(node) = package::node(rows, fact.lang, &fact.id)? {
            for (_, links) in operations::importers_of(rows, node.sid)? {
                found
                    .files
                    .extend(links.iter().map(|link| link.position.file));
            }
        }
    }
    Ok(found)
}

/// Returns the first warnings about the files of an answer, and the number of all if there are more: syntax errors,
/// files that the build configuration leaves out, rows that could not be read.
pub(super) fn warnings(
    rows: &Rows<'_>,
    open: &OpenSites,
    target: &Target,
    listed: &[ResultRow],
    configuration: &str,
) -> Found<(Vec<Warning>, Option<u32>)> {
    let mut files: Vec<FileId> = Vec::new();
    files.extend(target.symbols.iter().take(20).filter_map(|one| one.file));
    for row in listed {
        files.extend(rows.fact(row.symbol)?.and_then(Fact::file));
        files.extend(row.links.iter().map(|link| link.position.file));
    }
    let of_reason = |word: &str| {
        let sites = open.iter();
        let fits = |reason: u16| rows.reason(reason).is_some_and(|known| &*known == word);
        let files = sites.filter(|(_, site)| fits(site.reason));
        files.map(|(position, _)| position.file).collect::<Vec<_>>()
    };
    files.extend(of_reason(PARSE_ERROR));
    let mut warnings = Vec::new();
    let mut seen = FxHashSet::default();
    for file in files {
        if !seen.insert(file) {
            continue;
        }
        let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, u32>(0)?, row.get::<_, u32>(1)?));
        let Some((line, lines)) = rows.first(statements::ERROR_LINES, [file], read)? else {
            continue;
        };
        warnings.push(Warning {
            file: path(rows, file)?,
            line: Some(line),
            kind: WarningKind::ParseError,
            message: match lines {
                1 => "this line could not be read".to_owned(),
                lines => format!("{lines} lines could not be read"),
            },
        });
    }
    for file in of_reason(EXCLUDED_FILE) {
        if seen.insert(file) {
            warnings.push(Warning {
                file: path(rows, file)?,
                line: None,
                kind: WarningKind::Excluded,
                message: format!("left out under {configuration}, and mentions the name"),
            });
        }
    }
    warnings.sort();
    if rows.broken() > 0 {
        let warning = Warning {
            file: String::new(),
            line: None,
            kind: WarningKind::Unreadable,
            message: format!(
                "rows of the database that could not be read, and are skipped: {}",
                rows.broken()
            ),
        };
        warnings.insert(0, warning);
    }
    let total = warnings.len();
    warnings.truncate(MAX_WARNINGS);
    Ok((warnings, (total > MAX_WARNINGS).then_some(total as u32)))
}

fn path(rows: &Rows<'_>, file: FileId) -> Found<String> {
    let file = rows.file(file)?;
    Ok(file.map_or_else(String::new, |file| file.path.to_string()))
}
