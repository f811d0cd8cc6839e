"""A command that the project's file names, and no text calls."""
import runner

runner.command_of("pyproject.toml")
