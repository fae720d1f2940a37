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
import itertools
import random
import re
from collections import Counter
from types import SimpleNamespace

import pytest

import cards
import helpers
from helpers import PROMPT, ROOT, SCRIPTS, rules_of, run, run_process, game_of
from patience import positions
from patience.solvers import general
from spots import SECONDS, Spot, call, card_in, deal, difference, ends, expect, name_of
from spots import play_game, possible_moves, spots_of, winning_session
from patience.advice import hints
from patience.table.words import help as help_words, moves as asking_moves, parse, thinking as asking
from patience.table.consoles import Console
from patience.table.consoles.picture import Picture, stands_of
from patience import decks, effects, lines as grammar, text as names, sentences
from patience import rules as frame
from patience.layout import pair_of
from patience.table.records import store
from patience.text import tidy

from cases import KNOWN, MORE_FUNCTIONS, WIDTH, each_game, every_choice, every_spot, whole_game
from cases import faults_in_module, faults_in_texts, find_missing, hanging, options_of, time_limit

POSITIONS_LOST = 1_500  # searched after a game is said to be lost
SAID = ("display", "status", "legal_moves", "check_win", "check_loss")  # of a position
LIMIT = re.compile(r"no (\w+) (\d+), only (\d+) to (\d+)")


@pytest.fixture(autouse=True)
def guard(name):
    """End a test that hangs; the sentence about the call names the line where it hangs."""

    def too_long(number, frame):
        hanging.add(name)
        raise TimeoutError

    with time_limit(SECONDS, too_long):
        yield


@pytest.fixture
def unwarned(monkeypatch):
    """Let no game warn that it is lost, which takes long to find out."""
    monkeypatch.setattr(asking, "warning", lambda session: "")


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
    for field, part in positions.parts(game).items():
        rows = [row for row in part if isinstance(row, list)] if isinstance(part, list) else []
        expect(
            isinstance(part, (list, int, float, str, type(None))),
            f"game.{field} is {part!r:.60}, a {type(part).__name__}; expected a list in every place that holds cards, "
            "even if it is one at most, and otherwise only numbers and strings.",
        )
        is_deep = any(isinstance(one, list) for row in rows for one in row)
        expect(not is_deep, f"game.{field} has lists in lists in lists; expected a pile, or a list of piles.")
    expect_only_cards(spot)
    words_of_moves = {form.word for form in frame.forms(spot.rules.COMMANDS).values()}
    for move in spot.ask("legal_moves"):
        is_move = isinstance(move, tuple) and move[0] in words_of_moves
        told = "expected a tuple of a word of COMMANDS and its numbers."
        spot.expect(is_move, f"legal_moves(game) has {move!r:.60}; {told}")
    trial = spot.copy()
    for question in spot.questions(500):
        ask_and_compare(trial, question, spot)


def ask_and_compare(trial, question, spot):
    """Ask a copy of a Spot a question, (function, *arguments), and return the answer. Fail if that changes the copy."""
    answer = trial.ask(*question)
    spot.expect_same(trial.game, f"{call(question[0], question[1:])} changes the position")
    return answer


def expect_only_cards(spot):
    """Fail if a pile holds anything other than cards."""
    for pile in positions.lists_in(positions.parts(spot.game)):
        for one in pile:
            if not isinstance(one, (cards.Card, list)):
                spot.expect(False, f"game.{name_of(spot.game, pile)} holds {one!r}; expected nothing but cards.")


# Step 3: the deal


@every_choice
def test_3_a_deck_in_the_place_of_cards_deck_is_dealt(name, options):
    """The very same cards, in the same places, whatever the state of random: graders and deck files need that."""
    rules, dealt = rules_of(name), []
    for seed in (1, 2):
        whole = [cards.Card(*pair) for pair in rules.PACK]
        with decks.stacked(list(whole), rules.module):
            in_play = positions.cards_in(positions.parts(deal(name, options, seed).game))
        told = f"expected each of the {len(whole)} cards of a deck in the place of cards.Deck, itself, in one place."
        is_dealt = set(map(id, in_play)) == set(map(id, whole))
        expect(is_dealt, f"{name}.initialize() returned {len(in_play)} cards; {told}")
        dealt.append([(card.rank(), card.suit()) for card in in_play])
    one, same, other = (positions.parts(deal(name, options, seed).game) for seed in (1, 1, 2))
    for holds, what in (
        (dealt[0] == dealt[1], "deals the same deck in two ways"),
        (one == same, "deals differently after the same random.seed"),
        (one != other, "deals the same cards after random.seed(1) and random.seed(2)"),
    ):
        expect(holds, f"{name}.initialize() {what}; expected chance only from deck.shuffle() and from random.")


