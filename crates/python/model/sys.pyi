"""Model of sys, after the Python library reference: sys."""

from typing import Any, Callable, NoReturn, TextIO

abiflags: str
argv: list[str]
base_exec_prefix: str
base_prefix: str
builtin_module_names: tuple[str, ...]
byteorder: str
copyright: str
dont_write_bytecode: bool
exec_prefix: str
executable: str
flags: _flags
float_info: Any
hash_info: Any
hexversion: int
implementation: Any
int_info: Any
last_exc: BaseException
last_traceback: Any
last_type: type[BaseException]
last_value: BaseException
maxsize: int
maxunicode: int
meta_path: list[Any]
modules: dict[str, Any]
orig_argv: list[str]
path: list[str]
path_hooks: list[Callable[[str], Any]]
path_importer_cache: dict[str, Any]
platform: str
platlibdir: str
prefix: str
ps1: Any
ps2: Any
pycache_prefix: str | None
stderr: TextIO
stdin: TextIO
stdout: TextIO
__stderr__: TextIO
__stdin__: TextIO
__stdout__: TextIO
stdlib_module_names: frozenset[str]
thread_info: Any
tracebacklimit: int
version: str
api_version: int
version_info: _version_info
warnoptions: list[str]

class _flags(tuple[int, ...]):
    debug: int
    inspect: int
    interactive: int
    optimize: int
    dont_write_bytecode: int
    no_user_site: int
    no_site: int
    ignore_environment: int
    verbose: int
    bytes_warning: int
    quiet: int
    hash_randomization: int
    isolated: int
    dev_mode: bool
    utf8_mode: int
    safe_path: bool

class _version_info(tuple[Any, ...]):
    major: int
    minor: int
    micro: int
    releaselevel: str
    serial: int

class UnraisableHookArgs(tuple[Any, ...]):
    exc_type: type[BaseException]
    exc_value: BaseException | None
    exc_traceback: Any
    err_msg: str | None
    object: Any

def _clear_type_cache() -> None: ...
def _current_exceptions() -> dict[int, BaseException | None]: ...
def _current_frames() -> dict[int, Any]: ...
def _getframe(depth=0) -> Any: ...
def _getframemodulename(depth=0) -> str | None: ...
def activate_stack_trampoline(backend) -> None: ...
def addaudithook(hook: Callable[[str, tuple[Any, ...]], Any]) -> None: ...
def audit(event, *args) -> None: ...
def breakpointhook(*args, **kwargs) -> Any: ...
def call_tracing(func: Callable[..., Any], args) -> Any: ...  # calls: func(*args)
def displayhook(value) -> None: ...  # calls: value.__repr__
def excepthook(exc_type, exc_value, traceback) -> None: ...
def exc_info() -> tuple[type[BaseException], BaseException, Any]: ...
def exception() -> BaseException | None: ...
def exit(status=None) -> NoReturn: ...
def getallocatedblocks() -> int: ...
def getdefaultencoding() -> str: ...
def getdlopenflags() -> int: ...
def getfilesystemencodeerrors() -> str: ...
def getfilesystemencoding() -> str: ...
def getprofile() -> Callable[[Any, str, Any], Any] | None: ...
def getrecursionlimit() -> int: ...
def getrefcount(obj) -> int: ...
def getsizeof(obj, default=0) -> int: ...  # calls: obj.__sizeof__
def getswitchinterval() -> float: ...
def gettrace() -> Callable[[Any, str, Any], Any] | None: ...
def get_asyncgen_hooks() -> tuple[Any, Any]: ...
def get_coroutine_origin_tracking_depth() -> int: ...
def get_int_max_str_digits() -> int: ...
def intern(string) -> str: ...
def is_finalizing() -> bool: ...
def setdlopenflags(flags) -> None: ...
def setprofile(function: Callable[[Any, str, Any], Any] | None) -> None: ...
def setrecursionlimit(limit) -> None: ...
def setswitchinterval(interval) -> None: ...
def settrace(function: Callable[[Any, str, Any], Any] | None) -> None: ...
def set_asyncgen_hooks(firstiter: Callable[[Any], Any] | None = None, finalizer: Callable[[Any], Any] | None = None) -> None: ...
def set_coroutine_origin_tracking_depth(depth) -> None: ...
def set_int_max_str_digits(maxdigits) -> None: ...
def unraisablehook(unraisable) -> None: ...
