"""Letting a memory be again what it once was, as one more entry of its history."""

from collections.abc import Sequence
from typing import Any

import pytest

import gieok
from gieok.domain.claim import Claim, claim_id
from gieok.domain.operation import Restore
from gieok.domain.turn import Turn, Utterance
from gieok.errors import InvalidQuery, MemoryMoved, UnknownMemory
from gieok.extract.reader import Reader
from gieok.testing import claim, day


def only(mind: gieok.Mind, **which: object) -> gieok.Memory:
    [memory] = mind.facts(**which)
    return memory


def operations(mind: gieok.Mind, memory_id: str) -> list[str]:
    return [operation.id for operation, _ in mind.history(memory_id)]


def test_an_earlier_wording_stands_again_and_the_other_stays_in_the_history(letia):
    letia.observe("나 고양이 좋아해", at=day(1))
    memory = only(letia)
    letia.correct(memory.id, "나 강아지 좋아해", at=day(2))
    first, _ = operations(letia, memory.id)

    back = letia.restore(memory.id, first, at=day(3))

    assert (back.content, back.value, back.origin, back.version) == (memory.content, "고양이", memory.origin, 3)
    happened = letia.history(memory.id)
    assert [change.after.content for _, change in happened if change.after] == [
        memory.content,
        "나 강아지 좋아해",
        memory.content,
    ]
    assert isinstance(happened[-1][0].request, Restore)
    assert happened[-1][0].who == "person"
    assert [hit.item.id for hit in letia.recall("고양이") if isinstance(hit.item, gieok.Memory)] == [memory.id]
    assert not any(isinstance(hit.item, gieok.Memory) and "강아지" in hit.text for hit in letia.recall("강아지"))


def test_what_was_forgotten_can_come_back(letia):
    letia.observe("나 고양이 좋아해", at=day(1))
    memory = only(letia)
    letia.forget(memory.id, at=day(2))

    letia.restore(memory.id, operations(letia, memory.id)[0], at=day(3))

    assert only(letia).id == memory.id
    assert any(hit.item.id == memory.id for hit in letia.recall("고양이"))
    assert "고양이" in letia.context("뭐 좋아해?").text


def test_what_took_its_place_was_never_true_where_both_cannot_be(letia):
    letia.observe("저는 서울에 살아요", at=day(1))
    letia.observe("나 부산으로 이사했어", at=day(5))
    [seoul] = letia.facts(attribute="residence", as_of=day(2))
    [busan] = letia.facts(attribute="residence", as_of=day(6))

    letia.restore(seoul.id, operations(letia, seoul.id)[0], at=day(7))

    assert [(each.value, each.invalid_at) for each in letia.facts(attribute="residence")] == [("서울", None)]
    assert letia.memory(busan.id).retracted


def test_it_holds_up_to_the_next_that_speaks_against_it(letia):
    letia.observe("저는 서울에 살아요", at=day(1))
    letia.observe("나 부산으로 이사했어", at=day(5))
    letia.observe("나 제주로 이사했어", at=day(9))
    [seoul] = letia.facts(attribute="residence", as_of=day(2))

    letia.restore(seoul.id, operations(letia, seoul.id)[0], at=day(10))

    assert [each.value for each in letia.facts(attribute="residence", as_of=day(6))] == ["서울"]
    assert [each.value for each in letia.facts(attribute="residence", as_of=day(10))] == ["제주"]


class Preferring(Reader):
    """Reads 더 좋아 as a preference for dogs. No extractor of the package claims to prefer one like to another."""

    def claims(self, turn: Turn, scope: gieok.Scope, before: Sequence[Utterance], *known: Any) -> Sequence[Claim]:
        read = super().claims(turn, scope, before, *known)
        preferred = [each for each in turn.utterances if "더 좋아" in each.text]
        if not preferred:
            return read
        fields = {"value_class": "animal", "act": "prefer", "source_id": preferred[0].id}
        return [claim("likes", "강아지", id=claim_id(preferred[0].id, 0), **fields)]