@every_choice
def test_3_nothing_is_shared_between_games(name, options):
    games = [deal(name, options, 1).game for _ in range(2)]
    for find in (positions.lists_in, positions.cards_in):
        twice = found_twice([one for game in games for one in find(positions.parts(game))])
        where = [name_of(games[1], one) if isinstance(one, list) else one for one in twice]
        told = "in two places, or in two positions; expected new cards, and a new list for each place."
        expect(not twice, f"{where} of the position that {name}.initialize() returns: {told}")


@every_choice
def test_3_no_number_of_the_position_only_counts(name, options):
    """With such a number no position would ever repeat."""
    spots = play_game(name, tuple(options.items()), 0)[:40]
    for field, value in positions.parts(spots[0].game).items():
        values = [positions.parts(spot.game)[field] for spot in spots] if isinstance(value, int) else []
        grows = len(values) > 10 and all(earlier < later for earlier, later in itertools.pairwise(values))
        told = "so no position ever comes again, and hints and solvers go in circles; expected it to be left out"
        spots[-1].expect(not grows, f"game.{field} grows with every move, {told}: the status line counts the commands.")


@every_spot()
def test_3_the_cards_are_always_the_same(spot):
    expect_only_cards(spot)
    all_cards = positions.cards_in(positions.parts(spot.game))
    pack, found = Counter(spot.rules.PACK), Counter((card.rank(), card.suit()) for card in all_cards)
    lost, new = ([str(cards.Card(*pair)).strip() for pair in one] for one in (pack - found, found - pack))
    spot.expect(found == pack, f"Missing: {lost}, too many: {new}; expected all cards of the deal to the end.")
    twice = found_twice(all_cards)
    spot.expect(not twice, f"{twice} are in two places.")


def found_twice(things):
    """Return the things, cards or lists, that have occurred before, as the very same objects."""
    return [thing for place, thing in enumerate(things) if any(thing is other for other in things[:place])]


# Step 4: every position: the board, and what is asked


@every_spot(every=5)
def test_4_the_board_fits_at_every_step(spot):
    shown = spot.ask("display")
    lines = shown.splitlines()
    strange = [line for line in lines if not line.isprintable() or "None" in line]
    labels = [int(label) for label in re.findall(r"^ *(\d+) *[:.)]", shown, re.MULTILINE)]
    counts_from_0 = labels[:2] == [0, 1] or re.search(r"(?<!\S)0 +1 +2(?!\S)", shown)
    for is_wrong, what in (
        (not shown.endswith("\n"), "no newline at the end of the board"),
        ("\n\n\n" in shown, "two empty lines in a row"),
        (strange, f"{strange}; expected no colours, which are the program's, and a sign in an empty place"),
        (max(map(len, lines)) > WIDTH, f"{max(lines, key=len)!r}; expected at most {WIDTH} characters"),
        (counts_from_0, "numbers from 0; expected 1, as what is typed counts from 1"),
    ):
        spot.expect(not is_wrong, f"display(game) printed {what}.")


def cards_told(text):
    """Return the (rank, suit) of the cards that a text names."""
    return {names.card_of(word) for word in re.findall(r"\w+[♣♦♥♠]", text)}


@every_choice
def test_4_every_card_of_the_deal_is_shown_or_hidden(name, options):
    """Nothing has been played yet, so a card that is not shown is not known. Montana's aces are blanks."""
    spot = deal(name, options, 3)
    blanks = set(map(pair_of, spot.ask("blanks")))
    missing = spot.known() - cards_told(spot.ask("display")) - blanks
    told = "expected it to print every pile, or hidden to name what the player cannot know."
    shown = [*map(names.card_text, missing)]
    spot.expect(not missing, f"display(game) does not show {shown}, which hidden(game) leaves out; {told}")


@every_spot(every=30)
def test_4_the_piles_name_what_the_board_shows_and_nothing_hidden(spot):
    told = cards_told(" ".join(sentences.all_sentences(spot.layout)))
    if frame.has_own(spot.rules, "piles"):  # the frame's own piles can only guess what a board shows
        left = cards_told(spot.ask("display")) - told
        spot.expect(not left, f"piles(game) leaves out what display(game) shows: {[*map(names.card_text, left)]}.")
    lies = told - spot.known()
    spot.expect(not lies, f"piles(game) names cards that are hidden: {[*map(names.card_text, lies)]}.")


