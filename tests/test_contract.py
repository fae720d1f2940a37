"""What holds for every game in the list, with every choice of its options, tested in steps.

First comes the module, its names and COMMANDS, then the shape of the position, the deal, every position of some games,
whole games, and last what is missing. If a step fails, the next ones are skipped. Every failure is a sentence: which
call, what it returned, what was expected, and what to type to see it. A game that is added to main.GAMES is tested
here; no test has to be written. Only the author of a game can know that a rule, such as one about colours, is wrong:
that needs a script.
"""

import contextlib
import copy
import importlib
import io
import itertools
import random
import re
import sys
from collections import Counter
from types import SimpleNamespace

import pytest

import cards
import helpers
from helpers import PROMPT, ROOT, SCRIPTS, rules_of, run, run_process, game_of
from solvers import general, positions
from spots import (
    SECONDS,
    Spot,
    call,
    card_in,
    possible_moves,
    deal,
    difference,
    ends,
    expect,
    far,
    fullest_part,
    name_of,
    play_game,
    spots_of,
    winning_session,
)
from patience.analysis import hints
from patience.words import advice as asking, help as help_words, moves as asking_moves, reading
from patience.consoles import Console
from patience.consoles.board import Board
from patience.consoles.pointing import Ways
from patience import decks, effects, lines as grammar, text as names, sentences
from patience import rules as frame
from patience.decks import Deal
from patience.game import Command, MoveStyle, Game
from patience.text import tidy
from solvers import player

from cases import (
    KNOWN,
    WIDTH,
    each_game,
    every_choice,
    every_spot,
    faults_in_module,
    faults_in_texts,
    hanging,
    find_missing,
    MORE_FUNCTIONS,
    options_of,
    time_limit,
    told,
    whole_game,
)


@pytest.fixture(autouse=True)
def guard(name, capfd, monkeypatch):
    """End a test that hangs; the sentence about the call names the line where it hangs. See that only display prints,
    and that nothing waits for input."""

    def too_long(number, frame):
        hanging.add(name)
        raise TimeoutError(f"within {SECONDS} seconds")

    def no_input(*prompt):
        if sys._getframe(1).f_globals["__name__"] == name:
            raise RuntimeError("a game does not call input(): what the player types comes to it as a move")
        return ask(*prompt)

    ask = input
    monkeypatch.setattr("builtins.input", no_input)
    with time_limit(SECONDS, too_long):
        yield
    for stream, printed in zip(("sys.stdout", "sys.stderr"), capfd.readouterr()):
        if (name, stream) in told:
            continue
        if printed:
            told.add((name, stream))
        expect(
            not printed,
            f"{name}.py wrote {printed!r:.80} to {stream}; expected the board, by print() in display, and "
            "nothing else.",
        )


@each_game
def test_1_the_module_and_its_grammar(name):
    expect(not faults_in_module(name), "\n".join(faults_in_module(name)))


# Step 2: the position


@every_choice
def test_2_the_position(name, options):
    """The shape of a deal, and of the answers about it."""
    spot = deal(name, options, 1)
    game, initialize = spot.game, f"{name}.initialize()"
    expect(
        isinstance(game, list) or hasattr(game, "__dict__"),
        f"{initialize} returned {game!r:.60}, a {type(game).__name__}; expected an object whose attributes are lists, "
        "such as a dataclass, or a list.",
    )
    expect(positions.cards_in(positions.parts(game)), f"{initialize} returned a position without cards.")
    for field, part in vars(type(game)).items():
        expect(
            not isinstance(part, list) or field.startswith("__"),
            f"{type(game).__name__}.{field} is a list of the class, one for all games, and no field of the position; "
            f"expected `{field}: list`, filled by initialize.",
        )
    for field, part in positions.parts(game).items():
        expect(
            isinstance(part, (list, int, float, str, type(None))),
            f"game.{field} is {part!r:.60}, a {type(part).__name__}; expected a list in every place that holds cards, "
            "even if it is one at most, and otherwise only numbers and strings.",
        )
        for pile in part if isinstance(part, list) else ():
            expect(
                not isinstance(pile, list) or not any(isinstance(one, list) for one in pile),
                f"game.{field} has lists in lists in lists; expected a pile, or a list of piles.",
            )
    expect_only_cards(spot)
    text = spot.board()
    expect(text.strip(), f"display(game) printed {text!r:.60}; expected the board.")
    for function in ("status", "check_win", "check_loss", "hidden", "special"):
        spot.ask(function)
    words_of_moves = {form.word for form in frame.forms(spot.rules.COMMANDS).values()}
    for move in spot.ask("legal_moves"):
        spot.expect(
            isinstance(move, tuple) and move[0] in words_of_moves,
            f"legal_moves(game) has {move!r:.60}, a {type(move).__name__}; expected a tuple of a word of COMMANDS and its "
            "numbers.",
        )
        spot.ask("validate_move", *move)
        spot.after(move)
    for move in possible_moves(spot)[:100]:
        spot.ask("refusal", *move)


def expect_only_cards(spot):
    """Fail if a pile holds anything other than cards."""
    for pile in positions.lists_in(positions.parts(spot.game)):
        for one in pile:
            if not isinstance(one, (cards.Card, list)):
                spot.fail(f"game.{name_of(spot.game, pile)} holds {one!r}; expected nothing but cards.")


# Step 3: the deal


@every_choice
def test_3_a_deck_in_the_place_of_cards_deck_is_dealt(name, options):
    """The very same cards, always in the same places, whatever the state of random: graders and deck files need
    that."""
    rules, dealt = rules_of(name), []
    initialize = f"{name}.initialize(), with a stacked deck in the place of cards.Deck,"
    for seed in (1, 2):
        whole = [cards.Card(*pair) for pair in rules.PACK]
        with decks.stacked(list(whole)):
            in_play = positions.cards_in(positions.parts(deal(name, options, seed).game))
        expect(
            {id(card) for card in in_play} == {id(card) for card in whole},
            f"{initialize} returned {len(in_play)} cards; expected each of the {len(whole)} cards that deck.deal() gives, "
            "itself, in one list of the position.",
        )
        dealt.append([(card.rank(), card.suit()) for card in in_play])
    expect(
        dealt[0] == dealt[1],
        f"{initialize} deals the same deck in two ways; expected no chance in it but deck.shuffle() and random.shuffle().",
    )
    one, same, other = (positions.parts(deal(name, options, seed).game) for seed in (1, 1, 2))
    expect(
        one == same,
        f"{name}.initialize() deals differently after the same random.seed; expected chance from cards and "
        "from the functions of random.",
    )
    expect(
        one != other,
        f"{name}.initialize() deals the same cards after random.seed(1) and random.seed(2); expected a shuffled deck.",
    )


