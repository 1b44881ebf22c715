"""Erasing parts of a scope, holds, retention and certificates, through the bank."""

from pathlib import Path

import apsw
import pytest

import gieok
from gieok.domain.erasure import BLANK
from gieok.domain.scope import Scope
from gieok.domain.server_state import Document
from gieok.errors import ErasureUnproven, InvalidQuery, TurnChanged, UnderHold, UnknownTurn
from gieok.testing import day


def raw(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir() if path.is_file())


def likes(mind: gieok.Mind) -> set[str | None]:
    return {memory.value for memory in mind.facts(attribute="likes")}


def test_a_turn_goes_as_if_it_had_never_been_said(letia, tmp_path):
    letia.observe("나 고양이 좋아해", turn_id="t1", at=day(1))
    letia.observe("나 색소폰 좋아해", reply="색소폰이라니!", turn_id="t2", at=day(2))
    letia.observe("나 강아지 좋아해", turn_id="t3", at=day(3))

    gone = letia.erase(turn="t2")

    assert gone.counts["turns"] == 1
    assert likes(letia) == {"고양이", "강아지"}
    assert [(turn.number, turn.id) for turn in letia.turns()] == [(1, "t1"), (2, "t3")]
    assert "색소폰".encode() not in raw(tmp_path)
    assert letia.bank.store.problems() == []
    with pytest.raises(UnknownTurn):
        letia.rewind("t2")


def test_what_goes_along_is_not_left_where_it_was_used(letia, tmp_path):
    """A rewound turn shares a telling word with what is erased and goes, too; a reply had used what it told."""
    letia.observe("나 색소폰 좋아해", reply="색소폰 얘기를 더 해줘요", turn_id="t1", at=day(1))
    used = letia.context("색소폰 얘기")
    letia.observe("오늘 날씨 어때", reply="맑아요", turn_id="t2", context=used, at=day(2))
    letia.edit("t1", text="나 고양이 좋아해", reply="그렇군요")
    letia.observe("내 비밀은 우쿨렐레야", reply="우쿨렐레 얘기를 더 해줘요", turn_id="t3", at=day(3))
    letia.rewind("t3")

    gone = letia.erase(turn="t3")

    assert gone.counts["turns"] == 2
    assert "우쿨렐레".encode() not in raw(tmp_path)
    assert "색소폰".encode() not in raw(tmp_path)


def test_a_memory_that_was_also_told_elsewhere_is_rebuilt_from_there(letia):
    letia.observe("나 고양이 좋아해", turn_id="t1", at=day(1))
    letia.observe("나 진짜 고양이 좋아해", turn_id="t2", at=day(2))
    [before] = letia.facts(attribute="likes")
    assert before.mentions == 1
    letia.erase(turn="t1")
    [after] = letia.facts(attribute="likes")
    assert (after.value, after.mentions, after.known_at) == ("고양이", 0, day(2))


def test_a_dry_run_tells_the_same_and_writes_nothing(letia):
    letia.observe("나 고양이 좋아해", turn_id="t1", session="아침", at=day(1))
    letia.observe("나 강아지 좋아해", turn_id="t2", session="저녁", at=day(2))
    before = letia.bank.store.fingerprint(letia.key)
    would = letia.erase(session="아침", dry_run=True)
    assert letia.bank.store.fingerprint(letia.key) == before
    assert (would.dry_run, would.certificates) == (True, ())
    did = letia.erase(session="아침")
    assert {name: did.counts[name] for name in would.counts} == would.counts
    assert [turn.id for turn in letia.turns()] == ["t2"]


def test_what_was_told_last_tuesday_is_forgotten_by_saying_so(letia, clock):
    letia.observe("나 고양이 좋아해", at=day(2))  # a Monday
    letia.observe("나 색소폰 좋아해", at=day(3))
    letia.observe("나 강아지 좋아해", at=day(4))
    clock.set(day(10))
    assert letia.forget_said("지난주 화요일").turns == 1
    assert likes(letia) == {"고양이", "강아지"}
    with pytest.raises(InvalidQuery, match="nothing was erased"):
        letia.forget_said("언젠가")
    with pytest.raises(InvalidQuery, match="give a time"):
        letia.forget_said()


def test_what_models_made_of_an_erased_turn_goes_too(letia, tmp_path):
    letia.observe("나 색소폰 좋아해", turn_id="t1", at=day(1))
    letia.observe("나 고양이 좋아해", turn_id="t2", at=day(2))
    letia.remember("고양이를 기르고 싶어 한다", at=day(2))
    letia.maintain(["reflect", "summarise"], at=day(3))
    assert any("색소폰" in memory.content for memory in letia.conclusions())
    letia.erase(matching="색소폰")
    assert not any("색소폰" in memory.content for memory in letia.conclusions())
    assert "색소폰".encode() not in raw(tmp_path)


