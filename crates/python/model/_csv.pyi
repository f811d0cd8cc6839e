"""Model of _csv, after the Python library reference: csv."""

from typing import Any, Iterable, Iterator, Self

QUOTE_MINIMAL: int
QUOTE_ALL: int
QUOTE_NONNUMERIC: int
QUOTE_NONE: int
QUOTE_STRINGS: int
QUOTE_NOTNULL: int
__version__: str

class Error(Exception): ...

class Dialect:
    delimiter: str
    doublequote: bool
    escapechar: str | None
    lineterminator: str
    quotechar: str | None
    quoting: int
    skipinitialspace: bool
    strict: bool
    def __new__(cls, dialect=None, **fmtparams) -> Self: ...

class Reader(Iterator[list[str]]):
    dialect: Dialect
    line_num: int
    def __iter__(self) -> Self: ...
    def __next__(self) -> list[str]: ...

class Writer:
    dialect: Dialect
    def writerow(self, row: Iterable[Any]) -> Any: ...  # calls: elem(row).__str__
    def writerows(self, rows: Iterable[Iterable[Any]]) -> None: ...  # calls: elem(elem(rows)).__str__

def field_size_limit(limit=...) -> int: ...
def get_dialect(name) -> Dialect: ...
def list_dialects() -> list[str]: ...
def reader(iterable: Iterable[str], dialect="excel", **fmtparams) -> Reader: ...
def register_dialect(name, dialect=..., **fmtparams) -> None: ...
def unregister_dialect(name) -> None: ...
def writer(fileobj, dialect="excel", **fmtparams) -> Writer: ...  # calls: fileobj.write
