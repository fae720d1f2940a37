"""The words of every game, in one table: what each is for, and the function that answers it. A function takes the
Session and the argument typed after the word (a number, a word or None), and returns the reply: text, a ShowBoard to be
shown, or None. A new word needs a function and a row in the table; docs/playing.md names it.
"""

from __future__ import annotations


from collections.abc import Callable
from typing import Any, NamedTuple, Optional

from patience.table.words import leaving, moves, options_page, piles, thinking


class Word(NamedTuple):
    """A word that every game knows."""

    argument: str  # that may follow: "count", "undo" (a count, or "to" and a number), "word", "text", "daily", or ""
    function: Optional[Callable[..., Any]]  # None for help, whose function reads this table
    short_help: str
    long_help: str  # for this word


# The table of the words, in groups that belong together in the help.
WORD_GROUPS = (
    {
        "help": Word("word", None, "the commands", "show the commands; help solve: what solve does"),
        "board": Word("", piles.show_board, "the board", "show the board again"),
        "look": Word("text", piles.look, "the piles",
                     "show what lies in all piles; look waste, look c5: in that one"),
        "where": Word("text", piles.where, "where a card is", "show where a card lies, and what lies on it: where 9d"),
        "tops": Word("", piles.show_tops, "what can be played", "show the cards that you can play, and play onto"),
        "status": Word("", piles.show_status, "how the game stands",
                       "show the deal, the moves, the time, and how far along the game is"),
        "again": Word("", leaving.repeat, "the last answer", "repeat the last answer"),
        "deal": Word("", thinking.show_deal, "this deal",
                     "show the command that deals this game again, and how hard it is"),
    },
    {
        "hint": Word("", thinking.show_hint, "a good move",
                     "suggest the best move from what you can see; again: the next best"),
        "moves": Word("", moves.show_moves, "the moves",
                      "list the legal moves; a number plays one"),
        "solve": Word("count", thinking.show_solution, "winnable?",
                      "look under the cards: can it be won? solve 5: show five commands"),
    },
    {
        "undo": Word("undo", moves.undo, "take back",
                     "take back the last command; undo 5: five; undo to 21: number 21 and all after it"),
        "redo": Word("count", moves.redo, "do it again", "carry out again what was undone; redo 5: five commands"),
        "restart": Word("", moves.restart, "start again", "deal this game again"),
    },
    {
        "rules": Word("", leaving.show_rules, "the rules", "show the rules"),
        "history": Word("count", moves.show_history, "your moves",
                        "show the last commands and their numbers; history 99: the last 99"),
        "review": Word("count", thinking.show_review, "your choices",
                       "show what your last 300 choices cost, going by what you knew then; review 999: the last 999"),
    },
    {
        "new": Word("", leaving.new, "another game", "deal another game"),
        "list": Word("", leaving.leave_for_the_list, "the list",
                     "save this game, and choose another one from the list"),
        "options": Word("text", options_page.show_options, "your options",
                        "change how the table looks and how games are dealt; options mouse off: one option"),
        "stats": Word("daily", leaving.show_stats, "your results",
                      "show the results of your games; stats daily: the daily deals"),
        "quit": Word("", leaving.leave, "leave", "leave; the game is saved"),
    },
)  # fmt: skip
WORDS = {name: word for group in WORD_GROUPS for name, word in group.items()}
LETTERS = {"h": "help", "u": "undo", "r": "restart", "n": "new", "q": "quit"}
SPELLINGS = {
    **LETTERS,
    "?": "hint",
    "exit": "quit",
    "menu": "list",
    "blanks": "tops",
    "time": "status",
}
PHRASES = {"what can i do": "moves", "what can i play": "moves"}
ANSWERS = {"y": "new", "yes": "new", "no": "quit"}  # to the question at the end of a game
COUNTS = ("count", "undo")
