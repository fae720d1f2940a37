"""What several tests share: each game with every choice of its options or every solver, small endings, and how the
contract tests report failures."""

import contextlib
import difflib
import functools
import importlib
import inspect
import signal
import sys

import pytest

import main
from helpers import ROOT, imports_of, rules_of
from patience.solvers import general
from spots import card_in, error_in, expect, spots_of
from patience import options as program, rules as frame
from patience.table import words

WIDTH = 80
MAX_CHOICES = 5  # an option with more choices is tried with its first and its last one
FUNCTIONS = "initialize display move".split()  # nothing can be tried without these
MORE_FUNCTIONS = "refusal check_win check_loss legal_moves describe".split()
ALIKE = 0.8  # how similar a name must be to that of a function of the contract to count as meant for it
LONGEST_LINE = 66  # for a game in the list
BY_GAME = (
    "validate_move perform confirmation status progress special blanks reason hidden piles display_narrow".split()
)  # functions that a module may have
KNOWN = ("montana", "quadzilla", "desturado", "zodiac", "klondike")
NEVER_THE_SAME = ("time", "datetime", "secrets")  # modules with which the same deal and moves can give a different game


# Step 1: the module


@functools.lru_cache(maxsize=None)
def faults_in_module(name):
    """Return sentences about what is wrong with a game's module, its names and its grammar."""
    try:
        module = importlib.import_module(name)
        rules = rules_of(name)
    except (Exception, SystemExit) as error:
        return [f"import {name} {error_in(name, error)}."]
    return [*faults_in_names(module), *faults_in_grammar(rules), *faults_in_options(rules)]


def parameters(function):
    """Return the names of a function's parameters; none if it is no function."""
    return [*inspect.signature(function).parameters] if inspect.isfunction(function) else []


def faults_in_names(module):
    """Return sentences about the names of a module."""
    name, title = module.__name__, getattr(module, "TITLE", None)
    if not (module.__doc__ or "").strip():
        yield f"{name}.py has no docstring; expected the rules, as the player reads them."
    if not isinstance(title, str) or not title or title.strip() != title:
        yield f"{name}.TITLE is {title!r}; expected a string, the first line of a game."
    yield from find_missing(module, FUNCTIONS)
    yield from (line for line in find_missing(module, MORE_FUNCTIONS) if ", but " in line)
    if others := {*parameters(getattr(module, "initialize", None))} - {*getattr(module, "OPTIONS", ())}:
        yield (
            f"{name}.initialize takes {', '.join(sorted(others))}; expected the options of OPTIONS alone: it makes and "
            "shuffles its own cards.Deck()."
        )
    (game, *_) = parameters(getattr(module, "display", None)) or ["game"]
    for function in BY_GAME:
        if hasattr(module, function) and parameters(getattr(module, function))[:1] != [game]:
            yield (
                f"{name}.{function} is a name that the frame asks as {function}({game}, ...), like display "
                f"(docs/contract.md): call its first parameter {game}, or give yours another name."
            )
    for imported in sorted({one.split(".")[0] for one in imports_of(ROOT / f"{name}.py")}):
        if imported not in {"cards", *sys.stdlib_module_names}:
            yield f"{name}.py imports {imported}; a game needs only cards and the standard library."
        if imported in NEVER_THE_SAME:
            yield f"{name}.py imports {imported}; the same deal and moves must give the same game at any time."


def faults_in_texts(module):
    """Return sentences about the texts in a module; these faults stop nobody from trying the game."""
    name = module.__name__
    for line in (module.__doc__ or "").splitlines():
        if len(line) > WIDTH - 2:
            yield f"{name}.py has a docstring line of {len(line)} characters, {line!r}; expected at most {WIDTH - 2}."
    if (length := len(main.GAMES[name])) > LONGEST_LINE:
        yield f"The line of {name} in main.GAMES has {length} characters; expected at most {LONGEST_LINE}."
    for function in [*FUNCTIONS, *MORE_FUNCTIONS]:
        if callable(getattr(module, function, None)) and not getattr(module, function).__doc__:
            yield f"{name}.{function} has no docstring; expected what it does."


def find_missing(module, functions):
    """Return sentences about functions that a module lacks, with the misspelt name if there is one."""
    found, others = [], vars(module).keys() - {*FUNCTIONS, *MORE_FUNCTIONS, *BY_GAME}
    for function in functions:
        if not callable(getattr(module, function, None)) and not frame.has_own(rules_of(module.__name__), function):
            alike = "".join(f", but {name}" for name in difflib.get_close_matches(function, others, 1, ALIKE))
            found.append(f"{module.__name__}.py has no function {function}{alike}.")
    return found


def faults_in_grammar(rules):
    """Return sentences about COMMANDS."""
    where = f"COMMANDS of {rules.name}.py"
    if not isinstance(rules.COMMANDS, str) or not rules.COMMANDS.strip():
        yield f"{where} is {rules.COMMANDS!r:.60}; expected a string, with a command in each line."
        return
    if not rules.COMMANDS.endswith("\n"):
        yield f"{where} ends without a newline: put the closing quotes on a line of their own."
    seen = set()
    for line in rules.COMMANDS.splitlines():
        if not line.strip() or line.startswith(" "):
            yield f"{where} has the line {line!r}; expected a command in each line, from its first column on."
            continue
        try:
            (form,) = frame.forms(line).values()
        except ValueError as error:
            yield f"{error}."
            continue
        word = form.word  # or "", if the command is given as an example
        for is_wrong, why in (
            (len(line) >= WIDTH, f"has {len(line)} characters; expected at most {WIDTH - 1}"),
            (word in seen, "has a word that is there twice"),
            (word and "  " not in line, "needs two blanks or more before what the command does"),
            (word and not (word.isalpha() and word.isupper()), "must begin with a word in capitals"),
            (word.lower() in {*words.WORDS, *words.LETTERS, *words.ANSWERS}, "begins with a word of the program"),
            (card_in(word), "begins with the name of a card; choose another word"),
        ):
            if is_wrong:
                yield f"{where}: {line!r} {why}."
        seen.add(word)
    for word in [*rules.VIEWS, *filter(None, [rules.DRAW_WORD])]:
        if word not in seen:
            yield f"VIEWS or DRAW_WORD of {rules.name}.py names {word}, which is not a word of COMMANDS."


