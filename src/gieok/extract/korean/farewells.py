"""What one clause says of the end of something: 접었어, 질렸고, 이제 안 해, 오타예요."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from gieok.extract.korean.lexicon import change_words, lexicon
from gieok.extract.korean.rehoming import left_home
from gieok.language.clauses import Clause, Phrase
from gieok.language.mood import mood

Manner = Literal["replaced", "unlike", "compared", "said", "left", "over", "outdone", "wrong", "taken_back"]

_NOT_YET: Final = tuple(
    "라는데 래서 려고 려면 ㄹ까 을까 든지 거나 자마자 려다 려다가 라고 으려고 을지 ㄹ지 으라".split()
)
_HEADS: Final = frozenset({"지", "거", "것", "게", "건", "줄", "적", "걸"})
_LEFT_BEHIND: Final = frozenset("어항 수조 케이지 자리 빈자리 후 뒤 이후 다음".split())
_LENGTH: Final = re.compile(r"(?:개월|년|회|달)$|회원권|이용권|정기권|한달|티켓|등록")
_TIMES: Final = frozenset("어제 오늘 어젯밤 새벽 아침 밤 지난주 지난달 작년 올해 그제 엊그제 방금 결국".split())
_REASONS: Final = frozenset("때문 바람 탓 덕분 덕 핑계 이유".split())
_RENEWALS: Final = frozenset("연장 재등록 갱신 재결제".split())
_DIAGNOSED: Final = frozenset({"allergy", "medical_condition", "medication", "phobia", "pet"})
IDLE_OBJECTS: Final = frozenset(
    "손 눈 이번 관심 흥미 정 애정 마음 맘 최애 재미 이제 요즘 요새 지금 나 저 내 1순위 생각 쳐다 거들떠".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where something known is named."""

    start: int
    end: int
    place: int  #: which clause
    phrase: Phrase | None


def says_over(clause: Clause, following: Clause | None, attribute: str, at: Spot) -> Manner | None:
    """Return how `clause` gives up the thing of the kind `attribute` that is named at `at`, if it does."""
    moods = ("statement", "fragment", "hearsay") if attribute in _DIAGNOSED else ("statement", "fragment")
    if mood(clause) not in moods or (not_so(clause, following) and not (attribute == "pet" and _left_behind(clause))):
        return None
    words = frozenset(word for phrase in clause.phrases for word in phrase.words) | set(clause.adverbs)
    if _calls_it_wrong(clause, words):
        return "wrong"
    if _named_over(clause, at) or _denied(clause, words, attribute, at):
        return "over"
    if attribute == "pet" and left_home(clause, following, at.phrase, at.end):
        return "over"
    if clause.predicate is None:
        return None
    if clause.predicate.negated:
        return "over" if _stopped(clause, words) or _long_since(clause, following) else None
    return _by_verb(clause, words, attribute, at)


def _left_behind(clause: Clause) -> bool:
    """금붕어가 떠난 어항, 초코 보낸 뒤."""
    endings = clause.predicate.endings if clause.predicate is not None else ()
    return endings[-1:] in (("ㄴ",), ("은",)) and clause.head in _LEFT_BEHIND


def _denied(clause: Clause, words: frozenset[str], attribute: str, at: Spot) -> bool:
    """INFP 아니야, 이제 최애 아냐, 별로야; 검사했는데 아니래."""
    predicate = clause.predicate
    if predicate is None:
        return False
    if predicate.form != "not":
        return "별로" in clause.adverbs and predicate.form == "copula"
    if not clause.phrases:
        return attribute in _DIAGNOSED
    return at.phrase is clause.phrases[-1] or bool({"최애", "1등", "원픽"} & words)


def _by_verb(clause: Clause, words: frozenset[str], attribute: str, at: Spot) -> Manner | None:
    assert clause.predicate is not None, "asked before"
    last = clause.predicate.endings[-1:]
    described = clause.head is not None and last in (("ㄴ",), ("은",))  # 떠난 지 한 달
    done = clause.predicate.past or described or last in (("ㅁ",), ("음",), ("고",), ("어서",))
    idle = IDLE_OBJECTS | _TIMES
    others = [p for p in clause.phrases if p is not at.phrase and p.words[-1] not in idle | _REASONS and not p.pronoun]
    for ending in (each for verb in verbs_of(clause) for each in change_words().over.get(verb, ())):
        named = bool(others) or (at.phrase is not None and at.phrase.morphemes[-1].end > at.end)
        fits = ending.fits(attribute) and (done or not ending.past) and not (ending.alone and named)
        if fits and (not ending.needs or ending.needs & words):
            return None if bought(clause) else "outdone" if ending.outdone else "over"
    return None


