"""What holds for every game in the list, with every choice of its options.

A game that is added to main.GAMES is tested here without a line written for it.
"""

import contextlib
import functools
import importlib
import io
import random
from collections import Counter

import pytest

import cards
import main
import helpers
from helpers import ROOT, carry_out, rules_of, run, run_process
from solvers import positions
from patience import cli, lines, words
from patience import rules as frame
from patience.sitting import Sitting

WIDTH = 80
STEPS = 150
MOST_CHOICES = 5  # an option with more choices is tried with its first and its last one
SEEDS = range(3)
BEYOND = 3  # numbers that are tried beyond those there can be


def options_of(rules):
    return rules.OPTIONS


def every_case():
    """Yield the names of all games, each with its default options, and then with every other choice."""
    for name in main.GAMES:
        options = options_of(rules_of(name))
        defaults = {option: choices[0] for option, choices in options.items()}
        yield pytest.param(name, defaults, id=name)
        for option, choices in options.items():
            for choice in choices[1:] if len(choices) <= MOST_CHOICES else choices[-1:]:
                yield pytest.param(name, {**defaults, option: choice}, id=f"{name}-{choice}")


every_game = pytest.mark.parametrize("name, options", list(every_case()))
each_game = pytest.mark.parametrize("name", main.GAMES)


def deal(rules, options, seed):
    random.seed(seed)
    return rules.initialize(**options)


def is_over(rules, game):
    return rules.check_win(game) or rules.check_loss(game) is not None


def board(rules, game):
    """Return the board as text."""
    with contextlib.redirect_stdout(io.StringIO()) as text:
        rules.display(game)
    return text.getvalue()


def after(rules, game, move):
    """Return the position after a move that is allowed."""
    game = positions.copy_of(game)
    carry_out(rules, game, move)
    return game


@functools.lru_cache(maxsize=None)
def played(name, options, seed):
    """Return the positions of a game in which legal moves are made at random, often good ones: a list
    of (position, moves so far), the last when it is over or nothing is legal any more."""
    rules, chance = rules_of(name), random.Random(seed)
    game = deal(rules, dict(options), seed)
    moves, found = [], []
    while True:
        found.append((positions.copy_of(game), list(moves)))
        legal = rules.legal_moves(game) if len(moves) < STEPS and not is_over(rules, game) else []
        if not legal:
            return found
        moves.append(chance.choice(legal[:1] + legal[:3] + legal))
        carry_out(rules, game, moves[-1])


def some_positions(name, options, every=10, seeds=SEEDS):
    """Yield copies of positions of several games: the first, the last, and some between."""
    for seed in seeds:
        found = played(name, tuple(options.items()), seed)
        for game, _ in [*found[seed % every : -1 : every], found[0], found[-1]]:
            yield positions.copy_of(game)


def every_move(rules, game):
    """Return every move that the help of a game has, also with numbers of what is not there."""
    return all_moves(rules.name, *positions.sizes(game))


@functools.lru_cache(maxsize=None)
def all_moves(name, piles, most):
    found = []
    for line in lines.every_line(rules_of(name).COMMANDS, piles + BEYOND, most + BEYOND):
        with contextlib.suppress(lines.Refused):
            found.append(lines.read(rules_of(name), line))
    return found


def reordered(game):
    """Return what tells positions apart when it does not matter in which order piles stand."""
    return sorted(
        str(sorted(map(str, part)) if any(isinstance(pile, list) for pile in part) else part)
        if isinstance(part, list) else f"{name} {part}"
        for name, part in positions.parts(game).items()
    )


def is_card(word):
    return lines.card_of(word) is not None


# What a module offers


@each_game
def test_the_names_are_there(name):
    rules = importlib.import_module(name)
    assert rules.__doc__.strip() and max(map(len, rules.__doc__.splitlines())) < WIDTH - 1
    assert rules.TITLE.strip() == rules.TITLE and rules.TITLE
    for function in ("initialize display refusal validate_move move check_win check_loss legal_moves "
                     "describe").split():
        assert callable(getattr(rules, function)) and getattr(rules, function).__doc__, function
    for option, choices in options_of(rules_of(name)).items():
        assert len(choices) > 1 and all(isinstance(choice, str) for choice in choices), option


