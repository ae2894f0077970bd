"""Other keys for actions: from the settings file to the screen, its footer and its help; or a sentence, and no change."""

from __future__ import annotations

from itertools import pairwise

import pytest
from textual.binding import Binding
from textual.widgets import Footer, Input, Static
from textual.widgets._footer import FooterKey
from textual.widgets._toast import Toast

from engines import catalog
from engines.contract import InputError
from tests.mutation import is_sentence
from tests.workbench.app.test_app import Person, own_data, tell
from workbench.app.actions import ACTIONS, MOST_IN_FOOTER
from workbench.app.dialogs.help import HelpDialog, help_text
from workbench.app.dialogs.sessions import SessionsDialog
from workbench.app.keys import FURTHER, Keys, bindings, key_name, read_key, remapped
from workbench.app.places import COLUMNS, PLACES, START
from workbench.app.screens.analyse import AnalyseScreen
from workbench.app.screens.tree import TreeScreen
from workbench.app.verbs import VERBS
from workbench.app.widgets.recorded.tape_tree import TapeTree
from workbench.recordings.outline import ORDERS
from workbench.sessions import store as sessions
from workbench.settings import Settings, read_keys, read_settings, settings_path, write_setting

__all__ = ["own_data"]
SMALL = (80, 24)


def write(text: str) -> None:
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text(text, encoding="utf-8")


# Without a screen.


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("k", "k"),
        ("K", "K"),
        ("shift+k", "K"),
        ("?", "question_mark"),
        (",", "comma"),
        ("F5", "f5"),
        ("Space", "space"),
        ("ctrl+K", "ctrl+k"),
        ("^k", "ctrl+k"),
        ("esc", "escape"),
        ("ctrl+]", "ctrl+right_square_bracket"),
        ("right_square_bracket", "right_square_bracket"),
    ],
)
def test_keys_as_people_write_them(written: str, name: str) -> None:
    assert read_key(written) == name


def test_own_keys_do_not_clash() -> None:
    assert remapped({}) == Keys(ACTIONS)
    assert remapped({}).keymap == {}
    assert len({action.name for action in ACTIONS}) == len(ACTIONS)


@pytest.mark.parametrize("place", PLACES)
def test_a_place_has_what_its_footer_can_show(place: str) -> None:
    shown = [one for one in bindings(place) if isinstance(one, Binding) and one.show and one.id not in FURTHER]
    assert len({binding.group.description if binding.group else binding.action for binding in shown}) <= MOST_IN_FOOTER
    text = help_text(Keys(), place).plain
    assert text.startswith(PLACES[place].title), "the help begins where one is"
    assert all(action.sentence in text for action in ACTIONS), "and has everything"


@pytest.mark.parametrize("width", [58, 69, 122])
def test_no_line_of_the_help_is_wider_than_its_dialog(width: int) -> None:
    assert max(len(line) for line in help_text(Keys(), "analyse", width).plain.split("\n")) <= width


def test_a_key_has_one_meaning() -> None:
    """On every screen: no key is in two verbs, and no verb is without an action."""
    meanings = [key for verb in VERBS.values() for key in verb.keys.split(",")]
    assert len(set(meanings)) == len(meanings)
    assert len({verb.meaning for verb in VERBS.values()}) == len(VERBS)
    assert {verb for action in ACTIONS for verb in action.verb.split(",")} == set(VERBS)
    owners: dict[str, set[str]] = {}
    for action in ACTIONS:
        for key in action.keys:
            owners.setdefault(key, set()).update(
                verb for verb in action.verb.split(",") if key in VERBS[verb].keys.split(",")
            )
    assert {key: verbs for key, verbs in owners.items() if len(verbs) != 1} == {}
    numbers = {key for action in ACTIONS if action.place != START for key in action.keys}
    assert not set(COLUMNS) & numbers, "digits are columns, and what the start page numbers"


