"""Rich stories as materials: cautions, identity, others' facts, words, past values, and what the caller adds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gieok.domain.answer import Caps, Found, Hit, Item, Source
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.scoring import Parts
from gieok.domain.turn import Turn, Utterance
from gieok.recall.context import Materials
from gieok.testing import day
from gieok.testing.builders import SEOUL, memory, turn

SCOPE = Scope(user="minsu", character="letia")
CAPS = Caps()


def hit(item: Item, score: float = 0.5, source: Source = "keyword", **parts: float) -> Hit:
    found = (Found(source=source, rank=1),)
    return Hit(item=item, scope=SCOPE, score=score, parts=Parts(**{"keyword": 0.5, **parts}), why=found)


def fact(content: str, attribute: str | None = None, *, on: int = 1, about: str = "user", **fields: Any) -> Memory:
    subject = about if about in ("user", "character", "world") else "other"
    fields = {"attribute": attribute, "known_at": day(on), "subject": subject, "subject_id": about, **fields}
    return memory(content, id=fields.pop("id", f"{attribute}-{content[:12]}"), **fields)


def said(text: str, *, by: str = "user", on: int = 1) -> Utterance:
    [utterance] = turn((by, text), id=f"turn-{text}", at=day(on)).utterances
    return utterance


def talk(*turns: tuple[str, str], on: int = 20) -> Sequence[Turn]:
    return [turn(*lines, id=f"talk-{number}", at=day(on + number)) for number, lines in enumerate(turns)]


KOREAN = Materials(
    query="이번 주말에 동생이랑 뭐 먹으러 갈까?",
    scope=SCOPE,
    now=day(30).astimezone(SEOUL),
    system="너는 학원에서 가장 조용한 학생 레티아다.\n존댓말을 쓰고, 모르는 일은 모른다고 말한다.",
    examples=["상대: 심심해\nletia: 그럼 같이 별 보러 갈래요?", "상대: 나 졸려\nletia: 무릎 빌려드릴까요?"],
    people=["- 민수: 친구 (신뢰 62, 애정 48)", "- 지금 기분: 설렘"],
    summary="민수는 지난달에 판교로 이사했고 새 직장에 적응하는 중이다. 둘은 벚꽃을 보러 가기로 했다.",
    pinned=[
        fact("이름은 민수임", "name", on=1, pinned=True),
        fact("벚꽃 피면 같이 보러 가기로 함", "promise", on=9, pinned=True),
        fact("땅콩 알레르기가 있음", "allergy", on=4, pinned=True, importance=0.95),
        fact("판교에 삶", "residence", on=12, pinned=True),
    ],
    hits=[
        hit(fact("부산에 살았음", "residence", on=2, invalid_at=day(12), id="past"), source="included", keyword=0.0),
        hit(fact("떡볶이를 좋아함", "likes", on=5)),
        hit(fact("땅콩 알레르기가 있음", "allergy", on=4, importance=0.95)),
        hit(said("어제 동생이랑 마라탕 먹었는데 둘 다 배탈 났어", on=11)),
        hit(fact("새우를 못 먹음", "allergy", about="동생", on=7, importance=0.9)),
        hit(fact("민수를 귀엽다고 생각함", about="user", on=8, content_type="opinion", speaker="character")),
        hit(said("매운 건 저도 좋아해요", by="character", on=5)),
    ],
    known=[hit(fact("고양이를 좋아함", "likes", on=3), keyword=0.0), hit(fact("떡볶이를 좋아함", "likes", on=5))],
    turns=talk(("오늘 면접 봤어", "어땠어요?"), ("떨렸는데 괜찮았어", "다행이에요. 주말엔 쉬어요")),
)

ENGLISH = Materials(
    query="Where should my sister and I eat this weekend?",
    scope=SCOPE,
    now=day(30).astimezone(SEOUL),
    system="You are Letia, the quietest student of the academy.",
    examples=["user: I'm bored\nletia: Shall we look at the stars?"],
    people=["- Min: friend (trust 62, affection 48)"],
    summary="Min moved to Pangyo last month and is settling into a new job. They mean to see the cherry blossoms.",
    pinned=[
        fact("is called Min", "name", on=1, pinned=True),
        fact("We will see the cherry blossoms together", "promise", on=9, pinned=True),
        fact("is allergic to peanuts", "allergy", on=4, pinned=True, importance=0.95),
    ],
    hits=[
        hit(fact("lived in Busan", "residence", on=2, invalid_at=day(12), id="past"), source="included", keyword=0.0),
        hit(fact("likes spicy rice cakes", "likes", on=5)),
        hit(said("My sister and I had hotpot yesterday and both got ill.", on=11)),
        hit(fact("cannot eat shrimp", "allergy", about="Jiwoo", on=7, importance=0.9)),
        hit(said("I like spicy food, too.", by="character", on=5)),
    ],
    known=[hit(fact("likes cats", "likes", on=3), keyword=0.0)],
    turns=talk(("I had my interview today", "How was it?"), ("Scary, but fine", "I'm glad. Rest this weekend.")),
)
