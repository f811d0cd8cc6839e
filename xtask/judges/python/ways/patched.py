"""What is put in the place of another while the program runs."""


class Client:
    def send(self):
        return self.fetch_all()

    def fetch_all(self):
        return 1


def fake_fetch(self):
    return 2


class Fake:
    def fetch_all(self):
        return 3


def with_setattr(self):
    return 4


def run():
    client = Client()
    client.send()
    Client.fetch_all = fake_fetch
    client.send()
    setattr(Client, "fetch" + "_all", with_setattr)
    client.send()
    client.fetch_all = Fake().fetch_all
    client.send()


run()
