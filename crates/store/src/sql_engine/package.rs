//! Packages as targets: by import path, folder or file.

use std::rc::Rc;

use codeweft_db::{Lang, NodeKind};
use codeweft_graph::answer::{ApiError, ErrorType, FileScope};
use codeweft_graph::shaping::{declarations_note, plain_path};

use super::failure::Found;
use super::position;
use super::resolved::{self, Question, Target};
use super::rows::{FileId, Rows, SymbolFact, lang_named};
use super::{names, statements};
use crate::sqlite::codes;

/// A package as the list of packages has it.
struct Listed {
    id: String,
    lang: Option<Lang>,
    import_path: String,
    directory: Option<String>,
}

fn listed(rows: &Rows<'_>) -> Found<Vec<Listed>> {
    rows.all(statements::PACKAGES, [], |row| {
        let id: String = row.get(0)?;
        let language: String = row.get(1)?;
        let import_path: Option<String> = row.get(2)?;
        Ok(Listed {
            lang: lang_named(&language),
            import_path: import_path.unwrap_or_else(|| id.clone()),
            directory: row.get(3)?,
            id,
        })
    })
}

/// Returns the node of a package; `None` if no edge touches it.
pub(super) fn node(rows: &Rows<'_>, lang: Option<Lang>, id: &str) -> Found<Option<Rc<SymbolFact>>> {
    for symbol in rows.symbols(rows.sids(statements::BY_ID, [id])?)? {
        if symbol.kind == NodeKind::Package && rows.lang(&symbol)? == lang {
            return Ok(Some(symbol));
        }
    }
    Ok(None)
}

/// Resolves a package by import path, folder or file.
pub(super) fn target(question: Question<'_, '_>, plain: &str) -> Found<Option<Target>> {
    let Question { rows, text, .. } = question;
    let folder = plain_path(text);
    let mut by_path = Vec::new();
    let mut by_folder = Vec::new();
    let mut tests = Vec::new();
    for package in listed(rows)? {
        let Some(lang) = package.lang.filter(|lang| question.langs.contains(lang)) else {
            continue;
        };
        let is_path = package.import_path == plain;
        let is_folder = package.directory.as_ref() == Some(&folder);
        if !is_path && !is_folder {
            continue;
        }
        let Some(symbol) = node(rows, Some(lang), &package.id)? else {
            continue;
        };
        if is_path && !symbol.has(codes::TEST) {
            by_path.push(symbol.clone());
        }
        if is_folder && symbol.has(codes::TEST) {
            tests.push(symbol);
        } else if is_folder {
            by_folder.push(symbol);
        }
    }
    // A package of several modules is all of them.
    let around = by_folder.iter().find(|one| {
        let mut others = by_folder.iter().filter(|other| other.sid != one.sid);
        others.all(|other| {
            let rest = other.id.strip_prefix(&*one.id);
            rest.is_some_and(|rest| rest.starts_with('.'))
        })
    });
    if let Some(around) = around.cloned() {
        by_folder = vec![around];
    }
    let found = [by_path, by_folder, tests];
    if let Some(found) = found.into_iter().find(|found| !found.is_empty()) {
        return resolved::set_target(rows, found, text).map(Some);
    }
    match position::find_file(rows, text)? {
        Some(file) => file_target(question, file),
        None => Ok(None),
    }
}

/// Returns the packages that have another name: their whole import path, or the end of it. Those of the workspace,
/// if any.
pub(super) fn of_other_name(question: Question<'_, '_>, text: &str) -> Found<Vec<Rc<SymbolFact>>> {
    let rows = question.rows;
    let mut found: [Vec<Rc<SymbolFact>>; 2] = Default::default();
    for package in listed(rows)? {
        let Some(lang) = package.lang.filter(|lang| question.langs.contains(lang)) else {
            continue;
        };
        let before = package.import_path.strip_suffix(text);
        if !before.is_some_and(|before| before.is_empty() || before.ends_with('/')) {
            continue;
        }
        if let Some(symbol) = node(rows, Some(lang), &package.id)?
            && let Some(group) = found.get_mut(usize::from(symbol.is_external()))
        {
            group.push(symbol);
        }
    }
    let mut found = found.into_iter();
    Ok(found.find(|group| !group.is_empty()).unwrap_or_default())
}

/// Returns the package of a file.
pub(super) fn of_file(rows: &Rows<'_>, file: FileId) -> Found<Option<Rc<SymbolFact>>> {
    let Some(fact) = rows.file(file)? else {
        return Ok(None);
    };
    match &fact.package {
        Some(package) => node(rows, fact.lang, package),
        None => Ok(None),
    }
}

/// Resolves a file to the symbols that the operation's [`FileScope`] says, and to its package if there are none.
fn file_target(question: Question<'_, '_>, file: FileId) -> Found<Option<Target>> {
    let (rows, rules) = (question.rows, question.rules);
    let (Some(package), Some(fact)) = (of_file(rows, file)?, rows.file(file)?) else {
        return Ok(None);
    };
    let path = fact.path.to_string();
    let mut declared = Vec::new();
    if !resolved::takes_packages_alone(rules) {
        if !fact.is_built {
            return Err(excluded_file(rows, &path, fact.lang).into());
        }
        for symbol in position::declared_in(rows, file)? {
            if symbol.kind != NodeKind::Package
                && !names::is_inside_function(rows, &symbol)?
                && rules.targets.take(&*symbol)
            {
                declared.push(symbol);
            }
        }
    }
    let is_module = fact.lang.is_some_and(|lang| lang.packages_are_files);
    let with_package = match rules.files {
        FileScope::Package | FileScope::WithPackageCode => true,
        FileScope::WithModule => is_module,
        FileScope::Declarations => false,
    };
    let note = rules
        .counts_file_declarations
        .then(|| declarations_note(&path, declared.len()));
    let mut symbols = declared;
    if with_package || symbols.is_empty() {
        symbols.push(package);
    }
    Ok(Some(Target {
        note,
        file: Some(file),
        ..Target::of(rows.in_order(symbols)?, path)
    }))
}

/// Returns the error for a file that the build configuration leaves out.
pub(super) fn excluded_file(rows: &Rows<'_>, text: &str, lang: Option<Lang>) -> ApiError {
    let configuration = rows.configuration(lang);
    ApiError::new(
        ErrorType::TargetNotFound,
        format!("{text}: the file is left out under {configuration}"),
        "ask under a configuration that chooses it",
    )
}
