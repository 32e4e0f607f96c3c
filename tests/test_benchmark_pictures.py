"""The pictures of the documents: whether the code that is here drew them."""

import shutil

import pytest
from benchmarks import picture_sources


def test_the_pictures_are_drawn_by_the_code_that_is_here():
    noted = picture_sources.SOURCES.read_text() if picture_sources.SOURCES.exists() else ""
    now = picture_sources.sources().splitlines()
    changed = [line.split()[1] for line in now if line not in noted.splitlines()]
    assert len(now) > 30 and changed == [], "run `make pictures`"


@pytest.mark.parametrize(
    ("old", "new", "is_noticed"),
    [
        ("0.25", "0.3", True),
        ('"""Of the', '"""Those of the', False),
        ("\nDARK", "\n# why\nDARK", False),
    ],
)
def test_only_what_may_look_otherwise_counts(old, new, is_noticed, tmp_path):
    path = tmp_path / "profile.py"
    shutil.copy(picture_sources.ROOT / "src/galileomix/plots/_profile_plot.py", path)
    before, code = picture_sources.digest(path), path.read_text()
    path.write_text(code.replace(old, new))
    assert path.read_text() != code
    assert (picture_sources.digest(path) != before) == is_noticed