@every_choice
def test_3_nothing_is_shared_between_games(name, options):
    games, seen = [deal(name, options, 1).game for _ in range(2)], set()
    for game in games:
        found = list(positions.lists_in(positions.parts(game)))
        shared = [name_of(game, one) for one in [*(one for one in found if id(one) in seen), *found_twice(found)]]
        expect(
            not shared,
            f"game.{''.join(shared[:1])} is also a list of another position, or of another place; "
            f"expected {name}.initialize() to make a new list for each.",
        )
        seen |= set(map(id, found))
    all_cards = [card for game in games for card in positions.cards_in(positions.parts(game))]
    twice = found_twice(all_cards)
    expect(
        not twice,
        f"{''.join(map(str, twice[:1]))} that {name}.initialize() deals is in two places, or in two positions.",
    )


@every_choice
def test_3_asking_about_moves_changes_nothing_of_a_deal(name, options):
    """It comes before the test for lost cards: otherwise a refusal that takes a card away would be reported as a game
    that loses one."""
    spot = deal(name, options, 1)
    for function, *move in [("legal_moves",), *(("refusal", *move) for move in possible_moves(spot)[:500])]:
        trial = spot.copy()
        trial.ask(function, *move)
        if not positions.same(trial.game, spot.game):
            spot.fail(f"{call(function, move)} changes the position: {difference(spot.game, trial.game)}.")


@every_choice
def test_3_no_number_of_the_position_only_counts(name, options):
    """With such a number no position would ever repeat."""
    spots = play_game(name, tuple(options.items()), 0)[:40]
    for field, value in positions.parts(spots[0].game).items():
        values = [positions.parts(spot.game)[field] for spot in spots] if isinstance(value, int) else []
        spots[-1].expect(
            len(values) <= 10 or any(later <= earlier for earlier, later in itertools.pairwise(values)),
            f"game.{field} grows with every move, so no position ever comes again, and hints and solvers go in circles; "
            "expected it to be left out: the status line counts the commands.",
        )


@every_spot()
def test_3_the_cards_are_always_the_same(spot):
    expect_only_cards(spot)
    all_cards = positions.cards_in(positions.parts(spot.game))
    pack, found = Counter(spot.rules.PACK), Counter((card.rank(), card.suit()) for card in all_cards)
    lost, new = (", ".join(str(cards.Card(*pair)).strip() for pair in one) for one in (pack - found, found - pack))
    wrong = "; ".join(
        filter(None, [lost and f"{lost} is in no list of the position", new and f"{new} is there once too often"])
    )
    spot.expect(found == pack, f"{wrong}; expected all cards of the deal to the end.")
    twice = found_twice(all_cards)
    spot.expect(not twice, f"{''.join(map(str, twice[:1]))} is in two places.")


def found_twice(things):
    """Return the things, cards or lists, that have occurred before, as the very same objects."""
    return [thing for place, thing in enumerate(things) if any(thing is other for other in things[:place])]


# Step 4: every position: the board, and what is asked


@every_spot(every=5)
def test_4_the_board_fits_at_every_step(spot):
    shown = spot.board()
    spot.expect(shown.endswith("\n"), "display(game) printed no newline at the end of the board.")
    spot.expect("\n\n\n" not in shown, "display(game) printed two empty lines in a row.")
    strange = [line for line in shown.splitlines() if not line.isprintable() or "None" in line]
    spot.expect(
        not strange,
        f"display(game) printed {''.join(strange[:1])!r}; expected no colours, which are the program's, and "
        f"a sign in an empty place.",
    )
    widest = max(shown.splitlines(), key=len)
    spot.expect(
        len(widest) <= WIDTH,
        f"display(game) printed a line of {len(widest)} characters, {widest!r}; expected at most {WIDTH}.",
    )
    labels = [int(label) for label in re.findall(r"^ *(\d+) *[:.)]", shown, re.MULTILINE)]
    spot.expect(
        labels[:2] != [0, 1] and not re.search(r"(?<!\S)0 +1 +2(?!\S)", shown),
        "display(game) numbers from 0; expected 1, as what is typed counts from 1.",
    )


@every_choice
def test_4_every_card_of_the_deal_is_shown_or_hidden(name, options):
    """Nothing has been played yet, so a card that is not shown is not known. Montana's aces are blanks."""
    spot = deal(name, options, 3)
    shown = {names.card_of(word) for word in re.findall(r"\w+[♣♦♥♠]", spot.board())}
    missing = [
        f"{card} of game.{name_of(spot.game, pile)}"
        for pile, _, card, is_hidden in spot.cards()
        if not (is_hidden or (card.rank(), card.suit()) in shown or card in spot.ask("blanks"))
    ]
    spot.expect(
        not missing,
        f"display(game) does not show {len(missing)} cards that hidden(game) leaves out, such as {''.join(missing[:1])}; "
        f"expected it to print every pile, or hidden to name what the player cannot know.",
    )


@every_spot(every=30)
def test_4_the_piles_name_what_the_board_shows_and_nothing_hidden(spot):
    lies = sentences.all_sentences(spot.rules, spot.game)
    told = {names.card_of(word) for word in re.findall(r"\w+[♣♦♥♠]", " ".join(lies))}
    shown = {names.card_of(word) for word in re.findall(r"\w+[♣♦♥♠]", spot.board())}
    known = {(card.rank(), card.suit()) for _, _, card, is_hidden in spot.cards() if not is_hidden}
    if frame.has_own(spot.rules, "piles"):  # the frame's own piles can only guess what a board shows
        spot.expect(shown <= told, f"piles(game) leaves out what display(game) shows: {sorted(shown - told)}.")
    spot.expect(told <= known, f"piles(game) names cards that are hidden: {sorted(told - known)}.")


@every_spot(every=30)
def test_4_nothing_but_display_prints_and_only_a_move_changes_anything(spot):
    asked = [(one,) for one in ("display", "check_win", "check_loss", "legal_moves", "hidden", "status", "special")]
    asked += [(function, *move) for move in spot.ask("legal_moves") for function in ("describe", "reason")]
    asked += [("refusal", *move) for move in possible_moves(spot)[:500]]
    asked = [one for one in asked if frame.has_own(spot.rules, one[0])]
    if fault := fault_in_asking(spot.copy(), asked):
        expect(False, next(filter(None, (fault_in_asking(spot.copy(), [one]) for one in asked)), fault))
    before = positions.copy_of(spot.game)
    for move in spot.ask("legal_moves"):
        with positions.preserve_random_state(), contextlib.redirect_stdout(io.StringIO()) as printed:
            fresh = spot.after(move)
        spot.expect(
            not printed.getvalue(), f"{call('move', move)} printed {printed.getvalue()!r}; only display may print."
        )
        after = positions.copy_of(fresh.game)
        for function in ("check_win", "legal_moves", "check_loss"):
            fresh.ask(function)
            if not positions.same(fresh.game, after):
                fresh.fail(f"{function}(game) changes the position: {difference(after, fresh.game)}.")
    for move in possible_moves(spot):
        if move[0] in spot.rules.VIEWS and spot.ask("refusal", *move) is None:
            text = spot.rules.VIEWS[move[0]](spot.game, *move[1:])
            if not positions.same(spot.game, before):
                spot.fail(
                    f"VIEWS[{move[0]!r}] changes the position, though it only looks: {difference(before, spot.game)}."
                )
            expect(
                isinstance(text, str) and text.strip(), spot.sentence(f"VIEWS[{move[0]!r}]", move[1:], text, "a string")
            )
    spot.expect(
        positions.same(spot.game, before),
        f"A move in a copy of the position changes this one: {difference(before, spot.game)}.",
    )


