"""Things and moves as texts: of two versions the earlier one keeps only its differences."""

import json

import pytest

from gieok.domain.state import Cause, Move, Note
from gieok.stores.tables.rows import move_from, pair_records, pair_texts, state_record_from
from gieok.testing import day

EARLY = Note(text="천천히", turn_number=1, at=day(1), by="director/1")
LATE = Note(text="천천히", turn_number=2)


@pytest.mark.parametrize(
    ("before", "after"), [(EARLY, LATE), (LATE, EARLY), (None, LATE), (EARLY, None), (EARLY, EARLY)]
)
def test_a_move_comes_back_as_it_was(before, after):
    texts = pair_texts(before, after)
    causes = '[{"name": "thanks", "amount": 1.5}]'

    assert [text is None for text in texts] == [before is None, after is None]
    assert move_from("note", "director", *texts, causes) == Move(
        kind="note", id="director", before=before, after=after, causes=(Cause(name="thanks", amount=1.5),)
    )


def test_of_two_versions_the_earlier_one_says_only_in_what_it_differs():
    before, after = pair_texts(EARLY, LATE)
    assert json.loads(before).keys() == {"turn_number", "at", "by"}
    assert json.loads(after)["text"] == "천천히"
    alone, _ = pair_texts(EARLY, None)
    assert json.loads(alone)["text"] == "천천히"


def test_what_only_the_later_one_had_is_not_in_the_earlier():
    before, _ = pair_records(*pair_texts(LATE, EARLY))
    assert before == {"text": "천천히", "turn_number": 2}
    assert pair_records(None, None) == (None, None)


def test_a_thing_is_read_by_its_kind():
    assert state_record_from("note", '{"text": "천천히", "turn_number": 2}') == LATE
