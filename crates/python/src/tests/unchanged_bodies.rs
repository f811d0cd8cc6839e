//! The uses of single bodies, taken from those of their file.

use std::ops::Range;

use codeweft_db::{FileUses, UsesByTarget, file_bodies};
use codeweft_python_syntax::AsPython as _;

use super::harness::Fixture;
use crate::index::file_uses;
use crate::uses::read_bodies;
use crate::uses::unchanged::{Run, cut, runs};

/// Bodies with references, sites without a target, values that escape and calls by `super()`.
const TEXT: &str = r#"
    import functools

    class Base:
        def run(self, other):
            return other.run(self)

    class Derived(Base):
        def run(self, other):
            register(self.run, type(self), helper)
            return super().run(other)

        @functools.wraps(helper)
        def wrapped(self):
            return [one.go() for one in self.rows] + [helper]

    def helper(n):
        return getattr(n, "run") or Derived().run(n)

    def register(*what):
        return lambda one: one.run(helper)
"#;

#[test]
fn a_body_cut_out_of_its_files_uses_has_the_uses_that_it_has_alone() {
    let fixture = Fixture::new(TEXT);
    let (db, file) = (fixture.db(), fixture.file("a.py"));
    let all = file_bodies(db, file);
    let bodies = all.python().expect("Python");
    let uses = file_uses(db, file);
    let count = bodies.bodies.len();
    let each: Vec<Range<usize>> = (0..count).map(|number| number..number + 1).collect();
    let parts = cut(db, &uses, &each);
    assert_eq!(parts.len(), count);
    for (number, part) in parts.iter().enumerate() {
        let alone = read_bodies(db, file, number as u32, &bodies.one_body(number).bodies);
        assert_eq!(**part, alone, "body {number}");
    }
    let total = |of: fn(&UsesByTarget) -> usize| -> usize {
        parts.iter().map(|part| of(&part.uses_by_target)).sum()
    };
    let FileUses {
        unresolved,
        super_calls,
        ..
    } = &*uses;
    assert_eq!(
        total(|uses| uses.uses.len()),
        uses.uses_by_target[0].uses.len()
    );
    assert!(!unresolved.is_empty() && !super_calls.is_empty() && !uses.escaped.is_empty());
    // Two runs: what is between them belongs to neither.
    let two = cut(db, &uses, &[0..2, 4..count]);
    let of_body = |body: u32| parts[body as usize].uses_by_target.uses.len();
    let expected = [0..2, 4..count as u32].map(|run| run.map(of_body).sum::<usize>());
    let found: Vec<usize> = two
        .iter()
        .map(|part| part.uses_by_target.uses.len())
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn runs_end_where_a_body_differs_wherever_the_others_have_moved_to() {
    let saved = Fixture::new(TEXT);
    let edited = Fixture::new(&TEXT.replace("other.run(self)", "other.run(self, 1, 2)"));
    let bodies = |fixture: &Fixture| file_bodies(fixture.db(), fixture.file("a.py"));
    let (saved, edited) = (bodies(&saved), bodies(&edited));
    let of = |bodies: &codeweft_db::Bodies| bodies.python().cloned().expect("Python");
    let (saved, edited) = (of(&saved), of(&edited));
    let count = saved.bodies.len();
    let changed = (0..count).find(|&number| saved.one_body(number) != edited.one_body(number));
    let changed = changed.expect("one differs");
    let expected = vec![
        Run::Unchanged(0..changed),
        Run::Changed(changed),
        Run::Unchanged(changed + 1..count),
    ];
    assert_eq!(runs(&edited, &saved), Some(expected));
    let longer = Fixture::new(&format!("{TEXT}\n    def more(n):\n        return n\n"));
    assert_eq!(runs(&of(&bodies(&longer)), &saved), None);
}
