"""Love and marriage as they come up: 시댁 챙기느라 바빠, 나 이혼해서 좀 예민해, 썸 타는 중, 내 애인이랑 200일이야."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.farewells import verbs_of
from gieok.extract.korean.gendered import having
from gieok.extract.korean.lexicon import signals
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import Part, Telling, finding
from gieok.extract.korean.turns_of_love import FIRST_DAY, became_mine, turned
from gieok.language.clauses import Phrase

_SELF: Final = ("나", "저")
_PERSONS: Final = frozenset("사람 친구 언니 오빠 누나 형 동생 선배 후배 여자 남자 애 커플 부부 연예인 배우".split())
_CALLED: Final = {
    "유부녀": "기혼", "유부남": "기혼", "유부": "기혼", "품절녀": "기혼", "품절남": "기혼", "돌싱": "이혼",
    "솔로": "솔로", "싱글": "솔로", "모솔": "솔로", "모태솔로": "솔로", "미혼": "솔로",
}  # fmt: skip
_SINCE: Final = frozenset({"지", "후", "뒤", "상태", "거", "몸", "입장", "처지", "이후", "다음", "게", "것"})
_PARTNERS: Final = ("애인", "여친", "남친", "여자친구", "남자친구", "사귀는 사람", "만나는 사람", "연애")


def bound(telling: Telling) -> Iterator[Finding]:
    """Read how things stand with the speaker in love."""
    if any(word in signals("love", "not_real") for part in telling.parts for word in part.all_words):
        return
    for place, part in enumerate(telling.parts):
        status = "연애중" if became_mine(part) else turned(telling, place, part)
        if status is not None:
            yield finding("relationship_status", status, whose=telling.me)
            yield from _told_by_partner(telling, part)
            return
    for place, part in enumerate(telling.parts):
        if not _credible(part):
            continue
        status = _event(telling, place, part) or _partner(part) or _idiom(telling, place, part)
        if status is not None:
            yield finding("relationship_status", status, whose=telling.me)
            yield from _told_by_partner(telling, part)
            return


def _told_by_partner(telling: Telling, part: Part) -> Iterator[Finding]:
    """우리 남편은 요리를 잘해, 처가가 광주라: whoever has a husband is a woman."""
    known = signals("love", "married") | signals("love", "divorced")
    for at, phrase in enumerate(part.clause.phrases):
        as_one = phrase.words[1:2] == ("노릇",)  # 남편 노릇 is a man's
        own = phrase.words[0] in known and _own(part, at, phrase) and not as_one
        gender = having(phrase.words[0]) if own else None
        if gender is not None and not phrase.pointed and _partner(part) is not None:
            yield finding("gender", gender, whose=telling.me)
            return


def _credible(part: Part) -> bool:
    if part.about is None or part.closes in ("wish", "hypothetical", "hearsay"):
        return False
    until = part.clause.head in ("때", "동안") and part.mood == "hypothetical"  # 남편이 올 때까지
    if part.mood in ("hypothetical", "question", "wish", "hearsay") and not until:
        return False
    others = part.about.subject == "other" and not _is_partner(part.about.subject_id)
    return not others and (part.closes in ("statement", "fragment") or not part.clause.final)


def _is_partner(word: str) -> bool:
    return word in signals("love", "married") | signals("love", "dating") | signals("love", "divorced")


def _event(telling: Telling, place: int, part: Part) -> str | None:
    """내가 결혼해서 …; 저처럼 헤어진 사람; 부모님께도 헤어졌다고 말씀드렸어요; 연애하고 있는 거 맞아."""
    status = _status_of(part)
    if status is None or part.negated or any(p.has("랑", "이랑", "과", "와", "하고") for p in part.clause.phrases):
        return None
    if any(p.has("이", "가") and p.pronoun not in _SELF for p in part.clause.phrases):
        return None
    own = any(phrase.pronoun in _SELF for phrase in part.clause.phrases)
    head = part.clause.head
    if part.ending == "게" and part.says("이혼하다", "파혼하다", "헤어지다", "결혼하다", "재혼하다"):
        following = telling.next(place)
        return status if following is not None and following.says("되다") and following.past else None
    if head is not None:
        held = part.ending in ("ㄴ", "은", "는") and head in _SINCE
        me = own or telling.names_me(place)
        return status if held or (head in ("사람", "인간", "1인", "놈", "년") and me) else None
    if part.ending.endswith(("다고", "라고")):
        told = telling.next(place)
        return status if told is not None and told.says("말씀드리다", "말하다", "알리다", "드리다") else None
    if part.ending not in signals("love", "lasting") or (part.clause.final and part.ending not in ("고", "어서")):
        return None
    later = telling.parts[place + 1 : place + 3]
    theirs = any(each.clause.head in _PERSONS for each in later)
    over = part.ending == "어서" or (part.ending in ("고", "고서") and status != "연애중")
    return status if (own or part.past or over) and not theirs else None


def _status_of(part: Part) -> str | None:
    if part.says(*signals("love", "weddings")):
        return "기혼"
    if part.says(*signals("love", "divorces")):
        return "이혼"
    if part.says(*signals("love", "partings"), "파혼하다"):
        return "이별"
    if part.says("약혼하다"):
        return "약혼"
    dating = part.says("연애하다", "열애하다") and not part.past and "있다" in _helpers(part)
    return "연애중" if dating else None


def _helpers(part: Part) -> frozenset[str]:
    return part.clause.predicate.auxiliaries if part.clause.predicate is not None else frozenset()


def _partner(part: Part) -> str | None:
    """시댁 챙기느라, 우리 남편이 또, 내 애인이랑 200일, 전처한테 양육비."""
    parted = part.says(*signals("love", "partings"), *signals("love", "divorces"))
    if (
        part.says("없다", "아니다", "싶다", "구하다", "찾다", "소개받다", "생기다", "지우다", "차단하다", "정리하다")
        or part.closes == "question"
    ):
        return None
    if part.clause.head in _PERSONS or part.ending in ("든", "이든"):
        return None
    for at, phrase in enumerate(part.clause.phrases):
        word = phrase.words[0]
        if phrase.pointed or not _own(part, at, phrase):
            continue
        if parted and word in signals("love", "married") | signals("love", "dating"):
            since = part.ending in ("ㄴ", "은") and part.clause.head in _SINCE  # 남친이랑 헤어진 지
            over = (part.past or since) and not part.negated and not phrase.has("이", "가", "은", "는")
            return ("이혼" if part.says("이혼하다") else "이별") if over else None
        if word in signals("love", "divorced"):
            return "이혼"
        if word in signals("love", "married") and not part.negated:
            return "기혼"
        if word in signals("love", "dating") and not part.negated and not (part.past and part.says("있다", "이다")):
            return "연애중"
    return None


def _own(part: Part, at: int, phrase: Phrase) -> bool:
    """Whether the partner is the speaker's: not 친구 남편, 걔 남친; nor 남편감, 남편 역."""
    before = part.clause.phrases[at - 1] if at else None
    if phrase.has("이든", "든", "이나", "나", "처럼", "보다", "같은"):
        return False
    if phrase.owner not in (None, "나", "우리") or phrase.words[1:2] in (("역",), ("있",), ("복",)):
        return False
    if before is None or before.particles:
        return True
    today = before.pronoun is None and before.text in ("오늘", "어제", "요즘")
    return today or before.pronoun in (*_SELF, "우리", "저희")


