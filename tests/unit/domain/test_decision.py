"""What a decision is about: the memory it makes or changes, and what it closes."""

from gieok.domain.decision import Ignore, Reinforce, Remember, Retract, Supersede
from gieok.testing import claim
from unit.domain.histories import told


def test_a_decision_names_the_memory_it_is_about_and_what_it_closed():
    beliefs, decisions = told(
        claim("residence", "서울", id="c1"),
        claim("residence", "서울"),
        claim("residence", "부산", id="c2"),
        claim("residence", "부산", act="retract"),
        claim("residence", "제주", act="retract"),
    )
    remembered, again, moved, lied, nothing = decisions
    assert [type(each) for each in decisions] == [Remember, Reinforce, Supersede, Retract, Ignore]
    assert (remembered.memory.id, again.memory.id, moved.memory.id, lied.memory.id) == ("c1", "c1", "c2", "c2")
    assert [each.id for each in moved.closed] == ["c1"]
    assert (again.memory.mentions, lied.memory.retracted, nothing.changes) == (1, True, ())
    assert [change.memory_id for change in lied.changes] == ["c2", "c1"]
    assert beliefs["c1"].invalid_at is None
