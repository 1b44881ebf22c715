"""Turns: the log, the memories read from utterances, and the traces of turns."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from gieok.domain.answer import Found, Gathered, Injected, LeftOut, ModelCall, Read, Scored, Trace
from gieok.domain.scope import Scope
from gieok.domain.scoring import Parts
from gieok.domain.turn import LONGEST_UTTERANCE, Turn
from gieok.ports import Store, Topic
from gieok.testing.builders import DAY_1, WALL, claim, day, entry_for, memory, turn
from gieok.testing.scribe import EVERYTHING, Scribe
from gieok_contract.base import (
    LETIA,
    SERA,
    VECTORS,
    Contract,
    Reopen,
    apply_entry,
    everything,
    held,
    layout_ids,
    near,
    read,
    refused,
    turn_of,
    word_matches,
)


class TurnLog(Contract):
    """The log of turns."""

    def test_a_new_scope_is_empty(self, store: Store) -> None:
        with store.view(LETIA) as view:
            assert (view.version, view.turn_number, view.latest_at) == (0, 0, None)
            assert not any((view.turns(10), view.unread_turns(10), view.turn("없는 턴"), view.operation_of("없는 턴")))
            assert not any((view.operations(), view.operations(in_force=False), view.history("없는 기억")))
            assert not any((view.memories(EVERYTHING), view.believed_at(day(9)), view.memories_by_id(["없는 기억"])))
            assert not view.memories_about([Topic(subject="user", subject_id="user", attributes=("likes",))])
            assert not any((view.refs(["없는 기억"]), view.items([]), layout_ids(view)))
            assert not any((view.dense(VECTORS.vector("고양이"), 5), len(view.cosines(VECTORS.vector("고양이")))))
            assert not held(view, *view.occurrences(["고양이"]), *view.prefix_occurrences(["고"]))
            assert not held(view, *view.tagged(["pet"]))
            assert not view.times_heard([("user", "user", "likes", "고양이")])

    def test_reading_a_scope_does_not_create_it(self, store: Store) -> None:
        with store.view(LETIA), store.view(SERA):
            pass
        with store.locked(LETIA) as room:
            assert room.version == 0
        assert store.scopes() == []

    def test_a_turn_comes_back_as_it_was(self, store: Store) -> None:
        said = turn(
            ("user", "저기, 들었어? \"비밀\"이래\n'쉿'"),
            ("character", "네? 뭐라고요 💕"),
            ("세라", "나도 들을래! 100% _진짜_"),
            id="첫 만남",
            at=datetime(2026, 3, 1, 21, 30, 15, 999_999, tzinfo=timezone(timedelta(hours=-9, minutes=-30))),
            recorded_at=datetime(2026, 3, 2, 0, 0, 0, 1, tzinfo=UTC),
            session="저녁",
            channel="discord",
            present=("세라", "카이"),
        )
        apply_entry(store, said)
        with store.view(LETIA) as view:
            kept = view.turn("첫 만남")
            assert kept == replace(said, number=1)
            assert kept is not None
            assert [each.at for each in kept.utterances] == [said.at] * 3
            assert kept.at.utcoffset() is not None
            assert view.turns(10) == [kept]
            assert view.turn_number == 1

    @pytest.mark.parametrize(
        "lines",
        [
            (("character", "어서 와요!"),),
            (("카이", "둘이 뭐 해?"), ("세라", "아무것도 아냐")),
            ("가" * LONGEST_UTTERANCE,),
            ("\ufeff\u200bＡ\u0301 ﷺ \x1b[0m", "한글 👨‍👩‍👧 한"),
        ],
        ids=["greeting", "others", "longest", "odd letters"],
    )
    def test_any_exchange_can_be_kept(self, scribe: Scribe, lines: tuple[str | tuple[str, str], ...]) -> None:
        scribe.observe(*lines, id="t")
        assert turn_of(scribe.store, "t") == replace(turn(*lines, id="t"), number=1)

    def test_turns_are_numbered_in_order(self, scribe: Scribe) -> None:
        for number in range(1, 7):
            scribe.observe(f"{number}번째 말", id=f"t{number}")
        with scribe.store.view(LETIA) as view:
            assert [each.number for each in view.turns(10)] == [1, 2, 3, 4, 5, 6]
            assert view.turn_number == 6

    def test_the_last_turns_come_oldest_first(self, scribe: Scribe) -> None:
        for number in range(1, 7):
            scribe.observe(f"{number}번째 말", id=f"t{number}")
        with scribe.store.view(LETIA) as view:
            assert [each.id for each in view.turns(3)] == ["t4", "t5", "t6"]
            assert [each.id for each in view.turns(2, before=5)] == ["t3", "t4"]
            assert view.turns(3, before=1) == view.turns(0) == []

    def test_turns_are_found_by_session_and_channel(self, scribe: Scribe) -> None:
        for id, session, channel in (
            ("t1", "낮", "proxy"),
            ("t2", "밤", "proxy"),
            ("t3", "낮", None),
            ("t4", None, "proxy"),
            ("t5", "낮", "proxy"),
        ):
            scribe.observe("말", id=id, session=session, channel=channel)
        scribe.rewind("t5")
        Scribe(scribe.store, SERA).observe("남의 말", session="낮", channel="proxy")
        with scribe.store.view(LETIA) as view:
            assert [each.id for each in view.turns_of(session="낮", limit=9)] == ["t1", "t3"]
            assert [each.id for each in view.turns_of(channel="proxy", limit=9)] == ["t1", "t2", "t4"]
            assert [each.id for each in view.turns_of(channel="proxy", limit=2)] == ["t2", "t4"]
            assert [each.id for each in view.turns_of(session="밤", channel="proxy", limit=9)] == ["t2"]
            assert view.turns_of(session="' OR 1=1 --", limit=9) == view.turns_of(session="낮", limit=0) == []

    def test_a_turn_told_late_keeps_its_place_in_the_log(self, scribe: Scribe) -> None:
        scribe.observe("오늘 이야기", id="오늘", at=day(9))
        scribe.observe("지난주 이야기", id="지난주", at=day(2))
        with scribe.store.view(LETIA) as view:
            assert [(each.id, each.number) for each in view.turns(5)] == [("오늘", 1), ("지난주", 2)]

    def test_an_unread_turn_waits_to_be_read(self, scribe: Scribe) -> None:
        scribe.observe("읽은 말", id="t1")
        scribe.observe("못 읽은 말", id="t2", unread=True)
        scribe.observe("또 못 읽은 말", id="t3", unread=True)
        with scribe.store.view(LETIA) as view:
            assert [each.id for each in view.unread_turns(10)] == ["t2", "t3"]
            assert [each.id for each in view.unread_turns(1)] == ["t2"]
            assert [each for each in ("t1", "t2", "t3", "t4") if view.is_unread(each)] == ["t2", "t3"]
            assert [each.id for each in view.turns(10)] == ["t1", "t2", "t3"]

    def test_a_turn_read_later_no_longer_waits_and_is_unchanged(self, scribe: Scribe) -> None:
        observed = scribe.observe("못 읽은 말", id="t1", unread=True)
        kept = turn_of(scribe.store, "t1")
        with scribe.store.locked(LETIA) as room:
            room.apply(replace(entry_for(at=day(2), kind="read", turn_id="t1"), caught_up="t1"))
        with scribe.store.view(LETIA) as view:
            assert view.unread_turns(10) == []
            assert not view.is_unread("t1")
            assert view.turns(10) == [kept]
            assert view.operation_of("t1") == observed

    def test_a_turn_left_open_waits_until_a_model_has_read_it(self, scribe: Scribe) -> None:
        scribe.observe("다 읽은 말", id="t1")
        scribe.observe("덜 읽은 말", id="t2", left_open=True)
        scribe.observe("또 덜 읽은 말", id="t3", left_open=True)
        with scribe.store.view(LETIA) as view:
            assert [each.id for each in view.open_turns(10)] == ["t2", "t3"]
            assert [each.id for each in view.open_turns(1)] == ["t2"]
            assert view.unread_turns(10) == []
        with scribe.store.locked(LETIA) as room:
            room.apply(replace(entry_for(at=day(2), kind="deepen", turn_id="t2"), deepened="t2"))
        with scribe.store.view(LETIA) as view:
            assert [each.id for each in view.open_turns(10)] == ["t3"]
        scribe.rewind("t3")
        with scribe.store.view(LETIA) as view:
            assert view.open_turns(10) == []

    def test_the_version_grows_with_every_entry(self, scribe: Scribe) -> None:
        seen = [0]
        for number in range(4):
            scribe.observe(f"{number}번째 말")
            seen.append(read(scribe.store, LETIA, lambda view: view.version))
        assert seen == sorted(set(seen))

    def test_the_latest_moment_of_the_story_is_known(self, scribe: Scribe) -> None:
        scribe.observe("하나", at=day(1))
        scribe.observe("둘", at=day(3))
        assert read(scribe.store, LETIA, lambda view: view.latest_at) == day(3)
        scribe.remember(at=day(4))
        assert read(scribe.store, LETIA, lambda view: view.latest_at) == day(4)

    def test_a_turn_id_is_taken_once_in_a_scope_and_free_in_another(self, scribe: Scribe) -> None:
        scribe.observe("나 고양이 좋아해", id="t1")
        before = read(scribe.store, LETIA, everything)
        again = turn("다른 말", id="t1")
        fresh = replace(again.utterances[0], id="새 말")
        with refused(), scribe.store.locked(LETIA) as room:
            room.apply(entry_for(replace(again, utterances=(fresh,))))
        assert read(scribe.store, LETIA, everything) == before

        Scribe(scribe.store, SERA).observe("나 강아지 좋아해", id="t1")
        assert turn_of(scribe.store, "t1").utterances[0].text == "나 고양이 좋아해"
        assert turn_of(scribe.store, "t1", SERA).utterances[0].text == "나 강아지 좋아해"

    @pytest.mark.parametrize("case", ["known utterance", "twice in the turn", "memory named like an utterance"])
    def test_an_entry_that_fails_midway_leaves_no_trace(self, scribe: Scribe, case: str) -> None:
        scribe.observe("나 고양이 좋아해", "저도요", id="t1", claims=())
        before = read(scribe.store, LETIA, lambda view: everything(view, words=["고양이", "유령"]))

        ghost = turn("유령 하나", "유령 둘", id="t2", at=day(2))
        first, second = ghost.utterances
        taken = first.id if case == "twice in the turn" else "t1/0"
        if case != "memory named like an utterance":
            ghost = replace(ghost, utterances=(first, replace(second, id=taken)))
        believed = memory("유령 기억", id=taken if case == "memory named like an utterance" else "m2")
        with refused(), scribe.store.locked(LETIA) as room:
            room.apply(entry_for(ghost, memories=(believed,), unread=True))

        assert read(scribe.store, LETIA, lambda view: everything(view, words=["고양이", "유령"])) == before
        assert sorted(near(scribe.store, "유령 하나")) == before["dense"]
        assert word_matches(scribe.store, "유령") == []
        scribe.observe("다시 말할게", id="t2")
        assert turn_of(scribe.store, "t2").number == 2

    def test_an_error_while_a_scope_is_locked_writes_nothing(self, store: Store) -> None:
        with pytest.raises(RuntimeError, match="판단 실패"), store.locked(LETIA):
            raise RuntimeError("판단 실패")
        assert store.scopes() == []
        Scribe(store, LETIA).observe("괜찮아", at=DAY_1)
        assert read(store, LETIA, lambda view: view.turn_number) == 1


class Sources(Contract):
    """The memories of an utterance, and the memories that a text mentions."""

    def test_the_memories_of_an_utterance_are_found_including_past_ones(self, store: Store) -> None:
        scribe = Scribe(store, LETIA)
        scribe.observe("서울 살아", claims=[claim("residence", "서울", id="u1-0", source_id="u1")], at=day(1))
        scribe.observe("부산 살아", claims=[claim("residence", "부산", id="u2-0", source_id="u2")], at=day(2))

        found = read(store, LETIA, lambda view: view.read_from(["u1", "u2", "u3"]))
        assert [(memory.id, memory.invalid_at) for memory in found] == [("u1-0", day(2)), ("u2-0", None)]
        assert read(store, LETIA, lambda view: view.read_from(["u"])) == []
        assert read(store, SERA, lambda view: view.read_from(["u1"])) == []

    def test_a_text_mentions_the_current_facts_whose_value_it_contains(self, store: Store) -> None:
        scribe = Scribe(store, LETIA)
        scribe.remember(claim("residence", "서울"), at=day(1))
        scribe.remember(claim("residence", "합정"), at=day(2))
        scribe.remember(claim("hobby", "낚시", subject="other", subject_id="아빠"), at=day(3))

        said = "서울 아니고 합정 살아, 아빠는 낚시 중"
        assert [m.value for m in read(store, LETIA, lambda view: view.mentioned_facts(said))] == ["합정"]
        assert read(store, SERA, lambda view: view.mentioned_facts(said)) == []

    def test_a_text_mentions_a_value_in_either_case(self, store: Store) -> None:
        scribe = Scribe(store, LETIA)
        scribe.remember(claim("mbti", "INFP"), at=day(1))

        assert [m.value for m in read(store, LETIA, lambda view: view.mentioned_facts("나 infp 아니야"))] == ["INFP"]

    def test_others_are_found_by_their_names_with_the_visible_memories_about_them(self, store: Store) -> None:
        scribe = Scribe(store, LETIA)
        for number, name in enumerate(["지훈이", "엄마", "Jihun", "지훈이", "민지"]):
            told = claim("hobby", f"취미 {number}", subject="other", subject_id=name, id=f"c{number}")
            scribe.remember(told, at=day(number + 1))
        scribe.remember(claim("hobby", "낚시"), at=day(9))
        scribe.forget("c4")

        with store.view(LETIA) as view:
            refs = view.refs([f"c{number}" for number in range(5)])
            assert view.people("지훈은 뭐 해?") == {"지훈이": [refs["c0"], refs["c3"]]}
            assert view.people("엄마랑 jihun") == {"엄마": [refs["c1"]], "Jihun": [refs["c2"]]}
            assert view.people("민지는? user는?") == view.people("") == {}
        assert read(store, SERA, lambda view: view.people("엄마")) == {}

    def test_the_utterances_of_a_forgotten_memory_are_known(self, store: Store) -> None:
        scribe = Scribe(store, LETIA)
        scribe.observe("서울 살아", claims=[claim("residence", "서울", id="u1-0", source_id="u1")])
        assert read(store, LETIA, lambda view: view.forgotten_words()) == frozenset()
        scribe.forget("u1-0")

        assert read(store, LETIA, lambda view: view.forgotten_words()) == {"u1"}
        assert read(store, SERA, lambda view: view.forgotten_words()) == frozenset()

    def test_utterances_of_the_same_turn_that_repeat_a_forgotten_value_are_known(self, store: Store) -> None:
        scribe = Scribe(store, LETIA)
        peanuts = claim("allergy", "땅콩", id="c1")
        scribe.observe("땅콩은 못 먹어", "땅콩이요?", "응", "조심할게요", claims=[peanuts], id="t1")
        scribe.observe("땅콩 과자는 맛있어 보여", "그래요?", id="t2")
        scribe.forget("c1")

        assert read(store, LETIA, lambda view: view.forgotten_words()) == {"t1/0", "t1/1"}


OTHER = Scope(user="지호", character="letia")
TRACE = Trace(
    budget=1200,
    tokens=31,
    gathered=(Gathered(source="dense", hits=1, seconds=0.002), Gathered(source="keyword")),
    scored=(Scored(item_id="m1", score=0.7, parts=Parts(keyword=0.5), why=(Found(source="dense", rank=1),)),),
    injected=(
        Injected(name="memories", tokens=7, items=("m1",), left_out=(LeftOut(item_id="m2", why="over_budget"),)),
    ),
    used=("m1",),
    degraded=("memory is late",),
    emotions=(Read(speaker="character", emotion="happy", intensity=0.5, by="emotion/1 m", raw='{"happy": 1} 좋아!'),),
    calls=(ModelCall(task="reply", model="m", at=WALL, seconds=0.5, prompt_tokens=7, answer_tokens=3, cost=0.01),),
)


def keep(store: Store, turn: Turn, trace: Trace | None = TRACE, *, left: int = 9, scope: Scope = LETIA) -> None:
    with store.locked(scope) as room:
        room.apply(replace(entry_for(turn), trace=trace, traces=left))


def traced(store: Store, *turn_ids: str, scope: Scope = LETIA) -> list[str]:
    """Return the turns that have a trace."""
    with store.view(scope) as view:
        return [each for each in turn_ids if view.trace(each) is not None]


class Traces(Contract):
    """Traces of turns."""

    def test_a_trace_is_kept_with_its_turn(self, store: Store, reopen: Reopen) -> None:
        keep(store, turn("안녕", id="t1"))
        assert read(reopen(), LETIA, lambda view: view.trace("t1")) == TRACE

    def test_a_turn_may_have_no_trace(self, store: Store) -> None:
        keep(store, turn("안녕", id="t1"), None)
        assert traced(store, "t1", "t2") == []

    def test_only_the_last_traces_are_kept(self, store: Store) -> None:
        ids = [f"t{number}" for number in range(1, 6)]
        for number, turn_id in enumerate(ids, start=1):
            keep(store, turn("안녕", id=turn_id, at=day(number)), left=3)
        assert traced(store, *ids) == ids[-3:]
        keep(store, turn("안녕", id="t6", at=day(6)), left=1)
        assert traced(store, *ids, "t6") == ["t6"]

    def test_the_number_of_traces_is_limited_for_each_scope(self, store: Store) -> None:
        keep(store, turn("안녕", id="t1"), left=1)
        keep(store, turn("안녕", id="t1"), Trace(tokens=5), left=1, scope=OTHER)
        assert read(store, LETIA, lambda view: view.trace("t1")) == TRACE
        assert read(store, OTHER, lambda view: view.trace("t1")) == Trace(tokens=5)

    def test_a_rewind_removes_the_trace(self, store: Store, scribe: Scribe) -> None:
        scribe.observe("안녕", id="t0")
        keep(store, turn("잘 자", id="t1", at=day(2)))
        scribe.rewind("t1")
        assert traced(store, "t1") == []
        keep(store, turn("좋은 아침", id="t1", at=day(3)), Trace(tokens=1))
        assert read(store, LETIA, lambda view: view.trace("t1")) == Trace(tokens=1)

    def test_a_refused_entry_leaves_the_trace_as_it_was(self, store: Store) -> None:
        keep(store, turn("안녕", id="t1"))
        with refused():
            keep(store, turn("또 안녕", id="t1"), Trace(tokens=1), left=1)
        assert read(store, LETIA, lambda view: view.trace("t1")) == TRACE
