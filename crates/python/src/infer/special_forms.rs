//! The names of `typing` that type expressions are made of (Python library, "typing").

use codeweft_db::{Db, NameId, SymbolId};

use crate::declared::module_name;
use crate::values::{Shape, Values};

/// Names of `typing` that are special forms rather than classes.
const FORMS: [&str; 44] = [
    "Any",
    "Union",
    "Optional",
    "Callable",
    "Literal",
    "Final",
    "ClassVar",
    "Annotated",
    "Type",
    "List",
    "Dict",
    "Set",
    "FrozenSet",
    "Tuple",
    "DefaultDict",
    "OrderedDict",
    "Deque",
    "Counter",
    "ChainMap",
    "Generic",
    "Protocol",
    "NoReturn",
    "Never",
    "Self",
    "LiteralString",
    "TypeAlias",
    "TypeGuard",
    "TypeIs",
    "Concatenate",
    "Unpack",
    "Required",
    "NotRequired",
    "ReadOnly",
    "TypeVar",
    "ParamSpec",
    "TypeVarTuple",
    "NewType",
    "NamedTuple",
    "TypedDict",
    "AnyStr",
    "Text",
    "ForwardRef",
    "overload",
    "TYPE_CHECKING",
];

/// Returns the special form that a name of a module is.
pub(crate) fn special_form(db: &dyn Db, module: SymbolId, name: NameId) -> Option<Values> {
    let names = &db.shared().names;
    if !matches!(module_name(db, module), "typing" | "typing_extensions") {
        return None;
    }
    let text = names.text(name);
    // These two are an ordinary function and an ordinary value.
    if !FORMS.contains(&text) || matches!(text, "overload" | "TYPE_CHECKING" | "ForwardRef") {
        return None;
    }
    Some(Values::of(db, Shape::Special(name)))
}