def _idiom(telling: Telling, place: int, part: Part) -> str | None:
    """옆구리 시리다, 데이트할 사람이 없다, 썸 타는 중, 결혼 3년차."""
    words = part.all_words
    if FIRST_DAY.search(telling.text):
        return "연애중"
    named = _called(part)
    if named is not None and telling.names_me(place - 1):
        return named
    before = telling.parts[place - 1] if place else None
    if "옆구리" in words and part.says("시리다"):
        return "솔로"
    if "남남" in words and part.says("이다", "되다") and not part.negated:
        return "이별"
    if part.negated and not part.past and "연애하다" in verbs_of(part.clause):
        plain = part.clause.head is None and part.ending in ("고", "어", "어요", "ㅂ니다", "습니다", "ㄴ다")
        return "솔로" if part.clause.head == "지" or (plain and "못" not in part.clause.adverbs) else None
    alone = next((p for p in part.clause.phrases if p.words[-1] in ("솔로", "싱글", "모솔", "미혼")), None)
    if alone is not None and alone.has("로", "으로") and part.says("남다", "살다", "지내다") and not part.negated:
        return "솔로"
    if part.says("탈출하다") and part.past and {"솔로", "모솔", "모쏠", "모태솔로"} & words:
        return "연애중"
    if "썸" in words and part.says("타다", "이다", "있다") and not part.negated and not part.past:
        return "썸"
    if (
        before is not None
        and before.clause.head in ("사람", "분", "남자", "여자")
        and before.says("데이트하다", "사귀다", "만나다", "연애하다")
        and before.ending in ("는", "ㄹ")
        and not {"오늘", "내일", "이따", "방금"} & before.all_words  # 오늘 만나는 분 있어
    ):
        somebody = before.clause.head in words
        there = (part.says("있다") and not part.past) or (part.says("생기다") and part.past)
        return "솔로" if part.says("없다") and somebody else "연애중" if there and somebody else None
    return _year(part) if not part.negated else None


def _called(part: Part) -> str | None:
    """유부녀인 저한테, 돌싱인 내가."""
    copula = part.says("이다") and part.ending == "ㄴ" and part.clause.head is not None and part.clause.phrases
    word = part.clause.phrases[-1].words[-1] if copula else ""
    return _CALLED.get(word)


def _year(part: Part) -> str | None:
    """결혼 3년차, 솔로 부대, 약혼자가 있어요."""
    for phrase in part.clause.phrases:
        year = any(word.endswith(("년차", "년째", "주년")) for word in (*phrase.words, "".join(phrase.words[1:3])))
        if phrase.words[0] in ("결혼", "신혼") and year:
            return "기혼"
        if phrase.words[0] in ("솔로", "모솔", "싱글") and (year or "부대" in phrase.words):
            return "솔로"
        if phrase.words[0] in signals("love", "engaged") and part.says("있다", "이다"):
            return "약혼"
    return None


def attached(question: str, *, denied: bool) -> Finding | None:
    """애인 있어? – 아뇨: what a yes or a no says of love."""
    if not any(partner in question for partner in _PARTNERS) or "있" not in question:
        return None
    return finding("relationship_status", "솔로" if denied else "연애중")
