"""What was read, looked at once more: whether the utterance says it as so, now, and in earnest.

The rules look at a clause, or at the words around a value. What takes a fact back (A형이라 한 거 착각이었어), puts it
into another time (어릴 땐 …, 지금은; 내일부터 …) or leaves it to somebody else's mouth stands elsewhere in the
utterance, and is the same for every rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from gieok.domain.attributes import attribute
from gieok.domain.claim import Claim
from gieok.domain.turn import USER
from gieok.extract.korean.lexicon import lexicon, signals
from gieok.extract.korean.tidying import can_be

_SENTENCE_END: Final = ".!?\n…"
#: 에이형이라 한 거, 면허 땄다고 자랑한 거, 비건 한다던 거, 고향 목포라 그랬제, 8월 4일이라 했는데
_SAID_ONCE: Final = re.compile(
    r"(?:[라다]고?\s?(?:말\s?)?(?:[한했]던?|그랬던|그런|하던|자랑한|말한|말했던|적은|썼던|우긴)\s?(?:거|건|것|게|말|적)"
    r"|[라다](?:던|더니)\s?(?:거|건|것|게|그)"
    r"|[라다]고?\s?(?:했|그랬|말했|저장돼\s?있|저장되어\s?있|알려\s?줬)(?:는데|잖|지만|지(?=[\s?,])|제(?=[\s?,])|죠|었))"
)
#: …라고 한 거 기억나?: it stands
_STILL_SO: Final = re.compile(r"\S{0,3}\s?(?:기억|알지|알죠|까먹|잊|안\s?까먹|진짜|맞아|맞지)")
_PUT_RIGHT: Final = re.compile(
    r"사실|실은|취소|뻥|구라|거짓|농담|허세|지어|헷갈|착각|반올림|오해|틀[렸린]|정정|아니|아님|아냐|이젠|이제|요즘|요샌|지금|알고\s?보니|잘못"
    r"|무너|포기|그만|관뒀|때려|실패|실수|줄인\s?거|필기만|상상|음력|올려|양보|바꾸|바꿨|바뀌|하자|정확히는|다시"
)
#: states that one can grow out of
_PASSING: Final = frozenset(
    "allergy phobia medication likes dislikes mbti phone friend diet part_time_job exercise hobby habit pet job "
    "nickname residence workplace religion relationship_status contraindication boundary skill trait".split()
)
_LONG_AGO: Final = re.compile(
    r"(?:어릴|어렸을|고딩|중딩|초딩|대딩|학창\s?시절|유치원|초등학교|중학교|고등학교|대학(?:교|생)?|대학원|학생|신입|군대|왕년|처녀|총각|젊었을|젊을"
    r"|[가-힣\d]{1,5}\s?살)\s?(?:때|적|시절)(?!부터)(?:에|는|엔|에는|쯤)?|(?:어릴|어렸을|[고중초대]딩|학교|젊을)\s?땐|옛날(?:에|엔)?|예전(?:에|엔)?|한때|왕년에|과거에"
)
_NOW: Final = re.compile(r"(?:지금은|요즘은?|이제는?|이젠|이제야|요샌|요새는?|현재는?|지금|[데고]\s이미)(?=\s)")
_OVER: Final = re.compile(
    r"었었|았었|했었|였었|던\s?(?:건|거|게|시절|때)|때려[치쳤침]|해봐서|언제\s?적|그\s?번호|[았었했]지(?=\s|$|\.)"
)
_WAS: Final = re.compile(r"(?:이)?(?:었|였)(?:는데|다가|지만)\s")
_ONCE: Final = re.compile(
    r"(?:이?랑|하고|와|과|이?를?)?\s(?:\S{1,4}\s)?(?:친했었|사귀었었|다녔었|살았었|좋아했었|싫어했었|키웠었)"
)
#: what one will only do or be
_STATES: Final = frozenset(
    "exercise diet hobby residence workplace school major job part_time_job relationship_status medication habit "
    "religion pet skill".split()
)
_AHEAD: Final = re.compile(
    r"(?<![가-힣])(?:내일|낼|모레|내년|내후년|다음\s?(?:주|달|학기|해|생)|담\s?(?:주|달)|방학(?:하면|\s?때)|수능\s?끝나면|[월화수목금토일]요일에)"
    r"(?:부터|부턴|에|엔|에는|은|이면|쯤|까지)?(?=\s)"
)
_PAST: Final = "".join(chr(code) for code in range(ord("가") + 20, ord("힣") + 1, 28) if chr(code) not in "있겠")
_DONE_BY_NOW: Final = re.compile(rf"[{_PAST}]|중(?:이|임|인)|고\s?있|인데|이라|지만")
#: how it is just now
_FOR_NOW: Final = re.compile(
    r"오늘따라|지금\s?이\s?순간|(?:오늘|지금)(?:은|만큼은|만은)?\s(?:밤|하루|저녁)|잠깐만|잠시만|이따가?\s"
)
_MOODS: Final = frozenset("likes dislikes phobia boundary trait".split())
#: …인가 싶어, …인 척: guessed, feigned or granted
_GUESSED: Final = re.compile(
    r"\s?(?:(?:이|인)?(?:란|라는)\s설정|인가(?=\s|봐|보|$|ㅋ)|인\s?척|(?:트라우마\s)?생길\s?(?:듯|뻔)|천재인가|처방전(?!\s?(?:맡|받|들|내|가지|떼|타))"
    r"|\S{0,2}\s?고향이나\s?마찬가지|이나\s?마찬가지|\S{0,8}게\s생겼다|라고?\s?할까|(?:이)?나\s(?:해|가|돼|살아)\s?볼까"
    r"|(?:\S{1,5}\s)?\S{0,3}(?:해볼까|할까|갈까|볼까|을까)|여권[은을도]?\s?반납|이면\s[^.]{0,8}나이"
    r"|(?:공포증|알레르기|알러지)?(?:이|가)?\s?있(?:으면|는\s(?:주인공|(?:사람|분|환자)(?:들|은|는|이\s|가|한테))))"
)
#: 여름이가 제일 좋아하는 간식: somebody of that name
_A_NAME: Final = re.compile(r"이(?:가|는|도|네|랑|한테)\s")
_MAY_BE_NAMES: Final = frozenset("favorite.season favorite.color likes".split())
_WISHES: Final = frozenset("plan goal dream todo promise event".split())
_JUST_NOW: Final = re.compile(r"어제|오늘|방금|아까")
_INFECTION: Final = re.compile(r"형?\s?(?:간염|독감|헤모)")
_WOULD_BE: Final = re.compile(
    r"텐데|더라면|(?<!없)[었았했였]으면\s(?!좋겠|해|하|한|바)|(?:내가|제가|나도)\s\S{1,6}(?:이)?면\s[^.]{1,20}(?:텐|겠|을\s?거)"
)
_LOOKED_UP: Final = re.compile(r"검색(?:하|했|해)\S{0,4}\s|구글|사주|점쟁이|점집|타로|궁합|운세|꿈해몽")
_FORETOLD: Final = frozenset("medical_condition relationship_status job plan family milestone event residence".split())
#: …지 마세요 라고 형수가 경고함, … 안 된다고 약사가 앞 손님한테
_THEIR_WORDS: Final = re.compile(
    r"[^.!?\n]{0,16}(?:라고|다고|라며|다며|냐고|자고|래|대)\s(?:[가-힣]{1,6}\s)?(?!내가|제가|나는|저는)[가-힣]{1,8}(?:이|가|은|는|께서)\s(?:[^.!?\n]{0,12}\s)?"
    r"(?:경고|설명|말|그러|혼잣|난리|자랑|하소연|떠들|소리|부탁|설교|충고)"
)
_QUOTABLE: Final = frozenset(
    "boundary medical_condition contraindication medication allergy todo plan promise goal".split()
)
_EVERYBODY: Final = re.compile(r"(?<![가-힣])(?:다|다들|전부|죄다|온통)\s$")
_SAID_TO_BE: Final = re.compile(r"(?:이)?래(?:요)?(?=\s|$)")
_HEARD_TELL: Final = re.compile(r"소문|카더라|찌라시")
_DOUBTFUL: Final = frozenset("plan milestone event relationship_status todo goal dream family job".split())


def sifted(text: str, claims: Sequence[Claim], at: datetime) -> Iterator[Claim]:
    """Yield of `claims` what `text` leaves standing; what it takes back is yielded as taken back."""
    for claim in claims:
        if claim.subject_id in signals("people", "strangers") or not can_be(claim):
            continue
        told = claim.polarity == "+" and claim.act in _TELLING and claim.invalid_at is None
        if claim.subject != USER or claim.attribute is None or not told:
            yield claim
            continue
        place = _place(text, claim)
        kept = _looked_at(text, claim, claims, place, at) if place is not None else _unless_foretold(text, claim)
        if kept is not None:
            yield kept


_TELLING: Final = frozenset({"assert", "correct"})


def _place(text: str, claim: Claim) -> tuple[int, int] | None:
    for said in (claim.surface, claim.value):
        start = text.find(said) if said else -1
        if said and start >= 0:
            return start, start + len(said)
    value = claim.value or ""
    for size in range(len(value) - 1, 1, -1):  # 뻔뻔함 of 뻔뻔한 성격
        start = text.find(value[:size])
        if start >= 0:
            return start, start + size
    return None


def _looked_at(text: str, claim: Claim, claims: Sequence[Claim], place: tuple[int, int], at: datetime) -> Claim | None:
    if _taken_back(text, claim, claims, place[1]):
        return replace(claim, act="retract")
    if not _meant(text, claim, place):
        return None
    turned = any(other.value == claim.value and other.polarity == "-" for other in claims)  # 싫어했는데 지금은 잘 먹어
    return replace(claim, invalid_at=at) if not turned and _long_over(text, claim, place) else claim


def _sentence(text: str, place: tuple[int, int]) -> tuple[int, int]:
    start = max(text.rfind(end, 0, place[0]) for end in _SENTENCE_END) + 1
    ends = [found for end in _SENTENCE_END if (found := text.find(end, place[1])) >= 0]
    return start, min(ends, default=len(text))


def _taken_back(text: str, claim: Claim, claims: Sequence[Claim], end: int) -> bool:
    said = next((each for each in _SAID_ONCE.finditer(text) if end - 1 <= each.start() <= end + 18), None)
    if said is None or _STILL_SO.match(text, said.end()) or (claim.value or "") in text[said.end() :]:
        return False
    instead = any(
        other.attribute == claim.attribute and other.value != claim.value and other.subject == claim.subject
        for other in claims
    )
    single = claim.attribute is not None and attribute(claim.attribute).single
    return (instead and single) or _PUT_RIGHT.search(text, said.end()) is not None


def _meant(text: str, claim: Claim, place: tuple[int, int]) -> bool:
    """Whether it is meant as so: not for the moment, not ahead, not guessed, not in somebody else's words."""
    key = claim.attribute or ""
    start, end = _sentence(text, place)
    taste = key in _MOODS or key.startswith("favorite.")
    if taste and _FOR_NOW.search(text, start, place[0]) is not None:
        return False
    if key in _STATES and _is_ahead(text, start, place, end):
        return False
    if key not in _WISHES and (_GUESSED.match(text, place[1]) or _WOULD_BE.search(text, max(start, place[0] - 6), end)):
        return False
    return not _is_something_else(text, claim, start, place) and not _only_heard(text, key, (start, end), place)