def fault_in_asking(spot, asked):
    """Return a sentence if any of the questions, (function, *arguments), prints (except display), uses random, changes
    the position, or gives two different answers; otherwise ""."""
    answers, before = [], positions.copy_of(spot.game)
    said = call(asked[0][0], asked[0][1:]) if len(asked) == 1 else "One of the functions"
    for seed in (1, 2):
        random.seed(seed)
        chance = random.getstate()
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            answers.append([spot.board() if one == ("display",) else spot.ask(*one) for one in asked])
        if printed.getvalue():
            return f"{said} printed {printed.getvalue()!r:.60}; only display may print. {spot}"
        if random.getstate() != chance:
            return f"{said} calls random; only initialize and a move may. {spot}"
        if not positions.same(spot.game, before):
            return f"{said} changes the position: {difference(before, spot.game)}. {spot}"
    for (function, *_), one, two in zip(asked, *answers):
        if one != two and function not in ("hidden", "special"):
            return (
                f"{said} returned or printed {one!r:.100}, and then {two!r:.100}, for the same position; is something kept "
                f"from call to call, such as a list that is a default argument? {spot}"
            )
    return ""


@every_spot(every=15, more=2)
@pytest.mark.slow_cases("-")
def test_4_nothing_that_a_player_sees_depends_on_hidden_cards(spot):
    """The face-down and hidden cards are dealt again, and everything else stays the same."""
    for pile, place, card, is_hidden in spot.cards():
        spot.expect(
            is_hidden or not hasattr(card, "is_face_up") or card.is_face_up(),
            f"The card {name_of(spot.game, pile)}[{place}] lies face down, but hidden(game) leaves it out.",
        )
    hidden, chance = spot.ask("hidden"), random.Random(7)
    on_board = Board(spot.rules, spot.game).places
    for pile, place in hidden:
        if id(pile[place]) in on_board and not positions.lies_face_down(pile[place]):
            spot.fail(
                f"hidden(game) lists {str(pile[place]).strip()}, game.{name_of(spot.game, pile)}[{place}], which "
                "display(game) shows."
            )
    others = [
        Spot(spot.name, spot.options, spot.seed, positions.layout(spot.game, hidden, chance), spot.moves)
        for _ in range(5)
    ]
    asked = [("status",)]
    asked += [(function, *move) for move in spot.ask("legal_moves") for function in ("describe", "reason")]
    asked += [("refusal", *move) for move in possible_moves(spot)[:250]]
    for move in possible_moves(spot) if spot.rules.VIEWS else ():
        if move[0] in spot.rules.VIEWS and spot.ask("refusal", *move) is None:
            one, two = (spot.rules.VIEWS[move[0]](game, *move[1:]) for game in (spot.game, others[0].game))
            spot.expect(
                one == two, f"VIEWS[{move[0]!r}] shows a card that hidden(game) lists: {one!r:.80}, {two!r:.80}."
            )
    for (function, *args), other in [
        *((("legal_moves",), one) for one in others),
        *((one, others[0]) for one in asked),
    ]:
        one, two = spot.ask(function, *args), other.ask(function, *args)
        spot.expect(
            one == two,
            f"{call(function, args)} returned {one!r}, and {two!r} when the cards that hidden(game) lists were changed; "
            "expected the same both times, because the player cannot see those cards.",
        )
    reason, other_reason = spot.ask("check_loss"), others[0].ask("check_loss")
    expect(
        not reason or not other_reason or reason == other_reason,
        spot.sentence("check_loss", (), reason, "a reason that tells nothing of hidden cards"),
    )
    spot.expect(
        spot.board() == others[0].board(), "display(game) shows something of the cards that hidden(game) lists."
    )


@pytest.mark.usefixtures("quick")
@every_spot(every=60, seeds=range(1))
@pytest.mark.slow_cases("-|klondike|desturado|zodiac")
def test_4_nothing_that_the_program_says_depends_on_hidden_cards(spot):
    """Names of moves, Tab, hints, sentences: all of these stay the same if the hidden cards lie in another order."""
    if not spot.ask("hidden"):
        return
    for (what, one), (_, two) in zip(*(said_of(spot, game) for game in games_that_look_the_same(spot))):
        spot.expect(
            one == two,
            f"{what} gives {one!r:.300}, and {two!r:.300} when the cards that hidden(game) lists were changed; expected "
            "the same both times. If something follows a move, moved_card(game, *move) must say what it takes.",
        )


def games_that_look_the_same(spot):
    """Return the game of a Spot twice: as it is, and with the currently hidden cards exchanged in all positions since
    the deal, so that both have always looked the same."""
    game = Game(Deal(spot.rules, spot.options, spot.seed))
    for number, card in enumerate(positions.cards_in(positions.parts(game.position))):
        card.number = number  # the card keeps this number in each copy
    for move in spot.moves:
        game.carry_out(Command((move,)))
    hidden = {
        pile[index].number: (pile[index].rank(), pile[index].suit()) for pile, index in spot.rules.hidden(game.position)
    }
    exchanged = dict(zip(hidden, random.Random(11).sample([*hidden.values()], len(hidden))))
    other = game.snapshot()
    other.history = type(game.history)(one._replace(position=positions.copy_of(one.position)) for one in game.history)
    for position in [other.position, *(one.position for one in other.history)]:
        for pile in positions.lists_in(positions.parts(position)):
            for index, card in enumerate(pile):
                if isinstance(card, cards.Card) and card.number in exchanged:
                    pile[index] = cards.Card(*exchanged[card.number])
                    if positions.lies_face_down(card):
                        pile[index].flip_card()
    return game, other