@pytest.mark.parametrize("place", PLACES)
def test_a_place_has_a_title_for_every_action_and_one_action_for_every_title(place: str) -> None:
    titles = [action.title for action in Keys().at(place) if action.id != "cancel"]
    assert len(set(titles)) == len(titles)


def test_the_help_has_no_empty_heading() -> None:
    lines = help_text(Keys(), "analyse").plain.split("\n")
    titles = {place.title for place in PLACES.values()}
    for line, after in pairwise(lines):
        assert not (line in titles and not after.strip()), line


def test_two_actions_may_swap_their_keys() -> None:
    keys = remapped({"run": ["a"], "algorithm": ["space", "F9"]})
    assert (keys.key("run"), keys.key("algorithm")) == ("a", "Space")
    assert keys.keymap == {"run": "a", "algorithm": "space,f9"}
    names = {action.name: key_name(action) for action in remapped({"flip": ["]"], "deeper": ["ctrl+d"]}).actions}
    assert (names["flip"], names["deeper"]) == ("]", "^d")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[keys]\nruns = "r"\n', "There is no action 'runs'. Did you mean run"),
        ('[keys]\nrun = "a"\n', "The key 'a' is given to both run and algorithm."),
        ('[keys]\nrun = "z"\nflip = ["k", "z"]\n', "The key 'z' is given to both run and flip."),
        ('[keys]\nhelp = "w"\n', "The key 'w' is given to both note and help."),
        ('[keys]\nhelp = "N"\n', "The key 'N' is given to both tree.last_cut and help."),
        ('[keys.tree]\nsort = "n"\n', "The key 'n' is given to both tree.next_cut and tree.sort."),
        ('[keys.tree]\nsorts = "n"\n', "There is no action 'tree.sorts'. Did you mean tree.sort?"),
        ('[keys.tree]\nsort = "space"\n', "The key space cannot be given to tree.sort: it folds and unfolds."),
        ('[keys.setup]\nclear = "q"\n', "The key q cannot be given to setup.clear: it chooses a man."),
        ('[keys.open]\nbrowse = "z"\n', "The key 'z' cannot be given to open.browse, which has to work while you type"),
        ('[keys]\nquit = "z"\n', "The key 'z' cannot be given to quit, which has to work while you type"),
        ('[keys]\nquit = "f1"\n', "The key f1 cannot be given to quit: it opens the help."),
        ('[keys]\nrun = "up"\n', "The key up cannot be given to run: it moves the cursor on the board."),
        ('[keys]\nrun = "spacebar"\n', "There is no key 'spacebar'"),
        ("[keys]\nrun = []\n", "The action run is left without a key."),
        ("[keys]\nrun = 5\n", "the key of 'run' is not '5' but written as"),
        ('keys = "r"\n', "keys is not 'r' but a table"),
        ("[keys\n", "is not valid TOML"),
    ],
)
def test_what_cannot_be_is_a_sentence(text: str, says: str) -> None:
    write(text)
    with pytest.raises(InputError) as caught:
        remapped(read_keys())
    assert says in str(caught.value)
    assert is_sentence(str(caught.value))


def test_the_other_settings_go_on_beside_the_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BOOK", "SYZYGY", "GAVIOTA"):
        monkeypatch.setenv(f"PLYBENCH_{name}", "")
    assert read_keys() == {}
    write('[keys]\nrun = "r"\nno_such_action = "x"\n')
    assert read_settings() == Settings()
    write_setting("book", "/a.bin")
    assert read_keys() == {"run": ["r"], "no_such_action": ["x"]}
    assert settings_path().read_text().startswith('book = "/a.bin"\n[keys]\n')


# Stories.


def footer(person: Person) -> dict[str, str]:
    keys = person.app.screen.query_one(Footer).query(FooterKey)
    return {key.description: key.key_display for key in keys}


