//! What the lowering of Python keeps: scopes, the flow of values, headers, tokens.

use codeweft_python_syntax::AsPython as _;
use codeweft_python_syntax::PYTHON;
use codeweft_python_syntax::*;
use codeweft_syntax::{FileIr, Names, lower};

struct Lowered {
    ir: FileIr,
    names: Names,
    text: String,
}

fn lowered(text: &str) -> Lowered {
    let names = Names::default();
    let ir = lower(text, PYTHON, &names, &|| false).expect("nothing stops it");
    Lowered {
        ir,
        names,
        text: text.to_owned(),
    }
}

impl Lowered {
    fn items(&self) -> &Items {
        self.ir.items.python().expect("it is Python")
    }

    fn bodies(&self) -> &Bodies {
        self.ir.bodies.python().expect("it is Python")
    }

    /// The printed form.
    fn print(&self) -> String {
        print_ir(&self.ir, &self.names)
    }

    /// Whether a line of the printed form is this one.
    #[track_caller]
    fn has(&self, line: &str) -> &Self {
        let print = self.print();
        assert!(
            print.lines().any(|found| found.trim() == line),
            "{line}\n\n{print}"
        );
        self
    }

    /// Whether no line of the printed form has these words.
    #[track_caller]
    fn lacks(&self, words: &str) -> &Self {
        let print = self.print();
        assert!(!print.contains(words), "{words}\n\n{print}");
        self
    }

    /// The words at the tokens of the uses of a body, each once.
    fn words(&self, body: usize) -> Vec<&str> {
        let body = self.bodies().bodies[body];
        let mut tokens: Vec<u32> = self.bodies().uses[body.uses.iter()]
            .iter()
            .map(|found| self.ir.ranges.body_tokens[(body.first_tok + found.tok) as usize])
            .collect();
        tokens.dedup();
        let word = |&at: &u32| {
            let rest = &self.text[at as usize..];
            let end = rest
                .find(|char: char| !char.is_alphanumeric() && char != '_')
                .unwrap_or(rest.len());
            &rest[..end.max(1)]
        };
        tokens.iter().map(word).collect()
    }
}

#[test]
fn an_assignment_kills_and_paths_join() {
    lowered("def f(a):\n    a = 1.5\n    if c:\n        a = ''\n    return a\n")
        .has("result (phi \"\" float)");
    lowered("def f(a):\n    if c:\n        a = 1\n    else:\n        raise E\n    return a\n")
        .has("result int");
}

#[test]
fn a_loop_may_bring_back_what_it_binds() {
    let found = lowered("def f(n):\n    while n.more:\n        n = n.next\n    return n\n");
    found.has("%1 = (phi param.0 %3)").has("%3 = (. %1 next)");
}

#[test]
fn a_loop_without_end_is_left_by_break_alone() {
    lowered("def f():\n    while True:\n        x = g()\n        if x:\n            break\n    return x\n")
        .has("result (not-none (call g))");
}

#[test]
fn a_handler_sees_every_binding_of_the_body_and_its_name_ends_with_it() {
    let text = "def f():\n    v = 1\n    try:\n        v = 1.5\n        v = ''\n    except E as e:\n        return v\n    return e\n";
    lowered(text)
        .has("load v of #1 %1")
        .has("%1 = (phi int float \"\")");
    lowered(text).has("%2 = (caught E)");
}

#[test]
fn what_a_context_manager_swallows_goes_on_behind_it() {
    lowered("def f(x):\n    with s(E):\n        return g(x)\n    return x\n").has("result param.0");
    let last = lowered("def f(x):\n    with s(E):\n        return x\n");
    assert!(!last.items().items[1].flags.falls_through);
}

#[test]
fn tests_narrow_locals_on_both_sides() {
    let text = "def f(x):\n    if not isinstance(x, C):\n        return x\n    return x\n";
    lowered(text)
        .has("result (narrow-not param.0 C)")
        .has("result (narrow param.0 C)");
    let text = "def f(x):\n    if x is None:\n        return x\n    return x\n";
    lowered(text)
        .has("result (none param.0)")
        .has("result (not-none param.0)");
}

#[test]
fn outcomes_of_a_test_that_meet_again_are_forgotten() {
    lowered("def f(x):\n    if x is None and g():\n        h()\n    return x\n")
        .has("result param.0");
}