def test_later_rewinds_pass_over_what_was_erased(letia):
    for number, pet in enumerate(("고양이", "강아지", "거북이"), start=1):
        letia.observe(f"나 {pet} 좋아해", turn_id=f"t{number}", at=day(number))
    letia.erase(turn="t2")
    letia.rewind("t1", at=day(9))
    assert likes(letia) == {"거북이"}
    kinds = [(each.kind, each.undone) for each in letia.last_operations(10)]
    assert kinds == [
        ("observe", True), ("observe", True), ("observe", False), ("rewind", False), ("rewind", False),
    ]  # fmt: skip
    assert letia.bank.store.problems() == []


def test_what_is_forgotten_leaves_the_file_with_the_next_scrub(letia, tmp_path):
    letia.observe("나 땅콩 알레르기 있어", reply="땅콩은 빼 둘게요", turn_id="t1", at=day(1))
    letia.observe("나 고양이 좋아해", turn_id="t2", at=day(2))
    [allergy] = letia.facts(attribute="allergy")
    letia.forget(allergy.id, at=day(3))
    assert "땅콩".encode() in raw(tmp_path)

    gone = letia.bank.scrub()

    assert gone.memories == 1
    assert "땅콩".encode() not in raw(tmp_path)
    assert [line.text for line in letia.turn("t1").utterances] == [BLANK, BLANK]
    assert likes(letia) == {"고양이"}
    assert letia.bank.store.problems() == []
    assert letia.bank.scrub().scopes == ()
    with pytest.raises(TurnChanged):
        letia.observe("나 땅콩 알레르기 있어", turn_id="t1", at=day(4))


def test_forgetting_what_replaced_something_does_not_bring_that_back(letia):
    letia.observe("나 스물다섯 살이야", at=day(1))
    letia.observe("아니, 스물여섯 살이야", at=day(2))
    [age] = letia.facts(attribute="age")
    letia.forget(age.id, at=day(3))
    letia.bank.scrub()
    assert letia.facts(attribute="age") == []


def test_upkeep_scrubs_by_itself(letia, tmp_path):
    letia.observe("나 땅콩 알레르기 있어", at=day(1))
    letia.forget(letia.facts(attribute="allergy")[0].id, at=day(2))
    list(letia.bank.maintain(at=day(3)))
    assert "땅콩".encode() not in raw(tmp_path)


def test_the_certificate_tells_how_much_but_none_of_the_words(letia, clock):
    letia.observe("나 색소폰 좋아해", turn_id="secret-turn", session="몰래", at=day(1))
    [certificate] = letia.erase(turn="secret-turn", session="몰래", by="민수 본인").certificates
    assert (certificate.by, certificate.at, certificate.counts["turns"]) == ("민수 본인", clock.now(), 1)
    assert certificate.intact
    assert certificate.is_about(letia.key)
    assert not certificate.is_about(Scope(user="minsu", character="sera"))
    told = repr(certificate)
    assert not any(word in told for word in ("색소폰", "minsu", "letia", "secret-turn", "몰래"))
    assert letia.bank.certificates() == [certificate]


def test_under_a_hold_nothing_goes_by_call_by_scrub_or_by_age(open_bank, clock):
    bank = open_bank(retain="preference=10")
    letia = bank.scope(user="minsu", character="letia")
    letia.observe("나 고양이 좋아해", turn_id="t1", at=day(1))
    letia.forget(letia.facts()[0].id, at=day(1))
    letia.observe("나 강아지 좋아해", turn_id="t2", at=day(1))
    bank.hold(letia.key, by="법무팀", why="소송 3호")
    clock.set(day(40))
    before = bank.store.fingerprint(letia.key)
    for act in (
        lambda: bank.erase(user="minsu"),
        lambda: bank.erase(letia.key),
        lambda: letia.erase(turn="t1"),
        lambda: letia.scrub(),
        lambda: letia.maintain(["retain"]),
    ):
        with pytest.raises(UnderHold, match=r"법무팀.*소송 3호"):
            act()
    assert bank.scrub().held == (letia.key,)
    assert likes(letia) == {"강아지"}
    assert bank.store.fingerprint(letia.key) == before
    bank.release(letia.key)
    assert likes(letia) == set()
    assert bank.erase(user="minsu").turns == 2


def test_what_is_past_its_time_is_gone_before_anybody_looks_and_from_the_file_with_the_next_pass(
    open_bank, clock, tmp_path
):
    bank = open_bank()
    letia, sera = (bank.scope(user="minsu", character=name) for name in ("letia", "sera"))
    for mind in (letia, sera):
        mind.observe("나 고양이 좋아해", at=day(1))
        mind.observe("나 땅콩 알레르기 있어", at=day(1))
    letia.observe("나 색소폰 좋아해", reply="색소폰!", at=day(1))
    bank.keep_for(letia.key, {"preference": 30})
    clock.set(day(31))
    assert likes(letia) == {"고양이", "색소폰"}
    clock.set(day(32))
    assert likes(letia) == set()
    assert letia.facts(history=True, attribute="likes") == []
    assert not any("색소폰" in hit.text for hit in letia.recall("색소폰", k=20))
    assert {memory.value for memory in letia.facts()} == {"땅콩"}
    assert likes(sera) == {"고양이"}
    list(bank.maintain())
    assert "색소폰".encode() not in raw(tmp_path)
    assert "고양이".encode() in raw(tmp_path)  # sera's
    letia.observe("나 고양이 좋아해", at=day(32))
    assert likes(letia) == {"고양이"}
    bank.keep_for(letia.key, None)
    assert bank.provisions(letia.key).retention is None


