//! Types in annotations (typing specification).

use expect_test::{Expect, expect};

use super::harness::Fixture;

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&Fixture::new(text).uses("a.py"));
}

#[test]
fn optional_and_unions_are_objects_of_their_members() {
    check(
        "
        from typing import Optional, List
        class Base:
            def run(self): pass
        def f(c: Optional[Base], g: \"Base | None\", d: List[Base]):
            c.run()
            g.run()
            for x in d:
                x.run()
        ",
        expect![[r#"
            4:19 Base -> a.Base typeargument direct
            4:30 Base -> a.Base parameter direct
            4:52 Base -> a.Base typeargument direct
            5:7 run -> a.Base.run call
            6:7 run -> a.Base.run call
            8:11 run -> a.Base.run call
        "#]],
    );
}