@each_game
def test_the_commands_are_a_grammar_and_a_help(name):
    rules = rules_of(name)
    assert rules.COMMANDS.endswith("\n") and max(map(len, rules.COMMANDS.splitlines())) < WIDTH
    for form in lines.forms(rules.COMMANDS).values():
        left = form.help.split("  ")[0]
        assert len(form.help.split("  ", 1)) == 2, f"two blanks before what it does: {form.help}"
        if not rules.reads_itself:
            assert form.word.isupper() and form.word.isalpha()
            assert left.replace("[", "").replace("]", "").split()[1:] == [
                word for word in left.replace("[", "").replace("]", "").split()[1:] if word.islower()]
            assert form.word.lower() not in {*words.WORDS, *words.LETTERS, *words.ANSWERS, "#"}
            assert not is_card(form.word)
            for count in range(form.fewest, form.most + 1):
                line = " ".join([form.word.lower(), *["1"] * count])
                assert lines.read(rules, line) == (form.word, *[1] * count)
    assert len(lines.forms(rules.COMMANDS)) == rules.COMMANDS.count("\n"), "a word stands once"


@each_game
def test_no_option_has_a_name_of_the_program(name):
    ours = {word for option in cli.play_options(rules_of(name)) for word in (*option.opts, option.name)}
    for option in options_of(rules_of(name)):
        assert option.isidentifier() and not {option, f"--{option}"} & {*ours, "deck", "help"}, option


@each_game
def test_a_game_imports_only_cards_and_the_standard_library(name):
    ours = {path.stem for path in ROOT.glob("*.py")} | {"click", "solvers", "patience"}
    source = (ROOT / f"{name}.py").read_text(encoding="utf-8")
    imported = {line.split()[1].split(".")[0] for line in source.splitlines()
                if line.lstrip().startswith(("import ", "from "))}
    assert imported & ours == {"cards"}


# The deal


class ListDeck:
    """A deck that keeps its cards in a list, as the course's does."""

    def __init__(self, pack):
        self.cards = [cards.Card(*pair) for pair in pack]

    def deal(self):
        return self.cards.pop() if self.cards else None


def pack_of(rules):
    return rules.PACK


@every_game
def test_the_deck_that_is_handed_in_is_dealt(name, options):
    """Its very cards, every time in the same places, whatever chance says."""
    rules = rules_of(name)
    dealt = []
    for seed in (1, 2):
        random.seed(seed)
        deck = ListDeck(pack_of(rules))
        whole = list(deck.cards)
        game = rules.initialize(deck, **options)
        in_play = positions.cards_in(positions.parts(game))
        assert {id(card) for card in in_play} == {id(card) for card in whole}
        dealt.append([(card.rank(), card.suit()) for card in in_play])
    assert dealt[0] == dealt[1]
    random.seed(1)
    fresh = rules.initialize(**options)
    random.seed(2)
    assert positions.parts(fresh) != positions.parts(rules.initialize(**options)), "else it is shuffled"


@every_game
def test_nothing_is_shared_between_games_or_with_the_deck(name, options):
    rules = rules_of(name)
    deck = ListDeck(pack_of(rules))
    games = [rules.initialize(deck, **options), *(deal(rules, options, 1) for _ in range(2))]
    found = [{id(one) for one in positions.lists_in(thing)}
             for thing in (vars(deck), *map(positions.parts, games))]
    assert len(set().union(*found)) == sum(map(len, found))
    all_cards = [card for game in games for card in positions.cards_in(positions.parts(game))]
    assert len(set(map(id, all_cards))) == len(all_cards)


# The board


@every_game
def test_the_board_fits_at_every_step(name, options):
    rules = rules_of(name)
    for game in some_positions(name, options, every=5):
        shown = board(rules, game)
        assert shown.endswith("\n") and "\n\n\n" not in shown
        assert max(map(len, shown.splitlines())) <= WIDTH


