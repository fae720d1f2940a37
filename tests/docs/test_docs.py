"""Every promise of README.md and docs/ is tried: what they name in code is taken from the files themselves, and run.

A piece in code is a block (indented or fenced) or a span in a paragraph. Each must be of a kind that is known here; what
cannot be run here is marked: NOT_RUN stands in the paragraph before a block, or in the introduction of the document, or behind a span.
"""

import ast
import builtins
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

import click
import pytest

import helpers
import main
from helpers import PROMPT, ROOT, run
from patience import words
from patience.advice import deals
from patience.game import grammar, names, rules, typing

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from pseudo_terminal import QUESTION, start

NOT_RUN = "(not run by our tests)"
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCED = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INDENTED = re.compile(r"(?:(?<=\n\n)|\A)((?:(?: {4,}|\t)[^\n]*\n|\n(?= {4}))+)")
SPAN = re.compile(r"`([^`]+)`(?P<mark> ?\(not run by our tests\))?")
PLACES = ("", "docs/", "patience/", "patience/game/", "solvers/", "grading/", "tests/", "tests/scripts/")
PROGRAM = [
    ROOT / "main.py",
    ROOT / "cards.py",
    *(ROOT / f"{name}.py" for name in main.GAMES),
    *(path for folder in ("patience", "solvers", "grading") for path in (ROOT / folder).rglob("*.py")),
]
# What a placeholder in capitals stands for here.
STANDS_FOR = {
    "GAME": "klondike", "NUMBER": "8", "N": "5", "FOLDER": "folder", "submissions/": "class", "GAME-words": "klondike-words"
}  # fmt: skip
FILES = {  # the word before it -> what FILE is
    "review": "saved.txt", "999": "saved.txt", "--save": "new.txt", "--csv": "new.csv", "odds": "new.csv",
    "--deck": "klondike-1-win.deck", "--cards": "cards.py", "--json": "new.json",
}  # fmt: skip
LESS = {  # the same, in less time
    "--deals 100": "--deals 2", "--jobs 4": "--jobs 2", "odds klondike --hints": "odds montana --hints --deals 1"
}  # fmt: skip
ENDS = ("quit", "q", "exit")


def pieces(document):
    """Return what a document has in code: blocks, (its language, text, whether it is marked), and spans, (text, marked)."""
    text = document.read_text(encoding="utf-8")
    is_none_run = NOT_RUN in text.partition("\n## ")[0]
    blocks = []

    def taken(language, found):
        before = found.string[: found.start()]
        marked = NOT_RUN in before.rstrip().rpartition("\n\n")[2] or is_none_run and "\n## " in before
        blocks.append((language, found[0] if language is None else found[2], marked))
        return "\n"

    text = FENCED.sub(lambda found: taken(found[1], found), text)
    text = INDENTED.sub(lambda found: taken(None, found), text)
    spans = [(" ".join(found[1].split()), bool(found["mark"])) for found in SPAN.finditer(text)]
    return blocks, list(dict.fromkeys(spans))


BLOCKS = [(document.name, *block) for document in DOCUMENTS for block in pieces(document)[0]]
SPANS = [(document.name, span) for document in DOCUMENTS for span, is_marked in pieces(document)[1] if not is_marked]


@pytest.fixture
def place(tmp_path):
    """A folder that has what the command lines of the documents need."""
    (tmp_path / "saved.txt").write_text("# klondike --seed 8\nsw\n")
    for name in ("class/ada", "folder", "results"):
        (tmp_path / name).mkdir(parents=True)
    shutil.copy(ROOT / "tests" / "proj10.py", tmp_path / "class" / "ada")
    shutil.copy(ROOT / "tests" / "proj10.py", tmp_path)
    shutil.copy(ROOT / "cards.py", tmp_path)
    for path in [*helpers.COURSE.glob("course.deck"), *helpers.COURSE.glob("montana-course1.*")]:
        shutil.copy(path, tmp_path / "folder")
        shutil.copy(path, tmp_path)
    shutil.copy(tmp_path / "montana-course1.in", tmp_path / "session.in")
    shutil.copy(tmp_path / "montana-course1.out", tmp_path / "session.out")
    shutil.copy(helpers.SCRIPTS / "klondike-1-win.deck", tmp_path)
    helpers.made(tmp_path / "home" / "patience" / "sittings").joinpath("1.txt").write_text(
        "# klondike --seed 8\nsw\nsw\nsw\n"
    )
    return tmp_path


