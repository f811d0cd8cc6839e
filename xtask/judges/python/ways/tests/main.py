"""Tests are found and run by their names."""
import runner
import test_ways

runner.tests_of("test_ways")