def test_a_like_that_another_was_preferred_to_stands_beside_it_again(open_bank):
    letia = open_bank("preferring.db", extractor=Preferring()).scope(user="minsu", character="letia")
    letia.observe("나는 고양이를 좋아해", at=day(1))
    letia.observe("요즘은 강아지가 더 좋아", at=day(30))
    [cats] = letia.facts(attribute="likes", as_of=day(2))
    assert [each.value for each in letia.facts(attribute="likes", as_of=day(31))] == ["강아지"]

    letia.restore(cats.id, operations(letia, cats.id)[0], at=day(31))

    assert {each.value for each in letia.facts(attribute="likes", as_of=day(31))} == {"고양이", "강아지"}


def test_it_stands_when_a_later_turn_is_taken_back(letia):
    letia.observe("나 고양이 좋아해", at=day(1))
    memory = only(letia)
    letia.observe("나 스물다섯 살이야", at=day(2), turn_id="age")
    letia.correct(memory.id, "나 강아지 좋아해", at=day(3))
    letia.restore(memory.id, operations(letia, memory.id)[0], at=day(4))

    letia.rewind("age", at=day(5))

    assert only(letia).content == memory.content


def test_what_is_asked_for_must_have_been_and_nobody_may_have_changed_it(letia):
    letia.observe("나 고양이 좋아해", at=day(1))
    memory = only(letia)
    [first] = operations(letia, memory.id)
    letia.forget(memory.id, at=day(2))
    forgotten = operations(letia, memory.id)[-1]

    with pytest.raises(InvalidQuery):
        letia.restore(memory.id, forgotten)
    with pytest.raises(InvalidQuery):
        letia.restore(memory.id, "no such operation")
    with pytest.raises(UnknownMemory):
        letia.restore("no such memory", first)
    with pytest.raises(MemoryMoved):
        letia.restore(memory.id, first, if_version=1)
    assert letia.facts() == []


def test_what_comes_back_ends_where_what_was_told_meanwhile_begins(letia):
    letia.observe("저는 서울에 살아요", at=day(1))
    seoul = only(letia, attribute="residence")
    letia.forget(seoul.id, at=day(2))
    letia.observe("저는 부산에 살아요", at=day(5))

    letia.restore(seoul.id, operations(letia, seoul.id)[0], at=day(6))

    assert [each.value for each in letia.facts(attribute="residence", as_of=day(3))] == ["서울"]
    assert [each.value for each in letia.facts(attribute="residence", as_of=day(6))] == ["부산"]
    assert [each.value for each in letia.lineage(seoul.id)] == ["서울", "부산"]


def test_what_was_retracted_closes_again_what_had_been_opened_in_its_place(letia):
    letia.observe("저는 서울에 살아요", at=day(1))
    letia.observe("나 부산으로 이사했어", at=day(5))
    [busan] = letia.facts(attribute="residence", as_of=day(6))
    letia.observe("뻥이야", at=day(7))
    assert [each.value for each in letia.facts(attribute="residence", as_of=day(8))] == ["서울"]

    letia.restore(busan.id, operations(letia, busan.id)[0], at=day(9))

    assert [each.value for each in letia.facts(attribute="residence", as_of=day(9))] == ["부산"]
    assert [each.value for each in letia.facts(attribute="residence", as_of=day(3))] == ["서울"]


def test_what_was_said_again_since_is_not_there_twice(letia):
    letia.observe("나 고양이 좋아해", at=day(1))
    [first] = letia.facts(attribute="likes")
    letia.observe("나 이제 고양이 안 좋아해", at=day(2))
    letia.observe("나 다시 고양이 좋아해", at=day(3))
    [again] = letia.facts(attribute="likes")
    assert again.id != first.id

    letia.restore(first.id, version=1, at=day(4))
    assert [each.id for each in letia.facts(attribute="likes") if each.polarity == "+"] == [again.id]
