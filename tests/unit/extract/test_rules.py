"""Every utterance is read in its language."""

from __future__ import annotations

from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.extract.rules import Rules
from gieok.testing import day


def read(*lines: tuple[str, str]) -> list[tuple[str, str | None, str | None, str]]:
    utterances = tuple(
        Utterance(id=f"u{place}", turn_id="t", speaker=speaker, text=text, at=day(1), position=place)
        for place, (speaker, text) in enumerate(lines)
    )
    turn = Turn(id="t", utterances=utterances, at=day(1), recorded_at=day(1))
    claims = Rules().claims(turn, Scope(user="minsu", character="letia"), ())
    return [(each.subject_id, each.attribute, each.value, each.extractor.partition("/")[0]) for each in claims]


def test_hangul_is_read_by_the_korean_rules_and_the_rest_by_the_english() -> None:
    assert read(("user", "나 고양이 좋아해"), ("character", "I love dogs")) == [
        ("user", "likes", "고양이", "korean"),
        ("letia", "likes", "dogs", "english"),
    ]


def test_mixed_text_is_korean() -> None:
    assert read(("user", "나 고양이 좋아해. I'm from Seoul")) == [("user", "likes", "고양이", "korean")]


def test_an_answer_in_latin_letters_to_a_korean_question_is_read_with_it() -> None:
    assert ("user", "mbti", "INFP", "korean") in read(("character", "MBTI가 뭐야?"), ("user", "INFP"))


def test_a_claim_is_numbered_within_its_own_utterance() -> None:
    turn = Turn(
        id="t",
        utterances=tuple(
            Utterance(id=f"u{place}", turn_id="t", speaker="user", text=text, at=day(1), position=place)
            for place, text in enumerate(("I love dogs", "I love cats"))
        ),
        at=day(1),
        recorded_at=day(1),
    )

    assert [each.id for each in Rules().claims(turn, Scope(user="minsu"), ())] == ["u0-0", "u1-0"]
