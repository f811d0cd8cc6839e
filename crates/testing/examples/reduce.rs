//! Reduces a generated workspace whose files are inferred differently in different orders, to the
//! lines that show it: `cargo run -p codeweft-testing --example reduce -- FIRST LAST
//! PACKAGES FILES FUNCTIONS`, where seeds run from FIRST to before LAST.

use codeweft_testing::generate::{Size, python};
use codeweft_testing::rows::uses;
use codeweft_testing::{Fixture, SeededRng, Texts};

fn asked(texts: &Texts, order: u64) -> Vec<String> {
    let workspace = Fixture::of(texts.clone()).load();
    uses(workspace.host.db(), &mut SeededRng::new(order))
}

/// The first of the orders in which the files are inferred in another way than in order 0.
fn differs(texts: &Texts, orders: &[u64]) -> Option<u64> {
    let first = asked(texts, 0);
    let mut orders = orders.iter().copied();
    orders.find(|&order| asked(texts, order) != first)
}

/// Blocks of lines to try without, larger ones first.
fn reduce(mut texts: Texts, orders: &[u64]) -> Texts {
    loop {
        let before = texts.clone();
        for path in before.keys() {
            let mut without = texts.clone();
            without.remove(path);
            if differs(&without, orders).is_some() {
                texts = without;
            }
        }
        for path in texts.clone().keys() {
            let mut size = texts[path].lines().count();
            while size > 0 {
                let mut at = 0;
                loop {
                    let lines: Vec<&str> = texts[path].lines().collect();
                    if at >= lines.len() {
                        break;
                    }
                    let end = (at + size).min(lines.len());
                    let rest: Vec<&str> =
                        lines[..at].iter().chain(&lines[end..]).copied().collect();
                    let mut without = texts.clone();
                    without.insert(path.clone(), rest.join("\n") + "\n");
                    if differs(&without, orders).is_some() {
                        texts = without;
                    } else {
                        at += size;
                    }
                }
                size /= 2;
            }
        }
        if texts == before {
            return texts;
        }
    }
}

fn main() {
    let numbers: Vec<u64> = std::env::args()
        .skip(1)
        .filter_map(|n| n.parse().ok())
        .collect();
    let number = |at: usize, default| numbers.get(at).copied().unwrap_or(default);
    let size = Size {
        packages: number(2, 2) as usize,
        files: number(3, 2) as usize,
        functions: number(4, 3) as usize,
    };
    for seed in number(0, 0)..number(1, 8) {
        let texts = python::workspace(seed, size);
        let Some(order) = differs(&texts, &[1, 2, 3, 4, 5, 6]) else {
            println!("== seed {seed}: the same");
            continue;
        };
        let texts = reduce(texts, &[order, order + 10]);
        println!("== seed {seed}");
        for (path, text) in &texts {
            println!("//- {path}\n{text}");
        }
        if let Some(order) = differs(&texts, &[order, order + 10]) {
            let (one, other) = (asked(&texts, 0), asked(&texts, order));
            for line in one.iter().filter(|line| !other.contains(line)) {
                println!("- {line}");
            }
            for line in other.iter().filter(|line| !one.contains(line)) {
                println!("+ {line}");
            }
        }
    }
}
