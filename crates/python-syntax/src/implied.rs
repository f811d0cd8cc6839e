//! The special methods that syntax calls without naming them (Python reference, Special method
//! names): `a + b` may call `__add__` and `__radd__`.

/// Syntax that calls special methods. Bits of [`implied`](super::walk::PythonLowering::implied).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Implied {
    /// `+` and the other binary operators, in the order of `BinaryKind`.
    Binary = 0,
    /// `+=` and the others.
    Augmented = 13,
    /// `-`, `+`, `~`.
    Neg = 26,
    Pos = 27,
    Invert = 28,
    /// `<` to `>=` in the order of `CompareOp`.
    Compare = 29,
    Contains = 35,
    Truth = 36,
    Iterate = 37,
    AsyncIterate = 38,
    With = 39,
    AsyncWith = 40,
    Await = 41,
    Call = 42,
    Subscript = 43,
    SubscriptStore = 44,
    SubscriptDelete = 45,
    Format = 46,
    Class = 47,
    AttributeStore = 48,
    AttributeDelete = 49,
    Match = 50,
}

const METHODS: [&[&str]; 51] = [
    &["__add__", "__radd__"],
    &["__sub__", "__rsub__"],
    &["__mul__", "__rmul__"],
    &["__matmul__", "__rmatmul__"],
    &["__truediv__", "__rtruediv__"],
    &["__floordiv__", "__rfloordiv__"],
    &["__mod__", "__rmod__"],
    &["__pow__", "__rpow__"],
    &["__lshift__", "__rlshift__"],
    &["__rshift__", "__rrshift__"],
    &["__and__", "__rand__"],
    &["__xor__", "__rxor__"],
    &["__or__", "__ror__"],
    &["__iadd__"],
    &["__isub__"],
    &["__imul__"],
    &["__imatmul__"],
    &["__itruediv__"],
    &["__ifloordiv__"],
    &["__imod__"],
    &["__ipow__"],
    &["__ilshift__"],
    &["__irshift__"],
    &["__iand__"],
    &["__ixor__"],
    &["__ior__"],
    &["__neg__"],
    &["__pos__"],
    &["__invert__"],
    &["__lt__", "__gt__"],
    &["__le__", "__ge__"],
    &["__eq__"],
    &["__ne__", "__eq__"],
    &["__gt__", "__lt__"],
    &["__ge__", "__le__"],
    &["__contains__", "__iter__", "__getitem__"],
    &["__bool__", "__len__"],
    &["__iter__", "__next__", "__getitem__"],
    &["__aiter__", "__anext__"],
    &["__enter__", "__exit__"],
    &["__aenter__", "__aexit__"],
    &["__await__"],
    &["__call__", "__init__", "__new__"],
    &["__getitem__", "__class_getitem__"],
    &["__setitem__"],
    &["__delitem__"],
    &["__format__", "__str__", "__repr__"],
    &["__init_subclass__", "__set_name__", "__prepare__"],
    &["__setattr__", "__set__"],
    &["__delattr__", "__delete__"],
    &["__match_args__", "__instancecheck__"],
];

/// Returns the methods of the bits that are set.
pub(super) fn methods(bits: u64) -> impl Iterator<Item = &'static str> {
    METHODS
        .iter()
        .enumerate()
        .filter(move |&(bit, _)| bits & (1 << bit) != 0)
        .flat_map(|(_, methods)| methods.iter().copied())
}
