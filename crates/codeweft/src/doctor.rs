//! `codeweft doctor`: checks what Codeweft depends on, and says how to fix what is wrong.

use std::collections::BTreeMap;
use std::path::Path;

use codeweft_graph::languages::specs;
use codeweft_server::{ConnectError, ControlRequest, SocketPaths, environment};
use codeweft_store::{SqlError, check_file};
use codeweft_workspace::settings::{Settings, SettingsError};
use serde::Serialize;

use crate::arguments::Doctor;
use crate::output::print;
use crate::{connection, workspace};

/// The exit code if something is wrong.
const PROBLEM_FOUND: u8 = 1;

/// The number of watched folders that a large workspace needs.
const WATCHES: u64 = 65_536;

/// The maximum number of unread files that are named.
const MAX_NAMED: usize = 5;

/// The result of one check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Finding {
    /// The thing that was checked.
    what: &'static str,
    /// Whether it is as it should be.
    ok: bool,
    /// Its state.
    words: String,
    /// The fix; empty if none is needed.
    mend: String,
}

impl Finding {
    fn good(what: &'static str, words: impl Into<String>) -> Finding {
        Finding {
            what,
            ok: true,
            words: words.into(),
            mend: String::new(),
        }
    }

    fn wrong(what: &'static str, words: impl Into<String>, mend: impl Into<String>) -> Finding {
        Finding {
            what,
            ok: false,
            words: words.into(),
            mend: mend.into(),
        }
    }
}

/// Runs all checks and prints the findings; returns the exit code.
pub fn run(doctor: &Doctor) -> u8 {
    let root = match workspace::find(&doctor.root) {
        Ok(root) => root,
        Err(code) => return code,
    };
    let mut findings = vec![Finding::good("workspace", root.clone())];
    findings.push(write_access(&root));
    findings.extend(socket_folder(&root));
    findings.push(server(&root));
    findings.extend(watches());
    findings.extend(watching(&root));
    let (settings, finding) = settings(&root);
    findings.push(finding);
    findings.push(cache(&settings));
    findings.push(store(&root, &settings, doctor.deep));
    match workspace::load_with(&root, settings, &doctor.quiet) {
        Ok(database) => {
            let unread = database.unread();
            findings.extend(languages(&database.languages(), database.notes()));
            findings.push(unread_files(
                unread.iter().map(|one| (&*one.file, &*one.reason)),
            ));
            database.leave(workspace::CACHE_WAIT);
        }
        Err(code) => return code,
    }
    let ok = findings.iter().all(|finding| finding.ok);
    let text = if doctor.json {
        serde_json::json!({"ok": ok, "findings": findings}).to_string()
    } else {
        words(&findings)
    };
    print(&text, if ok { 0 } else { PROBLEM_FOUND })
}

/// Returns the settings; those without the file if the file is invalid.
fn settings(root: &str) -> (Settings, Finding) {
    const WHAT: &str = "settings";
    let none = BTreeMap::new();
    match Settings::find(root, &none, None) {
        Ok(settings) => {
            let words = match settings.configuration.as_str() {
                "" => "none".to_owned(),
                configuration => format!("{} is built for {configuration}", settings.configured),
            };
            (settings, Finding::good(WHAT, words))
        }
        Err(wrong) => {
            let mend = match &wrong {
                SettingsError::Value(_) => "correct the value",
                _ => "correct the file; until then it counts as none",
            };
            let settings = Settings::without_file(root, &none, None).unwrap_or_default();
            (settings, Finding::wrong(WHAT, wrong.to_string(), mend))
        }
    }
}

/// Checks the cache of lowered texts.
fn cache(settings: &Settings) -> Finding {
    const WHAT: &str = "cache";
    let Some(options) = settings.cache(None) else {
        return Finding::good(WHAT, "off");
    };
    let folder = options.folder.display();
    match options.size() {
        Ok(size) => {
            let (size, most) = (size >> 20, options.max_size >> 20);
            Finding::good(WHAT, format!("{folder}, {size} of {most} MiB"))
        }
        Err(error) => Finding::wrong(
            WHAT,
            format!("{folder}: {error}; each start reads everything anew"),
            "`chmod 700` the folder v1 in it, or name another one: `[cache] dir` in codeweft.toml",
        ),
    }
}