def said_of(spot, game):
    """Return what the program says about a game, as pairs (what is typed, what is said in reply)."""
    rules, position, console = spot.rules, game.position, Console()
    session = SimpleNamespace(game=game, console=console, asks_again=False)
    said = [("look", sentences.all_sentences(rules, position)), ("tops", sentences.tops(rules, position))]
    said += [(f"look {name}", sentences.look(rules, position, name)) for name, *_ in rules.piles(position)]
    said += [(f"where {name}", sentences.where(rules, position, name)) for name in map(names.card_name, {*rules.PACK})]
    if spot.is_over():
        return said
    typed = reading.candidates(session)
    said += [("moves", asking.list_moves(game, asking_moves.different_moves(game), MoveStyle.COMMAND)), ("Tab", typed)]
    known = sorted({effects.pair_of(place.card) for place in effects.places(rules, position) if place.is_known})
    chance = random.Random(5)
    lines = [word for word in typed if names.card_of(word)][:6]
    lines += [" ".join(map(names.card_name, chance.sample(known, 2))) for _ in range(4) if len(known) > 1]
    lines += [f"{names.card_name(chance.choice(known))} {chance.choice(['1', '2', '3', 'f'])}" for _ in range(3)]
    said += [("help", help_words.example(game)), *((line, meaning_of(game, line)) for line in lines)]
    return [*said, ("hint", hints.Guide(game).next_hint())]


def meaning_of(game, line):
    """Return the moves that a line means, or why it is refused."""
    try:
        return grammar.moves_of(game.rules, game.position, line, game.legal_moves)
    except frame.Refused as refusal:
        return str(refusal)


@every_choice
def test_4_two_games_at_once_do_not_disturb_each_other(name, options):
    """Two games played in turn, move by move, each with its own state of random, go just as each would alone; undo and
    hints need this."""
    ways = [[spot.moves[-1] for spot in play_game(name, tuple(options.items()), seed)[1:60]] for seed in (0, 1)]
    alone = [[said for _, said in told_on_the_way(name, options, seed, ways[seed])] for seed in (0, 1)]
    for steps in itertools.zip_longest(*(told_on_the_way(name, options, seed, ways[seed]) for seed in (0, 1))):
        for spot, said in filter(None, steps):
            for what, one, two in zip(SAID, said, alone[spot.seed][len(spot.moves) - 1]):
                spot.expect(
                    one == two,
                    f"The {what} is {one!r:.80} when a second game is played at the same time, and {two!r:.80} "
                    f"without; expected everything that changes in the position, not in the module.",
                )


SAID = ("status", "legal_moves", "board")
POSITIONS_LOST = 1_500  # searched after a game is said to be lost


def told_on_the_way(name, options, seed, moves):
    """Play some moves with their own state of random; after each, yield the Spot and its answers (SAID)."""
    spot = deal(name, options, seed)
    stream = random.getstate()
    for move in moves:
        random.setstate(stream)
        spot = spot.after(move)
        stream = random.getstate()
        yield spot, (spot.ask("status"), spot.ask("legal_moves"), spot.board())


# Step 4: every position: moves


@every_spot()
def test_4_every_legal_move_is_allowed_and_changes_something(spot):
    legal = [] if spot.is_over() else spot.ask("legal_moves")
    for move in legal:
        spot.expect(legal.count(move) == 1, f"legal_moves(game) has {move} twice.")
        reason = spot.ask("refusal", *move)
        expect(reason is None, spot.sentence("refusal", move, reason, "None, for legal_moves has this move"))
        spot.expect(
            not positions.same(spot.after(move).game, spot.game),
            f"legal_moves(game) has {move}, which changes nothing.",
        )
        line, read = spot.rules.write(*move), None
        with contextlib.suppress(frame.Refused):
            read = frame.read(spot.rules, line)
        spot.expect(read == move, f"legal_moves(game) has {move}, but COMMANDS reads the line {line!r} as {read}.")


@every_spot(every=60)
@pytest.mark.slow_cases("-")
def test_4_refusal_validate_move_and_move_agree(spot):
    """For every command in the help. move returns whether it was made, and a refused move changes nothing."""
    before = spot.copy()
    for move in possible_moves(spot):
        reason = spot.ask("refusal", *move)
        if move[0] in spot.rules.VIEWS:
            continue  # a command that only looks is not a move
        if move[0]:
            expected = fault_in_cards_named(spot, move, reason) or fault_in_limit(spot, move, reason)
            expect(not expected, spot.sentence("refusal", move, reason, expected))
        allowed = spot.ask("validate_move", *move)
        expect(
            allowed is (reason is None),
            spot.sentence("validate_move", move, allowed, f"{reason is None}, because refusal returned {reason!r}"),
        )
        expect(
            reason is not None or 0 not in move[1:],
            spot.sentence("refusal", move, reason, "a sentence: numbers count from 1, so 0 must be refused"),
        )
        if len(spot.moves) % 3 == 0:
            trial = spot.copy() if allowed else spot
            with positions.preserve_random_state():
                made = trial.ask("move", *move)
            expect(
                made is allowed, spot.sentence("move", move, made, f"{allowed}, because validate_move returned that")
            )
            if allowed and trial.own("perform") == "perform":
                with positions.preserve_random_state():
                    other = spot.after(move).game
                if not positions.same(trial.game, other):
                    spot.fail(f"{call('perform', move)} leads elsewhere than move: {difference(trial.game, other)}.")
    if not positions.same(spot.game, before.game):
        expect(False, what_changes(before))


def fault_in_cards_named(spot, move, reason):
    """Return what is expected of the cards that a refusal names, or "" if they are right."""
    named = list(filter(None, map(card_in, (reason or "").split())))
    if named and 0 in move[1:]:
        return "that there is no place 0: numbers count from 1, and Python takes the index 0 - 1 for the last one"
    lying = list(spot.cards()) if named else []
    seen = {(card.rank(), card.suit()) for *_, card, is_hidden in lying if not is_hidden}
    if any((card.rank(), card.suit()) in {*named} - seen for *_, card, is_hidden in lying if is_hidden):
        return "no card that hidden(game) lists"
    if len(set(named)) < len(named) and len(set(spot.rules.PACK)) == len(spot.rules.PACK):
        return "two different cards, or that source and destination are the same"
    return ""


def fault_in_limit(spot, move, reason):
    """Return what is expected of a refusal such as `There is no column 9, only 1 to 7.`, or "": numbers within the
    limit are not refused like that, but the next ones are."""
    said = LIMIT.search(reason or "")
    kind, number, least, most = (said[1], *map(int, said.groups()[1:])) if said else ("", 0, 0, 0)
    if not said or move.count(number) != 1:
        return ""
    if least <= number <= most:
        return f"{number} to be beyond the limit that it tells"
    place = move.index(number)
    if number > most + 1:
        other = spot.ask("refusal", *move[:place], most + 1, *move[place + 1 :])
        if not other or f"no {kind} {most + 1}," not in other:
            return f"the right limit: for {kind} {most + 1} it returned {other!r}"
    return ""


