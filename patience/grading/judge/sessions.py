"""Scripted sessions: what is typed, NAME.in, and what must be printed, NAME.out.

The first line of an .in gives the command that starts the program (# montana --seed 100 --deck course.deck) or, for a
different assignment, the program's prompts (# prompt: "Enter option: " "Again? "). This line and all others that begin
with # are not typed. `# note: text` is shown if the answer to the next line is the first wrong one; `# hidden` hides
the session from the students, on platforms that can do that. The opening is everything printed up to the first prompt;
the answer to a command is everything from there to the next prompt.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import click

from patience.grading.courses import answers
from patience.grading.box import programs
from patience.grading.box.boxes import folder_of_boxes
from patience.grading.box.runner import Runner
from patience.grading.courses.known import course_of
from patience.grading.courses.script import Session
from patience import COURSE, decks, options
from patience.text import error_text, printable, read_at_most, read_text, text_of

if TYPE_CHECKING:
    from pathlib import Path

    from patience.decks import Deal

PROMPT, NOTE, HIDDEN = "# prompt:", "# note:", "# hidden"
PROMPT_OPTIONS = [options.SEED, click.Option(["--deck"], type=options.DeckName(decks.PACK))]
SEED = "functions.seed"  # the file with the seed of the calls
DIGEST = "sha256 "  # the beginning of an .out that holds only the end of its session
SECONDS = 60  # that a program may take to write an .out


class Unusable(ValueError):
    """A folder or a session cannot be used for grading. str() gives a sentence."""


def read_folder(folder: Path, games: dict[str, str]) -> list[Session]:
    """Return the Sessions of a folder. games: the names of this project's games. Raises Unusable."""
    return [read(path, games) for path in scripts_in(folder)]


def scripts_in(folder: Path) -> list[Path]:
    """Return the scripts of a folder. Raises Unusable if there are none."""
    if scripts := sorted(folder.glob("*.in")):
        return scripts
    raise Unusable(f"{printable(folder)}: this folder has no sessions, NAME.in.")


def update(folder: Path, games: dict[str, str], reference: Path | None, cards: Path) -> None:
    """Write missing .out files, using our games or, if given, reference, the file of a program, with this cards module.
    Raises Unusable."""
    for path in scripts_in(folder):
        if not path.with_suffix(".out").exists():
            write_out(path, games, reference, cards)


def seed_in(folder: Path) -> int:
    """Return the seed of the calls, which is written when new sessions are made; that of the public sessions is 0."""
    with contextlib.suppress(OSError, ValueError):
        return int(read_text(folder / SEED))
    return 0


def read(script: Path, games: dict[str, str]) -> Session:
    """Return the Session of a file NAME.in. Raises Unusable."""
    recorded = script.with_suffix(".out")
    session = read_typed(script, games)
    try:
        if not recorded.exists():
            raise ValueError(f"{recorded.name} is missing: sessions update FOLDER writes it.")
        expected = text_of(read_at_most(recorded))
        if not expected:
            raise ValueError(f"{recorded.name} is empty.")
    except (OSError, ValueError) as error:
        raise Unusable(printable(f"{script.name}: {error_text(error)}")) from None
    if expected.startswith(DIGEST):
        raise Unusable(f"{recorded.name} holds only the end of its session, so it cannot be used for grading.")
    pieces = answers.split_at_prompts(expected.replace("\r\n", "\n"), session.prompts)[: len(session.typed) + 1]
    return session._replace(answers=pieces[:1] + [piece for piece in pieces[1:] if piece])


def read_typed(script: Path, games: dict[str, str]) -> Session:
    """Return the Session of a file NAME.in, without its answers. Raises Unusable."""
    try:
        text = text_of(read_at_most(script), "replace")
        if "\0" in text:
            raise Unusable("it is not text.")
        lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
        deal, prompts = read_first_line(lines[0], games, script.parent)
    except (OSError, ValueError) as error:
        raise Unusable(printable(f"{script.name}: {error_text(error)}")) from None
    typed, notes = [], {}
    for line in lines:
        if line.startswith(NOTE):
            notes[len(typed)] = line.removeprefix(NOTE).strip()
        elif not line.startswith("#"):
            typed.append(line)
    return Session(script.stem, deal, prompts, typed, notes, HIDDEN in lines, [], [])


def read_first_line(line: str, games: dict[str, str], folder: Path) -> tuple[Deal, list[str]]:
    """Return the Deal in a session's first line (without rules for a different assignment) and its prompts. folder:
    where its deck file is. Raises ValueError."""
    if line.startswith(PROMPT):
        command = click.Command("prompt:", params=[click.Argument(["prompts"], nargs=-1), *PROMPT_OPTIONS])
        values = options.read_options(command, line[1:], folder)
        prompts = [prompt for prompt in values["prompts"] if prompt.strip()]
        if not prompts:
            raise Unusable("there is no prompt after # prompt:")
        return options.deal_of(None, values["seed"], values["deck"], {}), prompts
    deal = options.read_deal(line, games, folder)
    return deal, [course_of(deal.rules.name).prompt, deal.rules.AGAIN]


def write_out(script: Path, games: dict[str, str], reference: Path | None, cards: Path) -> None:
    """Write the .out of a script: the output of this project's game, or of the reference. reference: the path of a
    program. cards: that of the cards module. Raises Unusable."""
    session = read_typed(script, games)
    if not reference and not session.rules:
        raise Unusable(
            f"{script.name}: only a game of this project can write {script.stem}.out, or a program of yours, with "
            "--reference."
        )
    source = reference or COURSE / f"{session.deal.rules.name}.py"
    with folder_of_boxes() as boxes, Runner(boxes, source) as runner:
        settings = settings_of(session, source.name)
        run = programs.run(runner.use({"cards.py": cards}), settings, typed_bytes(session), SECONDS)
    if not run.remarks and not any(run.pieces):
        raise Unusable(printable(f"{script.name}: {source.name} printed nothing."))
    if run.remarks:
        why = run.errors.splitlines()[-1:] or run.remarks
        raise Unusable(printable(f"{script.name}: {why[0].removeprefix('Error: ')}"))
    script.with_suffix(".out").write_bytes("".join(run.pieces).encode())


def settings_of(session: Session, program: str) -> dict[str, Any]:
    """Return the settings for the box in which a session is typed into a program."""
    seed, deck = session.deal.number, session.deal.cards
    return {"file": program, "options": session.options, "seed": seed, "deck": deck}


def typed_bytes(session: Session) -> bytes:
    """Return the lines of a session as a program reads them."""
    return "".join(f"{line}\n" for line in session.typed).encode()


def export(sessions: list[Session], folder: Path) -> None:
    """Write each session as a pair of plain files, without comments. Raises Unusable if there is one already, perhaps
    the session itself."""
    for path in (folder / f"{session.name}.in" for session in sessions):
        if path.exists():
            raise Unusable(printable(f"{path} already exists: name a new folder."))
    for session in sessions:
        (folder / f"{session.name}.in").write_bytes(typed_bytes(session))
        (folder / f"{session.name}.out").write_bytes("".join(session.answers).encode())
