"""A function that another module replaces."""


def greeting():
    return "hello"


def greet():
    return greeting()
