//! Scopes, narrowing and `__all__` of Python, a rule each.

mod python_printed;

use expect_test::{Expect, expect};

fn check_items(text: &str, expected: Expect) {
    expected.assert_eq(&python_printed::items(text));
}

#[test]
fn private_names_are_mangled_inside_classes() {
    check_items(
        "\
__a = 1
class _C:
    __b = 2
    __d__ = 3
    def __m(self, __p=4):
        self.__c = __b
        import __mod
        def g(): return __p
        return self.__m
class __:
    __b = 2
",
        expect![[r#"
            import __mod binds __mod in function
            #0 module
              bind __a = int
              bind _C item.1
              bind __ item.4
              #1 class _C
                bind _C__b = int
                bind __d__ = int
                bind _C__m item.2
                #2 def __m(self, _C__p = int)
                  bind _C__p param.1
                  store #1._C__c = _C__b
                  result (. param.0 _C__m)
                  #3 def g()
                    result free.2._C__p
              #4 class __
                bind __b = int
        "#]],
    );
}

#[test]
fn module_bindings_keep_order_and_kind() {
    check_items(
        "\
x = 1
x: int = 2
y: str
z, (*w, v) = a
for i, j in k: pass
with l as m, n() as (o, p): pass
try: pass
except E as e: pass
if (q := r): pass
del x
u += 1
import s.t
[aa for aa in bb if (cc := aa)]
match subject:
    case [dd, *ee]: pass
    case {\"k\": ff, **gg}: pass
    case C(hh, k=ii) as jj: pass
    case 1 | 2: pass
    case _: pass
type T = int
",
        expect![[r#"
            import s.t binds s
            #0 module
              bind x = int
              bind x = int: int
              bind y: str
              bind z = (unpack 0 a)
              bind w = (rest (unpack 1 a))
              bind v = (unpack -1 (unpack 1 a))
              bind i = (unpack 0 (iter k)) under Other
              bind j = (unpack 1 (iter k)) under Other
              bind m = (enter l)
              bind o = (unpack 0 (enter (call n)))
              bind p = (unpack 1 (enter (call n)))
              bind e = (caught E) under Other
              bind q = r
              bind x deleted
              bind u = (+= u int)
              bind s import.0.0
              bind cc = (iter bb)
              bind dd = (unpack 0 subject) under Other
              bind ee = (rest subject) under Other
              bind ff = ([] subject "k") under Other
              bind gg = subject under Other
              bind hh = (position 0 (narrow subject C)) under Other
              bind ii = (. (narrow subject C) k) under Other
              bind jj = (narrow subject C) under Other
              bind T type int
        "#]],
    );
}

#[test]
fn global_and_nonlocal_bind_elsewhere() {
    check_items(
        "\
def f():
    global g, h
    g = 1
    def h(): pass
    n = 0
    m = 0
    def inner():
        nonlocal n
        n = \"s\"
        global k
        import k
        return m
    for g in x: pass
class C:
    global c
    c = 3
",
        expect![[r#"
            import k binds k in function
            #0 module
              bind f item.1
              bind g = int by #1
              bind h item.2 by #1
              bind k import.0.0 by #3
              bind g = (iter x) by #1 under Other
              bind C item.4
              bind c = int by #4
              #1 def f() falls-through
                bind n = int
                bind m = int
                bind n = "s" by #3
                result None
                #2 def h() falls-through
                  result None
                #3 def inner()
                  result free.1.m
              #4 class C
        "#]],
    );
}

#[test]
fn functions_keep_bindings_that_nested_scopes_read() {
    check_items(
        "\
def f(a, b):
    x = 1
    unread = 2
    def g():
        return x, a
    x = 2
    return lambda: b
def h():
    y = 1
    class C:
        z = y
        y2 = [y for _ in z]
        def m(self): return y, z
    return C
",
        expect![[r#"
            #0 module
              bind f item.1
              bind h item.4
              #1 def f(a, b)
                bind a param.0
                bind b param.1
                bind x = int
                bind x = int
                result item.3
                #2 def g()
                  result (tuple free.1.x free.1.a)
                #3 <lambda>()
                  result free.1.b
              #4 def h()
                bind y = int
                result item.5
                #5 class C
                  bind z = free.4.y
                  bind y2 = (list free.4.y)
                  bind m item.6
                  #6 def m(self)
                    result (tuple free.4.y z)
        "#]],
    );
}

#[test]
fn all_keeps_its_changes_in_order() {
    check_items(
        "\
import mod
__all__ = [\"a\", 'b'] + mod.__all__
__all__ = (\"c\",)
__all__ += [\"d\"]
__all__ += mod.__all__
__all__.append(\"e\")
__all__.extend([\"f\", \"g\"])
__all__.extend(mod.sub.__all__)
__all__.remove(\"a\")
__all__ = [n for n in dir()]
__all__: list[str] = [\"z\"]
",
        expect![[r#"
            import mod binds mod
            #0 module
              all = a b
              all of import.0.0
              all = c
              all + d
              all of import.0.0
              all + e
              all + f g
              all of (. import.0.0 sub)
              all - a
              all =
              all ?
              all = z
              bind mod import.0.0
              bind __all__ = (+ (list "a" "b") (. import.0.0 __all__))
              bind __all__ = (tuple "c")
              bind __all__ = (+= (tuple "c") (list "d"))
              bind __all__ = (+= (+= (tuple "c") (list "d")) (. import.0.0 __all__))
              bind __all__ = (list (iter (call dir)))
              bind __all__ = (list "z"): ([] list str)
        "#]],
    );
}

#[test]
fn class_scopes_are_skipped_by_functions_inside() {
    check_items(
        "\
x = 1
class C:
    x = 2
    y = x
    def m(self, d=x) -> x:
        return x
    l = [x for _ in x]
    z = __class__
    def n(self): return __class__, super()
",
        expect![[r#"
            #0 module
              bind x = int
              bind C item.1
              #1 class C
                bind x = int
                bind y = int
                bind m item.2
                bind l = (list x)
                bind z = __class__
                bind n item.3
                #2 def m(self, d = int) -> free.1.x
                  result x
                #3 def n(self)
                  result (tuple cell.1 (call super))
        "#]],
    );
}

#[test]
fn names_of_an_unbound_local_are_not_the_globals() {
    check_items(
        "\
x = 1
def f():
    y = x
    x = 2
    return y
",
        expect![[r#"
            #0 module
              bind x = int
              bind f item.1
              #1 def f()
                result ?
        "#]],
    );
}

#[test]
fn annotations_in_strings_are_read() {
    check_items(
        "\
def f(a: \"C[int]\", b: Literal[\"x\"], c: \"broken[\") -> \"C | None\": ...
x: \"list['D']\" = []
class C:
    y: \"C\"
    z: ClassVar[\"C\"] = None
",
        expect![[r##"
            #0 module
              bind f item.1
              bind x = (list): ([] list D)
              bind C item.2
              #1 def f(a: ([] C int), b: ([] Literal "x"), c: ?) -> (| C None) stub falls-through
                result None
              #2 class C
                bind y: C
                bind z = None: ([] ClassVar C)
        "##]],
    );
}

#[test]
fn conditional_declarations_all_count() {
    check_items(
        "\
try:
    from a import f
except ImportError:
    def f(): pass
if x:
    class C: pass
elif y:
    class C(Base): pass
else:
    C = None
",
        expect![[r#"
            from a import f under ImportError
            #0 module
              bind f import.0.0 under ImportError
              bind f item.1 under ImportError
              bind C item.2 under Other
              bind C item.3 under Other
              bind C = None under Other
              #1 def f() falls-through under ImportError
                result None
              #2 class C under Other
              #3 class C~1(Base) under Other
        "#]],
    );
}

#[test]
fn a_reading_behind_branches_joins_them() {
    check_items(
        "\
def f(a):
    try:
        x = a()
    except KeyError as e:
        x = e
    else:
        x = x.b
    finally:
        y = x
    return x, y
def g(a):
    while a:
        a = a.next
        if a.stop: break
    else:
        a = None
    return a
def h(a):
    with a as b:
        c = b
    del b
    return c
",
        expect![[r#"
            #0 module
              bind f item.1
              bind g item.2
              bind h item.3
              #1 def f(a)
                result (tuple (phi (. (call param.0) b) (caught KeyError)) (phi (. (call param.0) b) (caught KeyError) (call param.0)))
              #2 def g(a)
                result (phi None (. (not-none (phi param.0 (. (not-none …) next))) next))
              #3 def h(a)
                result (enter param.0)
        "#]],
    );
}

#[test]
fn narrowing_follows_tests() {
    check_items(
        "\
def f(a):
    if isinstance(a, int):
        return a
    elif not isinstance(a, (str, B)) and a:
        return a
    return a
def g(a=None):
    a = a or default
    if a is not None:
        return a
    assert isinstance(a, C)
    return a
def h(a):
    if a is None: raise X
    return a
def k(a):
    return a.b if isinstance(a, B) else a
def m(a):
    while not a:
        a = a.b
    return a
",
        expect![[r#"
            #0 module
              bind f item.1
              bind g item.2
              bind h item.3
              bind k item.4
              bind m item.5
              #1 def f(a)
                result (narrow param.0 int)
                result (not-none (narrow-not (narrow-not param.0 int) (tuple str B)))
                result (narrow-not param.0 int)
              #2 def g(a = None)
                result (not-none (any (not-none param.0) default))
                result (narrow (none (any (not-none param.0) default)) C)
              #3 def h(a)
                result (not-none param.0)
              #4 def k(a)
                result (any (. (narrow param.0 B) b) (narrow-not param.0 B))
              #5 def m(a)
                result (not-none (phi param.0 (. … b)))
        "#]],
    );
}

#[test]
fn match_patterns_bind_and_narrow() {
    check_items(
        "\
def f(s):
    match s:
        case int(x): return x
        case Point(x=px, y=0): return px
        case [first, *rest]: return first, rest
        case {\"k\": v, **kw}: return v, kw
        case str() | bytes() as text: return text
        case a.B: return s
        case None: return s
        case (x, y) if x: return y
        case other: return other
",
        expect![[r##"
            #0 module
              bind f item.1
              #1 def f(s)
                result (position 0 (narrow param.0 int))
                result (. (narrow param.0 Point) x)
                result (tuple (unpack 0 param.0) (rest param.0))
                result (tuple ([] param.0 "k") param.0)
                result (phi (narrow param.0 str) (narrow (narrow-not param.0 str) bytes))
                result (narrow-not (narrow-not param.0 str) bytes)
                result (none (narrow-not (narrow-not param.0 str) bytes))
                result (unpack 1 (not-none (narrow-not (narrow-not param.0 str) bytes)))
                result (not-none (narrow-not (narrow-not param.0 str) bytes))
        "##]],
    );
}

#[test]
fn captured_variables_are_free_names() {
    check_items(
        "\
def outer(x):
    def inner():
        def most(): return x
        return most
    return inner
",
        expect![[r#"
            #0 module
              bind outer item.1
              #1 def outer(x)
                bind x param.0
                result item.2
                #2 def inner()
                  result item.3
                  #3 def most()
                    result free.1.x
        "#]],
    );
}

#[test]
fn uses_stand_at_their_tokens() {
    let text = "\
@a.b
@c(1)
def f(x: D): pass
y = g.h(k=1)(2)
class E(F): pass
z[0] + (-w)
import m.n as o
from p import q as r
for s, t in (u): pass
if (v): pass
with i as j: pass
__all__ = ['E']
";
    expect![[r#"
        Name at a.b
        Attr at b
        Decorate at b
        Decorate at @c(1)
        Name at c(1)
        Call at c(1)
        Name at D): pass
        Name at y = g.h(k=1)(2)
        Name at g.h(k=1)(2)
        Attr at h(k=1)(2)
        Call at h(k=1)(2)
        Keyword at k=1)(2)
        Call at (2)
        ClassStatement at E(F): pass
        Name at F): pass
        Name at z[0] + (-w)
        Operator at [0] + (-w)
        Operator at + (-w)
        Operator at -w)
        Name at w)
        Import at n as o
        Import at p import q as r
        Import at q as r
        Name at s, t in (u): pass
        Iterate at t in (u): pass
        Name at t in (u): pass
        Name at u): pass
        Iterate at ): pass
        Name at v): pass
        Truth at v): pass
        Name at i as j: pass
        With at i as j: pass
        Name at j: pass
        Name at __all__ = ['E']
        All at E']
    "#]]
    .assert_eq(&python_printed::tokens(text, 0));
}