def faults_in_options(rules):
    """Return sentences about OPTIONS, and about a solver that does not know them."""
    where, solver = f"OPTIONS of {rules.name}.py", general.own_solver(rules)
    ours = {option.name for option in program.play_options(frame.Rules)} | {"jobs", "deals", "hints", "csv", "help"}
    for option, choices in rules.OPTIONS.items():
        if not isinstance(choices, tuple) or len(choices) < 2 or not all(isinstance(one, str) for one in choices):
            yield f"{where}: {option!r} has {choices!r}; expected a tuple of two or more strings, default first."
        if option in ours:
            yield f"{where}: {option!r} is already an option of the program; choose another name."
        if not option.isidentifier():
            yield f"{where}: {option!r} cannot be the name of an argument of initialize."
        if solver and option not in solver.OPTIONS:
            yield (
                f"patience/solvers/{rules.name}.py does not know --{option}: its OPTIONS say which choices it plays by, perhaps "
                "none, ()."
            )


@contextlib.contextmanager
def time_limit(seconds, too_long):
    """Call the handler too_long if the code in this context computes for longer than seconds, on systems that can do
    that."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGVTALRM, too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def options_of(name):
    """Return the options with which a game is tested: the defaults first, and then every other choice of each
    option."""
    options = {} if faults_in_module(name) else rules_of(name).OPTIONS
    found = [{option: choices[0] for option, choices in options.items()}]
    for option, (_, *others) in options.items():
        found += [{**found[0], option: choice} for choice in (others if len(others) < MAX_CHOICES else others[-1:])]
    return found


def every_case():
    """Yield the names of all games, each with all of its options_of."""
    for name in main.GAMES:
        defaults, *others = options_of(name)
        yield pytest.param(name, defaults, id=name)
        for options in others:
            (choice,) = (options[option] for option in options if options[option] != defaults[option])
            yield pytest.param(name, options, id=f"{name}-{choice}")


# How the tests are marked, and what they report

failed = {}  # the name of a game -> the names of the tests that it has failed
told = set()  # the names of games, each with an error that was reported
hanging = set()  # the names of games with a test that did not end


def every_choice(test):
    """Mark a test of each game with its default options, and with every other choice."""
    return pytest.mark.parametrize("name, options", list(every_case()))(find_telling(test))


def whole_game(test):
    """Mark a test that plays whole games: each game with its default options and, if the game is new, with every other
    choice."""
    cases = [case for case in every_case() if case.values[0] not in KNOWN or case.id == case.values[0]]
    return pytest.mark.parametrize("name, options", cases)(find_telling(test))


def each_game(test):
    """Mark a test of each game."""
    return pytest.mark.parametrize("name", main.GAMES)(find_telling(test))


def every_spot(every=10):
    """Mark a test of a Spot: it gets Spots of several games with each choice, this many moves apart, but fewer of a
    game that is KNOWN."""

    def mark(test):
        def test_spots(name, options):
            step, games = (every * 4, 1) if name in KNOWN else (every, 4)
            for spot in spots_of(name, options, step, range(games)):
                test(spot)

        test_spots.__name__ = test.__name__
        return every_choice(test_spots)

    return mark


def find_telling(test):
    """Report an error in a game's code in one sentence, with its line, and only once; if something fails with the
    defaults, do not report it again for other options. Skip a test if the game has failed a test of an earlier step;
    the names of tests begin with their steps."""

    @functools.wraps(test)
    def run_test(name, **more):
        wrong = failed.setdefault(name, set())
        if name in hanging or test.__name__ in wrong or any(other[:6] < test.__name__[:6] for other in wrong):
            pytest.skip(f"{name}: see what fails above")
        try:
            return test(name, **more)
        except pytest.fail.Exception as failure:
            fault = str(failure)
        except (Exception, SystemExit) as error:
            if f"{name}.py" not in error_in(name, error) and not isinstance(error, (frame.Refused, TimeoutError)):
                raise
            fault = f"{name} {error_in(name, error)}."
        wrong.add(test.__name__)
        error = fault.partition(" ended in ")[2].partition(". To see it")[0] or fault
        if (name, error) in told:
            pytest.skip(f"{name}: {error}, told above")
        told.add((name, error))
        expect(False, fault)

    return run_test


# Solvers


def has_solver(name, options):
    """Return True if a game has a solver for these options; False also for a choice that is the same to a solver as the
    default."""
    is_same = options.get("rank", "random") != "random" or options.get("shuffles", "2") != "2"
    return not is_same and not faults_in_module(name) and bool(general.solver_of(rules_of(name), options))


each_solver = pytest.mark.parametrize("name, options", [case for case in every_case() if has_solver(*case.values)])
