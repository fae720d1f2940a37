"""What a session remembers: the clock, hints, and the numbers of a review."""

import random
import time

import pytest

import helpers
from helpers import game_of, run
from patience.table import play as playing, saving
from patience.advice import review, solve
from patience.table.consoles import Console
from patience.table.session import Session
from patience.table.records import store
from patience.rules import Refused
from patience.table.words import thinking
from patience.table.words.moves import undo


def session(**columns):
    """Return a Session with a console that does nothing, and a row that is not saved."""
    saved = store.SavedGame(owner="window", **columns)
    return Session(game_of("klondike", {"draw": "3", "passes": "unlimited"}), Console(), saved=saved)


def test_the_players_clock_stands_while_the_program_thinks(monkeypatch):
    play, now = session(), [100.0]
    play.notes.since = 60.0
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    thinking.think(play, "Thinking ...", lambda: now.append(now.pop() + 20), None)
    saving.count_time(play)
    assert play.saved.seconds == 40


def test_what_a_win_counted_does_not_change_afterwards():
    """After the win is taken back, neither the clock nor the number of hints increases, and no other numbers are
    shown."""
    play = session(state=store.Outcome.WON, seconds=187.0, hints=1)
    play.notes.since -= 500
    saving.count_time(play)
    thinking.count_hint(play)
    assert (play.saved.seconds, play.saved.hints) == (187.0, 1)


def test_the_review_of_a_game_that_cannot_be_won_names_what_lost_it(monkeypatch):
    monkeypatch.setattr(solve, "POSITIONS", 1_000)
    game = game_of("montana", {"shuffles": "0"}, 376)
    assert review.describe_losing_move(game, review.MoveStyle.NAMES) == []
    while game.legal_moves():
        game.perform(game.legal_moves()[0])
    assert game.outcome() is None, "nothing can move, and the game goes on"
    (line,) = review.describe_losing_move(game, review.MoveStyle.NAMES)
    assert line.startswith("With all cards known, command ") and " lost the deal: " in line


def test_a_draw_command_without_a_text_is_no_bug_of_help(monkeypatch):
    rules = helpers.rules_of("quadzilla")
    text = "D           end the turn: deal the next four cards\n"
    assert text in rules.COMMANDS
    monkeypatch.setattr(rules, "COMMANDS", rules.COMMANDS.replace(text, "D\n"))
    told = helpers.heard("quadzilla --seed 3", "help")[0]
    assert "ran into a bug" not in told and "draw" in told


def test_through_a_pipe_the_next_game_counts_as_one_with_help_too():
    run("play klondike --seed 8", "new\nd\n")
    assert [saved.solved for saved in store.in_progress()] == [1], "nobody knows who plays"


def test_a_game_that_was_begun_is_saved_before_a_new_one():
    shown = run("play klondike --seed 8", "ac\nnew\nnew\nq\n").stdout.decode()
    assert shown.count("The previous game is saved; list shows it.") == 1
    assert [(saved.number, saved.count) for saved in store.in_progress()] == [(8, 1)]


def test_a_win_that_cannot_be_written_does_not_count_as_written(monkeypatch):
    play = session()
    play.game.perform(("SW",))
    monkeypatch.setattr(play.game.rules, "check_win", lambda _: True)
    monkeypatch.setattr(store, "save", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    monkeypatch.setattr(play.console, "say", lambda text: None)
    assert not saving.save(play) and play.saved.state == store.Outcome.PLAYING and not play.notes.is_new_win


@pytest.mark.parametrize("minutes, counted", [(4, 240), (7, 300)])
def test_the_clock_pauses_after_five_minutes_without_a_line(minutes, counted, monkeypatch):
    play, now = session(), [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    play.notes.since = 0.0
    monkeypatch.setattr(play.console, "ask", lambda _: now.append(now.pop() + 60 * minutes) or "status")
    monkeypatch.setattr(play.console, "say", lambda text: None)
    assert playing.ask(play) == "status"
    saving.count_time(play)
    assert play.saved.seconds == counted


def test_after_a_bug_the_next_shuffle_is_the_one_it_would_have_been():
    play = session()
    before, snapshot = random.getstate(), play.snapshot()
    random.random()
    play.restore(snapshot)
    assert random.getstate() == before


def test_undo_to_a_command_after_the_last_is_refused():
    play = session()
    play.game.perform(("SW",))
    with pytest.raises(Refused, match="The last command is number 1"):
        undo(play, ("to", 2))
    assert len(play.game.commands) == 1
    undo(play, ("to", 1))
    assert not play.game.commands