@every_spot(every=30)
def test_4_only_a_move_changes_anything(spot):
    trial = spot.copy()
    for question in spot.questions(50):
        if question[0] == "VIEWS" or frame.has_own(spot.rules, question[0]):
            answers, said = [], call(question[0], question[1:])
            for seed in (1, 2):
                random.seed(seed)
                chance = random.getstate()
                answers.append(ask_and_compare(trial, question, spot))
                spot.expect(random.getstate() == chance, f"{said} calls random; only initialize and a move may.")
            spot.expect(
                answers[0] == answers[1],
                f"{said} gave {answers[0]!r:.100}, and then {answers[1]!r:.100}, for the same position; is something "
                "kept from call to call, such as a list that is a default argument?",
            )
    before = spot.copy()
    for move in spot.ask("legal_moves"):
        with positions.preserve_random_state():
            after = spot.after(move)
        before.expect_same(spot.game, f"{call('move', move)} in a copy of the position changes this one")
        for function in ("check_win", "legal_moves", "check_loss"):
            ask_and_compare(after.copy(), (function,), after)


@every_spot(every=15)
def test_4_nothing_that_a_player_sees_depends_on_hidden_cards(spot):
    """The face-down and hidden cards are dealt again, and everything else stays the same."""
    on_board = {id(tile.card) for tile in Picture(spot.layout).tiles}
    for pile, place, card, is_hidden in spot.cards():
        is_down, where = positions.lies_face_down(card), f"{card!r}, game.{name_of(spot.game, pile)}[{place}],"
        spot.expect(is_hidden or not is_down, f"{where} lies face down, but hidden(game) leaves it out.")
        is_shown = is_hidden and not is_down and id(card) in on_board
        spot.expect(not is_shown, f"hidden(game) lists {where} which display(game) shows.")
    hidden, chance = spot.ask("hidden"), random.Random(7)
    others = [spot.copy() for _ in range(5)]
    for other in others:
        other.game = positions.sample(spot.game, hidden, chance)
    asked = [(other, "legal_moves") for other in others]
    asked += [(others[0], *one) for one in spot.questions(150) if one[0] not in ("check_win", "hidden", "special")]
    for other, function, *args in asked:
        one, two = spot.ask(function, *args), other.ask(function, *args)
        is_one_lost = function == "check_loss" and not (one and two)
        spot.expect(
            one == two or is_one_lost,
            f"{call(function, args)} gave {one!r}, and {two!r} when the cards that hidden(game) lists were changed; "
            "expected the same both times, because the player cannot see those cards.",
        )


@pytest.mark.usefixtures("quick")
@whole_game
def test_4_nothing_that_the_program_says_depends_on_hidden_cards(name, options):
    """Names of moves, Tab, hints, sentences: all of these stay the same if the hidden cards lie in another order."""
    for spot in play_game(name, tuple(options.items()), 0)[20::80]:
        if not spot.ask("hidden"):
            continue
        other = spot.copy()
        other.game = positions.sample(spot.game, spot.ask("hidden"), random.Random(11))
        for (what, one), (_, two) in zip(said_of(spot), said_of(other)):
            spot.expect(
                one == two,
                f"{what} gives {one!r:.300}, and {two!r:.300} when the cards that hidden(game) lists were changed; "
                "expected the same both times. If something follows a move, moved_card(game, *move) must say what it "
                "takes.",
            )


def said_of(spot):
    """Return what the program says about a position, as pairs (what is typed, what is said in reply)."""
    game = spot.as_game()
    layout = game.layout
    said = [("look", sentences.all_sentences(layout)), ("tops", sentences.tops(layout))]
    said += [(f"look {name}", sentences.look(layout, name)) for name in layout.cards]
    said += [(f"where {names.card_name(pair)}", sentences.where(layout, pair)) for pair in {*spot.rules.PACK}]
    if spot.is_over():
        return said
    typed = parse.candidates(SimpleNamespace(game=game, console=Console(), asks_again=False))
    moves = [(move, hints.UNKNOWN) for move in asking_moves.different_moves(game)]
    said += [("moves", hints.describe_moves(game, moves)), ("Tab", typed)]
    lines = [word for word in typed if names.card_of(word)][:3]
    said += [("help", help_words.example(game)), *((line, meaning_of(game, line)) for line in lines)]
    return [*said, ("hint", hints.Guide(game).next_hint())]


def meaning_of(game, line):
    """Return the moves that a line means, or why it is refused."""
    try:
        return grammar.moves_of(game, line)
    except frame.Refused as refusal:
        return str(refusal)


# Step 4: every position: moves


