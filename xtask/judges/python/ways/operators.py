"""What the language, and what is written in C, runs on a value of the class."""


class Number:
    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return Number(self.value + other.value)

    def __radd__(self, other):
        return self

    def __matmul__(self, other):
        return 0

    def __mod__(self, other):
        return 0

    def __eq__(self, other):
        return self.value == other.value

    def __lt__(self, other):
        return self.value < other.value

    def __hash__(self):
        return hash(self.value)

    def __bool__(self):
        return True

    def __len__(self):
        return 1

    def __str__(self):
        return "text"

    def __repr__(self):
        return "shown"

    def __format__(self, spec):
        return spec

    def __index__(self):
        return 1

    def __float__(self):
        return 1.0

    def __iter__(self):
        return iter(())

    def __contains__(self, item):
        return True

    def __getitem__(self, item):
        return item

    def __setitem__(self, item, value):
        self.value = value

    def __delitem__(self, item):
        self.value = None

    def __reversed__(self):
        return iter(())

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def __call__(self):
        return 1

    def __sizeof__(self):
        return 8

    def __dir__(self):
        return []

    def __invert__(self):
        return self

    def __round__(self, digits=None):
        return 1


class Pairs:
    def keys(self):
        return ["a"]

    def __getitem__(self, key):
        return key


class Recorder:
    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)

    def __getattr__(self, name):
        return name

    def __delattr__(self, name):
        object.__delattr__(self, name)


class Watched:
    def __getattribute__(self, name):
        return object.__getattribute__(self, name)


class Meta(type):
    def __call__(cls, *args):
        return super().__call__(*args)

    def __instancecheck__(cls, instance):
        return True

    def __prepare__(name, bases):
        return {}


class Made(metaclass=Meta):
    def __new__(cls):
        return super().__new__(cls)

    def __init_subclass__(cls):
        cls.below = True

    def __class_getitem__(cls, item):
        return cls


class Below(Made):
    pass


class Stream:
    def __init__(self):
        self.told = []

    def write(self, text):
        self.told.append(text)

    def flush(self):
        self.told.append("")


class Missing(dict):
    def __missing__(self, key):
        return key


class Ended(Exception):
    def __str__(self):
        return "ended"


class Counter:
    def __iter__(self):
        return self

    def __next__(self):
        raise StopIteration


class Waiting:
    def __await__(self):
        return iter(())


async def waits():
    await Waiting()


def run():
    one, two = Number(1), Number(2)
    one + two
    1 + one
    one @ two
    one % two
    one == two
    sorted([two, one])
    hash(one), {one: 1}
    if one:
        len(one)
    str(one), repr([one]), f"{one:x}", "%s" % one, "{}".format(one)
    [1, 2][one], float(one)
    list(one), 1 in one, one[0]
    one[0] = 1
    del one[0]
    reversed(one)
    with one:
        one()
    one.__sizeof__()
    dir(one)
    ~one
    round(one)
    dict(Pairs())
    recorder = Recorder()
    recorder.name = 1
    recorder.unknown
    del recorder.name
    Watched().__class__
    Made(), isinstance(1, Made), Below[int]
    print("x", file=Stream(), flush=True)
    Missing()["a"]
    str(Ended())
    list(Counter())
    try:
        waits().send(None)
    except StopIteration:
        pass


run()
