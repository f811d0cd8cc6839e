"""Questions to the exports of many repositories as one table: docs/many-repositories.md.

    repositories.py export  TABLES REPOSITORY...    codeweft export --format parquet, one folder each
    repositories.py callers TABLES PACKAGE NAME     which functions of which packages call it
    repositories.py impact  TABLES PACKAGE NAME     what reaches it by calls, across repositories
    repositories.py copies  TABLES INTO COUNT       renamed copies of all tables, to measure with
    repositories.py cost    TABLES PACKAGE NAME     what both questions cost

NAME is an id behind its package, as `Append` or `Client.Do`, or a Python name as `requests.get`. The engines are
duckdb, datafusion and spark; each is a package of PyPI (spark: pyspark, and Java).
"""

import argparse
import pathlib
import subprocess
import sys
import time

# The standard library is one for all repositories, renamed ones too.
SHARED = "github.com/golang/go/src"

# Names that mean a declaration of another module lead to it; a name that is none leads to itself.
CALLS = """
    select distinct edge.from_key, coalesce(alias.key, edge.to_key) as to_key
    from edges as edge left join aliases as alias on alias.alias_key = edge.to_key
    where edge.type = 'calls'
"""

# Calls of an interface's method may run what implements it, in whichever repository.
RUNS = """
    select step.from_key, edge.from_key as to_key
    from steps as step join edges as edge on edge.to_key = step.to_key
    where edge.type = 'implements'
"""

TARGETS = """
    select distinct coalesce(alias.key, node.key) as key
    from nodes as node left join aliases as alias on alias.alias_key = node.key
    where node.package = '{package}'
      and (node.id = '{name}' or right(node.id, {behind}) in ('.{name}', '/{name}'))
      and node.kind in ('function', 'method', 'class', 'type', 'variable')
    union
    select alias.key from aliases as alias
    where alias.package = '{package}' and alias.descriptor = '{alias}'
"""

CALLERS = """
    select distinct node.package as package, node.id as id
    from steps as step
    join targets as target on target.key = step.to_key
    join nodes as node on node.key = step.from_key
    where not node.external
"""

# The package itself is a caller too: of what runs when it is loaded.
REACHED = """
    select distinct node.package as package, node.id as id
    from reached join nodes as node on node.key = reached.key
    where not node.external
"""

RECURSIVE = """
    with recursive reached(key) as (
        select key from targets
        union
        select step.from_key from reached join steps as step on step.to_key = reached.key
    )
    select key from reached
"""


def alias_of(name):
    """Returns the descriptor of a Python name as other repositories have it: `requests`/get."""
    if "." not in name:
        return ""
    module, last = name.rsplit(".", 1)
    plain = all(letter.isalnum() or letter in "_+-$" for letter in module)
    return f"{module}/{last}." if plain else f"`{module}`/{last}."


def files(tables, name, only=None):
    folders = sorted(folder for folder in pathlib.Path(tables).iterdir() if (folder / f"{name}.parquet").is_file())
    return [str(folder / f"{name}.parquet") for folder in folders if only is None or folder.name in only]


class DuckDB:
    def __init__(self, tables, only):
        import duckdb

        self.connection = duckdb.connect()
        for name in ("nodes", "edges", "aliases"):
            self.connection.execute(f"create view {name} as select * from read_parquet({files(tables, name, only)})")

    def keep(self, name, query):
        self.connection.execute(f"create or replace temp table {name} as {query}")

    def reach(self):
        self.keep("reached", RECURSIVE)

    def rows(self, query):
        return self.connection.execute(query).fetchall()


class DataFusion:
    def __init__(self, tables, only):
        import datafusion

        self.context = datafusion.SessionContext()
        for name in ("nodes", "edges", "aliases"):
            parts = [self.context.read_parquet(file) for file in files(tables, name, only)]
            whole = parts[0]
            for part in parts[1:]:
                whole = whole.union(part)
            self.context.register_view(name, whole)

    def keep(self, name, query):
        batches = self.context.sql(query).cache()
        self.context.deregister_table(name)
        self.context.register_view(name, batches)

    def reach(self):
        """Level by level: what is new of a level is joined with the steps for the next."""
        self.keep("reached", "select key from targets")
        self.keep("level", "select key from targets")
        while self.rows("select count(*) from level")[0][0]:
            self.keep(
                "next",
                "select distinct step.from_key as key from level join steps as step on step.to_key = level.key"
                " where step.from_key not in (select key from reached)",
            )
            self.keep("level", "select key from next")
            self.keep("reached", "select key from reached union all select key from level")

    def rows(self, query):
        frames = self.context.sql(query).to_pydict()
        return list(zip(*frames.values())) if frames else []


class Spark:
    def __init__(self, tables, only):
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master("local[2]").appName("codeweft")
        builder = builder.config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "4")
        self.spark = builder.config("spark.driver.host", "127.0.0.1").getOrCreate()
        self.spark.sparkContext.setLogLevel("ERROR")
        for name in ("nodes", "edges", "aliases"):
            self.spark.read.parquet(*files(tables, name, only)).createOrReplaceTempView(name)

    def keep(self, name, query):
        # A checkpoint cuts the lineage, which would grow with each round.
        self.spark.sql(query).localCheckpoint().createOrReplaceTempView(name)

    def reach(self):
        self.keep("reached", "select key from targets")
        self.keep("level", "select key from targets")
        while self.rows("select count(*) from level")[0][0]:
            self.keep(
                "level",
                "select distinct step.from_key as key from level join steps as step on step.to_key = level.key"
                " left anti join reached on reached.key = step.from_key",
            )
            self.keep("reached", "select key from reached union all select key from level")

    def rows(self, query):
        return [tuple(row) for row in self.spark.sql(query).collect()]