@every_spot()
def test_4_every_legal_move_is_allowed_and_changes_something(spot):
    legal = [] if spot.is_over() else spot.ask("legal_moves")
    for move in legal:
        spot.expect(legal.count(move) == 1, f"legal_moves(game) has {move} twice.")
        reason = spot.ask("refusal", *move)
        spot.expect_answer(reason is None, "refusal", move, reason, "None, for legal_moves has this move")
        changes = not positions.same(spot.after(move).game, spot.game)
        spot.expect(changes, f"legal_moves(game) has {move}, which changes nothing.")
        line, read = spot.rules.write(*move), None
        with contextlib.suppress(frame.Refused):
            read = frame.read(spot.rules, line)
        spot.expect(read == move, f"legal_moves(game) has {move}, but COMMANDS reads the line {line!r} as {read}.")


@every_spot(every=60)
def test_4_refusal_validate_move_and_move_agree(spot):
    """For every command in the help. move returns whether it was made, and a refused move changes nothing."""
    before, is_one_pack = spot.copy(), len(set(spot.rules.PACK)) == len(spot.rules.PACK)
    only_hidden = {where[0] for where in lying(spot.game)} - spot.known()
    for move in possible_moves(spot):
        reason = spot.ask("refusal", *move)
        if move[0] in spot.rules.VIEWS:
            continue  # a command that only looks is not a move
        named = list(filter(None, map(card_in, (reason or "").split()))) if move[0] else []
        for is_wrong, expected in (
            (0 in move[1:] and (named or not reason), "a refusal without cards: numbers count from 1"),
            ({*named} & only_hidden, "no card that hidden(game) lists"),
            (is_one_pack and len({*named}) < len(named), "two different cards, or that both places are the same"),
            (move[0] and is_limit_wrong(spot, move, reason), "the right limit, where it is passed"),
        ):
            spot.expect_answer(not is_wrong, "refusal", move, reason, expected)
        allowed, told = spot.ask("validate_move", *move), f"{reason is None}, because refusal returned {reason!r}"
        spot.expect_answer(allowed is (reason is None), "validate_move", move, allowed, told)
        if len(spot.moves) % 3 == 0:
            trial = spot.copy() if allowed else spot
            with positions.preserve_random_state():
                made = trial.ask("move", *move)
            told = f"{allowed}, because validate_move returned that"
            spot.expect_answer(made is allowed, "move", move, made, told)
            if not allowed:
                before.expect_same(spot.game, f"{call('move', move)}, which is refused, changes the position")
            elif frame.has_own(spot.rules, "perform"):
                with positions.preserve_random_state():
                    trial.expect_same(spot.after(move).game, f"{call('perform', move)} leads elsewhere than move")
    before.expect_same(spot.game, "refusal or validate_move changes the position")


def is_limit_wrong(spot, move, reason):
    """Return True if `There is no column 9, only 1 to 7.` is said of a number within these limits, or not of 8."""
    said = LIMIT.search(reason or "")
    if not said or move.count(int(said[2])) != 1:
        return False
    number, least, most = map(int, said.groups()[1:])
    next_one = [most + 1 if one == number else one for one in move]
    is_told = number <= most or f"no {said[1]} {most + 1}," in (spot.ask("refusal", *next_one) or "")
    return least <= number <= most or not is_told


@every_spot(every=12)
def test_4_what_is_allowed_is_legal_or_gains_nothing(spot):
    """An allowed move that is not among the legal ones does the same as one of them, or does it several times, or only
    changes the order of piles."""
    if spot.is_over():
        return
    legal = spot.ask("legal_moves")
    reached, position = {spot.after(move).ask("display") for move in legal}, sort_piles(spot.game)
    for move in possible_moves(spot):
        if move in legal or move[0] in spot.rules.VIEWS or spot.ask("refusal", *move):
            continue
        result = spot.after(move)
        shown = result.ask("display")
        is_known = shown in reached or sort_piles(result.game) == position or shown in repeat_move(spot, move, legal)
        told = "refuse it if the rules forbid it, or add it to legal_moves."
        spot.expect(is_known, f"refusal allows {move}, but legal_moves(game) does not have it: {told}")


def sort_piles(game):
    """Return a key of a position that ignores the order of piles."""
    shown = [(str(part), part) for part in positions.parts(game).values()]
    return [sorted(map(str, part)) if text.startswith("[[") else text for text, part in shown]


def repeat_move(spot, move, legal):
    """Take a move that ends with a repeat count, make it one repetition at a time, and yield the board after each."""
    if move[:-1] in legal:
        for _ in range(move[-1]):
            if spot.ask("refusal", *move[:-1]):
                break
            spot = spot.after(move[:-1])
            yield spot.ask("display")


