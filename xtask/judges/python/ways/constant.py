"""`getattr` with a name that is written there."""


class Service:
    def constant_name(self):
        return 1

    def never_named(self):
        return 2


def run():
    service = Service()
    getattr(service, "constant_name")()
    service.never_named()


run()
