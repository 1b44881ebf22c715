"""Stand-ins that know the script: a perfect extractor for planted facts."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from gieok.domain.attributes import attribute
from gieok.domain.claim import Claim
from gieok.domain.scope import Scope
from gieok.domain.turn import USER, Turn, Utterance
from gieok_evals.planted.script import Line, Script

LABELS = {
    "name": "이름", "age": "나이", "birthday": "생일", "gender": "성별", "job": "직업",
    "major": "전공", "school": "학교", "workplace": "직장", "residence": "사는 곳",
    "hometown": "고향", "blood_type": "혈액형", "mbti": "MBTI", "height": "키",
    "nickname": "별명", "family": "가족", "favorite.food": "가장 좋아하는 음식",
    "favorite.color": "가장 좋아하는 색", "favorite.season": "가장 좋아하는 계절",
    "favorite.movie": "가장 좋아하는 영화", "favorite.music": "가장 좋아하는 음악",
    "favorite.book": "가장 좋아하는 책", "favorite.game": "가장 좋아하는 게임", "hobby": "취미",
    "exercise": "운동", "pet": "반려동물", "friend": "친구", "allergy": "알레르기",
    "phobia": "무서워하는 것", "part_time_job": "알바", "relationship_status": "연애 상태",
    "dream": "꿈", "likes": "좋아하는 것", "dislikes": "싫어하는 것", "diet": "식단",
    "medication": "먹는 약", "habit": "습관",
}  # fmt: skip


@dataclass(frozen=True)
class Oracle:
    """Reads every line of a script as its author meant it."""

    script: Script

    @property
    def name(self) -> str:
        return "oracle/1"

    def claims(
        self, turn: Turn, scope: Scope, before: Sequence[Utterance], background: object = None
    ) -> Sequence[Claim]:
        said = turn.utterances[0]
        line = next(line for line in self.script.lines if line.at == turn.at)
        return [] if said.speaker != USER else list(_claims(line, said))

    @staticmethod
    def claim(said: Utterance, slot: str, value: str) -> Claim:
        return _claim(said, slot, value)


def _claims(line: Line, said: Utterance):
    change = line.change
    for planted in line.facts:
        correct = change is not None and change.kind == "correction"
        yield _claim(
            said,
            planted.slot,
            planted.value.gold,
            act="correct" if correct else "assert",
            instead_of=change.old.gold if correct else None,
        )
    if change is None:
        return
    ends = change.kind == "ended" or (change.kind == "update" and not attribute(change.slot).single)
    if ends and change.names_old:
        yield _claim(said, change.slot, change.old.gold, act="end", polarity="-")
    if change.kind == "retraction":
        yield _claim(said, change.slot, change.old.gold, act="retract")


def _claim(said: Utterance, slot: str, value: str, **how: object) -> Claim:
    return Claim(
        id=f"{said.id}-{slot}-{value}",
        speaker=USER,
        subject="user",
        subject_id=USER,
        attribute=slot,
        value=value,
        surface=value,
        content=f"{LABELS[slot]}: {value}" + (" 아님" if how.get("polarity") == "-" else ""),
        content_type=attribute(slot).content_type,
        importance=attribute(slot).importance,
        source_id=said.id,
        **how,
    )


@pytest.fixture(scope="session")
def oracle():
    return Oracle
