"""`__all__`, a star import, and functions that go by the namespace."""
from stars import *


def everything():
    starred()
    for name in ("starred_by_name",):
        globals()[name]()
    called = locals
    return called


everything()
