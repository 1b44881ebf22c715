"""One's own people, spoken of by the way: 남편 코골이가, 딸내미랑, 조카 돌이, 누나 방에서.

Who has a 시어머니 or a 처남 is married, whose 여친 is called is not alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gieok.domain.claim import Claim
from gieok.domain.turn import USER
from gieok.extract.korean.gendered import having
from gieok.extract.korean.kin_named import kinship
from gieok.extract.korean.lexicon import lexicon, signals
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import Part, Telling, finding
from gieok.extract.korean.whose import PERSONS
from gieok.language.clauses import Phrase

_OURS: Final = frozenset({None, "나", "저", "우리", "저희", "내", "제", "울"})
_UNTOLD: Final = frozenset({"question", "wish", "command", "quotation"})
_UNREAL: Final = re.compile(
    r"드라마|영화|소설|다큐|로판|심즈|방탈출|설정:|청첩장|웹툰|만화|예능|막장|주인공|배우|아이돌|가수|콘서트|앨범|덕질|최애|뉴스|사연|^\s*\*|전생|만약|콩트|연극|성대모사|이?라면\s[^.]{0,6}(?:거지|거야)|상상|꿈에서|연기하|배역|역할|게임에서"
)
_TURNED: Final = frozenset(
    "없다 아니다 같다 되다 생기다 부르다 닮다 싶다 구하다 찾다 만들다 삼다 이다 낳다 바라다".split()
)
_AS_THEM: Final = frozenset("처럼 같이 보다 이나 나 든 이든 아 야 로 으로 로서 이라고 라고 인 들".split())
_MOST: Final = 3


def kinsfolk(telling: Telling) -> Iterator[Finding]:
    """Yield the relatives that the speaker names as their own, and what they make of the speaker."""
    if telling.me.subject != "user" or _UNREAL.search(telling.text) or _only_theirs(telling):
        return
    if any(part.mood in _UNTOLD and (part.clause.final or part.clause.head) for part in telling.parts[:1]):
        return
    named = _named(telling)
    for relation in named[:_MOST]:
        if relation not in signals("own_kin", "loved"):
            yield finding("family", relation, whose=telling.me)
    if any(relation in signals("own_kin", "by_marriage") for relation in named):
        yield finding("relationship_status", "기혼", whose=telling.me)
    elif any(relation in signals("own_kin", "loved") for relation in named) and not _parted(telling):
        yield finding("relationship_status", "연애중", whose=telling.me)


def _parted(telling: Telling) -> bool:
    """남친이랑 헤어진 지 한 달; not 여친이 헤어지자고, 안 헤어졌어."""
    parted = (part for part in telling.parts if part.says(*signals("love", "partings")) and not part.negated)
    return any(part.past or part.ending in ("ㄴ", "은") for part in parted)


def told_by_kin(claims: Sequence[Claim]) -> Iterator[Finding]:
    """Yield the gender that the speaker's own people tell where nothing else does: 누나 셋 있어 is a man's word."""
    if any(each.attribute == "gender" and each.subject == USER for each in claims):
        return
    family = (each for each in claims if each.attribute == "family" and each.subject == USER)
    kin = (word for each in family if each.polarity == "+" for word in (each.value or "").split())
    told = {gender for word in kin if (gender := having(word)) is not None}
    if len(told) == 1:
        yield finding("gender", told.pop())


def _named(telling: Telling) -> list[str]:
    named: list[str] = []
    for place, part in enumerate(telling.parts):
        if part.mood in _UNTOLD or part.closes == "wish":
            continue
        for at, phrase in enumerate(part.clause.phrases):
            relation = _relation(telling, place, part, at, phrase)
            if relation is not None and relation not in named:
                named.append(relation)
    return named


def _only_theirs(telling: Telling) -> bool:
    """언니는 다혈질이야: what is told of somebody and of nothing else is theirs alone."""
    about = {part.about.subject for part in telling.parts if part.about is not None}
    stated = sum(part.clause.head is None for part in telling.parts)
    return about == {"other"} and stated == 1


def _relation(telling: Telling, place: int, part: Part, at: int, phrase: Phrase) -> str | None:
    known = signals("own_kin", "kin") | signals("own_kin", "elder") | signals("own_kin", "loved")
    where, relation = next(
        ((i, kin) for i, word in enumerate(phrase.words) if (kin := word if word in known else kinship(word)) in known),
        (0, None),
    )
    if relation is None or phrase.pointed or phrase.owner not in _OURS or phrase.has(*_AS_THEM):
        return None
    if not set(phrase.words[:where]) <= signals("own_kin", "before"):
        return None
    following = phrase.words[where + 1 : where + 2]
    if following and following[0] in signals("own_kin", "not_them"):
        return None
    if _quoted(telling.text, phrase.morphemes[0].start) or not _own(telling, place, part, at, phrase):
        return None
    if _is_said_to_be(part, phrase, where) or (
        relation in signals("own_kin", "elder") and not _elder(part, phrase, where)
    ):
        return None
    side = [word for word in phrase.words[:where] if word in signals("own_kin", "side")]
    return " ".join((*side, relation))


def _is_said_to_be(part: Part, phrase: Phrase, where: int) -> bool:
    """나는 할머니야, 오빠 같은: what somebody is, not who is there; nor one there is none of."""
    last = phrase is part.clause.phrases[-1] and where == len(phrase.words) - 1
    if part.clause.predicate is None:
        return last and not phrase.particles
    if part.says("이다", "되다") and last and not phrase.particles:
        return True
    subject = not phrase.particles or phrase.has("이", "가", "은", "는", "도", "을", "를", "만")
    if part.says("있다") and part.mood == "hypothetical":
        return True
    return last and subject and part.says(*_TURNED)


def _elder(part: Part, phrase: Phrase, where: int) -> bool:
    """언니가, 형한테, 누나 방에서: 오빠 as one calls a friend or a listener has nothing of it."""
    if phrase.adnominal or part.closes in ("question", "command"):
        return False
    if phrase.owner in ("우리", "저희", "울") or where:
        return True
    thing = phrase.words[where + 1 : where + 2]
    return bool(phrase.particles) if not thing else thing[0] in signals("own_kin", "theirs")


def _own(telling: Telling, place: int, part: Part, at: int, phrase: Phrase) -> bool:
    """Whether nobody else's people are meant: not 친구 아들, 걔 동생, 팀장님은 딸이, 아는 동생."""
    if phrase.owner in _OURS - {None}:
        return True
    if _raised_by_others(telling, place, part):
        return False
    before = part.clause.phrases[at - 1] if at else None
    if before is not None and not before.particles and _is_somebody(before):
        return False
    if before is not None and before.has("의", "네") and before.pronoun is None:
        return False
    earlier = (
        *(p for each in telling.parts[max(0, place - 2) : place] for p in each.clause.phrases),
        *part.clause.phrases[:at],
    )
    if any(
        _is_somebody(other) and other.has("은", "는", "이", "가", "네", "께서") and not _is_kin(other)
        for other in earlier
    ):
        return False
    if phrase.adnominal:
        return phrase.modifier not in signals("own_kin", "acquainted") and phrase.words[0] not in (
            "동생",
            "이모",
            "삼촌",
        )
    return True


