"""A command that the project's file names, and no text calls; and plug-ins that only it names, which code of the project calls."""
import pkgutil
import tomllib

import runner


def run_plugins():
    with open("pyproject.toml", "rb") as project:
        groups = tomllib.load(project)["project"]["entry-points"]
    for name in groups["ways.plugins"].values():
        pkgutil.resolve_name(name)()


runner.command_of("pyproject.toml")
run_plugins()
