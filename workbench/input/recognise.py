"""What the user named or pasted, without being told which game it is of: a notation, a line of moves, or a file with a game,
positions, a session, a tape or a proof in it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from engines import catalog
from engines.contract import InputError, Setting, shown
from engines.game import Game
from engines.notation import CERTAIN, LIKELY, POSSIBLE
from engines.position import Position
from positions import files
from workbench.input import files as file_contents
from workbench.input.files import Contents, FileItem
from workbench.render.values import counted

if TYPE_CHECKING:
    from workbench.input.pictured import Drawn
    from workbench.sessions.model import Session, Study


@dataclass(frozen=True)
class Recognised:
    """A position, and what it was found in."""

    position: Position
    title: str = ""
    study: Study | None = None
    """The whole game, if it is from a PGN."""
    session: Session | None = None
    file: Path | None = None
    """The file of the session, if it is one."""
    proof: Path | None = None
    portable: Path | None = None
    """The file, if it is a portable session: `session` is what is in it, and not among the others yet."""
    remarks: Sequence[str] = ()
    """Sentences about what could not be read."""
    drawn: Drawn | None = None
    """The search that a picture shows, if it is one: `session` has its position."""

    def as_session(self) -> Session | None:
        """The session that it is, or that its game makes; None if it is a position alone."""
        if self.session is None and self.study is not None:
            from workbench.sessions.model import LONGEST_NAME, Session

            return Session.of((self.title or "untitled")[:LONGEST_NAME], self.study)
        return self.session


@dataclass(frozen=True)
class Notation:
    """A position in a file, as notation."""

    text: str
    game: str
    size: str = ""
    options: Mapping[str, Setting] = field(default_factory=dict)
    remarks: Sequence[str] = ()


def named(text: str, game: str | None) -> Notation | None:
    """The position that the user chose in a file; None if the text does not name a file."""
    if text in ("", "-", "startpos"):
        return None
    at = file_contents.named(text)
    if at is not None and (known := own_file(at[0])) is not None:
        where = known.position
        if game not in (None, where.game.id):
            raise InputError(f"{shown(at[0].name, 80)} is of {where.game.id}, not of {game}.")
        return Notation(where.text, where.game.id, where.game.size, where.game.options)
    if catalog.may_have_pgn(game) and (at is None or game or files.is_named(at[0].name) or files.is_pgn(at[0])):
        found = files.find_with_remarks(text)
        return None if found is None else Notation(found[0], catalog.pgn_game(), remarks=found[1])
    if at is None:
        return None
    where = file_contents.contents(at[0], at[1] or "1", game or catalog.pgn_game())[0].read()
    return Notation(where.text, where.game.id, where.game.size)


def whole_file(text: str, game: str | None) -> Recognised | None:
    """What a file has that is more than a position: a game, a session, a tape, a proof; None if there is none."""
    at = file_contents.named(text) if text not in ("", "-", "startpos") else None
    if at is None:
        return None
    known = own_file(at[0])
    if known is None and catalog.may_have_pgn(game) and files.is_pgn(at[0]):
        return in_file(*at)
    return known if known is None or game in (None, known.position.game.id) else None


def pasted_game(text: str) -> str | None:
    """The position at the end of a PGN that was pasted as a whole; None if the text is none."""
    if not re.match(r'\s*\[\s*[A-Za-z0-9_]+\s+"', text):
        return None
    from positions import pgn

    return pgn.position_text(text)


def pasted_study(text: str) -> tuple[Study, Sequence[str]] | None:
    """The first game of a PGN that was pasted as a whole, with its variations and comments; None if the text is none."""
    if pasted_game(text) is None:
        return None
    from positions import pgn
    from workbench.sessions.pgn import study_at

    tree = pgn.read_tree(text.splitlines(keepends=True), 1)
    return study_at(tree, pgn.line_so_far(tree, (), None)), tree.remarks


def in_file(path: Path, selector: str, game: str | None = None) -> Recognised:
    """What is in a file, or chosen in it; where several games could read it, this one is the first to try."""
    if (known := own_file(path)) is not None:
        return known
    row = file_contents.contents(path, selector or "1", game or catalog.pgn_game())[0]
    if row.study is not None:
        study, remarks = row.study()
        return Recognised(study.position(), row.title, study, remarks=remarks)
    return Recognised(row.read(), "")


def listed(path: Path, selector: str, game: str) -> Contents:
    """What a list shows of a file: its games or positions, or the one session, tape or proof that it is."""
    known = own_file(path)
    if known is None or known.proof is not None:
        return file_contents.contents(path, selector, game)
    assert known.session is not None
    studies = counted(len(known.session.studies), "position")
    searches = counted(sum(len(study.searches) for study in known.session.studies), "search")
    kind = "a recorded search" if known.file is known.portable is None else "a session"
    about = f"{kind}: {studies}, {searches}"
    if known.drawn is not None:
        kind = "a picture"
        about = f"a picture of {f'{known.drawn.algorithm} on ' if known.drawn.algorithm else ''}{known.position.game.title}"
    found = Contents([FileItem(known.session.name, kind, about, lambda: known.position, own=path)])
    found.total = 1
    return found


def own_file(path: Path) -> Recognised | None:
    """A session, portable or not, a tape, a proof or a picture; None if it is none of Plybench's own files."""
    from workbench.input import pictured
    from workbench.portable import archive, handover

    try:
        with path.open("rb") as stream:
            head = stream.read(400)
        portable = archive.is_portable(path)
    except OSError as error:
        raise InputError(f"{shown(str(path), 80)} cannot be read: {error.strerror}.") from None
    if portable:
        session = handover.read(path)
        return Recognised(session.study.position(), session.study.title, session=session, portable=path)
    if head.startswith(b"PK"):
        return _proof_or_tape(path)
    if re.match(rb'\s*\{\s*"format"\s*:\s*"plybench session', head):
        from workbench.sessions import store as sessions

        session = sessions.read(path)
        return Recognised(session.study.position(), session.study.title, session=session, file=path)
    drawn = pictured.drawn_in(path)
    return _drawn(drawn, path) if drawn is not None else None


