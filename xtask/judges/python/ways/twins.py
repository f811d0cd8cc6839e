"""Declarations of one name."""
import sys
from typing import overload


@overload
def converted(value: int) -> int: ...
@overload
def converted(value: str) -> str: ...
def converted(value):
    return value


if sys.version_info >= (3,):
    def conditional():
        return 1
else:
    def conditional():
        return 2


def redefined():
    return 1


redefined()


def redefined():
    return 2


class Twin:
    def __init__(self):
        self._size = 0

    @property
    def size(self):
        return self._size

    @size.setter
    def size(self, value):
        self._size = value

    @size.deleter
    def size(self):
        self._size = 0


def run():
    converted(1)
    converted("a")
    conditional()
    redefined()
    twin = Twin()
    twin.size = twin.size + 1
    del twin.size


run()