# Command lines


def filled_in(line):
    """Return a command line with something that is there for each of its placeholders."""
    for old, new in LESS.items():
        line = line.replace(old, new)
    words_of_line = line.partition(" #")[0].split()
    filled = []
    for before, word in zip(["", *words_of_line], words_of_line):
        word = word.replace("test_GAME", "test_klondike")
        filled.append(
            FILES.get(before, "new.txt")
            if word == "FILE"
            else STANDS_FOR.get(word, word.replace("NAME=N", "functions=5"))
        )
    return " ".join(filled)


def run_line(line, place):
    """Run a command line of a document; return what subprocess.run returns."""
    line = filled_in(line)
    line = re.sub(r"\bpython3?\b", shlex.quote(sys.executable), line).replace(" main.py", f" {ROOT / 'main.py'}")
    line = line.replace("--scripts folder", f"--scripts {place / 'folder'}")
    line = line.replace("--cards cards.py", f"--cards {place / 'cards.py'}").replace(
        "report.xml", str(place / "report.xml")
    )
    with subprocess.Popen(
        ["bash", "-euo", "pipefail", "-c", line],
        cwd=ROOT if " -m " in line else place,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as program:
        try:
            shown, errors = program.communicate(timeout=helpers.SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(program.pid, signal.SIGKILL)
            pytest.fail(f"{line} has not ended within {helpers.SECONDS} s")
    return subprocess.CompletedProcess(line, program.returncode, shown, errors)


def is_command_line(text):
    return re.match(r"(echo .* \| )?python3? (main\.py|-m|-c|tests/)(?! venv)", text)


COMMAND_LINES = list(dict.fromkeys(
    line.strip() for _, language, text, is_marked in BLOCKS if language is None and not is_marked
    for line in text.replace("\\\n", " ").splitlines() if is_command_line(line.strip())
)) + [span for _, span in SPANS if is_command_line(span)]  # fmt: skip


@pytest.mark.parametrize("line", dict.fromkeys(COMMAND_LINES))
def test_each_command_line_runs(line, place):
    if "acesup" in line or "tools.picture" in line:
        pytest.skip("test_new_game.py runs it, where there is this game; test_pictures.py into another folder")
    if "-m pytest" in line and "--scripts" not in line:  # it names tests that are there, of games that are there
        named = filled_in(line).partition("-m pytest ")[2].replace("--update=all", "--update").split()
        assert all(
            word in ("-k", "--update", *main.GAMES) or (ROOT / word.partition("::")[0]).exists() for word in named
        )
        return
    done = run_line(line, place)
    assert done.returncode == 0 and "Traceback" not in done.stderr, (done.stderr + done.stdout)[-500:]


# What is typed in a game


def is_typed(text):
    """Return True if a span is something that a player types: a word of every game, a command, or cards by name."""
    first = text.split()[0].lower() if len(text.split()[0]) > 1 else text
    known = {*words.WORDS, *typing.SPELLINGS, ";", "draw", *(typing.MORE_ANSWERS if text == first else ())}
    return (
        first in known
        or is_form(text)
        or bool(
            re.fullmatch(
                r"[0-9]+( [0-9]+)+|(tt|TT)[ ,0-9]+|(?:(?:10|[2-9atjqk])[cdhs♣♦♥♠])+( (to )?(10|[2-9atjqk])[cdhs])?",
                text,
            )
        )
    )


def is_form(text):
    """Return True if a span is a command as a game's help has it: M s d [n]."""
    return any(
        text in (form.help.split("  ")[0], form.word)
        for name in main.GAMES
        for form in grammar.forms(rules.load(name).COMMANDS).values()
        if form.word
    )


TYPED = list(dict.fromkeys(span for _, span in SPANS if is_typed(span) and not is_form(span)))


def test_everything_that_can_be_typed_is_understood(home):
    """In at least one game; and a word of every game in all of them."""
    helpers.made(home).joinpath("seen").write_text("\n".join(main.GAMES))
    understood = {}
    assert len(TYPED) > 25
    for name in main.GAMES:
        game = start(f"{name} --seed 8")
        for line in sorted(TYPED, key=lambda line: line in ("n", "new")):  # at last a deal that nobody knows
            if line in (*ENDS, "resume", ";", "y"):
                continue
            game.type(f"{line}\n" if not line.startswith("solve") else f"{line}\nn\n")
            shown = game.wait_for(PROMPT)
            assert "mistake in the program" not in shown, (name, line)
            if "invalid input" not in shown:
                understood.setdefault(line, set()).add(name)
        game.kill()
    for line in TYPED:
        if line not in (*ENDS, "resume", ";", "y"):
            assert understood.get(line), f"{line} is understood in no game"
            if line in words.WORDS:
                assert understood[line] == set(main.GAMES), line


@pytest.mark.parametrize("line", ENDS)
def test_every_word_for_the_end_ends_a_game(line, home):
    assert line in TYPED
    game = start("klondike --seed 8")
    game.type(f"{line}\n")
    assert game.close() == 0 and QUESTION not in game.shown


def test_several_commands_in_a_line():
    together, apart = (
        run("klondike --seed 8", script).stdout.rpartition(b"Foundations:")[2] for script in ("sw; sw", "sw\nsw")
    )
    assert together == apart and b"Stock: 18" in together


# Options, names, files, quotations


def all_options():
    """Return all options of all commands: their names -> the parameters."""
    found = {}
    ctx = click.Context(main.main)
    commands = [main.main.get_command(ctx, name) for name in main.main.list_commands(ctx)]
    for name in main.GAMES:
        commands.append(main.main.make(name))
        commands += [group.make(name) for group in commands if hasattr(group, "make")]
    from grading.command import command

    for one in [*commands, command]:
        for param in one.params:
            for option in param.opts:
                found.setdefault(option, []).append(param)
    found.setdefault("--help", []), found.setdefault("--version", [])
    return found


OPTIONS = all_options()
PYTEST_OPTIONS = {"--update": "all", "--scripts": "", "--cards": "", "--junitxml": ""}


def is_option(text, place):
    """Return True if a span is an option of a command, perhaps with a value that it takes."""
    option, _, value = text.replace("=", " ", 1).partition(" ")
    if value.startswith("--"):
        return all(is_option(part, place) for part in text.split())
    if option in PYTEST_OPTIONS and value in ("all", "all -k acesup"):
        return True
    value = filled_in(f"{option} {value}").partition(" ")[2]
    return option in OPTIONS and (not value or any(accepts(param, value, place) for param in OPTIONS[option]))


def accepts(param, value, place):
    """Return True if the type of an option takes a value."""
    try:
        os.chdir(place)
        param.type.convert(value, param, click.Context(click.Command("none")))
        return True
    except click.BadParameter:
        return False
    finally:
        os.chdir(ROOT)


def names_in_code():
    """Return every name that the project's code defines or uses, and the text of all its string constants."""
    found, texts = set(dir(builtins)), []
    blocks = [text for _, language, text, _ in BLOCKS if language and language.startswith("python")]
    for source in [*(path.read_text(encoding="utf-8") for path in PROGRAM), *blocks]:
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                found.add(node.name)
            elif isinstance(node, ast.Name):
                found.add(node.id)
            elif isinstance(node, (ast.arg, ast.keyword)):
                found.add(node.arg)
            elif isinstance(node, ast.Attribute):
                found.add(node.attr)
            elif isinstance(node, ast.alias):
                found.add(node.name)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.append(node.value)
    return found, "\n".join(texts)


NAMES, TEXTS = names_in_code()
SHOWN = "\n".join(path.read_text(encoding="utf-8") for path in sorted(helpers.SCRIPTS.glob("*.out")))


def is_name(text):
    """Return True if a span is a name in the code, perhaps with its parameters, a tuple or a dict."""
    if not re.fullmatch(r"[A-Za-z_][\w.]*(\(.*\))?|\(.*\)|\{.*\}|f\".*\"", text):
        return False
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return False
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} | {
        node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)
    }
    return used <= NAMES | {"rank", "suit", "end", "source_row", "source_col", "dest_row", "dest_col", "N"}


