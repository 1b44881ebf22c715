"""What somebody is about to do, is bent on, or does every day, by the ending of the verb.

-(으)려고요 and -러 갑니다 are plans; -ㄹ 때까지 안 쉰다 names a goal; 자기 전에 꼭 …, 안 …면
잠이 안 와 are habits. A wish is none of them, not even for 언젠가.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.korean.briefly import brief, verb_before
from gieok.extract.korean.intentions import planned
from gieok.extract.korean.lexicon import lexicon, signals, ways
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import Part, Telling, finding
from gieok.language.morphemes import Morpheme

_INTENDING: Final = frozenset("려고 으려고 ㄹ라고 을라고 려구 으려구 ㄹ라꼬 을라꼬 려고요 으려고요".split())
_ENDS: Final = re.compile(r"(?:요|유|여)?\s*(?:[.!~]|[ㅋㅎㅠㅜ]*\s*$)")
_GOING_ON: Final = re.compile(r"\s*(?:요\s)?(?:합니다|해요|한다|함|생각\s?중|준비\s?중|준비하|알아보|모으는|돈\s?모)")
_THEN: Final = re.compile(r"[가-힣](?:면|고\s?나서|자마자)\s")
_NOT_TIL: Final = re.compile(r"\s?(?:은|는|진)?\s[^.!?]{0,16}(?:안|못|끊|없|접|참|버티|버틴)")
_RESTLESS: Final = re.compile(r"\s[^.!?]{0,8}(?:잠이|하루가|직성|찝찝|불안|허전|숟가락|손이|못\s자|못\s배)")
_DAILY: Final = re.compile(
    r"매일\s?(?:밤|아침|저녁|새벽)|(?:아침|밤|저녁|새벽)마다|자기\s?전에|일어나자마자|눈\s?뜨자마자|식후에|출근하자마자|잠들기\s?전에"
)
_REPORTED: Final = re.compile(r"[다라자냐]고\s?(?:했|하|그랬|그러|말|들었)")  #: words that were said once
_USUAL: Final = frozenset("어요 어 ㅂ니다 습니다 ㄴ다 는다 음 ㅁ 거든 거든요 지 지요 죠 는 는데".split())
_STATIC: Final = frozenset(
    "있다 없다 이다 하다 되다 보다 오다 나다 살다 같다 자다 먹다 알다 싶다 울다 웃다 힘들다 들다".split()
)
_IDLE: Final = frozenset("하기 되기 가기 오기 보기 있기 살기 자기 먹기 말하기 쉬기 나가기 들어오기".split())
_VAGUE: Final = ("척 ", "체 ", "여기 ", "거 ", "것 ", "건 ", "취미 하나")
_UNTOLD: Final = frozenset({"question", "wish", "hypothetical", "hearsay", "command", "quotation"})


def aimed(telling: Telling) -> Iterator[Finding]:
    """Yield a plan, a goal or a habit of the speaker."""
    parts = [each for part in telling.parts for each in part.clause.morphemes]
    if not parts or telling.text.lstrip().startswith("*") or telling.parts[-1].closes in ("question", "hearsay"):
        return
    end = telling.parts[-1].clause.end
    for at, part in enumerate(parts):
        if part.tag not in ("EC", "EF", "NNB"):
            continue
        found = _at(telling, parts, at, telling.text[part.end : end + 2])
        if found is not None:
            yield found
            return
    yield from _daily(telling)


def _at(telling: Telling, parts: Sequence[Morpheme], at: int, after: str) -> Finding | None:
    part = parts[at]
    if part.form in _INTENDING and part.tag in ("EC", "EF") and (_ENDS.match(after) or _GOING_ON.match(after)):
        value = _deed(telling, parts, at)
        return planned(telling, value, value) if value.endswith("기") else None
    if part.form == "때" and at and parts[at - 1].form in ("ㄹ", "을"):
        until = (
            at + 1 < len(parts) and parts[at + 1].form == "까지" and _NOT_TIL.match(telling.text[parts[at + 1].end :])
        )
        value = _deed(telling, parts, at - 1) if until else ""
        return finding("goal", value, whose=telling.me) if value else None
    if part.form in ("면", "으면") and _RESTLESS.match(after):
        value = _deed(telling, parts, at)
        denied = " 안 " in f" {value} "
        bare = " ".join(word for word in value.split() if word != "안")
        return finding("habit", bare, whose=telling.me) if denied and bare not in _IDLE else None
    return None


def _deed(telling: Telling, parts: Sequence[Morpheme], ending: int) -> str:
    verb = verb_before(parts, ending)
    if verb is None:
        return ""
    holder = next((each for each in telling.parts if each.clause.start <= parts[verb].start < each.clause.end), None)
    if holder is None or not _mine(telling, holder):
        return ""
    value = brief(telling.text, parts, verb)
    return (
        value
        if 2 < len(value.replace(" ", "")) <= 30
        and value not in _IDLE
        and " " in value
        and not value.startswith(_VAGUE)
        else ""
    )


def _mine(telling: Telling, part: Part) -> bool:
    if part.about is not None and part.about.subject != "user" and part.about.phrase is not None:
        return telling.mine(part)
    words = lexicon()
    others = words.kin | words.others | words.address
    return not any(phrase.words[-1] in others and phrase.has("이", "가", "은", "는") for phrase in part.clause.phrases)


def _daily(telling: Telling) -> Iterator[Finding]:
    """매일 밤 감사일기 써요, 자기 전에 꼭 스트레칭해요."""
    for part in telling.parts:
        said = telling.text[part.clause.start : part.clause.end]
        predicate = part.clause.predicate
        if predicate is None or predicate.form != "verb" or part.past or part.negated or part.ending not in _USUAL:
            continue
        if _REPORTED.search(said):
            continue
        if part.mood in _UNTOLD or part.clause.head or not telling.mine(part) or _DAILY.search(said) is None:
            continue
        at = next((i for i, each in enumerate(part.clause.morphemes) if each is predicate.stem[-1]), None)
        if at is None or predicate.lemma in _STATIC or part.clause.morphemes[at].tag not in ("VV", "XSV"):
            continue
        value = brief(telling.text, part.clause.morphemes, at)
        sport = any(ways().is_exercise(word) for word in value.split())
        if " " in value and not sport and value.split()[0] not in signals("todo", "nothing"):
            yield finding("habit", value, whose=telling.me)
            return
