"""A base class of the library calls what a subclass overrides."""
import html.parser
import string


class Parser(html.parser.HTMLParser):
    def handle_starttag(self, tag, attributes):
        self.seen = tag


class Formatter(string.Formatter):
    def get_value(self, key, args, kwargs):
        return key


def run():
    Parser().feed("<a>")
    Formatter().format("{a}")


run()