def is_file(text):
    """Return True if a span is a file or folder of the project."""
    for name in main.GAMES if "GAME" in text else [""]:
        there = any((ROOT / folder / text.replace("GAME", name)).exists() for folder in PLACES)
        if not there and not text.startswith("solvers/"):  # a solver is optional
            return False
    return "." in text or "/" in text


def is_game_or_choice(text):
    """Return True if a span is a game, the beginning of its name, or a choice of its options."""
    choices = [choice for name in main.GAMES for one in rules.load(name).OPTIONS.values() for choice in one]
    commands = [*main.main.list_commands(click.Context(main.main))]
    return any(name.startswith(text) for name in main.GAMES) or text in choices or text.split()[0] in commands


def is_variable(text):
    """Return True if a span is a variable of the environment that the program reads."""
    name = text.partition("=")[0]
    option = re.fullmatch("PATIENCE_([A-Z]+)_([A-Z]+)", name)
    if option:
        return option[1].lower() in main.GAMES and f"--{option[2].lower()}" in OPTIONS
    return bool(re.fullmatch("[A-Z_]{4,}", name)) and name in TEXTS


def is_quoted(text):
    """Return True if a span is something that the program shows: it is recorded, or stands in the code."""
    return len(text) > 2 and (
        text in SHOWN
        or text in " ".join(SHOWN.split())
        or text in TEXTS
        or all(f"\n{part}\n" in TEXTS for part in text.split(","))
    )


