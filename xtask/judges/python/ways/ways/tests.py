"""Found and run by their names."""
import unittest


class TestWays(unittest.TestCase):
    def setUp(self):
        self.number = 1

    def test_number(self):
        self.assertEqual(self.number, helper())


def helper():
    return 1
