"""Options for running scripted sessions; see test_scripts.py."""

import contextlib
import functools
import itertools
import os
import pickle
import re
import sys
from pathlib import Path

import pytest

SECONDS_EACH = 60  # of computing, for each step of a game that is tested alone
# Cases that take long and are rarely needed, of tests whose other cases do not: a test, and a pattern of the cases. Whole
# tests are marked where they are. `pytest -m slow` runs all of them, and so does .ci/run.
SLOW_CASES = {
    "a_bug_ends_no_game_and_loses_no_move": "10$|220",
    "a_cheat_has_no_point": "cheats1",
    "a_game_is_played_saved_and_resumed": "quadzilla",
    "a_game_is_won_by_clicks_alone": "zodiac|klondike|easy|medium",
    "a_game_is_won_by_keys_alone": "zodiac|klondike|easy|medium",
    "a_lost_game_cannot_be_won": "klondike",
    "a_lost_position_stays_lost_whatever_is_played": "-|quadzilla",
    "a_move_that_fails_on_the_way_to_a_position_is_no_fault_of_what_is_asked_there": "while True",
    "a_name_of_any_letters_has_its_row_and_feedback": r"x01|ue000",
    "a_script_wins_in_the_real_game": "montana",
    "a_won_position_stays_won_along_its_script": "montana",
    "advice_never_reads_a_hidden_card": "-",
    "all_legal_moves_are_advised_and_the_plan_is_legal": "-",
    "an_option_is_kept_in_the_position": "klondike",
    "each_command_line_runs": "--make 5 FOLDER$|grade --functions klondike",
    "each_game_can_be_an_assignment": "klondike|zodiac|quadzilla",
    "every_word_is_allowed_at_some_time": "klondike",
    "folders_without_end_stop_a_program_and_not_the_one_who_watches_it": "many",
    "how_hard_a_deal_is_does_not_depend_on_what_was_played": "klondike|zodiac",
    "it_agrees_with_brute_force_on_endgames": "klondike|montana",
    "it_is_played_by_ear": "montana",
    "it_solves_from_the_middle_of_a_random_game": "-",
    "lost_is_what_the_rules_call_lost": "-1",
    "nothing_that_a_player_sees_depends_on_hidden_cards": "-",
    "nothing_that_the_program_says_depends_on_hidden_cards": "-|klondike|desturado|zodiac",
    "quadzillas_plan_is_one_turn": "easy",
    "refusal_validate_move_and_move_agree": "-",
    "session": "another game|New sessions|Review and hints|how many shuffles are left|that is dead|hint is of the game",
    "the_general_solver_agrees_with_brute_force_on_endgames": "klondike|desturado",
    "the_scripts_of_the_document_write_results": "run_autograder",
    "what_is_certain_wins_and_what_is_lost_is_lost": "quadzilla|montana|desturado",
    "what_leaves_its_group_ends_with_its_submission": "True|forks",
    "whatever_is_typed_pressed_and_clicked_a_legal_game_is_left": "1000|zodiac|desturado",
    "whatever_the_text_is_it_takes_a_moment": "text8",
}
NUMBERS = itertools.count()  # of homes
ABOUT_A_GAME = ["games", "test_scripts.py", "advice/test_solvers.py", "table/test_cli.py"]  # with the contract


collect_ignore = [] if hasattr(os, "fork") else ["grading"]  # which refuses to run anything there


def pytest_itemcollected(item):
    """Mark cases that are slow."""
    name, _, case = item.name.partition("[")
    cases = SLOW_CASES.get(re.sub(r"test_(\d_)?", "", name, count=1))
    if cases and re.search(cases, case.removesuffix("]")):
        item.add_marker(pytest.mark.slow)


