"""How many of the curated horizon effects the finder finds, and how often it raises a false alarm on quiet positions.

A curated example is found if the finder, given the configuration that is fooled, reports an effect of the same kind at the
same depth. Some examples were held out while the finder was tuned: the target refers to those. Quiet positions are examined
with the finder's default configuration (quiescence on), and some of them without quiescence, where only delaying moves
count: cut-off exchanges are a kind of their own, and without quiescence they are everywhere.

A finding is confirmed if a stronger search (Stockfish, else one of many more nodes) is closer to the value that the finder
takes for true than to the one that it reports as wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.peers import stockfish
from benchmarks.peers.stockfish import Stockfish
from benchmarks.printing import tell
from benchmarks.rows import Row, Target
from benchmarks.strength.horizon_positions import asked, quiet_positions, tactical_positions
from engines.game import margins
from engines.position import Position
from positions.horizon import Example, examples
from workbench.horizon.effect import PLAIN, along
from workbench.horizon.finder import DEPTH, Finder, Finding, PositionFindings
from workbench.horizon.story import fooled_configuration

RECALL, FALSE_ALARMS = 80, 10
POSITIONS, QUICK_POSITIONS = 110, 15
"""The number of positions of each sort, as far as there are so many: the library has fewer tactical ones."""
WITHOUT_QUIESCENCE = 40
"""The number of quiet positions that are also searched without quiescence, which takes longer."""
CONFIRMING_NODES = 400_000


def measure(quick: bool) -> Iterator[Row]:
    """Measure recall on the examples, false alarms on quiet positions, and the share of all alarms that are confirmed."""
    count = QUICK_POSITIONS if quick else POSITIONS
    curated = [example for example in examples().values() if example.game == "chess"]
    tell(f"{len(curated)} curated examples")
    found = {example.id: look_at(example) for example in curated}
    apart = [example for example in curated if example.held_apart]
    tuned = [example for example in curated if not example.held_apart]
    yield share("curated examples held apart, found", [is_found(one, found[one.id]) for one in apart], missed(apart, found))
    yield share(
        "curated examples tuned on, found", [is_found(one, found[one.id]) for one in tuned], missed(tuned, found), None
    )
    yield share("remedy as in the story", [same_remedy(one, found[one.id]) for one in curated], wanted=None)

    tell(f"making {count} quiet positions")
    quiet = list(quiet_positions(count))
    tell(f"searching {len(quiet)} quiet positions")
    calm = [Finder().find(position) for position in quiet]
    yield alarms("quiet positions flagged", calm)
    some = quiet[: min(WITHOUT_QUIESCENCE, count)]
    tell(f"searching {len(some)} of them without quiescence")
    yield alarms("quiet positions flagged, without quiescence", [Finder({**PLAIN}).find(position) for position in some])

    tactical = tactical_positions(count)
    tell(f"searching {len(tactical)} tactical positions")
    sharp = [Finder().find(position) for position in tactical]
    yield share("tactical positions flagged", [one.flagged for one in sharp], wanted=None)

    positions = [*(example.position() for example in curated), *quiet, *tactical]
    everything = [*found.values(), *calm, *sharp]
    confirmed = [is_confirmed(where, one.worst) for where, one in zip(positions, everything, strict=True) if one.worst]
    peer = stockfish.NAME if stockfish.find() else f"a search of {CONFIRMING_NODES * 5:,} nodes"
    yield share("precision: effects confirmed", confirmed, f"by {peer}", wanted=None)
    yield share("recall: all curated examples found", [is_found(one, found[one.id]) for one in curated], wanted=None)


def look_at(example: Example) -> PositionFindings:
    """The findings for an example with the configuration that is fooled."""
    parameters = fooled_configuration(example).parameters
    return Finder(parameters, max(DEPTH, example.depth)).find(example.position(), example.id)


def at_depth(example: Example, found: PositionFindings) -> Finding | None:
    """The finding at the example's own depth, if it is of the example's kind; otherwise None."""
    kind = "exchange" if example.kind == "swing" else "horizon"
    return next((one for one in found.findings if one.depth == example.depth and one.kind == kind), None)


def is_found(example: Example, found: PositionFindings) -> bool:
    """Whether the finder reports the example's depth."""
    return at_depth(example, found) is not None


def same_remedy(example: Example, found: PositionFindings) -> bool:
    """Whether the finder reports the example's remedy."""
    finding = at_depth(example, found)
    return finding is not None and finding.remedy == example.remedy


def missed(wanted: Sequence[Example], found: dict[str, PositionFindings]) -> str:
    """The names of the examples that were not found."""
    names = [example.id for example in wanted if not is_found(example, found[example.id])]
    return f"not {', '.join(names)}" if names else ""


def is_confirmed(position: Position, finding: Finding | None) -> bool:
    """Whether a stronger search agrees with the value that the finder takes for true. For a cut-off exchange the end of the
    line is judged, because who stands better after all is another question."""
    assert finding is not None
    if finding.kind == "exchange":
        position = along(position, finding.line)[-1]
    path = stockfish.find()
    if path is None:
        _, value = asked(position, None, CONFIRMING_NODES)
    else:
        with Stockfish(path) as engine:
            _, value = asked(position, engine, CONFIRMING_NODES)
    wrong, true = margins(finding.value, position.game), margins(finding.true_value, position.game)
    return abs(value - true) < abs(value - wrong)


def share(task: str, hits: Sequence[bool], note: str = "", wanted: float | None = RECALL) -> Row:
    """A row with the percentage of hits; `wanted` is the target."""
    percent = 100 * sum(hits) / len(hits) if hits else 0.0
    return Row(
        task=f"horizon finder: {task}",
        ours=percent,
        unit="%",
        result=percent,
        result_unit="%",
        target=None if wanted is None else Target(at_least=wanted),
        note=f"{sum(hits)} of {len(hits)}" + (f"; {note}" if note else ""),
    )


def alarms(task: str, found: Sequence[PositionFindings]) -> Row:
    """A row with the percentage of quiet positions that are flagged."""
    flagged = sum(one.flagged for one in found)
    percent = 100 * flagged / len(found)
    return Row(
        task=f"horizon finder: {task}",
        ours=percent,
        unit="%",
        result=percent,
        result_unit="%",
        target=Target(below=FALSE_ALARMS),
        note=f"{flagged} of {len(found)}",
    )