#[test]
fn a_bound_name_narrows_in_its_own_test() {
    lowered("def f():\n    if (x := g()) is not None:\n        return x\n")
        .has("result (not-none (call g))");
}

#[test]
fn names_of_functions_around_are_free_and_class_scopes_are_skipped() {
    let text = "def f():\n    a = 1\n    class C:\n        a = 2\n        def m(self):\n            return a\n";
    lowered(text).has("result free.1.a").has("bind a = int");
}

#[test]
fn bindings_that_no_nested_scope_reads_stay_in_their_body() {
    lowered("def f():\n    a = b()\n    return 1\n").lacks("bind a");
}

#[test]
fn names_of_global_and_nonlocal_statements_belong_to_their_scope() {
    let text = "def f():\n    global g\n    g = 1\n    n = 2\n    def h():\n        nonlocal n\n        n = 1.5\n    return n\n";
    lowered(text)
        .has("bind g = int by #1")
        .has("bind n = float by #2")
        .has("result free.1.n");
}

#[test]
fn a_target_of_a_comprehension_is_its_own() {
    let text = "def f(x, y):\n    a = [x for x in y]\n    return x\n";
    lowered(text)
        .has("result param.0")
        .has("%1 = (iter param.1)");
    lowered("def f(y):\n    return [lambda: x for x in y]\n")
        .has("result free.1.x")
        .has("bind x = (iter param.0)");
}

#[test]
fn private_names_are_mangled_in_classes() {
    lowered("class _C:\n    __x = 1\n    def m(self):\n        self.__y = self.__z__\n")
        .has("bind _C__x = int")
        .has("store #1._C__y = (. param.0 __z__)");
}

#[test]
fn stores_count_through_the_first_parameter_of_methods() {
    let text = "class C:\n    def m(s, o):\n        s.a, o.b = 1, 2\n        s.c += 1\n        s.d: int\n        with g() as s.e: pass\n    @staticmethod\n    def t(s):\n        s.no = 1\n";
    lowered(text)
        .has("store #1.a = int")
        .has("store #1.c = (+= (. param.0 c) int)")
        .has("store #1.e = (enter (call g))")
        .lacks("store #1.b")
        .lacks("store #1.no");
}

#[test]
fn annotations_see_names_bound_later_and_strings_are_parsed() {
    let text = "def f(a: 'C', b: \"list[C | None]\", c: Literal['x']) -> C: ...\nclass C: ...\n";
    let found = lowered(text);
    found.has(
        "#1 def f(a: C, b: ([] list (| C None)), c: ([] Literal \"x\")) -> C stub falls-through",
    );
    assert_eq!(
        found.words(0),
        ["C", "list", "C", "Literal", "C", "C"],
        "tokens in strings stand where they stand"
    );
}

#[test]
fn equal_names_of_several_comprehensions_and_of_their_scope_stay_apart() {
    let text =
        "def f(x):\n    return [x for x in x], {x for x in x}, lambda: [lambda: x for x in x]\n";
    let found = lowered(text);
    found
        .has("load x inside.0 %1")
        .has("load x of #1 param.0")
        .has("store x inside.1 %1");
    let in_lambda = "body #3\n  load x inside.2 free.2.x\n";
    assert!(found.print().contains(in_lambda), "{}", found.print());
    let of_parameter = |one: &&Use| matches!(one.kind, UseKind::Name { scope: 1, .. });
    let uses = found.bodies().uses.iter().filter(of_parameter);
    assert_eq!(uses.count(), 3, "the first iterables");
}

#[test]
fn a_lambda_in_a_comprehension_of_a_module_or_class_does_not_read_a_name_around() {
    let text =
        "x = 1\na = [lambda: x for x in y]\nclass C:\n    x = 2\n    b = [lambda: x for x in y]\n";
    let found = lowered(text);
    found
        .has("load x inside.0 ?")
        .has("load x inside.1 ?")
        .lacks("load x of");
}

#[test]
fn type_parameters_of_an_alias_are_no_names_around() {
    let text = "K = 1\ntype X[K: int, *T] = dict[K, T]\ntype Y = K\n";
    let found = lowered(text);
    found
        .has("bind X type ([] dict (tuple ? ?))")
        .has("store K inside.0 ?")
        .has("load K inside.0 ? as TypeArgument")
        .has("load int outside int")
        .has("load K of #0 K as Alias");
}

