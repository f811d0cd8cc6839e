//! The files that a command begins a program with: `python jobs/run.py`, `gunicorn app.wsgi:app`, `celery -A tasks worker`.

use std::collections::BTreeSet;

use super::is_below;
use crate::code::Code;

/// The flags behind which a module is named (python, celery, flask).
const MODULE_FLAGS: [&str; 4] = ["-m", "-A", "--app", "--application"];

/// Returns the files below a folder that a command names, as scripts or modules.
pub(super) fn entries(code: &Code, folder: &str, command: &[String]) -> BTreeSet<String> {
    let words: Vec<&str> = command.iter().flat_map(|word| words(word)).collect();
    let mut entries = BTreeSet::new();
    for (at, word) in words.iter().enumerate() {
        let flag = at.checked_sub(1).and_then(|before| words.get(before));
        let is_module = flag.is_some_and(|flag| MODULE_FLAGS.contains(flag));
        let module = match word.split_once(':') {
            // `module:attribute`
            Some((module, attribute)) if is_name(module) && is_name(attribute) => Some(module),
            Some((_, _)) => None,
            None => Some(*word).filter(|word| is_module && is_name(word)),
        };
        let paths = match module {
            Some(module) => {
                let path = module.replace('.', "/");
                vec![
                    format!("{path}.py"),
                    format!("{path}/__main__.py"),
                    format!("{path}/__init__.py"),
                ]
            }
            None if word.ends_with(".py") => vec![(*word).to_owned()],
            None => continue,
        };
        let mut found = paths.iter().filter_map(|path| file(code, folder, path));
        entries.extend(found.next());
    }
    entries
}

/// Returns whether a command runs the tasks of a queue (Celery, Command Line Interface).
pub(super) fn runs_tasks(command: &[String]) -> bool {
    let words: Vec<&str> = command.iter().flat_map(|word| words(word)).collect();
    let is_celery = |word: &&str| word.rsplit('/').next() == Some("celery");
    let celery = words.iter().position(is_celery);
    let behind = celery.and_then(|celery| words.get(celery..));
    behind.is_some_and(|behind| behind.contains(&"worker"))
}

/// Returns the words of a text that a shell may run.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let parts =
        text.split(|c: char| c.is_whitespace() || matches!(c, ';' | '&' | '|' | '"' | '\''));
    parts.filter(|word| !word.is_empty())
}

/// Returns whether a text is a dotted name.
fn is_name(text: &str) -> bool {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    !text.is_empty()
        && text.chars().all(is_of_name)
        && !text.starts_with(|c: char| c.is_ascii_digit())
}

/// Returns the only file below a folder with a path, which may begin in the image: `/app/jobs/run.py`.
fn file(code: &Code, folder: &str, path: &str) -> Option<String> {
    let mut rest = path.trim_start_matches("./").trim_start_matches('/');
    loop {
        let named = code.files.iter().filter(|file| {
            !file.is_test
                && is_below(&file.path, folder)
                && (*file.path == *rest
                    || file
                        .path
                        .strip_suffix(rest)
                        .is_some_and(|before| before.ends_with('/')))
        });
        // The file nearest to the folder, where several end so.
        let nearest = named.min_by_key(|file| file.path.len());
        if let Some(nearest) = nearest {
            return Some(nearest.path.to_string());
        }
        rest = rest.split_once('/')?.1;
    }
}
