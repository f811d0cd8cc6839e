"""The modules below a folder, their scopes, and what names stand for, read with CPython's own `ast`.

Names are looked up as "Naming and binding" of the language reference says: the scopes around, class scopes only from
themselves, then the module. Imports of every form are followed, re-exports and stars too; attributes of instances
are not, nor what a call returns. `declared.py` asks.
"""
import ast
import collections
import os
import sys

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Scope:
    """A module, class, function, lambda or comprehension, with the bindings made in it."""

    def __init__(self, node, parent, module, name):
        self.node, self.parent, self.module, self.name = node, parent, module, name
        self.names = collections.defaultdict(list)  # name -> bindings
        self.elsewhere = {}  # name -> "global" or "nonlocal"
        self.children = {}  # node -> scope
        self.stars = []  # modules of `from m import *`

    @property
    def kind(self):
        if isinstance(self.node, ast.Module):
            return "module"
        if isinstance(self.node, ast.ClassDef):
            return "class"
        return "function" if isinstance(self.node, FUNCTIONS) else "comprehension"

    def owner(self):
        """The scope that a call here belongs to: comprehensions belong to what is around them."""
        here = self
        while here.kind == "comprehension":
            here = here.parent
        return here

    def qualname(self):
        parts, here = [], self.owner()
        while here.kind != "module":
            parts.append(here.name)
            here = here.parent.owner()
            if here.kind == "function":
                parts.append("<locals>")
        return ".".join(reversed(parts))

    def id(self):
        name = self.qualname()
        return f"{self.module.name}.{name}" if name else self.module.name


class Module:
    def __init__(self, universe, name, file, is_package):
        self.universe, self.name, self.file, self.is_package = universe, name, file, is_package
        self.text, self.lines, self.scope = b"", [], None

    def read(self):
        """Parses the file and collects every scope; false where CPython does not parse it."""
        with open(os.path.join(self.universe.root, self.file), "rb") as source:
            self.text = source.read()
        try:
            tree = ast.parse(self.text)
        except (SyntaxError, ValueError, RecursionError):
            return False
        self.lines = self.text.split(b"\n")
        self.scope = Scope(tree, None, self, "")
        for statement in tree.body:
            self.bind(statement, self.scope)
        return True

    def bind(self, node, scope):
        """Notes what a node binds, and opens the scopes in it."""
        opened = [(node, scope)]
        while opened:
            node, scope = opened.pop()
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                inner = Scope(node, scope, self, node.name)
                scope.children[node] = inner
                scope.names[node.name].append(("scope", inner))
                outside = [*node.decorator_list]
                if isinstance(node, ast.ClassDef):
                    outside += [*node.bases, *node.keywords]
                else:
                    outside += parameters(node.args, inner)
                    outside += [node.returns] if node.returns else []
                opened += [(one, scope) for one in outside] + [(one, inner) for one in node.body]
                continue
            if isinstance(node, ast.Lambda):
                inner = Scope(node, scope, self, "<lambda>")
                scope.children[node] = inner
                opened += [(one, scope) for one in parameters(node.args, inner)] + [(node.body, inner)]
                continue
            if isinstance(node, COMPREHENSIONS):
                inner = Scope(node, scope, self, "<comprehension>")
                scope.children[node] = inner
                first = node.generators[0]
                opened.append((first.iter, scope))
                parts = [getattr(node, name) for name in ("elt", "key", "value") if hasattr(node, name)]
                parts += [first.target, *first.ifs, *node.generators[1:]]
                opened += [(one, inner) for one in parts]
                continue
            if isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.asname:
                        scope.names[alias.asname].append(("module", alias.name))
                    else:
                        scope.names[alias.name.split(".")[0]].append(("module", alias.name.split(".")[0]))
            elif isinstance(node, ast.ImportFrom):
                module = self.absolute(node)
                for alias in node.names:
                    if alias.name == "*":
                        scope.stars.append(module)
                    else:
                        scope.names[alias.asname or alias.name].append(("member", module, alias.name))
            elif isinstance(node, (ast.Global, ast.Nonlocal)):
                for name in node.names:
                    scope.elsewhere[name] = "global" if isinstance(node, ast.Global) else "nonlocal"
            elif isinstance(node, ast.NamedExpr):
                scope.owner().names[node.target.id].append(("value", node.value))
            elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                scope.names[node.targets[0].id].append(("value", node.value))
                opened.append((node.value, scope))
                continue
            elif isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
                scope.names[node.id].append(("unknown",))
            elif isinstance(node, ast.ExceptHandler) and node.name:
                scope.names[node.name].append(("unknown",))
            elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
                scope.names[node.name].append(("unknown",))
            elif isinstance(node, ast.MatchMapping) and node.rest:
                scope.names[node.rest].append(("unknown",))
            opened += [(one, scope) for one in ast.iter_child_nodes(node)]

    def absolute(self, node):
        """The module that a `from` names, relative levels taken off."""
        if not node.level:
            return node.module or ""
        package = self.name.split(".") if self.is_package else self.name.split(".")[:-1]
        package = package[:len(package) - (node.level - 1)]
        return ".".join(package + (node.module.split(".") if node.module else []))


