"""Leaving what one does or where one belongs, without its name: 정년퇴임했습니다, 졸업식 어제였어요, 알바 짤렸어.

Only the speaker's own leaving counts, and only where it has happened: not 퇴사하고 싶다, 아빠가 정년퇴임하셨어. Which
fact is over is told by the word for leaving; where two could be meant, or another one is named, nothing ends.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final, Literal

from gieok.domain.claim import Claim
from gieok.domain.memory import Memory
from gieok.extract.korean.farewells import not_so, verbs_of
from gieok.extract.korean.lexicon import signals
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.reading import Finding, found
from gieok.extract.korean.telling import Part
from gieok.extract.korean.values import Value
from gieok.language.clauses import Clause, Phrase

#: the facts that one may leave
LEFT: Final = ("workplace", "job", "school", "major", "part_time_job")
Way = Literal["work", "for good", "study", "graduation", "side job", "service", "shop", "hired", "back", "last day"]

_CUE: Final = re.compile(
    r"퇴사|퇴직|퇴임|사직|사표|명퇴|은퇴|해고|[잘짤][리려렸림린]|그만|관[두뒀둠둔]|때려|접[었고음]|자퇴|졸업|학위|퇴학|제적"
    r"|전역|제대|폐업|망[했해함]|닫|부도|마지막|반납|안 (?:다[니녀님]|나[가간감]|한 ?지)|정리|계약|만료"
    r"|끝[나났남]|수리|희퇴|면직|복학|첫\s?출근|입사|취[직업]|마[쳤침치]|내려\s?[놓놨]|물려|끊[어겼겨김]|물러"
    r"|임기|안 뛰|[라다]고 ?(?:[했한]|말)|아니[고라구]|말고"
)
_QUITTING: Final = frozenset(
    "그만두다 관두다 때려치다 때려치우다 때리치다 접다 잘리다 짤리다 정리하다 청산하다".split()
)
_OF_WORK: Final = frozenset("회사 직장 일 직장생활 회사생활".split())
_OF_STUDY: Final = frozenset("학교 대학 대학교 대학원 학업 박사과정 석사과정 석박 랩실".split())
_OF_SHOP: Final = frozenset("가게 장사 사업 식당 매장".split())
_SIDE: Final = frozenset("알바 아르바이트".split())
_CLOSING: Final = frozenset("망하다 폐업하다 부도나다 문닫다 도산하다".split())
_STUDENTS: Final = ("학생", "대학원생", "대학생", "석사과정", "박사과정", "고등학생", "중학생", "의대생", "여대생")
_SHOPKEEPERS: Final = ("사장", "운영", "자영업", "자영업자", "점주", "대표", "주인")
_JOBLESS: Final = frozenset("백수 무직 취준생 주부 전업주부 학생 대학생".split())
_SEEKING: Final = frozenset("취준생 백수 무직 공시생 고시생 취업준비생 구직자 임용고시생 취준러".split())
_THE_PAST: Final = frozenset("어제 오늘 지난주 지난달 엊그제 그저께 그제 방금".split())
_TIME: Final = re.compile(
    r"(?:주|달|년|월|일|전|말|초|부|번|때|후|뒤|어제|오늘|방금|드디어|결국|봄|여름|가을|겨울|올해|작년|학기|때문|이제|요즘|지금)$"
)


def spoken_of(text: str) -> bool:
    """Whether `text` may tell of leaving something."""
    return _CUE.search(text) is not None


def left(parts: Sequence[Part], me: str, known: Sequence[Memory], read: Sequence[Claim]) -> Iterator[Finding]:
    """Yield the end of what the speaker has left; `read` is what was read already of new ones and of ends."""
    told = {(claim.attribute, claim.subject_id) for claim in read if claim.invalid_at is None}
    open_ = [each for each in known if each.attribute in LEFT and each.value and (each.attribute, me) not in told]
    for place, part in enumerate(parts) if open_ else ():
        following = parts[place + 1].clause if place + 1 < len(parts) else None
        if not _happened(part, following):
            continue
        own = part.about is not None and part.about.subject_id == me
        way = _closed_down(part.clause, {each.value for each in open_}) or (_own_way(part.clause) if own else None)
        over = list(_meant(way, open_)) if way is not None else _thrown_out(part.clause, open_) if own else []
        yield from (_end(each) for each in over)
        open_ = [each for each in open_ if each not in over]


def _end(memory: Memory) -> Finding:
    value = memory.value or ""
    over = Value(value=value, shown=value, surface=memory.surface or value)
    return found(patterns().by_attribute[memory.attribute or ""], over, polarity="-", act="end")


def _happened(part: Part, following: Clause | None) -> bool:
    """퇴사했어, 퇴사함, 퇴사하고 …, 퇴사한 지; not 퇴사할까, 퇴사한 거 아니야."""
    if part.mood not in ("statement", "fragment") or part.closes in ("question", "hypothetical", "hearsay"):
        return False
    predicate = part.clause.predicate
    if predicate is None or not_so(part.clause, following) or predicate.auxiliaries & {"싶다", "보다"}:
        return False
    wished = part.closes in ("wish", "command") and not predicate.past
    last = predicate.endings[-1:]
    described = part.clause.head == "지" and last in (("ㄴ",), ("은",))
    return not wished and (predicate.past or described or predicate.negated or last in _DONE)


_DONE: Final = (("ㅁ",), ("음",), ("고",), ("어서",), ("아서",))


def _own_way(clause: Clause) -> Way | None:
    """Return how the speaker leaves, if they do."""
    predicate = clause.predicate
    assert predicate is not None, "asked before"
    named = [phrase.words[-1] for phrase in clause.phrases if _is_thing(phrase)]
    if predicate.negated:
        return _no_longer(clause, named)
    if predicate.form == "copula":
        return _was_the_last(clause) if predicate.past else None
    return (
        _by_leaving_word(clause, named)
        or _by_paper(clause)
        or _quit(clause, named)
        or _hired(clause)
        or _on_the_last_day(clause)
    )


def _is_thing(phrase: Phrase) -> bool:
    """Whether a phrase may name what is left: no time, no reason, no person."""
    if phrase.pronoun is not None or _TIME.search(phrase.words[-1]) is not None:
        return False
    return not phrase.particles or phrase.has("을", "를", "은", "는", "ㄴ", "도", "에서")


def _thrown_out(clause: Clause, standing: Sequence[Memory]) -> list[Memory]:
    """옷가게에서 잘렸어요, 엔씨에서 정리해고됐어요."""
    verbs = {verb.removesuffix("하다").removesuffix("되다").removesuffix("당하다") for verb in verbs_of(clause)}
    said = verbs | {phrase.words[-1] for phrase in clause.phrases if not phrase.particles}
    if not said & (signals("leaving", "work") | {"잘리다", "짤리다", "쫓겨나다"}):
        return []
    places = [phrase.text for phrase in clause.phrases if phrase.has("에서", "서")]
    return [each for each in standing if each.value in places]


def _no_longer(clause: Clause, named: Sequence[str]) -> Way | None:
    """나 이제 회사 안 다녀, 학교 안 다녀 (what one has studied stays); not 이번 주는 회사 안 가."""
    goes = clause.predicate is not None and clause.predicate.lemma in ("다니다", "댕기다") and not clause.predicate.past
    now = {"이제", "이젠", "더", "더이상"} & {*clause.adverbs, *(word for p in clause.phrases for word in p.words)}
    if not goes or not now or "못" in clause.adverbs or len(named) != 1:
        return None
    return "work" if named[0] in _OF_WORK else "graduation" if named[0] in _OF_STUDY else None


def _was_the_last(clause: Clause) -> Way | None:
    """지난주가 마지막 출근이었어; 외대 졸업식 어제였어요."""
    words = [word for phrase in clause.phrases for word in phrase.words]
    if words[-2:] in (["마지막", "출근"], ["마지막", "근무"]):
        return "work"
    ceremony = any(word in ("졸업식", "학위수여식") for word in words)
    return "graduation" if ceremony and words[-1] in _THE_PAST | {"졸업식", "학위수여식"} else None


def _by_leaving_word(clause: Clause, named: Sequence[str]) -> Way | None:
    """퇴사했어, 권고사직 당했어, 정년퇴임했습니다, 전역했어요, 자퇴했어; not 고등학교 졸업한 지 3년."""
    words = _leaving_words()
    verbs = [verb.removesuffix("하다").removesuffix("되다") for verb in verbs_of(clause)]
    suffered = bool(_BEFALLING & set(verbs_of(clause))) and bool(named) and named[-1] in words
    said = named[-1] if suffered else next((verb for verb in verbs if verb in words), "")
    way = words.get(said)
    others = [name for name in named if name != said]
    fitting = {"work": _OF_WORK, "study": _OF_STUDY, "graduation": _OF_STUDY, "service": {"군대", "군"}}
    return way if all(name in fitting.get(way or "", ()) for name in others) or way == "for good" else None


_BEFALLING: Final = frozenset("당하다 되다 받다 하다 처리되다 완료되다 확정되다 통과되다".split())


@cache
def _leaving_words() -> Mapping[str, Way]:
    return {word: way for way, name in _WORDS.items() for word in signals("leaving", name)}


_WORDS: Final[Mapping[Way, str]] = {
    "work": "work", "for good": "for_good", "study": "study", "graduation": "graduation", "service": "service",
}  # fmt: skip


def _by_paper(clause: Clause) -> Way | None:
    """사직서 수리됐고, 자퇴서 냈고, 사원증 반납하고 나왔다, 졸업식 했다."""
    last = next((p.words[-1] for p in reversed(clause.phrases) if _is_thing(p)), "")
    lemma = clause.predicate.lemma if clause.predicate is not None else ""
    if last in ("사직서", "사표", "자퇴서") and lemma in _HANDED_IN:
        return "study" if last == "자퇴서" else "work"
    if last in ("사원증", "출입증") and lemma in ("반납하다", "내다"):
        return "work"
    ended = lemma in ("하다", "끝나다", "마치다", "치르다", "졸업식하다")
    return "graduation" if last in ("졸업식", "학위수여식") and ended else None


_HANDED_IN: Final = ("수리되다", "처리되다", "내다", "제출하다", "던지다", "통과되다")


def _quit(clause: Clause, named: Sequence[str]) -> Way | None:
    """회사 그만뒀어요, 알바 짤렸어, 가게 접었어, 학교 때려쳤다, 가게 폐업했어요."""
    verbs = set(verbs_of(clause))
    if verbs & {"폐업하다"}:
        return "shop" if all(name in _OF_SHOP for name in named) else None
    if not verbs & _QUITTING or len(named) != 1:
        return None
    kinds: tuple[tuple[frozenset[str], Way], ...] = (
        (_OF_WORK, "work"), (_OF_STUDY, "study"), (_SIDE, "side job"), (_OF_SHOP, "shop"),
    )  # fmt: skip
    return next((way for words, way in kinds if named[0] in words), None)


def _hired(clause: Clause) -> Way | None:
    """오늘 첫 출근했어요, 취직했어, 복학했어요: whoever has begun no longer looks for work, or stays away."""
    words = {word for phrase in clause.phrases for word in phrase.words}
    if "복학하다" in verbs_of(clause):
        return "back"
    first = "첫" in words and "출근하다" in verbs_of(clause)
    return "hired" if first or set(verbs_of(clause)) & {"취직하다", "취업하다", "입사하다"} else None


def _on_the_last_day(clause: Clause) -> Way | None:
    """마지막 출근하고 앞치마 반납했어요, 어제 마지막 근무했어, 오늘 마지막 근무 끝냄; not 이번 주 마지막 출근했다."""
    words = [word for phrase in clause.phrases for word in phrase.words]
    verbs = set(verbs_of(clause))
    if _A_SPELL & set(words) or any(word in _SIDE for word in words):
        return None
    worn = verbs & {"반납하다"} and bool(_UNIFORMS & set(words))
    came = "마지막" in words and bool(verbs & _AT_WORK or ({"출근", "근무"} & set(words) and verbs & _FINISHING))
    return "last day" if worn or came else None


_UNIFORMS: Final = frozenset("앞치마 유니폼 명찰 근무복 작업복".split())
_AT_WORK: Final = frozenset("출근하다 근무하다".split())
_FINISHING: Final = frozenset("끝내다 끝나다 마치다 하다 서다".split())
_A_SPELL: Final = frozenset("이번 주 달 올해 연말 한해 주의 해 금요일 휴가 연휴".split())


def _closed_down(clause: Clause, known: set[str | None]) -> Way | None:
    """다니던 출판사가 문을 닫았어, 회사가 폐업해서, 공장 망해서; not 회사 앞 식당이 폐업했어, 오늘 가게 문 닫았어."""
    verbs = set(verbs_of(clause))
    shut = "닫다" in verbs and any(phrase.words == ("문",) for phrase in clause.phrases)
    if not shut and not verbs & _CLOSING:
        return None
    named = (p for p in clause.phrases if p.pronoun is None and (not p.particles or p.has(*_SUBJECT)))
    subject = next(named, None)
    if subject is None or subject.owner in ("너", "네", "니"):
        return None
    own = subject.modifier == "다니다" or subject.text in ("회사", "직장") or (subject.text in known and not shut)
    return "work" if own else None


_SUBJECT: Final = ("이", "가", "도", "은", "는")


def _meant(way: Way, standing: Sequence[Memory]) -> Iterator[Memory]:
    """Yield which of what stands is over."""
    of = {name: [each for each in standing if each.attribute == name] for name in LEFT}
    jobs = [each for each in of["job"] if each.value not in _JOBLESS]
    match way:
        case "for good":
            yield from (*of["workplace"], *jobs)
        case "work":
            yield from of["workplace"] or (each for each in jobs if not (each.value or "").endswith(_STUDENTS))
        case "study" | "graduation":
            yield from of["school"]
            yield from of["major"] if way == "study" else ()
            yield from (each for each in of["job"] if (each.value or "").endswith(_STUDENTS))
        case "side job":
            yield from of["part_time_job"] if len(of["part_time_job"]) == 1 else ()
        case "service":
            yield from (each for each in jobs if each.value in signals("leaving", "soldiers"))
        case "hired":
            yield from (each for each in of["job"] if each.value in _SEEKING)
        case "back":
            yield from (each for each in of["job"] if each.value == "휴학생")
        case "last day":
            held = (*of["workplace"], *of["part_time_job"])
            yield from held if len(held) == 1 else ()
        case "shop":
            yield from (each for each in jobs if (each.value or "").endswith(_SHOPKEEPERS))


def taken_up_instead(text: str, told: list[Claim], parts: Callable[[], Sequence[Part]]) -> list[Claim]:
    """Return `told`, a part-time job in place of the old one where it was changed: 옮김. 요샌 올리브영에서 알바해."""
    new = [claim for claim in told if claim.attribute == "part_time_job" and claim.act == "assert"]
    if not any(claim.polarity == "+" and claim.invalid_at is None for claim in new) or not _SWITCHED.search(text):
        return told
    changes = any(_switches(part) or _now_at(part) for part in parts())
    return [replace(claim, act="prefer") if changes and claim in new else claim for claim in told]


_SWITCHED: Final = re.compile(r"지금은|이제는|이젠|옮[겼김기겨]|갈아[타탔탐]|바[꿨꿈꾸꿔]|관[두뒀둠]|그만[두뒀둠]|때려")
_SWITCHING: Final = frozenset("옮기다 갈아타다 바꾸다 관두다 그만두다 때려치다 때려치우다".split())
_ITS_WORDS: Final = ("알바", "아르바이트", "거", "것", "일", "데", "곳", "자리")


def _now_at(part: Part) -> bool:
    """지금은 영어학원에서 보조교사 알바해: in contrast to what it was."""
    last = part.clause.predicate.lemma if part.clause.predicate is not None else ""
    works = last.startswith(("알바", "아르바이트")) or any(p.words[-1] in _SIDE for p in part.clause.phrases)
    now = any(p.words[-1] in ("지금", "이제") and p.has("은", "는", "ㄴ") for p in part.clause.phrases)
    said = now or bool({"지금은", "이제는", "이젠"} & set(part.clause.adverbs))
    return works and said and part.mood == "statement" and part.closes not in ("question", "hypothetical", "hearsay")


def _switches(part: Part) -> bool:
    """알바 옮겼어, 아이스크림 푸는 거 관두고, 다이소 알바로 갈아탔어요; not 담배 끊고, 폰 바꿨어."""
    predicate = part.clause.predicate
    if predicate is None or not set(verbs_of(part.clause)) & _SWITCHING or not _happened(part, None):
        return False
    named = [phrase for phrase in part.clause.phrases if _is_thing(phrase) or phrase.has("로", "으로")]
    return all(phrase.words[-1].endswith(_ITS_WORDS) for phrase in named)
