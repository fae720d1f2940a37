"""The current game: a deal, and the commands given since.

A deal's number seeds random, which decides the cards and every later shuffle. A script started with a seed seeds random
only once; its later games have no number and continue its stream. The last positions are recorded; earlier ones are
found by dealing again and replaying the moves.
"""

from __future__ import annotations

import bisect
import copy
import enum
import random
from collections import deque
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from patience import rules
from patience.layout import Layout
from patience.rules import Refused, Rules, check, read
from patience.text import printable, tidy
from patience.positions import copy_of, position_after, preserve_random_state, same

if TYPE_CHECKING:
    from patience import Move, Position
    from patience.decks import Deal

MAX_RECORDED = 300  # positions
SEPARATOR = "; "  # between the moves of a command, as it is typed
FURTHER = "  "  # before each further move of a command, on a line of a saved game
MAX_QUOTED = 80  # letters of a line


class Snapshot(NamedTuple):
    """The state before a command."""

    position: Position
    random_state: tuple[Any, ...]


class Command(NamedTuple):
    """One thing that a player asked for."""

    moves: tuple[Move, ...]  # a run of draws has several


class MoveStyle(enum.Enum):
    """How a move is written."""

    COMMAND = 0  # as it is typed, and what it does: `TT 3 5  9♦ onto 10♠`
    NAMES = 1  # what it does, for a player, who types it as 9d 10s: `9♦ onto 10♠`


def describe_move(rules: Rules, position: Position, move: Move, form: MoveStyle, sign: str = "  ") -> str:
    """Return a legal move in this form. sign: what stands between the command and its effect."""
    line, does = rules.write(*move), tidy(rules.describe(position, *move))
    return does if form is MoveStyle.NAMES else f"{line}{sign}{does}"


def describe_command(rules: Rules, before: Position, after: Position, command: Command, form: MoveStyle) -> str:
    """Return a command in this form. Several draws are described by their result: `drew 9: A♥ on the waste`. before,
    after: the positions before and after the command."""
    first, *more = command.moves
    waste = getattr(after, "waste", [])
    if first[0] == rules.DRAW_WORD and waste and (more or first[1:]):
        count = f" {len(command.moves)}" if more else ""
        line = f"{rules.write(*first)}  " if form is MoveStyle.COMMAND and not more else ""
        return f"{line}drew{count}: {str(waste[-1]).strip()} on the waste"
    if not more:
        return describe_move(rules, before, first, form)
    return SEPARATOR.join(rules.write(*move) for move in command.moves)


