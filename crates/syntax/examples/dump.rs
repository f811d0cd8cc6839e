use codeweft_syntax::*;
fn main() {
    let p = std::env::args().nth(1).unwrap();
    let t = std::fs::read_to_string(p).unwrap();
    if std::env::args().nth(2).is_some() {
        let mut ps = tree_sitter::Parser::new();
        ps.set_language(&tree_sitter_go::LANGUAGE.into()).unwrap();
        let tr = ps.parse(&t, None).unwrap();
        println!("{}", tree_sitter::Node::to_sexp(&tr.root_node()));
    }
    let n = Names::default();
    let ir = lower(&t, Lang::Go, &n, &|| false).unwrap();
    println!("{}", go::print_ir(&ir, &n));
}