@functools.cache
def has_sandbox():
    """Return True if submissions can run in a sandbox here."""
    from grading.box import sandboxes

    return any(map(sandboxes.works, (sandboxes.BWRAP, sandboxes.USER)))


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory, monkeypatch, request):
    """Whatever a test plays at a terminal is kept in a folder of the test's own, which is not made before it is needed."""
    folder = tmp_path_factory.getbasetemp()
    home = folder / f"home-{next(NUMBERS)}"
    for variable in ("XDG_CONFIG_HOME", "APPDATA", "HOME"):
        monkeypatch.setenv(variable, str(home))
    for variable in [name for name in os.environ if name.startswith("PATIENCE_")]:  # the reader's own
        monkeypatch.delenv(variable)
    if (
        {"grading", "docs", "test_sessions.py"} & {*request.node.path.parts}
        and hasattr(os, "fork")
        and not has_sandbox()
    ):
        monkeypatch.setenv("PATIENCE_GRADE_SANDBOX", "none")  # the command refuses to do that by itself
    monkeypatch.setenv("PYTEST_DEBUG_TEMPROOT", str(folder))  # a pytest in a test would delete the others' folders
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)  # hundreds of programs would compile all modules
    return home


@pytest.fixture(autouse=True)
def nothing_left_running():
    """Kill the programs that a test has started at a terminal."""
    yield
    if "pseudo_terminal" in sys.modules:
        for game in [*sys.modules["pseudo_terminal"].RUNNING]:
            with contextlib.suppress(ProcessLookupError):  # it has ended by itself
                game.kill()
        sys.modules["pseudo_terminal"].RUNNING.clear()


@pytest.fixture(autouse=True)
def a_game_that_fails_or_hangs(request):
    """If one game is tested, its solver and sessions are not tried once it has failed a step, and nothing takes long."""
    game, path = getattr(request.config, "checklist_of", None), request.node.path.name
    if not game or path == "test_contract.py":
        yield
        return
    import cases

    if cases.failed.get(game) or game in cases.hanging:
        pytest.skip(f"{game}: see what fails above")

    def too_long(*_):
        pytest.fail(f"{request.node.name} has not ended within {SECONDS_EACH} s of computing", pytrace=False)

    with cases.time_limit(SECONDS_EACH, too_long):
        yield


@pytest.fixture
def nobody_alone(tmp_path_factory):
    """Let one test at a time grade as the user nobody: what a submission there does reaches others of that user."""
    import fcntl  # Windows has none

    with open(tmp_path_factory.getbasetemp().parent / "nobody.lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session", autouse=True)
