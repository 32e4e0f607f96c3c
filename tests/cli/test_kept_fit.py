"""The option --checkpoint."""

import pytest

from galileomix import Galileo
from killed_fits import Killed, kept, same


def test_a_fit_that_was_killed_goes_on(galileo, zoo_csv, tmp_path):
    folder, output = str(tmp_path / "steps"), str(tmp_path / "model.galileo")
    asked = ("fit", zoo_csv, "--effort", "0.3", "--checkpoint", folder, "-o", output)
    with kept(9), pytest.raises(Killed):
        galileo(*asked)
    code, _, err = galileo(*asked, "--criterion", "aic")
    assert code == 4 and "steps': this is the checkpoint of another fit" in err
    assert "with --criterion bic, not 'aic'" in err
    with kept() as written:
        code, out, _ = galileo(*asked)
    assert code == 0 and "clusters in 101 records" in out and min(written).state > 0
    assert not list((tmp_path / "steps").iterdir())
    assert same(Galileo.load(output), Galileo(effort=0.3, random_state=0).fit(zoo_csv))


def test_a_directory_that_cannot_be_made_is_said(galileo, zoo_csv):
    code, _, err = galileo("fit", zoo_csv, "--checkpoint", zoo_csv)
    assert code == 1 and "zoo.csv': " in err and "Traceback" not in err
