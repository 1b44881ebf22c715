"""What is ahead: plans, promises, things to do. 모레 면접이라, 노래 불러주기로 했잖아, 세금 내는 거 잊지 말아야지."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from gieok.extract.korean.briefly import brief
from gieok.extract.korean.deeds import begins, deed, stem_before, when
from gieok.extract.korean.lexicon import signals
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import Part, Telling, ended, finding
from gieok.language.clauses import Phrase
from gieok.language.morphemes import Morpheme

AHEAD: Final = re.compile(
    r"내일|낼(?:모레|은|\s)|모레|글피|이따가?\s|[월화수목금토일]욜|[월화수목금토일]요일(?:에|날)|이번\s?(?:주|달)(?![가-힣])|다음\s?(?:주|달|해|학기|주말|[월화수목금토일]요일)|담주|담달|내년|내후년|이번\s?(?:주말|[월화수목금토일]요일|여름|겨울|방학|추석|설)|조만간"
    r"|\d{1,2}월(?!생)|\d{1,2}일(?:에|날|까지)|[가-힣\d]{1,6}\s?(?:달|주|일)\s?(?:뒤|후)|연말에|곧|추석|크리스마스에|방학(?:하면|\s?때|에)"
    r"|올(?:여름|겨울|가을|봄|해)|(?:휴가|연휴|명절)\s?(?:때|에)|설날에|졸업하면|전역하면|종강하면"
)
_TELLING_END: Final = frozenset(
    "어 어요 ㄴ다 는다 ㅂ니다 습니다 거든 거든요 는데 어서 음 ㅁ 라 라서 야 예요 에요 고 지 네 니까".split()
)
_SELF: Final = ("나", "저", "우리", "저희")
_YOU: Final = ("너", "당신", "네", "니")
_MINDING: Final = ("잊다", "까먹다", "기억하다", "알다", "기억나다")
_SETTLING: Final = ("하", "약속", "결정", "결심", "다짐", "마음먹", "맘먹", "정하")
_PROMISING: Final = frozenset({"약속하다", "맹세하다"})
_OFF: Final = re.compile(r"없던\s?(?:걸로|일로)|취소|지켜줘서|지켜\s?줘서|완료|무효")
_SWEARING: Final = frozenset({"ㄴ다고", "는다고", "다고", "겠다고", "자고", "기로", "마고"})


def planned(telling: Telling, value: str, said: str) -> Finding:
    """Return the plan `value`; how it was said keeps the day."""
    day = when(said) or next(iter(AHEAD.findall(said)), "")
    shown = f"{day} {value}".strip() if day and not value.startswith(day) else value
    return replace(finding("plan", value, whose=telling.me), shown=shown, surface=said.strip() or value)


def agreed(telling: Telling) -> Iterator[Finding]:
    """V기로 하다: with the listener a promise, else a plan."""
    for part in telling.parts:
        parts = part.clause.morphemes
        for at in range(1, len(parts) - 2):
            three = [(each.form, each.tag) for each in parts[at : at + 2]]
            if three != [("기", "ETN"), ("로", "JKB")]:
                continue
            how = parts[at + 2].form
            if how not in _SETTLING:  # 일찍 자기로 너랑 약속했어
                how = next((each.form for each in parts[at + 3 : at + 6] if each.form in _SETTLING[1:]), "")
            if not how:
                continue
            stem = stem_before(parts, at)
            described = stem is not None and begins(parts, stem) and parts[begins(parts, stem) - 1].tag == "ETM"
            if stem is None or described or part.closes in ("hypothetical", "hearsay") or _theirs(telling, part):
                continue
            yield from _settled(telling, part, stem, how)


def _settled(telling: Telling, part: Part, stem: int, how: str) -> Iterator[Finding]:
    parts = part.clause.morphemes
    giving = any(each.tag == "VX" and each.lemma == "주다" for each in parts[stem : stem + 3])
    listener = any(phrase.pronoun in ("너", "당신", "네", "우리") for phrase in part.clause.phrases)
    following = telling.next(telling.parts.index(part))
    named = part.clause.head == "약속" or (
        following is not None and ("약속" in following.all_words or following.says("약속하다"))
    )
    if part.ending in ("잖아", "잖아요", "지", "죠"):  # 우리 졸업하면 여행 가기로 했잖아
        listener = listener or any(phrase.pronoun == "우리" for each in telling.parts for phrase in each.clause.phrases)
    if (
        named
        or how == "약속"
        or giving
        or (listener and part.ending in ("잖아", "잖아요", "지", "죠"))
        or _between_us(part, following)
    ):
        value = deed(telling.text, parts, stem, whole=True)
        before = telling.parts[telling.parts.index(part) - 1] if part is not telling.parts[0] else None
        if " " not in value and before is not None and before.ending in ("러", "으러"):
            value = f"{telling.text[_argued(before) : before.clause.end].strip()} {value}"  # 벚꽃 보러 가기
        found = finding("promise", value, whose=telling.me)
        yield ended(found) if _OFF.search(telling.text) else found
        return
    if part.closes == "question" or (not part.past and part.clause.head is None and part.ending not in ("ㅁ", "음")):
        return
    said = telling.text[parts[0].start : parts[-1].end]
    if part.clause.head is not None and following is not None and following.clause.phrases:
        thing = next((phrase for phrase in following.clause.phrases if phrase.adnominal), None)
        if thing is not None and signals("plan", "events") & set(thing.words):
            yield planned(telling, thing.text, said)  # 받기로 한 라식 수술
            return
    value = deed(telling.text, parts, stem)
    if how != "하" or not _dated(telling, said, part):
        yield finding("decision", brief(telling.text, parts, stem), whose=telling.me)
    elif value:
        yield planned(telling, value, said)


def _dated(telling: Telling, said: str, part: Part) -> bool:
    """Whether it is for a day or with somebody, and so a plan; else it is only decided: 전과하기로 했어."""
    together = any(phrase.has("랑", "이랑", "하고", "와", "과") for phrase in part.clause.phrases)
    return together or AHEAD.search(telling.text) is not None or bool(when(said))


def _between_us(part: Part, following: Part | None) -> bool:
    """내일 다시 만나기로 해요, 같이 영화 보기로 한 거 잊지 마: agreed with the listener, nobody else being named."""
    if any(
        phrase.has("랑", "이랑", "하고", "와", "과") and phrase.pronoun not in _YOU for phrase in part.clause.phrases
    ):
        return False
    if any(phrase.has("이", "가", "께서") and phrase.pronoun not in (*_SELF, *_YOU) for phrase in part.clause.phrases):
        return False
    if part.clause.head in ("거", "것", "걸") and following is not None and following.says(*_MINDING):
        return True
    together = bool({"같이", "함께", "서로"} & part.all_words) or any(
        phrase.pronoun in ("우리", *_YOU) for phrase in part.clause.phrases
    )
    settling = not part.past and part.clause.head is None and part.mood != "question"
    meeting = settling and part.ending in ("어", "어요", "자") and part.clause.predicate is not None
    return meeting or (together and (part.past or part.clause.head is not None))


def _argued(part: Part) -> int:
    """Return where what is done in `part` begins, past 우리 and 너."""
    stem = part.clause.predicate.stem[-1] if part.clause.predicate is not None else part.clause.morphemes[-1]
    at = index_of(part.clause.morphemes, stem)
    return part.clause.morphemes[begins(part.clause.morphemes, at)].start if at is not None else part.clause.start


def _theirs(telling: Telling, part: Part) -> bool:
    return part.about is None or part.about.subject == "other"


def promised(telling: Telling) -> Iterator[Finding]:
    """약속할게, 거짓말 안 해; 깨워준다고 약속했잖아; 비밀 지켜준다는 약속; 마시겠다고 맹세했으니."""
    for place, part in enumerate(telling.parts):
        before = telling.parts[place - 1] if place else None
        if _theirs(telling, part) or _of_another(part) or (part.says(*_PROMISING) and _of_another(before)):
            continue
        following = telling.next(place)
        found = None
        if part.says(*_PROMISING) and before is not None and before.ending in _SWEARING:
            found = _deed_of(telling, before)
        elif part.says(*_PROMISING) and part.ending.endswith(("ㄹ게", "을게")) and following is not None:
            found = _deed_of(telling, following) if not following.past else None
        elif part.clause.head == "약속" and part.ending.endswith(("다는", "다던", "자는", "자던")):
            found = _deed_of(telling, part)
        elif part.ending.endswith(("ㄴ다", "는다", "ㄴ다고", "는다고")) and _gives(part) and following is not None:
            found = _deed_of(telling, part) if following.says("하다") and following.past else None
        if found:
            promise = finding("promise", found, whose=telling.me)
            yield ended(promise) if _OFF.search(telling.text) else promise
            return


def _of_another(part: Part | None) -> bool:
    """드라마에서 주인공이 돌아오겠다고 약속하더라, 쉽게 내겠다고 약속하셨는데."""
    if part is None or part.clause.predicate is None:
        return False
    seen = part.ending in ("더라", "더라고", "던데", "더라고요", "대", "대요", "래", "래요")
    named = any(phrase.has("이", "가", "께서") and phrase.pronoun is None for phrase in part.clause.phrases)
    return seen or (named and part.says(*_PROMISING)) or (named and part.ending in _SWEARING)


def _gives(part: Part) -> bool:
    return part.clause.predicate is not None and "주다" in part.clause.predicate.auxiliaries


def _deed_of(telling: Telling, part: Part, *, few: bool = False) -> str:
    predicate = part.clause.predicate
    if predicate is None or predicate.form not in ("verb",):
        return ""
    parts = part.clause.morphemes
    at = index_of(parts, predicate.stem[-1])
    if at is None:
        return ""
    return brief(telling.text, parts, at) if few else deed(telling.text, parts, at, whole=True)


def index_of(parts: Sequence[Morpheme], wanted: Morpheme) -> int | None:
    return next((at for at, each in enumerate(parts) if each is wanted), None)


def to_do(telling: Telling) -> Iterator[Finding]:
    """기저귀 사 오라고 알려줘; 자동차세 내는 거 잊지 말아야지; 여권 사진 찍어야 하는데 아직 안 함."""
    for place, part in enumerate(telling.parts):
        following = telling.next(place)
        if _theirs(telling, part) or following is None:
            continue
        told = part.ending in ("라고", "으라고") and any(
            each.says(*signals("todo", "remind")) and not each.past and each.mood != "statement"
            for each in telling.parts[place + 1 : place + 3]
        )
        forgot = following.says(*signals("todo", "forget")) or "깜빡" in following.clause.adverbs
        kept = part.clause.head in ("거", "것", "걸") and forgot and part.ending == "는"
        minded = kept and (
            "깜빡" in following.clause.adverbs
            or following.negated
            or following.past
            or following.ending in ("면", "으면")
        )
        must = "어야" in _endings(part) and following.negated and following.says("하다") and "아직" in telling.text
        due = part.ending == "어야" and following.says("되다", "하다") and not following.past and _due(telling, part)
        if told or minded or must or (due and following.closes == "statement"):
            bare = place and not part.clause.phrases and part.says("오다", "가다", "되다", "하다")
            at = place - 1 if bare else place
            placed = any(phrase.has("에", "에서", "에다") for phrase in telling.parts[at].clause.phrases)
            value = _deed_of(telling, telling.parts[at], few=bool(placed and due))
            if value:
                yield finding("todo", value.removeprefix("퇴근길에").strip(), whose=telling.me)
                return


def _due(telling: Telling, part: Part) -> bool:
    """내일까지 보고서 내야 돼: a deadline, and something to be done."""
    deadline = any(phrase.has("까지") for phrase in part.clause.phrases)
    return deadline and any(not phrase.particles or phrase.has("을", "를") for phrase in part.clause.phrases)


def _endings(part: Part) -> tuple[str, ...]:
    return part.clause.predicate.endings if part.clause.predicate is not None else ()


def schemed(telling: Telling) -> Iterator[Finding]:
    """내년 봄에 결혼할 예정이에요; 순례길 걸을 계획임; 내일 캠핑 갈 거야; 내년에 대학원 가려고."""
    for place, part in enumerate(telling.parts):
        if _theirs(telling, part) or part.negated or part.closes in ("question", "wish", "hypothetical"):
            continue
        said = telling.text[part.clause.start : part.clause.end]
        following = telling.next(place)
        future = part.ending in ("ㄹ", "을")
        head = part.clause.head
        certain = future and head in ("예정", "계획", "작정", "셈")
        dated = is_ahead(telling, place) or part.says(*signals("plan", "resolves")) or bool(event_of(part))
        going = future and dated and head in ("거", "것", "생각") and following is not None and following.says("이다")
        meant = part.ending in ("려고", "으려고") and dated and (part.clause.final or _is_under_way(following))
        if not (certain or going or meant) or (following is not None and (following.past or following.negated)):
            continue
        before = telling.parts[place - 1] if place else None
        bound_for = part.says("가다", "오다") and before is not None and before.ending in ("러", "으러")
        value = event_of(part) or _short(telling, before if bound_for and before is not None else part)
        if value and value.split()[0] not in signals("plan", "no_doing"):
            yield planned(telling, value, said)
            return


def _is_under_way(part: Part | None) -> bool:
    busy = part is not None and part.says("하다", "준비하다", "알아보다", "모으다") and not part.past
    return busy or (part is not None and bool({"준비", "고민"} & part.all_words))


def _short(telling: Telling, part: Part) -> str:
    predicate = part.clause.predicate
    at = index_of(part.clause.morphemes, predicate.stem[-1]) if predicate is not None else None
    return deed(telling.text, part.clause.morphemes, at) if at is not None else ""


def event_of(part: Part) -> str:
    """Return the event that a clause names: 라식 수술, 토익."""
    for phrase in reversed(part.clause.phrases):
        words = [word for word in phrase.words if not when(word)]
        known = words and words[-1] in signals("plan", "events") and not phrase.has("은", "는", "보다", "때문")
        if known and (not phrase.particles or phrase.has("을", "를", "이", "가", "도", "에")):
            sat = part.says("보다", "치다", "치르다") and words[-1] in signals("plan", "exams")
            return " ".join(words[-2:]) + (" 시험" if sat else "")
    predicate = part.clause.predicate
    made = predicate.lemma.removesuffix("하다") if predicate is not None else ""
    return made if made in signals("plan", "events") else ""


def dated(telling: Telling) -> Iterator[Finding]:
    """모레 면접이라; 다음 달 7일에 토익 봐; 9월에 체코 가거든; 이사 취소됐어."""
    for part in telling.parts:
        if _theirs(telling, part) or part.clause.head is not None:
            continue
        if part.says(*signals("plan", "cancelled")) and not part.negated and part.closes == "statement":
            event = event_of(part)
            if event:
                yield ended(finding("plan", event, whose=telling.me))
                return
        said = telling.text[part.clause.start : part.clause.end]
        if AHEAD.search(said) is None or not _stands(telling, part):
            continue
        value = event_of(part) or _journey(telling, part)
        if value:
            yield planned(telling, value, said)
            return


def _stands(telling: Telling, part: Part) -> bool:
    """Whether a clause with a day ahead tells what will be, not what is asked, wished or was."""
    if part.past or part.negated or part.closes in ("wish", "hearsay", "command"):
        return False
    if part.mood == "question" or (part.mood in ("hypothetical", "wish") and part.ending not in ("거든", "거든요")):
        return False
    return part.clause.predicate is None or part.ending in _TELLING_END


def _journey(telling: Telling, part: Part) -> str:
    """9월에 체코 가거든: where to, if it is the speaker who goes."""
    if not part.says("가다", "떠나다", "놀러가다", "다녀오다", "입대하다", "출국하다", "이사가다", "만나다"):
        return ""
    others = any(p.has("이", "가") and p.pronoun not in _SELF for p in part.clause.phrases)
    there = any(_is_place(telling, phrase) for phrase in part.clause.phrases)
    return _short(telling, part) if there and not others else ""


def _is_place(telling: Telling, phrase: Phrase) -> bool:
    fitting = not phrase.particles or phrase.has("로", "으로", "에", "을", "를")
    return fitting and phrase.pronoun is None and phrase.morphemes[-1].tag == "NNP"


def is_ahead(telling: Telling, place: int) -> bool:
    """Whether a day ahead is said with the clause, right beside it, or in the question."""
    part, before, after = telling.parts[place], telling.parts[place - 1] if place else None, telling.next(place)
    near = [part]
    if before is not None and not before.clause.ends_with.startswith((".", "?", "!")):
        bare = before.clause.predicate is None or before.ending in ("러", "으러", "고", "어서")
        near += [before] if bare else []
    if after is not None and part.clause.head is not None:
        near.append(after)
        after = telling.next(place + 1)
    if after is not None and (after.clause.predicate is None or after.ending in ("어서", "고")):
        near.append(after)
    if any(AHEAD.search(telling.text[each.clause.start : each.clause.end]) for each in near):
        return True
    return AHEAD.search(telling.asked) is not None and len(telling.parts) < 3