def _drawn(drawn: Drawn, path: Path) -> Recognised:
    from workbench.sessions.model import LONGEST_NAME, Session

    position = drawn.read_position()
    session = Session.new((path.stem or "picture")[:LONGEST_NAME], position, path.name[:LONGEST_NAME])
    return Recognised(position, path.name, session=session, drawn=drawn)


def _proof_or_tape(path: Path) -> Recognised:
    from engines.proofs.document import Proof
    from engines.tape.recording import Recording
    from workbench.sessions.model import Session
    from workbench.sessions.text import position_of

    try:
        return Recognised(Proof.load(path).position, proof=path)
    except InputError:
        try:
            report = Recording.load(path).report
        except InputError:
            raise InputError(
                f"{shown(str(path), 80)} is neither a tape nor a proof of Plybench, or a damaged one."
            ) from None
    session = Session.new(path.stem or "tape", position_of(report), path.name)
    session.study.add(report)
    return Recognised(session.study.position(), path.name, session=session)


def games_for(text: str) -> list[str]:
    """The games that a notation may be of, the likeliest first."""
    found = {name: catalog.game(name).resembles(text) for name in catalog.GAMES}
    least = next((level for level in (CERTAIN, LIKELY) if max(found.values()) >= level), POSSIBLE)
    return sorted((name for name in found if found[name] >= least), key=lambda name: -found[name])


def game_of(text: str, size: str | None = None) -> tuple[str, str | None]:
    """The game that a notation is of, and the size of its board if that is given, or is told by the line of moves; an
    InputError if none can read it, or it says nothing of the game."""
    if text in catalog.GAMES:
        raise InputError(f"{text} is a game; write startpos --game {text} for its start.")
    problem = f"Say which game {shown(text)} is of: --game {' | '.join(catalog.GAMES)}."
    if text.split()[:1] in ([], ["startpos"], ["moves"]):
        raise InputError(problem)
    names = games_for(text)
    for wanted in dict.fromkeys((size, None)):  # if no game can read it with this size, the one that else can says why
        for name in names:
            try:
                catalog.position(text, name, wanted)
                return name, size
            except InputError as error:
                if len(names) == 1 or catalog.game(name).is_meant_by(text):
                    problem = str(error)
    for kind in map(catalog.game, catalog.GAMES):
        if kind.line_start is not None and kind.line_start.match(text):
            return kind.id, size or _size_of_line(text, kind)
    raise InputError(problem)


def _size_of_line(text: str, kind: type[Game]) -> str:
    """The board on which a line of moves can be played that cannot be on the usual one."""
    try:
        catalog.position(text, kind.id, kind.line_size)
    except InputError as error:
        raise InputError(
            f"As a {kind.title} line, {shown(text)} fits neither the usual board nor {kind.line_size}: {error} "
            f"Say which board it is on, such as --game {kind.id} --size 5x5."
        ) from None
    return kind.line_size
