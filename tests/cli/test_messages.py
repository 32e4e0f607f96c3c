"""Messages name the options of the command line, not the parameters of Python."""

import pytest

from galileomix._cli.messages import as_typed, options_of
from galileomix._cli.program import galileo as program


@pytest.mark.parametrize(
    ("message", "typed"),
    [
        (
            "name it in `missing_values`; or in `categorical`",
            "name it in --missing-value; or in --categorical",
        ),
        ("say so: Csv(path, header=False)", "say so: --no-header"),
        ("name its encoding: Csv(path, encoding='latin-1')", "name its encoding: --encoding"),
        (
            "max_components=500 is more than the 60 records",
            "--max-components 500 is more than the 60 records",
        ),
        (
            "max_components='auto' tries; set max_components, or",
            "--max-components auto tries; set --max-components, or",
        ),
        ("discretize names the column 'a' twice", "--discretize names the column 'a' twice"),
        ("discretize['age']=[3.0]: give edges", "--discretize age=[3.0]: give edges"),
        (
            "categorical and discretize both name the column 'x'",
            "--categorical and --discretize both name the column 'x'",
        ),
        ("given 'age': 'x' was never seen", "--given 'age': 'x' was never seen"),
        ("n_jobs=0: it must be", "--jobs 0: it must be"),
        ("with random_state=0, not 3", "with --seed 0, not 3"),
        ("'/tmp/galileo-x_1y/stdin.csv.gz', line 2: bad", "standard input, line 2: bad"),
    ],
)
def test_parameters_become_options(message, typed):
    assert as_typed(message, options_of(program)) == typed


def test_an_option_that_the_command_does_not_have_is_said_to_be_one_of_fit():
    message, options = "name it in `missing_values`", options_of(program)
    typed = {
        name: as_typed(message, options, program.commands[name]) for name in ("fit", "predict")
    }
    assert typed["fit"] == "name it in --missing-value"
    assert typed["predict"] == "name it in --missing-value of galileo fit"


@pytest.mark.parametrize(
    "message",
    [
        "column 'max_components': 'missing_values' cannot be read",
        "'max_components=3': no such file",
        "this column is categorical, and it holds a missing value",
        "x=3 and other_name=4 and `something` else",
        "Csv(path, other=3)",
    ],
)
def test_all_else_stays(message):
    assert as_typed(message, options_of(program)) == message


def test_duplicate_names_of_a_file_without_a_header(galileo, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,a\nb,c\n" * 20)
    code, _, err = galileo("fit", str(path))
    assert (
        code == 3
        and "more than once: 'a'; if the first line is no header, say so: --no-header" in err
    )
    code, _, _ = galileo("fit", str(path), "--no-header", "--n-components", "1")
    assert code == 0


def test_notes_name_options_too(galileo, survey_csv):
    _, _, err = galileo("fit", survey_csv, "--max-components", "500", "--criterion", "density")
    assert "galileo: note: --max-components 500 is more than the 60 records there are" in err
    assert "max_components" not in err
