//! Tables of the special methods that builtins run on their arguments (Python library, "Built-in
//! Functions", "Built-in Types"; Python reference, "Special method names").

use codeweft_db::{Db, SymbolClass, SymbolId};

/// The part of a call on which a special method is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SpecialReceiver {
    /// The positional argument with this index.
    Argument(usize),
    /// Each positional argument.
    Arguments,
    /// An element of the positional argument with this index.
    Element(usize),
    /// An element of the only argument, or each of several arguments.
    Elements,
    /// The classes that the positional argument with this index names.
    Classes(usize),
    /// An element of the receiver.
    Own,
}

/// One operation that a builtin applies.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpecialCallRow {
    /// The name of the builtin; `class.method` for a method.
    pub(super) builtin: &'static str,
    /// What it is applied to.
    pub(super) on: SpecialReceiver,
    /// The first of these methods that the class has is run; one that only `object` has yields to
    /// the next.
    pub(super) methods: &'static [&'static str],
}

/// Sorted by name.
const ROWS: &[SpecialCallRow] = {
    use SpecialReceiver::{Argument, Arguments, Classes, Element, Elements, Own};
    const fn row(
        builtin: &'static str,
        on: SpecialReceiver,
        methods: &'static [&'static str],
    ) -> SpecialCallRow {
        SpecialCallRow {
            builtin,
            on,
            methods,
        }
    }
    // What a descriptor copies of what it wraps.
    const COPIED: &[&str] = &["__doc__", "__module__", "__name__", "__qualname__"];
    const STR: &[&str] = &["__str__", "__repr__"];
    const FORMAT: &[&str] = &["__format__", "__str__", "__repr__"];
    const TRUTH: &[&str] = &["__bool__", "__len__"];
    const INDEX: &[&str] = &["__index__"];
    const LESS: &[&str] = &["__lt__", "__gt__"];
    const SIZE: &[&str] = &["__len__", "__length_hint__"];
    const HASH: &[&str] = &["__hash__"];
    const EQUAL: &[&str] = &["__eq__"];
    &[
        row("abs", Argument(0), &["__abs__"]),
        row("aiter", Argument(0), &["__aiter__"]),
        row("all", Element(0), TRUTH),
        row("anext", Argument(0), &["__anext__"]),
        row("any", Element(0), TRUTH),
        row("ascii", Argument(0), &["__repr__"]),
        row("bin", Argument(0), INDEX),
        row("bool", Argument(0), TRUTH),
        row("bytes", Argument(0), &["__bytes__", "__index__"]),
        row("ceil", Argument(0), &["__ceil__", "__float__", "__index__"]),
        row("chr", Argument(0), INDEX),
        row("classmethod", Argument(0), COPIED),
        row(
            "complex",
            Argument(0),
            &["__complex__", "__float__", "__index__"],
        ),
        row("delattr", Argument(0), &["__delattr__"]),
        row("dict.get", Argument(0), EQUAL),
        row("dict.get", Argument(0), HASH),
        row("dict.pop", Argument(0), EQUAL),
        row("dict.pop", Argument(0), HASH),
        row("dict.setdefault", Argument(0), EQUAL),
        row("dict.setdefault", Argument(0), HASH),
        row("dir", Argument(0), &["__dir__"]),
        row("divmod", Argument(0), &["__divmod__"]),
        row("divmod", Argument(1), &["__rdivmod__"]),
        row("float", Argument(0), &["__float__", "__index__"]),
        row(
            "floor",
            Argument(0),
            &["__floor__", "__float__", "__index__"],
        ),
        row("format", Argument(0), FORMAT),
        row("frozenset", Element(0), EQUAL),
        row("frozenset", Element(0), HASH),
        row("fspath", Argument(0), &["__fspath__"]),
        row("getattr", Argument(0), &["__getattr__"]),
        row("getattr", Argument(0), &["__getattribute__"]),
        row("hasattr", Argument(0), &["__getattr__"]),
        row("hasattr", Argument(0), &["__getattribute__"]),
        row("hash", Argument(0), HASH),
        row("hex", Argument(0), INDEX),
        row("input", Argument(0), STR),
        row("int", Argument(0), &["__int__", "__index__", "__trunc__"]),
        row("isinstance", Classes(1), &["__instancecheck__"]),
        row("issubclass", Classes(1), &["__subclasscheck__"]),
        row("len", Argument(0), &["__len__"]),
        row("list", Argument(0), SIZE),
        row("list.count", Argument(0), EQUAL),
        row("list.count", Own, EQUAL),
        row("list.index", Argument(0), EQUAL),
        row("list.index", Own, EQUAL),
        row("list.remove", Argument(0), EQUAL),
        row("list.remove", Own, EQUAL),
        row("list.sort", Own, LESS),
        row("max", Elements, &["__gt__", "__lt__"]),
        row("min", Elements, LESS),
        row("oct", Argument(0), INDEX),
        row("open", Argument(0), &["__fspath__"]),
        row("pow", Argument(0), &["__pow__"]),
        row("pow", Argument(1), &["__rpow__"]),
        row("print", Arguments, STR),
        row("range", Arguments, INDEX),
        row("repr", Argument(0), &["__repr__"]),
        row("reversed", Argument(0), &["__reversed__", "__getitem__"]),
        row("reversed", Argument(0), &["__reversed__", "__len__"]),
        row("round", Argument(0), &["__round__"]),
        row("set", Element(0), EQUAL),
        row("set", Element(0), HASH),
        row("set.add", Argument(0), EQUAL),
        row("set.add", Argument(0), HASH),
        row("set.discard", Argument(0), EQUAL),
        row("set.discard", Argument(0), HASH),
        row("set.remove", Argument(0), EQUAL),
        row("set.remove", Argument(0), HASH),
        row("setattr", Argument(0), &["__setattr__"]),
        row("sorted", Argument(0), SIZE),
        row("sorted", Element(0), LESS),
        row("staticmethod", Argument(0), COPIED),
        row("str", Argument(0), STR),
        row("str.format", Arguments, FORMAT),
        row("sum", Element(0), &["__add__"]),
        row("sum", Element(0), &["__radd__"]),
        row("trunc", Argument(0), &["__trunc__"]),
        row("tuple", Argument(0), SIZE),
    ]
};

