"""Functions as values, without any library."""


def by_conditional():
    return 1


def by_walrus():
    return 2


def by_unpacking():
    return 3


def by_loop():
    return 4


def by_alias():
    return 5


def by_global():
    return 6


def by_call_attribute():
    return 7


def by_star(function):
    return function


def through_star():
    return 8


def in_comprehension():
    return 9


def by_nonlocal():
    return 10


def by_default(function=by_nonlocal):
    return function()


def by_dictionary_of_object(self=None):
    return 11


def by_module_attribute():
    return 12


def by_yield_from():
    return 13


def by_match():
    return 14


def by_exception():
    return 15


def by_augmented():
    return 16


def by_assert():
    return 17


def by_slice():
    return 18


def by_or():
    return 19


def by_annotation() -> "int":
    return 20


class Counted:
    """A decorator that is a class."""

    def __init__(self, function):
        self.function = function

    def __call__(self, *args):
        return self.function(*args)


@Counted
def by_class_decorator():
    return 21


class Unbound:
    def method(self):
        return 22

    def mapped(self):
        return 23

    @staticmethod
    def static():
        return 24

    @classmethod
    def of_class(cls):
        return cls

    aliases = [static]

    def chained(self):
        return self

    def after_chain(self):
        return 25


class Mapped:
    def __init__(self, value):
        self.value = value


Alias = Mapped
aliased = by_alias
hook = None


def install():
    global hook
    hook = by_global


def functions():
    yield from [by_yield_from]


class Failure(Exception):
    def __init__(self, function):
        super().__init__(function)
        self.function = function


class Context:
    def __enter__(self):
        return by_annotation

    def __exit__(self, *error):
        return False


def make():
    current = None

    def fill():
        nonlocal current
        current = by_or
    fill()
    return current or None


def run():
    (by_conditional if Mapped else None)()
    (held := by_walrus)()
    one, two = by_unpacking, held
    one()
    for each in (by_loop, two):
        each()
    aliased()
    Alias(1)
    install()
    hook()
    by_call_attribute.__call__()
    by_star(*[through_star])()
    {key: value for key, value in [("a", in_comprehension)]}["a"]()
    by_default()
    holder = Mapped(1)
    holder.__dict__["late"] = by_dictionary_of_object
    holder.late()
    make.attribute = by_module_attribute
    make.attribute()
    for each in functions():
        each()
    match by_match:
        case matched:
            matched()
    try:
        raise Failure(by_exception)
    except Failure as failure:
        failure.function()
    many = []
    many += [by_augmented]
    many[0]()
    assert (kept := by_assert)
    kept()
    [by_slice][0:1][0]()
    make()()
    with Context() as inside:
        inside()
    by_class_decorator()
    Unbound.method(Unbound())
    list(map(Unbound.mapped, [Unbound()]))
    Unbound.aliases[0]()
    Unbound().of_class()
    list(map(Mapped, [1]))
    Unbound().chained().chained().after_chain()


run()
