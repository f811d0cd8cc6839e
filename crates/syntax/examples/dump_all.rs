use codeweft_syntax::*;
use std::io::*;
fn main() {
    let n = Names::default();
    let mut out = std::io::BufWriter::new(std::io::stdout());
    for line in stdin().lines() {
        let p = line.unwrap();
        let Ok(t) = std::fs::read_to_string(&p) else {
            continue;
        };
        let ir = lower(&t, Lang::Go, &n, &|| false).unwrap();
        writeln!(out, "FILE {p}").unwrap();
        let text = go::print_ir(&ir, &n);
        let mut first = true;
        for l in text.lines() {
            if l.starts_with(' ') {
                write!(out, " {}", l.trim_start()).unwrap();
            } else {
                if !first {
                    writeln!(out).unwrap();
                }
                first = false;
                write!(out, "{l}").unwrap();
            }
        }
        writeln!(out).unwrap();
    }
}
