"""`plybench games`, `algorithms` and `positions`: commands that list what is available."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from workbench.cli.console import (
    echo_list,
    emit,
    errors,
    fields,
    output,
)
from workbench.cli.options import ascii_option, json_option

if TYPE_CHECKING:
    from rich.console import RenderableType


@click.command()
@click.argument("name", required=False)
@json_option
def games(name: str | None, json: bool) -> None:
    """List the games, or show one."""
    from engines import catalog

    found = [catalog.game(one) for one in ([name] if name else catalog.GAMES)]

    def document() -> object:
        rows = [
            {
                "id": game.id,
                "title": game.title,
                "sentence": game.sentence,
                "default_size": game.default_size or None,
                "default_depth": game.default_depth if game.default_size else None,
                "players": game.players,
                "terms": game.term_names,
                "parameters": game.parameters,
                "algorithms": catalog.algorithms_for(game.id),
            }
            for game in found
        ]
        return rows[0] if name else rows

    def view() -> RenderableType:
        from workbench.render import catalog as render

        return render.game(name) if name else render.games()

    emit(document, view, json)


@click.command()
@click.argument("name", required=False)
@json_option
def algorithms(name: str | None, json: bool) -> None:
    """List the algorithms, or show the card of one."""
    from engines import catalog

    found = [catalog.algorithm(one) for one in ([name] if name else catalog.ALGORITHMS)]

    def document() -> object:
        rows = [
            {
                "id": algorithm.id,
                "name": algorithm.name,
                "year": algorithm.year,
                "summary": algorithm.summary,
                "needs": algorithm.needs,
                "limits": algorithm.limits,
                "parameters": catalog.with_preferences(algorithm.parameters),
                "games": [game for game in catalog.GAMES if algorithm.id in catalog.algorithms_for(game)],
                "card": catalog.card(algorithm.id),
            }
            for algorithm in found
        ]
        return rows[0] if name else rows

    def view() -> RenderableType:
        from workbench.render import catalog as render

        return render.algorithm(name) if name else render.algorithms()

    emit(document, view, json)


@click.command()
@click.argument("words", nargs=-1)
@click.option("--game", metavar="GAME", help="Only positions of this game.")
@ascii_option
@json_option
def positions(words: tuple[str, ...], game: str | None, json: bool) -> None:
    """List the positions of the library, those with certain words, or show one by its id; or list what a PGN, EPD or FEN
    file holds."""
    from engines import catalog
    from positions import files, library

    if game is not None:
        catalog.game(game)
    if len(words) == 1 and files.is_named(words[0]):
        list_file(words[0], json)
        return
    one = library.entries().get(words[0]) if len(words) == 1 else None
    found = [one] if one else library.search(words, game)

    def document() -> object:
        in_files = [entry for entry in library.entries().values() if entry in found]  # the order that scripts know
        rows = [{"game": entry.game, **fields(entry)} for entry in in_files]
        return rows[0] if one else rows

    def view() -> RenderableType:
        from workbench.render import catalog as render

        return render.library_entry(one) if one else render.library(found)

    if found or json:
        emit(document, view, json)
    else:  # standard output stays empty if nothing was found
        errors().print(view())


def list_file(name: str, json: bool) -> None:
    """List the games or positions in a file. As JSON they are written one by one, because there may be very many."""
    from positions import files

    items = files.listing(name)
    if json:
        echo_list(items)
        return
    from workbench.render import catalog as render

    output().print(render.file_items(items, name))