def _is_something_else(text: str, claim: Claim, start: int, place: tuple[int, int]) -> bool:
    """A형 간염 is no blood type, 여름이가 no season, and what happened yesterday no trauma yet."""
    key = claim.attribute or ""
    if key in _MAY_BE_NAMES and claim.value in lexicon().names:
        return _A_NAME.match(text, place[1]) is not None
    if key == "blood_type":
        return _INFECTION.match(text, place[1]) is not None
    return key == "trauma" and _JUST_NOW.search(text, start, place[1]) is not None


def _only_heard(text: str, key: str, sentence: tuple[int, int], place: tuple[int, int]) -> bool:
    start, end = sentence
    if key in _FORETOLD and _LOOKED_UP.search(text, start, end) is not None and _reported(text, place[1], end):
        return True
    if key in _DOUBTFUL and _HEARD_TELL.search(text, start, end) is not None:
        return True
    if _EVERYBODY.search(text[start : place[0]]) is not None and _SAID_TO_BE.match(text, place[1]) is not None:
        return True
    return key in _QUOTABLE and _THEIR_WORDS.match(text, place[1]) is not None


def _is_ahead(text: str, start: int, place: tuple[int, int], end: int) -> bool:
    if text.find(text[place[0] : place[1]], place[1]) >= 0:
        return False  # 다음 주부터 목수 일 배워 … 목수가 됐다
    days = list(_AHEAD.finditer(text, start, place[0]))
    if not days or _NOW.search(text, days[-1].end(), place[0]) is not None:
        return False  # 다음 주에 이사 가요 지금은 수원 살아요
    return _DONE_BY_NOW.search(text, days[-1].end(), min(end, place[1] + 14)) is None


