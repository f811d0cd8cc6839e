"""Applying a decorator hands the function over."""

ROUTES = {}


def route(path):
    def register(function):
        ROUTES[path] = function
        return function
    return register


def register(function):
    ROUTES[function.__name__] = function
    return function


def counted(function):
    def counting(*args):
        counting.count += 1
        return function(*args)
    counting.count = 0
    return counting


@route("/index")
def index_page():
    return "index"


@register
def registered_page():
    return "registered"


def unadorned_page():
    return "later"


register(unadorned_page)


@counted
def wrapped_page():
    return "wrapped"


class Application:
    def __init__(self):
        self.commands = []

    def command(self, function):
        self.commands.append(function)
        return function

    def dispatch(self):
        return [command() for command in self.commands]


application = Application()


@application.command
def commanded():
    return 1


@register
class RegisteredPage:
    def __init__(self):
        self.made = True


class Described:
    """A descriptor: the language runs its methods."""

    def __init__(self, function):
        self.function = function

    def __get__(self, instance, owner):
        return self.function(instance)

    def __set_name__(self, owner, name):
        self.name = name


class Holder:
    @Described
    def described(self):
        return 2


def run():
    for page in ROUTES.values():
        page()
    wrapped_page()
    application.dispatch()
    Holder().described


run()
