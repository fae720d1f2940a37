"""The pictures of the games in docs/ show the same as the program."""

import re

import pytest

import helpers

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from tools import odds, picture


@pytest.mark.slow
def test_the_pictures_are_not_out_of_date(tmp_path):
    picture.main(tmp_path)
    for name in ["table", *(arguments.split()[0] for arguments in picture.SESSIONS)]:
        new, old = (folder / f"{name}.svg" for folder in (tmp_path, helpers.ROOT / "docs"))
        assert new.read_text(encoding="utf-8") == old.read_text(encoding="utf-8"), "python -m tools.picture makes it"


def test_the_odds_are_told_and_drawn_from_what_was_counted(tmp_path):
    odds.main([], tmp_path)
    for name in ("odds.csv", "odds.md", "odds.svg"):
        new, old = tmp_path / name, helpers.ROOT / "docs" / name
        assert new.read_text("utf-8") == old.read_text("utf-8"), f"python -m tools.odds makes {name} again"
    front = (helpers.ROOT / "README.md").read_text(encoding="utf-8")
    for row in odds.rows(helpers.ROOT / "docs" / "odds.csv"):
        if row["game"].partition(" ")[0] in (row["game"], row["game"].removesuffix(" --shuffles 0")):
            told = next(line for line in front.splitlines() if line.startswith(f"| {row['game'].split()[0].title()} |"))
            assert odds.share(row) in told, "README.md has the numbers of docs/odds.md"


def test_files_of_deals_become_a_row_of_their_game(tmp_path):
    files, verdicts = [tmp_path / "first.csv", tmp_path / "second.csv"], []
    for file, first in zip(files, ("0", "5")):
        helpers.run(["odds", "zodiac", "--seed", first, "--deals", "5", "--csv", file])
        verdicts += [line.split(",")[2] for line in file.read_text().splitlines()[1:]]
    odds.main(files, tmp_path)
    row = next(row for row in odds.rows(tmp_path / "odds.csv") if row["game"] == "zodiac")
    assert (row["deals"], row["won"]) == ("10", str(verdicts.count("won")))
    with pytest.raises(SystemExit, match="^zodiac: expected all deals from 0 on; deal 0 is missing.$"):
        odds.main(files[1:], tmp_path)
    low, high = odds.interval({"deals": "100", "won": "78", "unknown": "20"})
    assert (round(low, 1), round(high, 1)) == (68.9, 99.4), "what is undecided may be won or lost"


def test_a_card_stands_in_its_cell_in_its_colour_and_a_picture_that_moves_shows_its_first_screen_where_nothing_moves():
    text = picture.picture(["  1:  \x1b[31m10♥\x1b[0m \x1b[2mXX\x1b[0m \x1b[4mK♠\x1b[0m"])
    assert f'<text x="64.4 72.8 81.2" y="27.5" fill="{picture.RED}">10♥</text>' in text
    assert f'fill="{picture.DIM}">XX</text>' in text and 'text-decoration="underline">K♠</text>' in text
    text = picture.picture(["one", "two", "three"])
    assert re.findall('<g visibility="(.*?)">', text) == ["visible", "hidden", "hidden"]
    assert 'values="hidden;visible;hidden" dur="4.8s" calcMode="discrete"' in text
