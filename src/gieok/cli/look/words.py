"""The words around the memories, in the language that the settings name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from gieok.domain.scope import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Everything a table or a line says by itself, in one language."""

    user: str
    character: str
    world: str
    remember: str
    supersede: str
    reinforce: str
    retract: str
    ignore: str
    correct: str
    rewind: str
    again: str  #: {n}: how often it was said by now
    memory: str
    score: str
    parts: Mapping[str, str]  #: headings of a score's parts
    weight: str
    averaged: str  #: {parts}: those of which only the ones that found a hit count
    sources: Mapping[str, str]  #: who found a hit; {n}: its place there
    said: str  #: an utterance among memories
    reasons: Mapping[str, str]  #: why a claim is ignored, and why words make no claim
    id: str
    about: str
    attribute: str
    true_from: str
    true_until: str
    known_since: str
    still: str
    pinned: str
    nothing: str
    blocks: Mapping[str, str]
    tokens: str
    over: str  #: {n}: tokens of a question that is longer than {budget}
    personal: str  #: {kinds}: of personal data that were found
    ask: str  #: {how}: what to say for them to be kept
    date: str  #: {at}: a moment; a day without its year

    def named(self, who: str, scope: Scope) -> str:
        """Return whom a speaker or subject id means."""
        if who == "user":
            return scope.user or self.user
        if who in ("character", scope.character):
            return scope.character or self.character
        return self.world if who == "world" else who


WORDS: Final[Mapping[str, Words]] = {
    "ko": Words(
        user="상대",
        character="캐릭터",
        world="세계",
        remember="기억",
        supersede="바뀜",
        reinforce="다시",
        retract="철회",
        ignore="건너뜀",
        correct="고침",
        rewind="되감기",
        again="{n}번째",
        memory="기억",
        score="점수",
        parts={
            "recency": "최근",
            "importance": "중요",
            "relevance": "뜻",
            "keyword": "낱말",
            "strength": "강도",
            "graph": "연결",
        },
        weight="가중치",
        averaged="{parts}: 그 기억을 찾은 방법들의 점수만 평균",
        sources={
            "dense": "뜻{n}",
            "keyword": "낱말{n}",
            "topic": "주제{n}",
            "speaker": "화자{n}",
            "person": "인물{n}",
            "period": "시기{n}",
            "value": "값{n}",
            "included": "지정",
            "rerank": "모델{n}",
        },
        said="말",
        reasons={
            "below_threshold": "중요하지 않음",
            "predictable": "이미 아는 것과 비슷함",
            "nothing_to_retract": "철회할 것이 없음",
            "nothing_to_end": "끝낼 것이 없음",
            "less_certain": "기억하는 내용이 더 확실함",
            "knows_better": "본인이 다르게 말함",
            "ungrounded": "하지 않은 말",
            "not_told": "사실로 한 말이 아님",
            "unknown_attribute": "모르는 항목",
            "unsure": "확실하지 않음",
            "trifling": "사소한 내용",
            "rules_read_it": "이미 알아들은 말",
            "question": "질문",
            "wish": "바람",
            "hypothetical": "가정",
            "command": "부탁",
            "hearsay": "전해 들은 말",
            "statement": "잡담",
            "unread": "아직 읽지 못함",
        },
        id="ID",
        about="대상",
        attribute="속성",
        true_from="부터",
        true_until="까지",
        known_since="알게 된 날",
        still="지금",
        pinned="항상 문맥에 들어감",
        nothing="기억하는 내용이 없어요.",
        blocks={
            "system": "시스템",
            "examples": "예시",
            "preface": "머리말",
            "pinned": "항상 기억할 것",
            "people": "사람과 관계",
            "memories": "떠오르는 기억",
            "summary": "지금까지의 이야기",
            "talk": "최근 대화",
            "message": "새 메시지",
        },
        tokens="토큰",
        over="질문만 {n:,}토큰이라 예산 {budget:,}토큰을 넘어요. 기억은 담지 못했어요.",
        personal="개인 정보: {kinds}",
        ask="상대가 동의할 때까지 가려 둠: gieok edit TURN_ID --text … {how}",
        date="{at.month}월 {at.day}일",
    ),
    "en": Words(
        user="user",
        character="character",
        world="world",
        remember="new",
        supersede="changed",
        reinforce="again",
        retract="retracted",
        ignore="ignored",
        correct="corrected",
        rewind="rewound",
        again="×{n}",
        memory="memory",
        score="score",
        parts={
            "recency": "recent",
            "importance": "import",
            "relevance": "sense",
            "keyword": "words",
            "strength": "firm",
            "graph": "linked",
        },
        weight="weight",
        averaged="{parts}: the mean of those that found it",
        sources={
            "dense": "sense#{n}",
            "keyword": "words#{n}",
            "topic": "topic#{n}",
            "speaker": "speaker#{n}",
            "person": "person#{n}",
            "period": "period#{n}",
            "value": "value#{n}",
            "included": "asked for",
            "rerank": "model#{n}",
        },
        said="said",
        reasons={
            "below_threshold": "not important enough",
            "predictable": "close to what is known",
            "nothing_to_retract": "nothing to retract",
            "nothing_to_end": "nothing to end",
            "less_certain": "known better",
            "knows_better": "they said otherwise",
            "ungrounded": "nobody said so",
            "not_told": "not said as a fact",
            "unknown_attribute": "nothing known by that name",
            "unsure": "not sure enough",
            "trifling": "too slight",
            "rules_read_it": "understood already",
            "question": "a question",
            "wish": "a wish",
            "hypothetical": "a hypothesis",
            "command": "a request",
            "hearsay": "hearsay",
            "statement": "small talk",
            "unread": "not read yet",
        },
        id="id",
        about="about",
        attribute="attribute",
        true_from="from",
        true_until="until",
        known_since="known since",
        still="now",
        pinned="in every context",
        nothing="Nothing is known.",
        blocks={
            "system": "system",
            "examples": "examples",
            "preface": "preface",
            "pinned": "always",
            "people": "people",
            "memories": "memories",
            "summary": "summary",
            "talk": "recent talk",
            "message": "message",
        },
        tokens="tokens",
        over="The question alone takes {n:,} tokens, over the budget of {budget:,}; no memory fits.",
        personal="personal data: {kinds}",
        ask="masked until the user agrees: gieok edit TURN_ID --text … {how}",
        date="{at:%b} {at.day}",
    ),
}
