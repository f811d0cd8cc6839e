use codeweft_graph::answer::{GraphRequest, Operation};
use codeweft_workspace::{LoadOptions, ProjectDatabase};
use std::time::Instant;
#[global_allocator]
static A: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    let root = std::path::PathBuf::from(&a[0]);
    let mut host = ProjectDatabase::load(LoadOptions::new(&root)).expect("workspace");
    host.index_all(0, &|_| {});
    let path = root.join(&a[1]);
    let text = std::fs::read_to_string(&path).unwrap();
    let at = text.find(&a[2]).unwrap();
    let line = text[at..].find('\n').unwrap() + at + 1;
    let indent: String = text[line..].chars().take_while(|c| *c == ' ').collect();
    let mut request = GraphRequest::new(Operation::Callers, a[3].clone());
    request.include_context = false;
    let t = Instant::now();
    host.open(&path, &text);
    let r = host.ask(&request);
    eprintln!(
        "first {:.1} ms {}",
        t.elapsed().as_secs_f64() * 1e3,
        r.is_ok()
    );
    for typed in &a[4..] {
        for _ in 0..2 {
            let new = format!("{}{}{}\n{}", &text[..line], indent, typed, &text[line..]);
            let t = Instant::now();
            host.change(&path, &new);
            let r = host.ask(&request);
            eprintln!(
                "typed {typed}: {:.1} ms {:?}",
                t.elapsed().as_secs_f64() * 1e3,
                r.err().map(|e| e.message)
            );
            let t = Instant::now();
            host.change(&path, &text);
            let _ = host.ask(&request);
            eprintln!("undone: {:.1} ms", t.elapsed().as_secs_f64() * 1e3);
        }
    }
}
