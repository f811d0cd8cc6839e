"""A base class that no text declares calls what a subclass overrides."""
from hidden import Hidden


class Known(Hidden):
    def hidden_hook(self):
        return 1


class Deeper(Known):
    def hidden_hook(self):
        return 2


class Mixed:
    def mixed(self):
        return self.other_side()


class Other:
    def other_side(self):
        return 1


class Both(Mixed, Other):
    pass


def run():
    Known().go()
    Deeper().go()
    Both().mixed()


run()