def is_deck_or_session(text):
    """Return True if a span is about files of decks and sessions: a card in one, their first lines and endings."""
    return (
        text in ("#", ".in", ".out", "NAME.in", "NAME.out", "STUDENT.txt")
        or names.card_of(text) is not None
        or (text.startswith("# ") and text.split()[1] in [*main.GAMES, "acesup"])
    )


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.stem)
def test_each_span_is_something_that_is_there(document, place):
    kinds = [is_command_line, is_typed, is_file, is_game_or_choice, is_variable, is_deck_or_session, is_name, is_quoted]
    kinds += [lambda text: is_option(text, place), FOREIGN.__contains__]
    unknown = [span for name, span in SPANS if name == document.name and not any(kind(span) for kind in kinds)]
    assert not unknown, f"nobody knows what these are; mend them, or mark them {NOT_RUN}"


# What belongs to others, to a file that a reader writes, to the game of new_game.md (test_new_game.py tries it), or to the
# solution of an exercise.
FOREIGN = re.split(
    r" \| |\n",
    """\
acesup.py | solvers/acesup.py | tests/games/test_acesup.py | tests/scripts/acesup-win.in | acesup- | proj10.py
submissions/ | submissions/* | sessions/ | setup.sh | run_autograder | info.json | grade.sh | 5c | 2c | :>4
git diff | if | /usr/lib | bin | lib | apt-get install bubblewrap | .github/workflows/grade.yml
acesup has no move yet. | --covered yes | N of M
"externalGradingOptions": {"enabled": true, "entrypoint": "/grade/tests/grade.sh"}
9♥ and 4♣ to the discard pile | --passes 2 | W | roomy | gentle | --shuffles unlimited | --cells 10
--build suits | --blanks kings""",
)


# Blocks


@pytest.mark.parametrize(
    "document, language, text", [block[:3] for block in BLOCKS if not block[3]], ids=lambda value: str(value)[:30]
)
def test_each_block_is_of_a_kind_that_is_run(document, language, text, place):
    if language is not None:
        assert (document, language) in RUN_ELSEWHERE, f"{document}: nobody runs this block; mark it {NOT_RUN}"
        test = (ROOT / "tests" / RUN_ELSEWHERE[document, language]).read_text(encoding="utf-8")
        assert document in test and "```" + language.partition(" ")[0] in test
        return
    first, _, rest = text.strip("\n").partition("\n")
    lines_of_block = [line.strip() for line in text.strip().replace("\\\n", " ").splitlines()]
    if all(map(is_command_line, lines_of_block)):
        return  # test_each_command_line_runs runs it
    if first.strip().startswith("python3 -m venv"):
        assert SETS_UP.fullmatch(first.strip()), ".ci/run runs it"
    elif is_command_line(first.strip()):
        done = run_line(first.strip(), place)
        assert f"\n{re.sub('(?m)^ {4}', '', rest).rstrip()}\n" in "\n" + re.sub(
            "(?m) +$", "", done.stdout.replace(PROMPT, "\n")
        )
    elif first.strip().startswith("# "):
        assert first.split()[1] in [*main.GAMES, "prompt:"]
    else:
        assert re.sub("(?m)^ {4}", "", text).strip("\n") in SHOWN + TEXTS, (
            f"{document}: nobody knows what this block is"
        )


