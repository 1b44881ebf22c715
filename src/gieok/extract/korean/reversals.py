"""Tastes that turned: 고수 싫어했는데 이젠 없어서 못 먹어; 그렇게 좋아하던 굴인데 이제 질색이야."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import Part, Telling, ended, finding
from gieok.language.clauses import Phrase

_HATED: Final = frozenset("싫어하다 싫다 혐오하다 질색하다 꺼리다 무서워하다".split())
_HATED_NOUNS: Final = frozenset("극혐 질색 불호".split())
_LOVED: Final = frozenset("좋아하다 좋다 환장하다 사랑하다 즐기다 애정하다".split())
_BUT: Final = frozenset("는데 ㄴ데 은데 지만 다가 었는데 더니".split())
#: said of what was hated or could not be eaten, without naming it again
_LOVES_NOW: Final = re.compile(
    r"없어서\s?못\s?먹|없으면\s?(?:못|안)|빠졌|빠져\s?(?:있|살)|(?<!안\s)(?:좋아졌|좋아져|좋아해|좋아함|좋더라)|잘만?\s?먹|찾아\s?(?:먹|다)|환장|최애|중독|맛있[어더음]|매일\s?먹|듬뿍"
)
_HATES_NOW: Final = re.compile(
    r"질색|질[렸려]|물[렸려](?!서\s?받)|싫어졌|싫어(?=[\s.!ㅠㅋ]|$|요|짐|함)|극혐|꼴도\s?보기|쳐다도\s?안|쳐다보기도|입에도\s?(?:못|안)\s?대|냄새도\s?못|토\s?나|손이\s?안\s?가"
)
_NOW: Final = re.compile(r"이제|이젠|인제|요즘|요새|요샌|지금|나니|뒤로|부턴|부터는")
_NO_THINGS: Final = frozenset("거 것 게 때 전 예전 옛날 원래 시절 입 밥 아침 점심 저녁 아점 야식 식사".split())
_NOT_NOW: Final = re.compile(r"(?:안|못|지\s?않|아니)\s?(?:좋|빠|싫|질)|[?]\s*$|겠|(?:으면|다면)\s?좋")


def reversed_taste(telling: Telling) -> Iterator[Finding]:
    """Read what was disliked and is liked now, or the other way round."""
    for place, part in enumerate(telling.parts):
        if not telling.mine(part) or part.closes not in ("statement", "fragment"):
            continue
        was = _was(part)
        thing = _thing(telling, place, part) if was is not None else None
        if thing is None:
            continue
        since = telling.text[part.clause.end :]
        turned = (_LOVES_NOW if was == "dislikes" else _HATES_NOW).search(since)
        if turned is None or _NOT_NOW.search(since) or (part.says("먹다", "마시다") and not _NOW.search(since)):
            continue
        now = "likes" if was == "dislikes" else "dislikes"
        yield finding(now, thing, whose=telling.me)
        yield ended(finding(was or "", thing, whose=telling.me))
        return


def _was(part: Part) -> str | None:
    """Return how a thing was once taken."""
    predicate = part.clause.predicate
    if predicate is None:
        return None
    before = part.ending in _BUT and predicate.past
    described = part.ending in ("던", "었던") and part.clause.head is not None
    if not (before or described):
        return None
    noun = part.clause.phrases[-1].words[-1] if predicate.form == "copula" and part.clause.phrases else ""
    eaten = part.says("먹다", "마시다") and part.negated
    if (part.says(*_HATED) and not part.negated) or noun in _HATED_NOUNS or eaten:
        return "dislikes"
    if part.says(*_LOVED):
        return "dislikes" if part.negated else "likes"
    return None


def _thing(telling: Telling, place: int, part: Part) -> str | None:
    """Return what is spoken of: the object, or what the clause describes."""
    if part.clause.head is not None:
        following = telling.next(place)
        described = next((p for p in following.clause.phrases if p.adnominal), None) if following is not None else None
        return telling.said(described) if described is not None and _is_thing(described) else None
    for phrase in reversed(part.clause.phrases):
        if phrase.words[-1] in _HATED_NOUNS and len(phrase.words) > 1:
            return " ".join(phrase.words[:-1])  # 오이 극혐이었는데
        if _is_thing(phrase) and phrase.words[-1] not in _HATED_NOUNS:
            return telling.said(phrase)
    return None


def _is_thing(phrase: Phrase) -> bool:
    named = phrase.pronoun is None and not phrase.pointed and not phrase.has("에", "에서", "부터", "까지", "로", "보다")
    return named and phrase.words[-1] not in _NO_THINGS
