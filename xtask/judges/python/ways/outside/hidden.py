"""A class that stands in no file that is indexed."""


class Hidden:
    def go(self):
        return self.hidden_hook()

    def hidden_hook(self):
        return 0
