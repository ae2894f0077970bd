"""What is written to the terminal so that it shows pictures: an output for each protocol.

An output knows which pictures the terminal shows, and writes what has changed since.
"""

from __future__ import annotations

import base64
import io
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from itertools import count

from rich.control import Control
from textual.geometry import Region

from workbench.drawing.man import ManPicture

FIRST_ID = 0x706C7900
"""The first of the numbers that pictures have in the terminal, so large that other programs hardly use it."""
CHUNK = 4096
"""The most letters that Kitty's protocol takes at once."""
SIXEL_COLOURS = 64
"""Enough for smooth edges: a man has few colours."""


class PictureOutput(ABC):
    """Shows pictures in the terminal."""

    covers_text = False
    """Whether text that is written where a picture is would delete it."""

    def __init__(self) -> None:
        self.shown: dict[Region, ManPicture] = {}
        """What the terminal shows now, and where."""

    @abstractmethod
    def encoded(self, png: bytes) -> str:
        """A picture as the protocol wants it. May be called in any thread."""

    @abstractmethod
    def change(self, wanted: Mapping[Region, ManPicture], encoded: Mapping[ManPicture, str]) -> str:
        """What to write so that the terminal shows other pictures; these are all in `encoded`."""

    def forget(self) -> str:
        """Take it that the terminal shows nothing any more; what to write so that this is true."""
        self.shown = {}
        return ""


class KittyOutput(PictureOutput):
    """Kitty's Terminal Graphics Protocol: a picture is sent once and then shown at any number of places, above the text."""

    def __init__(self) -> None:
        super().__init__()
        self._ids: dict[ManPicture, int] = {}
        self._new_ids = count(FIRST_ID)

    def encoded(self, png: bytes) -> str:
        return base64.standard_b64encode(png).decode()

    def change(self, wanted: Mapping[Region, ManPicture], encoded: Mapping[ManPicture, str]) -> str:
        written: list[str] = []
        for region, picture in wanted.items():
            if self.shown.get(region) != picture:
                if picture not in self._ids:
                    self._ids[picture] = next(self._new_ids)
                    written += self._sent(self._ids[picture], encoded[picture])
                written.append(Control.move_to(region.x, region.y).segment.text)
                size = f"c={region.width},r={region.height}"
                written.append(f"\x1b_Ga=p,i={self._ids[picture]},p={self._place(region)},{size},C=1,q=2\x1b\\")
        for region, picture in self.shown.items():
            if wanted.get(region) != picture:
                written.append(f"\x1b_Ga=d,d=i,i={self._ids[picture]},p={self._place(region)},q=2\x1b\\")
        self.shown = dict(wanted)
        return "".join(written)

    def forget(self) -> str:
        super().forget()
        self._ids = {}
        return "\x1b_Ga=d,d=A,q=2\x1b\\"

    @staticmethod
    def _sent(id: int, data: str) -> list[str]:
        """The escape sequences that send a picture: only the first says what it is, and `m` whether more follow."""
        starts = range(0, len(data), CHUNK)
        return [
            f"\x1b_G{'' if at else f'a=t,f=100,i={id},q=2,'}m={int(at + CHUNK < len(data))};{data[at : at + CHUNK]}\x1b\\"
            for at in starts
        ]

    @staticmethod
    def _place(region: Region) -> int:
        """The number of a place."""
        return 1 + region.x + (region.y << 12)


class SixelOutput(PictureOutput):
    """Sixel: a picture is sent again for each place, and takes the place of the text there."""

    covers_text = True

    def encoded(self, png: bytes) -> str:
        from PIL.Image import open as read_image
        from textual_image._sixel import SixelOptions, image_to_sixels  # its public modules ask the terminal on import

        sixels = image_to_sixels(read_image(io.BytesIO(png)).convert("RGB"), SixelOptions(colors=SIXEL_COLOURS))
        # A colour is used as soon as it is defined. For xterm, that does not choose it yet.
        return re.sub(r"(#\d+)(;2;\d+;\d+;\d+)", r"\1\2\1", sixels)

    def change(self, wanted: Mapping[Region, ManPicture], encoded: Mapping[ManPicture, str]) -> str:
        written = [
            Control.move_to(region.x, region.y).segment.text + encoded[picture]
            for region, picture in wanted.items()
            if self.shown.get(region) != picture
        ]
        self.shown = dict(wanted)
        return "".join(written)
