"""The words of every game, in one table: what each is for, and the function that answers it. A function takes the
Session and the argument typed after the word, a number, a word or None, and returns the reply: text, a Board to be
shown, or None. A new word is a function and a row of the table; docs/playing.md names it.

moves       what moves do, and undo
piles       what lies on the table
advice      what hints, solver and review say
leaving     the beginning and the end of a game
"""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Sequence
from typing import Any

from patience import Move, effects, lines, sentences
from patience.game import Game
from patience.rules import INVALID_INPUT, NotUnderstood, Refused, forms
from patience.session import Session
from patience.text import card_name, printable, tidy
from patience.words import advice, leaving, moves, piles

MAX_DIGITS = 9
MAX_SKIPPED = 6  # commands that are named
GAP = re.compile(" {2,}")
EXAMPLE = "9d 10s"  # of a move by name


def show_help(session: Session, word: str | None) -> str:
    """Return the commands of the game, and the words of every game; or what one of them is for."""
    rules, console = session.game.rules, session.console
    if word and not word.isdecimal():
        known = forms(rules.COMMANDS)
        return known[word].help if word in known else help_of(session, word)
    shown = [name for name in names_of(session) if name not in console.words_on_screen]
    groups = [
        [(usage_of(session, name), WORDS[name].short_help) for name in group if name in shown] for group in WORD_GROUPS
    ]
    return console.arrange_help(rules.COMMANDS, move_by_name(session), list(filter(None, groups)), int(word or 1))


def move_by_name(session: Session) -> tuple[str, str]:
    """Return the form of a move by name for the help, and what it does."""
    rules, shown = session.game.rules, example(session.game)
    if not rules.DRAW_WORD:
        return shown, "by name"
    draws = forms(rules.COMMANDS)[rules.DRAW_WORD].help
    draw = (re.split("  +|[,:;]", draws)[1:] or ["draw"])[0]  # in Quadzilla: end the turn
    return f"{shown}, d", f"move, {draw}"


# argument: what may follow the word: a "count"; "undo": a count, or "to" and a number; a "word", a "text", "daily", or
# "" for nothing. short_help: its text in the help. long_help: its text in the help for this word alone.
Word = namedtuple("Word", "argument function short_help long_help")

