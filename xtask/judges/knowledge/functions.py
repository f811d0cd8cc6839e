"""Prints which Python function each operation of a contract names, one JSON object a line.

An operation names a function by `operationId: package.module.function`, where `x-openapi-router-controller` (or
`x-swagger-router-controller`, of the operation or of its path) may have the front part. The package is looked for from
the folder of the contract upwards, as the program that serves it has one of these folders on its path. The text of the
module says, by Python's own parser, whether the name is there: a function, a class with a method, an assignment, or an
import of one of these, which is followed.
"""

import ast
import json
import pathlib
import sys

import yaml

METHODS = "get put post delete options head patch trace".split()


def documents(root):
    for path in sorted(root.rglob("*")):
        if path.suffix not in (".yaml", ".yml", ".json") or any(part.startswith(".") for part in path.relative_to(root).parts):
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        if "operationId" not in text:
            continue
        try:
            read = json.loads(text) if path.suffix == ".json" else yaml.load(text, yaml.CSafeLoader)
        except (ValueError, yaml.YAMLError):
            continue
        if isinstance(read, dict) and isinstance(read.get("paths"), dict) and ("openapi" in read or "swagger" in read):
            yield path, read


def operations(document):
    for path, item in document["paths"].items():
        if not isinstance(item, dict):
            continue
        for method in METHODS:
            operation = item.get(method)
            if not isinstance(operation, dict) or not isinstance(operation.get("operationId"), str):
                continue
            name = operation["operationId"]
            for of in (operation, item, document):
                controller = of.get("x-openapi-router-controller") or of.get("x-swagger-router-controller")
                if controller:
                    name = f"{controller}.{name}"
                    break
            yield f"{method.upper()} {path}", name


def module(folder, parts):
    """Returns the file of a module and how many of the parts name it: the longest that is there."""
    at, found = folder, None
    for count, part in enumerate(parts, 1):
        if (at / f"{part}.py").is_file():
            found = (at / f"{part}.py", count)
        if not (at / part).is_dir():
            break
        at = at / part
        if (at / "__init__.py").is_file():
            found = (at / "__init__.py", count)
    return found


def bound(body, name):
    """Returns the last statement of a body that binds a name."""
    found = None
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and statement.name == name:
            found = statement
        elif isinstance(statement, ast.ImportFrom) and any((one.asname or one.name) == name for one in statement.names):
            found = statement
        elif isinstance(statement, ast.Assign) and any(isinstance(to, ast.Name) and to.id == name for to in statement.targets):
            found = statement
        elif isinstance(statement, (ast.If, ast.Try)):
            blocks = [statement.body, statement.orelse] + ([one.body for one in statement.handlers] if isinstance(statement, ast.Try) else [])
            for block in blocks:
                found = bound(block, name) or found
    return found


def function(folder, parts, depth=0):
    """Returns the file and the name of a function that dotted parts name; None if there is none."""
    known = module(folder, parts)
    if known is None or depth > 8:
        return None
    file, count = known
    names = parts[count:]
    if not names:
        return None
    try:
        body = ast.parse(file.read_text(encoding="utf-8")).body
    except (SyntaxError, UnicodeDecodeError):
        return None
    statement = bound(body, names[0])
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) and len(names) == 1:
        return file, names[0]
    if isinstance(statement, ast.ClassDef) and len(names) == 2:
        inner = bound(statement.body, names[1])
        if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return file, f"{names[0]}.{names[1]}"
    if isinstance(statement, ast.ImportFrom):
        original = next(one.name for one in statement.names if (one.asname or one.name) == names[0])
        source = statement.module.split(".") if statement.module else []
        base = folder
        if statement.level:
            base = file.parent
            for _ in range(statement.level - 1):
                base = base.parent
        return function(base, source + [original] + names[1:], depth + 1)
    return None


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    for path, document in documents(root):
        relative = path.relative_to(root).as_posix()
        for operation, name in operations(document):
            if "." not in name:
                continue
            found, folder = None, path.parent
            while found is None:
                found = function(folder, name.split("."))
                if folder == root:
                    break
                folder = folder.parent
            handlers = [{"file": found[0].relative_to(root).as_posix(), "name": found[1]}] if found else []
            print(json.dumps({"operation": operation, "contract": relative, "names": name, "handlers": handlers}))


main()
