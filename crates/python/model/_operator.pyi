"""Model of the C part of operator, after the Python library reference: operator."""

from typing import Any, Container, Generic, Iterable, Self, SupportsAbs, TypeVar

_T = TypeVar("_T")

class attrgetter(Generic[_T]):
    def __new__(cls, attr, /, *attrs) -> Self: ...
    def __call__(self, obj) -> Any: ...  # returns: getattr(obj, attr), one of a tuple when there are several

class itemgetter(Generic[_T]):
    def __new__(cls, item, /, *items) -> Self: ...
    def __call__(self, obj) -> Any: ...  # calls: obj.__getitem__(item)

class methodcaller:
    def __new__(cls, name, /, *args, **kwargs) -> Self: ...
    def __call__(self, obj) -> Any: ...  # calls: getattr(obj, name)(*args, **kwargs)

def lt(a, b) -> bool: ...  # calls: a.__lt__
def le(a, b) -> bool: ...  # calls: a.__le__
def eq(a, b) -> bool: ...  # calls: a.__eq__
def ne(a, b) -> bool: ...  # calls: a.__ne__
def gt(a, b) -> bool: ...  # calls: a.__gt__
def ge(a, b) -> bool: ...  # calls: a.__ge__
def add(a: _T, b) -> _T: ...  # calls: a.__add__ | b.__radd__
def and_(a: _T, b) -> _T: ...  # calls: a.__and__ | b.__rand__
def floordiv(a: _T, b) -> _T: ...  # calls: a.__floordiv__ | b.__rfloordiv__
def lshift(a: _T, b) -> _T: ...  # calls: a.__lshift__ | b.__rlshift__
def matmul(a: _T, b) -> _T: ...  # calls: a.__matmul__ | b.__rmatmul__
def mod(a: _T, b) -> _T: ...  # calls: a.__mod__ | b.__rmod__
def mul(a: _T, b) -> _T: ...  # calls: a.__mul__ | b.__rmul__
def or_(a: _T, b) -> _T: ...  # calls: a.__or__ | b.__ror__
def pow(a: _T, b) -> _T: ...  # calls: a.__pow__ | b.__rpow__
def rshift(a: _T, b) -> _T: ...  # calls: a.__rshift__ | b.__rrshift__
def sub(a: _T, b) -> _T: ...  # calls: a.__sub__ | b.__rsub__
def truediv(a: _T, b) -> _T: ...  # calls: a.__truediv__ | b.__rtruediv__
def xor(a: _T, b) -> _T: ...  # calls: a.__xor__ | b.__rxor__
def iadd(a: _T, b) -> _T: ...  # calls: a.__iadd__ | a.__add__ | b.__radd__
def iand(a: _T, b) -> _T: ...  # calls: a.__iand__ | a.__and__ | b.__rand__
def ifloordiv(a: _T, b) -> _T: ...  # calls: a.__ifloordiv__ | a.__floordiv__ | b.__rfloordiv__
def ilshift(a: _T, b) -> _T: ...  # calls: a.__ilshift__ | a.__lshift__ | b.__rlshift__
def imatmul(a: _T, b) -> _T: ...  # calls: a.__imatmul__ | a.__matmul__ | b.__rmatmul__
def imod(a: _T, b) -> _T: ...  # calls: a.__imod__ | a.__mod__ | b.__rmod__
def imul(a: _T, b) -> _T: ...  # calls: a.__imul__ | a.__mul__ | b.__rmul__
def ior(a: _T, b) -> _T: ...  # calls: a.__ior__ | a.__or__ | b.__ror__
def ipow(a: _T, b) -> _T: ...  # calls: a.__ipow__ | a.__pow__ | b.__rpow__
def irshift(a: _T, b) -> _T: ...  # calls: a.__irshift__ | a.__rshift__ | b.__rrshift__
def isub(a: _T, b) -> _T: ...  # calls: a.__isub__ | a.__sub__ | b.__rsub__
def itruediv(a: _T, b) -> _T: ...  # calls: a.__itruediv__ | a.__truediv__ | b.__rtruediv__
def ixor(a: _T, b) -> _T: ...  # calls: a.__ixor__ | a.__xor__ | b.__rxor__
def abs(a: SupportsAbs[_T]) -> _T: ...  # calls: a.__abs__
def inv(a: _T) -> _T: ...  # calls: a.__invert__
def invert(a: _T) -> _T: ...  # calls: a.__invert__
def neg(a: _T) -> _T: ...  # calls: a.__neg__
def pos(a: _T) -> _T: ...  # calls: a.__pos__
def index(a) -> int: ...  # calls: a.__index__
def not_(a) -> bool: ...  # calls: a.__bool__ | a.__len__
def truth(a) -> bool: ...  # calls: a.__bool__ | a.__len__
def is_(a, b) -> bool: ...
def is_not(a, b) -> bool: ...
def is_none(a) -> bool: ...
def is_not_none(a) -> bool: ...
def call(obj, /, *args, **kwargs) -> Any: ...  # calls: obj(*args, **kwargs)
def concat(a: _T, b) -> _T: ...  # calls: a.__add__
def iconcat(a: _T, b) -> _T: ...  # calls: a.__iadd__ | a.__add__
def contains(a: Container[Any], b) -> bool: ...  # calls: a.__contains__ | a.__iter__
def countOf(a: Iterable[Any], b) -> int: ...  # calls: elem(a).__eq__
def indexOf(a: Iterable[Any], b) -> int: ...  # calls: elem(a).__eq__
def getitem(a, b) -> Any: ...  # calls: a.__getitem__
def setitem(a, b, c) -> None: ...  # calls: a.__setitem__
def delitem(a, b) -> None: ...  # calls: a.__delitem__
def length_hint(obj, default=0) -> int: ...  # calls: obj.__len__ | obj.__length_hint__
def _compare_digest(a, b) -> bool: ...
