"""The pages for operators: their settings can be set, their figures are told, and their sums are right."""

import re
from math import ceil

import pytest

from gieok.settings import load
from support.pages import DOCS

OPERATIONS = (DOCS / "operations.md").read_text(encoding="utf-8")
SIZING = (DOCS / "sizing.md").read_text(encoding="utf-8")
MEANS = {"kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "million": 1e6, "billion": 1e9}
ON_A_SERVER = 100_000  #: players


def number(text: str) -> float:
    """Return what "4.2 TB", "30,000" or "3 billion" stands for."""
    figure, _, unit = text.replace(",", "").partition(" ")
    return float(figure) * MEANS.get(unit, 1.0)


def test_the_settings_of_a_server_can_be_set(tmp_path):
    (example,) = re.findall(r"^```toml\n(.*?)^```$", OPERATIONS, re.MULTILINE | re.DOTALL)
    (tmp_path / "gieok.toml").write_text(example, encoding="utf-8")
    settings = load(tmp_path / "gieok.toml", environment={})
    assert (settings.serve_host, settings.serve_hosts, settings.retention) == (
        "0.0.0.0",
        "memory.example",
        {"note": 90},
    )


def test_every_figure_to_watch_is_one_that_a_server_shows():
    told = (DOCS / "serve.md").read_text(encoding="utf-8")
    watched = set(re.findall(r"gieok_[a-z_]+", OPERATIONS))
    assert len(watched) >= 6
    assert sorted(name for name in watched if f"`{name}`" not in told) == []


def rows() -> list[list[str]]:
    table = SIZING[SIZING.index("| Players |") :].split("\n\n")[0]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()[2:]]


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0])
def test_the_sums_of_the_table_follow_from_the_rules_of_thumb(row):
    players, turns, disk, load_, _, cores = row
    each = 7e3 if number(players) < ON_A_SERVER else 14e3
    assert number(turns) == 300 * number(players)
    assert number(disk) == pytest.approx(number(turns) * each, rel=0.06)
    a_second = number(players) / 10 * 30 / 86_400 * 3
    if load_ != "–":
        assert number(load_) == pytest.approx(a_second, rel=0.06)
        assert number(cores) == pytest.approx(max(ceil(a_second / 20), 1), rel=0.06)


def test_the_rules_of_thumb_follow_from_what_was_measured():
    assert "2.7 GB" in SIZING
    assert "5.6 GB" in SIZING
    for of_an_item, of_a_turn in ((2.7, 7), (5.6, 14)):
        assert round(of_an_item * 2.5 + 0.457) == pytest.approx(of_a_turn, abs=0.6)
        assert f"**{of_a_turn} kB**" in SIZING
    assert round(256 * 2**20 / (512 * 4), -4) == 130_000
