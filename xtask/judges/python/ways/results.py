"""Functions that are returned."""


def made_here(number):
    def multiplied(value):
        return value * number
    return multiplied


def chosen(name):
    if name == "a":
        return choice_a
    return (lambda: "other")


def choice_a():
    return "a"


def yielded():
    yield step_one
    yield step_two


def step_one():
    return 1


def step_two():
    return 2


class Factory:
    def maker(self):
        return Product

    def build(self):
        return self.maker()()


class Product:
    def __init__(self):
        self.ready = True


def run():
    made_here(2)(3)
    chosen("a")()
    chosen("b")()
    for step in yielded():
        step()
    Factory().build()


run()
