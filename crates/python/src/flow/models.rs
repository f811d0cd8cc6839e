//! Functions of libraries whose effect on values is known, by the path where they are declared.

use codeweft_db::SymbolId;

use super::solver::Solver;
use super::values::Wrapper;

/// The effect of a function of a library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Model {
    /// Makes a descriptor of a function.
    Wraps(Wrapper),
    /// Returns its first argument.
    Identity,
    /// Returns its argument of this number.
    Returns(usize),
    /// Returns a decorator that returns what it is given.
    MakesIdentity,
    /// Returns its argument if that is a function, else such a decorator.
    IdentityOrMaker,
    /// `functools.partial`
    Partial,
    /// `getattr`
    GetAttr,
    /// `setattr`
    SetAttr,
    /// Returns a sequence of the elements of its argument; may call `key`.
    Sequence,
    /// Returns an iterator over the elements of its argument; may call its second argument, `key` or `func` with them.
    Iterator,
    /// Returns a sequence of the elements of all its arguments.
    Chain,
    /// `next`
    Next,
    /// `dict`
    Dict,
    /// `defaultdict`
    DefaultDict,
    /// `enumerate`
    Enumerate,
    /// `zip`
    Zip,
    /// `map`: calls its first argument with the elements of the others.
    Map,
    /// `filter`
    Filter,
    /// `functools.reduce`
    Reduce,
    /// `min` and `max`
    Choose,
    /// `type` with one argument
    TypeOf,
    /// `vars`
    Vars,
    /// Calls nothing of what it is given, and gives nothing of it.
    Inspects,
    /// Compares or prints what it is given: special methods of objects run, but no function or class is called.
    Compares,
    /// An exception, which keeps what it is given as [`Model::Compares`] does; what its object holds is not known.
    Exception,
    /// `object.__new__`, and that of any class of a library
    New,
    /// Calls its argument of this number, or of the name `target`, `function` or `func`, with unknown arguments.
    Calls(usize),
    /// Calls its argument of this number with those behind it.
    Runs(usize),
    /// Calls its first argument and gives the result: the default of a field.
    Factory,
    /// Gives its `default`, or what its `factory` or `default_factory` returns: a field of a class.
    Field,
    /// `pytest.param`
    ParameterSet,
    /// Runs a special method of its first argument.
    Special([&'static str; 3]),
    /// `singledispatch`
    Generic,
}

/// The models, sorted by path.
const MODELS: &[(&str, Model)] = {
    use Model::*;
    &[
        ("_pytest.mark.param", ParameterSet),
        ("_pytest.python_api.raises", Runs(1)),
        ("_pytest.raises.raises", Runs(1)),
        ("_pytest.recwarn.deprecated_call", Runs(0)),
        ("_pytest.recwarn.warns", Runs(1)),
        ("abc.abstractclassmethod", Wraps(Wrapper::ClassMethod)),
        ("abc.abstractmethod", Identity),
        ("abc.abstractproperty", Wraps(Wrapper::Property)),
        ("abc.abstractstaticmethod", Wraps(Wrapper::StaticMethod)),
        ("asyncio.coroutines.iscoroutinefunction", Inspects),
        ("asyncio.create_task", Identity),
        ("asyncio.ensure_future", Identity),
        ("asyncio.iscoroutinefunction", Inspects),
        ("asyncio.run", Special(["__await__", "", ""])),
        ("atexit.register", Calls(0)),
        ("attr.Factory", Factory),
        ("attr._make.Factory", Factory),
        ("attr._make.attrib", Field),
        ("attr._next_gen.field", Field),
        ("attr.attrib", Field),
        ("attr.field", Field),
        ("attr.ib", Field),
        ("attrs.Factory", Factory),
        ("attrs.field", Field),
        ("builtins.AssertionError", Exception),
        ("builtins.AttributeError", Exception),
        ("builtins.Exception", Exception),
        ("builtins.IndexError", Exception),
        ("builtins.KeyError", Exception),
        ("builtins.LookupError", Exception),
        ("builtins.NotImplementedError", Exception),
        ("builtins.RuntimeError", Exception),
        ("builtins.TypeError", Exception),
        ("builtins.ValueError", Exception),
        ("builtins.abs", Special(["__abs__", "", ""])),
        ("builtins.all", Special(["__iter__", "", ""])),
        ("builtins.any", Special(["__iter__", "", ""])),
        ("builtins.bool", Special(["__bool__", "__len__", ""])),
        ("builtins.bytes", Special(["__bytes__", "__iter__", ""])),
        ("builtins.callable", Inspects),
        ("builtins.classmethod", Wraps(Wrapper::ClassMethod)),
        (
            "builtins.complex",
            Special(["__complex__", "__float__", ""]),
        ),
        ("builtins.dict", Dict),
        ("builtins.dir", Special(["__dir__", "", ""])),
        ("builtins.enumerate", Enumerate),
        ("builtins.filter", Filter),
        ("builtins.float", Special(["__float__", "__index__", ""])),
        (
            "builtins.format",
            Special(["__format__", "__str__", "__repr__"]),
        ),
        ("builtins.frozenset", Sequence),
        ("builtins.getattr", GetAttr),
        (
            "builtins.hasattr",
            Special(["__getattribute__", "__getattr__", ""]),
        ),
        ("builtins.hash", Special(["__hash__", "", ""])),
        ("builtins.id", Inspects),
        ("builtins.int", Special(["__int__", "__index__", ""])),
        ("builtins.isinstance", Inspects),
        ("builtins.issubclass", Inspects),
        ("builtins.iter", Iterator),
        ("builtins.len", Special(["__len__", "", ""])),
        ("builtins.list", Sequence),
        ("builtins.map", Map),
        ("builtins.max", Choose),
        ("builtins.min", Choose),
        ("builtins.next", Next),
        ("builtins.object.__getattribute__", GetAttr),
        ("builtins.print", Special(["__str__", "__repr__", ""])),
        ("builtins.property", Wraps(Wrapper::Property)),
        ("builtins.repr", Special(["__repr__", "", ""])),
        ("builtins.reversed", Iterator),
        ("builtins.round", Special(["__round__", "", ""])),
        ("builtins.set", Sequence),
        ("builtins.setattr", SetAttr),
        ("builtins.sorted", Sequence),
        ("builtins.staticmethod", Wraps(Wrapper::StaticMethod)),
        ("builtins.str", Special(["__str__", "__repr__", ""])),
        ("builtins.tuple", Sequence),
        ("builtins.type", TypeOf),
        ("builtins.vars", Vars),
        ("builtins.zip", Zip),
        ("collections.ChainMap", Dict),
        ("collections.OrderedDict", Dict),
        ("collections.defaultdict", DefaultDict),
        ("collections.deque", Sequence),
        ("contextlib.aclosing", Identity),
        (
            "contextlib.asynccontextmanager",
            Wraps(Wrapper::ContextManager),
        ),
        ("contextlib.closing", Identity),
        ("contextlib.contextmanager", Wraps(Wrapper::ContextManager)),
        ("copy.copy", Identity),
        ("copy.deepcopy", Identity),
        ("dataclasses.field", Field),
        ("dataclasses.replace", Identity),
        ("functools.cache", Identity),
        ("functools.cached_property", Wraps(Wrapper::Property)),
        ("functools.lru_cache", IdentityOrMaker),
        ("functools.partial", Partial),
        ("functools.partialmethod", Partial),
        ("functools.reduce", Reduce),
        ("functools.singledispatch", Generic),
        ("functools.singledispatchmethod", Generic),
        ("functools.update_wrapper", Identity),
        ("functools.wraps", MakesIdentity),
        ("inspect.getdoc", Inspects),
        ("inspect.getfile", Inspects),
        ("inspect.getfullargspec", Inspects),
        ("inspect.getmodule", Inspects),
        ("inspect.getsource", Inspects),
        ("inspect.isabstract", Inspects),
        ("inspect.isasyncgenfunction", Inspects),
        ("inspect.isawaitable", Inspects),
        ("inspect.isbuiltin", Inspects),
        ("inspect.isclass", Inspects),
        ("inspect.iscoroutine", Inspects),
        ("inspect.iscoroutinefunction", Inspects),
        ("inspect.isfunction", Inspects),
        ("inspect.isgenerator", Inspects),
        ("inspect.isgeneratorfunction", Inspects),
        ("inspect.ismethod", Inspects),
        ("inspect.ismodule", Inspects),
        ("inspect.isroutine", Inspects),
        ("inspect.signature", Inspects),
        ("inspect.unwrap", Identity),
        ("itertools.accumulate", Iterator),
        ("itertools.batched", Iterator),
        ("itertools.chain", Chain),
        ("itertools.compress", Iterator),
        ("itertools.cycle", Iterator),
        ("itertools.dropwhile", Filter),
        ("itertools.filterfalse", Filter),
        ("itertools.groupby", Iterator),
        ("itertools.islice", Iterator),
        ("itertools.pairwise", Iterator),
        ("itertools.starmap", Map),
        ("itertools.takewhile", Filter),
        ("itertools.tee", Iterator),
        ("itertools.zip_longest", Zip),
        ("pytest.deprecated_call", Runs(0)),
        ("pytest.param", ParameterSet),
        ("pytest.raises", Runs(1)),
        ("pytest.warns", Runs(1)),
        ("re.sub", Calls(1)),
        ("signal.signal", Calls(1)),
        ("threading.Thread", Calls(1)),
        ("threading.Timer", Calls(1)),
        ("traceback.format_exception", Inspects),
        ("traceback.format_exception_only", Inspects),
        ("traceback.print_exception", Inspects),
        ("types.MappingProxyType", Identity),
        ("typing.cast", Returns(1)),
        ("typing.final", Identity),
        ("typing.get_args", Inspects),
        ("typing.get_origin", Inspects),
        ("typing.get_type_hints", Inspects),
        ("typing.no_type_check", Identity),
        ("typing.overload", Identity),
        ("typing.override", Identity),
        ("typing.runtime_checkable", Identity),
        ("typing_extensions.final", Identity),
        ("typing_extensions.overload", Identity),
        ("typing_extensions.override", Identity),
        ("typing_extensions.runtime_checkable", Identity),
        ("unittest.case.TestCase.addCleanup", Runs(0)),
        ("unittest.case.TestCase.assertEqual", Compares),
        ("unittest.case.TestCase.assertFalse", Compares),
        ("unittest.case.TestCase.assertIn", Compares),
        ("unittest.case.TestCase.assertIs", Compares),
        ("unittest.case.TestCase.assertIsInstance", Compares),
        ("unittest.case.TestCase.assertIsNone", Compares),
        ("unittest.case.TestCase.assertIsNot", Compares),
        ("unittest.case.TestCase.assertIsNotNone", Compares),
        ("unittest.case.TestCase.assertNotEqual", Compares),
        ("unittest.case.TestCase.assertNotIn", Compares),
        ("unittest.case.TestCase.assertNotIsInstance", Compares),
        ("unittest.case.TestCase.assertRaises", Runs(1)),
        ("unittest.case.TestCase.assertRaisesRegex", Runs(2)),
        ("unittest.case.TestCase.assertTrue", Compares),
        ("unittest.case.TestCase.assertWarns", Runs(1)),
        ("unittest.case.TestCase.assertWarnsRegex", Runs(2)),
        ("weakref.finalize", Calls(1)),
        ("weakref.proxy", Identity),
        ("weakref.ref", Identity),
    ]
};

/// The methods that have a model, sorted by name.
const METHODS: &[&str] = &[
    "addCleanup",
    "assertEqual",
    "assertFalse",
    "assertIn",
    "assertIs",
    "assertIsInstance",
    "assertIsNone",
    "assertIsNot",
    "assertIsNotNone",
    "assertNotEqual",
    "assertNotIn",
    "assertNotIsInstance",
    "assertRaises",
    "assertRaisesRegex",
    "assertTrue",
    "assertWarns",
    "assertWarnsRegex",
];

/// Returns whether a method of a library of this name may have a model.
pub(super) fn is_of_method(name: &str) -> bool {
    METHODS.binary_search(&name).is_ok()
}

/// Returns the model of a function of a library.
pub(super) fn model_of(solver: &mut Solver<'_, '_>, symbol: SymbolId) -> Option<Model> {
    if let Some(&known) = solver.models.get(&symbol) {
        return known;
    }
    let path = solver.program.path(symbol);
    let found = MODELS.binary_search_by(|row| row.0.cmp(&path)).ok();
    let found = match found {
        Some(at) => Some(MODELS[at].1),
        None => path.ends_with(".__new__").then_some(Model::New),
    };
    solver.models.insert(symbol, found);
    found
}

#[cfg(test)]
mod tests {
    use super::{METHODS, MODELS};

    #[test]
    fn the_models_are_sorted_by_path() {
        assert!(MODELS.is_sorted_by_key(|row| row.0));
    }

    #[test]
    fn the_methods_are_those_of_the_models() {
        let paths = MODELS.iter().map(|row| row.0);
        let methods = paths.filter_map(|path| path.strip_prefix("unittest.case.TestCase."));
        assert!(methods.eq(METHODS.iter().copied()));
    }
}
