"""The pictures of the games in docs/ show the same as the program."""

import pytest

import helpers

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from test_sessions import Play, play_of
from tools import odds, picture


def read_picture(name):
    return (helpers.ROOT / "docs" / f"{name}.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("start", picture.SESSIONS)
def test_the_pictures_are_not_out_of_date(start):
    made = picture.picture([picture.show_board(start, picture.SESSIONS[start])])
    assert made == read_picture(start.split()[0]), "python -m tools.picture makes it"


def test_the_moving_picture_is_not_out_of_date(tmp_path):
    """The tool waits for a second after each key; here the program waits for the next one."""
    settings = f"TERM=xterm-256color NO_COLOR= COLUMNS={picture.WIDE} LINES={picture.HIGH}"
    names = {picture.RIGHT: "<Right>", picture.ENTER: "<Enter>", " ": "<Space>"}
    pressed = [names.get(key, key.strip()) for key in picture.PRESSED]
    steps = [f"~ # {settings} {picture.TABLE}", *[f"> {key}" for key in pressed], "~ q"]
    play, screens = play_of(steps, tmp_path), []

    def next_line():
        screen = play.read_output().rpartition(picture.TOP)[2]
        screens.append(picture.TIME.sub(" · 3:07", picture.OTHER_ESCAPES.sub("", screen.replace("\r", ""))))
        return Play.next_line(play)

    play.next_line = next_line
    play.play()
    assert picture.picture(screens[: len(pressed) + 1]) == read_picture("table"), "python -m tools.picture makes it"


def test_the_odds_are_told_and_drawn_from_what_was_counted(tmp_path):
    odds.write_table([], tmp_path)
    for name in ("odds.csv", "odds.md", "odds.svg"):
        new, old = tmp_path / name, helpers.ROOT / "docs" / name
        assert new.read_text("utf-8") == old.read_text("utf-8"), f"python -m tools.odds table makes {name} again"
    front = (helpers.ROOT / "README.md").read_text(encoding="utf-8")
    for row in odds.rows(helpers.ROOT / "docs" / "odds.csv"):
        if row["game"].partition(" ")[0] in (row["game"], row["game"].removesuffix(" --shuffles 0")):
            told = next(line for line in front.splitlines() if line.startswith(f"| {row['game'].split()[0].title()} |"))
            assert odds.share(row) in told, "README.md has the numbers of docs/odds.md"


def test_files_of_deals_become_a_row_of_their_game(tmp_path):
    files, verdicts = [tmp_path / "first.csv", tmp_path / "second.csv"], []
    for file, first in zip(files, ("0", "5")):
        odds.command(["count", f"zodiac --seed {first}", "--deals", "5", "--csv", str(file)], standalone_mode=False)
        verdicts += [line.split(",")[2] for line in file.read_text(encoding="utf-8").splitlines()[1:]]
    odds.write_table(files, tmp_path)
    row = next(row for row in odds.rows(tmp_path / "odds.csv") if row["game"] == "zodiac")
    assert (row["deals"], row["won"]) == ("10", str(verdicts.count("won")))
    with pytest.raises(SystemExit, match="^zodiac: expected all deals from 0 on; deal 0 is missing.$"):
        odds.write_table(files[1:], tmp_path)
    low, high = odds.interval({"deals": "100", "won": "78", "unknown": "20"})
    assert (round(low, 1), round(high, 1)) == (68.9, 99.4), "what is undecided may be won or lost"
