"""Special methods that the library, or what is written in C, runs."""
import abc
import collections.abc
import copy
import heapq
import os
import pickle


class Ordered:
    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        return self.value < other.value


class Path:
    def __fspath__(self):
        return "."


class Raw:
    def __bytes__(self):
        return b""

    def __complex__(self):
        return 0j

    def __length_hint__(self):
        return 0

    def __iter__(self):
        return iter(())

    def __int__(self):
        return 0

    def __abs__(self):
        return 0

    def __divmod__(self, other):
        return 0, 0

    def __pow__(self, other, modulus=None):
        return 0

    def __trunc__(self):
        return 0


class Stored:
    def __init__(self):
        self.value = 1

    def __getstate__(self):
        return {"value": 1}

    def __setstate__(self, state):
        self.value = state["value"]

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return rebuilt, (1,)


class Rebuilt:
    def __new__(cls, *args):
        return super().__new__(cls)

    def __getnewargs__(self):
        return (1,)


def rebuilt(value):
    return value


class Sequence(collections.abc.Sequence):
    def __getitem__(self, index):
        return [1, 2][index]

    def __len__(self):
        return 2


class Mapping(collections.abc.MutableMapping):
    def __init__(self):
        self.held = {}

    def __getitem__(self, key):
        return self.held[key]

    def __setitem__(self, key, value):
        self.held[key] = value

    def __delitem__(self, key):
        del self.held[key]

    def __iter__(self):
        return iter(self.held)

    def __len__(self):
        return len(self.held)


class Shaped(abc.ABC):
    @classmethod
    def __subclasshook__(cls, other):
        return True

    @abc.abstractmethod
    def area(self):
        return 0

    def report(self):
        return self.area()


class Square(Shaped):
    def area(self):
        return 1


class Entries:
    def __mro_entries__(self, bases):
        return (Square,)


class Below(Entries()):
    pass


class Slots:
    __slots__ = ("a",)

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1


class AsyncThings:
    async def __aenter__(self):
        return self

    async def __aexit__(self, *error):
        return None

    def __aiter__(self):
        return self

    async def __anext__(self):
        raise StopAsyncIteration


async def waits():
    async with AsyncThings() as things:
        async for one in things:
            return one
    return [one async for one in AsyncThings()]


def driven(coroutine):
    try:
        coroutine.send(None)
    except StopIteration:
        return 1


def run():
    heapq.heapify([Ordered(2), Ordered(1)])
    max(Ordered(1), Ordered(2))
    os.fspath(Path())
    os.listdir(Path())
    raw = Raw()
    bytes(raw), complex(raw), list(raw), int(raw), abs(raw), divmod(raw, 1), pow(raw, 2, 3)
    pickle.loads(pickle.dumps(Stored()))
    pickle.loads(pickle.dumps(Rebuilt()))
    copy.deepcopy(Stored())
    1 in Sequence()
    list(reversed(Sequence()))
    mapping = Mapping()
    mapping.update(a=1)
    mapping.get("a"), mapping.pop("a"), list(mapping.items())
    isinstance(1, Shaped)
    Square().report()
    Below().report()
    [Slots()].index(Slots())
    {Slots(): 1}[Slots()]
    driven(waits())


run()
