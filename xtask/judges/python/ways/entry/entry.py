"""A command: it is named in the project's file alone."""


def start_ways():
    return finish_ways()


def finish_ways():
    return 0
