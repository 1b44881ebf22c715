"""A bank is copied to another, whatever their engines: all of it, once, and it is known whether it is the same."""

from datetime import UTC, datetime, timedelta

import pytest

from gieok.bank import MemoryBank
from gieok.domain.scope import Scope
from gieok.errors import UnderHold
from gieok.interop.langgraph import GieokStore
from gieok.stores.copy import Copied, copy_bank

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINSU = {"user": "민수", "character": "레티아"}


def copied(source: MemoryBank, target: MemoryBank) -> Copied:
    return copy_bank(source.store, target.store, now=NOW, progress=lambda *_: None)


def test_a_bank_goes_to_a_server_and_back_and_is_the_same(banks, tell):
    tell(banks["file"])

    out, back = copied(banks["file"], banks["server"]), copied(banks["server"], banks["other file"])

    assert out.is_whole
    assert back.is_whole
    assert (out.scopes, out.fresh) == (back.scopes, back.fresh) == (3, 3)
    assert out.rows == back.rows
    first, last = (banks[name].scope(**MINSU) for name in ("file", "other file"))
    assert first.facts(history=True) == last.facts(history=True)
    assert first.turns() == last.turns()
    assert first.journal() == last.journal()
    for question in ("어디 살아?", "c++", "고양이"):
        assert [hit.item for hit in first.recall(question)] == [hit.item for hit in last.recall(question)]
    assert all(bank.store.problems() == [] for bank in banks.values())


@pytest.mark.parametrize(("one", "other"), [("file", "other file"), ("file", "server"), ("server", "file")])
def test_the_audit_log_of_the_bank_itself_comes_along_and_is_sound(banks, tell, one, other):
    source, target = banks[one], banks[other]
    tell(source)
    GieokStore(source).put(("users", "민수"), "pet", {"text": "고양이 코코를 키운다"})
    deeds = source.audit()

    copied(source, target)
    copied(source, target)

    assert deeds
    assert target.audit()[: len(deeds)] == deeds
    assert target.verify_audit().findings == ()


def test_what_is_copied_goes_on_where_it_was(banks, tell):
    tell(banks["file"])
    copied(banks["file"], banks["server"])

    mind = banks["server"].scope(**MINSU)
    mind.observe("나 대전으로 이사했어", at=NOW + timedelta(days=9))

    assert [fact.value for fact in mind.facts(attribute="residence")] == ["대전"]
    assert banks["server"].store.problems() == []


def test_what_is_there_already_is_passed_over_and_what_has_changed_is_brought_again(banks, tell):
    tell(banks["file"])
    copied(banks["file"], banks["server"])
    assert copied(banks["file"], banks["server"]).fresh == 0

    banks["file"].scope(**MINSU).observe("나 커피 끊었어", at=NOW + timedelta(days=8))
    again = copied(banks["file"], banks["server"])

    assert (again.scopes, again.fresh) == (3, 1)
    assert again.is_whole


def test_what_is_under_hold_is_brought_again_and_is_still_under_it(banks, tell):
    tell(banks["file"])
    mind = banks["file"].scope(**MINSU)
    banks["file"].hold(mind.key, why="소송")
    copied(banks["file"], banks["server"])
    mind.observe("나 커피 끊었어", at=NOW + timedelta(days=8))

    again = copied(banks["file"], banks["server"])

    assert (again.fresh, again.is_whole) == (1, True)
    with pytest.raises(UnderHold):
        banks["server"].erase(mind.key)


@pytest.mark.parametrize(("one", "other"), [("file", "other file"), ("file", "server"), ("server", "file")])
@pytest.mark.parametrize("source_goes_on", [False, True])
def test_what_went_on_in_the_target_stays_and_is_told(banks, tell, one, other, source_goes_on):
    tell(banks[one])
    copied(banks[one], banks[other])
    mind = banks[other].scope(**MINSU)
    mind.observe("이제 대전에 살아", at=NOW + timedelta(days=9), turn_id="after")
    before = banks[other].store.fingerprint(mind.key)
    for number in range(2 * source_goes_on):
        banks[one].scope(**MINSU).observe("나 커피 끊었어", at=NOW + timedelta(days=9 + number))

    again = copied(banks[one], banks[other])

    assert (again.ahead, again.is_whole, again.scopes) == ([mind.key], False, 2)
    assert banks[other].store.fingerprint(mind.key) == before
    assert mind.turns()[-1].id == "after"


def test_what_was_erased_in_the_target_does_not_come_back(banks, tell):
    tell(banks["file"])
    copied(banks["file"], banks["server"])
    gone = banks["server"].scope(**MINSU).key
    banks["server"].erase(gone)

    assert copied(banks["file"], banks["server"]).ahead == [gone]
    assert banks["server"].scope(**MINSU).turns() == []


@pytest.mark.parametrize(("one", "other"), [("file", "other file"), ("file", "server"), ("server", "file")])
def test_what_was_erased_in_the_source_goes_from_the_target_and_is_not_proven_there_yet(banks, tell, one, other):
    tell(banks[one])
    gone = banks[one].scope(**MINSU).key
    banks[one].hold(gone, why="소송")
    copied(banks[one], banks[other])
    banks[one].release(gone)
    banks[one].erase(gone)
    banks[one].scope(**MINSU).observe("다시 왔어", at=NOW, turn_id="anew")

    again = copied(banks[one], banks[other])

    assert (again.erased, again.is_whole, again.scopes) == ([gone], True, 3)
    assert [turn.id for turn in banks[other].scope(**MINSU).turns()] == ["anew"]
    [certificate] = banks[other].store.certificates(9)
    assert not certificate.proven
    assert banks[other].store.prove(NOW, seconds=60)[0].intact
    assert banks[other].store.erased_chains() == banks[one].store.erased_chains()
    assert banks[other].verify_audit().findings == ()
    assert copied(banks[one], banks[other]).erased == []
    assert banks[other].store.certificates(9)[0].proven


def test_what_was_erased_in_the_source_but_went_on_in_the_target_stays_and_is_told(banks, tell):
    tell(banks["file"])
    copied(banks["file"], banks["server"])
    mind = banks["server"].scope(**MINSU)
    mind.observe("이제 대전에 살아", at=NOW + timedelta(days=9), turn_id="after")
    banks["file"].erase(mind.key)

    again = copied(banks["file"], banks["server"])

    assert (again.erased, again.outlived, again.is_whole) == ([], [mind.key], False)
    assert mind.turns()[-1].id == "after"
    assert banks["server"].store.certificates(9) == []


def test_others_in_the_target_stay_as_they_are(banks, tell):
    tell(banks["file"])
    banks["server"].scope(user="영희", character="세라").observe("나 제주도 살아", at=NOW)

    copied(banks["file"], banks["server"])

    kept = banks["server"].scope(user="영희", character="세라")
    assert [turn.utterances[0].text for turn in kept.turns()] == ["나 제주도 살아"]


def test_a_copy_that_is_not_the_same_is_told(banks, tell, monkeypatch):
    tell(banks["file"])
    target = banks["server"].store
    honest = target.fingerprint

    def altered(scope: Scope):
        found = honest(scope)
        return type(found)(version=found.version, rows=found.rows, digest="another")

    monkeypatch.setattr(target, "fingerprint", altered)
    found = copied(banks["file"], banks["server"])
    assert len(found.different) == 3
    assert not found.is_whole