def test_a_reader_of_an_earlier_state_is_waited_for_and_nothing_is_certified_before(open_bank, tmp_path):
    bank = open_bank(erase_seconds=0.2)
    letia = bank.scope(user="minsu", character="letia")
    letia.observe("나 색소폰 좋아해", turn_id="t1", at=day(1))
    reader = apsw.Connection(str(tmp_path / "memories.db"))
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM utterances").fetchall() == [(1,)]
    with pytest.raises(ErasureUnproven, match="no certificate was issued"):
        letia.erase(turn="t1")
    assert [each.proven for each in bank.certificates()] == [False]
    assert letia.turns() == []
    reader.execute("COMMIT")
    reader.close()
    bank.scrub()
    assert [each.intact for each in bank.certificates()] == [True]
    assert "색소폰".encode() not in raw(tmp_path)


def test_more_than_somebody_named_is_never_erased(bank):
    for user, character in (("minsu", "letia"), ("minsu", "sera"), ("지영", "letia")):
        bank.scope(user=user, character=character).observe("나 고양이 좋아해", session="아침", at=day(1))
    for wrong in ({}, {"world": "academy"}, {"matching": "고양이"}, {"session": "아침"}):
        with pytest.raises(InvalidQuery, match="nothing was erased"):
            bank.erase(**wrong)
    for wrong in ({"matching": "고"}, {"session": " "}, {"since": day(2), "until": day(1)}):
        with pytest.raises(InvalidQuery, match="nothing was erased"):
            bank.erase(user="minsu", **wrong)
    with pytest.raises(InvalidQuery, match="not both"):
        bank.erase(Scope(user="minsu"), user="minsu")
    with pytest.raises(InvalidQuery, match="say what to erase"):
        bank.scope(user="minsu", character="letia").erase()
    assert len(bank.scopes()) == 3
    assert {each.scope.character for each in bank.erase(user="minsu").scopes} == {"letia", "sera"}
    assert [str(each.scope) for each in bank.scopes()] == ["user=지영 character=letia"]


def test_what_stays_hidden_for_other_processes_is_seen_by_them_at_once(open_bank):
    here, there = open_bank(), open_bank()
    mine, theirs = (bank.scope(user="minsu", character="letia") for bank in (here, there))
    mine.observe("나 색소폰 좋아해", turn_id="t1", at=day(1))
    assert theirs.recall("색소폰")
    mine.erase(turn="t1")
    assert (theirs.recall("색소폰"), theirs.facts(), theirs.turns()) == ([], [], [])


def test_a_forgotten_memory_whose_turn_was_taken_back_is_scrubbed_as_well(letia, tmp_path):
    letia.observe("나 색소폰 좋아해", turn_id="t1", at=day(1))
    letia.observe("나 고양이 좋아해", turn_id="t2", at=day(2))
    letia.forget(next(each.id for each in letia.facts() if each.value == "색소폰"), at=day(3))
    letia.rewind("t1", at=day(4))
    letia.bank.scrub()
    assert "색소폰".encode() not in raw(tmp_path)
    assert likes(letia) == {"고양이"}


def test_retention_names_types_and_days(bank):
    scope = Scope(user="minsu")
    for wrong in ({"nothing": 3}, {"note": -1}):
        with pytest.raises(InvalidQuery):
            bank.keep_for(scope, wrong)
    bank.keep_for(scope, {"note": None, "event": 3})
    assert bank.provisions(scope).days({"note": 5, "fact": 9}) == {"fact": 9, "event": 3}
    with pytest.raises(InvalidQuery, match="a hold needs the name"):
        bank.hold(scope, by=" ")


def test_where_nothing_matches_nothing_is_written_and_documents_that_match_go(letia):
    letia.observe("나 고양이 좋아해", at=day(1))
    desk = letia.bank.store.server
    for key, value in (("a", '{"text": "색소폰"}'), ("b", '{"text": "고양이"}')):
        desk.put_document(
            Document(namespace=("n",), key=key, value=value, scope=letia.key, created_at=day(1), updated_at=day(1))
        )
    before = letia.bank.store.fingerprint(letia.key)
    assert letia.bank.erase(user="minsu", matching="노란장화").scopes == ()
    assert letia.erase(turn="unknown").scopes == ()
    assert letia.bank.store.fingerprint(letia.key) == before
    assert letia.bank.certificates() == []
    assert letia.erase(matching="색소폰").counts["documents"] == 1
    assert [each.key for each in desk.documents()] == ["b"]