# The table of the words, in groups that belong together in the help.
WORD_GROUPS = (
    {
        "help": Word("word", show_help, "the commands", "show the commands; help solve: what solve does"),
        "board": Word("", piles.show_board, "the board", "show the board again"),
        "look": Word("text", piles.look, "the piles",
                     "say what lies in all piles; look waste, look c5: in one of them"),
        "where": Word("text", piles.where, "a card", "say where a card lies, and what lies on it: where 9d"),
        "tops": Word("text", piles.show_tops, "what can be played",
                     "say what can be played from and onto; by ear, tops on: after each move what a pile ends in"),
        "status": Word("", piles.show_status, "how it stands",
                       "say the deal, the moves, the time, how far the game is"),
        "again": Word("", leaving.repeat, "the last answer", "say the last answer again"),
        "deal": Word("", advice.show_deal, "this deal",
                     "show the command that deals this game again, and how hard it is"),
    },
    {
        "hint": Word("", advice.show_hint, "a good move",
                     "suggest the best move from what you can see; again: the next best"),
        "moves": Word("", moves.show_moves, "every move", "show all legal commands"),
        "solve": Word("count", advice.show_solution, "winnable?",
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
        "review": Word("count", advice.show_review, "your choices",
                       "show what your last 300 choices cost, going by what you knew then; review 999: the last 999"),
    },
    {
        "new": Word("", leaving.new, "another game", "deal another game"),
        "resume": Word("", leaving.leave_for_the_list, "the list",
                       "save this game, and choose another one from the list"),
        "stats": Word("daily", leaving.show_stats, "your results",
                      "show the results of your games; stats daily: the deals of the day"),
        "quit": Word("", leaving.leave, "leave", "end the game"),
    },
)  # fmt: skip
WORDS = {name: word for group in WORD_GROUPS for name, word in group.items()}
LETTERS = {"h": "help", "u": "undo", "r": "restart", "n": "new", "q": "quit"}
SPELLINGS = {**LETTERS, "?": "help", "exit": "quit", "menu": "resume", "blanks": "tops", "time": "status"}
PHRASES = {"what can i do": "moves", "what can i play": "moves"}
ANSWERS = {"y": "new", "yes": "new", "no": "quit", "": "new"}  # to the question of a finished game
COUNTS = ("count", "undo")


def names_of(session: Session) -> list[str]:
    """Return the names of the words that can be typed."""
    return [name for name in WORDS if name not in session.console.words_left_out]


def usage_of(session: Session, name: str) -> str:
    """Return a word as the help shows it: `undo [n], u`."""
    letters = [letter for letter, word in LETTERS.items() if word == name]
    return ", ".join([name + (" [n]" if WORDS[name].argument in COUNTS else ""), *letters])


def help_of(session: Session, name: str) -> str:
    """Return the help text for a single word."""
    return f"{usage_of(session, name)}: {WORDS[name].long_help}"


def parse(session: Session, line: str) -> tuple[str | None, Any]:
    """Return the word that a command begins with, and its argument: ("undo", 5) for "undo 5", ("undo", None) for
    "undo", (None, None) for any other command. Raises Refused if the word does not take this argument."""
    typed, *rest = lines.tokens_of(PHRASES.get(line.lower().rstrip(" ?"), line)) or [""]
    name = resolve_word(session, typed)
    if name not in names_of(session):
        return None, None
    argument = parse_argument(session, WORDS[name].argument, rest) if rest else None
    if not rest or argument is not None:
        return name, argument
    if name == "help":
        if sentences.look(session.game.rules, session.game.position, " ".join(rest)):
            return "look", " ".join(rest)
        raise Refused(f"{INVALID_INPUT}help knows no word {printable(' '.join(rest))}; help alone lists all.")
    raise Refused(INVALID_INPUT + help_of(session, name))


def resolve_word(session: Session, typed: str) -> str:
    """Return the word of WORDS that the typed text stands for, or the text itself."""
    if session.asks_again and typed in ANSWERS:
        return ANSWERS[typed]
    return SPELLINGS.get(typed, typed) if typed else session.console.for_an_empty_line


def parse_argument(session: Session, kind: str, tokens: list[str]) -> Any:
    """Return the argument, parsed as this kind, or None if it does not fit. kind: as in Word.argument."""
    text, *more = tokens
    if kind == "text":
        return " ".join(tokens)
    if kind == "undo" and text == "to" and len(more) == 1:
        number = parse_argument(session, "count", more)
        return ("to", number) if number else None
    if kind in COUNTS and text == "all" and not more:
        return 10**MAX_DIGITS - 1
    if not more and kind in COUNTS and text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS:
        return int(text) or None
    if not more and kind == "daily":
        return text if text == kind else None
    if not more and kind == "word":
        if text.isdecimal() and len(text) <= MAX_DIGITS and session.console.has_page(int(text)):
            return text
        commands = forms(session.game.rules.COMMANDS)
        names = SPELLINGS.get(text, text), session.game.rules.DRAW_WORD if text in lines.DRAWS else text.upper()
        told = [word for word, form in commands.items() if GAP.split(form.help)[-1].split()[:1] == [text]]
        return next((name for name in [*WORDS, *commands] if name in names), told[0] if told else None)
    return None


# What is typed besides


def meaning_of(session: Session, command: str) -> list[Move] | str:
    """Return the moves that a command means, or if it names a pile, what lies in it, a text."""
    game = session.game
    try:
        return lines.moves_of(game.rules, game.position, command, game.legal_moves)
    except NotUnderstood:
        if lying := sentences.look(game.rules, game.position, command):
            return "\n".join(lying)
        if found := described_moves(game, command):
            return found
        raise


def described_moves(game: Game, text: str) -> list[tuple[Move, str]]:
    """Return the legal move whose description begins with these words, in a list: `shuffle`, `end the turn`; or []."""
    words = text.lower().split()
    told = [(move, tidy(game.rules.describe(game.position, *move)).lower().split()) for move in game.legal_moves()]
    meant = [move for move, description in told if words and description[: len(words)] == words]
    return meant if len(meant) == 1 else []


def candidates(session: Session) -> list[str]:
    """Return what can be typed now: the words, cards by name, and the legal moves."""
    game, first_cards = session.game, []
    legal = [] if session.asks_again else game.legal_moves()
    for move in legal:
        first_cards += effects.first_cards_of(game.rules, game.position, move)
    names = [card_name(effects.pair_of(moved.card)).lower() for moved in first_cards]
    return [*names_of(session), *dict.fromkeys(names), *(game.rules.write(*move) for move in legal)]


def example(game: Game) -> str:
    """Return a legal move as a player types it: 9d 10s."""
    for move in reversed(game.legal_moves()):  # the last one gives no hint
        for moved in effects.first_cards_of(game.rules, game.position, move)[:1]:
            named = filter(None, [moved.card, effects.onto_of(moved)])
            return " ".join(card_name(effects.pair_of(card)).lower() for card in named)
    return EXAMPLE


def explain(session: Session, refusal: Refused, command: str | None) -> str:
    """Return why a command is refused, or what may have been meant."""
    if isinstance(refusal, NotUnderstood):
        return lines.explain_not_understood(command or "", session.game.rules, WORDS, example(session.game))
    text = str(refusal)
    if text.startswith(INVALID_INPUT):  # perhaps with a line of the help, which has columns
        text = INVALID_INPUT + GAP.sub(": ", text.removeprefix(INVALID_INPUT))
    return text


def describe_skipped(commands: Sequence[str | None], number: int) -> str:
    """Return which commands of a line were skipped, after the one with this number, counted from 1, was refused."""
    skipped = [*map(str, commands[number:])]
    more = f" and {len(skipped) - MAX_SKIPPED} more" if len(skipped) > MAX_SKIPPED else ""
    names = f" Skipped: {'; '.join(skipped[:MAX_SKIPPED])}{more}." if skipped else ""
    return f'Stopped at "{commands[number - 1]}".{names}' if commands[1:] else ""
