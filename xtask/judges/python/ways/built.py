"""A class that a call makes."""
from hidden import Hidden


def built_hook(self):
    return 3


Built = type("Built", (Hidden,), {"hidden_hook": built_hook})


def run():
    Built().go()


run()
