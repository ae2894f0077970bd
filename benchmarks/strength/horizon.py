"""How many of the curated horizon effects the finder finds, and how often it cries wolf on quiet positions.

A curated example is found if the finder, watching the configuration that is fooled, names its very depth as an effect of its
kind. Some examples were kept apart while the finder was tuned: those are what the target is about. Quiet positions are
watched with the finder's own configuration (quiescence on), and some of them without quiescence, where only moves that
postpone count: exchanges that are cut off are a kind of their own, and without quiescence they are everywhere.

What is flagged is confirmed if a stronger opinion (Stockfish, else a search of many more nodes) is nearer to what the finder
takes for true than to what it says is wrong.
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
"""Of each sort, as far as there are so many: the library has fewer tactical ones."""
WITHOUT_QUIESCENCE = 40
"""So many of the quiet ones are also searched without quiescence, which takes longer."""
CONFIRMING_NODES = 400_000


def measure(quick: bool) -> Iterator[Row]:
    """Recall on the examples, false alarms on quiet positions, and how many of all alarms are confirmed."""
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
    """What the finder says of an example when it watches the configuration that is fooled."""
    parameters = fooled_configuration(example).parameters
    return Finder(parameters, max(DEPTH, example.depth)).find(example.position(), example.id)


def at_depth(example: Example, found: PositionFindings) -> Finding | None:
    """What the finder says of the example's own depth, if it is an effect of the example's kind."""
    kind = "exchange" if example.kind == "swing" else "horizon"
    return next((one for one in found.findings if one.depth == example.depth and one.kind == kind), None)


def is_found(example: Example, found: PositionFindings) -> bool:
    """The finder names the example's depth."""
    return at_depth(example, found) is not None


def same_remedy(example: Example, found: PositionFindings) -> bool:
    """And what repairs it."""
    finding = at_depth(example, found)
    return finding is not None and finding.remedy == example.remedy


def missed(wanted: Sequence[Example], found: dict[str, PositionFindings]) -> str:
    """Which examples were not found."""
    names = [example.id for example in wanted if not is_found(example, found[example.id])]
    return f"not {', '.join(names)}" if names else ""


def is_confirmed(position: Position, finding: Finding | None) -> bool:
    """A stronger opinion is nearer to the truth that the finder claims. Of an exchange that is cut off, the end of the line
    is judged: who stands better in the end is another matter."""
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
    """How many percent are hits; `wanted` of them at least."""
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
    """How many percent of positions are flagged in which nothing happens."""
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
