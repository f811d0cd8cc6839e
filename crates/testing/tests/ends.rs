//! Both ends of every edge are nodes.

use codeweft_testing::Fixture;
use codeweft_testing::generate::{Size, workspace};
use codeweft_testing::rows::export;

#[test]
fn both_ends_of_every_exported_edge_are_exported_nodes() {
    for seed in 0..4 {
        let workspace = Fixture::of(workspace(seed, Size::SMALL)).load();
        let (_, loose) = export(workspace.host.db(), 1);
        assert_eq!(loose, [""; 0], "seed {seed}");
    }
}
