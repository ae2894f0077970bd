"""The beginning of pictures: which protocol the terminal has, and whether what it needs is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.app.pictures.terminal import (
    ASK,
    GraphicsProtocol,
    cell_size,
    hear,
    missing_packages,
    named_protocol,
    protocol_in,
)
from workbench.render.style import plain_letters
from workbench.settings import Pictures

if TYPE_CHECKING:
    from workbench.app.app import PlybenchApp


def listen(app: PlybenchApp, wanted: Pictures) -> bool:
    """Before the app begins: make ready to hear what the terminal answers. Whether the terminal may be asked at all."""
    return named_protocol() is not None or hear(lambda answer: app.call_later(take, app, wanted, answer))


def look_for_pictures(app: PlybenchApp, wanted: Pictures) -> None:
    """Show pictures as soon as it is known that the terminal can; if they are wanted in any case, say why not."""
    if app.is_headless or app.no_color or plain_letters():
        return
    protocol = named_protocol()
    if cell_size() is None:
        _complain(app, wanted, "the terminal does not say how large its cells are")
    elif protocol is not None:
        show_pictures(app, wanted, protocol)
    elif app._driver is not None:
        app._driver.write(ASK)
        app._driver.flush()


def take(app: PlybenchApp, wanted: Pictures, answer: str) -> None:
    """Take what the terminal has answered."""
    protocol = protocol_in(answer)
    if protocol is None:
        _complain(app, wanted, "the terminal has no protocol for them")
    elif app.pictures is None:
        show_pictures(app, wanted, protocol)


def show_pictures(app: PlybenchApp, wanted: Pictures, protocol: GraphicsProtocol) -> None:
    """Show men as pictures from now on, if what that needs is installed."""
    if missing_packages(protocol):
        _complain(app, wanted, "they need packages that are not installed: pip install 'plybench[images]'")
        return
    from workbench.app.pictures.layer import PictureLayer

    app.pictures = PictureLayer(app, protocol)
    app.screen.refresh()


def _complain(app: PlybenchApp, wanted: Pictures, why: str) -> None:
    if wanted == "on":
        app.notify(f"Men are not shown as pictures: {why}.", severity="warning", timeout=10)
