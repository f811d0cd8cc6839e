//! Functions that are run by their names alone: special methods, methods called by C code, and
//! functions found by test runners.

/// Methods that library code in C calls by name on objects passed to it, grouped by caller.
const CALLED_IN_C: &[&str] = &[
    // `print`, `sys.stdout`, `pickle.dump`, `csv.writer`, `marshal.dump`, tracebacks.
    "flush",
    "write",
    // `pickle.load`, `marshal.load`, `tokenize`, `io.TextIOWrapper`, `io.BufferedReader`.
    "close",
    "fileno",
    "isatty",
    "peek",
    "read",
    "read1",
    "readable",
    "readall",
    "readinto",
    "readinto1",
    "readline",
    "readlines",
    "seek",
    "seekable",
    "tell",
    "truncate",
    "writable",
    "writelines",
    // Attributes that code in C reads of files.
    "buffer",
    "closed",
    "encoding",
    "errors",
    "mode",
    "name",
    "newlines",
    // `io.TextIOWrapper`, with codecs.
    "decode",
    "encode",
    "getstate",
    "reset",
    "setstate",
    // `dict(x)`, `dict.update(x)`, `**x`, `PyMapping_Keys`, `exec` with a mapping.
    "get",
    "items",
    "keys",
    "values",
    // Generators and coroutines: `yield from`, `await`.
    "send",
    "throw",
    // `asyncio`'s tasks and futures in C.
    "add_done_callback",
    "call_exception_handler",
    "call_soon",
    "cancel",
    "get_debug",
    "get_loop",
    "is_running",
    // The import statement (importlib is frozen, and runs finders and loaders).
    "create_module",
    "exec_module",
    "find_module",
    "find_spec",
    "get_code",
    "get_source",
    "invalidate_caches",
    "load_module",
    // `pickle`, `json`.
    "default",
    "dispatch_table",
    "find_class",
    "persistent_id",
    "persistent_load",
    "reducer_override",
    // `datetime` calls these on a time zone.
    "dst",
    "fromutc",
    "tzname",
    "utcoffset",
    // Classes: the method resolution order.
    "mro",
    // `sys`'s hooks. (`heapq`, `bisect` and `collections` run special methods only.)
    "breakpointhook",
    "displayhook",
    "excepthook",
    "unraisablehook",
    // Aggregates of `sqlite3`, builders of expat and XML.
    "data",
    "end",
    "finalize",
    "inverse",
    "start",
    "step",
    "value",
    // `zoneinfo`, `decimal`, `fractions`, `math`: numbers.
    "as_integer_ratio",
    "conjugate",
    "denominator",
    "imag",
    "numerator",
    "real",
    // `weakref`, `contextvars`, `threading`: locks that C code acquires.
    "acquire",
    "release",
    // `builtins.print`, `sorted`, `list.sort` and `str.join` call nothing by name.
];

/// Returns whether the language itself runs a method of this name (Python reference, Data model,
/// "Special method names"), or C code does. `__init__` is run by a call in some text.
pub(super) fn is_run_by_language(name: &str, is_method: bool) -> bool {
    if crate::symbols::is_special(name) {
        name != "__init__" || !is_method
    } else {
        is_method && CALLED_IN_C.contains(&name)
    }
}

/// Functions that test runners find by name (pytest, "Conventions for Python test discovery";
/// unittest, "Organizing test code"; nose).
const BY_RUNNERS: &[&str] = &[
    "addCleanup",
    "asyncSetUp",
    "asyncTearDown",
    "doCleanups",
    "load_tests",
    "setUp",
    "setUpClass",
    "setUpModule",
    "setup",
    "setup_class",
    "setup_function",
    "setup_method",
    "setup_module",
    "tearDown",
    "tearDownClass",
    "tearDownModule",
    "teardown",
    "teardown_class",
    "teardown_function",
    "teardown_method",
    "teardown_module",
];

/// Returns whether a test runner or plug-in host calls a function of this name.
pub(crate) fn is_found_by_name(name: &str) -> bool {
    name.starts_with("test")
        || name.ends_with("_test")
        || name.starts_with("pytest_")
        || name.starts_with("bench")
        || BY_RUNNERS.contains(&name)
}
