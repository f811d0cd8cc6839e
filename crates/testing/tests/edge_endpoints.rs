//! Both ends of every exported edge are exported nodes.

use codeweft_testing::generate::{Size, python, workspace};
use codeweft_testing::rows::export;
use codeweft_testing::{Fixture, Texts};

fn check(seed: u64, texts: Texts) {
    let workspace = Fixture::of(texts).load();
    let (lines, loose) = export(workspace.host.db(), 1);
    assert_eq!(loose, [""; 0], "seed {seed}");
    // An empty export would pass as well.
    assert!(lines.len() > 200, "seed {seed}");
}

#[test]
fn both_ends_of_every_exported_edge_are_exported_nodes() {
    for seed in 0..4 {
        check(seed, workspace(seed, Size::SMALL));
    }
}

#[test]
fn both_ends_of_every_exported_edge_of_python_are_exported_nodes() {
    for seed in 0..4 {
        check(seed, python::workspace(seed, Size::SMALL));
    }
}

#[test]
fn both_ends_of_every_exported_edge_of_a_mixed_tree_are_exported_nodes() {
    let mut texts = workspace(4, Size::SMALL);
    texts.extend(python::workspace(4, Size::SMALL));
    check(4, texts);
}
