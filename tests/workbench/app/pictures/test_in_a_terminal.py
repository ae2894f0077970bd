"""The real app in a terminal that knows Sixel, and in one that does not answer."""

from __future__ import annotations

import os
from pathlib import Path
from time import sleep

import pytest

from tests.workbench.terminal import Terminal

ASKED, PICTURE = b"\x1b[c", b"\x1bP0;0;0q"
WITH_SIXEL = b"\x1b[?63;1;2;4;6;9;15;16;22;28c"
WITHOUT = b"\x1b[?64;1;2;6;9;15;16;17;18;21;22;28c"
"""What xterm says as a VT340, and as what it is else."""


@pytest.mark.parametrize("answer", [WITH_SIXEL, WITHOUT, b""])
def test_pictures_come_when_the_terminal_says_it_knows_sixel(
    answer: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TMUX", "STY", "NO_COLOR", "TEXTUAL_DRIVER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PLYBENCH_PIECES", "")
    with Terminal(tmp_path, "open", "startpos", "--game", "chess", size=(56, 150, 150 * 8, 56 * 16)) as terminal:
        terminal.until(lambda: ASKED in terminal.seen, "the terminal was not asked")
        assert b"Plybench" in terminal.seen, "the first frame comes before the question"
        os.write(terminal.master, answer)
        if answer == WITH_SIXEL:
            terminal.until(lambda: terminal.seen.count(PICTURE) == 32, "there are not all pictures")
        terminal.until_drawn(" palette")
        sleep(0.5)
        assert b"Escape closes" not in terminal.seen, "the answer, which has a question mark, was taken for keys"
        terminal.press("?", drawn="Escape closes")
        assert terminal.seen.count(PICTURE) == (32 if answer == WITH_SIXEL else 0)
