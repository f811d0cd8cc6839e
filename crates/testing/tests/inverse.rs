//! Every question is the inverse of its other side and tells what the export tells, on fixtures,
//! on programs of every kind of edge, and on generated trees.

use codeweft_testing::generate::{self, Size, python};
use codeweft_testing::inverse::{Edges, How, Lots, Sides, paths};
use codeweft_testing::{Fixture, Texts, fixture};

/// The sides of a workspace.
fn sides(texts: Texts, forgetting: bool) -> (Sides, Vec<String>) {
    let workspace = Fixture::of(texts).load();
    let how = How {
        threads: 1,
        forgetting,
        signatures: true,
    };
    let sides = Sides::read(workspace.host.db(), how);
    let lots = Lots { count: 60, seed: 1 };
    let wrong = paths(&sides, workspace.host.db(), lots);
    (sides, wrong)
}

/// Holds that no side differs, whether questions know of each other or not.
fn agree(texts: Texts, name: &str, least: usize) {
    for forgetting in [false, true] {
        let (sides, wrong) = sides(texts.clone(), forgetting);
        let lines: Vec<String> = sides
            .differences()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert!(
            lines.is_empty(),
            "{name}, forgetting {forgetting}: {lines:#?}"
        );
        assert!(wrong.is_empty(), "{name}: {wrong:#?}");
        let calls = sides.exported_calls.list.len();
        assert!(calls >= least, "{name}: {calls} calls");
        assert!(!sides.references.list.is_empty(), "{name}");
    }
}

/// The files of a folder of `test-fixtures`.
fn folder(name: &str) -> Texts {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-fixtures");
    let mut texts = Texts::new();
    let mut open = vec![root.join(name)];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of fixtures") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                let below = path.strip_prefix(root.join(name)).expect("below its root");
                texts.insert(below.to_string_lossy().into_owned(), text);
            }
        }
    }
    texts
}

#[test]
fn on_the_fixtures_every_question_is_the_inverse_of_its_other_side() {
    agree(folder("go-small"), "go-small", 10);
    agree(folder("live-small"), "live-small", 3);
}

#[test]
fn in_go_every_way_to_reach_a_method_is_told_from_both_ends() {
    agree(
        fixture::texts(include_str!("inverse/ways.txt")),
        "ways.txt",
        50,
    );
}

#[test]
fn in_python_every_kind_of_edge_is_told_from_both_ends() {
    agree(
        fixture::texts(include_str!("inverse/kinds.txt")),
        "kinds.txt",
        60,
    );
}

#[test]
fn in_python_what_runs_under_another_name_is_told_from_both_ends() {
    agree(
        fixture::texts(include_str!("inverse/values.txt")),
        "values.txt",
        20,
    );
}

#[test]
fn on_generated_trees_every_question_is_the_inverse_of_its_other_side() {
    for seed in 0..3 {
        let mut texts = generate::workspace(seed, Size::SMALL);
        for (path, text) in python::workspace(seed, Size::SMALL) {
            texts.entry(path).or_insert(text);
        }
        agree(texts, &format!("seed {seed}"), 200);
    }
}

#[test]
fn an_edge_that_one_side_loses_is_a_difference() {
    let texts = fixture::texts(include_str!("inverse/kinds.txt"));
    type Side = fn(&mut Sides) -> &mut Edges;
    let broken: [(&str, Side); 12] = [
        ("callers lacks", |sides| &mut sides.callers),
        ("callees lacks", |sides| &mut sides.callees),
        ("export of calls lacks", |sides| &mut sides.exported_calls),
        ("implementations lacks", |sides| &mut sides.implementations),
        ("implements lacks", |sides| &mut sides.implements),
        ("export of implements lacks", |sides| {
            &mut sides.exported_implements
        }),
        ("dependents lacks", |sides| &mut sides.dependents),
        ("dependencies lacks", |sides| &mut sides.dependencies),
        ("references lacks", |sides| &mut sides.references),
        ("export of references lacks", |sides| {
            &mut sides.exported_references
        }),
        ("impact of a behaviour lacks", |sides| &mut sides.impact),
        ("a plain id lacks", |sides| &mut sides.of_twins),
    ];
    let (mut sides, _) = sides(texts, false);
    for (told, side) in broken {
        let whole = side(&mut sides).clone();
        let own = |id: u32, sides: &Sides| {
            let mut nodes = sides.nodes.iter();
            nodes.any(|node| node.id == id && !node.external)
        };
        let at = whole
            .list
            .iter()
            .position(|edge| own(edge.from, &sides) && own(edge.to, &sides))
            .unwrap_or_else(|| panic!("{told}: nothing to lose"));
        let lost = side(&mut sides).list.remove(at);
        let found = sides.differences();
        let to = sides.names.text(lost.to).to_owned();
        assert!(
            found
                .iter()
                .any(|one| one.to_string().starts_with(told) && one.to == to),
            "{told}: {found:#?}"
        );
        *side(&mut sides) = whole;
        assert!(sides.differences().is_empty(), "{told}");
    }
}