@every_game
def test_nothing_but_display_prints_and_only_a_move_changes_anything(name, options, capsys):
    rules = rules_of(name)
    for game in some_positions(name, options, every=30):
        before, chance = positions.copy_of(game), random.getstate()
        board(rules, game)
        for move in rules.legal_moves(game):
            rules.describe(game, *move)
        assert random.getstate() == chance
        for move in rules.legal_moves(game):
            with positions.chance_kept():
                after(rules, game, move)
        for move in every_move(rules, game):
            if rules.refusal(game, *move) is None and move[0] in rules.VIEWS:
                assert rules.VIEWS[move[0]](game, *move[1:]).strip()
        rules.check_win(game), rules.check_loss(game)
        assert positions.same(game, before) and random.getstate() == chance
    assert capsys.readouterr().out == ""


# Moves


@every_game
def test_every_legal_move_is_allowed_and_changes_something(name, options):
    rules = rules_of(name)
    for game in some_positions(name, options):
        legal = [] if is_over(rules, game) else rules.legal_moves(game)
        assert len(legal) == len(set(legal))
        for move in legal:
            assert rules.refusal(game, *move) is None, move
            assert not positions.same(after(rules, game, move), game), move
            assert lines.read(rules, rules.write(*move)) == move


@every_game
def test_refusal_validate_move_and_move_agree(name, options):
    """On every command of the help; move tells what it has done, and a refused one changes nothing."""
    rules = rules_of(name)
    for number, game in enumerate(some_positions(name, options, every=40)):
        before = positions.copy_of(game)
        for move in every_move(rules, game):
            reason = rules.refusal(game, *move)
            if move[0] in rules.VIEWS or len(move) == 1 and rules.reads_itself:
                continue  # what only looks is not a move, and Montana's shuffle is not its move's
            assert rules.validate_move(game, *move) is (reason is None), move
            if reason is not None:
                assert reason.strip() and reason.endswith(".") and "\n" not in reason
                if number % 3 == 0:
                    assert rules.move(game, *move) is False, move
            elif number % 3 == 0:
                assert rules.move(positions.copy_of(game), *move) is True, move
        assert positions.same(game, before)


@every_game
def test_what_is_allowed_is_legal_or_gains_nothing(name, options):
    """A move that is not among the legal ones does in other words what one of them does, or the same
    several times, or puts piles in another order."""
    rules = rules_of(name)
    for game in some_positions(name, options, every=25):
        if is_over(rules, game):
            continue
        legal = rules.legal_moves(game)
        reached, position = None, reordered(game)
        for move in every_move(rules, game):
            if move in legal or move[0] in rules.VIEWS or rules.refusal(game, *move):
                continue
            reached = reached or {board(rules, after(rules, game, one)) for one in legal}
            result = after(rules, game, move)
            shown = board(rules, result)
            assert (shown in reached or reordered(result) == position
                    or shown in repeated(rules, game, move, legal)), move


def repeated(rules, game, move, legal):
    """Yield the boards when a move is made again and again that ends with a number of times."""
    if move[:-1] in legal:
        for _ in range(move[-1]):
            game = after(rules, game, move[:-1])
            yield board(rules, game)


@every_game
def test_descriptions_name_cards_of_the_position_and_tell_moves_apart(name, options):
    rules = rules_of(name)
    moved = 0
    for game in some_positions(name, options):
        in_play = {(card.rank(), card.suit()) for card in positions.cards_in(positions.parts(game))}
        told = [lines.tidy(rules.describe(game, *move)) for move in rules.legal_moves(game)]
        assert len(set(told)) == len(told)
        for move, text in zip(rules.legal_moves(game), told):
            assert text == text.strip() and "\n" not in text and not text.endswith(".")
            assert len(rules.write(*move)) + len(text) + 2 < WIDTH
            named = [lines.card_of(word) for word in text.split() if is_card(word)]
            assert set(named) <= in_play
            assert not named or is_card(text.split()[0]), "it begins with the card that moves"
            moved += bool(named)
    assert moved


@every_game
def test_a_card_that_is_named_moves(name, options):
    """The card that a description begins with has moved to another place, or been turned over."""
    rules = rules_of(name)
    for game in some_positions(name, options, every=20):
        for move in rules.legal_moves(game):
            card = lines.card_of(rules.describe(game, *move).split()[0])
            if card:
                assert places(game, card) != places(after(rules, game, move), card), move


