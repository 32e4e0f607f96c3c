"""Importing the package is quick: what is heavy waits until it is used."""

import subprocess
import sys

HEAVY = ("numba", "sklearn", "pandas", "pyarrow", "matplotlib", "scipy")


def modules_after(statement):
    code = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_package_alone_is_light():
    assert not modules_after("import galileomix").intersection(HEAVY)


def test_the_command_line_is_light_until_a_command_runs():
    command = (
        "from galileomix._cli.program import galileo; galileo(['--version'], standalone_mode=False)"
    )
    assert not modules_after(command).intersection(HEAVY)


def test_the_estimator_is_there_when_asked_for():
    loaded = modules_after("from galileomix import *; Galileo")
    assert "galileomix._estimators.galileo" in loaded


def test_a_name_that_is_not_there():
    import galileomix

    assert "Galileo" in dir(galileomix)
    assert not hasattr(galileomix, "Gallileo")


def test_matplotlib_waits_until_something_is_drawn():
    assert "matplotlib" not in modules_after("from galileomix import plots, Galileo; Galileo")