def _raised_by_others(telling: Telling, place: int, part: Part) -> bool:
    """딸 키우는 엄마들 부럽다: whoever they are; but 딸 키우는 엄마예요."""
    head = part.clause.head
    if head is None or head not in lexicon().kin | lexicon().others | PERSONS:
        return False
    main = telling.next(place)
    return main is None or not (main.says("이다") and main.clause.phrases and not main.clause.phrases[-1].particles)


def _is_kin(phrase: Phrase) -> bool:
    known = signals("own_kin", "kin") | signals("own_kin", "elder") | signals("own_kin", "parents")
    return phrase.words[0] in known or kinship(phrase.words[0]) is not None


def _is_somebody(phrase: Phrase) -> bool:
    if phrase.pronoun is not None:
        return phrase.pronoun in ("너", "네", "니", "걔", "쟤", "얘", "당신", "그녀", "그")
    words, last = lexicon(), phrase.words[-1]
    known = last in words.kin | words.others | words.address | PERSONS or last.endswith(("님", "쌤", "씨"))
    return known or (phrase.morphemes[-1].tag == "NNP" and len(last) in (2, 3) and last not in words.cities)


def _quoted(text: str, at: int) -> bool:
    return any(text.count(mark, 0, at) % 2 for mark in "\"'") or text.count("“", 0, at) > text.count("”", 0, at)
