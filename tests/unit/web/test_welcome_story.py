"""Whose story the first visit tells, and how far it is."""

from zoneinfo import ZoneInfo

import gieok
from gieok.conversation.story import story
from gieok.domain.scope import Scope
from gieok.domain.server_state import Bounds
from gieok.web.frame import place_for, telling

TOLD = story(ZoneInfo("Asia/Seoul"))


def test_the_story_is_told_where_the_key_opens():
    assert place_for(TOLD, ()) == TOLD.scope
    own = place_for(TOLD, (Bounds(user="지영", world="숲"), Bounds(user="다른")))
    assert own == Scope(user="지영", character="레티아", world="숲")
    assert Bounds(user="지영", world="숲").hold(own)


def test_every_step_is_counted_to_the_last(tmp_path):
    with gieok.open(tmp_path / "x.db", embedder="hashing") as bank:
        mind = bank.mind(TOLD.scope)
        steps = list(telling(TOLD, mind))
        assert [each.done for each in steps] == list(range(1, len(steps) + 1))
        assert {each.of for each in steps} == {len(steps)}
        sorts = {memory.content_type for memory in mind.conclusions()}
        assert {"summary", "profile"} <= sorts
        assert any(memory.closed_by for memory in mind.facts(history=True))
        assert mind.entities()
        assert len(mind.trajectory()) > 10
        assert {feeling.felt.emotion for feeling in mind.emotions()} > {"neutral"}
