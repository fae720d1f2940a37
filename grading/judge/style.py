"""What is seen in the text of a program: remarks on its style, and whose it is like. Nothing is compiled here: a text
may be anything."""

from __future__ import annotations

import functools
import hashlib
import keyword
import re
from collections import namedtuple
from collections.abc import Iterator

from grading.box.boxes import ROOT, read_beginning

TEXT_STARTS = re.compile(rb"\"\"\"|'''|[\"'#]")  # of a string, or a comment
TEXT_ENDS = {
    **{quote: re.compile(rb"\\.|" + quote, re.DOTALL) for quote in (b'"""', b"'''")},
    **{quote: re.compile(rb"\\.|\n|" + quote, re.DOTALL) for quote in (b'"', b"'")},
    b"#": re.compile(rb"\n"),
}
NAME = re.compile(rb"[^\W\d]\w*")
TOKEN = re.compile(rb"[^\W\d]\w*|\d[\w.]*|\"\"|[^\w\s]")
KEYWORDS = {word.encode() for word in keyword.kwlist}
OPEN, CLOSED, BLANKS = re.compile(rb"[(\[{]"), re.compile(rb"[)\]}]"), re.compile(rb"\s+")
DEFINITION = re.compile(rb"(?:async )?(def|class) (\w+)")
ASSIGNED = re.compile(rb"([\w, ()*]+?)(?: ?:[^=]{0,80})? ?=(?!=)")  # what a line sets: names alone, no part of a list
BOUND = re.compile(rb"\b(?:for|as|import|lambda) ([\w, ()*]+)|\b(\w+) ?:=")
GLOBAL = re.compile(rb"global ([\w, ]+)")
NO_USE = re.compile(rb"\. ?\w+|\b\w+ ?=(?!=)")  # an attribute, an argument by its name
MAX_READ = 1 << 18  # bytes of a program
MIN_TOKENS, MIN_FUNCTIONS, SHARE = 30, 3, 0.8  # of functions that are told to be ours
MAX_NAMED = 3  # names in a remark

# A function that a program defines: its name, its lines without strings and comments, the first being its heading, and
# whether it stands within another.
Function = namedtuple("Function", "name lines is_nested")


def without_strings(code: bytes) -> bytes:
    """Return the bytes of a program without its comments, and with empty strings. Python's own tokenizer can take hours
    for a line of quotation marks."""
    kept, place = [], 0
    while start := TEXT_STARTS.search(code, place):
        kept.append(code[place : start.start()])
        place = start.end()
        while end := TEXT_ENDS[start[0]].search(code, place):
            place = end.start() if end[0] == b"\n" else end.end()  # a string that is not closed ends with its line
            if not end[0].startswith(b"\\"):
                break
        else:
            place = len(code)
        kept.append(b"" if start[0] == b"#" else b'""')
    return b"".join([*kept, code[place:]])


