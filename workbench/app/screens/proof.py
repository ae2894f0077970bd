"""Shows a proof: waits until it is made and checked, then opens its tree."""

from __future__ import annotations

from pathlib import Path

from textual.screen import Screen

from engines.contract import InputError
from workbench.app.dialogs.waiting import WaitingDialog
from workbench.app.screens.tree import TreeScreen
from workbench.proofs.job import CheckedProof, ProofWork


def show_proof(screen: Screen[None], source: ProofWork | Path) -> None:
    """Make or read a proof, and show it on top of a screen."""
    proving = CheckedProof(source).start()

    def there(ended: bool | None) -> None:
        if ended:
            _show(screen, proving)
        else:
            proving.stop()
            screen.notify("The proof was given up.")

    screen.app.push_screen(WaitingDialog("Proof", proving), there)


def _show(screen: Screen[None], proving: CheckedProof) -> None:
    try:
        proving.finish()
    except InputError as error:
        screen.notify(str(error), severity="warning", timeout=8, markup=False)
        return
    if proving.proof.parts:
        screen.app.push_screen(TreeScreen(proving.recording, proving))
    else:
        screen.notify(f"{proving.proof.sentence()} Every game from here ends so: there is nothing to prove.", markup=False)