LIMIT = re.compile(r"no (\w+) (\d+), only (\d+) to (\d+)")


def what_changes(spot):
    """Return a sentence about the first refused command that changes a position."""
    for move in possible_moves(spot):
        for function in ("refusal", "validate_move", "move"):
            trial = spot.copy()
            found = trial.ask(function, *move)
            if not (function == "move" and found) and not positions.same(trial.game, spot.game):
                return f"{call(function, move)} changes the position: {difference(spot.game, trial.game)}. {spot}"
    return f"legal_moves, refusal, or a move that is refused changes the position. {spot}"


@every_spot(every=12)
def test_4_what_is_allowed_is_legal_or_gains_nothing(spot):
    """An allowed move that is not among the legal ones does the same as one of them, or does it several times, or only
    changes the order of piles."""
    if spot.is_over():
        return
    legal = spot.ask("legal_moves")
    reached, position = {spot.after(move).board() for move in legal}, sort_piles(spot.game)
    for move in possible_moves(spot):
        if move in legal or move[0] in spot.rules.VIEWS or spot.ask("refusal", *move):
            continue
        result = spot.after(move)
        shown = result.board()
        spot.expect(
            shown in reached or sort_piles(result.game) == position or shown in repeat_move(spot, move, legal),
            f"refusal allows {move}, but legal_moves(game) does not have it: refuse it if the rules forbid it, or add it "
            f"to legal_moves.",
        )


def sort_piles(game):
    """Return a key of a position that ignores the order of piles."""
    return {
        name: sorted(map(str, part))
        if isinstance(part, list) and any(isinstance(pile, list) for pile in part)
        else str(part)
        for name, part in positions.parts(game).items()
    }


def repeat_move(spot, move, legal):
    """Take a move that ends with a repeat count, make it one repetition at a time, and yield the board after each."""
    if move[:-1] in legal:
        for _ in range(move[-1]):
            if spot.ask("refusal", *move[:-1]):
                break
            spot = spot.after(move[:-1])
            yield spot.board()


@every_spot()
def test_4_descriptions_name_cards_of_the_position_and_tell_moves_apart(spot):
    in_play = {(card.rank(), card.suit()) for card in positions.cards_in(positions.parts(spot.game))}
    seen = {}
    for move in spot.ask("legal_moves"):
        text = tidy(spot.ask("describe", *move))
        other = seen.setdefault(text, move)
        spot.expect(other == move, f"describe(game, ...) returned {text!r} both for {other} and for {move}.")
        length = len(spot.rules.write(*move)) + len(text) + 2
        expect(length < WIDTH, spot.sentence("describe", move, text, f"{length - WIDTH + 1} characters fewer"))
        named = list(filter(None, map(card_in, text.split())))
        expect(set(named) <= in_play, spot.sentence("describe", move, text, "only cards that are in play"))
        if len(move) > 1 and moved_from(spot, move):
            expect(named, spot.sentence("describe", move, text, "words that name the card that moves"))


def moved_from(spot, move):
    """Return True if a move changes the place of a card that the player knew."""
    known = {(card.rank(), card.suit()) for _, _, card, is_hidden in spot.cards() if not is_hidden}
    return any(pair in known for pair, *_ in {*lying(spot.game)} ^ {*lying(spot.after(move).game)})


@every_spot(every=4)
def test_4_a_card_that_is_named_moves(spot):
    """The first card in a description moves to another place, onto the card that the description names, and from place
    s if the command has the letters s and d."""
    for move in spot.ask("legal_moves"):
        text, after = spot.ask("describe", *move), spot.after(move).game
        card, other = next(filter(None, map(card_in, text.split())), None), card_in(text.split("onto ")[-1].split()[0])
        if not card:
            continue
        shown = names.card_text(card)
        before, now = places(spot.game, card), places(after, card)
        expect(
            before != now,
            spot.sentence("describe", move, text, f"it to name first a card that moves; {shown} stays where it is"),
        )
        left = changed_piles(spot.game, after)
        if left and card not in left:
            spot.fail(
                f"{call('describe', move)} returned {text!r}, but {call('move', move)} takes "
                f"{', '.join(map(names.card_text, left))} from its pile, and {shown} stays: is the wrong end "
                f"taken, as source.pop(0) does? {difference(spot.game, after)}."
            )
        beside = {(*pile, place + step) for *pile, place in places(after, other) for step in (-1, 0, 1)}
        if other and " onto " in text and not beside & set(now) and not keeps_order(spot.game, after, card, other):
            spot.fail(
                f"{call('describe', move)} returned {text!r}, but {call('move', move)} puts {shown} elsewhere, or "
                f"turns cards round: {difference(spot.game, after)}."
            )
        form = frame.forms(spot.rules.COMMANDS)[move[0]]
        numbers = dict(zip(form.letters, move[1:]))
        left = {number + 1 for _, number, _ in before} - {number + 1 for _, number, _ in now}
        if {"s", "d"} <= set(numbers) and numbers["s"] not in left and numbers["d"] in left:
            spot.fail(
                f"{call('move', move)} takes {shown} from place {numbers['d']}, which COMMANDS calls d: "
                f"{form.help!r}; expected s for the source, and d for the destination."
            )


def keeps_order(before, after, card, other):
    """Return True if, after a move, a card lies in the same pile as another card, and the cards that came with the
    first keep their order after the second. When piles are joined, the description may name the top cards."""
    for *pile, place in places(after, card):
        for *other_pile, other_place in places(after, other):
            if pile == other_pile and other_place < place:
                moved = [pair for pair, *where, _ in lying(after) if where == pile][other_place + 1 : place + 1]
                return any(
                    moved == [pair for pair, *where, _ in lying(before) if where == source][-len(moved) :]
                    for *source, _ in places(before, card)
                )
    return False


def changed_piles(before, after):
    """Return the (rank, suit) of the cards that lie in a different pile after a move than before it."""
    here, there = (Counter(where[:3] for where in lying(game)) for game in (before, after))
    return list(dict.fromkeys(pair for pair, *_ in here - there))


def lying(game):
    """Yield (rank, suit), field, number of the pile and place in it for each card of a position."""
    for name, part in positions.parts(game).items():
        if isinstance(part, list):
            for number, pile in enumerate(part if part and isinstance(part[0], list) else [part]):
                for place, card in enumerate(pile):
                    yield (card.rank(), card.suit()), name, number, place


def places(game, pair):
    """Return where a card lies in its position: two places if there are two of that card."""
    return [tuple(where) for one, *where in lying(game) if one == pair]


