"""What the library runs on a value of the class."""
import copy
import json
import operator


class Number:
    def __copy__(self):
        return self

    def __invert__(self):
        return self

    def __str__(self):
        return "text"


class Encoder(json.JSONEncoder):
    def default(self, value):
        return str(value)


def run():
    copy.copy(Number())
    operator.invert(Number())
    json.dumps(Number(), cls=Encoder)


run()
