"""The pictures of the games in docs/ show the same as the program."""

import pytest

import helpers

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from test_sessions import Play, play_of
from tools import odds, picture


def read_picture(name):
    return (helpers.ROOT / "docs" / f"{name}.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", picture.PICTURES)
def test_the_pictures_are_not_out_of_date(name, tmp_path):
    """The tool waits for a second after each key; here the program waits for the next one."""
    arguments, columns, lines, pressed = picture.PICTURES[name]
    names = {picture.RIGHT: "<Right>", picture.ENTER: "<Enter>", " ": "<Space>"}
    settings = f"TERM=xterm-256color NO_COLOR= COLUMNS={columns} LINES={lines}"
    steps = [f"~ # {settings} {arguments}", *[f"> {names.get(key, key.strip())}" for key in pressed], "~ q"]
    play, screens = play_of(steps, tmp_path), []

    def next_line():
        screens.append(picture.screen_in(play.read_output()))
        return Play.next_line(play)

    play.next_line = next_line
    play.play()
    shown = screens[: len(pressed) + 1]
    made = picture.picture(shown if name == picture.MOVING else shown[-1:])
    assert made == read_picture(name), "python -m tools.picture makes it"


def test_the_odds_are_told_and_drawn_from_what_was_counted(tmp_path):
    odds.write_table([], tmp_path)
    for name in ("odds.csv", "deals.csv", "odds.md", "odds.svg"):
        new, old = tmp_path / name, helpers.ROOT / "docs" / name
        assert new.read_text("utf-8") == old.read_text("utf-8"), f"python -m tools.odds table makes {name} again"
    front = (helpers.ROOT / "README.md").read_text(encoding="utf-8")
    for row in odds.rows(helpers.ROOT / "docs" / "odds.csv"):
        if row["game"].partition(" ")[0] in (row["game"], row["game"].removesuffix(" --shuffles 0")):
            told = next(line for line in front.splitlines() if line.startswith(f"| {row['game'].split()[0].title()} |"))
            assert odds.share(row) in told, "README.md has the numbers of docs/odds.md"


ROWS = odds.rows(helpers.ROOT / "docs" / "odds.csv")


def test_files_of_deals_become_a_row_of_their_game_but_never_one_of_fewer_deals(tmp_path, monkeypatch):
    files, verdicts = [tmp_path / "first.csv", tmp_path / "second.csv"], []
    for file, first in zip(files, ("0", "5")):
        odds.command(["count", f"zodiac --seed {first}", "--deals", "5", "--csv", str(file)], standalone_mode=False)
        verdicts += [line.split(",")[2] for line in file.read_text(encoding="utf-8").splitlines()[1:]]
    with pytest.raises(SystemExit, match="^zodiac: 10 deals would replace 100000; count at least as many.$"):
        odds.write_table(files, tmp_path)
    others = [row for row in ROWS if row["game"] != "zodiac"]
    monkeypatch.setattr(odds, "rows", lambda path: others if path.name == "odds.csv" else [])
    odds.write_table(files, tmp_path)
    monkeypatch.undo()
    row = next(row for row in odds.rows(tmp_path / "odds.csv") if row["game"] == "zodiac")
    assert (row["deals"], row["won"]) == ("10", str(verdicts.count("won")))
    kept = {row["verdict"]: row["deals"] for row in odds.rows(tmp_path / "deals.csv") if row["game"] == "zodiac"}
    lost = [str(number) for number, verdict in enumerate(verdicts) if verdict == "lost"]
    assert lost and kept == {"lost": " ".join(lost), "unknown": ""}, "anybody can check one"
    monkeypatch.setattr(odds, "rows", lambda path: [])
    with pytest.raises(SystemExit, match="^zodiac: expected all deals from 0 on; deal 0 is missing.$"):
        odds.write_table(files[1:], tmp_path)
    low, high = odds.interval({"deals": "100", "won": "78", "unknown": "20"})
    assert (round(low, 1), round(high, 1)) == (68.9, 99.4), "what is undecided may be won or lost"
