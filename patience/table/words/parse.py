"""What a typed command means: a word and its argument, moves, a pile; and why it is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from patience import Move, Reply, effects, lines, sentences
from patience.game import Game
from patience.layout import pair_of
from patience.rules import NotUnderstood, Refused, forms
from patience.table.session import Session
from patience.text import card_name, printable, tidy
from patience.table.words import ANSWERS, COUNTS, PHRASES, SPELLINGS, WORDS
from patience.table.words.help import example, help_of, names_of, show_help

MAX_DIGITS = 9
MAX_SKIPPED = 6  # commands that are named


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
        if sentences.look(session.game.layout, " ".join(rest)):
            return "look", " ".join(rest)
        raise Refused(f"There is no help for {printable(' '.join(rest))}; help alone lists all.")
    raise Refused(help_of(session, name))


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
        told = [word for word, form in commands.items() if form.does.split()[:1] == [text]]
        return next((name for name in [*WORDS, *commands] if name in names), told[0] if told else None)
    return None


def answer(session: Session, word: str, argument: Any) -> Reply:
    """Return the reply to a word."""
    return (WORDS[word].function or show_help)(session, argument)


def meaning_of(session: Session, command: str) -> list[Move] | str:
    """Return the moves that a command means or, if it names a pile, text describing what lies in it."""
    game = session.game
    try:
        return lines.moves_of(game, command)
    except NotUnderstood:
        if lying := sentences.look(game.layout, command):
            return "\n".join(lying)
        if found := described_moves(game, command):
            return found
        raise


def described_moves(game: Game, text: str) -> list[tuple[Move, str]]:
    """Return a list with the legal move whose description begins with these words: `shuffle`, `end the turn`; or []."""
    words = text.lower().split()
    told = [(move, tidy(game.rules.describe(game.position, *move)).lower().split()) for move in game.legal_moves()]
    meant = [move for move, description in told if words and description[: len(words)] == words]
    return meant if len(meant) == 1 else []


def candidates(session: Session) -> list[str]:
    """Return what can be typed now: the words, cards by name, and the legal moves."""
    game, lead_cards = session.game, []
    legal = [] if session.asks_again else game.legal_moves()
    for move in legal:
        lead_cards += effects.lead_cards_of(game.layout, move)
    names = [card_name(pair_of(moved.card)).lower() for moved in lead_cards]
    return [*names_of(session), *dict.fromkeys(names), *(game.rules.write(*move) for move in legal)]


def explain(session: Session, refusal: Refused, command: str | None) -> str:
    """Return why a command is refused, or what the player may have meant."""
    if isinstance(refusal, NotUnderstood):
        return lines.explain_not_understood(command or "", session.game.rules, WORDS, example(session.game))
    return str(refusal)


def describe_skipped(commands: Sequence[str | None], number: int) -> str:
    """Return which commands of a line were skipped after the one with this number (counted from 1) was refused."""
    skipped = [*map(printable, commands[number:])]
    more = f" and {len(skipped) - MAX_SKIPPED} more" if len(skipped) > MAX_SKIPPED else ""
    names = f" Skipped: {'; '.join(skipped[:MAX_SKIPPED])}{more}." if skipped else ""
    return f'Stopped at "{printable(commands[number - 1])}".{names}' if commands[1:] else ""
