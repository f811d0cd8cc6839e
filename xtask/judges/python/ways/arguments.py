"""Functions and objects that are handed over."""


def twice(function, value):
    return function(function(value))


def increased(value):
    return value + 1


class Validator:
    def __call__(self, value):
        return self.validate(value)

    def validate(self, value):
        return value > 0


class Model:
    def __init__(self, validate):
        self.validate_field = validate

    def check(self, value):
        return self.validate_field(value)


class Window:
    def __init__(self):
        self.closed = False

    def close_window(self):
        self.closed = True

    def show(self, later):
        later(self.close_window)


def later(callback):
    callback()


def checked(validate, value):
    return validate(value)


def by_keyword(*, handler=None, **others):
    return handler(1), [one(2) for one in others.values()]


def keyword_handler(value):
    return value


def star_handler(value):
    return value


def defaulted(value, transform=increased):
    return transform(value)


def run():
    twice(increased, 1)
    checked(Validator(), 1)
    Model(Validator()).check(2)
    Window().show(later)
    by_keyword(handler=keyword_handler, other=star_handler)
    defaulted(1)
    list(map(lambda value: value, [1]))


run()