ENGINES = {"duckdb": DuckDB, "datafusion": DataFusion, "spark": Spark}


def prepared(engine, wanted):
    engine.keep("steps", CALLS)
    if wanted.hierarchy:
        engine.keep("more", f"select from_key, to_key from steps union ({RUNS})")
        engine.keep("steps", "select from_key, to_key from more")
    quoted = lambda text: text.replace("'", "''")
    engine.keep(
        "targets",
        TARGETS.format(
            package=quoted(wanted.package),
            name=quoted(wanted.name),
            behind=len(wanted.name) + 1,
            alias=quoted(alias_of(wanted.name)),
        ),
    )


def callers(engine, wanted):
    prepared(engine, wanted)
    return sorted(engine.rows(CALLERS))


def impact(engine, wanted):
    prepared(engine, wanted)
    engine.reach()
    return sorted(engine.rows(REACHED))


def answer(rows):
    by_package = {}
    for package, _ in rows:
        by_package[package] = by_package.get(package, 0) + 1
    for package, name in rows:
        print(f"{package}  {name}")
    counts = ", ".join(f"{count} {package}" for package, count in sorted(by_package.items()))
    print(f"{len(rows)} in {len(by_package)} packages: {counts}")


def cost(wanted):
    """Prints wall and CPU milliseconds of both questions, the reading of the tables in each. Spark's CPU is that
    of another process, and is not measured."""
    names = sorted(folder.name for folder in wanted.tables.iterdir() if folder.is_dir())
    counts = wanted.first or [len(names)]
    for count in counts:
        chosen = names[:count] if wanted.order is None else wanted.order.split(",")[:count]
        start = time.perf_counter()
        engine = ENGINES[wanted.engine](wanted.tables, set(chosen))
        opened = time.perf_counter() - start
        for question in (callers, impact):
            walls, cpus, rows = [], [], []
            for _ in range(wanted.runs):
                wall, cpu = time.perf_counter(), time.process_time()
                rows = question(engine, wanted)
                walls.append(time.perf_counter() - wall)
                cpus.append(time.process_time() - cpu)
            packages = len({package for package, _ in rows})
            print(
                f"{wanted.engine} {len(chosen)} repositories, {question.__name__}: {len(rows)} in {packages} packages, "
                f"opened {opened * 1000:.0f} ms, wall {min(walls) * 1000:.0f} ms, CPU {min(cpus) * 1000:.0f} ms"
            )


def copies(wanted):
    """Writes copies in which all but the standard library has other keys and packages."""
    import duckdb

    connection = duckdb.connect()
    wanted.into.mkdir(parents=True, exist_ok=True)
    for folder in sorted(folder for folder in wanted.tables.iterdir() if folder.is_dir()):
        read = lambda name: f"read_parquet('{folder}/{name}.parquet')"
        connection.execute(
            f"create or replace temp table shared as select distinct key from {read('nodes')} where package = '{SHARED}'"
        )
        for number in range(wanted.count):
            into = wanted.into / f"{folder.name}.{number}"
            into.mkdir(exist_ok=True)
            if number == 0:
                key = lambda column: column
                package = "package"
            else:
                key = lambda column: (
                    f"case when {column} in (select key from shared) then {column}"
                    f" else (hash({column} + {number}) >> 1)::bigint end"
                )
                package = f"case when package = '{SHARED}' then package else package || '.{number}' end"
            for name, keys in (("nodes", ["key"]), ("edges", ["from_key", "to_key"]), ("aliases", ["alias_key", "key"])):
                changes = ", ".join([f"{key(column)} as {column}" for column in keys] + [f"{package} as package"])
                connection.execute(
                    f"copy (select * replace ({changes}) from {read(name)}) to '{into}/{name}.parquet'"
                    " (format parquet, compression zstd)"
                )


def export(wanted):
    wanted.tables.mkdir(parents=True, exist_ok=True)
    for repository in wanted.repositories:
        into = wanted.tables / repository.resolve().name
        command = [wanted.codeweft, "export", "--quiet", "--format", "parquet"]
        subprocess.run(command + ["--root", str(repository), "--output", str(into)], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("callers", "impact", "cost"):
        command = commands.add_parser(name)
        command.add_argument("tables", type=pathlib.Path)
        command.add_argument("package")
        command.add_argument("name")
        command.add_argument("--engine", choices=ENGINES, default="duckdb")
        command.add_argument("--hierarchy", action="store_true", help="follow calls of interfaces to what implements them")
        if name == "cost":
            command.add_argument("--first", type=int, nargs="*", help="with so many of the repositories")
            command.add_argument("--order", help="their names, by commas")
            command.add_argument("--runs", type=int, default=3)
    command = commands.add_parser("copies")
    command.add_argument("tables", type=pathlib.Path)
    command.add_argument("into", type=pathlib.Path)
    command.add_argument("count", type=int)
    command = commands.add_parser("export")
    command.add_argument("tables", type=pathlib.Path)
    command.add_argument("repositories", type=pathlib.Path, nargs="+")
    command.add_argument("--codeweft", default="codeweft")
    wanted = parser.parse_args()
    if wanted.command in ("callers", "impact"):
        question = {"callers": callers, "impact": impact}[wanted.command]
        answer(question(ENGINES[wanted.engine](wanted.tables, None), wanted))
    else:
        {"cost": cost, "copies": copies, "export": export}[wanted.command](wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