/// The builtins that iterate positional arguments: index of the first, and the maximum count.
const ITERATING: &[(&str, usize, usize)] = &[
    ("all", 0, 1),
    ("any", 0, 1),
    ("bytearray.extend", 0, 1),
    ("bytes.join", 0, 1),
    ("deque", 0, 1),
    ("deque.extend", 0, 1),
    ("deque.extendleft", 0, 1),
    ("dict", 0, 1),
    ("dict.update", 0, 1),
    ("enumerate", 0, 1),
    ("filter", 1, 1),
    ("frozenset", 0, 1),
    ("iter", 0, 1),
    ("list", 0, 1),
    ("list.extend", 0, 1),
    ("map", 1, 8),
    ("max", 0, 1),
    ("min", 0, 1),
    ("next", 0, 1),
    ("set", 0, 1),
    ("set.update", 0, 8),
    ("sorted", 0, 1),
    ("str.join", 0, 1),
    ("sum", 0, 1),
    ("tuple", 0, 1),
    ("zip", 0, 8),
];

/// The builtins that call an argument: its positional index, or its keyword.
const CALLING: &[(&str, Option<usize>, &str)] = &[
    ("filter", Some(0), ""),
    ("list.sort", None, "key"),
    ("map", Some(0), ""),
    ("max", None, "key"),
    ("min", None, "key"),
    ("reduce", Some(0), ""),
    ("sorted", None, "key"),
];

/// Returns the name of a symbol of the model in these tables: `class.method` for a method.
pub(super) fn builtin_name(db: &dyn Db, symbol: SymbolId) -> String {
    let names = &db.shared().names;
    let key = db.shared().symbols.key(symbol);
    let name = names.text(key.name);
    match key.parent.filter(|_| key.class == SymbolClass::Method) {
        Some(class) => {
            let class = db.shared().symbols.key(class).name;
            format!("{}.{name}", names.text(class))
        }
        None => name.to_owned(),
    }
}

/// Returns the operations that a builtin applies.
pub(super) fn rows_of(builtin: &str) -> &'static [SpecialCallRow] {
    let from = ROWS.partition_point(|row| row.builtin < builtin);
    let count = ROWS[from..].partition_point(|row| row.builtin == builtin);
    &ROWS[from..from + count]
}

/// Returns the positional arguments that a builtin iterates: the first index and the maximum count.
pub(super) fn iterated_by(builtin: &str) -> Option<(usize, usize)> {
    let at = ITERATING.binary_search_by_key(&builtin, |row| row.0).ok()?;
    let (_, from, count) = ITERATING[at];
    Some((from, count))
}

/// Returns the positional index and the keyword of the argument that a builtin calls.
pub(super) fn called_by(builtin: &str) -> Option<(Option<usize>, &'static str)> {
    let at = CALLING.binary_search_by_key(&builtin, |row| row.0).ok()?;
    let (_, argument, keyword) = CALLING[at];
    Some((argument, keyword))
}

#[test]
fn the_tables_are_sorted_by_name() {
    assert!(ROWS.is_sorted_by_key(|row| row.builtin));
    assert!(ITERATING.is_sorted_by_key(|row| row.0));
    assert!(CALLING.is_sorted_by_key(|row| row.0));
}
