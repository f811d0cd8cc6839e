"""What is called by what stands before it: by a name, by a value that nothing followed."""


class Door:
    def __init__(self, opener):
        self.opener = opener

    def swing(self):
        return self.opener()


def opener():
    return 1


def generator():
    yield inner_of_generator()


def inner_of_generator():
    return 1


async def coroutine():
    return await awaited()


async def awaited():
    return inner_of_generator()


def run():
    Door(opener).swing()
    made = generator()
    list(made)
    held = coroutine()
    try:
        held.send(None)
    except StopIteration:
        pass


run()
