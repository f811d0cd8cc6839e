#!/usr/bin/env python3
"""What the sources of a tree say by declarations alone, read with CPython's own `ast`.

    python declared.py ROOT callers json.dumps
    python declared.py ROOT subclasses logging.Handler
    python declared.py ROOT callees argparse.ArgumentParser.parse_args --depth 3
    python declared.py ROOT overrides logging.Handler.emit
    python declared.py ROOT cycle

Every answer is a list of JSON objects, one a line, with "id" (dotted from ROOT, `<locals>` below functions), "file"
(relative to ROOT), "line" and "column" (1-based, bytes) of the name. "sure" is false where a name has several
bindings of which only some lead to what is asked: no judge can say there.

callers     sites of calls by a name that leads to a function of a module: `f()`, `m.f()`, through imports of every
            form; "id" is of the function, class or module whose body calls
subclasses  classes below a class with "distance", bases resolved in the scope of the class statement
callees     methods that `self.x()` calls reach within the class, by the MRO of the class that a method stands in, and
            functions nested in a method that it calls by name, with "depth"
overrides   "kind" "override": methods of that name in subclasses; "kind" "caller": sites of `self.m()`, `super().m()`
            and `C.m()` that find this very method by the MRO, with the "id" of the function that calls
cycle       the files of the largest strongly connected component of modules by imports that run when a module is
            first loaded: at its top level, below `if`, `try` and `with` too, and in class bodies

How names are looked up stands in `binding.py`. A file that CPython does not parse has nothing to say.
"""
import argparse
import ast
import collections
import json
import re
import sys

from binding import COMPREHENSIONS, FUNCTIONS, Universe


def calls(scope):
    """The calls in a scope of its own, comprehensions included, each with the scope that it is evaluated in."""
    body = scope.node.body
    opened = [(one, scope) for one in (body if isinstance(body, list) else [body])]
    while opened:
        node, here = opened.pop()
        if isinstance(node, ast.Call):
            yield node, here
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            args = node.args
            annotated = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
            outside = [*node.decorator_list, *args.defaults, *args.kw_defaults, node.returns]
            outside += [one.annotation for one in annotated if one is not None]
            opened += [(one, here) for one in outside if one is not None]
        elif isinstance(node, ast.ClassDef):
            opened += [(one, here) for one in [*node.decorator_list, *node.bases, *node.keywords]]
        elif isinstance(node, ast.Lambda):
            opened += [(one, here) for one in [*node.args.defaults, *node.args.kw_defaults] if one is not None]
        elif isinstance(node, COMPREHENSIONS):
            inner = here.children[node]
            for number, generator in enumerate(node.generators):
                opened.append((generator.iter, inner if number else here))
                opened += [(one, inner) for one in generator.ifs]
            opened += [(getattr(node, n), inner) for n in ("elt", "key", "value") if hasattr(node, n)]
        else:
            opened += [(one, here) for one in ast.iter_child_nodes(node)]


def site(node):
    """Where the called name stands: line and column, from 1."""
    if isinstance(node.func, ast.Attribute):
        return node.func.end_lineno, node.func.end_col_offset - len(node.func.attr.encode()) + 1
    return node.func.lineno, node.func.col_offset + 1


def place(scope):
    """Where a declaration's name stands."""
    word = b"class" if scope.kind == "class" else b"def"
    for line in range(scope.node.lineno, scope.node.lineno + 3):
        text = scope.module.lines[line - 1]
        start = scope.node.col_offset if line == scope.node.lineno else 0
        at = re.compile(rb"\b" + word + rb"\s+(" + scope.name.encode() + rb")\b").search(text, start)
        if at:
            return {"id": scope.id(), "file": scope.module.file, "line": line, "column": at.start(1) + 1}
    return {"id": scope.id(), "file": scope.module.file, "line": scope.node.lineno, "column": 1}


def at_site(scope, node, sure):
    line, column = site(node)
    return {"id": scope.id(), "file": scope.module.file, "line": line, "column": column, "sure": sure}


def callers(universe, target):
    wanted = ("function", universe.function(target))
    for scope in universe.scopes():
        if scope.kind == "comprehension":
            continue
        for node, here in calls(scope):
            found = universe.resolve(node.func, here)
            if wanted in found:
                yield at_site(scope, node, found == {wanted})


def below(universe, top):
    """Classes below a class: scope -> (distance, whether it is sure)."""
    under = collections.defaultdict(list)
    for scope in universe.scopes():
        if scope.kind == "class":
            for base, sure in universe.bases(scope):
                under[base].append((scope, sure))
    found, level, distance = {}, [(top, True)], 0
    while level:
        distance, following = distance + 1, []
        for base, so_far in level:
            for cls, sure in under[base]:
                if cls not in found or sure and so_far and not found[cls][1]:
                    found[cls] = (distance if cls not in found else found[cls][0], sure and so_far)
                    following.append((cls, sure and so_far))
        level = following
    return found


def subclasses(universe, target):
    for cls, (distance, sure) in below(universe, universe.function(target)).items():
        yield {**place(cls), "distance": distance, "sure": sure}


