"""Functions that are handed to the library."""
import functools
import itertools
import re
import threading


def measured(value):
    return -value


def replaced(match):
    return match.group().upper()


def compared(one, other):
    return (one > other) - (one < other)


def in_thread(done):
    done.append(1)


def partly(one, other):
    return one + other


def run():
    sorted([3, 1, 2], key=measured)
    sorted([3, 1, 2], key=functools.cmp_to_key(compared))
    re.sub("a", replaced, "banana")
    done = []
    thread = threading.Thread(target=in_thread, args=(done,))
    thread.start()
    thread.join()
    functools.partial(partly, 1)(2)
    list(itertools.starmap(partly, [(1, 2)]))


run()
