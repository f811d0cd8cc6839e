//! The rows after edits.

use codeweft_testing::Fixture;

use super::fixture::{Followed, assert_level};

const GO: &str = include_str!("go.txt");
const PYTHON: &str = include_str!("python.txt");

#[test]
fn a_new_store_has_the_rows_of_an_export() {
    for texts in [GO, PYTHON] {
        let world = Fixture::new(texts).load();
        let mut followed = Followed::new();
        followed.follow(&world);
        assert_level(&followed, &world, "new");
    }
}