class Game:
    """A deal and its commands."""

    def __init__(self, deal: Deal) -> None:
        """Deal the cards. Raises MissingMethod."""
        self.deal = deal
        self.commands = []  # since the deal
        self.undone = []  # commands taken back; the last in the list is redone first
        self.history = deque(maxlen=MAX_RECORDED)  # a Snapshot for each of the last commands
        if deal.number is not None:
            random.seed(deal.number)
        self.random_state = random.getstate()  # at the deal
        self.replay([])

    @property
    def position(self) -> Position:
        """The current position. The positions before it no longer change."""
        return self.layout.position

    @position.setter
    def position(self, position: Position) -> None:
        self.layout = Layout(self.rules, position)

    @property
    def moves(self) -> list[Move]:
        """The moves of all commands."""
        return [move for command in self.commands for move in command.moves]

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.deal.rules

    def replay(self, commands: Sequence[Command]) -> None:
        """Deal the same game again and carry out these commands; self.commands then holds exactly these."""
        random.setstate(self.random_state)
        self.position = rules.deal(self.rules, self.deal.options, self.deal.cards or ())
        self.commands = []
        self.history.clear()
        for command in commands:
            self.carry_out(command)

    def carry_out(self, command: Command) -> None:
        """Make the moves of a command that was carried out before."""
        self.record()
        for move in command.moves:
            self.rules.perform(self.position, *move)
        self.commands.append(command)

    def record(self) -> None:
        """Record the state before a command, which changes a copy of the position."""
        self.history.append(Snapshot(self.position, random.getstate()))
        self.position = copy_of(self.position)

    def perform(self, *moves: Move) -> str:
        """Make moves as one command, which stops when the game is over; return the game's messages about them. Raises
        Refused, with nothing changed, if the first move is not allowed; if a later one is not, that is a bug in the
        caller."""
        check(self.rules, self.position, moves[0])
        self.record()
        self.commands.append(Command(()))
        self.undone, messages = [], []
        for move in moves:
            if self.commands[-1].moves and self.outcome():
                break
            check(self.rules, self.position, move)
            messages.append(tidy(self.rules.perform(self.position, *move)))
            self.commands[-1] = Command((*self.commands[-1].moves, move))
        return "\n".join(filter(None, messages))

    def perform_lines(self, saved: Sequence[str], first: int = 1) -> None:
        """Carry out the commands of a saved game, whose lines are those of list_lines. first: the number of the first
        line. Raises ValueError, which names the command that is refused."""
        commands: list[tuple[int, list[str]]] = []
        for number, line in enumerate(saved, start=first):
            if line[:1].isspace() and commands:
                commands[-1][1].append(line)
            elif line:
                commands.append((number, [line]))
        for number, of_command in commands:
            try:
                moves = [read(self.rules, line) for line in of_command]
                if any(move[0] in self.rules.VIEWS for move in moves):
                    raise Refused("it only looks")
                self.perform(*moves)
            except Refused:
                raise ValueError(f"line {number} is refused: {printable(of_command[0][:MAX_QUOTED])!r}.") from None

    def snapshot(self) -> Game:
        """Return a copy that later commands do not change."""
        copied = copy.copy(self)
        copied.position, copied.history = copy_of(self.position), self.history.copy()
        copied.commands, copied.undone = list(self.commands), list(self.undone)
        return copied

    def positions(self, first: int = 0) -> list[Position]:
        """Return the position before each command, starting with the one at index first, and then the current position.
        The caller must not change these positions."""
        recorded = len(self.commands) - len(self.history)
        recorded_positions = [one.position for one in self.history][max(0, first - recorded) :] + [self.position]
        if first >= recorded:
            return recorded_positions
        trial = copy.copy(self)
        trial.history = deque(maxlen=0)  # those are recorded already
        early_positions = []
        with preserve_random_state():
            trial.replay(self.commands[:first])
            for command in self.commands[first:recorded]:
                early_positions.append(copy_of(trial.position))
                trial.carry_out(command)
        return early_positions + recorded_positions

    def undo(self, count: int = 1) -> list[Command]:
        """Take back the last count commands, or all of them if there are fewer; return them in the order they were
        made. Raises Refused if there are none."""
        if not self.commands:
            raise Refused("There is nothing to undo.")
        remaining, taken_back = self.commands[:-count], self.commands[-count:]
        if len(taken_back) <= len(self.history):
            for _ in taken_back:
                self.position, random_state = self.history.pop()
            random.setstate(random_state)
            self.commands = remaining
        else:
            self.replay(remaining)
        self.undone += reversed(taken_back)
        return taken_back

    def redo(self, count: int = 1) -> list[Command]:
        """Redo the commands taken back most recently; return them in the order they are carried out. Raises Refused if
        there are none."""
        if not self.undone:
            raise Refused("There is nothing to redo.")
        commands = self.undone[: -count - 1 : -1]
        del self.undone[-count:]
        for command in commands:
            self.carry_out(command)
        return commands

    def list_lines(self) -> list[str]:
        """Return the line to type for each move. Those of a command after its first are indented."""
        return [
            FURTHER * (number > 0) + self.rules.write(*move)
            for command in self.commands
            for number, move in enumerate(command.moves)
        ]

    def lines(self, first: int, form: MoveStyle = MoveStyle.COMMAND) -> list[str]:
        """Return a line in this form for each command, starting at index first."""
        return [
            describe_command(self.rules, before, after, command, form)
            for command, (before, after) in zip(self.commands[first:], pairwise(self.positions(first)))
        ]

    def after(self, moves: Sequence[Move]) -> Game:
        """Return a copy with these moves made, each as a command. The random stream is not changed."""
        trial = self.snapshot()
        with preserve_random_state():
            for move in moves:
                trial.carry_out(Command((move,)))
        return trial

    def outcome(self) -> str | None:
        """Return the closing line of a finished game, or None."""
        reason = "You won!" if self.rules.check_win(self.position) else self.rules.check_loss(self.position)
        return reason and tidy(reason)

    def legal_moves(self) -> list[Move]:
        """Return the legal moves, most useful first. Moves that only reverse the last command come last, so that
        hints do not go in circles."""
        moves = self.layout.legal_moves
        if not self.commands:
            return moves
        before = self.positions(len(self.commands) - 1)[0]
        back = [move for move in moves if same(position_after(self.rules, self.position, move), before)]
        return [move for move in moves if move not in back] + back

    def way_back(
        self, can_win: Callable[[Game], Any], is_open: Callable[[Position], bool] = lambda position: True
    ) -> int | None:
        """Return the smallest number of commands that must be taken back to make the game winnable, or None. is_open:
        tests whether a position may be used; if it may not, neither may any earlier one. A lost game stays lost, so
        bisection finds the number. The game and the random stream are not changed."""
        trial, positions = copy.copy(self), self.positions()
        most = next(
            (back for back, position in enumerate(positions[-2::-1]) if not is_open(position)), len(self.commands)
        )

        def can_win_without(back: int) -> bool:
            trial.position, trial.commands = positions[-1 - back], self.commands[: len(self.commands) - back]
            return bool(can_win(trial))

        with preserve_random_state():
            back = bisect.bisect_left(range(most + 1), True, lo=1, key=can_win_without)
        return back if back <= most else None