@every_spot(every=30)
def test_4_a_move_that_is_listed_is_not_denied_by_name(spot):
    """The names of a move's card and of the card it goes onto mean that move, or a similar one. Either the card's name
    alone works too, or the reply says what to type."""
    game = Game(Deal(spot.rules, spot.options, spot.seed))
    game.position = spot.game
    for move in [] if spot.is_over() else spot.ask("legal_moves"):
        for moved in effects.first_cards_of(spot.rules, spot.game, move)[:1]:
            onto = effects.onto_of(moved)
            one, *both = (names.card_text(effects.pair_of(card)) for card in filter(None, [moved.card, onto]))
            for line in (one, " ".join([one, *both])):
                meant = meaning_of(game, line)
                said = "" if isinstance(meant, list) else meant
                way = re.search(r": (\w+ \w+) takes it back", said) if line == one else None
                spot.expect(
                    not said or way and isinstance(meaning_of(game, way[1]), list),
                    f"legal_moves(game) has {move}, but the line {line} is answered by {said!r}; expected a move.",
                )


@every_spot(every=20)
def test_4_every_move_of_a_card_can_be_pointed_at(spot):
    """The board shows the card of the move and the place it goes to; a click, an arrow and Tab find both. A command
    that continues with other cards must be typed."""
    ways = Ways(Board(spot.rules, spot.game))
    pointed = {move for some in [*ways.by_source.values(), *ways.elsewhere.values()] for move, _ in some}
    reached = [spot.after(move).game for move in pointed]
    for move in ways.of_cards if not spot.is_over() else ():
        if move in pointed or any(positions.same(spot.after(move).game, after) for after in reached):
            continue
        moved = effects.first_cards_of(spot.rules, spot.game, move)[0]
        if any(effects.first_cards_of(spot.rules, spot.game, other) == [moved] for other in pointed):
            continue
        where = moved.source if not ways.board.spot_of(moved.source, moved.source_index) else moved.dest
        expect(
            False,
            f"display(game) does not show {where}, so {move} cannot be pointed at; expected each card that can move, and "
            f"each place it can go to, on the board. {spot}",
        )


@every_spot(seeds=range(3))
def test_4_won_and_lost_are_never_both_said(spot):
    won, reason = spot.ask("check_win"), spot.ask("check_loss")
    spot.expect(not won or reason is None, "check_win and check_loss both say that the game is over.")


@every_spot(every=5, seeds=range(3))
def test_4_a_game_that_goes_on_has_a_legal_move_or_says_that_it_is_stuck(spot):
    spot.expect(
        spot.is_over() or spot.ask("legal_moves") or spot.rules.STUCK != frame.Rules.STUCK,
        "legal_moves(game) is empty, but check_win and check_loss say that the game goes on; expected a loss, or STUCK in "
        "the module.",
    )


# Step 5: whole games


@each_game
def test_5_every_option_has_an_effect(name):
    """With another choice at least one game differs, or allows other moves."""

    def seen(options):
        return [
            (spot.board(), spot.ask("status"), spot.ask("legal_moves"), *refusals(spot))
            for seed in range(2 if name in KNOWN else 4)
            for spot in play_game(name, tuple(options.items()), seed)[::3]
        ]

    def refusals(spot):
        return [spot.ask("refusal", *move) is None for move in possible_moves(spot)[:100]]

    default, *others = options_of(name)
    plain = seen(default) if others else []
    for options in others:
        (option,) = (option for option in options if options[option] != default[option])
        is_recorded = any(f"--{option} " in path.read_text().split("\n")[0] for path in SCRIPTS.glob(f"{name}-*.in"))
        expect(
            is_recorded or seen(options) != plain,
            f"{Deal(rules_of(name), options).name()} plays as {name} in four games; does initialize keep "
            "the option in the position, and is a condition that asks for it ever true? If it matters only at the end, "
            f"record a session with it: tests/scripts/{name}-{option}.in.",
        )


@each_game
def test_5_an_option_is_kept_in_the_position(name):
    """The answers about the end of a game do not change when another game is dealt with another choice."""
    default, *others = options_of(name)
    for spot in (ends(name, tuple(default.items()))[0] or play_game(name, tuple(default.items()), 0))[-3:]:
        for options in others:
            first = deal(name, default, spot.seed)  # a module that keeps a choice would keep this one
            said = [spot.ask(function) for function in ("check_win", "check_loss", "legal_moves")]
            deal(name, options, first.seed)
            again = [spot.ask(function) for function in ("check_win", "check_loss", "legal_moves")]
            spot.expect(
                said == again,
                f"check_win, check_loss and legal_moves returned {said!r:.80}, and {again!r:.80} after another game was "
                f"dealt with {options}; expected options in the position, not in the module.",
            )


@pytest.mark.usefixtures("quick")
@every_choice
def test_5_a_hint_is_given(name, options):
    """Also with choices that the game's solver does not know."""
    hints.Guide(game_of(name, options)).next_hint()


@each_game
def test_5_a_game_can_be_won_and_lost_and_not_too_early(name):
    """Won by a script, by the solver, or at random; progress, if the game has it, is then at its maximum. Lost, or
    stuck with its own STUCK."""
    if lacks := find_missing(importlib.import_module(name), ["check_win", "check_loss"]):
        pytest.skip(f"{' and '.join(lacks)} yet")
    won, lost, last_spots = ends(name, tuple(options_of(name)[0].items()))
    if not won:
        expect(False, winning_session(name)[1] or why_never_won(name, last_spots))
    if frame.has_own(rules_of(name), "progress"):
        counts = [spot.ask("progress") for spot in won]
        expect(
            all(isinstance(count, int) for count in counts) and counts[0] < counts[-1] == max(counts),
            f"progress(game) returned {counts[-1]!r} in a game that is won, {counts[0]!r} at its deal and {max(counts)!r} at "
            f"most before; expected a number that grows, for hints go by it. {won[-1]}",
        )
    early = [str(spot) for spot in won[:-1] if spot.ask("check_win")]
    expect(not early, f"check_win(game) is True before the game is won. {''.join(early[:1])}")
    for spot in won:
        reason = spot.ask("check_loss")
        expect(reason is None, spot.sentence("check_loss", (), reason, "None, for this game is won in the end"))
    expect(
        lost or rules_of(name).STUCK != frame.Rules.STUCK,
        f"{name}.check_loss(game) returned None in every position of {len(last_spots)} games; expected a reason when nothing "
        "leads on (or STUCK in the module, if the game is never lost).",
    )