SETS_UP = re.compile(
    r"python3 -m venv \.venv && \.venv/bin/pip install -q -r requirements\.txt && "
    r"\.venv/bin/python (main\.py montana|-m pytest -n 2 --dist worksteal)"
)
RUN_ELSEWHERE = {
    ("spoken.md", "text"): "consoles/test_spoken.py",
    ("assignment.md", "text"): "grading/test_grading.py",
    ("new_game.md", "python"): "docs/test_new_game.py",
    ("new_game.md", "python solvers/acesup.py"): "docs/test_new_game.py",
    ("new_game.md", "python tests/games/test_acesup.py"): "docs/test_new_game.py",
    ("new_game.md", "text"): "docs/test_new_game.py",
    ("graders.md", "sh"): "grading/test_grading.py",
}


# Exit statuses


def ended_by(ending, arguments, asked):
    """Return a function that returns the exit status of the program when a signal ends it once it has shown something."""

    def ended(place):
        with helpers.started(arguments, stderr=subprocess.DEVNULL) as program:
            helpers.read_until(program, asked)
            while program.poll() is None:  # one that comes in the moment before it waits for input is overlooked
                program.send_signal(ending)
                time.sleep(0.2)
            return program.returncode

    return ended


def in_shell(line):
    """Return a function that returns the exit status of the program with a line of the shell."""
    nothing = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    return lambda place: subprocess.run(f"{MAIN} {line}", shell=True, **nothing).returncode


def of(line, script=""):
    return lambda place: run(line.replace("PLACE", str(place)), script).returncode


MAIN = f"{shlex.quote(sys.executable)} {shlex.quote(str(ROOT / 'main.py'))}"
STATUSES = {  # status -> ways to it
    0: [of("klondike", "q\nn\n"), *map(of, (
        "klondike", "klondike --help", "--version", "stats", "stats --reset", "resume", "solve klondike --seed 8",
        "odds desturado --deals 2", "grade --functions montana PLACE/proj10.py"))],
    1: [*map(in_shell, ("klondike >&-", "klondike > /dev/full", "stats >&-")),
        *map(of, ("resume montana", "solve desturado --difficulty hard --seed 85", "grade --functions montana PLACE/cards.py",
                  "montana --shuffles 0 --winnable --time 0"))],
    2: [*map(of, ("chess", "klondike --draw 2", "klondike --deck none.deck", "klondike --save PLACE/proj10.py",
                  "review PLACE/proj10.py", "grade", "odds klondike --csv PLACE/proj10.py", "solve klondike --time nan"))],
    3: [of("solve klondike --seed 10 --time 0")],
    130: [*(ended_by(ending, "klondike", b"Foundations") for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)),
          ended_by(signal.SIGINT, "stats --reset", b"[y/N]")],
}  # fmt: skip


@pytest.mark.parametrize("status", STATUSES)
def test_the_exit_statuses_are_those_of_the_table(status, place, monkeypatch):
    monkeypatch.setattr(deals, "MOST_DEALS", 2)
    table = re.findall(r"^\| (\d+) \| ", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert [*map(int, table)] == [*STATUSES]
    assert [way(place) for way in STATUSES[status]] == [status] * len(STATUSES[status])


def test_what_the_kinds_must_not_take():
    """The test that sees all must see: forms, options, names and files that are not there."""
    assert not is_option("--colour", ROOT) and not is_option("--draw 2", ROOT) and not is_file("patience/none.py")
    assert (
        not is_name("no_such_function(game)")
        and not is_variable("PATIENCE_KLONDIKE_SPEED=1")
        and not is_quoted("You lose!")
    )
    assert not is_typed("finish") and not is_form("M s d n") and not is_game_or_choice("chess")
