//! The import cycles of a crate: strongly connected components of its files.
//!
//! A file has an edge to another file of its crate where its code names an item that the other declares.
//! Files that only declare modules and re-export (most `lib.rs` and `mod.rs`) are looked through: a
//! re-exported name leads to its declaration, and such a file has no edges of its own.
//!
//! ```text
//! a.rs: use crate::b::B;                          a -> b
//! b.rs: fn f() -> crate::c::C                     b -> c        the cycle a, b, c has 3 edges
//! c.rs: impl C { fn g() { crate::a::h() } }       c -> a
//! ```
//!
//! The root of a crate (`lib.rs`, `main.rs`) is no file of a cycle: it names each module, and where it holds
//! code that the modules use, nearly the whole crate is one cycle and the others are not seen. How large that
//! cycle is, is a figure beside.
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

/// The largest cycle of a crate.
#[derive(Default, PartialEq, Eq, Debug)]
pub struct Cycle {
    /// Paths of its files below `src`, in order; empty where no file is in a cycle.
    pub files: Vec<String>,
    /// How many directed edges connect these files.
    pub edges: usize,
    /// Files of the largest cycle where the root of the crate may be one of them.
    pub with_root: usize,
}

/// Returns the largest cycle of a crate; of several that large, the one whose first file comes first.
pub fn largest(read: &Crate, names: &Names) -> Cycle {
    let mut edges = edges(read, names);
    let with_root = components(read.files.len(), &edges)
        .first()
        .map_or(0, BTreeSet::len);
    let is_root = |file: usize| read.files[file].module.len() == 1;
    edges.retain(|&(from, to)| !is_root(from) && !is_root(to));
    let cycles = components(read.files.len(), &edges);
    let Some(cycle) = cycles.first() else {
        return Cycle {
            with_root,
            ..Cycle::default()
        };
    };
    let within = |&&(from, to): &&(usize, usize)| cycle.contains(&from) && cycle.contains(&to);
    Cycle {
        files: cycle
            .iter()
            .map(|&file| read.files[file].path.clone())
            .collect(),
        edges: edges.iter().filter(within).count(),
        with_root,
    }
}

/// The strongly connected components of at least two files, largest first, then by their first file.
fn components(files: usize, edges: &BTreeSet<(usize, usize)>) -> Vec<BTreeSet<usize>> {
    let mut graph: DiGraph<usize, ()> = DiGraph::new();
    let nodes: Vec<_> = (0..files).map(|file| graph.add_node(file)).collect();
    for &(from, to) in edges {
        graph.add_edge(nodes[from], nodes[to], ());
    }
    let mut cycles: Vec<BTreeSet<usize>> = tarjan_scc(&graph)
        .into_iter()
        .map(|cycle| cycle.into_iter().map(|node| graph[node]).collect())
        .filter(|cycle: &BTreeSet<usize>| cycle.len() > 1)
        .collect();
    cycles.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    cycles
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
    use super::{Cycle, largest};
    use crate::house::names::Names;
    use crate::house::source::inline;

    fn cycle(files: &[(&str, &str)]) -> Cycle {
        let read = inline("c", files);
        largest(&read, &Names::of(&read))
    }

    #[test]
    fn files_that_name_each_other_in_turn_are_a_cycle() {
        let found = cycle(&[
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
        let found = cycle(&[
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
            cycle(&files).files
        };
        assert_eq!(named("fn g() { b::f() }"), ["a.rs", "b.rs"]);
        assert!(named("").is_empty());
    }

    #[test]
    fn an_impl_block_in_another_file_depends_on_the_file_of_its_type() {
        let found = cycle(&[
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "pub struct A(crate::b::B);"),
            ("b.rs", "pub struct B; impl crate::a::A { fn f(&self) {} }"),
        ]);
        assert_eq!(found.files, ["a.rs", "b.rs"]);
    }

    #[test]
    fn the_root_is_in_no_cycle_and_its_own_is_a_figure_beside() {
        let found = cycle(&[
            ("lib.rs", "mod a; mod b; pub struct Root(a::A, b::B);"),
            ("a.rs", "pub struct A(crate::Root);"),
            ("b.rs", "pub struct B(crate::Root);"),
        ]);
        assert!(found.files.is_empty());
        assert_eq!(found.with_root, 3);
    }

    #[test]
    fn a_crate_without_cycles_has_none() {
        let files = [
            ("lib.rs", "mod a; fn f() { a::g() }"),
            ("a.rs", "pub fn g() {}"),
        ];
        assert_eq!(cycle(&files), Cycle::default());
    }
}
