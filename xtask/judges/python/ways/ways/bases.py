"""A base class that no text declares calls what a subclass overrides."""
import html.parser
import string

namespace = {}
exec("""
class Hidden:
    def go(self):
        return self.hidden_hook()

    def hidden_hook(self):
        return 0
""", namespace)
Hidden = namespace["Hidden"]


class Known(Hidden):
    def hidden_hook(self):
        return 1


class Deeper(Known):
    def hidden_hook(self):
        return 2


class Parser(html.parser.HTMLParser):
    def handle_starttag(self, tag, attributes):
        self.seen = tag


class Formatter(string.Formatter):
    def get_value(self, key, args, kwargs):
        return key


class Mixed:
    def mixed(self):
        return self.other_side()


class Other:
    def other_side(self):
        return 1


class Both(Mixed, Other):
    pass


Built = type("Built", (Hidden,), {"hidden_hook": lambda self: 3})


def run():
    Known().go()
    Deeper().go()
    Built().go()
    Parser().feed("<a>")
    Formatter().format("{a}")
    Both().mixed()
