"""The Tree screen: a recorded search, or a proof, as a tree beside the board, with the reason for every node's value."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Header, Input, Static
from textual.worker import get_current_worker

from engines.contract import InputError, shown
from engines.tape.recording import PlyRow, Recording
from engines.tape.tape import NOBODY
from workbench.app.dialogs.picture import draw_into_file
from workbench.app.dialogs.typed import TypedDialog
from workbench.app.keys import bindings
from workbench.app.places import TREE
from workbench.app.widgets.base_screen import BaseScreen
from workbench.app.widgets.board import SHAPES, BoardView
from workbench.app.widgets.keys_footer import KeysFooter
from workbench.app.widgets.line import LineInput
from workbench.app.widgets.recorded.ply_bars import PlyBars
from workbench.app.widgets.recorded.tape_tree import TapeTree
from workbench.app.widgets.recorded.timeline import Timeline
from workbench.drawing.scenes.subject import of_recording
from workbench.input.files import expanded
from workbench.play.export import unused
from workbench.proofs.job import CheckedProof
from workbench.proofs.view import proof_words
from workbench.recordings.navigation import child_by, follow, next_cut, principal_leaf
from workbench.recordings.outline import ORDERS
from workbench.recordings.view import node_facts
from workbench.recordings.why.nodes import move_name, position_at
from workbench.recordings.why.reasons import why
from workbench.render.values import counted

WIDE = 110
"""From this width on the board stands beside the tree, otherwise below it."""
TALL = 40
"""From this height on a narrow screen has room for everything below the tree."""
RIGHT_SHARE = 40
"""The share of a wide screen that the board's side takes, in percent."""
LINES_BELOW = 23
"""Lines above and below the board that everything else needs."""
FEWEST_LINES = 9