def _unless_foretold(text: str, claim: Claim) -> Claim | None:
    told = claim.attribute in _FORETOLD and _LOOKED_UP.search(text) is not None and _reported(text, 0, len(text))
    return None if told else claim


_SAYS: Final = re.compile(r"[래대](?:요|\s|$|[.!~ㅋㅎ])")
_USED_TO: Final = re.compile(r"\s?\S{0,6}던\s?(?:건|거|게)\s")


def _reported(text: str, start: int, end: int) -> bool:
    return _SAYS.search(text, start, end + 1) is not None


def _long_over(text: str, claim: Claim, place: tuple[int, int]) -> bool:
    """어릴 땐 우유 알레르기 있었는데 지금은 …; 광대 무서워하던 건 다섯 살 때 얘기고."""
    key = claim.attribute or ""
    if key not in _PASSING and not key.startswith("favorite."):
        return False
    start, end = _sentence(text, place)
    if _ONCE.match(text, place[1]) is not None:
        return True
    if _WAS.match(text, place[1]) is not None and _NOW.search(text, place[1]) is not None:
        return True  # 불교였는데 이제 성당 다녀
    then = _LONG_AGO.search(text, start, place[1])
    if then is not None and _NOW.search(text, then.end(), place[0]) is None:
        return (_NOW.search(text, place[1]) or _OVER.search(text, place[0], end)) is not None
    after = _USED_TO.match(text, place[1])
    return after is not None and _LONG_AGO.search(text, after.end(), end) is not None
