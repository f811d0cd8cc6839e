"""Model of _json, the scanner and encoder behind json, after the Python library reference: json."""

from typing import Any, Callable

class make_scanner:
    strict: bool
    object_hook: Callable[[dict[str, Any]], Any] | None
    object_pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None
    parse_float: Callable[[str], Any]
    parse_int: Callable[[str], Any]
    parse_constant: Callable[[str], Any]
    def __init__(self, context) -> None: ...  # calls: context.object_hook(dict), context.object_pairs_hook(list), context.parse_float(str), context.parse_int(str), context.parse_constant(str)
    def __call__(self, string, idx) -> tuple[Any, int]: ...

class make_encoder:
    default: Callable[[Any], Any]
    encoder: Callable[[str], str]
    def __init__(
        self, markers, default: Callable[[Any], Any], encoder: Callable[[str], str],
        indent, key_separator, item_separator, sort_keys, skipkeys, allow_nan,
    ) -> None: ...
    def __call__(self, obj, _current_indent_level) -> tuple[str, ...]: ...  # calls: self.default(elem(obj)), self.encoder(str)

def encode_basestring(string) -> str: ...
def encode_basestring_ascii(string) -> str: ...
def scanstring(string, end, strict=True) -> tuple[str, int]: ...
