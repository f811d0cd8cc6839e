//! Which unresolved calls could target a symbol, and by which names and in which units they are
//! searched.

use codeweft_db::{Completeness as _, Reason, Semantics as _, UnresolvedSite, VisibilityScope};
use expect_test::expect;

use super::harness::Fixture;
use crate::Python;

/// Returns the argument counts up to 5 with which an unresolved call of a name fits an id.
fn counts(fixture: &Fixture, name: &str, id: &str) -> Vec<u8> {
    let db = fixture.database();
    let fits = |arguments: &u8| {
        let site = UnresolvedSite {
            name: db.shared().names.intern(name),
            body: 0,
            occ: 0,
            arguments: *arguments,
            keywords: None,
            reason: Reason::UnknownReceiver,
            absent: None,
            signature: codeweft_db::NONE,
        };
        Python.could_call(db, &site, fixture.symbol(id))
    };
    (0..=5)
        .chain([UnresolvedSite::ANY_COUNT])
        .filter(fits)
        .collect()
}

const ANY: u8 = UnresolvedSite::ANY_COUNT;

#[test]
fn an_unresolved_call_fits_by_name_and_number_of_arguments_without_the_receiver() {
    let fixture = Fixture::new(
        "
        def f(a, b=1, *, c, d=2): ...
        def star(a, *rest): ...
        def named(**more): ...
        @unknown
        def decorated(a): ...
        class C:
            def m(self, a): ...
            @staticmethod
            def s(a): ...
            @classmethod
            def k(cls, a): ...
        ",
    );
    assert_eq!(counts(&fixture, "f", "a.f"), [2, 3, 4, ANY]);
    assert_eq!(counts(&fixture, "star", "a.star"), [1, 2, 3, 4, 5, ANY]);
    assert_eq!(
        counts(&fixture, "named", "a.named"),
        [0, 1, 2, 3, 4, 5, ANY]
    );
    assert_eq!(
        counts(&fixture, "decorated", "a.decorated"),
        [0, 1, 2, 3, 4, 5, ANY]
    );
    // A call on the class passes the receiver as well.
    assert_eq!(counts(&fixture, "m", "a.C.m"), [1, 2, ANY]);
    assert_eq!(counts(&fixture, "s", "a.C.s"), [1, ANY]);
    assert_eq!(counts(&fixture, "k", "a.C.k"), [1, ANY]);
    assert!(counts(&fixture, "other", "a.C.m").is_empty());
}

#[test]
fn a_class_call_accepts_the_arguments_of_its_constructor() {
    let fixture = Fixture::new(
        "
        from dataclasses import dataclass
        from missing import Unknown
        class Plain: ...
        class Own:
            def __init__(self, a, b): ...
        class Inherits(Own): ...
        class New:
            def __new__(cls, a): ...
        @dataclass
        class Data:
            x: int
        class Of(Unknown): ...
        ",
    );
    assert_eq!(counts(&fixture, "Plain", "a.Plain"), [0, ANY]);
    assert_eq!(counts(&fixture, "Own", "a.Own"), [2, ANY]);
    assert_eq!(counts(&fixture, "Own", "a.Own.__init__"), [2, 3, ANY]);
    assert_eq!(counts(&fixture, "Inherits", "a.Inherits"), [2, ANY]);
    assert_eq!(counts(&fixture, "New", "a.New"), [1, ANY]);
    assert_eq!(counts(&fixture, "Data", "a.Data"), [0, 1, 2, 3, 4, 5, ANY]);
    assert_eq!(counts(&fixture, "Of", "a.Of"), [0, 1, 2, 3, 4, 5, ANY]);
}