@every_spot()
def test_4_descriptions_name_cards_of_the_position_and_tell_moves_apart(spot):
    in_play, known, seen = {where[0] for where in lying(spot.game)}, spot.known(), {}
    for move in spot.ask("legal_moves"):
        text = tidy(spot.ask("describe", *move))
        other = seen.setdefault(text, move)
        spot.expect(other == move, f"describe(game, ...) returned {text!r} both for {other} and for {move}.")
        length = len(spot.rules.write(*move)) + len(text) + 2
        named = list(filter(None, map(card_in, text.split())))
        moved = {pair for pair, *_ in {*lying(spot.game)} ^ {*lying(spot.after(move).game)}}
        for holds, expected in (
            (length < WIDTH, f"{length - WIDTH + 1} characters fewer"),
            (set(named) <= in_play, "only cards that are in play"),
            (named or len(move) == 1 or not moved & known, "words that name the card that moves"),
        ):
            spot.expect_answer(holds, "describe", move, text, expected)


@every_spot(every=4)
def test_4_a_card_that_is_named_moves(spot):
    """The first card in a description moves, onto the other card there, and from place s if there are s and d."""
    for move in spot.ask("legal_moves"):
        text, after = spot.ask("describe", *move), spot.after(move).game
        card, other = next(filter(None, map(card_in, text.split())), None), card_in(text.split("onto ")[-1].split()[0])
        if not card:
            continue
        before, now = places(spot.game, card), places(after, card)
        here, there = (Counter(where[:3] for where in lying(game)) for game in (spot.game, after))
        left = {pair for pair, *_ in here - there}  # cards that lie in another pile after the move
        beside = {(*pile, place + step) for *pile, place in places(after, other) for step in (-1, 0, 1)}
        is_onto = beside & set(now) or keeps_order(spot.game, after, card, other)
        taken = ", ".join(map(names.card_text, left))
        form = frame.forms(spot.rules.COMMANDS)[move[0]]
        numbers = dict(zip(form.letters, move[1:]))
        emptied = {number + 1 for _, number, _ in before} - {number + 1 for _, number, _ in now}
        is_swapped = {"s", "d"} <= set(numbers) and numbers["s"] not in emptied and numbers["d"] in emptied
        for is_wrong, what in (
            (before == now, "that card stays where it is; expected it to name first a card that moves"),
            (left and card not in left, f"{taken} left its pile: is the wrong end taken, as source.pop(0) does?"),
            (other and " onto " in text and not is_onto, "that card goes elsewhere, or cards are turned round"),
            (is_swapped, f"it comes from place d of {form.help!r}; expected s for the source, d for the destination"),
        ):
            told = f"{call('describe', move)} returned {text!r}, but {what}: {difference(spot.game, after)}."
            spot.expect(not is_wrong, told)


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
    """Both its card and the one it goes onto; its card alone means a move too, or the reply says what to type."""
    game = spot.as_game()
    for move in [] if spot.is_over() else spot.ask("legal_moves"):
        for moved in effects.lead_cards_of(spot.layout, move)[:1]:
            named = [names.card_text(pair_of(card)) for card in (moved.card, effects.onto_of(moved)) if card]
            for line in (named[0], " ".join(named)):
                meant = meaning_of(game, line)
                way = re.search(r": (\w+ \w+) takes it back", str(meant)) if line == named[0] else None
                spot.expect(
                    isinstance(meant, list) or way and isinstance(meaning_of(game, way[1]), list),
                    f"legal_moves(game) has {move}, but the line {line} is answered by {meant!r}; expected a move.",
                )


@every_spot(every=20)
def test_4_every_pile_stands_on_the_picture_once(spot):
    """Where ARRANGEMENT says, if the game has one."""
    names = [stand.name for stand in stands_of(spot.layout)]
    told = (
        f"ARRANGEMENT has a place for {names}, but piles(game) are {[*spot.layout.cards]}; expected each of them once."
    )
    spot.expect(sorted(names) == sorted(spot.layout.cards), told)


@every_spot(every=5)
def test_4_a_game_that_goes_on_has_a_legal_move_or_says_that_it_is_stuck(spot):
    is_twice_over = spot.ask("check_win") and spot.ask("check_loss") is not None
    spot.expect(not is_twice_over, "check_win and check_loss both say that the game is over.")
    goes_on = spot.is_over() or spot.ask("legal_moves") or spot.rules.STUCK != frame.Rules.STUCK
    told = "but check_win and check_loss say that the game goes on; expected a loss, or STUCK in the module."
    spot.expect(goes_on, f"legal_moves(game) is empty, {told}")


# Step 5: whole games