def logical_lines(code: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield (how far a line is indented, its text, with single blanks) of a program without strings; lines in brackets
    are one."""
    depth, pieces = 0, []
    for line in code.split(b"\n"):
        pieces.append(line.removesuffix(b"\\"))
        depth = max(0, depth + len(OPEN.findall(line)) - len(CLOSED.findall(line)))
        if depth or line.endswith(b"\\"):
            continue
        first = pieces[0].expandtabs()
        if text := BLANKS.sub(b" ", b" ".join(pieces)).strip():
            yield len(first) - len(first.lstrip()), text
        pieces = []


def functions_in(code: bytes) -> list[Function]:
    """Return the functions of a program without strings, in their order."""
    found, around = [], []  # around: (indentation, its Function, or None for a class) of what the line stands in
    for indent, text in logical_lines(code):
        while around and around[-1][0] >= indent:
            around.pop()
        for _, function in around:
            if function:
                function.lines.append(text)
        if match := DEFINITION.match(text):
            is_function = match[1] == b"def"
            new = Function(match[2].decode("utf-8", "replace"), [text], any(function for _, function in around))
            found += [new] * is_function
            around.append((indent, new if is_function else None))
    return found


def remarks_on(code: bytes) -> list[str]:
    """Return sentences about what the handout's notes and standard forbid: global variables in functions, functions
    within functions, functions without a docstring."""
    code = without_strings(code[:MAX_READ])
    defined, remarks = functions_in(code), []
    for text, names in (
        ("Global variables are used in functions", globals_in(code, defined)),
        ("Functions are defined inside functions", [one.name for one in defined if one.is_nested]),
        (
            "These functions have no docstring",
            [one.name for one in defined if not one.is_nested and not has_docstring(one)],
        ),
    ):
        if names:
            more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
            remarks.append(f"{text}: {', '.join(names[:MAX_NAMED])}{more}.")
    return remarks


def has_docstring(function: Function) -> bool:
    """Return True if a function begins with a string."""
    heading, *rest = function.lines
    return bool(re.match(rb'[rRuU]?""', rest[0] if rest else heading.rpartition(b":")[2].lstrip()))


def globals_in(code: bytes, defined: list[Function]) -> list[str]:
    """Return the names of variables that are set outside functions, and used in one that does not set them. Names in
    capitals are constants."""
    known, used = set(), set()
    for indent, text in logical_lines(code):
        if not indent and text.partition(b" ")[0] not in KEYWORDS and (match := ASSIGNED.match(text)):
            known |= {*NAME.findall(match[1])}
    for function in defined:
        heading, *body = function.lines
        own = {*NAME.findall(heading)}
        for line in body:
            bound = [name for names in BOUND.findall(line) for name in names]
            bound += [match[1] for match in [ASSIGNED.match(line)] if match]
            own |= {name for names in bound for name in NAME.findall(names)}
        text = b"\n".join(body)
        declared = {name for names in GLOBAL.findall(text) for name in NAME.findall(names)}
        used |= declared | ({*NAME.findall(NO_USE.sub(b" ", text))} & known - own)
    return sorted(name.decode("utf-8", "replace") for name in used if not name.isupper())


# Whose a program is like


def shape_of(text: bytes) -> str:
    """Return what is left of a text without strings if names, numbers and blanks may be others: a hash."""
    tokens = [
        b"n" if NAME.fullmatch(token) and token not in KEYWORDS else b"0" if token[:1].isdigit() else token
        for token in TOKEN.findall(text)
    ]
    return hashlib.sha256(b" ".join(tokens)).hexdigest() if len(tokens) >= MIN_TOKENS else ""


def shapes_of(code: bytes) -> list[str]:
    """Return the shape of each function of a program that is long enough to have one."""
    defined = functions_in(without_strings(code[:MAX_READ]))
    return [*filter(None, (shape_of(b"\n".join(one.lines)) for one in defined if not one.is_nested))]


@functools.cache
def own_modules() -> dict[str, list[str]]:
    """Return the shapes of this project's modules: name of a file -> a list."""
    return {path.name: shapes_of(read_beginning(path)) for path in sorted(ROOT.glob("*.py"))}


def remark_on_ours(code: bytes) -> list[str]:
    """Return a sentence in a list if most functions of a program are those of one of this project's modules."""
    shapes = shapes_of(code)
    for name, own in own_modules().items():
        same = sum(shape in own for shape in shapes)
        if same >= MIN_FUNCTIONS and same >= SHARE * len(shapes):
            return [f"It is this project's own {name}, but for names and blanks: {same} of its functions."]
    return []


def find_similar(programs: dict[str, bytes]) -> list[list[str]]:
    """Return groups of names whose programs are equal but for names, numbers, strings and blanks, whatever the order of
    their functions. programs: name -> text."""
    groups = {}
    for name, code in programs.items():
        if shapes := shapes_of(code):
            groups.setdefault(tuple(sorted(shapes)), []).append(name)
    return [names for names in groups.values() if names[1:]]
