"""The demo story: which profile it becomes."""

from zoneinfo import ZoneInfo

from gieok.conversation.story import story
from gieok.domain.scope import Scope
from gieok.domain.server_state import Bounds
from gieok.web.frame import story_scope

STORY = story(ZoneInfo("Asia/Seoul"))


def test_the_story_is_loaded_where_the_key_opens():
    assert story_scope(STORY, ()) == STORY.scope
    own = story_scope(STORY, (Bounds(user="지영", world="숲"), Bounds(user="다른")))
    assert own == Scope(user="지영", character="레티아", world="숲")
    assert Bounds(user="지영", world="숲").hold(own)
