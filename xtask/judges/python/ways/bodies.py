"""Calls in bodies of classes, defaults, comprehensions, and on values whose class is not known."""


def in_body():
    return 1


def in_default():
    return 2


def in_comprehension(value):
    return value


class Body:
    made = in_body()

    def method(self, value=in_default()):
        return value

    def only_through_unknown(self):
        return 3


class Alike:
    def only_through_unknown(self):
        return 4


def taken(value):
    return value.only_through_unknown()


def taken_again(values):
    return [value.only_through_unknown() for value in values]


def run():
    taken(Body())
    taken_again([Alike()])
    Body().method()
    [in_comprehension(value) for value in range(2)]
    list(in_comprehension(value) for value in range(2))
    (lambda: in_comprehension(3))()


run()