@each_game
def test_5_every_option_has_an_effect(name):
    """With another choice at least one game differs, or allows other moves."""

    def seen(options):
        spots = [spot for seed in range(4) for spot in play_game(name, tuple(options.items()), seed)[::6]]
        return [[spot.ask(*question) for question in spot.questions(100)] for spot in spots]

    default, *others = options_of(name)
    for options in others:
        (option,) = (option for option in options if options[option] != default[option])
        is_recorded = any(
            f"--{option} " in path.read_text(encoding="utf-8").split("\n")[0] for path in SCRIPTS.glob(f"{name}-*.in")
        )
        expect(
            is_recorded or seen(options) != seen(default),
            f"{name} plays the same with {option} {options[option]!r} in four games; does initialize keep it in the "
            "position, and is a condition that asks for it ever true? If it matters only at the end, record a session: "
            f"tests/scripts/{name}-{option}.in.",
        )


@pytest.mark.usefixtures("quick")
@every_choice
def test_5_a_hint_is_given(name, options):
    """Also with choices that the game's solver does not know."""
    expect(hints.Guide(game_of(name, options)).next_hint().text(), f"The first hint of {name} with {options} is empty.")


@each_game
def test_5_a_game_can_be_won_and_lost_and_not_too_early(name):
    """Won by a script, by the solver, or at random; progress, if the game has it, is then at its maximum. Lost, or
    stuck with its own STUCK."""
    if lacks := find_missing(importlib.import_module(name), ["check_win", "check_loss"]):
        pytest.skip(" ".join(lacks))
    won, lost, last_spots = ends(name, tuple(options_of(name)[0].items()))
    if not won:
        best = max(last_spots, key=lambda spot: spot.ask("progress"))
        expect(
            False,
            winning_session(name)[1]
            or f"{name}.check_win(game) never returned True in {len(last_spots)} games, and no solver won. At the end "
            f"of the best one check_loss returned {best.ask('check_loss')!r}, and legal_moves "
            f"{best.ask('legal_moves')!r:.80}: is one of them, or check_win or refusal, too strict? If it is hard, "
            f"put a session that wins into tests/scripts/{name}-win.in (docs/new_game.md, step 7). {best}",
        )
    if frame.has_own(rules_of(name), "progress"):
        counts = [spot.ask("progress") for spot in won]
        grows = all(isinstance(count, int) for count in counts) and counts[0] < counts[-1] == max(counts)
        told = "in a game that is won; expected a number that grows, for hints go by it."
        won[-1].expect(grows, f"progress(game) returned {counts!r:.300} {told}")
    for options in options_of(name):  # a module that keeps a choice keeps the last one
        deal(name, options, 0)
    for spot in won:
        is_won, is_last = spot.ask("check_win"), spot is won[-1]
        told = "only at its end; options must be kept in the position, not in the module"
        spot.expect_answer(is_won is is_last, "check_win", (), is_won, f"{is_last}, for this script wins, and {told}")
        reason = spot.ask("check_loss")
        spot.expect_answer(reason is None, "check_loss", (), reason, "None, for this game is won in the end")
    can_end = lost or rules_of(name).STUCK != frame.Rules.STUCK
    told = "expected a reason when nothing leads on (or STUCK in the module, if the game is never lost)."
    expect(can_end, f"{name}.check_loss(game) returned None in every position of {len(last_spots)} games; {told}")


@each_game
def test_5_every_word_is_allowed_at_some_time(name):
    """Every command is allowed at least once, in some random games with each option or in one that is won."""
    never = {form.word for form in frame.forms(rules_of(name).COMMANDS).values()}
    spots = [*ends(name, tuple(options_of(name)[0].items()))[0]]
    spots += [spot for options in options_of(name) for spot in spots_of(name, options, seeds=range(4))]
    for spot in spots:
        never -= {move[0] for move in spot.moves}
        for move in possible_moves(spot) if never else ():
            if move[0] in never and spot.ask("refusal", *move) is None:
                never.discard(move[0])
    told = "in every position of every game that was played: it is too strict, or the word is not needed."
    expect(not never, f"{name}.refusal refused {', '.join(sorted(never))} of COMMANDS {told}")


@whole_game
def test_5_a_lost_game_cannot_be_won(name, options):
    """Tested by searching on with the legal moves."""
    rules = rules_of(name)
    going_on = copy.copy(rules)
    going_on.check_loss = lambda game: None
    for seed in range(8):
        lost = play_game(name, tuple(options.items()), seed)[-1]
        reason = lost.ask("check_loss")
        for move in lost.ask("legal_moves") if reason and frame.has_own(rules, "progress") else ():
            brings_more = rules.progress(lost.after(move).game) > rules.progress(lost.game)
            lost.expect_answer(not brings_more, "check_loss", (), reason, f"None, for {move} still brings progress")
        moves = general.solve(going_on, lost.game, None, POSITIONS_LOST).moves if reason else ()
        way = "; ".join(rules.write(*move) for move in moves)
        lost.expect_answer(not way, "check_loss", (), reason, f"None, for {way} wins")