#[test]
fn a_call_fits_only_functions_with_its_keyword_names() {
    let fixture = Fixture::new(
        "
        #- a.py
        from dataclasses import dataclass
        def f(a, b=1, *, c=2): ...
        def only(a, b, /): ...
        def named(a, **more): ...
        @unknown
        def decorated(a): ...
        class C:
            def m(self, a): ...
            @property
            def p(self): ...
        class Own:
            def __init__(self, a, b=1): ...
        class Plain: ...
        class Meta(type): ...
        class Made(metaclass=Meta):
            def __init__(self, a): ...
        @dataclass
        class Data:
            x: int
        ",
    );
    let db = fixture.database();
    let names = &db.shared().names;
    let fits = |id: &str, keywords: &str, arguments: u8| {
        let name = id.rsplit('.').next().unwrap();
        let name = if name == "__init__" { "Own" } else { name };
        let site = UnresolvedSite {
            name: names.intern(name),
            body: 0,
            occ: 0,
            arguments,
            keywords: Some(names.intern(keywords)),
            reason: Reason::UnknownReceiver,
            absent: None,
            signature: codeweft_db::NONE,
        };
        Python.could_call(db, &site, fixture.symbol(id))
    };
    let of = |id: &str| {
        ["a", "b", "a,c", "x", "self,a"].map(|keywords| {
            let count = keywords.split(',').count() as u8;
            let [counted, any] = [count, ANY].map(|count| fits(id, keywords, count));
            assert!(any || !counted);
            if counted {
                "fits"
            } else if any {
                "any"
            } else {
                "-"
            }
        })
    };
    let ids = [
        "a.f",
        "a.only",
        "a.named",
        "a.decorated",
        "a.C.m",
        "a.C.p",
        "a.Own",
        "a.Own.__init__",
        "a.Plain",
        "a.Made",
        "a.Data",
    ];
    let lines = ids.map(|id| format!("{id:15} {}\n", of(id).join(" ")));
    expect![[r#"
        a.f             fits fits fits - -
        a.only          - - - - -
        a.named         fits fits fits fits fits
        a.decorated     fits fits fits fits fits
        a.C.m           fits - - - fits
        a.C.p           fits fits fits fits fits
        a.Own           fits fits - - fits
        a.Own.__init__  fits fits - - fits
        a.Plain         - - - - -
        a.Made          fits fits any fits any
        a.Data          fits fits fits fits fits
    "#]]
    .assert_eq(&lines.concat());
}

#[test]
fn a_call_into_an_absent_package_targets_no_loaded_function() {
    let fixture = Fixture::new("def f(): ...\n");
    let db = fixture.database();
    let name = db.shared().names.intern("f");
    let site = |absent| UnresolvedSite {
        name,
        body: 0,
        occ: 0,
        arguments: 0,
        keywords: None,
        reason: Reason::UnknownReceiver,
        absent,
        signature: codeweft_db::NONE,
    };
    let symbol = fixture.symbol("a.f");
    assert!(Python.could_call(db, &site(None), symbol));
    assert!(!Python.could_call(db, &site(Some(name)), symbol));
}

#[test]
fn a_constructor_is_searched_under_its_class_and_the_names_of_what_it_constructs() {
    let fixture = Fixture::new(
        "
        #- a.py
        class Root:
            def __init__(self): ...
            def m(self): ...
        #- b.py
        from a import Root
        class Middle(Root): ...
        #- c.py
        import b
        class Leaf(b.Middle):
            __own = 1
        ",
    );
    let db = fixture.database();
    let names = |id: &str| {
        let names = Python.search_names(db, fixture.symbol(id));
        let names = names.iter().map(|&name| db.shared().names.text(name));
        names.collect::<Vec<_>>().join(" ")
    };
    let constructed = |id: &str| Python.constructed_class(db, fixture.symbol(id));
    assert_eq!(
        constructed("a.Root.__init__"),
        Some(fixture.symbol("a.Root"))
    );
    assert_eq!(constructed("a.Root.m"), None);
    expect![[r#"
        __init__ Root
        m
        Leaf Middle Root
        _Leaf__own __own
        a
    "#]]
    .assert_eq(&format!(
        "{}\n{}\n{}\n{}\n{}\n",
        names("a.Root.__init__"),
        names("a.Root.m"),
        names("c.Leaf"),
        names("c.Leaf._Leaf__own"),
        names("a"),
    ));
}

#[test]
fn members_are_visible_in_all_units_and_module_names_in_importers() {
    let fixture = Fixture::new(
        "
        #- pkg/__init__.py
        def f():
            def inner(): ...
        class C:
            x = 1
            def m(self): ...
        #- pkg/sub/__init__.py
        def g(): ...
        #- pkgs/__init__.py
        #- conftest.py
        def fixture(): ...
        ",
    );
    let db = fixture.database();
    let reach = |id: &str| match Python.visibility_scope(db, fixture.symbol(id)) {
        VisibilityScope::Workspace => "workspace".to_owned(),
        VisibilityScope::AllImporters(units) => {
            let units = units
                .iter()
                .map(|unit| db.shared().names.text(unit.name(db)));
            units.collect::<Vec<_>>().join(" ")
        }
        other => format!("{other:?}"),
    };
    assert_eq!(reach("pkg"), "pkg pkg.sub");
    assert_eq!(reach("pkg.f"), "pkg pkg.sub");
    assert_eq!(reach("pkg.C"), "pkg pkg.sub");
    // Any importer of the package has the module as its attribute.
    assert_eq!(reach("pkg.sub.g"), "pkg pkg.sub");
    for id in [
        "pkg.f.<locals>.inner",
        "pkg.C.x",
        "pkg.C.m",
        "conftest.fixture",
    ] {
        assert_eq!(reach(id), "workspace", "{id}");
    }
}
