"""What a damaged file calls."""


def called_in_damaged():
    return 1
