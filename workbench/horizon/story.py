"""The story of a horizon effect, told with real searches: the value at each depth, the moves that only delay, and the truth.

There are stories for the curated examples, and for any position in which the finder finds an effect.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from engines.contract import DepthRow, Limit, Report, Setting
from engines.game import Game
from engines.position import Position
from positions.horizon import Example
from workbench.horizon.effect import (
    NAMES,
    PLAIN,
    Configuration,
    Curve,
    along,
    configurations,
    curve,
    searched,
)
from workbench.horizon.finder import DEPTH, Finder, Finding
from workbench.jobs.searches import RunSearch, SearchInterrupted, run_to_end
from workbench.render.values import value_text

CLOSE = 0.005
"""Values this close are equal, since they are shown with two decimals."""


class Story(Struct, frozen=True, kw_only=True):
    """Everything there is to show of one position."""

    title: str
    text: str
    truth: str
    depth: int | None
    """The depth at which a search is fooled; None if none is."""
    fooled: int
    """The index of the curve that is fooled."""
    delaying: tuple[int, ...]
    """The plies of its line that only delay."""
    remedy: str
    """A sentence on what would have found the truth."""
    curves: tuple[Curve, ...]
    complete: bool
    """False if the user interrupted the searches."""

    @property
    def row(self) -> DepthRow | None:
        """The result of the fooled search at the fooled depth; None if it is not known."""
        return None if self.depth is None or not self.curves else self.curves[self.fooled].at(self.depth)

    @property
    def deepest(self) -> int:
        """The greatest depth of any curve."""
        return max((row.depth for one in self.curves for row in one.rows), default=0)


def lanes(example: Example, game: Game) -> tuple[list[Configuration], int]:
    """The configurations to compare for an example, and the index of the fooled one."""
    found = configurations(game)
    wanted = fooled_configuration(example)
    for number, configuration in enumerate(found):
        if configuration.parameters == wanted.parameters:
            extra = remedied_configuration(example)
            if all(extra.parameters != other.parameters for other in found):
                found.insert(number + 1, extra)
            return found, number
    return [wanted, *found], 0


def fooled_configuration(example: Example) -> Configuration:
    """The configuration that is fooled."""
    on = [NAMES.get(name, name) for name, setting in example.switches.items() if setting]
    return Configuration(name=" + ".join(on) or "plain", parameters={**PLAIN, **example.switches})


def remedied_configuration(example: Example) -> Configuration:
    """The fooled configuration with the remedy, where that is a switch."""
    base = fooled_configuration(example)
    if example.remedy == "plies":
        return base
    on = [name for name in (base.name, NAMES[example.remedy]) if name != "plain"]
    return Configuration(name=" + ".join(on), parameters={**base.parameters, example.remedy: True})


def remedy_text(remedy: str | None, plies: int | None) -> str:
    """A remedy as a phrase."""
    if remedy == "plies" and plies:
        return f"{plies} more {'ply' if plies == 1 else 'plies'}"
    return NAMES.get(remedy or "", "nothing that was tried")


def tell(example: Example, run: RunSearch = run_to_end) -> Story:
    """The story of an example. After an interrupt it contains what was searched by then."""
    return last(telling(example, run))


def telling(example: Example, run: RunSearch = run_to_end) -> Iterator[Story]:
    """Yield the story of an example after each search."""
    position = example.position()
    chosen, fooled = lanes(example, position.game)
    story = Story(
        title=example.title,
        text=example.story,
        truth=example.truth,
        depth=example.depth,
        fooled=fooled,
        delaying=example.delaying,
        remedy=remedy_text(example.remedy, example.plies),
        curves=(),
        complete=False,
    )
    yield from drawing(story, position, chosen, example.deepest, run)


def investigate(position: Position, run: RunSearch = run_to_end, depth: int = DEPTH) -> Story:
    """The story of any position: values by depth, and the worst horizon effect if there is one."""
    return last(investigating(position, run, depth))


def investigating(position: Position, run: RunSearch = run_to_end, depth: int = DEPTH) -> Iterator[Story]:
    """Yield the story of any position as it grows. The finder comes last."""
    story = Story(
        title="Looking for a horizon effect",
        text=f"The position is searched {depth + 2} plies deep with and without each remedy; then the finder looks at it.",
        truth="",
        depth=None,
        fooled=0,
        delaying=(),
        remedy="",
        curves=(),
        complete=False,
    )
    for story in drawing(story, position, configurations(position.game), depth + 2, run):  # noqa: B020 - it grows
        yield replace(story, complete=False)
    if not story.complete:
        return
    try:
        finding, base = worst_in(position, run, depth)
    except SearchInterrupted:
        return
    if finding is None:
        nothing = f"No depth up to {depth} is overturned by deeper search because of moves that only postpone."
        yield replace(story, title="No horizon effect found", text=nothing)
        return
    yield replace(
        story,
        title=f"Fooled at depth {finding.depth}",
        text=sentence(finding, position),
        truth=f"Deeper search says {value_text(finding.true_value, position.game)}.",
        depth=finding.depth,
        fooled=next((number for number, one in enumerate(story.curves) if one.configuration.parameters == base), 0),
        delaying=finding.delaying,
        remedy=remedy_text(finding.remedy, finding.plies),
    )


def worst_in(position: Position, run: RunSearch, depth: int) -> tuple[Finding | None, dict[str, Setting]]:
    """The largest horizon effect of a search with quiescence, else of one without; and the parameters of that search."""
    base: dict[str, Setting] = {**PLAIN}
    for quiescence in (True, False):
        base = {**PLAIN, "quiescence": quiescence}
        finding = Finder(base, depth, run=run).find(position).worst
        if finding is not None:
            return finding, base
    return None, base


def drawing(
    story: Story, position: Position, chosen: Sequence[Configuration], depth: int, run: RunSearch
) -> Iterator[Story]:
    """Yield the story with one more curve each time; with the last one it is complete."""
    for number, configuration in enumerate(chosen, 1):
        try:
            one = curve(position, configuration, depth, run)
        except SearchInterrupted:
            yield story
            return
        story = replace(story, curves=(*story.curves, one), complete=number == len(chosen))
        yield story


def last(stories: Iterator[Story]) -> Story:
    """The last of the stories. An interrupt ends them early."""
    *_, found = stories
    return found


def sentence(finding: Finding, position: Position) -> str:
    """A sentence on what happened."""
    game = position.game
    who = game.players[0 if finding.side > 0 else 1]
    line = game.pretty_line(position.state, finding.line)
    moves = ", ".join(line[ply] for ply in finding.delaying)
    believed = f"At depth {finding.depth} it believes {value_text(finding.value, game)}"
    if finding.kind == "exchange":
        return f"{believed}, because the line ends with a capture ({line[-1]}) and nobody looks at the reply."
    only = "only postpones" if len(finding.delaying) == 1 else "only postpone"
    return f"{believed}: {who} plays {moves}, which {only} the loss until the search ends."


def position_after(position: Position, line: Sequence[str]) -> Position:
    """The position at the end of a line."""
    return along(position, line)[-1]


# Checking the examples.


class Checked(Struct, frozen=True, kw_only=True):
    """The results of searching an example again."""

    fooled: DepthRow
    remedied: DepthRow
    reference: Report
    problems: tuple[str, ...]
    """Sentences on where the searches contradict the example."""


def check(example: Example, run: RunSearch = run_to_end) -> Checked:
    """Search an example again: with the fooled configuration, with the remedy, and with the reference."""
    position, problems = example.position(), []
    plies = example.plies if example.remedy == "plies" else 0
    base = curve(position, fooled_configuration(example), example.depth + plies, run)
    fooled = base.at(example.depth)
    cured = base
    if example.remedy != "plies":
        cured = curve(position, remedied_configuration(example), example.depth, run)
    remedied = cured.at(example.depth + plies)
    wanted = example.reference
    known = Configuration(name="reference", parameters=wanted.parameters, algorithm=wanted.algorithm)
    reference = searched(position, known, Limit(depth=wanted.depth, nodes=wanted.nodes), run, "reference")
    assert fooled is not None
    assert remedied is not None
    if abs(fooled.value - example.believes) > CLOSE:
        problems.append(f"depth {example.depth} says {fooled.value}, not {example.believes}")
    if fooled.pv != example.line:
        problems.append(f"the line at depth {example.depth} is {' '.join(fooled.pv)}")
    if example.is_true(fooled.value):
        problems.append(f"{fooled.value} is no error")
    if abs(remedied.value - example.remedied) > CLOSE:
        problems.append(f"with the remedy it says {remedied.value}, not {example.remedied}")
    if not example.is_true(remedied.value):
        problems.append(f"with the remedy {remedied.value} is still wrong")
    if not example.is_true(reference.value):
        problems.append(f"the reference says {reference.value}")
    if wanted.outcome is not None and reference.outcome != wanted.outcome:
        problems.append(f"the reference proves {reference.outcome}, not {wanted.outcome}")
    return Checked(fooled=fooled, remedied=remedied, reference=reference, problems=tuple(problems))