def test_other_keys_work_and_are_shown() -> None:
    write(
        '[keys]\nrun = "z"\nflip = ["k", "F6"]\nalgorithm = "space"\nhelp = "y"\ntake_back = "ctrl+z"\nquit = "ctrl+x"\n'
        '[keys.tree]\nsort = "z"\nleave = ["q", "escape"]\n[keys.sessions]\ndelete = "k"\n[keys.dialog]\ncancel = "f10"\n'
    )

    async def story(person: Person) -> None:
        screen = person.app.screen
        assert isinstance(screen, AnalyseScreen)
        await person.until(lambda: bool(footer(person)))
        assert (footer(person)["Run/stop"], footer(person)["Algorithm"], footer(person)["Help"]) == ("z", "space", "y")
        assert "z starts the search" in person.text("belief")
        await person.press("x")
        assert not screen.flipped, "the old key does nothing"
        await person.press("k")
        assert screen.flipped
        await person.press("f6")
        assert not screen.flipped
        await person.press("z")
        await person.wait()
        assert person.desk.report is not None
        await person.press("question_mark")
        assert person.app.screen is screen
        await person.press("y")
        assert isinstance(person.app.screen, HelpDialog)
        text = str(person.app.screen.query_one(Static).render())
        assert "  z             Run/stop: Search to the limit" in text
        assert "  ^z            Take back: Take the last move back." in text
        assert "  ^x            Quit: End Plybench" in text
        await person.press("escape")
        assert isinstance(person.app.screen, HelpDialog), "the old key does nothing"
        await person.press("y", "S")
        assert isinstance(person.app.screen, SessionsDialog)
        await person.until(lambda: "k" in footer(person).values())  # the footer is made a moment after its screen
        before = len(sessions.listing())
        await person.press("k")
        assert len(sessions.listing()) == before - 1
        await person.press("y")
        assert str(person.app.screen.query_one(Static).render()).startswith("Sessions"), "the help begins where one is"
        await person.press("f1", "f10", "t")
        await person.until(lambda: isinstance(person.app.screen, TreeScreen))
        await person.until(lambda: footer(person).get("Sort") == "z")
        titles = [command.title for command in person.app.get_system_commands(person.app.screen)]
        assert {"Sort  ·  z", "Next cut  ·  n", "Quit  ·  ^x"} <= set(titles), "with the keys that they have now"
        tape = person.app.screen.query_one(TapeTree)
        await person.press("z")
        assert tape.sorted_by != ORDERS[0]
        await person.press("q")
        assert person.app.screen is screen
        await person.press("ctrl+q")
        assert person.app._exit is False
        await person.pilot.press("ctrl+x")
        assert person.app._exit is True

    tell(story, catalog.position("startpos", "tictactoe"), size=SMALL)


def test_brackets_in_a_sentence_are_brackets() -> None:
    write('keys = "[/r]"\n')

    async def story(person: Person) -> None:
        await person.press("m")
        await person.type("[/x]")
        first, second = person.app._notifications
        assert "[/r]" in first.message
        assert "[/x]" in second.message
        assert len(person.app.screen.query(Toast)) == 2, "and they are drawn"
        await person.press("a")
        person.app.screen.query_one("#limit-depth", Input).value = "[/y]"
        await person.press("ctrl+s")
        assert "[/y]" in str(person.app.screen.query_one("#problem", Static).render())

    tell(story, catalog.position("startpos", "tictactoe"), size=SMALL)


def test_clashing_keys_are_said_and_nothing_changes() -> None:
    write('[keys]\nrun = "a"\n')

    async def story(person: Person) -> None:
        (note,) = person.app._notifications
        assert note.message.startswith("The key 'a' is given to both run and algorithm.")
        await person.until(lambda: bool(footer(person)))
        assert (footer(person)["Run/stop"], footer(person)["Algorithm"]) == ("space", "a")
        await person.press("x")
        assert isinstance(person.app.screen, AnalyseScreen)
        assert person.app.screen.flipped

    tell(story, catalog.position("startpos", "tictactoe"), size=SMALL)
