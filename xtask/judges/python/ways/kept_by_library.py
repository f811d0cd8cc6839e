"""What the library keeps and gives back untyped: no value of the program is seen to arrive where it is called."""
import copy
import pickle
import queue
import weakref

WAITING = queue.SimpleQueue()
LATER = queue.SimpleQueue()


class Task:
    def from_queue(self):
        return 1

    def from_copy(self):
        return 2

    def from_pickle(self):
        return 3

    def from_reference(self):
        return 4


class Kept:
    def __init__(self):
        self.made = True


def another(value):
    return type(value)()


def function_from_queue():
    return 5


def function_from_pickle():
    return 6


def later(function):
    LATER.put(function)
    return function


@later
def decorated_from_queue():
    return 7


@later
def decorated_too():
    return 8


def run():
    task = Task()
    WAITING.put(task)
    WAITING.get().from_queue()
    copy.copy(task).from_copy()
    pickle.loads(pickle.dumps(task)).from_pickle()
    weakref.ref(task)().from_reference()
    WAITING.put(function_from_queue)
    WAITING.get()()
    pickle.loads(pickle.dumps(function_from_pickle))()
    WAITING.put(Kept())
    another(WAITING.get())
    type(pickle.loads(pickle.dumps(Kept())))()
    while not LATER.empty():
        LATER.get()()


run()
