"""Objects that are made through the class of another."""


class Point:
    def __init__(self, x):
        self.x = x

    def moved(self):
        return type(self)(self.x + 1)

    def doubled(self):
        return self.__class__(self.x * 2)

    @classmethod
    def origin(cls):
        return cls(0)


class Deep(Point):
    def __init__(self, x):
        super().__init__(x)
        self.deep = True


class Deeper(Deep):
    pass


class Alone:
    def __init__(self):
        self.alone = True

    def __eq__(self, other):
        return True


def again(value):
    return type(value)()


def run():
    Deep(1).moved().doubled()
    Deeper.origin()
    Point(1)
    again(Alone())
    for kind in (Point, Deep):
        kind(3)


run()
