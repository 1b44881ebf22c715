"""The log of turns: what was said stays as it was said, whole or not at all."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from gieok.domain.turn import LONGEST_UTTERANCE
from gieok.ports import Store, Topic
from gieok.testing.builders import DAY_1, day, entry_for, memory, turn
from gieok.testing.scribe import EVERYTHING, Scribe
from gieok_contract.base import (
    LETIA,
    SERA,
    VECTORS,
    Contract,
    everything,
    held,
    laid_out,
    near,
    read,
    refused,
    saying,
    turn_of,
)


class TurnLog(Contract):
    """What a store promises about turns."""

    def test_a_new_scope_is_empty(self, store: Store) -> None:
        with store.view(LETIA) as view:
            assert (view.version, view.turn_number, view.latest_at) == (0, 0, None)
            assert not any((view.turns(10), view.unread(10), view.turn("없는 턴"), view.operation_of("없는 턴")))
            assert not any((view.operations(), view.operations(in_force=False), view.history("없는 기억")))
            assert not any((view.memories(EVERYTHING), view.believed_at(day(9)), view.memories_by_id(["없는 기억"])))
            assert not view.memories_about([Topic(subject="user", subject_id="user", attributes=("likes",))])
            assert not any((view.refs(["없는 기억"]), view.items([]), laid_out(view)))
            assert not any((view.dense(VECTORS.vector("고양이"), 5), len(view.cosines(VECTORS.vector("고양이")))))
            assert not held(view, *view.occurrences(["고양이"]), *view.beginnings(["고"]), *view.tagged(["pet"]))
            assert not view.heard([("user", "user", "likes", "고양이")])

    def test_looking_at_a_scope_does_not_make_it(self, store: Store) -> None:
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
        with store.locked(LETIA) as room:
            room.apply(entry_for(said))
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

    def test_turns_are_numbered_as_they_come(self, scribe: Scribe) -> None:
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

    def test_the_turns_of_one_sitting_or_one_channel_are_found(self, scribe: Scribe) -> None:
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

    def test_a_turn_that_could_not_be_read_waits_for_it(self, scribe: Scribe) -> None:
        scribe.observe("읽은 말", id="t1")
        scribe.observe("못 읽은 말", id="t2", unread=True)
        scribe.observe("또 못 읽은 말", id="t3", unread=True)
        with scribe.store.view(LETIA) as view:
            assert [each.id for each in view.unread(10)] == ["t2", "t3"]
            assert [each.id for each in view.unread(1)] == ["t2"]
            assert [each.id for each in view.turns(10)] == ["t1", "t2", "t3"]

    def test_a_turn_read_later_no_longer_waits_and_is_still_the_turn_it_was(self, scribe: Scribe) -> None:
        observed = scribe.observe("못 읽은 말", id="t1", unread=True)
        kept = turn_of(scribe.store, "t1")
        with scribe.store.locked(LETIA) as room:
            room.apply(replace(entry_for(at=day(2), kind="read", turn_id="t1"), caught_up="t1"))
        with scribe.store.view(LETIA) as view:
            assert view.unread(10) == []
            assert view.turns(10) == [kept]
            assert view.operation_of("t1") == observed

    def test_a_turn_left_open_waits_until_a_model_has_read_it(self, scribe: Scribe) -> None:
        scribe.observe("다 읽은 말", id="t1")
        scribe.observe("덜 읽은 말", id="t2", left_open=True)
        scribe.observe("또 덜 읽은 말", id="t3", left_open=True)
        with scribe.store.view(LETIA) as view:
            assert [each.id for each in view.left_open(10)] == ["t2", "t3"]
            assert [each.id for each in view.left_open(1)] == ["t2"]
            assert view.unread(10) == []
        with scribe.store.locked(LETIA) as room:
            room.apply(replace(entry_for(at=day(2), kind="deepen", turn_id="t2"), deepened="t2"))
        with scribe.store.view(LETIA) as view:
            assert [each.id for each in view.left_open(10)] == ["t3"]
        scribe.rewind("t3")
        with scribe.store.view(LETIA) as view:
            assert view.left_open(10) == []

    def test_the_version_grows_with_every_entry(self, scribe: Scribe) -> None:
        seen = [0]
        for number in range(4):
            scribe.observe(f"{number}번째 말")
            seen.append(read(scribe.store, LETIA, lambda view: view.version))
        assert seen == sorted(set(seen))

    def test_the_newest_moment_of_the_story_is_known(self, scribe: Scribe) -> None:
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
        assert saying(scribe.store, "유령") == []
        scribe.observe("다시 말할게", id="t2")
        assert turn_of(scribe.store, "t2").number == 2

    def test_a_room_left_with_an_error_wrote_nothing(self, store: Store) -> None:
        with pytest.raises(RuntimeError, match="판단 실패"), store.locked(LETIA):
            raise RuntimeError("판단 실패")
        assert store.scopes() == []
        Scribe(store, LETIA).observe("괜찮아", at=DAY_1)
        assert read(store, LETIA, lambda view: view.turn_number) == 1