def method_around(scope):
    """The method around a scope, with its class and what it calls its receiver; else None."""
    here = scope
    while here.parent is not None:
        if here.kind == "function" and here.parent.kind == "class" and isinstance(here.node, ast.FunctionDef):
            args = [*here.node.args.posonlyargs, *here.node.args.args]
            plain = not any(getattr(d, "id", "") in ("staticmethod", "classmethod") for d in here.node.decorator_list)
            return (here, here.parent, args[0].arg) if args and plain else None
        here = here.parent
    return None


def is_receiver(universe, node, scope, method, name):
    """Whether an expression is the method's receiver, not hidden on the way and never bound again."""
    if not isinstance(node, ast.Name) or node.id != name or len(method.names[name]) != 1:
        return False
    here = scope
    while here is not method:
        if here.names.get(name) or here.elsewhere.get(name) == "global":
            return False
        here = here.parent
    return True


def called_in_class(universe, scope):
    """The methods and nested functions that a function calls by `self.x()` and by a name of its own."""
    for node, here in calls(scope):
        around = method_around(scope)
        func = node.func
        if isinstance(func, ast.Attribute) and around:
            method, cls, receiver = around
            if is_receiver(universe, func.value, here, method, receiver):
                found = universe.find(cls, func.attr)
                if found:
                    yield found
        elif isinstance(func, ast.Name):
            found = universe.look_up(here, func.id)
            if len(found) == 1:
                kind, *rest = next(iter(found))
                if kind == "function" and rest[0].parent is not None and rest[0].parent.kind == "function":
                    yield rest[0]


def callees(universe, target, depth):
    start = universe.function(target)
    found, level = {}, [start]
    for distance in range(1, depth + 1):
        following = []
        for scope in level:
            for callee in called_in_class(universe, scope):
                if callee not in found:
                    found[callee] = distance
                    following.append(callee)
        level = following
    for scope, distance in found.items():
        yield {**place(scope), "depth": distance, "sure": True}


def overrides(universe, target):
    method = universe.function(target)
    top, name = method.parent, method.name
    family = below(universe, top)
    for cls, (distance, sure) in family.items():
        for binding in cls.names.get(name, ())[-1:]:
            if binding[0] == "scope" and binding[1].kind == "function":
                yield {**place(binding[1]), "kind": "override", "distance": distance, "sure": sure}
    for scope in universe.scopes():
        around = method_around(scope) if scope.kind == "function" else None
        if scope.kind == "comprehension":
            continue
        for node, here in calls(scope):
            func = node.func
            if not isinstance(func, ast.Attribute) or func.attr != name:
                continue
            reached = None
            if around and (around[1] is top or around[1] in family):
                _, cls, receiver = around
                if is_receiver(universe, func.value, here, around[0], receiver):
                    reached = universe.find(cls, name)
                elif isinstance(func.value, ast.Call) and getattr(func.value.func, "id", "") == "super" \
                        and not func.value.args:
                    reached = universe.find(cls, name, after=cls)
            if reached is None and universe.resolve(func, here) == {("function", method)}:
                reached = method
            if reached is method:
                yield {**at_site(scope, node, True), "kind": "caller"}


def imported_at_load(module):
    """The modules that loading a module asks for, without the packages around them."""
    opened = list(module.scope.node.body)
    while opened:
        node = opened.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = module.absolute(node)
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                yield inner if inner in module.universe.modules else base
        elif not isinstance(node, FUNCTIONS):
            opened += ast.iter_child_nodes(node)


def components(graph):
    """Tarjan's strongly connected components, without recursion."""
    number, low, stack, on_stack, found = {}, {}, [], set(), []
    for start in graph:
        if start in number:
            continue
        work = [(start, iter(graph[start]))]
        number[start] = low[start] = len(number)
        stack.append(start)
        on_stack.add(start)
        while work:
            node, following = work[-1]
            for one in following:
                if one not in number:
                    number[one] = low[one] = len(number)
                    stack.append(one)
                    on_stack.add(one)
                    work.append((one, iter(graph[one])))
                    break
                if one in on_stack:
                    low[node] = min(low[node], number[one])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    component = set()
                    while node not in component:
                        component.add(stack.pop())
                    on_stack -= component
                    found.append(component)
    return found


def cycle(universe):
    graph = {name: sorted({one for one in imported_at_load(module) if one in universe.modules})
             for name, module in universe.modules.items()}
    largest = max(components(graph), key=lambda c: (len(c), sorted(c)))
    for name in largest:
        yield {"id": name, "file": universe.modules[name].file, "line": 1, "column": 1, "sure": True}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("root")
    parser.add_argument("question", choices=("callers", "subclasses", "callees", "overrides", "cycle"))
    parser.add_argument("target", nargs="?")
    parser.add_argument("--depth", type=int, default=1)
    args = parser.parse_args()
    if (args.target is None) != (args.question == "cycle"):
        parser.error("every question but `cycle` has a target")
    sys.setrecursionlimit(20_000)
    universe = Universe(args.root)
    answers = {"callers": lambda: callers(universe, args.target),
               "subclasses": lambda: subclasses(universe, args.target),
               "callees": lambda: callees(universe, args.target, args.depth),
               "overrides": lambda: overrides(universe, args.target),
               "cycle": lambda: cycle(universe)}
    rows = list(answers[args.question]())
    rows.sort(key=lambda row: (row["file"], row["line"], row["column"], row["id"]))
    for row in rows:
        print(json.dumps(row))
    print(f"{len(universe.modules)} modules, {len(universe.unread)} files not parsed, {len(rows)} rows", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
