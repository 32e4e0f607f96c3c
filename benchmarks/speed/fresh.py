"""One task in a process of its own: ``python -m benchmarks.speed.fresh MODULE FUNCTION JSON``."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any


def in_new_process(task: Callable[..., dict[str, Any]], **setting: Any) -> dict[str, Any]:
    """Call the task with the setting in a new process and return what it returned.

    Raises
    ------
    subprocess.CalledProcessError
        If the process failed, or the system ended it for want of memory.
    """
    what = [task.__module__, task.__name__, json.dumps(setting)]
    command = [sys.executable, "-m", "benchmarks.speed.fresh", *what]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    module, function, setting = sys.argv[1:]
    print(json.dumps(getattr(import_module(module), function)(**json.loads(setting))))
