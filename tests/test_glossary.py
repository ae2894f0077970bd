"""The glossary names only modules that exist, in alphabetical order."""

from __future__ import annotations

import re

from tests.copies import ROOT

ROOMS = ("engines", "positions", "workbench")
"""The top-level packages of the product."""


def entries() -> list[tuple[str, str]]:
    """Each term of the glossary with its explanation."""
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    return re.findall(r"^- \*\*(.+?)\*\*: (.+?)(?=^- |\Z)", text, re.DOTALL | re.MULTILINE)


def test_words_are_in_alphabetical_order_and_explained_once() -> None:
    words = [word.casefold() for word, _ in entries()]
    assert len(words) > 70
    assert words == sorted(set(words))


def test_every_explanation_is_short_and_ends_its_sentences() -> None:
    for word, text in entries():
        said = " ".join(re.sub(r"(,\s+)?`[a-z0-9_]+/[a-z0-9_./]+`", "", text).split())
        assert said.endswith((".", "?")), word
        assert 1 <= len(re.findall(r"[.!?](?= |$)", said)) <= 3, word


def test_every_module_that_the_glossary_names_exists() -> None:
    named = [(word, path) for word, text in entries() for path in re.findall(r"`([a-z0-9_]+/[a-z0-9_./]+)`", text)]
    assert len(named) > 60
    for word, path in named:
        assert path.split("/")[0] in ROOMS, word
        assert (ROOT / path).exists(), f"{word}: there is no {path}"
