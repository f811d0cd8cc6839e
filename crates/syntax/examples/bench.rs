use codeweft_syntax::*;
use std::time::*;
fn main() {
    let files = std::fs::read_to_string("/tmp/judge/few.txt").unwrap();
    let texts: Vec<String> = files
        .lines()
        .filter_map(|p| std::fs::read_to_string(p).ok())
        .collect();
    let n = Names::default();
    let mode = std::env::args().nth(1).unwrap_or_default();
    let mut ps = tree_sitter::Parser::new();
    ps.set_language(&tree_sitter_go::LANGUAGE.into()).unwrap();
    let (mut a, mut b) = (Duration::ZERO, Duration::ZERO);
    for t in &texts {
        if mode != "lower" {
            let s = Instant::now();
            drop(ps.parse(t, None));
            a += s.elapsed();
        }
        if mode != "parse" {
            let s = Instant::now();
            drop(lower(t, Lang::Go, &n, &|| false));
            b += s.elapsed();
        }
    }
    println!(
        "parse {a:?} lower {b:?} ratio {:.3}",
        b.as_secs_f64() / a.as_secs_f64()
    );
}
