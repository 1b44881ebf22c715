"""Whatever is handed to a parser, it answers or refuses in gieok's own words, and soon."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given

from gieok.access.hosts import host_of, is_loopback, origin_of
from gieok.access.keys import redact_keys
from gieok.domain import turn
from gieok.domain.attributes import attribute
from gieok.domain.claim import Claim
from gieok.domain.emotion import normalize
from gieok.domain.json_text import json_in, values_in
from gieok.domain.memory import Memory
from gieok.domain.record import REQUESTS, flaw_in
from gieok.domain.relationship import rules_from
from gieok.domain.scope import Scope
from gieok.domain.turn import checked_speaker, checked_text
from gieok.errors import GieokError
from gieok.extract.feelings import feel, feel_reply
from gieok.http.problems import HTTPProblem
from gieok.http.router import read_cursor, read_number
from gieok.language import numerals, periods, terms, text, token_count, wording
from gieok.language.manners import manner
from gieok.language.scenes import setting
from gieok.language.signs import signs
from gieok.proxy import upstream
from gieok.recall.context import quoted
from gieok.stores.postgres.connection import address_of
from gieok.stores.tables.columns import moment as moment_kept
from support import hostile
from support.hostile import within

SEOUL = ZoneInfo("Asia/Seoul")
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SECONDS = 20.0  #: on a machine that has other things to do

OF_TEXT: dict[str, Callable[[str], object]] = {
    "moment": lambda said: turn.moment(said, SEOUL),
    "end_of": lambda said: turn.end_of(said, SEOUL, "--until"),
    "last_of": lambda said: turn.last_of(said, SEOUL, "--as-of"),
    "periods": lambda said: periods.asked_periods(said, NOW, SEOUL),
    "read_number": numerals.read_number,
    "find_numbers": numerals.find_numbers,
    "month_days": numerals.find_month_days,
    "normalise": text.normalise,
    "passages": text.passages,
    "index_terms": terms.index_terms,
    "query_terms": terms.query_terms,
    "tokens": token_count.estimate_tokens,
    "polite_sentence": wording.polite_sentence,
    "feel": lambda said: feel(said, speaker="user"),
    "feel_reply": feel_reply,
    "manner": lambda said: manner(said, "user"),
    "signs": lambda said: signs(said, "user"),
    "setting": setting,
    "quoted": quoted,
    "attribute": attribute,
    "scope": lambda said: Scope(user=said),
    "speaker": checked_speaker,
    "text": checked_text,
    "host_of": host_of,
    "origin_of": origin_of,
    "is_loopback": is_loopback,
    "redact_keys": redact_keys,
    "cursor": lambda said: (read_number("memories", said), read_cursor("scopes", said, str, str, str)),
    "address": lambda said: address_of(f"postgresql://{said}"),
    "emotion": normalize,
    "json values": lambda said: list(values_in(said)),
}


@pytest.mark.parametrize("name", OF_TEXT)
@given(said=hostile.texts)
def test_a_parser_of_texts_answers_or_refuses(name: str, said: str) -> None:
    with within(SECONDS, (name, said)), suppress(GieokError, HTTPProblem):
        OF_TEXT[name](said)


@pytest.mark.parametrize("name", OF_TEXT)
def test_a_parser_of_texts_answers_or_refuses_the_whole_corpus(name: str) -> None:
    for said in hostile.TEXTS:
        with within(SECONDS, (name, said)), suppress(GieokError, HTTPProblem):
            OF_TEXT[name](said)


@given(said=hostile.texts)
def test_an_answer_of_a_model_is_json_or_a_value_error(said: str) -> None:
    for around in ("{}", "```json\n{}\n```", '{{"memories": [{}]}}', "<think>{}</think> []"):
        with within(SECONDS, said), suppress(ValueError):
            json_in(around.replace("{}", said))


@given(data=hostile.st.binary() | hostile.st.sampled_from(hostile.BODIES))
def test_a_body_of_a_chat_client_is_read_or_refused(data: bytes) -> None:
    with within(SECONDS, data[:80]), suppress(upstream.Unreadable):
        asked = upstream.read(data)
        asked.passed_on(model="m", placed=lambda said: [{"role": "system"}, *said] if said else said)
        asked.reply_tokens()


@given(record=hostile.values)
def test_a_record_has_a_flaw_or_none_and_never_breaks(record: object) -> None:
    for kind in (Memory, Claim, *REQUESTS.values()):
        assert flaw_in(kind, record) is None or isinstance(flaw_in(kind, record), str)


@given(changes=hostile.st.dictionaries(
    hostile.st.sampled_from(["start", "levels", "signs", "weights", "thanks", "absence", "drift", "x"]) | hostile.texts,
    hostile.values, max_size=4,
))  # fmt: skip
def test_rules_of_a_relationship_are_taken_or_refused(changes: dict[str, object]) -> None:
    with suppress(GieokError):
        rules_from(changes)


@given(at=hostile.st.integers(-(2**70), 2**70), offset=hostile.st.integers(-(2**40), 2**40))
def test_whatever_stands_in_a_row_is_a_moment(at: int, offset: int) -> None:
    assert moment_kept(at, offset).tzinfo is not None


def test_the_corpus_can_be_told_as_json() -> None:
    for said in hostile.TEXTS:
        json.dumps(said)