def parameters(args, inner):
    """Binds the parameters in the function's scope; what is evaluated outside of it."""
    every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    for one in every:
        if one is not None:
            inner.names[one.arg].append(("unknown",))
    annotations = [one.annotation for one in every if one is not None and one.annotation]
    return annotations + [one for one in [*args.defaults, *args.kw_defaults] if one is not None]


UNKNOWN = ("unknown",)


class Universe:
    """All modules below a folder. What resolves: ("module", name), ("class"|"function", scope), UNKNOWN."""

    def __init__(self, root):
        self.root, self.modules, self.unread, self.known = root, {}, [], {}
        for folder, folders, files in os.walk(root):
            folders[:] = sorted(f for f in folders if f not in ("__pycache__", "site-packages") and not f.startswith("."))
            for file in sorted(files):
                if not file.endswith(".py"):
                    continue
                path = os.path.relpath(os.path.join(folder, file), root).replace(os.sep, "/")
                parts = path[:-3].split("/")
                is_package = parts[-1] == "__init__" and len(parts) > 1
                name = ".".join(parts[:-1] if is_package else parts)
                module = Module(self, name, path, is_package)
                if not module.read():
                    self.unread.append(path)
                elif is_package or name not in self.modules:
                    self.modules[name] = module  # a package wins over a module of its name

    def scopes(self):
        opened = [module.scope for module in self.modules.values()]
        while opened:
            scope = opened.pop()
            yield scope
            opened += scope.children.values()

    def look_up(self, scope, name):
        """What a name may stand for where it is read in a scope."""
        here, first = scope, True
        while here is not None:
            if here.elsewhere.get(name) == "global":
                here = here.module.scope
                break
            visible = first or here.kind != "class"
            if visible and here.elsewhere.get(name) != "nonlocal" and here.names.get(name):
                break
            first = first and here.kind == "comprehension"
            if here.parent is None:
                break
            here = here.parent
        return self.bound(here, name, scope)

    def bound(self, scope, name, reader=None):
        """All that the bindings of a name in one scope lead to."""
        key = (scope, name)
        if key in self.known:
            return self.known[key]
        self.known[key] = set()  # a ring of imports leads nowhere
        found = set()
        for binding in scope.names.get(name, ()):
            if binding[0] == "scope":
                inner = binding[1]
                found.add(("class" if inner.kind == "class" else "function", inner))
            elif binding[0] == "module":
                found.add(("module", binding[1]))
            elif binding[0] == "member":
                found |= self.member(binding[1], binding[2])
            elif binding[0] == "value":
                value = self.resolve(binding[1], scope)
                found |= value
            else:
                found.add(UNKNOWN)
        if not scope.names.get(name) and scope.kind == "module":
            for star in scope.stars:
                if star in self.modules and not name.startswith("_"):
                    found |= self.bound(self.modules[star].scope, name) - {UNKNOWN}
        if scope.kind == "module" and any(name in s.elsewhere and s.names.get(name) for s in self.globals_of(scope)):
            found.add(UNKNOWN)
        self.known[key] = found or {UNKNOWN}
        return self.known[key]

    def globals_of(self, scope):
        """Scopes of the module that have `global` statements."""
        key = ("globals", scope)
        if key not in self.known:
            opened, found = [scope], []
            while opened:
                here = opened.pop()
                found += [here] if here.elsewhere else []
                opened += here.children.values()
            self.known[key] = found
        return self.known[key]

    def member(self, module, name):
        """`from module import name`, `module.name`."""
        if module in self.modules:
            scope = self.modules[module].scope
            found = self.bound(scope, name)
            if found != {UNKNOWN} or scope.names.get(name):
                return found
        if f"{module}.{name}" in self.modules:
            return {("module", f"{module}.{name}")}
        return {UNKNOWN}

    def resolve(self, node, scope):
        """What a name or a dotted name may stand for."""
        if isinstance(node, ast.Name):
            return self.look_up(scope, node.id)
        if not isinstance(node, ast.Attribute):
            return {UNKNOWN}
        found = set()
        for entity in self.resolve(node.value, scope):
            if entity[0] == "module":
                found |= self.member(entity[1], node.attr)
            elif entity[0] == "class":
                method = self.find(entity[1], node.attr)
                found.add(("function", method) if method else UNKNOWN)
            else:
                found.add(UNKNOWN)
        return found or {UNKNOWN}

    def bases(self, cls):
        """The classes that a class statement names, each with whether that is sure."""
        key = ("bases", cls)
        if key not in self.known:
            self.known[key] = []
            for base in cls.node.bases:
                base = base.value if isinstance(base, ast.Subscript) else base
                found = self.resolve(base, cls.parent)
                self.known[key] += [(e[1], len(found) == 1) for e in found if e[0] == "class"]
        return self.known[key]

    def mro(self, cls):
        """The C3 order, of the bases that are known; without an order, depth first."""
        key = ("mro", cls)
        if key in self.known:
            return self.known[key]
        self.known[key] = [cls]
        bases = [base for base, _ in self.bases(cls)]
        lists, order = [list(self.mro(base)) for base in bases] + [list(bases)], [cls]
        while any(lists):
            head = next((l[0] for l in lists if l and not any(l[0] in other[1:] for other in lists)), None)
            head = head or next(l[0] for l in lists if l)
            order += [head] if head not in order else []
            lists = [[one for one in l if one is not head] for l in lists]
        self.known[key] = order
        return order

    def find(self, cls, name, after=None):
        """The method that the MRO of a class has for a name, past the class `after`; None for any other binding."""
        order = self.mro(cls)
        for one in order[order.index(after) + 1 if after in order else 0:]:
            if one.names.get(name):
                found = self.bound(one, name)
                functions = [e[1] for e in found if e[0] == "function"]
                return functions[0] if len(found) == 1 and functions else None
        return None

    def function(self, dotted):
        """The module, class or function of an id."""
        parts = dotted.split(".")
        for length in range(len(parts), 0, -1):
            if ".".join(parts[:length]) in self.modules:
                scope = self.modules[".".join(parts[:length])].scope
                for part in parts[length:]:
                    inner = [b[1] for b in scope.names.get(part, ()) if b[0] == "scope"]
                    if not inner:
                        sys.exit(f"{dotted}: no {part} is declared in {scope.id()}")
                    scope = inner[-1]
                return scope
        sys.exit(f"{dotted}: no module of that name below {self.root}")
