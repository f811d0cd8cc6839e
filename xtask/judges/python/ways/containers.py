"""Functions in lists, dictionaries, tuples and sets."""


def in_list():
    return 1


def in_dictionary():
    return 2


def in_tuple():
    return 3


def appended():
    return 4


def in_table(table):
    return len(table)


def in_default(value=0):
    return value


LIST = [in_list]
TABLE = {"a": in_dictionary, **{"b": in_tuple}}
PAIRS = (("c", in_tuple),)
WITH_ARGUMENT = {"d": in_table}


class Shelf:
    kinds = [in_default]

    def take(self):
        return [kind() for kind in self.kinds]


def run():
    LIST.append(appended)
    for one in LIST:
        one()
    TABLE["a"]()
    dict(PAIRS)["c"]()
    WITH_ARGUMENT.get("d")(WITH_ARGUMENT)
    Shelf().take()
    order = [lambda: 1, lambda: 2]
    order.pop()()
    order[0]()


run()
