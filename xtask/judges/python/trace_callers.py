#!/usr/bin/env python3
"""Record who runs every function of one source tree while a program runs, whoever and wherever that is.

    python trace_callers.py --root SRC --out callers.jsonl -- -m pytest -q tests
    python trace_callers.py --root SRC --out callers.jsonl -- script.py ARG ...

One JSON object a line, each distinct edge once:

    callee     {"file": path relative to --root, "qualname": ..., "line": first line of the definition, decorators
               included}; always a function of the tree
    caller     the same of the nearest frame below whose code stands in a file: of the tree relative to --root, else
               absolute. "<module>" is a module's top level, a class's body has the class's name, a comprehension is
               the function around it; "line" is absent where only the name is known
    held       {"file", "qualname", "line", "lines": [first, last]} of the nearest frame of the tree below a caller that
               is not of the tree, and what it was running; absent where there is none
    lines      [first, last] line of the expression in the caller that was running
    kind       "call"      a call expression or the application of a decorator
               "class"     a class statement ran a metaclass's or base's hook, or a member's __set_name__
               "via_c"     a C function of the site called back: sorted(key=f), len(x)
               "implicit"  no call expression at the site: operator, property, with, iteration, import hook
               "library"   the caller is not of the tree
    name       the name that is called at the site, where there is one
    via        for "via_c": the C function's name
    made       {"file", "qualname"} of the class whose object a constructor made: where the site is no call of the
               constructor itself, nor of a metaclass's `__call__`
    generated  true where code that stands in no file of Python lies between
    count      how often

Generators and coroutines: their making is the call, not their resumption. CPython 3.11 tells nothing of it, so that
their code objects get a call to the tracer in front when they are compiled. For CPython 3.11 alone. Threads are
traced, child processes are not. What did not run is not here.
"""
import argparse
import builtins
import dis
import functools
import inspect
import json
import os
import runpy
import sys
import sysconfig
import threading
import types

from trace_calls import INLINE, RESUMED, read_sources

NO_LOCATION = 15


def with_told_making(code, told):
    """The code with a call of `told` in front of each generator's and coroutine's RETURN_GENERATOR: it gets the code's
    file, qualified name and first line. That frame is not complete yet, so that none sees it."""
    constants = tuple(with_told_making(c, told) if isinstance(c, types.CodeType) else c for c in code.co_consts)
    if not code.co_flags & RESUMED or code.co_name in INLINE:
        return code.replace(co_consts=constants)
    head = bytearray()

    def add(name, argument=0, caches=0):
        if argument > 255:
            head.extend((dis.opmap["EXTENDED_ARG"], argument >> 8))
        head.extend((dis.opmap[name], argument & 255, *bytes(2 * caches)))

    add("PUSH_NULL")
    add("LOAD_CONST", len(constants))
    add("LOAD_CONST", len(constants) + 1)
    add("PRECALL", 1, 1)
    add("CALL", 1, 4)
    add("POP_TOP")
    units, lines = len(head) // 2, bytearray()
    for start in range(0, units, 8):
        lines.append(0x80 | NO_LOCATION << 3 | min(8, units - start) - 1)
    return code.replace(co_consts=(*constants, told, (code.co_filename, code.co_qualname, code.co_firstlineno)),
                        co_code=bytes(head) + code.co_code, co_linetable=bytes(lines) + code.co_linetable,
                        co_stacksize=code.co_stacksize + 3, co_exceptiontable=moved(code.co_exceptiontable, units))


def moved(table, units):
    """An exception table whose instructions stand so many places further."""
    numbers, position = [], 0
    while position < len(table):
        byte = table[position]
        number = byte & 63
        while byte & 64:
            position += 1
            byte = table[position]
            number = number << 6 | byte & 63
        numbers.append(number)
        position += 1
    out = bytearray()
    for index, number in enumerate(numbers):
        number += units if index % 4 in (0, 2) else 0  # start, length, target, depth and flag
        parts = [number & 63]
        while number > 63:
            number >>= 6
            parts.append(number & 63)
        parts = [part | 64 for part in parts[:0:-1]] + [parts[0]]
        if index % 4 == 0:
            parts[0] |= 128
        out += bytes(parts)
    return bytes(out)