def verbs_of(clause: Clause) -> tuple[str, ...]:
    """Return the dictionary form in all its shapes: 그만 뒀어 is 그만두다, 멀어졌어 멀어지다, 전과 했어 전과하다."""
    predicate = clause.predicate
    if predicate is None:
        return ()
    if "그만" in clause.adverbs:
        return ("그만두다",) if predicate.lemma == "두다" else ("그만하다",)
    forms = [predicate.lemma]
    stem = predicate.lemma.removesuffix("다")
    if len(predicate.tail) > 1 and predicate.tail[1].lemma in ("지다", "주다"):
        helper = predicate.tail[1].lemma
        forms += [f"{stem}어{helper}", f"{stem}아{helper}", f"{stem.removesuffix('하')}해{helper}"]
    last = clause.phrases[-1] if clause.phrases else None
    if predicate.lemma == "내리다" and "놓다" in predicate.auxiliaries:
        forms.append("내려놓다")
    if predicate.lemma in ("나다", "내다") and last is not None and last.words[-1] == "끝":
        forms.append(f"끝{predicate.lemma}")  # 회원권 끝나고
    if predicate.lemma in ("하다", "되다", "오다", "가다", "받다", "이다") and last is not None and not last.particles:
        forms.append(last.words[-1] + ("하다" if predicate.lemma == "이다" else predicate.lemma))
    return tuple(forms)


def not_so(clause: Clause, following: Clause | None) -> bool:
    """그만두려고, 그만둔 거 아니야, 그만둘 뻔."""
    endings = clause.predicate.endings if clause.predicate is not None else ()
    if endings and endings[-1].endswith(_NOT_YET) and not endings[-1].endswith("다고"):
        return True
    if clause.head is None:
        return False
    if endings[-1:] == ("는",):
        return True  # 끊는 게 쉽지 않네
    after = following.predicate if following is not None else None
    denied = after is not None and (after.form == "not" or after.lemma in ("없다", "모르다", "같다"))
    denied = denied or (clause.head == "줄" and after is not None and after.lemma == "알다")  # 떠난 줄 알고
    return clause.head not in _HEADS or denied


def _calls_it_wrong(clause: Clause, words: frozenset[str]) -> bool:
    wrong = change_words().wrong
    predicate = clause.predicate
    last = clause.phrases[-1].words if clause.phrases else ()
    if predicate is None or predicate.form == "copula":
        theirs = len(last) > 1 and last[-1] in wrong["theirs"] and _is_person(last[-2])
        former = bool({"옛날", "예전", "옛"} & words) and last[-1:] not in (("옛날",), ("예전",))  # 옛날 집이고
        return bool(last) and (last[-1] in wrong["nouns"] or theirs or former)
    if predicate.negated:
        return False
    return predicate.lemma in wrong["verbs"] or (
        "잘못" in words and predicate.lemma in ("말하다", "적다", "쓰다", "알다")
    )


def _is_person(word: str) -> bool:
    words = lexicon()
    return word in words.kin | words.others | words.address or word in ("사람", "옆집", "남", "옆자리", "애")


def _named_over(clause: Clause, at: Spot) -> bool:
    """카페 알바 퇴사, 헬스 이제 끝; 동의대 자퇴하고, where 하고 was taken for "and"."""
    over = change_words().over_nouns
    joined = at.phrase if at.phrase is not None and at.phrase in clause.phrases else None
    if joined is not None and joined.has("하고") and joined.words[-1] in over:
        return True
    last = clause.phrases[-1] if clause.phrases else None
    ends = clause.predicate is None or clause.predicate.form == "copula"
    return ends and last is not None and not last.particles and last.words[-1] in over


def _stopped(clause: Clause, words: frozenset[str]) -> bool:
    """이제 안 해, 아무도 안 불러, 손도 안 대; but not 오늘은 안 가, 못 가."""
    stopped = change_words().stopped
    predicate = clause.predicate
    assert predicate is not None, "asked before"
    unable = "못" in clause.adverbs or any(part.lemma in ("못하다", "말다") for part in predicate.tail)
    if _RENEWALS & words and predicate.lemma == "하다":
        return True  # 연장 안 했음
    if unable or predicate.past or stopped["once"] & words:
        return False
    if predicate.lemma in stopped["verbs"]:
        return True
    return predicate.lemma in stopped["seldom"] and bool(stopped["anymore"] & words)


def _long_since(clause: Clause, following: Clause | None) -> bool:
    """안 나간 지 오래됐어."""
    if clause.head != "지" or following is None:
        return False
    words = {word for phrase in following.phrases for word in phrase.words}
    said = "".join((*words, *following.adverbs)) + (
        following.predicate.lemma if following.predicate is not None else ""
    )
    return re.search(r"오래|한참|년|개월|달|옛날|꽤|좀|주일", said) is not None


def bought(clause: Clause) -> bool:
    """헬스 3개월 끊었어 is no farewell."""
    said = (word for phrase in clause.phrases for word in phrase.words)
    spent = any(phrase.words[-1] == "돈" and phrase.has("로", "으로") for phrase in clause.phrases)  # 그 돈으로 끊음
    paid = spent or any(_LENGTH.search(word) for word in said)
    return clause.predicate is not None and clause.predicate.lemma == "끊다" and paid