/// Checks the store, the whole file if `deep`.
fn store(root: &str, settings: &Settings, deep: bool) -> Finding {
    const WHAT: &str = "store";
    const MEND: &str = "remove it, and the files beside it that begin with its name; the next server writes it anew";
    let path = match settings.store(root) {
        Ok(Some(path)) => path,
        Ok(None) => return Finding::good(WHAT, "off"),
        Err(error) => return Finding::wrong(WHAT, error.to_string(), "correct the file"),
    };
    if !path.exists() {
        return Finding::good(WHAT, "none; a server makes it");
    }
    let check = match check_file(&path, deep) {
        Ok(check) => check,
        Err(error @ SqlError::Foreign { .. }) => {
            let mend = "a server copies it or renames it, and writes it anew; until then it answers nothing";
            return Finding::wrong(WHAT, error.to_string(), mend);
        }
        Err(error) => return Finding::wrong(WHAT, error.to_string(), MEND),
    };
    if !check.problems.is_empty() {
        let words = format!("{}: {}", path.display(), check.problems.join("; "));
        return Finding::wrong(WHAT, words, MEND);
    }
    let read = if deep { ", read as a whole" } else { "" };
    let (symbols, texts) = (check.symbols, check.texts);
    let words = format!(
        "{}, {symbols} symbols of {texts} texts{read}",
        path.display()
    );
    Finding::good(WHAT, words)
}

fn words(findings: &[Finding]) -> String {
    let mut text = String::new();
    for finding in findings {
        let mark = if finding.ok { "ok" } else { "!!" };
        text.push_str(&format!("{mark}  {:14} {}\n", finding.what, finding.words));
        if !finding.mend.is_empty() {
            text.push_str(&format!("    {:14} {}\n", "", finding.mend));
        }
    }
    text
}

fn write_access(root: &str) -> Finding {
    const WHAT: &str = "own folder";
    let own = Path::new(root).join(".codeweft");
    match std::fs::symlink_metadata(&own) {
        Ok(_) if codeweft_server::WorkspaceFolder::open(root).is_some() => {
            Finding::good(WHAT, own.display().to_string())
        }
        Ok(_) => Finding::wrong(
            WHAT,
            format!(
                "{} is a link, another user's, or can be written by others, and is not used",
                own.display()
            ),
            "remove it; clients in another environment might not find the server without it",
        ),
        Err(_) => match rustix::fs::access(root, rustix::fs::Access::WRITE_OK) {
            Ok(()) => Finding::good(WHAT, "made when a server starts"),
            Err(_) => Finding::good(WHAT, "the workspace cannot be written to; none is needed"),
        },
    }
}

/// Checks the folder of the socket that a server started now would use.
fn socket_folder(root: &str) -> Vec<Finding> {
    const WHAT: &str = "socket folder";
    match SocketPaths::new(root).make() {
        Ok(folder) => vec![Finding::good(
            WHAT,
            format!("{} (yours alone)", folder.path().display()),
        )],
        Err(error) => vec![Finding::wrong(
            WHAT,
            error.to_string(),
            "clients go on alone, each with a database of its own, until this is mended",
        )],
    }
}

fn server(root: &str) -> Finding {
    const WHAT: &str = "server";
    let stop = "`codeweft serve --stop` ends it; the next client starts this build";
    match connection::ctl(root) {
        Ok((_, welcome)) if welcome.build == codeweft_server::build() => Finding::good(
            WHAT,
            format!(
                "process {} runs this build ({})",
                welcome.pid, welcome.build
            ),
        ),
        Ok((_, welcome)) => Finding::wrong(
            WHAT,
            format!(
                "process {} runs another build ({}) than this one ({})",
                welcome.pid,
                welcome.build,
                codeweft_server::build()
            ),
            stop,
        ),
        Err(ConnectError::None) => Finding::good(WHAT, "none runs; the first client starts one"),
        Err(error) => {
            let pid = SocketPaths::new(root).record().map(|record| record.pid);
            let mend = match pid {
                Some(pid) => format!("end process {pid}"),
                None => "see which process holds the lock in .codeweft".to_owned(),
            };
            Finding::wrong(WHAT, error.to_string(), mend)
        }
    }
}

/// Checks how many folders may be watched, if the system has a limit.
fn watches() -> Option<Finding> {
    const WHAT: &str = "watches";
    let limit = "/proc/sys/fs/inotify/max_user_watches";
    let limit: u64 = std::fs::read_to_string(limit).ok()?.trim().parse().ok()?;
    Some(if limit < WATCHES {
        Finding::wrong(
            WHAT,
            format!("{limit} folders may be watched; a large workspace has more"),
            format!("sysctl fs.inotify.max_user_watches={}", 8 * WATCHES),
        )
    } else {
        Finding::good(WHAT, format!("{limit} folders may be watched"))
    })
}

