//! The kinds of nodes on the wire.

use codeweft_db::NodeKind;

/// The names of all kinds, in the order of docs/graph.md §1.
pub const KIND_NAMES: &[&str] = &{
    let mut names = [""; NodeKind::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = NodeKind::ALL[at].wire_name();
        at += 1;
    }
    names
};