def why_never_won(name, last):
    """Return sentences about games that were never won: how they ended, how far the best one came, what to look at.
    last: their last Spots."""
    best = max(last, key=far)
    (field, count), reason, status = fullest_part(best.game), best.ask("check_loss"), best.ask("status")
    lost = sum(spot.ask("check_loss") is not None for spot in last)
    stuck = sum(spot.ask("check_loss") is None and not spot.ask("legal_moves") for spot in last)
    cut = len(last) - lost - stuck
    allowed = [
        move for move in possible_moves(best) if move[0] not in best.rules.VIEWS and not best.ask("refusal", *move)
    ]
    shown = f"{status!r}" if status else f"{count} cards in game.{field}"
    dealt = len(positions.cards_in(positions.parts(deal(name, best.options, best.seed).game)[field]))
    if dealt < count == len(best.rules.PACK):
        look = "that looks like a win: is check_win too strict?"
    elif reason and allowed:
        look = (
            f"it is said to be lost, but {best.rules.write(*allowed[0])} is allowed: is check_loss too early, or does "
            "legal_moves lack a move?"
        )
    elif cut > len(last) / 2:
        look = (
            f"most games went on for {player.MAX_MOVES} moves: if cards go to and fro, put such moves last in legal_moves "
            f"(docs/new_game.md, step 5), or put a session that wins into tests/scripts/{name}-win.in (step 7)."
        )
    else:
        look = (
            "play on from there by hand: what should be allowed and is not? Then refusal is too strict. If nothing should, "
            f"the game is hard: put a session that wins into tests/scripts/{name}-win.in (docs/new_game.md, step 7)."
        )
    return (
        f"{name}.check_win(game) never returned True in {len(last)} games ({lost} lost, {stuck} without a legal move, {cut} "
        f"that went on), nor did a solver win. The best game came to {shown}; {look} {best}"
    )


@each_game
@pytest.mark.slow_cases("klondike")
def test_5_every_word_is_allowed_at_some_time(name):
    """Every command is allowed at least once, in some random games with each option or in one that is won."""
    rules = rules_of(name)
    never = {form.word for form in frame.forms(rules.COMMANDS).values()}
    spots = [*ends(name, tuple(options_of(name)[0].items()))[0]]
    spots += [spot for options in options_of(name) for spot in spots_of(name, options, every=4, seeds=range(4))]
    for spot in spots:
        never -= {move[0] for move in spot.moves}
        for move in possible_moves(spot):
            if move[0] in never and spot.ask("refusal", *move) is None:
                never.discard(move[0])
    expect(
        not never,
        f"{name}.refusal refused {', '.join(sorted(never))} of COMMANDS in every position of every game that was "
        "played: it is too strict, or the word is not needed.",
    )


@whole_game
def test_5_a_lost_game_cannot_be_won(name, options):
    """Tested by making every allowed move in a few dozen positions."""
    chance = random.Random(1)
    for seed in range(8):
        lost = play_game(name, tuple(options.items()), seed)[-1]
        reason = lost.ask("check_loss")
        if reason is None:
            continue
        for move in lost.ask("legal_moves"):
            far, farther = (spot.rules.progress(spot.game) for spot in (lost, lost.after(move)))
            expect(
                farther <= far or not frame.has_own(rules_of(name), "progress"),
                lost.sentence(
                    "check_loss", (), reason, f"None, for {move} still brings progress from {far} to {farther}"
                ),
            )
        going_on = copy.copy(lost.rules)
        going_on.check_loss = lambda game: None
        way = general.solve(going_on, lost.game, None, POSITIONS_LOST).moves
        shown = "; ".join(lost.rules.write(*move).lower() for move in way)
        expect(not way, lost.sentence("check_loss", (), reason, f"None, for {shown} wins"))
        seen, waiting = {lost.board()}, [lost]
        while waiting and len(seen) < 40:
            spot = waiting.pop(chance.randrange(len(waiting)))
            more = "; ".join(spot.rules.write(*move).lower() for move in spot.moves[len(lost.moves) :])
            expect(not spot.ask("check_win"), lost.sentence("check_loss", (), reason, f"None, for {more} wins"))
            for move in possible_moves(spot):
                if move[0] not in spot.rules.VIEWS and spot.ask("refusal", *move) is None:
                    result = spot.after(move)
                    if result.board() not in seen:
                        seen.add(result.board())
                        waiting.append(result)


@each_game
@pytest.mark.slow_cases("montana")
def test_5_it_is_played_by_ear(name):
    """Every move of a game, and back again: piles may appear and vanish."""
    rules, spot = rules_of(name), play_game(name, tuple(options_of(name)[0].items()), 4)[-1]
    typed = [rules.write(*move) for move in spot.moves[:60]]
    for words_typed in (typed, [*typed, "undo all", "redo all", "look", "tops", *["undo"] * 9]):
        heard = run_process([name, "--seed", "4", "--spoken"], "\n".join([*words_typed, "q", "y"]))
        said = heard.stdout.decode()
        fault = said.partition("ran into a bug.")[2].strip() or heard.stderr.decode().strip()
        spot.expect(heard.returncode == 0 and not fault, f"Played with --spoken, {name} ended in {fault!r:.300}.")


def spot_of(game):
    """Return the Spot of a game."""
    return Spot(game.rules.name, game.deal.options, game.deal.number, game.position, game.moves)


@whole_game
def test_5_undo_and_redo_give_the_boards_of_a_fresh_replay(name, options):
    """After every move of a random game: back any number of moves, and forward again."""
    chance = random.Random(3)
    game = game_of(name, options)
    boards = [spot_of(game).board()]
    for _ in range(60):
        spot = spot_of(game)
        legal = spot.ask("legal_moves")
        if spot.is_over() or not legal:
            break
        game.perform(chance.choice(legal[:3]))
        stream = random.getstate()
        fresh = deal(name, options, 5)
        for move in game.moves:
            fresh.ask("perform", *move)
        spot.expect(random.getstate() == stream, "The same moves call random differently when they are made again.")
        boards.append(fresh.board())
        count = chance.randint(1, len(game.moves))
        done = list(game.moves)
        spot.expect(spot_of(game).board() == boards[-1], "The same moves from the same deal give two boards.")
        game.undo(count)
        spot.expect(spot_of(game).board() == boards[-1 - count], f"undo {count} does not lead back to the same board.")
        first = chance.randint(1, count)
        game.redo(first)
        spot.expect(spot_of(game).board() == boards[len(boards) - 1 - count + first], f"redo {first} leads elsewhere.")
        if first < count:
            game.redo(999)
        spot.expect(game.moves == done and spot_of(game).board() == boards[-1], "redo does not lead there again.")


@whole_game
def test_5_the_first_hint_does_not_only_take_back_the_last_move(name, options):
    chance, game = random.Random(9), game_of(name, options, 6)
    for _ in range(60):
        spot = spot_of(game)
        if spot.is_over() or not spot.ask("legal_moves"):
            break
        before = positions.copy_of(game.position)
        game.perform(chance.choice(spot.ask("legal_moves")))
        spot, useful = spot_of(game), game.legal_moves()
        legal = spot.ask("legal_moves")
        spot.expect(
            set(useful) == set(legal),
            f"legal_moves(game) was {useful}, and is {legal} after moves in copies of the position; expected everything that "
            f"changes in the position, not in the module.",
        )
        with positions.preserve_random_state():
            back = [positions.same(spot.after(move).game, before) for move in useful]
        spot.expect(back == sorted(back), f"Of {useful} those that take back the last move do not come last.")


