"""The line of a proof to its end.

A proof tree drops the nodes below solved ones to save memory, and a table may overwrite any entry. Then it is known who
wins, but no longer by which moves. In that case a second search, with counters of its own, asks the same question of the
last position of the line, and its answer continues the line.
"""

from __future__ import annotations

from engines.parts.proof.numbers import ProofKnowledge, Question, foreseen
from engines.parts.proof.tree import GROWN, ROOT, ProofTree, do_job, line_of, new_proof_tree
from engines.position import Position
from engines.rules import ONGOING, WIN, WIN_EDGE, State, play, result, turn
from engines.run.run import Run
from engines.tape.tape import NOBODY

SPARE = 100_000
"""To find a line again may take twice the nodes of the search, and so many more."""
LONGEST = 200
"""No line is followed further."""


def ends_so(run: Run, question: Question, knowledge: ProofKnowledge, line: list[int], value: int) -> bool:
    """A line leads to the end of a game that is worth so much to the first player; or to where the game foresees that, or
    to where play goes round for ever, if that is what the value says."""
    state, way = run.position.state, []
    for move in line:
        way.append(state)
        state = play(run.rules, state, move)
    found = int(result(run.rules, state))
    if found != ONGOING:
        return _plain(found) * int(turn(run.rules, state)) == value
    if question.circles and state in way:
        return int(question.endless) == value
    return bool(line) and abs(value) == WIN and _is_foreseen(run, question, knowledge, state)


def _plain(value: int) -> int:
    """A result without the plies to the end, which tables of solved positions know."""
    return value if abs(value) < WIN_EDGE else WIN if value > 0 else -WIN


def _is_foreseen(run: Run, question: Question, knowledge: ProofKnowledge, state: State) -> bool:
    if not question.knows:
        return False
    whose = int(turn(run.rules, state))
    wants_win = int(question.target) > 0
    return int(foreseen(knowledge, state, 0 if wants_win == (whose > 0) else -1)) != 0


def allowed(run: Run) -> int:
    """How many nodes may be spent on a line."""
    return 2 * int(run.work.nodes) + SPARE


def from_tree(
    run: Run, question: Question, knowledge: ProofKnowledge, tree: ProofTree, megabytes: float
) -> tuple[list[int], int]:
    """The line of a tree whose root is solved, and what is below its end in another tree that is grown from there; and how
    many nodes that took."""
    line, at = line_of(tree), ROOT
    while tree.nodes["kind"][at] == GROWN:
        at = int(tree.nodes["best"][at])
    state = run.position.state
    for move in line:
        state = play(run.rules, state, move)
    known = bool(tree.nodes["over"][at]) or _is_foreseen(run, question, knowledge, state)
    if known or question.circles or not line:
        return line, 0
    inner = new_proof_tree(megabytes)
    with run.aside(allowed(run)) as work:
        do_job(run.rules, knowledge, work, question, tree, inner, run.position.state, at, len(inner.nodes), 0)
    solved = 0 in (int(inner.nodes["proof"][ROOT]), int(inner.nodes["disproof"][ROOT]))
    return [*line, *(line_of(inner) if solved else [])], int(work.nodes)


def from_table(run: Run, question: Question, yes: bool, line: list[int]) -> tuple[list[int], int]:
    """A line that a table knows, and how it goes on where that has forgotten; and how many nodes that took."""
    from engines.parts.proof.maker import Interrupted, Maker

    position: Position = run.position
    for move in line:
        position = position.play(move)
    if position.is_over or question.circles or not line:
        return line, 0
    line = list(line)
    with run.aside(allowed(run)) as work:
        maker = Maker(run.position, question.copy(), yes, None, work, LONGEST, run.solved)
        while not position.is_over and len(line) < LONGEST:
            if question.knows and _is_foreseen(run, question, maker.knowledge, position.state):
                break
            move = position.game.legal_moves(position.state)[0]
            if position.turn == maker.prover:
                try:
                    move = maker.choice(position, NOBODY, 0)
                except Interrupted:
                    break
            line.append(move)
            position = position.play(move)
    return line, int(work.nodes)
