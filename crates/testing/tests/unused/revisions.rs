//! The answer is a function of the texts alone.

use codeweft_testing::Fixture;
use codeweft_testing::fixture::texts;

use super::{answer, printed, request};

const FIXTURE: &str = "
//- main.go
package main
type shape interface{ area() int }
type square struct{ side, Other int }
func (square) area() int { return 1 }
func (square) Loose() {}
func main() { run(square{}) }
func run(s shape) { s.area() }
func left() { right() }
func right() {}
//- b.go
package main
func other() { left() }
//- a.py
class Box:
    def put(self): ...
    def take(self): ...
def use(x):
    x.take()
use(Box())
";

#[test]
fn an_edited_database_answers_as_a_fresh_one() {
    let mut workspace = Fixture::new(FIXTURE).load();
    let before = printed(&answer(&workspace, request()));
    let edited = "package main\nfunc init() { left() }\n";
    workspace.open("b.go", edited);
    let after = printed(&answer(&workspace, request()));
    assert_ne!(before, after);
    let mut all = texts(FIXTURE);
    all.insert("b.go".to_owned(), edited.to_owned());
    let fresh = Fixture::of(all).load();
    assert_eq!(after, printed(&answer(&fresh, request())));
    workspace.change("b.go", "package main\nfunc other() { left() }\n");
    assert_eq!(before, printed(&answer(&workspace, request())));
}

#[test]
fn the_answer_does_not_depend_on_the_number_of_threads() {
    let one = Fixture::new(FIXTURE).load();
    let four = Fixture::new(FIXTURE).threads(4).load();
    assert_eq!(
        printed(&answer(&one, request())),
        printed(&answer(&four, request()))
    );
}

#[test]
fn what_is_cut_is_counted() {
    let workspace = Fixture::new(FIXTURE).load();
    let all = answer(&workspace, request()).symbols.expect("symbols");
    let cut = answer(
        &workspace,
        codeweft_graph::answer::AnalysisRequest {
            max_results: Some(1),
            ..request()
        },
    );
    let cut = cut.symbols.expect("symbols");
    assert_eq!(cut.total_found, all.total_found);
    assert_eq!(cut.items, all.items[..1]);
}
