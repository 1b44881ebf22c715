"""The pipeline of "RAG 기반 장기 메모리 아키텍처": its functions and its fields, over a bank."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import gieok
from gieok.errors import UnknownMemory
from gieok.interop.pipeline import MemoryPipeline, MemoryRecord
from gieok.testing import FixedClock, day

ALLERGY = {
    "type": "constraint",
    "content": "나비는 닭고기 알레르기가 있음",
    "importance": 0.95,
    "timestamp": "2026-02-01T09:00:00+09:00",
    "source_turn_ids": ["t1"],
    "tags": ["medical"],
    "about": "나비",
    "attribute": "allergy",
    "value": "닭고기",
}
WALK = {"type": "preference", "content": "보호자는 아침 산책을 좋아함", "importance": 0.5, "embedding": [0.1, 0.2]}


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(day(1))


@pytest.fixture
def pipeline(tmp_path: Path, clock: FixedClock) -> Iterator[MemoryPipeline]:
    with gieok.open(tmp_path / "memories.db", embedder="hashing", preset="care", clock=clock) as bank:
        yield MemoryPipeline(bank, "owner", character="meow")


def said(*texts: str) -> list[dict[str, str]]:
    """The user speaks first, then they take turns."""
    return [{"role": ("user", "assistant")[at % 2], "content": text} for at, text in enumerate(texts)]


def contents(records: list[MemoryRecord]) -> list[str]:
    return [record.content for record in records]


def test_records_go_in_and_come_out_by_the_documents_fields(pipeline: MemoryPipeline) -> None:
    [allergy, _] = pipeline.upsert_memories("owner", [ALLERGY, WALK])
    [record] = pipeline.retrieve("owner", "나비의 닭고기 알레르기", k=1)

    assert record == MemoryRecord(
        id=allergy,
        user_id="owner",
        type="constraint",
        content="나비는 닭고기 알레르기가 있음",
        importance=0.95,
        timestamp="2026-02-01T00:00:00+00:00",
        source_turn_ids=("t1",),
        tags=("medical",),
        version=1,
        about="나비",
        attribute="allergy",
        value="닭고기",
    )
    assert pipeline.retrieve("another", "나비의 닭고기 알레르기") == []


def test_what_is_told_again_is_the_same_memory_and_a_known_id_is_put_right(pipeline: MemoryPipeline) -> None:
    [walk] = pipeline.upsert_memories("owner", [WALK])
    assert pipeline.upsert_memories("owner", [WALK]) == [walk]
    evening = MemoryRecord(id=walk, content="보호자는 저녁 산책을 좋아함")
    assert pipeline.upsert_memories("owner", [evening, evening]) == [walk, walk]

    assert contents(pipeline.retrieve("owner", "산책")) == ["보호자는 저녁 산책을 좋아함"]
    assert pipeline.retrieve("owner", "산책")[0].version == 3


def test_what_is_retrieved_can_be_narrowed(pipeline: MemoryPipeline) -> None:
    pipeline.upsert_memories("owner", [ALLERGY, WALK])

    def found(**filters: Any) -> list[str]:
        return contents(pipeline.retrieve("owner", "나비와 산책", 8, filters))

    assert len(found()) == 2
    assert found(type="preference") == [WALK["content"]]
    assert len(found(since=day(1))) == 2  # she is still allergic then
    assert found(tags=["medical"]) == found(importance=0.9) == found(until=day(1)) == [ALLERGY["content"]]
    with pytest.raises(ValueError, match="unknown filter 'colour'"):
        found(colour="black")


def test_a_record_that_is_none_is_refused_before_anything_is_kept(pipeline: MemoryPipeline) -> None:
    for wrong in ({"type": "fact"}, {"content": "밥", "colour": "black"}):
        with pytest.raises(ValueError, match="nothing was kept"):
            pipeline.upsert_memories("owner", [WALK, wrong])
    assert pipeline.retrieve("owner", "산책") == []


def test_deleting_is_forgetting_and_an_unknown_id_stops_it(pipeline: MemoryPipeline) -> None:
    ids = pipeline.upsert_memories("owner", [ALLERGY, WALK])
    with pytest.raises(UnknownMemory):
        pipeline.delete("owner", [*ids, "nobody's"])
    assert len(pipeline.retrieve("owner", "나비와 산책")) == 2
    pipeline.delete("owner", ids)
    assert pipeline.retrieve("owner", "나비와 산책") == []


def test_candidates_are_read_scored_and_kept_step_by_step(pipeline: MemoryPipeline) -> None:
    turns = said("나 서울에 살아", "그렇군요.", "나 땅콩 알레르기 있어. 나 고양이 좋아해. 오늘 뭐 먹지?")
    candidates = pipeline.extract_candidates(turns, "저는 라면을 좋아해요.")

    assert [(each.content, each.said_by) for each in candidates] == [
        ("땅콩 알레르기가 있음", "user"),
        ("고양이를 좋아함", "user"),
        ("라면을 좋아함", "character"),
    ]
    assert pipeline.retrieve("owner", "알레르기") == []  # nothing is kept yet
    records = pipeline.score_and_normalize(candidates)
    assert [record.user_id for record in records] == ["owner"] * 3
    allergy, cats, noodles = records
    assert allergy.importance is not None
    assert cats.importance is not None
    assert 1 >= allergy.importance > cats.importance > 0
    assert (allergy.attribute, allergy.value, noodles.about) == ("allergy", "땅콩", "character")
    ids = pipeline.upsert_memories("owner", records)
    assert [memory.id for memory in pipeline.mind().facts()] == ids
    assert pipeline.extract_candidates([]) == []


def test_what_scores_below_the_threshold_is_no_record(tmp_path: Path) -> None:
    with gieok.open(tmp_path / "memories.db", embedder="hashing", promote_threshold=0.75) as bank:
        pipeline = MemoryPipeline(bank, "owner")
        candidates = pipeline.extract_candidates(said("나 땅콩 알레르기 있고 고양이 좋아해"))
        assert len(candidates) == 2
        assert contents(pipeline.score_and_normalize(candidates)) == ["땅콩 알레르기가 있음"]


def test_personal_data_does_not_get_into_a_candidate(pipeline: MemoryPipeline) -> None:
    records = pipeline.score_and_normalize(pipeline.extract_candidates(said("내 전화번호는 010-1234-5678이야")))
    assert "1234" not in str(records)


def test_a_question_that_leans_on_the_talk_is_made_whole(pipeline: MemoryPipeline) -> None:
    turns = said("코코 예방접종 예약했어", "언제예요?", "그거 언제더라?")
    assert pipeline.rewrite_query(turns, "코코를 키운다.") == "코코 예방접종 예약했어\n그거 언제더라?"
    assert pipeline.rewrite_query(turns[:1], "코코를 키운다.") == "코코 예방접종 예약했어"
    with pytest.raises(ValueError, match="no message of a user"):
        pipeline.rewrite_query([], "")


def test_retrieving_goes_by_likeness_time_and_importance_at_a_moment(pipeline: MemoryPipeline) -> None:
    old = {**WALK, "content": "작은 공을 좋아함", "timestamp": day(-1000)}
    new = {**WALK, "content": "큰 공을 좋아함", "timestamp": day(0)}
    pipeline.upsert_memories("owner", [old, new])
    assert contents(pipeline.retrieve_memories("owner", "공", day(1), 2)) == ["큰 공을 좋아함", "작은 공을 좋아함"]
    assert contents(pipeline.retrieve_memories("owner", "공", day(-500), 2)) == ["작은 공을 좋아함"]


def test_messages_are_the_summary_and_memories_then_the_turns_then_the_question(pipeline: MemoryPipeline) -> None:
    pipeline.upsert_memories(
        "owner", [ALLERGY, {**WALK, "attribute": "allergy", "value": "땅콩", "content": "땅콩 알레르기"}]
    )
    turns = said("나비 밥 줬어", "잘했어요.")
    found = pipeline.retrieve_memories("owner", "닭고기", day(1), 1)
    system, *rest = pipeline.build_context_messages("나비를 키운다.", turns, found, "오늘 뭐 먹일까?")

    assert system["role"] == "system"
    assert system["content"].startswith("나비를 키운다.\n\n")
    assert "땅콩 알레르기" in system["content"]  # pinned, though it was not retrieved
    assert "나비는 닭고기 알레르기가 있음" in system["content"]
    assert rest == [*turns, {"role": "user", "content": "오늘 뭐 먹일까?"}]


def test_when_room_is_short_the_summary_goes_before_memories_and_these_before_turns(pipeline: MemoryPipeline) -> None:
    pipeline.upsert_memories("owner", [ALLERGY])
    turns = said(*(f"{number}번째로 나비 밥을 준 날이야" for number in range(6)))
    found = pipeline.retrieve_memories("owner", "닭고기", day(1), 1)

    def shown(budget: int) -> tuple[bool, bool, int]:
        messages = pipeline.build_context_messages("요약이다. " * 40, turns, found, "뭐 먹일까?", budget=budget)
        text = "".join(each["content"] for each in messages if each["role"] == "system")
        return "요약이다" in text, "닭고기" in text, sum(each in turns for each in messages)

    steps = [shown(budget) for budget in (2_000, 300, 130, 60)]
    assert steps[0] == (True, True, 6)
    assert steps[1] == (False, True, 6)
    assert steps[2] == (False, False, 6)
    assert steps[3][:2] == (False, False)
    assert 0 < steps[3][2] < 6


def test_after_a_turn_what_was_said_last_is_learned_with_its_source_and_what_ended_ends(
    pipeline: MemoryPipeline,
) -> None:
    [lives] = pipeline.post_turn_write(said("나 서울에 살아"), "좋은 곳이네요.")
    [record] = pipeline.retrieve_memories("owner", "서울", day(1))
    assert (record.id, record.content) == (lives, "서울에 삶")
    assert record.source_turn_ids == (pipeline.mind().turns()[0].id,)
    [moved] = pipeline.post_turn_write(said("나 서울에 살아", "좋은 곳이네요.", "나 부산으로 이사했어"), "바다네요!")
    assert [memory.id for memory in pipeline.mind().facts(attribute="residence")] == [moved]


def test_consolidating_returns_documents_with_their_span_topics_and_sources(
    pipeline: MemoryPipeline, clock: FixedClock
) -> None:
    for number in range(3, 8):
        pipeline.mind().observe("코코랑 병원에 다녀왔어", at=day(number))
    clock.set(day(20))
    assert pipeline.consolidate("owner", {"passes": ["weekly"], "dry_run": True})
    [document] = pipeline.consolidate("owner", {"passes": ["weekly"], "at": day(20)})

    assert document.user_id == "owner"
    assert document.span == ("2026-03-01T15:00:00+00:00", "2026-03-08T15:00:00+00:00")  # Monday to Monday in Seoul
    assert "병원" in document.topics
    assert "weekly" not in document.topics
    assert "병원" in document.summary_text
    assert document.linked_source_ids
    assert pipeline.consolidate("owner", {"passes": ["weekly"]}) == []
    with pytest.raises(ValueError, match="unknown policy 'keep'"):
        pipeline.consolidate("owner", {"keep": 3})
