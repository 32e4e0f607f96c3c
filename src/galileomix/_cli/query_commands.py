"""Commands that ask a model."""

from __future__ import annotations

import click

from galileomix._cli import options
from galileomix._cli.model_arguments import given_values, load_model, mixture_of


@click.command()
@options.MODEL
@click.argument("target", metavar="COLUMN")
@options.GIVEN
@options.AS_JSON
def ask(model: str, target: str, pairs: tuple[str, ...], as_json: bool) -> None:
    """Show how probable the values of COLUMN are, given what is known of a record.

    \b
    Examples:
      galileo ask kinds.galileo smokes
      galileo ask kinds.galileo smokes --given age=30-39 --given sex=female --json
    """
    from galileomix._cli import show

    asked = mixture_of(load_model(model))
    found = asked.conditional(target, given_values(pairs, asked.schema_))
    if as_json:
        click.echo(show.distribution_as_json(found))
    else:
        show.print_distribution(target, pairs, found)


@click.command()
@options.MODEL
@click.option(
    "-n", "--rows", type=click.IntRange(1), default=10, show_default=True, help="How many."
)
@options.GIVEN
@options.SEED
@options.OUTPUT
@options.JSON_LINES
def sample(
    model: str, rows: int, pairs: tuple[str, ...], seed: int, output: str, as_json: bool
) -> None:
    """Draw new records from a model.

    \b
    Examples:
      galileo sample kinds.galileo -n 1000 -o synthetic.csv
      galileo sample kinds.galileo --given smokes=yes --json
    """
    from galileomix._cli import annotate

    asked = mixture_of(load_model(model)).set_params(random_state=seed)
    drawn, _ = asked.sample(rows, given_values(pairs, asked.schema_))
    annotate.write_frame(drawn, output, as_json)


@click.command()
@options.MODEL
@options.AS_JSON
def info(model: str, as_json: bool) -> None:
    """Show what a model file holds: its columns, its path, its components.

    \b
    Examples:
      galileo info kinds.galileo
      galileo info kinds.galileo --json
    """
    from galileomix._cli import show

    held = load_model(model)
    if as_json:
        click.echo(show.model_as_json(held))
    else:
        show.print_model(model, held)


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print what makes a shell complete galileo's commands and options.

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