#[test]
fn the_last_part_of_a_dotted_import_is_the_module_and_the_first_what_is_bound() {
    let found = lowered("import a.b.c\nimport a\nimport a.b as d\nfrom a.b import e\n");
    assert_eq!(found.words(0), ["a", "c", "a", "b", "b", "e"]);
    found
        .has("import.0.0")
        .has("module of import.0")
        .has("import.2.0")
        .lacks("module of import.1")
        .lacks("module of import.2");
}

#[test]
fn each_base_has_the_token_of_its_last_name() {
    let found = lowered("class C(A, m.B[K], f(x).g(y), *bases, (D), metaclass=M): pass\n");
    let class = &found.items().items[1];
    assert_eq!(class.bases.len(), class.base_toks.len());
    let words = class.base_toks.iter().map(|&tok| {
        let rest = &found.text[found.ir.ranges.item_tokens[tok as usize] as usize..];
        let end = rest.find(|char: char| !char.is_alphanumeric());
        &rest[..end.unwrap_or(rest.len())]
    });
    assert_eq!(words.collect::<Vec<_>>(), ["A", "B", "g", "bases", "D"]);
}

#[test]
fn an_unpacked_mapping_of_a_comprehension_is_not_iterated() {
    let found = lowered("d = {**a for a in b}\ns = {*a for a in b}\n");
    found
        .has("bind d = (dict (star (iter b)) ?)")
        .has("bind s = (set (star (iter b)))");
    let iterates = |one: &&Use| matches!(one.kind, UseKind::Iterate { .. });
    let uses = found.bodies().uses.iter().filter(iterates);
    assert_eq!(uses.count(), 3, "b twice and a of the set");
}

#[test]
fn a_template_string_is_evaluated_but_no_string() {
    let found = lowered("t = t\"{a!r:>{b()}}\" f\"{c}\"\nf = f\"{a}\"\n");
    found.has("bind t = ?").has("bind f = (format a)");
    assert_eq!(found.words(0), ["t", "a", "b", "c", "f", "f", "a"]);
    let formats = |one: &&Use| matches!(one.kind, UseKind::Operator(_));
    assert_eq!(found.bodies().uses.iter().filter(formats).count(), 1);
}

#[test]
fn type_parameters_are_seen_by_headers_and_bodies() {
    let text = "class B[T: int]:\n    def m[U](self, a: T, b: U) -> T: return T\n";
    lowered(text).has("result typeparam.1.0").lacks("outside T");
}

#[test]
fn a_decorated_name_is_what_its_decorators_make_of_it() {
    lowered("@d\ndef f(): pass\nx = f\ny = g\ndef g(): pass\n")
        .has("bind x = decorated.1")
        .has("bind y = g");
}

#[test]
fn patterns_narrow_and_take_apart() {
    let text = "def f(x):\n    match x:\n        case C(a=b): return b\n        case [d, *e, h]: return d, e, h\n        case {'k': v}: return v\n        case None: return x\n        case w: return w\n";
    lowered(text)
        .has("result (. (narrow param.0 C) a)")
        .has("result (tuple (unpack 0 param.0) (rest param.0) (unpack -1 param.0))")
        .has("result ([] param.0 \"k\")")
        .has("result (none param.0)");
}

#[test]
fn changes_of_all_stand_in_order() {
    let text = "import m\n__all__ = ['a'] + m.__all__\n__all__ += ['b']\n__all__.remove('a')\n__all__.extend(x())\n";
    let found = lowered(text);
    assert!(matches!(
        found.items().all[..],
        [
            AllChange::Set(_),
            AllChange::AddOf(_),
            AllChange::Add(_),
            AllChange::Remove(_),
            AllChange::Unknown
        ]
    ));
}

#[test]
fn imports_have_their_guards() {
    let text = "if TYPE_CHECKING:\n    import a\nelse:\n    import b\ntry:\n    import c\nexcept ImportError:\n    import d\nif sys.version_info > (3,):\n    if x:\n        import e\n";
    let found = lowered(text);
    let header = found.ir.header.python().expect("it is Python");
    let guards: Vec<Guard> = header.imports.iter().map(|import| import.guard).collect();
    assert_eq!(
        guards,
        [
            Guard::TypeChecking,
            Guard::Other,
            Guard::ImportError,
            Guard::ImportError,
            Guard::Version
        ]
    );
}