def places(game, pair):
    """Return where in its position a card lies, twice if there are two of it."""
    return [
        (name, number, place)
        for name, part in positions.parts(game).items() if isinstance(part, list)
        for number, pile in enumerate(part if part and isinstance(part[0], list) else [part])
        for place, card in enumerate(pile) if (card.rank(), card.suit()) == pair
    ]


# The end


@every_game
def test_won_and_lost_are_never_both_said(name, options):
    rules = rules_of(name)
    for game in some_positions(name, options, seeds=range(6)):
        reason = rules.check_loss(game)
        assert rules.check_win(game) in (True, False)
        assert reason is None or not rules.check_win(game)
        assert reason is None or reason.startswith("You lost: ") and reason.endswith(".")


@every_game
def test_a_game_that_goes_on_has_a_legal_move_or_says_that_it_is_stuck(name, options):
    rules = rules_of(name)
    for game in some_positions(name, options, every=5, seeds=range(6)):
        if not is_over(rules, game) and not rules.legal_moves(game):
            assert rules.STUCK.strip(), "neither lost nor anything to do, and no STUCK"


@every_game
def test_a_lost_game_cannot_be_won(name, options):
    """By trying moves: of all that are allowed, for some thousand positions."""
    rules, chance = rules_of(name), random.Random(1)
    for seed in range(8):
        game = played(name, tuple(options.items()), seed)[-1][0]
        if rules.check_loss(game) is None:
            continue
        seen, waiting = {board(rules, game)}, [game]
        while waiting and len(seen) < 40:
            game = waiting.pop(chance.randrange(len(waiting)))
            assert not rules.check_win(game)
            for move in every_move(rules, game):
                if move[0] not in rules.VIEWS and rules.refusal(game, *move) is None:
                    result = after(rules, game, move)
                    if board(rules, result) not in seen:
                        seen.add(board(rules, result))
                        waiting.append(result)


@every_game
def test_the_cards_are_always_the_same(name, options):
    pack = Counter(pack_of(rules_of(name)))
    for game in some_positions(name, options):
        found = positions.cards_in(positions.parts(game))
        assert Counter((card.rank(), card.suit()) for card in found) == pack


# The sitting


def sitting_of(name, options, seed=5):
    sitting = Sitting(frame.load(name), options, seed)
    sitting.deal()
    return sitting


@every_game
def test_undo_and_redo_give_the_boards_of_a_fresh_replay(name, options):
    """After every move of a random game: back any number, and forward again."""
    chance = random.Random(3)
    rules, sitting = rules_of(name), sitting_of(name, options)
    boards = [board(rules, sitting.game)]
    fresh = deal(rules, options, 5)
    for _ in range(60):
        legal = rules.legal_moves(sitting.game)
        if is_over(rules, sitting.game) or not legal:
            break
        sitting.perform(chance.choice(legal[:3]))
        stream = random.getstate()
        fresh = deal(rules, options, 5)
        for move in sitting.done:
            carry_out(rules, fresh, move)
        assert random.getstate() == stream
        boards.append(board(rules, fresh))
        assert board(rules, sitting.game) == boards[-1]
        count = chance.randint(1, len(sitting.done))
        sitting.undo(count)
        assert board(rules, sitting.game) == boards[-1 - count]
        first = chance.randint(1, count)
        sitting.redo(first)
        assert board(rules, sitting.game) == boards[len(boards) - 1 - count + first]
        if first < count:
            sitting.redo(999)
        assert board(rules, sitting.game) == boards[-1] and sitting.undone == []


@every_game
def test_the_first_hint_does_not_only_take_back_the_last_move(name, options):
    rules, chance = rules_of(name), random.Random(9)
    sitting = sitting_of(name, options, 6)
    for _ in range(60):
        if is_over(rules, sitting.game) or not rules.legal_moves(sitting.game):
            break
        before = positions.copy_of(sitting.game)
        sitting.perform(chance.choice(rules.legal_moves(sitting.game)))
        useful = sitting.legal_moves()
        assert set(useful) == set(rules.legal_moves(sitting.game)) and len(set(useful)) == len(useful)
        with positions.chance_kept():
            back = [positions.same(after(rules, sitting.game, move), before) for move in useful]
        assert back == sorted(back), "those that take back come last"