def what_is_right_is_found_once(tmp_path_factory):
    """The calls of a game are the same in each test, and what the same files answer to them."""
    if not hasattr(os, "fork"):
        yield
        return
    from grading.judge import functions

    root, find, ask, known = functions.ROOT, functions.calls_of, functions.answers_of, {}
    # All processes of a run share a folder. (Without pytest-xdist its parent is that of all runs.)
    folder = tmp_path_factory.getbasetemp()
    folder = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder

    def kept(name, make):
        """Return what another process has made, or make it."""
        with contextlib.suppress(FileNotFoundError):
            return pickle.loads((folder / name).read_bytes())
        made = make()
        own = folder / f"{name}-{os.getpid()}"
        own.write_bytes(pickle.dumps(made))
        own.replace(folder / name)
        return made

    @functools.cache
    def calls_of(game):
        return kept(f"calls-{game}", functools.partial(find, game))

    def answers_of(game, calls, reference=None, cards=functions.ROOT / "cards.py"):
        files = [path for path in (reference or functions.ROOT / f"{game}.py", cards) if path.exists()]
        key = (game, id(calls), *[(path, path.read_bytes()) for path in files])
        if key not in known:
            is_ours = calls is calls_of(game) and files == [root / f"{game}.py", root / "cards.py"]
            find_answers = functools.partial(ask, game, calls, reference, cards)
            # The calls are kept, so no others have their id.
            known[key] = calls, kept(f"answers-{game}", find_answers) if is_ours else find_answers()
        return known[key][1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(functions, "calls_of", calls_of)
        patch.setattr(functions, "answers_of", answers_of)
        yield


@pytest.fixture
def home(own_home):
    """The application folder of a test."""
    return own_home / "patience"


@pytest.fixture
def save_file(tmp_path):
    """The path of a saved game."""
    return tmp_path / "game.txt"


@pytest.fixture
def quick(monkeypatch):
    """Less of everything: what holds for little advice holds for much."""
    from solvers import advice, desturado_advice, klondike_advice, montana_advice, player, quadzilla_advice

    less = dict(LAYOUTS=2, MORE_LAYOUTS=2, POSITIONS=30, POSITIONS_KNOWN=300, POSITIONS_AFTER=20, POSITIONS_SHUT=30)
    for name, value in {**less, "PLAIN_MOVES": 40}.items():
        monkeypatch.setattr(advice, name, value)
    monkeypatch.setattr(player, "MAX_MOVES", 20)
    monkeypatch.setattr(klondike_advice, "POSITIONS_TRIED", 300)
    monkeypatch.setattr(desturado_advice, "POSITIONS_TRIED", 300)
    monkeypatch.setattr(quadzilla_advice, "WIDTH_ADVISED", 4)
    monkeypatch.setattr(quadzilla_advice, "ROWS", dict.fromkeys(quadzilla_advice.ROWS, 1))
    monkeypatch.setattr(montana_advice, "POSITIONS_ADVISED", 300)
    monkeypatch.setattr(montana_advice, "SEQUENCES_WIDTH", 3)


@pytest.hookimpl(optionalhook=True)  # xdist may be missing
def pytest_xdist_auto_num_workers():
    """Return how many processes `-n auto` starts: half as many again as there are cores, as many tests wait."""
    return (os.cpu_count() or 1) * 3 // 2


def pytest_addoption(parser):
    group = parser.getgroup("scripted sessions")
    group.addoption("--scripts", metavar="DIR", help="run the .in files of this folder")
    group.addoption("--cards", metavar="FILE", help="run them with this cards.py in place of ours")
    group.addoption(
        "--update",
        nargs="?",
        const="missing",
        choices=("missing", "all"),
        metavar="all",
        help="write the .out files that are missing; --update=all: all of them",
    )


def pytest_terminal_summary(terminalreporter, exitstatus, config):
    if hasattr(config, "checklist_of"):
        write_checklist(terminalreporter, config.checklist_of)
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and config.option.keyword:
        import main

        terminalreporter.write_line(
            f"No quick test matches -k {config.option.keyword}; -m slow runs the others. The games are "
            f"{', '.join(main.GAMES)}."
        )


def write_checklist(reporter, game):
    """Write each thing that was tried of a game, and whether it is as it should be."""
    outcomes = {}
    for outcome in ("skipped", "passed", "failed"):
        for report in reporter.stats.get(outcome, []):
            name = report.nodeid.partition("::test_")[2].partition("[")[0].replace("_", " ")
            outcomes[name] = outcome
    reporter.section(f"{game}: what is not as it should be")
    for name, outcome in sorted(outcomes.items()):
        if outcome != "passed":
            reporter.write_line({"failed": "[ ] ", "skipped": "[-] "}[outcome] + name)
    count = [*outcomes.values()].count("passed")
    reporter.write_line(f"[ ] is not as it should be, [-] was not tried: see above. The other {count} are.")


def pytest_configure(config):
    import main

    if config.option.keyword in main.GAMES and [Path(arg).name for arg in config.args] == ["test_contract.py"]:
        config.checklist_of = config.option.keyword
        config.args += [str(Path(__file__).parent / name) for name in ABOUT_A_GAME]
    if config.getoption("update"):  # then all that was recorded is written anew, not only what is quick
        config.option.markexpr = ""
    scripts = config.getoption("scripts")
    if scripts and not Path(scripts).is_dir():
        raise pytest.UsageError(f"--scripts: {scripts} is not a folder")
    cards = config.getoption("cards")
    if cards and not Path(cards).is_file():
        raise pytest.UsageError(f"--cards: {cards} is not a file")
