"""Promises by their ending: 꼭 편지 써줄게, 시험 끝나면 떡볶이 쏠게, 바다 가자 약속!, 먼저 사과하기 약속."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from gieok.extract.korean.deeds import deed
from gieok.extract.korean.intentions import index_of
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import Part, Telling, finding
from gieok.language.morphemes import join

_WILL: Final = ("ㄹ게", "을게", "ㄹ게요", "을게요", "ㄹ께", "을께", "ㄹ께요", "을께요")
_TOGETHER: Final = ("자", "기", "어요", "아요", "ㄴ다", "는다")
_FIRMLY: Final = frozenset(
    "꼭 절대 절대로 반드시 다시는 다신 무조건 평생 항상 매일 맨날 언제나 언제든 언제든지 앞으로 이제부터".split()
)
_SEALED: Final = re.compile(
    r"약속(?!\s?(?:시간|장소|날|있|없|잡|취소|[이가은는]\s|에\s?(?:늦|가|나)))|맹세|새끼\s?손가락|손가락[을\s]*걸|도장|믿어|기대해|지켜봐"
    r"|거짓말 아니"
)
#: sealed by a word that stands alone: 약속!, 약속이야, 약속해 줘, 새끼손가락 걸자
_VOWED: Final = re.compile(
    r"약속(?=\s*(?:[!.~,♡❤ㅎㅋ]|$)|이야|이다|이에요|입니다|임|하자|해|할|한\s?거|함|드려)|새끼\s?손가락|손가락[을\s]*걸|맹세"
)
_AHEAD: Final = re.compile(
    r"내일|낼(?:은|부터|\s)|모레|글피|[월화수목금토일](?:요일|욜)|주말|담(?:에|엔|번|주|달)"
    r"|다음(?:에|엔|번|부터)|다음\s?(?:주|달|해|학기|방학|생일|휴가|여름|겨울|봄|가을)"
    r"|이번\s?(?:주|달|생일|방학|여름|겨울|봄|가을)|내년|내후년|생일|기념일|크리스마스|방학|휴가|추석|설날|새해|연말|언젠가"
    r"|\d{1,2}월|\d{1,2}일(?:에|날|까지)|(?:년|달|주|일)\s?(?:뒤|후)|[가-힣]\s때(?:는|엔|에)?\s|앞으로"
)
_LATER: Final = frozenset("다음 나중 이따 이따가 저녁 밤 아침 오후 담 때".split())
_NO_MORE: Final = frozenset("다시 다시는 다신 절대 절대로 앞 앞으로 이제 이젠 더 더는 또 담 다음 평생".split())
_LISTENER: Final = ("너", "네", "당신", "니")
#: done for the one who listens, even without 주다
_FOR_YOU: Final = frozenset(
    "쏘다 사다 갚다 연락하다 전화하다 알리다 말하다 얘기하다 이야기하다 말씀드리다 드리다 초대하다 데려가다 데리다 "
    "돕다 찾아가다 찾아오다 기다리다 선물하다 보답하다 대접하다 전하다 인사하다 인사드리다 연락드리다 고백하다 "
    "돌아오다 오다".split()
)
_FOR_ONESELF: Final = frozenset("먹다 마시다 있다 하다 보다".split())
_QUITTING: Final = frozenset("그만하다 그만두다 줄이다 고치다 노력하다 참다".split())
_NOW_ON: Final = frozenset("이제 이젠 이제부터 오늘 진짜 진짜로 정말 정말로".split())
_AFTER: Final = frozenset("고 고서 자마자 어서 아서".split())
_NO_DEED: Final = ("오다", "가다", "말다")  #: 커피 말고 보리차로 드릴게요
_SOON: Final = frozenset("오다 말하다 얘기하다 이야기하다 사다".split())  #: 밥 먹고 올게
_AT_ONCE: Final = frozenset("자다 쉬다 눕다 씻다 끄다 나가다 들어가다 끊다 포기하다".split())  #: 나 먼저 잘게
_IDLE: Final = frozenset("그러다 그렇다 아니다 괜찮다 싶다 원하다 필요하다 이러다 않다".split())  #: 괜찮으면 …
_WILD: Final = re.compile(r"로또|복권|재벌|다시 태어나|백만장자")
_LEADING: Final = frozenset(
    {"든", "게", "자마자", "고서", "러", "으러", "고", "어서", "아서", "면", "으면", "어", "아", "면서", "으면서"}
)
_UNTOLD: Final = ("약속하다", "맹세하다", "알다", "그러다", "이다", "그렇다", "바라다", "빌다")
_ACKNOWLEDGING: Final = ("기억하다", "명심하다")  #: 꼭 기억할게
_SHORTEST, _LONGEST = 3, 60  #: letters
_SENTENCE_END: Final = re.compile(r"[.!?…]\s")


def pledged(telling: Telling) -> Iterator[Finding]:
    """Read what the speaker promises the listener."""
    if not telling.parts:
        return
    said = telling.text[telling.parts[0].clause.start : telling.parts[-1].clause.end + 4]
    sealed = any(_SEALED.search(each) for each in (said, telling.asked))
    vowed = _VOWED.search(said) is not None
    for place, part in enumerate(telling.parts):
        if part.about is None or part.about.subject == "other" or part.says(*_UNTOLD):
            continue
        bound = _will(telling, place, part) and (sealed or _binds(telling, place, part))
        shared = vowed and _is_agreed(telling, place, part)
        if bound or shared or (sealed and _it_is_so(telling, place, part)):
            promise = _promise(telling, place, part)
            if promise is not None:
                yield promise
                return


def _will(telling: Telling, place: int, part: Part) -> bool:
    """…할게, …하겠습니다; also where it was cut up: 보여줄 게 기대해."""
    if part.ending in _WILL:
        return True
    if _solemnly(part):
        return telling.mine(part) and (_for_you(part) or bool(_FIRMLY & part.all_words))
    following = telling.next(place)
    cut = part.clause.head == "것" and part.ending in ("ㄹ", "을") and following is not None
    if not cut or following is None:
        return False
    return following.says("기대하다", "약속하다", "믿다", "기다리다") or "약속" in following.all_words


def _solemnly(part: Part) -> bool:
    predicate = part.clause.predicate
    if predicate is None or part.ending not in ("습니다", "ㅂ니다", "어요", "어") or part.mood == "question":
        return False
    return any(each.tag == "EP" and each.form == "겠" for each in predicate.tail) and predicate.form == "verb"


def _for_you(part: Part) -> bool:
    """Whether a deed is done for the listener: 써 줄게, 보여 드릴게요, 쏠게, 너한테 …."""
    predicate = part.clause.predicate
    if predicate is None:
        return False
    given = predicate.auxiliaries & {"주다", "드리다"} or predicate.lemma in _FOR_YOU
    return bool(given) or any(phrase.pronoun in _LISTENER for phrase in part.clause.phrases)


def _binds(telling: Telling, place: int, part: Part) -> bool:
    """Whether …할게 is said of later, of ever, or of what the listener waits for; not 나 먼저 잘게."""
    led = list(_led_by(telling, place))
    words = frozenset(word for each in (*led, part) for word in each.all_words)
    listener = any(phrase.pronoun in _LISTENER or phrase.owner == "너" for phrase in part.clause.phrases)
    if (_FIRMLY & words) or listener or (part.negated and _NO_MORE & words):
        return True
    start = led[-1].clause.start if led else part.clause.start
    if _WILD.search(telling.text, start, part.clause.end) is not None or part.says(*_AT_ONCE):
        return False
    if _AHEAD.search(telling.text, start, part.clause.end) is not None:
        return True
    gives = part.clause.predicate is not None and bool(part.clause.predicate.auxiliaries & {"주다", "드리다"})
    if any(_is_condition(each) for each in led):
        return gives or not part.says(*_FOR_ONESELF)
    if part.says(*_QUITTING):
        return bool(_NOW_ON & words) and bool(part.clause.phrases)
    if not _for_you(part) or (part.says(*_SOON) and not gives):
        return False
    return bool(_LATER & words) or any(each.ending in _AFTER and not each.says(*_NO_DEED) for each in led)


def _is_condition(part: Part) -> bool:
    """시험 끝나면; not 괜찮으면, 되면."""
    adjective = part.clause.predicate is not None and part.clause.predicate.form == "adjective"
    if part.ending not in ("면", "으면") or part.says(*_IDLE) or (adjective and not part.clause.phrases):
        return False
    return bool(part.clause.phrases) or not part.says("되다", "하다")


def _led_by(telling: Telling, place: int) -> Iterator[Part]:
    """Yield the clauses that lead up to the deed, the nearest first: when, if, for what; not 내일 시험이라."""
    for part in reversed(telling.parts[max(0, place - 3) : place]):
        describes = part.clause.head is not None and part.clause.predicate is not None and not part.past
        if part.clause.final or not (describes or part.ending in _LEADING):
            return
        if part.says("하다", "되다", "있다", "없다") and part.ending in ("어서", "아서"):
            return  # 내일 일찍 나가야 해서
        yield part


def _is_agreed(telling: Telling, place: int, part: Part) -> bool:
    """바다 가자 약속!, 같이 딸기 따러 가요, 약속, 먼저 사과하기 약속."""
    predicate = part.clause.predicate
    if predicate is None or part.past or part.ending not in _TOGETHER or part.mood == "question":
        return False
    if part.ending in ("어요", "아요"):
        near = (*_led_by(telling, place), part)
        return any({"같이", "함께", "우리"} & each.all_words for each in near)
    if part.ending in ("ㄴ다", "는다"):
        return telling.mine(part) and _for_you(part)
    return part.clause.head is None and (predicate.form == "verb" or part.ending == "기")


def _it_is_so(telling: Telling, place: int, part: Part) -> bool:
    """말해주는 거다."""
    following = telling.next(place)
    is_so = following is not None and following.says("이다") and following.closes == "statement"
    return part.clause.head in ("거", "것") and part.ending == "는" and is_so and not part.past


def _promise(telling: Telling, place: int, part: Part) -> Finding | None:
    """Return the deed as a noun, shown with what it hangs on: 시험 끝나면 떡볶이 쏘기."""
    predicate = part.clause.predicate
    if predicate is None or (part.says(*_ACKNOWLEDGING) and not part.clause.phrases):
        return None
    value = _deed(telling, place, part)
    start = min(each.clause.start for each in (*_led_by(telling, place), part))
    led = _SENTENCE_END.split(telling.text[start : predicate.stem[0].start])[-1]  # 고마워, 지수야. 꼭 보러 갈게
    whole = _plain(led + _done(part))
    shown = whole if len(whole) <= _LONGEST else value
    value = value if len(value.replace(" ", "")) > _SHORTEST else shown
    if len(value.replace(" ", "")) <= _SHORTEST or len(value) > _LONGEST:
        return None
    return replace(finding("promise", value, whose=telling.me), shown=shown)


def _deed(telling: Telling, place: int, part: Part) -> str:
    first = _chained(telling, place)
    predicate = part.clause.predicate
    at = index_of(part.clause.morphemes, predicate.stem[-1]) if predicate is not None else None
    if predicate is None or at is None:
        return ""
    if predicate.auxiliaries & {"않다", "말다"}:
        return _plain(telling.text[part.clause.start : predicate.stem[0].start] + _done(part))
    value = deed(telling.text, part.clause.morphemes, at, whole=True)
    if first is not part:
        value = f"{telling.text[first.clause.start : first.clause.end].strip()} {value}"
    return _plain(value)


def _done(part: Part) -> str:
    """Return the predicate in -기, with its helpers: 잊지 않기, 데려가 주기."""
    predicate = part.clause.predicate
    if predicate is None:
        return ""
    tail = [each for each in predicate.tail if each.tag != "EP"]
    tail = tail[: next((at for at, each in enumerate(tail) if each.form == "도록"), None)]
    last = max((at for at, each in enumerate(tail) if each.tag == "VX"), default=-1)
    return join([(each.form, each.tag) for each in (*predicate.stem, *tail[: last + 1])] + [("기", "ETN")])


def _plain(value: str) -> str:
    words = [word for word in value.split() if word not in _FIRMLY]
    while words and words[0] in (
        "나",
        "내가",
        "나는",
        "난",
        "저",
        "제가",
        "저는",
        "그럼",
        "그러면",
        "우리",
        "앞으로는",
        "대신",
    ):
        words = words[1:]
    return " ".join(words)


def _chained(telling: Telling, place: int) -> Part:
    """챙겨 먹을게 is one deed."""
    part = telling.parts[place]
    before = telling.parts[place - 1] if place else part
    return before if before.ending in ("어", "아") and not part.clause.phrases and not before.clause.final else part
