//! The import circles of a crate: strongly connected components of its files.
//!
//! A file has an edge to another file of its crate where its code names an item that the other declares.
//! Files that only declare modules and re-export (most `lib.rs` and `mod.rs`) are looked through: a
//! re-exported name leads to its declaration, and such a file has no edges of its own.
//!
//! ```text
//! a.rs: use crate::b::B;                          a -> b
//! b.rs: fn f() -> crate::c::C                     b -> c        the circle a, b, c has 3 edges
//! c.rs: impl C { fn g() { crate::a::h() } }       c -> a
//! ```
//!
//! What is not seen: calls of methods, whose receiver's type no parser knows, so `context.callers()` leads
//! nowhere though its `impl` block stands in another file; and what expansions of macros name.

use std::collections::BTreeSet;

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use syn::Item;

use super::names::{Named, Names};
use super::paths::visit_paths;
use super::source::{Crate, File};

/// The largest circle of a crate.
#[derive(Default, PartialEq, Eq, Debug)]
pub struct Circle {
    /// Paths of its files below `src`, in order; empty where no file is in a circle.
    pub files: Vec<String>,
    /// How many directed edges connect these files.
    pub edges: usize,
}

/// Returns the largest circle of a crate; of several that large, the one whose first file comes first.
pub fn largest(read: &Crate, names: &Names) -> Circle {
    let edges = edges(read, names);
    let mut graph: DiGraph<usize, ()> = DiGraph::new();
    let nodes: Vec<_> = (0..read.files.len())
        .map(|file| graph.add_node(file))
        .collect();
    for &(from, to) in &edges {
        graph.add_edge(nodes[from], nodes[to], ());
    }
    let mut circles: Vec<BTreeSet<usize>> = tarjan_scc(&graph)
        .into_iter()
        .map(|circle| circle.into_iter().map(|node| graph[node]).collect())
        .filter(|circle: &BTreeSet<usize>| circle.len() > 1)
        .collect();
    circles.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    let Some(circle) = circles.first() else {
        return Circle::default();
    };
    let within = |&&(from, to): &&(usize, usize)| circle.contains(&from) && circle.contains(&to);
    Circle {
        files: circle
            .iter()
            .map(|&file| read.files[file].path.clone())
            .collect(),
        edges: edges.iter().filter(within).count(),
    }
}

/// The edges between the files of a crate, by index.
fn edges(read: &Crate, names: &Names) -> BTreeSet<(usize, usize)> {
    let looked_through: Vec<bool> = read.files.iter().map(only_re_exports).collect();
    let mut edges = BTreeSet::new();
    for (from, file) in read.files.iter().enumerate() {
        if looked_through[from] {
            continue;
        }
        visit_paths(file, &mut |scope, path| {
            if let Some(Named::Item { file: to, .. }) = names.resolve(scope, path)
                && to != from
                && !looked_through[to]
            {
                edges.insert((from, to));
            }
        });
    }
    edges
}

/// Whether a file only declares modules and imports or re-exports names.
fn only_re_exports(file: &File) -> bool {
    file.syntax.items.iter().all(|item| match item {
        Item::Use(_) => true,
        Item::Mod(module) => module.content.is_none(),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::{Circle, largest};
    use crate::house::names::Names;
    use crate::house::source::inline;

    fn circle(files: &[(&str, &str)]) -> Circle {
        let read = inline("c", files);
        largest(&read, &Names::of(&read))
    }

    #[test]
    fn files_that_name_each_other_in_turn_are_a_circle() {
        let found = circle(&[
            ("lib.rs", "mod a; mod b; mod c; mod d;"),
            ("a.rs", "use crate::b::B; pub fn h() {}"),
            (
                "b.rs",
                "pub struct B; fn f() -> super::c::C { super::c::C }",
            ),
            (
                "c.rs",
                "pub struct C; impl C { fn g() { crate::a::h(); crate::b::B; } }",
            ),
            ("d.rs", "use crate::a::h;"),
        ]);
        assert_eq!(found.files, ["a.rs", "b.rs", "c.rs"]);
        assert_eq!(found.edges, 4);
    }

    #[test]
    fn files_that_only_re_export_are_looked_through() {
        let found = circle(&[
            ("lib.rs", "mod shape; pub use shape::*;"),
            ("shape/mod.rs", "mod a; mod b; pub use a::A; pub use b::B;"),
            ("shape/a.rs", "use super::B; pub struct A;"),
            (
                "shape/b.rs",
                "pub struct B; fn f() -> crate::A { crate::A }",
            ),
        ]);
        assert_eq!(found.files, ["shape/a.rs", "shape/b.rs"]);
        assert_eq!(found.edges, 2);
    }

    #[test]
    fn a_module_that_is_imported_counts_where_its_items_are_named() {
        let named = |uses: &str| {
            let text = format!("use crate::b; pub struct A; {uses}");
            let files = [
                ("lib.rs", "mod a; mod b;"),
                ("a.rs", &*text),
                ("b.rs", "use crate::a::A; pub fn f() {}"),
            ];
            circle(&files).files
        };
        assert_eq!(named("fn g() { b::f() }"), ["a.rs", "b.rs"]);
        assert!(named("").is_empty());
    }

    #[test]
    fn an_impl_block_in_another_file_depends_on_the_file_of_its_type() {
        let found = circle(&[
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "pub struct A(crate::b::B);"),
            ("b.rs", "pub struct B; impl crate::a::A { fn f(&self) {} }"),
        ]);
        assert_eq!(found.files, ["a.rs", "b.rs"]);
    }

    #[test]
    fn a_crate_without_circles_has_none() {
        let files = [
            ("lib.rs", "mod a; fn f() { a::g() }"),
            ("a.rs", "pub fn g() {}"),
        ];
        assert_eq!(circle(&files), Circle::default());
    }
}
