"""The footer that shows the keys of a screen."""

from __future__ import annotations

from textual.widgets import Footer


class KeysFooter(Footer):
    """A footer that does not leak memory. Textual's footer creates its keys again whenever a dialog opens or closes, and
    binds each to attributes of the footer; these bindings are never removed. Here those of removed keys are."""

    async def recompose(self) -> None:
        """Show the current keys, and drop the bindings of removed ones."""
        await super().recompose()
        for bound in getattr(self, "__watchers", {}).values():
            bound[:] = [(widget, setter) for widget, setter in bound if not widget._closing]
