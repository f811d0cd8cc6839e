__all__ = ["starred", "starred_by_name"]


def starred():
    return 1


def starred_by_name():
    return 2
