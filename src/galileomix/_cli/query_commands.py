"""Commands that query a model, and the completion of commands in a shell."""

from __future__ import annotations

import click

from galileomix._cli import options
from galileomix._cli.model_arguments import given_values, load_model, mixture_of
from galileomix._words import named_value


@click.command()
@options.MODEL
@click.argument("target", metavar="COLUMN")
@options.GIVEN
@options.AS_JSON
def query(model: str, target: str, given: tuple[str, ...], as_json: bool) -> None:
    """Show how probable each value of COLUMN is, given other values.

    \b
    Examples:
      galileo query clusters.galileo smokes
      galileo query clusters.galileo smokes --given age=30-39 --given sex=female --json
    """
    from galileomix._cli.show import show_distribution

    mixture = mixture_of(load_model(model))
    values = given_values(given, mixture.schema_)
    found = mixture.conditional(target, values)
    known = [named_value(name, value) for name, value in values.items()]
    show_distribution(target, known, found, as_json)


@click.command()
@options.MODEL
@click.option(
    "-n", "--rows", "n_samples", type=click.IntRange(1), default=10, help="Number of records."
)
@options.GIVEN
@options.SEED
@options.OUTPUT
@options.JSON_LINES
def sample(
    model: str, n_samples: int, given: tuple[str, ...], seed: int, output: str, as_json: bool
) -> None:
    """Draw new records from a model.

    \b
    Examples:
      galileo sample clusters.galileo -n 1000 -o synthetic.csv
      galileo sample clusters.galileo --given smokes=yes --json
    """
    from galileomix._cli.output import write_frame

    mixture = mixture_of(load_model(model)).set_params(random_state=seed)
    drawn, _ = mixture.sample(n_samples, given_values(given, mixture.schema_))
    write_frame(drawn, output, as_json)


@click.command()
@options.MODEL
@options.AS_JSON
def info(model: str, as_json: bool) -> None:
    """Show the clusters and the columns of a saved model.

    \b
    Examples:
      galileo info clusters.galileo
      galileo info clusters.galileo --json
    """
    from galileomix._cli.show import show_model

    show_model(model, load_model(model), as_json)


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a script that completes commands and options in a shell.

    \b
    Examples:
      galileo completion bash >> ~/.bashrc
      galileo completion zsh >> ~/.zshrc
      galileo completion fish > ~/.config/fish/completions/galileo.fish
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None, shell
    click.echo(found(context.find_root().command, {}, "galileo", "_GALILEO_COMPLETE").source())