def compiling(inside, told):
    """Has all code of the tree compiled with told making."""
    plain = builtins.compile

    def compile(source, filename, *args, **kwargs):  # noqa: A001
        made = plain(source, filename, *args, **kwargs)
        known = isinstance(made, types.CodeType) and inside(os.fspath(filename) if not isinstance(filename, bytes)
                                                            else os.fsdecode(filename))
        return with_told_making(made, told) if known else made
    builtins.compile = compile


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    command = [a for i, a in enumerate(args.command) if not (i == 0 and a == "--")]
    if not command:
        parser.error("give the program to run after --")
    root = os.path.realpath(args.root) + os.sep
    library = sysconfig.get_path("stdlib")
    here = os.path.dirname(os.path.realpath(__file__)) + os.sep
    edges: dict = {}
    in_c = threading.local()

    @functools.lru_cache(maxsize=None)
    def place(filename: str):
        """The file that code stands in and whether it is of the tree."""
        if filename.startswith("<frozen ") and filename.endswith(">"):
            path = os.path.join(library, *filename[8:-1].split("."))
            path = next((p for p in (path + ".py", os.path.join(path, "__init__.py")) if os.path.isfile(p)), None)
            return path, False
        if not filename.endswith(".py") or not os.path.isfile(filename):
            return None, False
        path = os.path.realpath(filename)
        if path.startswith(root):
            return path[len(root):], True
        return path, False

    @functools.lru_cache(maxsize=None)
    def inside(filename: str):
        return place(filename)[1]

    # By identity: code of the same text at the same line of two files is equal.
    codes, all_positions = {}, {}

    def positions(code):
        if id(code) not in codes:
            codes[id(code)], all_positions[id(code)] = code, list(code.co_positions())
        return all_positions[id(code)]

    def name_of(number):
        """File, qualified name of the function, class or module around, and its line where the code is its own."""
        code = codes[number]
        name, line = code.co_qualname, code.co_firstlineno
        while name.rsplit(".", 1)[-1] in INLINE:
            name, line = name.rpartition(".")[0].removesuffix(".<locals>") or "<module>", None
        return place(code.co_filename)[0], name, line

    def running(frame):
        code = frame.f_code
        known = positions(code)
        return known[frame.f_lasti // 2] if frame.f_lasti >= 0 else (None,) * 4

    def constructed(frame):
        """The class of the object that a constructor is run for."""
        code = frame.f_code
        if not code.co_argcount:
            return None
        first = frame.f_locals.get(code.co_varnames[0])
        made = first if code.co_name == "__new__" else type(first)
        if not isinstance(made, type):
            return None
        module = sys.modules.get(type.__getattribute__(made, "__module__") if isinstance(made.__module__, str) else None)
        file = getattr(module, "__file__", None)
        path, within = place(file) if isinstance(file, str) else (None, False)
        return (path, made.__qualname__) if within else None

    def profile(frame, event, arg):
        stack = in_c.__dict__.setdefault("stack", [])
        if event == "c_call":
            stack.append((frame, getattr(arg, "__qualname__", None) or type(arg).__name__))
            return
        if event in ("c_return", "c_exception"):
            if stack and stack[-1][0] is frame:
                stack.pop()
            return
        if event != "call":
            return
        code = frame.f_code
        if code.co_name in INLINE or code.co_name == "<module>" or not code.co_flags & inspect.CO_OPTIMIZED:
            return
        if code.co_flags & RESUMED or not place(code.co_filename)[1]:
            return
        made = constructed(frame) if code.co_name in ("__init__", "__new__") else None
        entered((code.co_filename, code.co_qualname, code.co_firstlineno), frame.f_back, made, stack)

    def told(callee):
        entered(callee, sys._getframe(1), None, in_c.__dict__.setdefault("stack", []))

    def entered(callee, back, made, stack):
        generated = False
        while back is not None and place(back.f_code.co_filename)[0] is None:
            back, generated = back.f_back, True
        if back is None:
            return
        caller_file, caller_within = place(back.f_code.co_filename)
        if caller_file.startswith(here):
            return
        where = running(back)
        via = next((name for f, name in reversed(stack) if f is back), None)
        held = None
        if not caller_within:
            below = back
            while below is not None and not place(below.f_code.co_filename)[1]:
                below = below.f_back
            if below is not None:
                held = running(below), id(below.f_code)
        key = (callee, id(back.f_code), where, via, held, generated, made)
        edges[key] = edges.get(key, 0) + 1

    compiling(inside, told)
    threading.setprofile(profile)
    status = 0
    try:
        sys.path.remove(here.rstrip(os.sep))
        if command[0] == "-m":
            sys.argv = command[1:]
            sys.path.insert(0, os.getcwd())
            sys.setprofile(profile)
            runpy.run_module(command[1], run_name="__main__", alter_sys=True)
        else:
            sys.argv = command
            sys.path.insert(0, os.path.dirname(os.path.realpath(command[0])))
            sys.setprofile(profile)
            runpy.run_path(command[0], run_name="__main__")
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
    finally:
        sys.setprofile(None)
        threading.setprofile(None)

    write(args.out, root, edges, place, name_of)
    return status


def write(out, root, edges, place, name_of):
    callers = {name_of(key[1])[0] for key in edges}
    spans, _, _ = read_sources(root, {file for file in callers if not os.path.isabs(file)})
    merged: dict = {}
    for (callee, back, where, via, held, generated, made), count in edges.items():
        def end(number):
            file, name, line = name_of(number)
            end = {"file": file, "qualname": name}
            return {**end, "line": line} if line is not None else end

        file, name, first = callee
        record = {"callee": {"file": place(file)[0], "qualname": name, "line": first}, "caller": end(back)}
        within = not os.path.isabs(record["caller"]["file"])
        line, end_line, col, end_col = where
        if held is not None:
            record["held"] = {**end(held[1]), "lines": list(held[0][:2])}
        if line is not None:
            record["lines"] = [line, end_line]
        call = spans.get(record["caller"]["file"], {}).get((line, col, end_line, end_col)) if within else None
        if call and call[1]:
            record["name"] = call[1]
        record["kind"] = ("library" if not within else "class" if via == "__build_class__" else "via_c" if via
                          else "call" if call else "implicit")
        if via and within:
            record["via"] = via
        if made and (call is None or call[1] not in (name.rsplit(".", 1)[-1], "__call__")):
            record["made"] = {"file": made[0], "qualname": made[1]}
        if generated:
            record["generated"] = True
        text = json.dumps(record)
        merged[text] = merged.get(text, 0) + count
    with open(out, "w") as lines:
        for text in sorted(merged):
            lines.write(json.dumps({**json.loads(text), "count": merged[text]}) + "\n")
    print(f"{len(merged)} edges -> {out}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
