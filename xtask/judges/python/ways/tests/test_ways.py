class TestWays:
    def setup_method(self):
        self.number = 1

    def test_number(self):
        assert self.number == helper()


def test_alone():
    assert helper() == 1


def helper():
    return 1
