"""A memory that changes: what the layout tells of it, whether it is found, and what is refused."""

from dataclasses import replace

import pytest

from gieok.domain.memory import Change
from gieok.errors import BankError
from gieok.ports import Party
from gieok.testing import day, entry_for, memory, turn

FACT = memory("고양이", id="m1", attribute="likes")


def write(scribe, before, after, **options):
    with scribe.store.locked(scribe.scope) as room:
        room.apply(entry_for(memories=(Change(before=before, after=after),), **options))


def look(scribe):
    """Return the layout of the scope as (moments, parties)."""
    with scribe.store.view(scribe.scope) as view:
        layout = view.layout()
        return [moment // 86_400_000_000 for moment in layout.moments.tolist()], layout.parties.tolist()


def days(*numbers):
    return [int(day(number).timestamp()) // 86_400 for number in numbers]


def test_the_layout_follows_when_a_memory_is_true_and_whom_it_is_about(scribe):
    write(scribe, None, FACT)
    assert look(scribe) == (days(1), [Party.USER])
    later = FACT.changed(valid_at=day(4))
    write(scribe, FACT, later)
    assert look(scribe) == (days(4), [Party.USER])
    hers = later.changed(subject="character", subject_id="character")
    write(scribe, later, hers)
    assert look(scribe) == (days(4), [Party.CHARACTER])
    write(scribe, None, replace(hers, valid_at=day(7)))
    assert look(scribe) == (days(7), [Party.CHARACTER]), "also where nobody says what it was before"


def test_a_memory_that_is_hidden_is_not_found_until_it_is_shown_again(scribe):
    write(scribe, None, FACT)
    gone = FACT.changed(forgotten_at=day(2))
    write(scribe, FACT, gone)
    assert look(scribe) == ([], [])
    write(scribe, gone, gone.changed(forgotten_at=None))
    assert look(scribe) == (days(1), [Party.USER])
    write(scribe, None, memory("숨김", id="m2", retracted=True))
    assert len(look(scribe)[0]) == 1


def test_a_memory_that_goes_leaves_nothing_and_one_that_was_never_there_does_not_matter(scribe):
    write(scribe, None, FACT)
    write(scribe, FACT, None)
    write(scribe, FACT, None)
    assert look(scribe) == ([], [])
    with scribe.store.view(scribe.scope) as view:
        assert view.refs(["m1"]) == {}
        assert [len(each.places) for each in view.occurrences(["고양이"])] == [0]
    assert scribe.store.problems() == []


def test_new_words_replace_the_old_ones_and_without_them_it_stays_indexed_as_it_was(scribe):
    write(scribe, None, FACT)
    dog = FACT.changed(content="강아지")
    write(scribe, FACT, dog)
    write(scribe, dog, dog.changed(uses=4))
    with scribe.store.view(scribe.scope) as view:
        assert [len(each.places) for each in view.occurrences(["고양이", "강아지"])] == [0, 1]
        assert view.memories_by_id(["m1"])["m1"].uses == 4


def test_no_memory_takes_the_id_of_an_utterance(scribe):
    scribe.observe("안녕", id="t1")
    with pytest.raises(BankError, match="utterance's id"):
        write(scribe, None, memory("말", id="t1/0"))
    with scribe.store.view(scribe.scope) as view:
        assert view.version == 1


def test_turns_are_numbered_in_order_and_say_whether_they_were_read(scribe, letia):
    for number, unread in ((1, True), (2, False)):
        with scribe.store.locked(letia) as room:
            room.apply(entry_for(turn("안녕", id=f"t{number}"), unread=unread))
    with scribe.store.view(letia) as view:
        assert [each.number for each in view.turns(9)] == [1, 2]
        assert [each.id for each in view.unread_turns(9)] == ["t1"]
        assert view.open_turns(9) == []
    with scribe.store.locked(letia) as room:
        room.apply(replace(entry_for(turn("안녕", id="t3")), left_open=True))
    with scribe.store.locked(letia) as room:
        room.apply(replace(entry_for(), caught_up="t1"))
    with scribe.store.view(letia) as view:
        assert view.unread_turns(9) == []
        assert [each.id for each in view.open_turns(9)] == ["t3"]
    with scribe.store.locked(letia) as room:
        room.apply(replace(entry_for(), deepened="t3"))
    with scribe.store.view(letia) as view:
        assert view.open_turns(9) == []
