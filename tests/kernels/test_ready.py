"""The first fit on a machine says that it is compiling; later ones do not."""

import os
import subprocess
import sys

FIT = "import galileomix; galileomix.Galileo(2).fit([['a', 'x'], ['b', 'y']] * 9)"


def messages_of_a_fit(cache):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", FIT], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == ""
    return done.stderr


def test_compiling_is_announced_once(tmp_path):
    assert messages_of_a_fit(tmp_path).count("compiling") == 1
    assert "compiling" not in messages_of_a_fit(tmp_path)
