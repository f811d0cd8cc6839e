"""Functions in attributes of objects, classes and modules."""
import greetings


class Hooks:
    on_start = None

    def __init__(self):
        self.on_stop = None

    def fire(self):
        return self.on_start(), self.on_stop()


def started(hooks):
    return hooks


def stopped():
    return 0


def replaced_greeting():
    return "patched"


class Base:
    def handler(self):
        return 0


class WithAlias(Base):
    def original(self):
        return 1

    alias = original
    handler = original


def run():
    Hooks.on_start = started
    hooks = Hooks()
    hooks.on_stop = stopped
    hooks.fire()
    WithAlias().alias()
    greetings.greeting = replaced_greeting
    greetings.greet()
    bound = WithAlias().original
    bound()


run()