#[test]
fn tests_of_the_version_say_from_when_or_before_when_a_branch_runs() {
    let text = "import sys\nif TYPE_CHECKING:\n    import a\nelif sys.version_info >= (3, 12):\n    import b\nelif debug:\n    import c\nelse:\n    import d\nif sys.version_info < (3,9):\n    import e\nelse:\n    import f\nif sys.version_info >= (3, 9, 1):\n    import g\n";
    let found = lowered(text);
    let header = found.ir.header.python().expect("it is Python");
    let guards: Vec<Guard> = header.imports.iter().map(|import| import.guard).collect();
    assert_eq!(
        guards,
        [
            Guard::None,
            Guard::TypeChecking,
            Guard::Since(12),
            Guard::Before(12),
            Guard::Before(12),
            Guard::Before(9),
            Guard::Since(9),
            Guard::Version
        ]
    );
}

#[test]
fn tokens_of_a_body_ascend_and_a_call_is_at_its_last_name() {
    let found = lowered("a.b(c)(d)[e](f'{g:>{h}}')\n");
    assert_eq!(
        found.words(0),
        ["a", "b", "c", "(", "d", "[", "e", "(", "f", "g", "h"]
    );
}

#[test]
fn long_chains_are_not_cut_and_deep_nesting_is() {
    let sum = format!("x = {}1\n", "a + ".repeat(5000));
    assert!(!lowered(&sum).ir.report.cut);
    let calls = format!("x = a{}\n", ".b()".repeat(5000));
    assert!(!lowered(&calls).ir.report.cut);
    let links = format!("if a: b\n{}", "elif a: b\n".repeat(3000));
    assert!(!lowered(&links).ir.report.cut);
    let nested = format!("x = {}1{}\n", "(".repeat(2000), ")".repeat(2000));
    assert!(lowered(&nested).ir.report.cut);
}

#[test]
fn an_edit_that_moves_text_leaves_all_but_ranges_equal() {
    let names = Names::default();
    let text = "import a\n\ndef f(x: 'T', *y):\n    for z in y:\n        x.m(z, k=1)\n    return lambda: x\n";
    let moved = format!("# a comment\n\n{}", text.replace("z, k", "z,  k"));
    let one = lower(text, PYTHON, &names, &|| false).expect("nothing stops it");
    let two = lower(&moved, PYTHON, &names, &|| false).expect("nothing stops it");
    assert_eq!(*one.items, *two.items);
    assert_eq!(*one.bodies, *two.bodies);
    assert_eq!(*one.header, *two.header);
    assert_ne!(one.ranges, two.ranges);
}

#[test]
fn an_edit_of_a_body_that_changes_no_result_leaves_the_items_equal() {
    let names = Names::default();
    let text = "def f(x):\n    y = 1\n    return x\n";
    let edited = text.replace("y = 1", "y = g(x)\n    h(y)");
    let one = lower(text, PYTHON, &names, &|| false).expect("nothing stops it");
    let two = lower(&edited, PYTHON, &names, &|| false).expect("nothing stops it");
    assert_eq!(*one.items, *two.items);
    assert_ne!(*one.bodies, *two.bodies);
}

#[test]
fn special_methods_are_identifiers_if_their_syntax_occurs() {
    let found = lowered("with a:\n    b += c\n");
    let identifiers = |name: &str| {
        let name = found.names.get(name);
        name.is_some_and(|name| found.ir.identifiers.contains(name))
    };
    assert!(identifiers("__enter__") && identifiers("__iadd__") && identifiers("__radd__"));
    assert!(!identifiers("__getitem__") && !identifiers("__iter__"));
}

