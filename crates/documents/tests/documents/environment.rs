//! Environment files.

use codeweft_documents::read_environment;
use expect_test::expect;

use crate::check;

#[test]
fn names_have_values_behind_quotes_and_other_lines_are_errors() {
    check(
        &read_environment(
            "# a\nA=1\nexport B='x y' # c\n  C = d # e\nnot this\nA=2\nURL=http://a:1/#b\n=x\n",
        ),
        expect![[r#"
            {} 1:1
              A: Some("2") 6:1
              B: Some("x y") 3:1
              C: Some("d") 4:3
              URL: Some("http://a:1/#b") 7:1
            error 5:1: neither NAME=value nor a comment
            error 6:1: `A` is repeated: its last value counts
            error 8:1: neither NAME=value nor a comment
        "#]],
    );
}
