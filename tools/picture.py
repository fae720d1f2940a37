"""Make a picture of each game at the table, docs/GAME.svg, from what the program shows there; and an animated one in a
larger window, docs/table.svg. Viewers without animation show its first frame.

Run it from the top of the project, whenever a board has changed: python -m tools.picture
"""

import os
import re
import select
import sys
import tempfile
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
CELL, LINE, MARGIN = 8.4, 18, 14  # pixels
INK, DIM, RED, PAPER = "#d8d8d8", "#8a8a8a", "#ff7b72", "#16181d"
LEVELS = (0, 95, 135, 175, 215, 255)  # of red, green and blue in the fixed part of the palette
STYLE = re.compile(r"\x1b\[([0-9;]*)m")
OTHER_ESCAPES = re.compile(r"\x1b\[\?[0-9]+[hl]|\x1b\[[0-9]*[A-HJK]")
TIME = re.compile(r" · [0-9]+:[0-9]{2}")
TOP = "\x1b[H"  # what a screen begins with
IDLE = 1.0  # seconds without output, after which a screen is complete

# For each picture: the game and its options, columns and lines of the window, and what is typed or pressed, key by key.
RIGHT, ENTER = "\x1b[C", "\r"
PICTURES = {
    "montana": ("montana --seed 100", 80, 24, ["2h\r", RIGHT]),
    "quadzilla": ("quadzilla --rank K --seed 9", 80, 24, ["d\r", "d\r", "d\r", RIGHT]),
    "desturado": ("desturado --seed 4", 80, 24, ["bb 1 2\r", "?"]),
    "zodiac": ("zodiac --seed 8", 80, 24, ["ez 3 5\r", "d 9\r"]),
    "klondike": ("klondike --seed 8", 80, 24, ["ac\r", " ", "2c\r", " ", RIGHT]),
    "table": ("klondike --seed 8", 100, 38, [RIGHT, ENTER, ENTER, "?", ENTER, " ", RIGHT]),
}
MOVING = "table"  # all its screens, one after the other; of the others the last
SECONDS = 1.6  # how long each is shown


def main(folder=ROOT / "docs"):
    """Write the pictures to a folder."""
    for name, (arguments, columns, lines, pressed) in PICTURES.items():
        screens = show_table(arguments, columns, lines, pressed)
        Path(folder, f"{name}.svg").write_text(picture(screens if name == MOVING else screens[-1:]), encoding="utf-8")


def start(arguments, **settings):
    """Start the program at a terminal, with a new home; return our end of the terminal."""
    import pty

    with tempfile.TemporaryDirectory() as home:
        homes = {"HOME": home, "XDG_CONFIG_HOME": home, "PYTHONIOENCODING": "utf-8"}
        pid, master = pty.fork()
        if not pid:
            environment = {**os.environ, "TERM": "xterm-256color", "NO_COLOR": "", **homes, **settings}
            os.execve(sys.executable, [sys.executable, ROOT / "main.py", "play", *arguments.split()], environment)
        yield master
        while read(master):
            pass
        os.close(master)
        os.waitpid(pid, 0)


def show_table(arguments, columns, lines, pressed):
    """Return the screens of a game, at the beginning and after each of these keys."""
    text, screens = b"", []
    for master in start(arguments, COLUMNS=str(columns), LINES=str(lines)):
        for key in ["", *pressed]:
            os.write(master, key.encode())
            while select.select([master], [], [], IDLE)[0] or not text:
                text += read(master)
            screens.append(screen_in(text.decode("utf-8")))
        os.write(master, b"q\n")
    return screens


def screen_in(text):
    """Return the last screen in what a terminal was sent, with the same time in all pictures."""
    screen = text.rpartition(TOP)[2].replace("\r\n", "\n").replace("\r", "")
    return TIME.sub(" · 3:07", OTHER_ESCAPES.sub("", screen))


def read(master):
    """Return whatever can be read from a pseudo-terminal now, or b"" at its end."""
    try:
        return os.read(master, 1 << 16)
    except OSError:  # how Linux reports that the program has ended
        return b""


def picture(screens):
    """Return one screen, or several in turn, as an SVG file; a screen is text with escape sequences for styles."""
    rows = [screen.split("\n") for screen in screens]
    width = max(len(STYLE.sub("", row)) for screen in rows for row in screen) * CELL + 2 * MARGIN
    height = max(map(len, rows)) * LINE + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        f'font-family="Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="14" xml:space="preserve">',
        f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>',
    ]
    if len(rows) == 1:
        return "\n".join([*parts, *elements(rows[0]), "</svg>", ""])
    for number, screen in enumerate(rows):
        seen = "visible" if number == 0 else "hidden"
        turns = ";".join("visible" if turn == number else "hidden" for turn in range(len(rows)))
        parts += [
            f'<g visibility="{seen}">',
            f'<animate attributeName="visibility" values="{turns}" dur="{len(rows) * SECONDS:g}s" '
            'calcMode="discrete" repeatCount="indefinite"/>',
            *elements(screen),
            "</g>",
        ]
    return "\n".join([*parts, "</svg>", ""])


def elements(rows):
    """Return the elements for the rows of a screen."""
    parts, style = [], {}
    for number, row in enumerate(rows):
        column, pieces = 0, STYLE.split(row)
        for place, piece in enumerate(pieces):
            if place % 2:
                style = {} if piece in ("", "0") else {**style, **style_of(piece)}
            else:
                parts += cells(piece, column, MARGIN + (number + 0.75) * LINE, style)
                column += len(piece)
    return parts


def style_of(codes):
    """Return what an escape sequence sets: text colour, background, underline."""
    if codes.startswith(("38;5;", "48;5;")):
        return {"ink" if codes[0] == "3" else "ground": color(int(codes[5:]))}
    return {"2": {"ink": DIM}, "31": {"ink": RED}, "4": {"underline": True}}.get(codes, {})


def color(number):
    """Return a colour from the 256-colour palette, numbered 16 or higher."""
    if number < 232:
        levels = [LEVELS[(number - 16) // step % 6] for step in (36, 6, 1)]
    else:
        levels = 3 * [8 + 10 * (number - 232)]
    return "#{:02x}{:02x}{:02x}".format(*levels)


def places(left, word):
    """Return the places of the letters of a word, each in its cell, in any font. left: the left edge of the text, in
    pixels."""
    return " ".join(f"{left + place * CELL:.1f}" for place in range(word.start(), word.end()))


def cells(text, column, height, style):
    """Return the elements for a piece of text: its background, and each word in its cells, in any font."""
    left = MARGIN + column * CELL
    elements = []
    if "ground" in style:
        elements.append(
            f'<rect x="{left:.1f}" y="{height - 0.75 * LINE:.1f}" width="{len(text) * CELL:.1f}" height="{LINE}" '
            f'fill="{style["ground"]}"/>'
        )
    line = ' text-decoration="underline"' if "underline" in style else ""
    return elements + [
        f'<text x="{places(left, word)}" y="{height:.1f}" fill="{style.get("ink", INK)}"{line}>{escape(word[0])}</text>'
        for word in re.finditer(r"\S+", text)
    ]


if __name__ == "__main__":
    main()