@each_game
def test_5_it_is_played_by_ear(name, unwarned):
    """Every move of a game, and back again: piles may appear and vanish."""
    rules, spot = rules_of(name), play_game(name, tuple(options_of(name)[0].items()), 4)[-1]
    typed = "\n".join(rules.write(*move) for move in spot.moves[:20])
    heard = run(["play", name, "--seed", "4", "--spoken"], f"{typed}\nundo all\nredo all\nlook\ntops\nundo\nq\ny")
    fault = heard.stdout.decode().partition("ran into a bug.")[2].strip() or heard.stderr.decode().strip()
    spot.expect(heard.returncode == 0 and not fault, f"Played with --spoken, {name} ended in {fault!r:.300}.")


def spot_of(game):
    """Return the Spot of a game."""
    return Spot(game.rules.name, game.deal.options, game.deal.number, game.position, game.moves)


@whole_game
def test_5_undo_and_redo_give_the_answers_of_before_and_no_hint_only_goes_back(name, options):
    """Back any number of moves of a random game, and forward again, while other games are dealt. The first hint takes
    back the last move only if all do."""
    chance, game, spots = random.Random(3), game_of(name, options), []
    while True:
        spots.append(spot_of(game).copy())
        before, now = spots[-2:][0].game, spots[-1]
        legal = now.ask("legal_moves")
        with positions.preserve_random_state():
            back = [positions.same(now.after(move).game, before) for move in game.legal_moves()]
        now.expect(back == sorted(back), "Those of the legal_moves that take back the last move do not come last.")
        if not legal or now.is_over() or len(spots) > 60:
            break
        game.perform(chance.choice(legal[:3] + legal))
    said, stream = [[spot.ask(function) for function in SAID] for spot in spots], random.getstate()
    for there in [*chance.choices(range(len(spots)), k=40), len(spots) - 1]:
        if step := there - len(game.commands):
            (game.redo if step > 0 else game.undo)(abs(step))
        with positions.preserve_random_state():
            for other in options_of(name):
                deal(name, other, there)
        spot = spot_of(game)
        for function, one, two in zip(SAID, said[there], map(spot.ask, SAID)):
            told = "as before: everything that changes must be in the position, not in the module"
            spot.expect_answer(one == two, function, (), two, f"{one!r:.300}, {told}")
    game.replay(game.commands)
    spots[-1].expect_same(game.position, "The same moves from the same deal lead to two positions")
    is_same = random.getstate() == stream
    spots[-1].expect(is_same, "The same moves call random differently when they are made again.")


@whole_game
def test_5_the_same_seed_gives_the_same_bytes(name, options):
    skip_without_main(name)
    arguments = [name, "--seed", "9", *(word for option, choice in options.items() for word in (f"--{option}", choice))]
    spot = play_game(name, tuple(options.items()), 9)[-1]
    script = "\n".join([*(spot.rules.write(*move) for move in spot.moves[:40]), "q", "y", "q", "n", ""])
    first, second = run(arguments, script), run_process(arguments, script, PYTHONHASHSEED="1")
    is_same, is_read = first.stdout == second.stdout, b"invalid input" not in first.stdout.split(b"play again")[0]
    spot.expect(not first.returncode and not first.stderr, f"The game ended in {last_error(first)}.")
    spot.expect(is_same, "The game printed something else in a second run: perhaps the order of a set comes into it.")
    spot.expect(is_read, "A command was not read.")


def last_error(result):
    """Return the last line of a program's error output, and the last file and line that it names."""
    said = result.stderr.decode()
    return " ".join([*said.splitlines()[-1:], *re.findall(r'/(\w+\.py", line \d+)', said)[-1:]])


@each_game
def test_5_a_saved_game_goes_on_where_it_stopped_and_is_a_script(name, tmp_path, unwarned):
    """Saved in two pieces, a game ends as it does in one; so does the saved file when it is run as a script."""
    skip_without_main(name)
    rules, save_file, start = rules_of(name), tmp_path / "game.txt", [name, "--seed", "12"]
    game, typed = game_of(name, options_of(name)[0], 12), []
    for _ in range(10):
        if not game.outcome() and (legal := rules.legal_moves(game.position)):
            typed.append(rules.write(*legal[0]))
            game.perform(legal[0])
    at_table = ["play", *start, "--save", save_file]
    pieces = [run(at_table, "\n".join(lines)) for lines in (typed[:5], typed[5:], [])]
    # An empty line shows the board again, with its status line below it.
    *_, shown, _ = run(["play", *start], "\n".join([*typed, "", ""])).stdout.decode().split(PROMPT)
    spot, saved, board = spot_of(game), save_file.read_text(encoding="utf-8"), "\n".join(shown.splitlines()[:-1])
    for holds, what in (
        (not any(piece.returncode for piece in pieces), f"ends in {' '.join(map(last_error, pieces))}"),
        (saved.splitlines()[1:] == game.list_lines(), "holds other lines than the moves that stand"),
        (board and board in pieces[-1].stdout.decode(), "ends differently when continued"),
        (spot.ask("display") in run(start, saved).stdout.decode(), "ends differently when it is typed as a script"),
    ):
        spot.expect(holds, f"A saved game {what}.")


