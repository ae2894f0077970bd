"""The keys at the foot of a screen."""

from __future__ import annotations

from textual.widgets import Footer


class KeysFooter(Footer):
    """Textual's own keeps every key that it has ever shown, and they are made anew whenever a dialog opens or closes: each
    is bound to what the footer looks like, and such a binding outlives it. Here those of keys that are gone go too."""

    async def recompose(self) -> None:
        """Show the keys of now."""
        await super().recompose()
        for bound in getattr(self, "__watchers", {}).values():
            bound[:] = [(widget, setter) for widget, setter in bound if not widget._closing]
