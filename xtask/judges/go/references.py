"""Score an export's references against the judge's uses.

A pair is (place of the use, place of the definition). The judge's pairs are the uses of package-level
names, of types declared in functions, of fields and of methods, whatever is done with them; ours are the
edges `references`, and the edges `calls` that are `exact`, since a call is a use of the name that is
called. The names of packages, of the universe (but its methods), of locals and of type parameters, and
the fields of struct types without a name inside functions are no edges, and no pairs.

recall      of the judge's pairs those that we have
precision   of our pairs at places in the judged files those that the judge has
"""
import collections
import random
import re


def plain(ident):
    """`(*net/http.Server).Serve` and `net/http.Server.Serve` are one."""
    return re.sub(r"\(\*?([^()]*)\)", r"\1", ident)


def is_pair(use):
    """Whether a use is an edge of the graph."""
    kind = use["kind"]
    if use.get("decl") or kind in ("package", "builtin", "nil"):
        return False
    if use.get("local"):
        return kind == "type" and not use.get("alias")
    return bool(use["def"]) or kind == "method"


def score(nodes, edges, uses, files, here, mutate=0.0):
    """The rows of the score, and the differences by what they are.

    uses: the judge's lines of kind `use`, any iterable. mutate: a share of our pairs that is turned
    to another definition first, so that one sees the figures fall.
    """
    spot = {}
    for node in nodes:
        if node.get("file") and node.get("name_line"):
            spot[node["id"]] = f'{node["file"]}:{node["name_line"]}:{node["name_column"]}'
        else:
            spot[node["id"]] = "id:" + plain(node["id"])

    ours = collections.defaultdict(set)
    for edge in edges:
        place = edge.get("location")
        if not place or place["file"] not in files:
            continue
        if edge["type"] == "references" or edge["type"] == "calls" and edge.get("resolution") == "exact":
            at = f'{place["file"]}:{place["line"]}:{place["column"]}'
            ours[at].add(spot.get(edge["to"], "id:" + plain(edge["to"])))
    if mutate:
        lot = random.Random(1)
        definitions = sorted({definition for all_at in ours.values() for definition in all_at})
        for at in sorted(ours):
            if lot.random() < mutate:
                ours[at] = {lot.choice(definitions)}

    def definition(use):
        return here(use["def"]) if use["def"] else "id:" + plain(use["id"])

    truth, meant, seen = collections.defaultdict(set), {}, set()
    found, total = collections.Counter(), collections.Counter()
    shown = collections.defaultdict(list)
    for use in uses:
        at = here(use["at"])
        if not is_pair(use):
            if not use.get("decl"):
                meant[at] = use["kind"]
            continue
        key = (at, definition(use))
        if key in seen:  # with -tests a file may be in two variants of its package
            continue
        seen.add(key)
        truth[at].add(key[1])
        total[use["kind"]] += 1
        # What lies outside of the folder may be printed in two ways: an id tells it too.
        same = key[1] in ours.get(at, ()) or (
            use["def"].startswith("/") and use.get("id") and "id:" + plain(use["id"]) in ours.get(at, ()))
        if same:
            found[use["kind"]] += 1
        else:
            shown["missed reference to a " + use["kind"]].append((at, use["name"], key[1], sorted(ours.get(at, ()))))
    right = wrong = 0
    for at, definitions in ours.items():
        for one in definitions:
            if one in truth.get(at, ()):
                right += 1
            else:
                wrong += 1
                shown["wrong reference"].append((at, one, sorted(truth.get(at, ())) or meant.get(at, "nothing")))
    rows = {"references recall": (sum(found.values()), sum(total.values())),
            "references precision": (right, right + wrong)}
    for kind in sorted(total):
        rows["references recall, " + kind] = (found[kind], total[kind])
    return rows, shown
