"""The card of the learned reader: what counts as found, as right, and why something is missed."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "training"))
import card

from gieok.extract.learned.reader import Mark

ACTS = ("assert", "end", "past", "plan", "deny", "correct", "not")


def mark(attribute="hobby", holder="user", act="assert", chance=0.99):
    acts = {name: float(name == act) for name in ACTS}
    return Mark(start=2, end=5, chance=chance, attributes={attribute: 1.0}, acts=acts, holder=holder, held=1.0)


def label(attribute="hobby", holder=("user",), act="assert", why="", added=False):
    return card.Label(2, 5, attribute, holder, act, why, added)


def counted(marks, labels):
    figures = card.Figures()
    card.count(marks, labels, figures)
    return figures


def test_a_firm_mark_with_attribute_holder_and_act_of_a_label_is_found_and_right():
    figures = counted([mark()], [label(act="correct")])
    assert (figures.firm["hobby"], figures.right["hobby"]) == (1, 1)
    assert (figures.labelled["hobby"], figures.found["hobby"]) == (1, 1)


def test_an_added_label_supports_a_mark_and_is_not_asked_for():
    figures = counted([mark()], [label(added=True)])
    assert (figures.right["hobby"], figures.labelled["hobby"]) == (1, 0)
    assert counted([], [label(added=True)]).missed == {}


def test_a_person_is_the_same_by_any_of_the_names():
    assert counted([mark(holder="하람이")], [label(holder=("하람", "큰놈"))]).found["hobby"] == 1
    assert counted([mark(holder="하람")], [label()]).found["hobby"] == 0


@pytest.mark.parametrize(
    ("marks", "labels", "cause"),
    [
        ([], [label()], "unmarked"),
        ([mark(chance=0.3)], [label()], "unsure"),
        ([mark(attribute="likes")], [label()], "attribute"),
        ([mark(holder="하람")], [label()], "holder"),
        ([mark(act="not")], [label()], "not"),
        ([mark(act="deny")], [label()], "act"),
        ([mark("name", "보리")], [label("pet"), label("name", ("보리",), added=True)], "shared"),
    ],
)
def test_the_cause_of_what_is_missed(marks, labels, cause):
    assert counted(marks, labels).missed[labels[0].attribute] == {cause: 1}


def test_what_only_sounds_like_a_fact_is_believed_where_a_mark_is_firm():
    figures = counted([mark()], [label(why="joke")])
    assert (figures.not_facts["joke"], figures.believed["joke"], figures.right["hobby"]) == (1, 1, 0)
    assert counted([mark(act="not")], [label(why="joke")]).believed["joke"] == 0


def test_every_attribute_is_a_class_of_the_tagger():
    assert card.class_of("pet") == "pet"
    assert card.class_of("free.never_told") == "free.other"
    assert card.class_of("favorite.planet") == "favorite.other"


def test_the_report_of_the_test_authors_is_a_table():
    report = {"conversations": 80, "scores": {"found_user": {"share": {"hits": 1, "of": 4, "rate": 0.25}}}}
    shown = "\n".join(card.test_part(report, {"test": ["a06"]}))
    assert "| current facts of the user that are held, of the user | higher | 25.0% |" in shown
