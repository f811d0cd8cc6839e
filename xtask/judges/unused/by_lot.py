"""Draws items that are listed as complete by lot, to be read by hand.

    python3 by_lot.py --count 100 --seed 1 FILE...
"""

import argparse
import json
import pathlib
import random


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    items = []
    for file in arguments.files:
        for item in json.loads(file.read_text()):
            if item["completeness"]["complete"]:
                items.append((file.stem, item))
    items.sort(key=lambda one: (one[0], one[1]["file"], one[1]["start_line"], one[1]["name"]))
    drawn = random.Random(arguments.seed).sample(items, min(arguments.count, len(items)))
    print(f"{len(drawn)} of {len(items)}")
    for project, item in sorted(drawn, key=lambda one: (one[0], one[1]["file"], one[1]["start_line"])):
        at = f"{item['file']}:{item['start_line']}"
        print(f"{project} {at} {item['kind']} {item['id']} {item['reason']}")


if __name__ == "__main__":
    main()
