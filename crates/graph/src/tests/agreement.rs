//! Callers, callees and exports agree: they are views of the same edges.

use std::collections::BTreeSet;

use codeweft_db::SymbolId;

use super::flows::shapes;
use crate::RevisionCache;
use crate::export::{ExportOptions, each_package};
use crate::link::Link;
use crate::operations;
use crate::operations::IncludedCalls;
use crate::query_context::QueryContext;

/// A pseudo-random generator (xorshift) with a fixed seed.
pub(super) struct XorShift(u64);

impl XorShift {
    pub(super) fn new() -> XorShift {
        XorShift(0x2545_F491_4F6C_DD1D)
    }

    fn of<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        choices[(self.0 >> 33) as usize % choices.len()]
    }
}

/// Returns a program with random bodies that use every kind of value flow.
pub(super) fn program(random: &mut XorShift) -> String {
    let mut text = String::from(
        "
interface Sink
abstract Sink.Put 1
interface Both
embed Both a.Shape
abstract Both.Put 1
struct Outer
embed Outer a.Boxed
struct Pair
embed Pair Half
struct Half
method *Half.Area 1
method Half.Put 1
",
    );
    let nodes = [
        "x",
        "x",
        "y",
        "v:a.V",
        "v:a.Boxed.Shape",
        "p:Sink.Put/0",
        "p:Half.Put/0",
        "r:Half.Put/0",
        "r:Sink.Put/0",
        "p:f0/0",
        "p:f1/0",
        "e:a.Shape",
        "e:f0$0",
        "t:f1/0",
        "s:7/0",
    ];
    let values = [
        "a.Square",
        "*a.Disc",
        "a.Disc",
        "a.Boxed",
        "Outer",
        "*Half",
        "Half",
        "*Pair",
        "Pair",
        "?",
        "&a.Hit",
        "&Half.Put",
        "|a.Shape.Area",
        "|Sink.Put",
        "\\7",
    ];
    for name in [
        "fn f0",
        "fn f1",
        "fn f2 7",
        "fn f3",
        "method Half.Name 9",
        "method Outer.Put 1",
    ] {
        text.push_str(&format!("{name} :"));
        for _ in 0..12 {
            let (from, to) = (random.of(&nodes), random.of(&nodes));
            text.push_str(
                &match random.of(&["+", "+", "-", "-", "|", "m", "m", "f", "c", "["]) {
                    "+" => format!(" +{}>{to}", random.of(&values)),
                    "-" => format!(" -{from}>{to}"),
                    "|" => format!(" -{from}>{to}|{}", random.of(&["a.Shape", "Sink", "Both"])),
                    "m" => format!(
                        " {}<{from}",
                        random.of(&["a.Shape.Area", "Sink.Put", "Both.Put"])
                    ),
                    "f" => format!(" @7<{from}"),
                    "c" => format!(" {}", random.of(&["a.Shape.Area", "f0", "Half.Put", "@7"])),
                    _ => format!(
                        " +[{}]",
                        random.of(&["f0:a.Shape", "f1:*Half", "f0:f1$0", "f1:f0$0"])
                    ),
                },
            );
        }
        text.push('\n');
    }
    text
}

#[test]
fn callers_callees_and_exports_agree_edge_by_edge() {
    let mut random = XorShift::new();
    let mut edges_seen = [0; 4];
    let mut literal_calls_seen = 0;
    for round in 0..40 {
        let text = program(&mut random);
        let db = shapes(&text);
        let (cache, other) = (RevisionCache::default(), RevisionCache::default());
        let forward = QueryContext::new(&db, crate::QueryOptions::new(&cache, 1));
        let backward = QueryContext::new(&db, crate::QueryOptions::new(&other, 1));
        let mut symbols: Vec<SymbolId> = Vec::new();
        for &unit in forward.units.all.iter() {
            symbols.extend(forward.symbols(unit).rows.iter().map(|row| row.symbol));
        }
        for (unresolved, of_literals) in [(false, false), (false, true), (true, true)] {
            let included = IncludedCalls {
                unresolved,
                of_literals,
            };
            let edge = |from: SymbolId, to: SymbolId, link: &Link| {
                let how = (link.resolution, link.reason, link.of_literal);
                (from, to, link.file, link.key, how)
            };
            let mut callers = BTreeSet::new();
            let mut callees = BTreeSet::new();
            for &symbol in &symbols {
                for (caller, links) in operations::callers_of(&forward, symbol, included) {
                    callers.extend(
                        links
                            .iter()
                            .map(|link| format!("{:?}", edge(caller, symbol, link))),
                    );
                }
                for (callee, links) in operations::callees_of(&backward, symbol, included) {
                    for link in &links {
                        edges_seen[link.resolution as usize] += 1;
                        literal_calls_seen += u32::from(link.of_literal);
                        assert!(of_literals || !link.of_literal);
                        callees.insert(format!("{:?}", edge(symbol, callee, link)));
                    }
                }
            }
            assert_eq!(callers, callees, "round {round}, {included:?}: {text}");
            if !unresolved && of_literals {
                let mut exported = 0;
                each_package(&db, &ExportOptions::default(), 1, &mut |package| {
                    let edges = package.edges.iter();
                    exported += edges.filter(|edge| edge.resolution.is_some()).count();
                });
                assert_eq!(exported, callees.len(), "round {round}: {text}");
            }
        }
    }
    // The programs together contain every kind of edge.
    assert!(edges_seen.iter().all(|&seen| seen > 50), "{edges_seen:?}");
    assert!(literal_calls_seen > 50, "{literal_calls_seen}");
}
