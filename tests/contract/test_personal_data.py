"""What is masked is masked everywhere: planted by every way in, personal data is in no bank, no log and no prompt."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

import gieok
from gieok.conversation import Conversation
from gieok.errors import InvalidQuery, TurnChanged
from gieok.interop.mem0 import Memory
from gieok.interop.pipeline import MemoryPipeline
from gieok.interop.social import SocialMemory
from gieok.testing import FixedClock, ScriptedModel, day
from support.personal import PLANTED, Planted, given_away

READ = '{"facts": [], "right": [], "wrong": []}'
FELT = '{"neutral": 1, "sad": 0, "happy": 0, "angry": 0, "intensity": 0.1}'
Opened = Callable[..., gieok.MemoryBank]


class Place:
    """Where a bank is, and everything that is in it."""

    def __init__(self, location: str, contents: Callable[[], bytes]) -> None:
        self.location = location
        self.contents = contents


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    if request.param == "sqlite":
        yield Place(
            str(tmp_path / "bank.db"), lambda: b"".join(each.read_bytes() for each in tmp_path.glob("bank.db*"))
        )
        return
    address = request.getfixturevalue("database")
    yield Place(address, lambda: everything(address))


def everything(address: str) -> bytes:
    """Return all rows of all tables, as text."""
    with psycopg.connect(address) as connection:
        named = (
            "SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) FROM pg_tables WHERE schemaname <> ALL(%s)"
        )
        tables = [name for (name,) in connection.execute(named, [["pg_catalog", "information_schema"]])]
        rows = [row for table in tables for (row,) in connection.execute(f"SELECT t::text FROM {table} t")]
    return "\n".join(rows).encode()


@pytest.fixture
def opened(place: Place) -> Iterator[Opened]:
    banks: list[gieok.MemoryBank] = []

    def open_it(**settings: Any) -> gieok.MemoryBank:
        given = {"embedder": "hashing", "clock": FixedClock(day(1)), **settings}
        banks.append(gieok.open(place.location, **given))
        return banks[-1]

    yield open_it
    for bank in banks:
        bank.close()


def told_by_every_way_in(bank: gieok.MemoryBank, planted: Planted, number: int) -> None:
    said = planted.sentence
    letia = bank.scope(user=f"u{number}", character="letia")
    turn = letia.observe(said, reply=f"기억할게요: {said}", present=["mina"], turn_id="t1", channel="chat").turn
    letia.observe("그래서 뭐랬지?", reply="…", context=letia.context(said))
    letia.observe(said, speaker=f"손님 {planted.data}")
    letia.reroll(turn.id, f"다시 말하면 {said}")
    letia.edit(turn.id, text=f"아니 {said}", reply=said)
    letia.instead(turn.id, said, reply=said)
    known = letia.remember(
        said, value=planted.data, attribute="note", tags=[planted.data], about=f"친구 {planted.data}"
    )
    assert known.memory.pii_flags == (planted.kind,)
    corrected = letia.correct(known.memory.id, f"고침: {said}", value=planted.data)
    assert planted.kind in corrected.pii_flags
    letia.restore(corrected.id, letia.history(corrected.id)[0][0].id)
    letia.start_scene(place=said, daytime=planted.data, participants=[planted.data])
    letia.recall(said, k=3)
    social = SocialMemory(bank, "letia")
    social.on_new_post("x", "민수", said, title=said, post_id=f"p{number}")
    social.on_bot_response("x", "민수", said, said, post_id=f"p{number}")


def test_a_trace_is_seen_by_itself_and_within_a_number_but_not_in_a_digest():
    digest = "7c900412e0b1" * 6

    assert given_away(f'{{"born": "900412", "chained": "{digest}"}}') == ["900412"]
    assert "900412" in given_away("9004125480763")
    assert given_away(digest) == []


@pytest.mark.parametrize("turns", ["mask", "drop"])
def test_nothing_personal_is_kept_whichever_way_it_came(opened, place, caplog, turns):
    caplog.set_level(logging.DEBUG)
    bank = opened(pii_turns=turns, keep_traces=100)
    for number, planted in enumerate(PLANTED if turns == "mask" else PLANTED[::5]):
        told_by_every_way_in(bank, planted, number)
    letia = bank.scope(user="u0", character="letia")
    letia.maintain(["merge", "reflect", "summarise"])

    assert given_away(place.contents()) == []
    bank.close()
    assert given_away(place.contents()) == []
    assert given_away(caplog.text) == []


def test_nothing_personal_is_kept_under_other_systems_names(opened, place):
    bank = opened()
    for number, planted in enumerate(PLANTED[::4]):
        user, said, memory, pipeline = f"u{number}", planted.sentence, Memory(bank=bank), MemoryPipeline(bank, "minsu")
        message = {"role": "user", "content": said, "name": planted.data}
        memory.add(message, user_id=user, metadata={"to": [{"whom": said, "number": planted.data}]})
        [kept] = memory.add(message, user_id=user, infer=False)["results"]
        memory.update(kept["id"], f"고침: {said}", metadata={"why": planted.data})
        assert memory.search(said, user_id=user, filters={"why": planted.data})["results"]
        pipeline.upsert_memories("minsu", pipeline.score_and_normalize(pipeline.extract_candidates([message])))
        pipeline.upsert_memories("minsu", [{"content": said, "tags": [said], "source_turn_ids": [planted.data]}])
        pipeline.post_turn_write([message], said)
    assert given_away(place.contents()) == []


def test_no_model_sees_what_is_masked(opened):
    fast = ScriptedModel({"reply": "네!", "extract": READ, "emotion": FELT, "rewrite_query": "{}", "rerank": "{}"})
    deep = ScriptedModel({"direct": "{}", "reflect": "{}", "summarise": "{}"})
    options = {"rewrite_query": True, "rerank": True, "compress": True, "model_emotion": True, "pii_turns": "keep"}
    bank = opened(model=fast, deep_model=deep, **options)
    for number, planted in enumerate(PLANTED):
        letia = bank.scope(user=f"u{number}", character="letia")
        talk = Conversation(letia, persona="너는 레티아다.")
        list(talk.say(planted.sentence))
        list(talk.say(f"그거 뭐였지? {planted.sentence} 맞아?"))
        list(talk.regenerate())
        letia.deepen()
    bank.settle()
    asked = [message.content for model in (fast, deep) for _, messages in model.asked for message in messages]
    assert {task for task, _ in fast.asked} >= {"reply", "emotion"}
    assert given_away("\n".join(asked)) == []


def test_a_log_that_keeps_its_own_words_is_quoted_and_found_masked(opened, place):
    bank = opened(pii_turns="keep")
    letia = bank.scope(user="minsu", character="letia")
    letia.observe("내 번호는 010-4482-9173이야", reply="저장할게요", turn_id="t1")

    assert letia.turn("t1").utterances[0].text == "내 번호는 010-4482-9173이야"
    assert "[전화번호]" in letia.context("번호 뭐였지?").text
    assert "4482" not in letia.context("번호 뭐였지?").text
    assert all("4482" not in hit.text for hit in letia.recall("전화번호"))
    assert letia.recall("전화번호")
    assert [memory.content for memory in letia.facts()] == ["전화번호는 [전화번호]임"]
    assert letia.observe("내 번호는 010-4482-9173이야", reply="저장할게요", turn_id="t1").again


def test_a_log_that_drops_keeps_neither_the_number_nor_its_mask(opened):
    letia = opened(pii_turns="drop").scope(user="minsu", character="letia")
    letia.observe("내 번호 010-4482-9173 저장해", turn_id="t1")

    assert letia.turn("t1").utterances[0].text == "내 번호 저장해"
    assert letia.facts()[0].value == "[전화번호]"
    assert letia.observe("내 번호 010-4482-9173 저장해", turn_id="t1").again


def test_the_same_turn_with_the_same_words_is_one_turn_however_it_is_masked(opened):
    bank = opened(pii_phone="ask")
    letia = bank.scope(user="minsu", character="letia")
    first = letia.observe("내 번호는 010-4482-9173이야", turn_id="t1")
    again = letia.observe("내 번호는 010-4482-9173이야", turn_id="t1")

    assert not first.again
    assert (again.again, again.turn.id, again.pii, again.ask) == (True, first.turn.id, ("phone",), ("phone",))
    assert letia.observed("t1").ask == ()  # what the log shows is a mask; whom to ask is told when it is said
    with pytest.raises(TurnChanged):
        letia.observe("내 번호는 없어", turn_id="t1")


def test_consent_keeps_what_was_asked_for(opened):
    bank = opened(pii_phone="ask")
    letia = bank.scope(user="minsu", character="letia")
    said = "내 번호는 010-4482-9173이고 메일은 haneulpark92@naver.com이야"
    asked = letia.observe(said, turn_id="t1")
    assert (asked.pii, asked.ask) == (("phone", "email"), ("phone",))
    assert asked.turn.utterances[0].text == "내 번호는 [전화번호]고 메일은 [이메일 주소]야"

    agreed = letia.instead("t1", said, consent=asked.ask)

    assert agreed.turn.utterances[0].text == "내 번호는 010-4482-9173이고 메일은 [이메일 주소]야"
    assert {flag for memory in letia.facts() for flag in memory.pii_flags} >= {"phone"}
    rerolled = letia.reroll("t1", "알겠어요!")
    assert "010-4482-9173" in rerolled.turn.utterances[0].text, "who agreed once need not agree again"
    with pytest.raises(InvalidQuery, match="unknown kind of personal data 'fax'"):
        letia.observe("안녕", consent=["fax"])


def test_a_rewind_needs_no_words_that_are_gone(opened):
    letia = opened().scope(user="minsu", character="letia")
    letia.observe("나 고양이 좋아해", turn_id="t1")
    letia.observe("내 번호는 010-4482-9173이야", turn_id="t2")
    letia.rewind("t1")

    (kept,) = letia.facts()
    assert (kept.content, kept.pii_flags) == ("전화번호는 [전화번호]임", ("phone",))