@every_game
def test_every_legal_move_of_a_card_can_be_named(name, options):
    rules = rules_of(name)
    for game in some_positions(name, options):
        moves = rules.legal_moves(game)
        for move in moves:
            told = [lines.card_of(word) for word in rules.describe(game, *move).split()]
            if told[0]:
                pairs = [pair for pair in told if pair][:2]
                named = lines.named(rules, game, moves, pairs)
                assert lines.begins_with(rules.describe(game, *named), pairs)
                assert moves.index(named) <= moves.index(move)


@every_game
def test_the_same_seed_gives_the_same_bytes(name, options):
    rules = rules_of(name)
    arguments = [name, "--seed", "9", *(word for option, choice in options.items()
                                        for word in (f"--{option}", choice))]
    done = [rules.write(*move) for move in played(name, tuple(options.items()), 9)[-1][1][:40]]
    script = "\n".join([*done, "restart", *done, "new", "q", "n", ""])
    first, second = run(arguments, script), run_process(arguments, script, PYTHONHASHSEED="1")
    assert first.returncode == 0 and first.stderr == b"" and first.stdout == second.stdout
    assert b"Error: invalid input" not in first.stdout.split(b"play again")[0]


@each_game
def test_a_saved_game_goes_on_where_it_stopped_and_is_a_script(name, tmp_path):
    """Saved in three pieces, the game ends as in one; the journal as a script ends there too."""
    rules, journal = rules_of(name), tmp_path / "game.txt"
    options = {option: choices[0] for option, choices in options_of(rules).items()}
    sitting = sitting_of(name, options, 12)
    for _ in range(30):
        if not is_over(rules, sitting.game):
            sitting.perform(rules.legal_moves(sitting.game)[0])
    typed = [rules.write(*move) for move in sitting.done]
    typed[10:10] = ["undo 3", "redo 2", "redo", "undo", "redo"]
    start = [name, "--seed", "12"]
    whole = run(start, "\n".join(typed)).stdout
    for piece in (typed[:7], [], typed[7:20], typed[20:]):
        last = run([*start, "--save", journal], "\n".join(piece))
        assert last.returncode == 0 and last.stderr == b""
    prompt = rules.PROMPT.encode()
    assert last.stdout.split(prompt)[-2:] == whole.split(prompt)[-2:]
    assert run(start, journal.read_bytes()).stdout == whole
    assert board(rules, sitting.game) in run([name, "--save", journal], "").stdout.decode()


@each_game
def test_ascii_prints_letters_for_symbols(name):
    typed = "rules\nd\nsw\nundo\n9d 10s\n"
    symbols = run(f"{name} --seed 4", typed).stdout.decode()
    letters = run(f"{name} --seed 4 --ascii", typed).stdout.decode()
    assert letters.isascii() and letters == symbols.translate(str.maketrans("♣♦♥♠", "CDHS"))


@each_game
def test_help_shows_the_rules(name):
    text = run([name, "--help"]).stdout.decode()
    for line in importlib.import_module(name).__doc__.splitlines():
        assert line in text
    assert "--seed" in text and "--deck" in text


@each_game
def test_a_sitting_with_another_cards_module(name, tmp_path):
    """Padded ranks and letters for suits: the same game, and the board is as wide as ever."""
    project = helpers.copy_project(tmp_path, ROOT / "tests" / "other_cards.py")
    rules = rules_of(name)
    options = tuple((option, choices[0]) for option, choices in options_of(rules).items())
    done = [rules.write(*move) for move in played(name, options, 2)[-1][1][:60]]
    shown = run_process([name, "--seed", "1"], "\n".join([*done, "hint", "moves", "q", "n", ""]), project)
    assert shown.returncode == 0 and shown.stderr == b""
    prompt = rules.PROMPT.split("\n")[-1]
    told = shown.stdout.decode().replace(prompt, "").splitlines()
    assert max(len(line) for line in told if "Error: " not in line) <= max(WIDTH, len(prompt))
    for line in told:
        if "invalid move" in line or " onto " in line or " beside " in line:
            assert "  " not in line.replace("invalid move.  ", "").strip(), "blanks before a rank"
