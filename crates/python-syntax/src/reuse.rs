//! Rows of subtrees that an incremental parse reused, copied from the tree before.
//!
//! A text that is parsed from its last tree shares most of its subtrees with it, and these have equal
//! rows but for their offsets:
//!
//! ```text
//! x = f(y)      last tree   Assignment ── Call 17
//! # note        next tree   Assignment ── Call 17      the rows of 17, 7 bytes further
//! x = f(y)
//! ```

use rustc_hash::FxHashMap;

use super::flat::{FlatIndex, FlatNode};

/// Subtrees of fewer rows are visited again, which takes no longer than to look them up.
const MIN_ROWS: u32 = 8;

/// The rows of one tree.
#[derive(Default)]
pub(super) struct FlatTree {
    rows: Vec<FlatNode>,
    /// The subtrees of at least [`MIN_ROWS`] rows in the order of their ends: the id of the root, unique
    /// in a tree, and its row.
    subtrees: Vec<(usize, FlatIndex)>,
}

impl FlatTree {
    /// Replaces the content by that of another tree.
    pub(super) fn set(&mut self, rows: &[FlatNode], subtrees: Vec<(usize, FlatIndex)>) {
        self.rows.clear();
        self.rows.extend_from_slice(rows);
        self.subtrees = subtrees;
    }
}

/// The reuse of the rows of one tree for the next.
pub(super) struct Reuse<'t> {
    before: &'t FlatTree,
    /// The numbers of its subtrees by the ids of their roots.
    by_id: FxHashMap<usize, usize>,
    /// The subtrees of the next tree, so far.
    pub(super) subtrees: Vec<(usize, FlatIndex)>,
}

impl<'t> Reuse<'t> {
    /// Returns the reuse of a tree's rows.
    pub(super) fn of(before: &'t FlatTree) -> Reuse<'t> {
        let numbered = before.subtrees.iter().enumerate();
        Reuse {
            before,
            by_id: numbered.map(|(number, &(id, _))| (id, number)).collect(),
            subtrees: Vec::with_capacity(before.subtrees.len() + 16),
        }
    }

    /// Notes the root of a subtree whose rows are complete and end before `end`.
    pub(super) fn note(&mut self, id: usize, row: FlatIndex, end: FlatIndex) {
        if end - row >= MIN_ROWS {
            self.subtrees.push((id, row));
        }
    }

    /// Appends the rows below the last one, which is the root of a subtree. Returns whether the tree
    /// before has that subtree; if not, nothing is appended.
    pub(super) fn copy(&mut self, id: usize, rows: &mut Vec<FlatNode>) -> bool {
        let Some(&number) = self.by_id.get(&id) else {
            return false;
        };
        let Some((own, root)) = (rows.len() as u32).checked_sub(1).zip(rows.last_mut()) else {
            return false;
        };
        let FlatTree {
            rows: old,
            subtrees,
        } = self.before;
        let (_, row) = subtrees[number];
        let old_root = old[row as usize];
        let down = own.wrapping_sub(row);
        let right = root.start.wrapping_sub(old_root.start);
        root.next = old_root.next.wrapping_add(down);
        let below = &old[row as usize + 1..old_root.next as usize];
        rows.extend(below.iter().map(|node| FlatNode {
            start: node.start.wrapping_add(right),
            end: node.end.wrapping_add(right),
            next: node.next.wrapping_add(down),
            ..*node
        }));
        // Subtrees are noted when they end, so those inside of one come right before it.
        let inside = subtrees[..number].iter().rev();
        let count = inside.take_while(|&&(_, inner)| inner > row).count();
        let same = subtrees[number - count..=number].iter();
        let same = same.map(|&(id, inner)| (id, inner.wrapping_add(down)));
        self.subtrees.extend(same);
        true
    }
}

#[cfg(test)]
mod tests {
    use codeweft_syntax::{CachedTree, tree};

    use super::*;
    use crate::flat::Flat;

    /// Returns the rows of a text's tree as text.
    fn printed(flat: &Flat) -> String {
        (0..flat.len())
            .map(|at| format!("{:?}\n", flat.node(at)))
            .collect()
    }

    /// The rows of an edited text are those of a fresh tree, and most subtrees are those of the last.
    #[test]
    fn an_edit_visits_what_the_parser_did_not_reuse() {
        let text: String = (0..60)
            .map(|at| format!("class C{at}:\n    def m(self):\n        return f({at}, self.x)\n"))
            .collect();
        let edited = text.replacen("f(30", "# note\n        g(1) + f(30", 1);
        let mut last = CachedTree::default();
        let mut before = FlatTree::default();
        let mut reused = 0;
        for text in [&text, &edited] {
            let grammar = &crate::grammar::GRAMMAR;
            let parsed = tree::parse_next(text.as_bytes(), grammar, Some(&mut last), &|| false);
            let parsed = parsed.expect("not stopped");
            let len = text.len() as u32;
            let mut fresh = Flat::with_capacity(text.len());
            fresh.push_tree(&parsed, 0, len, &|| false);
            let mut flat = Flat::with_capacity(text.len());
            let mut reuse = Reuse::of(&before);
            flat.push(&parsed, 0, len, Some(&mut reuse), &|| false);
            assert_eq!(printed(&flat), printed(&fresh));
            let subtrees = reuse.subtrees;
            let is_known = |(id, _): &&(usize, _)| before.subtrees.iter().any(|old| old.0 == *id);
            reused = subtrees.iter().filter(is_known).count();
            let rows: Vec<FlatNode> = (0..flat.len()).map(|at| flat.node(at)).collect();
            before.set(&rows, subtrees);
        }
        let all = before.subtrees.len();
        assert!(2 * reused > all, "{reused} of {all}");
    }
}