class TreeScreen(BaseScreen, Screen[None]):
    """A recording to browse."""

    CSS_PATH = "../styles/tree.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 - Textual's own form
    VERTICAL_BREAKPOINTS = [(0, "-short"), (TALL, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = bindings(TREE)
    place = TREE

    def __init__(self, recording: Recording, checked: CheckedProof | None = None, node: int | None = None) -> None:
        """`checked`: the proof that the recording shows, if it is one. `node`: where to begin, if not at the last root."""
        super().__init__()
        self._begins_at = node
        self.recording = recording
        self.checked = checked
        report = recording.report
        self.title = " ".join(word for word in ("Tree:", report.algorithm, "on", report.game, report.size) if word)
        self.sub_title = counted(len(recording), "node")
        if not recording.complete:
            self.sub_title = f"the first {len(recording):,} of {counted(recording.nodes, 'node')}"
        if checked is not None:
            self.title = " ".join(word for word in ("Proof:", report.game, report.size) if word)
            self.sub_title = checked.proof.sentence()

    def compose(self) -> ComposeResult:
        yield Header()
        if self.checked is not None:
            hint = self.with_keys(" {write} writes it to a file.")
            yield Static(proof_words(self.checked.proof).append(hint, "dim"), id="proof-words")
        with Horizontal(id="tree-body"):
            with Vertical(id="tree-left"):
                yield TapeTree(self.recording, id="tape")
                yield Timeline(len(self.recording), id="timeline")
            with Vertical(id="tree-right"):
                with Vertical(id="tree-node"):
                    yield BoardView(self.recording.position, id="tree-board")
                    with VerticalScroll(id="tree-facts", can_focus=False):
                        yield Static(id="why")
                        yield Static(id="facts")
                with VerticalScroll(id="tree-plies", can_focus=False):
                    yield PlyBars(id="plies")
        yield LineInput(placeholder="A line from the root, as the game writes its moves", id="line", select_on_focus=True)
        yield KeysFooter(show_command_palette=False)

    def on_mount(self) -> None:
        """Focus the tree. The statistics by ply are counted in a thread, since that may take a second."""
        self.query_one("#tree-facts").border_title = "This node"
        title = "What is shown at each ply" if self.recording.is_proof else "What became of the nodes"
        self.query_one("#tree-plies").border_title = title
        self.query_one(Input).display = False
        self.tape.focus()
        self.count_plies()
        if self._begins_at is not None:
            self.call_after_refresh(self.tape.go_to, self._begins_at)

    @property
    def tape(self) -> TapeTree:
        """The tree widget."""
        return self.query_one(TapeTree)

    @work(thread=True)
    def count_plies(self) -> None:
        """Count in a thread how the nodes at each ply ended."""
        rows = self.recording.by_ply()
        if not get_current_worker().is_cancelled:
            self.app.call_from_thread(self._show_plies, rows)

    def _show_plies(self, rows: list[PlyRow]) -> None:
        if self.is_attached:
            self.query_one(PlyBars).take(rows, self.recording.is_proof)

    # Details of a node.

    def on_tape_tree_node_chosen(self, message: TapeTree.NodeChosen) -> None:
        """Show the details of the node at the cursor."""
        node, recording = message.node, self.recording
        position = position_at(recording, node)
        last = position.back()
        squares = last.game.move_squares(last.state, position.played[-1]) if position.played else ()
        self.query_one(BoardView).show(position, squares)
        self.query_one("#facts", Static).update(node_facts(recording, node))
        self.query_one("#why", Static).update(Text(why(recording, node)))
        self.query_one(Timeline).show(node)

    # Actions.

    def action_cut(self, step: int) -> None:
        """Go to the next cutoff in the order of the search, or to the one before."""
        node = next_cut(self.recording, self.tape.node, step)
        if node == NOBODY:
            self.notify("There is no further cut." if step > 0 else "There is no earlier cut.")
        else:
            self.tape.go_to(node)

    def action_principal(self) -> None:
        """Go to the end of the principal variation."""
        node = principal_leaf(self.recording)
        if node == NOBODY:
            self.notify("There is no line: the tape is empty.")
        else:
            self.tape.go_to(node)

    def action_step(self, step: int) -> None:
        """Go to the node that the search entered next, or to the one before."""
        if len(self.recording):
            self.tape.go_to(min(max(self.tape.node + step, 0), len(self.recording) - 1))

    def action_watch(self) -> None:
        """Watch the search from the node at the cursor on."""
        from workbench.app.screens.watch import WatchScreen, open_watch

        iterates = self.recording.algorithm.iterates  # then the nodes that are watched have other numbers
        below = [screen for screen in self.app.screen_stack if isinstance(screen, WatchScreen)]
        if below and below[-1].recording is self.recording:
            self.dismiss()
            if not iterates:
                below[-1].show_node(self.tape.node)
        elif len(self.recording):
            open_watch(self, self.recording.report, self.recording, None if iterates else self.tape.node)

    def action_sort(self) -> None:
        """Sort the children by the next criterion."""
        tape = self.tape
        tape.sort_by(ORDERS[(ORDERS.index(tape.sorted_by) + 1) % len(ORDERS)])

    def action_plies(self) -> None:
        """On a small screen, show the plies in place of the node, or the node again."""
        self.toggle_class("-plies")

    def action_write(self) -> None:
        """Write the proof to a file; or draw the tree below this node."""
        if self.checked is None:
            self._draw_into_file()
            return
        proof, report = self.checked.proof, self.recording.report
        usual = unused(f"{report.game} {report.size}".strip(), ".proof")

        def typed(text: str | None) -> None:
            if not text:
                return
            path = expanded(text)
            try:
                proof.save(path)
            except InputError as error:
                self.notify(str(error), severity="warning", markup=False)
            else:
                self.notify(f"The proof is in {shown(str(path), 80)}.", markup=False)

        hint = "plybench proof checks it again, and Open shows it."
        self.app.push_screen(TypedDialog("Write the proof to a file", hint, str(usual)), typed)

    def _draw_into_file(self) -> None:
        recording, report = self.recording, self.recording.report
        here = self.tape.node
        moves = [move_name(recording, node) for node in recording.path(here)[1:]] if here != NOBODY else []
        make = of_recording(report, recording, recording.position, " ".join(moves))
        draw_into_file(self, f"{report.algorithm} {report.game}", make)

    def action_ask(self) -> None:
        """Ask for a line of moves to go to."""
        line = self.query_one(Input)
        line.display = True
        line.focus()

    def action_leave(self) -> None:
        """Close the question, or return to the Analyse screen."""
        if self.query_one(Input).display:
            self._put_question_away()
        else:
            self.dismiss()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable the switch to the plies where they are always visible, and watching where there is a proof."""
        if action == "watch":
            return self.checked is None
        return action != "plies" or (self.size.width < WIDE and self.size.height < TALL)

    def on_resize(self) -> None:
        """Fit the board to the new size; other actions may be available now."""
        self.query_one(BoardView).styles.height = self._board_height() if self.size.width >= WIDE else "1fr"
        self.refresh_bindings()

    def _board_height(self) -> int:
        """Lines for the board where it stands above the rest."""
        game, state = self.recording.position.game, self.recording.position.state
        room = self.size.height - LINES_BELOW
        grid = game.grid(state)
        if grid is None:
            return max(min(game.diagram(state).count("\n") + 1, room), FEWEST_LINES)
        rows, columns = len(grid.letters), len(grid.column_names)
        across = self.size.width * RIGHT_SHARE // 100
        fitting = [high for wide, high in SHAPES if columns * wide + 3 <= across and rows * high + 1 <= room]
        return rows * max(fitting, default=1) + 1

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Follow the typed line of moves as far as it exists in the tree."""
        self._put_question_away()
        if not len(self.recording):
            return
        root = self.recording.path(self.tape.node)[0]
        node, problem = follow(self.recording, root, message.value)
        if problem is not None:
            self.notify(problem, severity="warning", markup=False)
        if message.value.strip():
            self.tape.go_to(node)

    def _put_question_away(self) -> None:
        self.query_one(Input).display = False
        self.tape.focus()

    def on_timeline_sought(self, message: Timeline.Sought) -> None:
        """Go to the node at the clicked place of the timeline."""
        if len(self.recording):
            self.tape.go_to(message.node)

    def on_board_view_played(self, message: BoardView.Played) -> None:
        """Go to the child that a move on the board leads to."""
        for move in message.moves:
            child = child_by(self.recording, self.tape.node, move)
            if child != NOBODY:
                self.tape.go_to(child)
                return
        self.notify("That move was not searched here.", severity="warning")
