"""Gathering candidates: who may answer, what stands beside what was said, and which facts are asked for by name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gieok.domain.answer import Found, Where
from gieok.domain.claim import Claim
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.scoring import Weights
from gieok.ports import Party
from gieok.recall.gather import (
    Candidate,
    covered,
    evidence,
    facts_asked_for,
    gathered,
    nearest_facts,
    still_supported,
)
from gieok.recall.question import Question
from gieok.recall.time_limit import Search
from gieok.stores.sqlite import open_store
from gieok.testing import HashVectors, Scribe, claim, day, entry_for, memory, note
from unit.recall.layouts import question as any_question

VECTORS = HashVectors(32)
SCOPE = Scope(user="minsu", character="letia")


def question(*words: str, near: str | None = None, **fields: Any) -> Question:
    return any_question(*words, **{"vector": None if near is None else VECTORS.vector(near), **fields})


@pytest.fixture
def scribe(tmp_path: Path) -> Iterator[Scribe]:
    store = open_store(tmp_path / "bank.db", embedder=VECTORS.name, dimension=VECTORS.dimension)
    yield Scribe(store, SCOPE, vectors=VECTORS)
    store.close()


def gather(scribe: Scribe, asked: Question, now: float = 100, **options: Any) -> dict[str, Candidate]:
    """Return the candidates by what they say."""
    how = {"where": Where(), "search_turns": True, "weights": Weights(), "k": 8, **options}
    with scribe.store.view(SCOPE) as view:
        found = gathered(view, evidence(Search(view), asked, how["where"].without), asked, day(now), **how)
    return {each.item.content if isinstance(each.item, Memory) else each.item.text: each for each in found}


def write(scribe: Scribe, *memories: Memory) -> None:
    with scribe.store.locked(SCOPE) as room:
        room.apply(entry_for(memories=memories, vectors=VECTORS))


def say(scribe: Scribe, turn_id: str, text: str, *claims: Claim, at: float = 1) -> None:
    """Let the user say `text`, from which `claims` are read."""
    read = [replace(each, id=f"{turn_id}/0-{number}") for number, each in enumerate(claims)]
    scribe.observe(text, id=turn_id, claims=read, at=day(at))


def residence(place: str, **fields: Any) -> Claim:
    return claim("residence", place, content=f"{place}에 삶", **fields)


def test_whatever_one_source_alone_finds_is_a_candidate(scribe: Scribe) -> None:
    scribe.observe("라면 먹자", "그래 좋아")
    scribe.remember(note("비가 왔다"))

    assert gather(scribe, question("라면")).keys() >= {"라면 먹자"}
    assert "비가 왔다" not in gather(scribe, question("라면"))
    assert gather(scribe, question(near="비가 왔다")).keys() == {"라면 먹자", "그래 좋아", "비가 왔다"}
    assert gather(scribe, question("라면"))["라면 먹자"].found == [Found(source="keyword", rank=1)]


def test_without_a_search_of_the_talk_only_memories_answer(scribe: Scribe) -> None:
    say(scribe, "t1", "라면 먹자", note("라면 먹자고 함"))

    assert not gather(scribe, question("먹자"), search_turns=False)
    assert gather(scribe, question("먹자")).keys() == {"라면 먹자", "라면 먹자고 함"}
    assert gather(scribe, question("먹자고"), search_turns=False).keys() == {"라면 먹자고 함"}
    assert gather(scribe, question("라면"), where=Where(kind="memory")).keys() == {"라면 먹자고 함"}
    assert gather(scribe, question("라면"), where=Where(kind="utterance")).keys() == {"라면 먹자"}


def test_of_a_plain_question_three_times_as_many_and_eight_are_read_and_where_many_are_turned_away_all(
    scribe: Scribe,
) -> None:
    write(scribe, *(memory(f"라면 {number}", tags=("summer",)) for number in range(24)))

    assert len(gather(scribe, question("라면"), k=1)) == 3 + 8
    assert len(gather(scribe, question("라면"), k=4)) == 12 + 8
    hardly = Where(kind="memory", without=("topic",))
    assert len(gather(scribe, question("라면"), k=1, where=hardly)) == 3 + 8
    assert len(gather(scribe, question("라면"), k=1, where=Where(about="user"))) == 24
    assert len(gather(scribe, question("라면"), k=1, where=Where(history=True))) == 24


def test_the_memory_that_was_read_from_words_stands_beside_them_with_what_speaks_for_them(scribe: Scribe) -> None:
    say(scribe, "t1", "나 부산 살아", residence("부산"))
    found = gather(scribe, question("나"))

    said, fact = found["나 부산 살아"], found["부산에 삶"]
    assert (fact.relevance, fact.keyword, fact.graph) == (*said.own, said.graph)
    assert fact.found == said.found
    assert said.found is not fact.found
    assert said.told
    assert not fact.told


def test_words_of_which_something_was_not_understood_do_not_count_as_told(scribe: Scribe) -> None:
    say(scribe, "t3", "나 부산 살아. 새우 먹으면 두드러기 나", residence("부산"))
    say(scribe, "t4", "나 대구 살아", residence("대구", certainty=0.7))
    found = gather(scribe, question("나"))

    assert [each.told for text, each in found.items() if text.startswith("나 ")] == [False, False]


def test_words_whose_every_meaning_was_given_up_no_longer_speak(scribe: Scribe) -> None:
    say(scribe, "t5", "나 서울 살아", residence("서울"), at=1)
    say(scribe, "t6", "나 이제 부산 살아", residence("부산"), at=2)
    asked = question("살아")

    assert gather(scribe, asked).keys() == {"나 이제 부산 살아", "부산에 삶"}
    assert gather(scribe, asked, where=Where(kind="utterance")).keys() == {"나 서울 살아", "나 이제 부산 살아"}
    assert gather(scribe, asked, where=Where(history=True)).keys() >= {"나 서울 살아", "서울에 삶"}
    assert "나 서울 살아" not in gather(scribe, asked, where=Where(kind="memory"))


def test_words_with_one_meaning_that_still_holds_stay(scribe: Scribe) -> None:
    both = [residence("서울"), claim("likes", "고양이")]
    say(scribe, "t9", "서울에서 고양이 좋아하며 살아", *both, at=1)
    say(scribe, "t10", "이제 부산 살아", residence("부산"), at=2)

    assert gather(scribe, question("살아")).keys() >= {"서울에서 고양이 좋아하며 살아", "likes: 고양이"}


def test_words_whose_meaning_only_faded_stay(scribe: Scribe) -> None:
    say(scribe, "t11", "나 서울 살아", residence("서울"), at=1)
    [fact] = [each.item for each in gather(scribe, question("살아")).values() if isinstance(each.item, Memory)]
    write(scribe, replace(fact, faded_at=day(3), closed_by="merged"))

    assert gather(scribe, question("살아")).keys() == {"나 서울 살아"}


def test_forgotten_words_are_silent_whatever_is_asked(scribe: Scribe) -> None:
    scribe.observe("나 서울 살아", "좋은 곳이네요", id="t1", claims=[replace(residence("서울"), id="t1/0-0")])
    [fact] = [each.item for each in gather(scribe, question("살아")).values() if isinstance(each.item, Memory)]
    scribe.forget(fact.id)

    for where in (Where(), Where(kind="utterance"), Where(history=True)):
        assert gather(scribe, question("살아"), where=where).keys() == {"좋은 곳이네요"}, "which was said beside it"


def test_what_was_concluded_from_something_that_no_longer_holds_is_dropped(scribe: Scribe) -> None:
    ground, ended = memory("서울에 삶"), memory("학생임", invalid_at=day(10))
    write(scribe, ground, ended)
    insight = {"content_type": "insight", "kind": "insight"}
    write(
        scribe,
        memory("통찰 하나", made_from=(ground.id,), **insight),
        memory("통찰 둘", made_from=(ended.id,), **insight),
    )
    write(scribe, memory("통찰 셋", made_from=(ground.id, ended.id), **insight))

    assert gather(scribe, question("통찰")).keys() == {"통찰 하나"}
    assert gather(scribe, question("통찰"), now=9).keys() == {"통찰 하나", "통찰 둘", "통찰 셋"}
    assert gather(scribe, question("통찰"), where=Where(history=True)).keys() == {"통찰 하나", "통찰 둘", "통찰 셋"}


def asked_for(scribe: Scribe, asked: Question, where: Where | None = None, now: float = 100) -> list[Candidate]:
    with scribe.store.view(SCOPE) as view:
        return facts_asked_for(view, asked, day(now), where or Where())


def texts(candidates: list[Candidate]) -> list[str]:
    return [each.item.content for each in candidates if isinstance(each.item, Memory)]


def test_a_fact_that_is_asked_for_and_holds_one_value_is_found_by_its_name_alone(scribe: Scribe) -> None:
    scribe.remember(residence("서울"), claim("job", "의사"), claim("likes", "고양이"))
    facts = asked_for(scribe, question(about={"residence": 0.7, "likes": 0.9, "job": 0.2}))

    assert texts(facts) == ["서울에 삶", "job: 의사"], "of likes there may be hundreds"
    assert [each.graph for each in facts] == [0.7, 0.2]
    assert [each.found for each in facts] == [[Found(source="topic", rank=1)], [Found(source="topic", rank=2)]]
    assert [each.relevance for each in facts] == [0, 0]


def test_of_others_who_are_named_their_facts_are_asked_for_and_not_the_users(scribe: Scribe) -> None:
    of_minji = {"subject": "other", "subject_id": "민지"}
    scribe.remember(residence("서울"), residence("대전", **of_minji), claim("job", "의사", **of_minji))
    scribe.remember(residence("광주", subject="other", subject_id="지훈"))
    asked = question(about={"residence": 0.7}, people=("민지",))

    assert texts(asked_for(scribe, asked)) == ["대전에 삶"]
    assert texts(asked_for(scribe, replace(asked, party=Party.USER))) == ["서울에 삶"]
    assert texts(asked_for(scribe, replace(asked, people=()))) == ["서울에 삶"]
    assert texts(asked_for(scribe, replace(asked, people=("민지", "지훈")))) == ["대전에 삶", "광주에 삶"]


def test_of_others_only_what_is_still_so_is_told(scribe: Scribe) -> None:
    of_minji = {"subject": "other", "subject_id": "민지"}
    scribe.remember(residence("대전", **of_minji), at=day(1))
    scribe.remember(residence("제주", **of_minji), at=day(5))
    asked = question(about={"residence": 0.7}, people=("민지",))

    assert texts(asked_for(scribe, asked)) == ["제주에 삶"]
    assert texts(asked_for(scribe, asked, Where(history=True))) == ["제주에 삶"]
    assert texts(asked_for(scribe, asked, now=3)) == ["대전에 삶"]


def test_a_fact_that_is_asked_for_counts_beside_what_else_speaks_for_it(scribe: Scribe) -> None:
    scribe.remember(residence("서울"))
    [fact] = gather(scribe, question("서울에", about={"residence": 0.9})).values()

    assert fact.graph >= 0.9
    assert fact.keyword > 0
    assert {found.source for found in fact.found} == {"keyword", "topic"}
    assert gather(scribe, question(about={"residence": 0.9})).keys() == {"서울에 삶"}


def test_the_nearest_facts_are_current_ones_about_the_user_by_their_place_on_the_list(scribe: Scribe) -> None:
    write(
        scribe,
        memory("서울 강남 역삼"),
        memory("서울 강남", attribute="residence"),
        memory("서울 강남 삼성", attribute="residence", subject="other", subject_id="민지"),
        memory("서울 종로 가회", attribute="residence", invalid_at=day(10)),
        memory("부산", attribute="hometown"),
    )
    asked = question(near="서울 강남 역삼")
    with scribe.store.view(SCOPE) as view:
        known = evidence(Search(view), asked)
        near = nearest_facts(view, known, asked, day(10), 9)
        few = nearest_facts(view, known, asked, day(10), 2)
        earlier = nearest_facts(view, known, asked, day(9), 9)

    assert texts(near) == ["서울 강남", "부산"]
    assert texts(few) == ["서울 강남"]
    assert set(texts(earlier)) == {"서울 강남", "서울 종로 가회", "부산"}
    assert near[0].found == [Found(source="dense", rank=2)]
    assert near[0].relevance == pytest.approx(
        float(VECTORS.vector("서울 강남") @ VECTORS.vector("서울 강남 역삼")), abs=1e-3
    )


def test_a_sentence_may_be_as_long_as_it_takes_to_say_its_facts() -> None:
    at_most = "부산" + "아" * 38
    fact, other = memory(surface="부산"), memory(surface="고양이")

    assert covered(at_most, [fact])
    assert not covered(f"{at_most}아", [fact])
    assert covered("부산고양이" + "아" * 75, [fact, other])
    assert not covered("부산고양이" + "아" * 76, [fact, other])


def test_where_no_doubt_may_be_left_a_sentence_is_shorter_and_what_was_read_in_passing_does_not_count() -> None:
    at_most = "부산" + "아" * 14
    sure = memory(surface="부산", certainty=0.8)

    assert covered(at_most, [sure], surely=True)
    assert not covered(f"{at_most}아", [sure], surely=True)
    assert not covered(at_most, [replace(sure, certainty=0.79)], surely=True)
    assert not covered(at_most, [], surely=True)


def test_a_memory_without_words_of_its_own_stands_for_any_one_sentence() -> None:
    opinion = memory()

    assert covered("너 참 귀엽다", [opinion])
    assert not covered("너 참 귀엽다. 비가 온다", [opinion])
    assert covered("너 참 귀엽다. 비가 온다", [opinion, opinion])
    assert covered("부산 살아. 비가 온다", [opinion, memory(surface="부 산")]), "blanks make no difference"
    assert not covered("", [])


@pytest.mark.parametrize(
    ("text", "surfaces", "all_said"),
    [
        ("나 부산 살아", ["부산"], True),
        ("나 부산 살아. 새우 먹으면 두드러기 나", ["부산"], False),
        ("나 부산 살아. 새우 먹으면 두드러기 나", ["부산", "새우"], True),
        ("부산에서 개발자로 일해. 새우 먹으면 두드러기 나", ["부산", "개발자"], False),
        ("부산 살아 ㅋㅋ 고양이도 있음", ["부산"], False),
        ("부산 사는데 어제 우리 고양이가 아파서 병원에 갔다가 새벽에야 들어왔지 뭐야 진짜 힘들었어", ["부산"], False),
        ("나 부산 살아", [], False),
    ],
)
def test_every_sentence_must_have_given_a_memory(text: str, surfaces: list[str], all_said: bool) -> None:
    assert covered(text, [memory(surface=each) for each in surfaces]) is all_said


def test_given_up_words_that_say_something_else_as_well_stay(scribe: Scribe) -> None:
    say(scribe, "t7", "나 서울 살아. 고양이도 키우고 있어", residence("서울"), at=1)
    say(scribe, "t8", "나 이제 부산 살아", residence("부산"), at=2)

    assert "나 서울 살아. 고양이도 키우고 있어" in gather(scribe, question("살아.", "살아"))


def test_what_faded_may_stay_in_a_conclusion_and_what_was_taken_back_may_not(scribe: Scribe) -> None:
    faded, lie = memory("잠이 없음", faded_at=day(2)), memory("왕자임", retracted=True)
    write(scribe, faded, lie)
    with scribe.store.view(SCOPE) as view:
        assert still_supported(view, memory(made_from=(faded.id,)), day(100))
        assert not still_supported(view, memory(made_from=(lie.id,)), day(100))
        assert still_supported(view, memory(), day(100))
