"""What the page of memories shows, as it is written in its address."""

from datetime import datetime
from urllib.parse import parse_qsl, urlsplit
from zoneinfo import ZoneInfo

import pytest

from gieok.domain.scope import Scope
from gieok.web.memories import Query

SEOUL = ZoneInfo("Asia/Seoul")
EVERYTHING = Query(
    view="timeline",
    words="고양이 & <b>",
    state="past",
    type="preference",
    about="지훈",
    since=2024,
    until=2026,
    pinned=True,
    pii=True,
    before=7,
    memory="01m7-0",
)


@pytest.mark.parametrize("query", [Query(), EVERYTHING, Query(state="all", memory="a&b=c#d")])
def test_an_address_leads_back_to_what_it_was_made_for(query):
    address = urlsplit(query.address(Scope(user="민수", character="레티아")))
    asked = dict(parse_qsl(address.query))

    assert address.path == "/memories"
    assert (asked["user"], asked["character"]) == ("민수", "레티아")
    assert Query.of(asked) == query


@pytest.mark.parametrize(
    "asked",
    [
        {
            "view": "<script>",
            "state": "undead",
            "type": "?",
            "from": "0",
            "to": "MMXX",
            "before": "-1",
            "pinned": "yes",
        },
        {"from": "99999999999999999999", "before": "1" * 40, "to": "9999", "memory": "", "about": ""},
    ],
)
def test_what_makes_no_sense_in_an_address_is_left_out(asked):
    assert Query.of(asked) == Query()


def test_years_are_those_of_the_banks_time_zone_and_the_last_one_is_included():
    which = Query(since=2024, until=2024).narrowed(SEOUL)
    assert which["since"] == datetime(2024, 1, 1, tzinfo=SEOUL)
    assert which["until"] == datetime(2025, 1, 1, tzinfo=SEOUL)


def test_the_table_shows_what_is_true_and_the_timeline_what_ever_was():
    assert Query().narrowed(SEOUL) == {"state": "current"}
    assert Query(view="timeline").narrowed(SEOUL) == {"state": "all"}
    assert not Query(view="timeline", before=3, memory="m").filters
    assert Query(words="x").filters
    assert EVERYTHING.without_filters() == Query(view="timeline", memory="01m7-0")
