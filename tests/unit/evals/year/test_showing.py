"""What a year looks like: on a terminal, as JSON, and as a picture."""

import json
from xml.etree import ElementTree as ET

import pytest
from typer.testing import CliRunner

from gieok_evals.commands import app
from gieok_evals.year.chart import svg
from gieok_evals.year.people import people
from gieok_evals.year.running import Plan, run

TURNS = 80
SMALL = ["year", "--workers", "1", "--characters", "2", "--turns", str(TURNS)]


@pytest.fixture
def year(minds):
    """Call the command over minds that know the script."""
    minds.options["turns"] = TURNS

    def call(*arguments, **options):
        minds.options["with"] = options
        return CliRunner().invoke(app, [*SMALL, *arguments], env={"COLUMNS": "200"})

    return call


def test_a_year_that_went_well_ends_with_0_and_says_so(year):
    done = year()

    assert done.exit_code == 0, done.output
    assert "everything that must hold does" in done.output
    assert "지호 – 하린" in done.output


def test_a_year_that_lost_something_ends_with_1_and_names_it(year):
    done = year("--show-misses", forgets=lambda line: "땅콩" in line.text)

    assert done.exit_code == 1
    assert "allergy=땅콩" in done.output
    assert "something that must hold does not" in done.output


def test_json_holds_every_condition_and_every_life(year):
    report = json.loads(year("--json").output)

    assert report["passed"] is True
    assert report["turns"] == TURNS
    assert [life["user"] for life in report["lives"]] == ["지호", "도윤"]
    assert report["conditions"][0]["share"] == {"hits": 16, "of": 16, "rate": 1.0}
    assert report["lives"][0]["course"][0]["level"] == "stranger"


def test_a_chart_is_drawn_as_svg_and_nothing_else(year, tmp_path):
    drawn = year("--chart", str(tmp_path / "year.svg"))
    refused = year("--chart", str(tmp_path / "year.png"))

    assert drawn.exit_code == 0
    assert (tmp_path / "year.svg").read_text(encoding="utf-8").startswith("<svg")
    assert "year.svg" in str(refused.exception)


def test_every_life_has_a_panel_with_its_names_its_level_and_its_marks(minds):
    minds.options |= {"turns": TURNS, "with": {"score": lambda line: 73.0}}
    picture = svg(run(Plan(characters=10, turns=TURNS, workers=1)))
    words = {text for element in ET.fromstring(picture).iter() for text in element.itertext()}

    for person in people():
        assert f"{person.user} · {person.character}" in words
        assert person.title in words
        assert {line.mark for line in person.lines if line.mark} <= words
    assert {"away", "막말", "close friend, 73"} <= words


def test_a_level_that_was_reached_is_marked_once(minds):
    minds.options |= {"turns": TURNS, "with": {"score": lambda line: 10.0 if line.day < 100 else 30.0}}
    picture = svg(run(Plan(characters=1, turns=TURNS, workers=1)))

    assert picture.count("<circle") == 1
    assert picture.count("nan") == 0


def test_marks_never_cover_one_another(minds):
    minds.options["turns"] = TURNS
    picture = ET.fromstring(svg(run(Plan(characters=10, turns=TURNS, workers=1))))
    labels = [
        (float(each.get("y")), float(each.get("x")), each.text)
        for each in picture.iter("{http://www.w3.org/2000/svg}text")
        if each.get("paint-order") == "stroke"
    ]

    assert len(labels) > 50
    for y, x, text in labels:
        near = [other for row, at, other in labels if row == y and at != x and abs(at - x) < 11 * len(text) / 2]
        assert near == []