def words_of(answer):
    """Return an answer with its blanks, and the backs and forms of commands that only the table shows, made alike."""
    return " ".join(answer.replace("░░", "XX").replace(":", " ").split())


def skip_without_main(name):
    """Skip a test of a game whose module has no main() yet."""
    if not hasattr(rules_of(name).module, "main"):
        pytest.skip(f"{name} has no main() yet")


@each_game
def test_5_its_program_and_the_table_read_each_form_of_a_command_alike(name):
    """A move, a refusal, too many numbers and none: the answer of main() is a part of the table's."""
    skip_without_main(name)
    spot = play_game(name, tuple(options_of(name)[0].items()), 8)[0]
    rules, legal = spot.rules, spot.rules.legal_moves(spot.game)
    for form in frame.forms(rules.COMMANDS).values():
        numbers = [move[1:] for move in legal if move[0] == form.word][:1] + [
            ("1",) * form.most,
            ("9",) * (form.most + 1),
        ]
        for line in [" ".join(map(str, [form.word, *some])).strip() for some in [*numbers, ()]]:
            alone, at_table = (
                words_of(run([*start, name, "--seed", "8"], f"{line}\n").stdout.decode().split("Enter ")[1])
                for start in ([], ["play"])
            )
            answer = (
                re.sub("^Error invalid (input|move). ", "", alone.partition("help) ")[2]) if name != "montana" else ""
            )
            spot.expect(
                answer in at_table,
                f"{line!r} is answered by main() with {answer!r:.300}, at the table {at_table!r:.300}",
            )


@each_game
def test_5_the_table_shows_letters_for_symbols(name):
    typed, shown = "rules\nd\nsw\nundo\n9d 10s\n", []
    for value in ("no", "yes"):
        store.keep_setting("ascii", value)
        shown.append(run(f"play {name} --seed 4", typed).stdout.decode())
    expected = shown[0].translate(str.maketrans("♣♦♥♠░·—", "CDHS#--"))
    for line, wanted in itertools.zip_longest(shown[1].splitlines(), expected.splitlines(), fillvalue=""):
        expect(
            line == wanted and line.isascii(),
            f"With letters for suits, {name} prints {line!r}; expected {wanted!r}, and only ASCII characters.",
        )


@each_game
def test_5_a_game_with_another_cards_module(name, tmp_path):
    """With padded ranks and letters for suits the board is as wide as before."""
    project = helpers.copy_project(tmp_path, ROOT / "tests" / "other_cards.py")
    moves = play_game(name, tuple(options_of(name)[0].items()), 2)[-1].moves[:60]
    typed = [*(rules_of(name).write(*move) for move in moves), *["hint"] * (name not in KNOWN), "moves", "q", ""]
    shown = run_process(["play", name, "--seed", "1"], "\n".join(typed), project)
    with_it = f"With another cards.py, tests/other_cards.py, whose ranks are padded, {name}"
    told = "cards are told apart by rank() and suit(), not by their text."
    expect(shown.returncode == 0, f"{with_it} ended in {last_error(shown)}; {told}")
    for line in shown.stdout.decode().replace(PROMPT, "").splitlines():
        expect(
            len(line) <= WIDTH or "Error: " in line or " — " in line,
            f"{with_it} prints a line of {len(line)} characters, {line!r}; print cards with a width, as :>4 does.",
        )
        is_text = "invalid move" in line or " onto " in line or " after " in line
        has_gap = re.search("[a-z]{2}  (10|[2-9AJQK])[cdhs]", line)
        expect(not (is_text and has_gap), f"{with_it} prints {line!r}; expected no blanks before a rank.")


# Step 6: what is still missing


@each_game
def test_6_nothing_is_missing(name):
    """It comes last, so that everything that exists is tested first: the frame does without, but not well."""
    module = importlib.import_module(name)
    faults = [*find_missing(module, MORE_FUNCTIONS), *faults_in_texts(module)]
    expect(not faults, "\n".join(faults))
