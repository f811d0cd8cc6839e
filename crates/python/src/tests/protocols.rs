//! Bases, and which classes satisfy which protocol.

use expect_test::{Expect, expect};

use super::harness::Fixture;

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&Fixture::new(text).fits());
}

#[test]
fn every_base_of_a_class_is_known_by_its_name() {
    let fixture = Fixture::new(
        "
        #- a.py
        from b import Base, other
        class Own(Base): ...
        class Both(Own, other.Mixin, metaclass=Meta): ...
        class Unknown(missing.Thing): ...
        #- b.py
        import other
        class Base: ...
        #- other.py
        class Mixin: ...
        ",
    );
    expect![[r#"
        a.Own: b.Base
        a.Both: a.Own
        a.Both: other.Mixin
    "#]]
    .assert_eq(&fixture.bases());
}

#[test]
fn a_class_fits_a_protocol_with_all_its_methods_own_and_inherited() {
    check(
        "
        from typing import Protocol
        class Stream(Protocol):
            def read(self): ...
            def close(self): ...
        class Closes:
            def close(self): ...
        class File(Closes):
            def read(self): ...
        class Reads:
            def read(self): ...
        ",
        expect![[r#"
            a.File fits a.Stream
        "#]],
    );
}

#[test]
fn a_method_fits_when_it_takes_every_call_of_the_protocols() {
    check(
        "
        from typing import Protocol
        class Handler(Protocol):
            def handle(self, event, /, *, flag): ...
        class Same:
            def handle(self, event, *, flag): ...
        class More:
            def handle(self, event, extra=None, *, flag=None, other=1): ...
        class Stars:
            def handle(self, *args, **kwargs): ...
        class ByName:
            def handle(self, event, flag=1): ...
        class TooFew:
            def handle(self, *, flag): ...
        class TooMany:
            def handle(self, event, extra, *, flag): ...
        class OtherKeyword:
            def handle(self, event, *, flags): ...
        class NeedsKeyword:
            def handle(self, event, *, flag, other): ...
        class Static:
            @staticmethod
            def handle(event, *, flag): ...
        class Unknown:
            @changed
            def handle(self): ...
        ",
        expect![[r#"
            a.ByName fits a.Handler
            a.More fits a.Handler
            a.Same fits a.Handler
            a.Stars fits a.Handler
            a.Static fits a.Handler
            a.Unknown fits a.Handler
        "#]],
    );
}

#[test]
fn a_protocols_attributes_must_be_there() {
    check(
        "
        from typing import Protocol
        class Named(Protocol):
            name: str
            def greet(self): ...
        class Stored:
            def __init__(self):
                self.name = 'x'
            def greet(self): ...
        class Nameless:
            def greet(self): ...
        ",
        expect![[r#"
            a.Stored fits a.Named
        "#]],
    );
}

#[test]
fn a_coroutine_fits_a_coroutine_or_an_annotated_result() {
    check(
        "
        from typing import Protocol
        class Runs(Protocol):
            async def run(self): ...
        class Async:
            async def run(self): ...
        class Plain:
            def run(self): ...
        class Told:
            def run(self) -> Awaitable: ...
        ",
        expect![[r#"
            a.Async fits a.Runs
            a.Told fits a.Runs
        "#]],
    );
}

#[test]
fn what_makes_objects_and_private_names_of_the_class_are_no_members() {
    check(
        "
        from typing import Protocol
        class Made(Protocol):
            def __init__(self, a): ...
            def use(self): ...
            def _hook(self): ...
        class Fits:
            def use(self): ...
            def _hook(self): ...
        class Hookless:
            def use(self): ...
        ",
        expect![[r#"
            a.Fits fits a.Made
        "#]],
    );
}