/// Reports what the watcher of a running server misses, if it misses changes.
fn watching(root: &str) -> Option<Finding> {
    let (mut ctl, _) = connection::ctl(root).ok()?;
    let figures = ctl.figures(&ControlRequest::Stats).ok()?;
    missed(&figures["watch"])
}

fn missed(watch: &serde_json::Value) -> Option<Finding> {
    const WHAT: &str = "watcher";
    if watch["limit_reached"] == true {
        return Some(Finding::wrong(
            WHAT,
            "the server could not watch every folder; changes in the others are seen late",
            format!(
                "sysctl fs.inotify.max_user_watches={}, then `codeweft serve --stop`",
                8 * WATCHES
            ),
        ));
    }
    (watch["alive"] == false).then(|| {
        Finding::wrong(
            WHAT,
            "the server watches nothing; changes are seen late",
            "`codeweft serve --stop`; the next client starts another",
        )
    })
}

/// Checks the languages of the workspace and their libraries, from the numbers of files and of
/// library files by language and the notes of the languages about the layout.
fn languages(
    files: &BTreeMap<&'static str, (usize, usize)>,
    notes: &[(String, String)],
) -> Vec<Finding> {
    let mut findings = Vec::new();
    if files.values().all(|(own, _)| *own == 0) {
        findings.push(Finding::wrong(
            "languages",
            "no source file that Codeweft reads",
            "look at --root, .gitignore and .codeweftignore",
        ));
    }
    for (&language, &(own, libraries)) in files {
        if own == 0 {
            continue;
        }
        let spec = specs().find(|spec| spec.wire_name == language);
        let mut words = format!("{own} files, {libraries} of libraries");
        if let Some(program) = spec.and_then(|spec| spec.program) {
            words += &match environment::on_path(program) {
                Some(path) => format!("; {program} is {path}"),
                None => format!("; no {program} on PATH"),
            };
        }
        findings.push(match spec.and_then(|spec| spec.library_hint) {
            Some(hint) if libraries == 0 => Finding::wrong(language, words, hint),
            _ => Finding::good(language, words),
        });
    }
    for (path, words) in notes {
        findings.push(Finding::wrong("layout", format!("{path}: {words}"), ""));
    }
    findings
}

/// Reports the files that were not read.
fn unread_files<'a>(unread: impl ExactSizeIterator<Item = (&'a str, &'a str)>) -> Finding {
    const WHAT: &str = "left out";
    let total = unread.len();
    if total == 0 {
        return Finding::good(WHAT, "no source file");
    }
    let named: Vec<String> = unread
        .take(MAX_NAMED)
        .map(|(file, reason)| format!("{file}: {reason}"))
        .collect();
    let more = match total.saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    Finding::wrong(
        WHAT,
        format!("{total} files: {}{more}", named.join("; ")),
        "`codeweft index --json` names all",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_without_its_library_is_wrong_and_one_without_files_is_not_named() {
        let files = BTreeMap::from([("go", (0, 0)), ("python", (3, 0))]);
        let findings = languages(&files, &[]);
        assert_eq!(findings.len(), 1);
        assert!(!findings[0].ok);
        let files = BTreeMap::from([("go", (3, 0)), ("python", (3, 9))]);
        assert!(languages(&files, &[]).iter().all(|finding| finding.ok));
        let note = (
            "/w".to_owned(),
            "no Go standard library was found".to_owned(),
        );
        assert!(!languages(&files, &[note]).iter().all(|finding| finding.ok));
    }

    #[test]
    fn a_workspace_without_sources_is_wrong() {
        assert!(!languages(&BTreeMap::new(), &[])[0].ok);
    }

    #[test]
    fn a_watcher_that_misses_changes_is_wrong() {
        let watch = |limit: bool, alive: bool| {
            missed(&serde_json::json!({"limit_reached": limit, "alive": alive}))
        };
        assert_eq!(watch(false, true), None);
        assert!(watch(true, true).is_some_and(|finding| !finding.ok));
        assert!(watch(false, false).is_some_and(|finding| !finding.ok));
        assert_eq!(missed(&serde_json::Value::Null), None);
    }

    #[test]
    fn only_the_first_of_many_files_are_named() {
        let files = [("a", "x"); 7];
        let finding = unread_files(files.into_iter());
        assert!(finding.words.starts_with("7 files: a: x"), "{finding:?}");
        assert!(finding.words.ends_with("; and 2 more"), "{finding:?}");
        assert!(unread_files([].into_iter()).ok);
    }
}
