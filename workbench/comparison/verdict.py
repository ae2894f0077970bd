"""What there is to say of all lanes of a comparison together: whether those agree that must, what is true, how they ran.

The sentences are composed here and nowhere else; terminal and app choose from them and lay them out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engines.contract import Report
from engines.position import Position
from workbench.proofs.truth import outcome_text, sentence
from workbench.sessions.comparison_types import Agreement, LaneBudget, Mode, Truth, remarks_text


@dataclass(frozen=True)
class Verdict:
    """Sentences and parts of sentences; each is empty if there is nothing to say."""

    agreement: str
    """Whether the lanes agree that must; empty as long as that has not been looked at."""
    agrees: bool
    """False if there is an error in the program."""
    has_compared: bool
    """Whether there were two results that must agree."""
    truth: str
    """The sentence on what is true of the position; empty if that is not known."""
    outcome: str
    """The same without its source: who wins and in how many plies, or the gain."""
    source: str
    budget: str
    order: str
    """Whether the lanes run together or one after another, and why."""
    remarks: str
    """What is to be minded of the lanes' values and nodes."""


def verdict(
    position: Position,
    agreement: Agreement | None,
    truth: Truth | None,
    budget: LaneBudget,
    mode: Mode,
    why: str,
    reports: Iterable[tuple[str, Report | None]],
) -> Verdict:
    """What there is to say of a comparison. Each report comes with the name of its lane."""
    return Verdict(
        agreement="" if agreement is None else agreement.sentence,
        agrees=agreement is None or agreement.agrees,
        has_compared=agreement is not None and (bool(agreement.lanes) or agreement.proofs > 1),
        truth="" if truth is None else sentence(truth, None, position),
        outcome="" if truth is None else outcome_text(truth, position.game.players),
        source="" if truth is None else truth.source,
        budget=budget.text,
        order=f"{mode} ({why})",
        remarks=remarks_text(reports),
    )
