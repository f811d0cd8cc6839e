//! Random edits through an editor, saved or not, and by an agent on disk; after each, random
//! queries of the agent: every answer equals that of a fresh database over the same texts.
//! `CODEWEFT_SLOW=1` makes a thousand edits; `CODEWEFT_EDITS` sets another number, and
//! `CODEWEFT_SEED` the first seed.

#[path = "fixture/in_process.rs"]
mod in_process;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use codeweft_graph::answer::GraphRequest;
use codeweft_testing::clients::{Agent, Editor};
use codeweft_testing::fresh_check::{bare, bare_of, questions};
use codeweft_testing::generate::{self, Edit, Size, python};
use codeweft_testing::{Fixture, SeededRng, Texts, fixture};
use codeweft_workspace::{AnalysisHost, HostOptions, HostState};
use serde_json::json;

/// A host with an editor and an agent.
struct Live {
    host: AnalysisHost,
    editor: Editor,
    agent: Agent,
    root: String,
    open: BTreeMap<String, String>,
    _folder: tempfile::TempDir,
}

impl Live {
    fn new(texts: &Texts) -> Live {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (path, text) in texts {
            fixture::write(folder.path(), path, text);
        }
        let host = AnalysisHost::start(HostOptions {
            root: folder.path().to_owned(),
            settings: fixture::settings(),
            variables: Some(BTreeMap::new()),
            threads: 2,
            watch: true,
            cache: None,
            cookies: None,
        })
        .expect("the folder is a workspace");
        let deadline = Instant::now() + Duration::from_secs(60);
        while host.state() != HostState::Ready {
            assert!(Instant::now() < deadline, "{:?}", host.state());
            thread::sleep(Duration::from_millis(5));
        }
        let mut editor = in_process::editor_on(&host, "utf-16").expect("an editor");
        let root = host.root().to_owned();
        editor.initialize(&root, &["utf-16"]).expect("initialize");
        let mut agent = in_process::agent_on(&host).expect("an agent");
        agent.initialize().expect("initialize");
        Live {
            host,
            editor,
            agent,
            root,
            open: BTreeMap::new(),
            _folder: folder,
        }
    }

    /// Applies an edit in one of the ways in which it can arrive; returns the way.
    fn apply<Kind: Copy>(&mut self, edit: &Edit<Kind>, rng: &mut SeededRng) -> &'static str {
        let path = format!("{}/{}", self.root, edit.path);
        let Some(text) = &edit.text else {
            if self.open.remove(&edit.path).is_some() {
                self.editor.close(&path).expect("written");
            }
            let _ = std::fs::remove_file(&path);
            return "removed";
        };
        if !self.open.contains_key(&edit.path) && rng.chance(1, 2) {
            fixture::write(Path::new(&self.root), &edit.path, text);
            return "written";
        }
        if !self.open.contains_key(&edit.path) {
            let now = std::fs::read_to_string(&path).unwrap_or_default();
            self.editor.open(&path, &now).expect("written");
            self.open.insert(edit.path.clone(), now);
        }
        let before = self.open.insert(edit.path.clone(), text.clone());
        self.type_over(&path, &before.unwrap_or_default(), text);
        if rng.chance(1, 3) {
            fixture::write(Path::new(&self.root), &edit.path, text);
            let saved = json!({"textDocument": {"uri": format!("file://{path}")}});
            let _ = self.editor.notify("textDocument/didSave", saved);
            return "typed and saved";
        }
        if rng.chance(1, 8) {
            // Closed with the new text on disk; the "do not save" of an editor would revert the
            // edit.
            fixture::write(Path::new(&self.root), &edit.path, text);
            self.editor.close(&path).expect("written");
            self.open.remove(&edit.path);
            return "typed, saved by another program, closed";
        }
        "typed"
    }

    /// Edits one text into the other: the lines between the first and the last that differ.
    fn type_over(&mut self, path: &str, before: &str, after: &str) {
        let old: Vec<&str> = before.split_inclusive('\n').collect();
        let new: Vec<&str> = after.split_inclusive('\n').collect();
        let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let rest = old.len().min(new.len()) - same;
        let tails = old.iter().rev().zip(new.iter().rev());
        let tail = tails.take(rest).take_while(|(a, b)| a == b).count();
        let place = |line: usize| match old.get(line) {
            Some(_) => (line as u32, 0),
            None => (old.len() as u32, 0),
        };
        let end = place(old.len() - tail);
        let text = new[same..new.len() - tail].concat();
        self.editor
            .edit(path, (place(same), end), &text)
            .expect("written");
    }

    /// Returns whether a target is a position in an unsaved file: a position refers to the disk's
    /// text, which the fresh database does not have there.
    fn is_place_in_unsaved(&self, target: &str) -> bool {
        let named = |file: &String| {
            let rest = target.strip_prefix(file.as_str());
            rest.is_some_and(|rest| rest.starts_with(':'))
        };
        let Some((file, text)) = self.open.iter().find(|(file, _)| named(file)) else {
            return false;
        };
        let disk = std::fs::read_to_string(format!("{}/{file}", self.root));
        disk.ok().as_ref() != Some(text)
    }

    fn ask(&mut self, request: &GraphRequest) -> String {
        let request = serde_json::to_value(request).expect("a request has a JSON");
        let reply = self.agent.call(request).expect("an answer");
        bare(reply.structured)
    }
}