#[test]
fn damage_anywhere_neither_panics_nor_breaks_the_numbering() {
    let text = "@d(1)\nclass A(B, k=C):\n    x: 'list[int]' = [y for y in z if y]\n    def m(self, *a, k=lambda: 0, **kw) -> \"T\":\n        global g\n        for self.i, (j, *h) in a:\n            try:\n                with p as q, r: yield f'{j!r:>{h}}'\n            except (E, F) as e: raise X from e\n            finally: del self.i, h[0]\n        match a:\n            case C(a=b) | [b, *_] if b: return b\n            case {'k': v, **rest}: g = v\n        while not (n := a.b(c)[1:2]): n += 1 if n else 2\nfrom ..p import (q as r, s)\nimport a.b, c as d\n__all__ = ['x'] + d.__all__\n";
    let mut seed = 5u64;
    let mut next = |below: usize| {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below
    };
    let names = Names::default();
    for _ in 0..400 {
        let mut damaged = text.to_owned();
        for _ in 0..1 + next(3) {
            let at = next(damaged.len());
            let end = (at + next(30)).min(damaged.len());
            match next(3) {
                0 => damaged.replace_range(at..end, ""),
                1 => damaged.insert_str(at, &text[..next(60)]),
                _ => damaged.insert(at, ['(', '\n', '"', ':', '*'][next(5)]),
            }
        }
        let ir = lower(&damaged, PYTHON, &names, &|| false).expect("nothing stops it");
        let items = ir.items.python().expect("it is Python");
        let bodies = ir.bodies.python().expect("it is Python");
        assert_eq!(items.items.len(), bodies.bodies.len(), "{damaged}");
        assert_eq!(items.items.len(), ir.ranges.items.len(), "{damaged}");
        assert_eq!(bodies.bodies.len(), ir.ranges.bodies.len(), "{damaged}");
        for (number, item) in items.items.iter().enumerate() {
            assert!(item.parent == NONE || (item.parent as usize) < number);
            assert!(number == 0 || (item.tok as usize) < ir.ranges.item_tokens.len());
        }
        print_ir(&ir, &names);
    }
}

/// Functions enough for several chunks; `more` stands in the one in the middle.
fn many_functions(more: &str) -> String {
    let mut text = String::from("import far\n\n");
    for number in 0..200 {
        let more = if number == 100 { more } else { "" };
        text += &format!(
            "def step{number}(value, other=far.default):\n    {more}\n    \
             while other < value:\n        other = far.run(value, [other], key=(1, value))\n    \
             return lambda: [one.part for one in other if one]\n\n"
        );
    }
    text
}

#[test]
fn an_edit_inside_a_body_leaves_all_chunks_but_one_equal() {
    let names = Names::default();
    let chunks = |more: &str| {
        let text = many_functions(more);
        let ir = lower(&text, PYTHON, &names, &|| false).expect("nothing stops it");
        let bodies = ir.bodies.python().expect("it is Python");
        bodies.chunks(ir.items.python().expect("it is Python"), &names)
    };
    let (before, after) = (
        chunks("pass"),
        chunks("far.call(value, [other, (1, value)])"),
    );
    assert!(before.len() > 5, "{}", before.len());
    assert_eq!(before.len(), after.len());
    let differ = before.iter().zip(&after).filter(|(old, new)| old != new);
    assert_eq!(differ.count(), 1);
}

#[test]
fn chunks_hold_the_nodes_and_uses_of_every_body() {
    let of = lowered(&many_functions("pass"));
    let whole = of.bodies();
    let chunks = whole.chunks(of.items(), &of.names);
    let mut number = 0;
    for chunk in &chunks {
        assert_eq!(chunk.first, number);
        number += chunk.bodies.bodies.len() as u32;
        let own = &chunk.bodies;
        for (one, body) in whole.bodies[chunk.first as usize..].iter().zip(&own.bodies) {
            assert_eq!(one.uses.iter().len(), body.uses.iter().len());
            assert_eq!(one.nodes.iter().len(), body.nodes.iter().len());
            for (old, new) in one.nodes.iter().zip(body.nodes.iter()) {
                let (old, new) = (old as NodeId, new as NodeId);
                // Operands stand as far away as they stood; 0 and none are no operands.
                let away = |of: &Bodies, node: NodeId| -> Vec<Option<i64>> {
                    let operands = of.code.operands(node).into_iter();
                    let known = |operand| operand != 0 && operand != NONE;
                    let away = |operand| i64::from(operand) - i64::from(node);
                    operands
                        .map(|operand| known(operand).then(|| away(operand)))
                        .collect()
                };
                assert_eq!(away(whole, old), away(own, new));
            }
        }
    }
    assert_eq!(number as usize, whole.bodies.len());
}
