"""Makes tasks for `codeweft eval` of rows of SWE-bench, a line of JSON each.

The edited files are those of the patch that were there before; the ranges are the lines of its hunks before, with
their context.
"""

import json
import re
import sys

HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? ")


def edited(patch):
    """Returns the ranges of lines before, by file."""
    ranges = {}
    path = None
    in_header = False
    for line in patch.splitlines():
        if line.startswith("diff --git "):
            path, in_header = None, True
        elif in_header and line.startswith("--- a/"):
            path = line[6:]
            ranges[path] = []
        elif path is not None and (hunk := HUNK.match(line)):
            # A removed line that begins with `-- ` looks like a header.
            in_header = False
            first = max(1, int(hunk[1]))
            count = 1 if hunk[2] is None else int(hunk[2])
            ranges[path].append([first, first + max(count, 1) - 1])
    return ranges


def main():
    with open(sys.argv[1], encoding="utf-8") as rows:
        for row in map(json.loads, rows):
            ranges = edited(row["patch"])
            if not ranges:
                continue
            task = {
                "task_id": row["instance_id"],
                "repo": row["repo"],
                "commit_before": row["base_commit"],
                "description": row["problem_statement"],
                "files_edited": list(ranges),
                "ranges": ranges,
            }
            print(json.dumps(task, ensure_ascii=False))


if __name__ == "__main__":
    main()
