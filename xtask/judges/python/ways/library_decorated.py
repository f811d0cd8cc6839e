"""Decorators of the library that keep their function."""
import contextlib
import functools


@contextlib.contextmanager
def opened():
    yield within_opened()


def within_opened():
    return 1


@functools.lru_cache(maxsize=None)
def cached():
    return 1


@functools.singledispatch
def shown(value):
    return repr(value)


@shown.register
def shown_int(value: int):
    return "int"


class Lazy:
    @functools.cached_property
    def costly(self):
        return 1

    @property
    def derived(self):
        return self.costly


def run():
    with opened():
        cached()
    shown("x"), shown(1)
    Lazy().derived


run()