/// Returns Go and Python files in the same folders.
fn mixed(seed: u64) -> Texts {
    let mut texts = generate::workspace(seed, Size::SMALL);
    texts.extend(python::workspace(seed, Size::SMALL));
    texts
}

/// Draws an edit of either language.
fn draw(rng: &mut SeededRng, texts: &Texts) -> Option<(String, Edit<()>)> {
    if rng.chance(1, 2) {
        let kind = *rng.one(&python::PythonEditKind::ALL)?;
        let Edit { path, text, .. } = python::edit(rng, texts, kind)?;
        return Some((
            format!("{kind:?}"),
            Edit {
                kind: (),
                path,
                text,
            },
        ));
    }
    let kind = *rng.one(&generate::GoEditKind::ALL)?;
    let Edit { path, text, .. } = generate::edit(rng, texts, kind)?;
    Some((
        format!("{kind:?}"),
        Edit {
            kind: (),
            path,
            text,
        },
    ))
}

#[test]
fn answers_after_random_edits_by_both_clients_equal_those_of_a_fresh_database() {
    let edits = match (number("CODEWEFT_EDITS"), number("CODEWEFT_SLOW")) {
        (Some(edits), _) => edits,
        (None, Some(1)) => 1000,
        _ => {
            println!("skipped: 970 more edits; CODEWEFT_SLOW=1 makes them");
            30
        }
    };
    const ASKED: usize = 8;
    let (mut made, mut changed, mut compared) = (0_u64, 0, 0);
    let mut seed = number("CODEWEFT_SEED").unwrap_or(1) - 1;
    while made < edits {
        seed += 1;
        let mut texts = mixed(seed);
        texts
            .entry("go.mod".to_owned())
            .or_insert_with(|| "module m\n\ngo 1.24\n".to_owned());
        let mut live = Live::new(&texts);
        let mut rng = SeededRng::new(seed);
        let mut history: Vec<String> = Vec::new();
        let mut fresh = Fixture::of(texts.clone()).load();
        for _ in 0..50.min(edits - made) {
            let Some((kind, edit)) = draw(&mut rng, &texts) else {
                continue;
            };
            let manner = live.apply(&edit, &mut rng);
            history.push(format!("{kind} {} {manner}", edit.path));
            edit.apply(&mut texts);
            made += 1;
            let before = fresh;
            fresh = Fixture::of(texts.clone()).load();
            let mut list = questions(fresh.host.db(), &texts, &mut rng, ASKED);
            list.extend(about(&edit.path, &fresh));
            let mut differs = BTreeSet::new();
            for request in &list {
                if live.is_place_in_unsaved(&request.target) {
                    continue;
                }
                let expected = bare_of(fresh.host.ask(request));
                let found = live.ask(request);
                assert_eq!(
                    found, expected,
                    "seed {seed}, {:?} of {} after {history:#?}",
                    request.operation, request.target
                );
                compared += 1;
                differs.insert(bare_of(before.host.ask(request)) != expected);
            }
            changed += u64::from(differs.contains(&true));
        }
        assert_eq!(live.host.state(), HostState::Ready);
    }
    println!("{made} edits, {changed} of them changed an answer, {compared} answers compared");
    assert!(changed * 2 >= made, "{changed} of {made}");
}

/// Parses a number in the environment.
fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Returns queries by position about the declarations and uses of the edited file, which show the
/// edit.
fn about(path: &str, fresh: &codeweft_testing::Workspace) -> Vec<GraphRequest> {
    use codeweft_graph::answer::Operation;
    let placed = codeweft_testing::rows::placed(fresh.host.db());
    let own = placed.iter().filter(|placed| placed.file == path);
    let mut list = Vec::new();
    for placed in own.take(4) {
        list.push(GraphRequest::new(Operation::Callees, &placed.id));
        list.push(GraphRequest::new(Operation::Callers, &placed.id));
    }
    list
}