@whole_game
def test_5_the_same_seed_gives_the_same_bytes(name, options):
    rules = rules_of(name)
    arguments = [name, "--seed", "9", *(word for option, choice in options.items() for word in (f"--{option}", choice))]
    spot = play_game(name, tuple(options.items()), 9)[-1]
    done = [rules.write(*move) for move in spot.moves[:40]]
    script = "\n".join([*done, "q", "y", "q", "n", ""])
    first, second = run(arguments, script), run_process(arguments, script, PYTHONHASHSEED="1")
    spot.expect(first.returncode == 0, f"The game ended in {last_error(first)}.")
    spot.expect(not first.stderr, f"The game wrote {first.stderr[:60]!r} to sys.stderr.")
    spot.expect(
        first.stdout == second.stdout,
        "The game printed something else in a second run: perhaps the order of a set comes into it.",
    )
    spot.expect(b"Error: invalid input" not in first.stdout.split(b"play again")[0], "A command was not read.")


def last_error(result):
    """Return the last line of a program's error output, and the last file and line that it names."""
    said = result.stderr.decode().splitlines()
    files = [line.split('File "')[1].replace('"', "") for line in said if 'File "' in line]
    return "".join(said[-1:]) + "".join(f" ({file.rpartition('/')[2]})" for file in files[-1:])


@each_game
def test_5_a_saved_game_goes_on_where_it_stopped_and_is_a_script(name, tmp_path, quick):
    """Saved in three pieces, a game ends as it does in one; so does the saved file when it is run as a script."""
    rules, save_file = rules_of(name), tmp_path / "game.txt"
    game, lines = game_of(name, options_of(name)[0], 12), []
    for _ in range(14):
        if legal := rules.legal_moves(game.position):
            lines.append(rules.write(*legal[0]) + "\ny" * bool(rules.confirmation(game.position, *legal[0])))
            game.perform(legal[0])
            if game.outcome():  # what is typed then is an answer
                game.undo(1)
                break
    made = [rules.write(*move) for move in game.moves]
    lines = lines[: len(made)]
    typed = [*lines[:10], "undo 3", "redo 2", "redo", "undo", "redo", *lines[10:]]
    start = [name, "--seed", "12"]
    for piece in (typed[:7], [], typed[7:-1], typed[-1:]):
        last = run([*start, "--save", save_file], "\n".join(piece))
        expect(last.returncode == 0, f"Saved and continued, a game ended in {last_error(last)}. {spot_of(game)}")
    expect(
        save_file.read_text(encoding="utf-8").splitlines()[1:] == made,
        f"A saved game holds other lines than the moves that stand. {spot_of(game)}",
    )
    # An empty line shows the board again, with its status line below it.
    whole = run([*start, "--table"], "\n".join([*lines, "", ""])).stdout.decode().split(PROMPT)[-2].splitlines()[:-1]
    for end in (last, run([name, "--save", save_file], "")):
        expect(
            whole and "\n".join(whole) in end.stdout.decode(),
            f"A game ends differently when it is saved and continued. {spot_of(game)}",
        )
    expect(
        spot_of(game).board() in run(start, save_file.read_bytes()).stdout.decode(),
        f"A saved game ends differently when it is typed as a script. {spot_of(game)}",
    )


@each_game
@pytest.mark.parametrize("option", ["", "--table"])
def test_5_ascii_prints_letters_for_symbols(name, option):
    typed = "rules\nd\nsw\nundo\n9d 10s\n"
    symbols, letters = (run(f"{name} --seed 4 {option} {ascii}", typed).stdout.decode() for ascii in ("", "--ascii"))
    expected = symbols.translate(str.maketrans("♣♦♥♠░·—", "CDHS#--"))
    other = next((line for line, wanted in zip(letters.splitlines(), expected.splitlines()) if line != wanted), "")
    expect(letters == expected, f"{name} --ascii prints {other!r}; expected the line that is printed without it.")
    strange = [line for line in letters.splitlines() if not line.isascii()]
    expect(
        not strange,
        f"{name} --ascii prints {''.join(strange[:1])!r}; expected only ASCII characters, suit symbols apart.",
    )


@each_game
def test_5_help_shows_the_rules(name):
    text = run([name, "--help"]).stdout.decode()
    for line in importlib.import_module(name).__doc__.splitlines():
        expect(line in text, f"python main.py {name} --help does not show this line of the docstring: {line!r}.")


@each_game
def test_5_a_game_with_another_cards_module(name, tmp_path):
    """With padded ranks and letters for suits the board is as wide as before."""
    project = helpers.copy_project(tmp_path, ROOT / "tests" / "other_cards.py")
    rules = rules_of(name)
    defaults = tuple(options_of(name)[0].items())
    done = [rules.write(*move) for move in play_game(name, defaults, 2)[-1].moves[:60]]
    shown = run_process(
        [name, "--seed", "1", "--table"], "\n".join([*done, *["hint"] * (name not in KNOWN), "moves", "q", ""]), project
    )
    expect(
        shown.returncode == 0,
        f"With another cards.py, tests/other_cards.py, {name} ended in {last_error(shown)}; "
        "cards are told apart by rank() and suit(), not by their text.",
    )
    printed = shown.stdout.decode().replace(PROMPT, "").splitlines()
    widest = max((line for line in printed if "Error: " not in line and " — " not in line), key=len)
    expect(
        len(widest) <= WIDTH,
        f"With another cards.py, whose ranks are padded, display(game) of {name} prints a line of {len(widest)} characters, "
        f"{widest!r}; print cards with a width, as :>4 does.",
    )
    for line in printed:
        if "invalid move" in line or " onto " in line or " beside " in line:
            expect(
                "  " not in re.sub("invalid move.  |^ *[0-9]+  ", "", line).strip(),
                f"With another cards.py, whose ranks are padded, {name} prints {line!r}; expected no blanks before a rank.",
            )


# Step 6: what is still missing


@each_game
def test_6_nothing_is_missing(name):
    """It comes last, so that everything that exists is tested first."""
    lacks = find_missing(importlib.import_module(name), MORE_FUNCTIONS)
    expect(
        not lacks, "; ".join(lacks) + ". The frame does without, but not well: docs/new_game.md tells what each is for."
    )


@each_game
def test_6_its_texts_fit(name):
    """A text that does not fit stops no other test."""
    faults = [*faults_in_texts(importlib.import_module(name))]
    expect(not faults, "\n".join(faults))
