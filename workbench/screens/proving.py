"""A proof on the screen: wait for it, with a dialog if it is not there at once, and then show its tree."""

from __future__ import annotations

from pathlib import Path

from textual.screen import Screen

from engines.contract import InputError
from engines.proof_making import Interrupted
from workbench.dialogs.proof import ProofDialog
from workbench.proving import CheckedProof, ProofWork
from workbench.screens.tree import TreeScreen

PATIENCE = 0.15
"""Seconds in which a small proof is there, so that nothing has to be said of waiting."""


def show_proof(screen: Screen[None], source: ProofWork | Path) -> None:
    """Make a proof, or read one, and show it on top of a screen."""
    proving = CheckedProof(source).start()

    def there(ended: bool | None = True) -> None:
        if not ended:
            proving.stop()
            screen.notify("The proof was given up.")
        elif proving.running:
            screen.app.push_screen(ProofDialog(proving), there)
        else:
            _show(screen, proving)

    screen.set_timer(PATIENCE, there)


def _show(screen: Screen[None], proving: CheckedProof) -> None:
    try:
        proving.finish()
    except Interrupted:
        return
    except InputError as error:
        screen.notify(str(error), severity="warning", timeout=8, markup=False)
        return
    if not proving.proof.parts:
        screen.notify(f"{proving.proof.sentence()} Every game from here ends so: there is nothing to prove.")
    elif screen.app.screen is screen:
        screen.app.push_screen(TreeScreen(proving.recording, proving))
