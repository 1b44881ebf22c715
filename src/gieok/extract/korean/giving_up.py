"""What is said of something known: that it is over, was never so, or gives way to something else.

A clause gives something up by its verb (접었어, 질렸고), by no longer doing it (이제 안 해), or by calling it wrong
(오타예요, 엄마 꿈이고). Questions, wishes and what others do give up nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from gieok.extract.korean.farewells import IDLE_OBJECTS, Manner, Spot, says_over, verbs_of
from gieok.extract.korean.lexicon import change_words, lexicon
from gieok.extract.korean.patterns import patterns
from gieok.language.clauses import Clause

_PARTICLE: Final = r"(?:은|는|이|가|을|를|도|에|에서|으로|로|였|이었)?"
_TAKEN_BACK: Final = re.compile(
    _PARTICLE + r".{0,14}?(?:라고|다고|라는|다는|란|단|라구|다구|[라다]\s(?=[한했]))\s?(?:말)?"
    r"(?:한|했던|적은|하던|쓴|친|쳤던)?\s?(?:거|것|건|게|말)?\S{0,2}.{0,14}?"
    r"(?:취소|뻥|농담|거짓말|허세|구라|장난|지어낸|무르|무를|잊어|찍은\s?거|해본\s?(?:소리|말)|한\s?말이|멘트|귀찮아서"
    r"|사실\s?아니|못\s?들은|없던\s?(?:일|걸|말)|지워|삭제|빼\s?줘|드립)"
)
_MISTAKEN: Final = re.compile(
    _PARTICLE + r".{0,10}?(?:라고|다고|라|라구|다구)\s?(?:한|했|적은|적었|말한|말했|썼|쓴|친|쳤|그랬)\S{0,5}.{0,12}?"
    r"(?:오타|실수|정정|잘못|헷갈|대충|헛나|착각|옆\s?사람|(?:친구|동생|언니|누나|오빠|형|엄마|아빠|남친|여친|남편|아내)\s?(?:얘기|이야기|말)|옆집|틀렸|아니)"
)
_QUOTED_INSTEAD: Final = re.compile(
    _PARTICLE + r".{0,12}?(?:라고|다고|라|라구|다구)\s?(?:한|했던|적은|말한|쓴)\s?"
    r"(?:거|게|것|건|말)\s?(?:이|은)?\s?(?:말고|아니고|아니라)"
)
_SAID_BEFORE: Final = re.compile(
    _PARTICLE + r".{0,10}?(?:라고|다고|라|라구|다구|다)는?\s?(?:했|적었|말했|썼|쳤|그랬|말씀드렸|알려\s?[드줬])"
    r"(?:었|던|나요|나\?|는데|지만|지\?|던가|어요|어|었는데|었나|었지만|는데요|거든|네요|네\b)"
    r"|" + _PARTICLE + r".{0,6}?(?:는|ㄴ|인|한|운)\s?줄\s?(?:알|아)"  # 아직 대전 사는 줄 알았어?
    r"|(?:으로|로)\s?알고\s?(?:있|계)"
)
_INSTEAD: Final = re.compile(
    r"(?:은|는|을|를|이|가)?\s?(?:\S{1,6}\s)?(?:아니고요?|아니구|아니라|아닌|말고(?!도|요\?)|말구|대신에?|→|->)"
)
_AFTER: Final = re.compile(r"\s?(?:\S{1,4}\s)?(?:아니라|아니고|아니야|아님|말고|아니에요|아니구)\s*[.!~ㅋㅎ]*$")
_WAYS: Final[tuple[tuple[Manner, re.Pattern[str]], ...]] = (
    ("wrong", _QUOTED_INSTEAD),
    ("taken_back", _TAKEN_BACK),
    ("wrong", _MISTAKEN),
    ("wrong", re.compile(r"(?:은|는|이|가)?\s?무슨(?=[\s,.!~]*(?:$|[,.!~]))|(?:은|는)\s?무슨\s(?![^?]*\?)")),
    ("said", _SAID_BEFORE),
    ("over", re.compile(r"\s?(?:알바\s?)?때(?:보다|랑|처럼|만큼|엔|는|하고|에\s?비)")),  # 카페 때보다 재밌어
    ("outdone", re.compile(r"(?:은|는|도)?\s?(?:이제\s|이젠\s)?저리\s?가라(?!고)")),  # 라면은 저리 가라
    ("unlike", _AFTER),
    ("replaced", _INSTEAD),
)
_WORD: Final = re.compile(r"[^\s,.!?…~]*[\s,.!?…~]*")
_AT_IT: Final = frozenset("하고 은 는 ㄴ 이 가 을 를 ㄹ 도 랑 이랑 과 와 하고 에 에서 서 부터 까지".split())
_OTHERS: Final = frozenset({"너", "당신", "네", "니", "걔", "쟤", "얘", "그녀", "그분"})
_AGREED: Final = frozenset({"promise", "plan", "todo", "goal", "boundary", "decision"})
_CALLED_OFF: Final = re.compile(
    r".{0,20}?(?:없던\s?(?:걸|일)로|취소|무르자|무를게|없었던\s?(?:걸|일)로|빼\s?줘|지워\s?줘|안\s?해도\s?돼)"
)
#: 대장님 소리 민망해요 그만 불러주세요, 토리라고 부르지 마
_CALL_NO_MORE: Final = re.compile(
    r"(?:이)?(?:라고|라는|란|라)?\s?(?:소리)?[^.!?]{0,20}?(?:그만\s?(?:불러|부르|해\s?[줘주])|부르지\s?(?:마|말)|하지\s?(?:마|말아))"
    r"|(?:이)?(?:은|는)?\s?(?:호칭|소리|별명)?(?:은|는)?\s?(?:이제\s|이젠\s)?(?:그만|금지|끝|졸업)(?=[\s.,!~ㅋㅎㅠ]*(?:$|[.,!~ㅋㅎㅠ]))"
    r"|(?:이)?(?:\s(?:소리|호칭|별명)|[은는]\s)(?:[^?]{0,40}?[\s.])(?!다들)[가-힣A-Za-z]{1,8}?(?:이)?라[고구]?\s?(?:불러\s?(?:줘|주|줄|라|죠)|해\s?[줘주])"
)
_GONE: Final = frozenset("가다 지나다 끝나다 주다 보내다 팔다 넘기다 그만두다 접다 끊다 치우다 없애다 관두다".split())
_WHEN: Final = ("주", "달", "년", "전", "어제", "오늘", "봄", "여름", "가을", "겨울", "월", "일")
_PERSONAL: Final = frozenset(
    "name nickname age birth_year birthday blood_type mbti height weight hometown job major school workplace "
    "allergy medical_condition phobia dislikes medication diet".split()
)
#: of what was disliked: 없어서 못 먹어, 이제 안 싫어
_LOVED_NOW: Final = re.compile(
    r"없어서\s?못\s?먹|없(?:으면|이는?)\s(?:\S+\s){0,2}못\s?(?:먹|살|마시|자)|싫(?:다|어하|어했)던\s(?:나|저|내가|제가|거|게|시절)(?!\s?그대로)|(?:이제|이젠|요즘은?|더는|더\s?이상)\s?안\s?싫(?!으면|다면|은)(?![^.!]*(?:대|대요|래)(?:[\s.!]|$))"
)
#: 약 없이도 잘 자요, 약 이제 안 먹어도 된대요
_DONE_WITHOUT: Final = re.compile(
    r"\s?(?:이제\s)?없이도?\s(?!못|안\s|힘|어떻게)(?![^.!~]*(?:싶|[을ㄹ까]까|[으]?면\s|\?))|\s?(?:은|는|을)?\s?(?:이제|더는?|더\s?이상)\s?안\s?먹어도\s?(?:된[대다]|돼)"
)
_AT_HOME: Final = frozenset("첫째 둘째 셋째 큰애 작은애 영감 할멈 애들 집사람 시댁 친정".split())
_FAR: Final = 3  #: clauses after the one that names it


@cache
def _someone_elses() -> re.Pattern[str]:
    """AB형은 오빠고 나는 B야; 뚱이는 동생 별명이고."""
    words = lexicon()
    people = "|".join(sorted(words.kin | words.others | words.address | _AT_HOME, key=len, reverse=True))
    return re.compile(
        rf"형?(?:은|는|이|가)\s?(?:우리\s|내\s|제\s)?(?:{people})(?:\s?(?:별명|이름|생일|나이|키|얘기|이야기|거|꺼|것))?"
        r"(?:이고요?|고요?(?=[\s,])|구요?(?=[\s,])|이구요?|이라니까|라니까|이지|지(?=[\s,.])|이야|야|이에요|예요|이었|였)"
    )


@cache
def _someone_elses_taste() -> re.Pattern[str]:
    """인절미는 엄마가 좋아하던 거고."""
    words = lexicon()
    people = "|".join(sorted(words.kin | words.others | words.address | _AT_HOME, key=len, reverse=True))
    return re.compile(
        rf"(?:은|는)\s?(?:우리\s|내\s|제\s)?(?:{people})(?:님)?(?:이|가|께서)\s(?:좋아|싫어|즐기)\S{{0,3}}[는던]\s(?:거|것)"
        r"(?:이?고|이?구|였|이었|지)"
    )


def spot(said: Sequence[Clause], start: int, end: int) -> Spot | None:
    """Return where the words from `start` to `end` stand among the clauses."""
    for place, clause in enumerate(said):
        inside = [p for p in clause.phrases if any(start <= part.start < end for part in p.morphemes)]
        if inside:
            return Spot(start=start, end=end, place=place, phrase=inside[-1])
    covering = next((n for n, clause in enumerate(said) if clause.start <= start < clause.end), None)
    return Spot(start=start, end=end, place=covering, phrase=None) if covering is not None else None


def given_up(text: str, at: Spot, said: Sequence[Clause], attribute: str) -> tuple[Manner, int] | None:
    """Return how the thing named at `at` is given up, and from where on in `text` a new one may be named."""
    if of_others(said[at.place], at) or _is_something_else(text, at, attribute):
        return None
    rest = text[at.end :]
    for manner, way in _WAYS:
        match = way.match(rest)
        if match is not None and (way is not _AFTER or at.start > 0):
            return manner, _WORD.match(text, at.end + match.end()).end()  # type: ignore[union-attr]  # matches anything
    personal = attribute in _PERSONAL or attribute.startswith("favorite.")
    theirs = _someone_elses().match(rest) if personal else None
    if theirs is None and attribute.startswith(("favorite.", "dislikes")):
        theirs = _someone_elses_taste().match(rest)
    if theirs is not None:
        return "wrong", _WORD.match(text, at.end + theirs.end()).end()  # type: ignore[union-attr]  # matches anything
    if _called_off(rest, attribute):
        return "over", len(text)
    phrase = at.phrase if at.phrase is not None and at.phrase.morphemes[-1].end >= at.end else None
    if rest.startswith(("보다", "이보다")) or (phrase is not None and phrase.has("보다")):
        return "compared", at.end + len("보다")
    if phrase is not None and phrase.has("에서", "서") and rest.startswith(("에서", "서")):
        return "left", at.end + rest.index("서") + 1
    until = phrase is not None and phrase.words[-1].endswith("부")  # 편의점 알바 오늘부로 끝
    led_on = attribute == "pet" and phrase is not None and phrase.morphemes[-1].end > at.end  # 토끼 이모네로 보냈어
    if phrase is None or until or led_on or not phrase.particles or _AT_IT & set(phrase.particles):
        return _over(at, said, attribute)
    return None


def _called_off(rest: str, attribute: str) -> bool:
    """약속 취소하자; 가지, 이제 없어서 못 먹어; 대장님 소리 그만 불러주세요."""
    if attribute == "dislikes":
        return _LOVED_NOW.search(rest) is not None
    if attribute == "medication":
        return _DONE_WITHOUT.match(rest) is not None
    if attribute == "nickname":
        return _CALL_NO_MORE.match(rest) is not None
    return attribute in _AGREED and _CALLED_OFF.match(rest) is not None


def _is_something_else(text: str, at: Spot, attribute: str) -> bool:
    """교회 앞 빵집 is no church, 토끼띠 no animal; but 천주교 신자, 거북이들."""
    if at.phrase is None:
        return False
    words = at.phrase.words
    if attribute == "religion":
        return at.phrase.morphemes[-1].end > at.end and words[-1] not in ("신자", "신도", "교인")
    named = text[at.start : at.end]
    longer = any(word.startswith(named) for word in words) and all(word.removesuffix("들") != named for word in words)
    return attribute == "pet" and longer


def of_others(clause: Clause, at: Spot | None = None) -> bool:
    """Whether somebody else is the one of whom the clause speaks; what stands after `at` does not count."""
    for phrase in clause.phrases:
        if at is not None and (phrase is at.phrase or at.start <= phrase.morphemes[0].start < at.end):
            return False
        if phrase.pronoun in _OTHERS:
            return True
        words = lexicon()
        named = {phrase.words[0], phrase.words[-1]} - set(patterns().by_label)
        person = bool(named & (words.kin | words.others | words.address)) or phrase.words[0].endswith("네")
        if person and (not phrase.particles or phrase.has("은", "는", "이", "가", "도", "ㄴ", "께서", "네", "서")):
            return True
    return False


def _over(at: Spot, said: Sequence[Clause], attribute: str) -> tuple[Manner, int] | None:
    for place in range(at.place, min(at.place + _FAR, len(said))):
        clause = said[place]
        if _excepted(clause):
            return None
        if place > at.place and said[place - 1].head is None and not _goes_on_about_it(clause, attribute):
            break
        following = said[place + 1] if place + 1 < len(said) else None
        manner = says_over(clause, following, attribute, at) if not _only_then(said, place) else None
        if manner is not None:
            return manner, clause.end
        if clause.final and place > at.place:
            break
    gone = _bygone(at, said, attribute)
    if gone is not None:
        return "over", gone
    if _was(said[at.place], at) or _deserted(at, said):
        return "left", said[at.place].end
    before = said[at.place - 1] if at.place else None
    if before is not None and _is_afterthought(said[at.place]) and _goes_on_about_it(before):
        manner = says_over(before, None, attribute, at)  # 접었어 뜨개질
        return (manner, at.end) if manner is not None else None
    return None


def _excepted(clause: Clause) -> bool:
    """오이 빼고 다 잘 먹어."""
    return clause.predicate is not None and clause.predicate.lemma in ("빼다", "제외하다") and not clause.predicate.past


def _only_then(said: Sequence[Clause], place: int) -> bool:
    """오늘은 비 와서 배달 안 해: the clause before says that it is for once."""
    before = said[place - 1] if place else None
    if before is None or before.final or before.head is not None or not _negated(said[place]):
        return False
    return any(p.has("은", "는") and change_words().stopped["once"] & set(p.words) for p in before.phrases)


def _negated(clause: Clause) -> bool:
    return clause.predicate is not None and clause.predicate.negated


def _deserted(at: Spot, said: Sequence[Clause]) -> bool:
    """메로나 버리고 옥동자로 넘어옴."""
    left, then = said[at.place], said[at.place + 1] if at.place + 1 < len(said) else None
    leaving = left.predicate is not None and left.predicate.lemma == "버리다" and left.predicate.endings[-1:] == ("고",)
    return leaving and then is not None and bool(set(verbs_of(then)) & change_words().became["turned"])


def _was(clause: Clause, at: Spot) -> bool:
    """축구 하다가 … 수영으로 바꿨어; 원래 신정동이었는데 목동으로 왔어."""
    predicate = clause.predicate
    if predicate is None:
        return False
    copula = predicate.form == "copula" and predicate.past and clause.phrases[-1:] == (at.phrase,)
    stopping = "그만" in clause.adverbs and predicate.endings[-1:] == ("고",)  # 피아노 그만 치고 드럼 배우기 시작함
    return (
        stopping
        or predicate.endings[-1:] == ("다가",)
        or (copula and predicate.endings[-1:] in (("는데",), ("지만",), ("고",)))
    )


def _bygone(at: Spot, said: Sequence[Clause], attribute: str) -> int | None:
    """검도 하던 시절은 갔고; 뱀 봐도 멀쩡해, 공포증 극복함: what was done is past, or is named by its kind."""
    clause = said[at.place]
    endings = clause.predicate.endings if clause.predicate is not None else ()
    main = said[at.place + 1] if at.place + 1 < len(said) else None
    once = endings[-1:] in (("던",), ("었던",)) and clause.head in ("시절", "때", "거", "것", "건", "게")
    if once and main is not None and main.predicate is not None:
        last = main.phrases[-1].words[-1] if main.phrases else ""
        if main.predicate.lemma in _GONE or last in change_words().wrong["nouns"]:
            return main.end
    pattern = patterns().by_attribute.get(attribute)
    for later in said[at.place + 1 :] if pattern is not None else ():
        named = bool(later.phrases) and pattern is not None and later.phrases[-1].words[-1] in pattern.labels
        if named and _goes_on_about_it(later, attribute) and says_over(later, None, attribute, at) == "over":
            return later.end
    return None


def ended_by(said: Sequence[Clause], attribute: str) -> bool:
    """Whether one of the first clauses, which name nothing of their own, says that it is over: 이제 안 해, 그만뒀어."""
    nowhere = Spot(start=-1, end=-1, place=0, phrase=None)
    for clause, following in zip(said[:_FAR], (*said[1:], None), strict=False):
        if _goes_on_about_it(clause, attribute) and says_over(clause, following, attribute, nowhere) in (
            "over",
            "outdone",
        ):
            return True
    return False


def _is_afterthought(clause: Clause) -> bool:
    return clause.predicate is None and len(clause.phrases) == 1


def _goes_on_about_it(clause: Clause, attribute: str = "") -> bool:
    """Whether a later clause names nothing of its own, so that it still speaks of what was named before."""
    pattern = patterns().by_attribute.get(attribute)
    names = IDLE_OBJECTS | change_words().farewells | (pattern.labels | pattern.nouns if pattern is not None else set())
    return all(
        phrase.words[-1] in names or phrase.pronoun is not None or phrase.words[-1].endswith(_WHEN)
        for phrase in clause.phrases
    )
