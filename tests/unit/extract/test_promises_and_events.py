"""Promises are kept, and so is what shook or overjoyed somebody; what is said in passing is neither."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from gieok.domain.claim import Claim
from gieok.domain.scope import Scope
from gieok.extract.rules import Rules
from support.speech import spoken

_LINES = Path(__file__).parents[2] / "data" / "promises_and_events.tsv"
_LEAST = {("promise", "ko"): 0.85, ("promise", "en"): 0.85, ("event", "ko"): 0.85, ("event", "en"): 0.85}


def read(said: str, speaker: str = "user") -> list[Claim]:
    return list(Rules().claims(spoken(said, speaker), Scope(user="minsu", character="letia"), ()))


def promises(said: str, speaker: str = "user") -> list[str]:
    return [claim.content for claim in read(said, speaker) if claim.attribute == "promise"]


def events(said: str) -> list[str]:
    told = (claim for claim in read(said) if claim.attribute in (None, "milestone", "event"))
    return [claim.content for claim in told if claim.content_type == "event"]


def lines() -> Iterator[tuple[str, str, str, str]]:
    for line in _LINES.read_text(encoding="utf-8").splitlines()[1:]:
        kind, language, speaker, text = line.split("\t")
        yield kind, language, speaker, text


def test_promises_and_events_are_remembered_as_people_tell_them() -> None:
    asked, found = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for kind, language, speaker, text in lines():
        asked[kind, language] += 1
        found[kind, language] += bool(promises(text, speaker) if kind == "promise" else read(text, speaker))
    assert {which: share for which, share in _LEAST.items() if found[which] < share * asked[which]} == {}


def test_what_is_said_in_passing_is_hardly_ever_a_promise_or_an_event() -> None:
    plain = [(kind, speaker, text) for kind, _, speaker, text in lines() if kind.startswith("no_")]
    wrong = [
        text for kind, speaker, text in plain if (promises(text, speaker) if kind == "no_promise" else events(text))
    ]
    assert len(wrong) <= len(plain) * 0.05, wrong


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("눈 그치면 호떡 사 줄게", "약속: 눈 그치면 호떡 사 주기"),
        ("두 번 다시 널 속이지 않을게", "약속: 두 번 다시 널 속이지 않기"),
        ("가을에 단풍 보러 가자, 약속!", "약속: 가을에 단풍 보러 가기"),
        ("모레 밤에 같이 별 보기로 한 거 기억하지?", "약속: 모레 밤에 같이 별 보기"),
        ("다음 달까지 목도리를 떠서 보내 드리겠습니다", "약속: 다음 달까지 목도리를 떠서 보내 드리기"),
        ("고마워, 로코. 축제 날 달맞이꽃 보러 꼭 올게. 약속!", "약속: 축제 날 달맞이꽃 보러 오기"),
        ("대신 주말에 꼭 꽃 보러 갈게. 약속할게.", "약속: 주말에 꽃 보러 가기"),
    ],
)
def test_a_promise_is_shown_with_what_it_hangs_on(said: str, content: str) -> None:
    assert promises(said) == [content]


@pytest.mark.parametrize(
    "said",
    [
        "이만 끊을게 내일 봐",
        "내일 시험이라 먼저 잘게",
        "괜찮으면 내가 말할게",
        "민수랑 같이 밥 먹기로 했어",
        "형이 차 태워 주기로 했대",
        "꼭 이기길 바랄게",
        "다음 문제 낼게",
        "그럼 커피 말고 보리차로 드릴게요",
        "I'll go take a shower",
        "I'll see if you want",
    ],
)
def test_what_is_done_at_once_or_by_others_is_no_promise(said: str) -> None:
    assert promises(said) == []


def test_a_character_promises_as_a_user_does() -> None:
    (claim,) = [
        each for each in read("다음 주에는 제가 도시락 싸 드릴게요", "character") if each.attribute == "promise"
    ]
    assert claim.subject == "character"
    assert promises("I'll never leave you alone again", "character") == ["promised: never leave you alone again"]


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("이모가 폐암 확진 받으셨대", "이모가 폐암 확진 받으셨음"),
        ("오늘 최종 불합격함", "오늘 최종 불합격함"),
        ("계단에서 사고 나서 깁스했어", "계단에서 사고 났음"),
        ("나 국가대표로 뽑히게 됐어", "국가대표로 뽑히게 됐음"),
        ("My uncle passed away on Monday", "My uncle passed away on Monday"),
    ],
)
def test_what_turns_a_life_is_read_in_every_form(said: str, content: str) -> None:
    assert content in events(said)


def test_what_was_taken_to_heart_is_kept_in_the_speakers_words() -> None:
    (claim,) = read("선생님이 내 손을 꼭 잡아 주셔서 너무 고마워서 펑펑 울었어")
    assert (claim.attribute, claim.content_type) == (None, "event")
    assert claim.content == "선생님이 내 손을 꼭 잡아 주셔서 너무 고마워서 펑펑 울었음"
    assert claim.importance >= 0.6
    assert claim.emotion_intensity >= 0.4


@pytest.mark.parametrize(
    "said",
    ["택배 늦게 와서 진짜 짜증났어!!!", "영화 보다가 펑펑 울었어", "웃겨서 눈물 났어 ㅋㅋㅋㅋ", "너무 슬퍼 ㅠㅠ"],
)
def test_everyday_exclamations_are_not_taken_to_heart(said: str) -> None:
    assert events(said) == []


def test_a_character_takes_nothing_to_heart() -> None:
    assert read("친구들이 와 줘서 너무 감동해서 펑펑 울었어", "character") == []


def test_an_outpouring_is_kept_in_the_speakers_own_words() -> None:
    said = "공모전에서 또 떨어졌대... 너무 억울하고 슬퍼서 아무것도 못 하겠어. 내가 뭘 더 어떻게 해야 돼"
    assert [(claim.content_type, claim.emotion_intensity >= 0.6) for claim in read(said)] == [("event", True)]


def test_one_short_cry_is_no_outpouring() -> None:
    assert read("아 오늘 완전 행복해!!") == []
