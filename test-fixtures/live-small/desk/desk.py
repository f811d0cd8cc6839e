"""Shows: classes over each other, and a call behind wide characters."""


class Lamp:
    def light(self):
        return "on"


class Desk(Lamp):
    def light(self):
        return "bright"


class Small(Desk):
    pass


def 明るく(lamp: Lamp) -> str:
    return "😀" + lamp.light()


def evening() -> str:
    return 明るく(Desk())
