"""What somebody lives by, told by what they do: 택시 몰아, 꽃집 해요, 중학교에서 과학 가르쳐요, 구로에서 개발해요.

Doing a thing is not yet a trade. It is one where nobody does it otherwise (who drives a bus, who keeps a shop), or
where it is told with a place of work, with the years, or as what somebody is: 용접하는 사람입니다.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.korean.kinds import is_company, is_place
from gieok.extract.korean.lexicon import signals
from gieok.extract.korean.reading import Finding, Reading
from gieok.language.clauses import Clause, Phrase

_OBJECT: Final = ("을", "를", "도", "만")
_THERE: Final = ("에서", "서")
_KEEPING: Final = ("하다", "운영하다", "경영하다", "꾸리다")
_OPENING: Final = ("차리다", "개업하다", "오픈하다", "열다")
_GOING: Final = ("다니다", "일하다", "근무하다", "댕기다", "하다")
_NOT_YET: Final = frozenset("다가 려고 으려고 러 으러 려면 면 으면 게 어야 자 ㄹ까 을까 느라".split())
_FOR_ANOTHER: Final = frozenset({"주다", "드리다", "보다", "싶다"})  # 번역해 줘, 개발해 봤어
_YEARS: Final = re.compile(r"\d\s?년\s?(?:째|차|됐|되|정도|이|넘|$)|[가-힣]\s년\s?(?:째|차)|평생|해째")
_TO_WHOM: Final = ("한테", "에게", "께", "한테서")
_CLASSES: Final = frozenset("애들 아이들 학생들 애 아이 학생 꼬맹이들 중학생 고등학생 초등학생".split())
_SCHOOLS: Final = ("초등학교", "중학교", "고등학교", "여고", "여중", "남고", "남중", "외고", "공고", "특수학교", "학교")
_LESSONS: Final = ("학원", "문화센터", "교습소", "공부방", "복지관", "아카데미", "스튜디오", "어학당")
_WORKED_ON: Final = {"개발": "developed", "영업": "sold"}
_LIVING: Final = ("먹고살다", "벌어먹다", "벌어먹고살다", "밥벌이하다")
#: what one gets ready for, all day long
_PREPARING: Final = {
    "취업": "취준생",
    "공시": "공시생",
    "공무원": "공시생",
    "공무원시험": "공시생",
    "임용": "임용고시생",
    "임용고시": "임용고시생",
    "고시": "고시생",
    "수능": "수험생",
}
_STUDYING: Final = {
    "재수": "재수생",
    "삼수": "삼수생",
    "사수": "N수생",
    "반수": "반수생",
    "취준": "취준생",
    "휴학": "휴학생",
    "취업준비": "취준생",
    "공시준비": "공시생",
}
_ON_THE_SIDE: Final = frozenset({"부업", "투잡", "쓰리잡", "N잡"})


def trade(reading: Reading) -> Iterator[Finding]:
    """Read what somebody does for a living, and where."""
    named = _named_after(reading)
    if named is not None:
        yield named
        return
    if not _goes_on(reading):
        return
    for way in (_on_the_side, _drives, _keeps_shop, _interns, _teaches, _studies, _plies, _lives_by):
        findings = list(way(reading))
        if findings:
            yield from findings
            return


def _goes_on(reading: Reading) -> bool:
    """Whether it is told as done day by day: 몰아요, 몬 지 10년; 차렸어요 holds as well."""
    predicate = reading.predicate
    if predicate is None or predicate.form == "copula" or predicate.negated or reading.formerly:
        return False
    if predicate.past and not reading.says(*_OPENING):
        return False
    if predicate.auxiliaries & _FOR_ANOTHER or _NOT_YET & {*predicate.endings[-1:]}:
        return False
    if any(ending.startswith(("려", "으려")) for ending in predicate.endings):
        return False  # 치킨집 하려던 거 접고
    return predicate.endings[-1:] not in (("ㄴ",), ("은",)) or reading.clause.head == "지"


def _drives(reading: Reading) -> Iterator[Finding]:
    """버스를 몹니다, 야간에 택시 모는 사람입니다, 레미콘 몬 지 10년."""
    if not reading.says("몰다", "모다", "운전하다"):  # Kiwi takes 모는 for a verb that is none
        return
    for phrase in _objects(reading):
        if phrase.words[-1].endswith(tuple(signals("trade", "vehicles"))):
            yield _job(f"{phrase.words[-1]}기사", phrase.text)
            yield from _workplace(reading)
            return


def _keeps_shop(reading: Reading) -> Iterator[Finding]:
    """꽃집 해요, 남편이랑 횟집 해요, 동네에 빨래방 차렸어요."""
    opened = reading.says(*_OPENING) and reading.past
    if any(word in reading.text for word in ("알바", "아르바이트")):
        return  # 고깃집 그대로 하면서 키즈카페 알바도
    if not opened and not reading.says(*_KEEPING) and not _as_a_shop(reading):
        return
    for phrase in _objects(reading):
        if _is_shop(phrase.words[-1]) and not phrase.pointed:
            yield _job(f"{_named(phrase)} 운영", phrase.text)
            return


def _as_a_shop(reading: Reading) -> bool:
    """가게 해요, 꽃집: Kiwi hears one let go, and what kind of shop it is comes behind."""
    said = reading.text[reading.clause.start : reading.clause.end].lstrip()
    return reading.says("가다") and said.startswith("가게 ")


def _named_after(reading: Reading) -> Finding | None:
    """장사해요. 꽃집: what kind of shop it is comes behind."""
    before, phrase = reading.before, reading.complement
    if before is None or phrase is None or reading.negated or reading.past or len(reading.clause.phrases) > 1:
        return None
    said = reading.text[before.start : before.end]
    keeps = re.search(r"(?:가게|장사)(?:를)?\s?(?:해|합니다|하고|하는|하거|함)", said) is not None
    if not keeps or not _is_shop(phrase.words[-1]) or phrase.words[-1] == "가게":
        return None
    return _job(f"{_named(phrase)} 운영", phrase.text)


def _is_shop(word: str) -> bool:
    return word.endswith(tuple(signals("trade", "shops")))


def _interns(reading: Reading) -> Iterator[Finding]:
    """보건소에서 인턴 중이에요, 광고회사 인턴하는 24살, 인턴으로 광고회사 다녀요."""
    assert reading.predicate is not None, "it goes on"
    lemma = reading.predicate.lemma
    as_one = next((phrase for phrase in reading.rest if phrase.words[-1].endswith("인턴")), None)
    if lemma.endswith("인턴하다"):
        post = lemma.removesuffix("하다")
    elif as_one is not None and reading.says(*_GOING) and (not as_one.particles or as_one.has("로", "으로", *_OBJECT)):
        post = as_one.words[-1]
    else:
        return
    yield _job(post, post)
    others = (phrase for phrase in reading.rest if phrase is not as_one and phrase.pronoun is None)
    place = next((phrase for phrase in others if not phrase.particles or phrase.has("에", *_THERE)), None)
    if place is not None and _is_workplace(place.words[-1]):
        yield _at(_named(place))


def _teaches(reading: Reading) -> Iterator[Finding]:
    """중학교에서 과학 가르쳐요, 기간제로 수학 가르쳐요, 대구에서 영어 가르쳐요; not 동생한테 수학 가르쳐."""
    if not reading.says("가르치다") or any(phrase.has(*_TO_WHOM) for phrase in reading.rest):
        return
    subject = next((p.words[-1] for p in _objects(reading)), "")
    if not subject:
        return
    place = next((p for p in (*reading.rest, *_alone_after(reading)) if p.has(*_THERE)), None)
    role = _role(place, hired=any(p.words[-1] in ("기간제", "정교사", "시간강사") for p in reading.rest))
    if role is None:
        return
    known = subject not in _CLASSES and not subject.endswith("들")
    where = _named(place) if place is not None else ""
    yield _job(f"{subject} {role}" if known else f"{where} {role}".strip(), subject)
    if where and not is_place(where):
        yield _at(where)


def _role(place: Phrase | None, *, hired: bool) -> str | None:
    """Return what one who teaches there is called."""
    word = place.words[-1] if place is not None else ""
    if hired or word.endswith(_SCHOOLS):
        return "강의" if word.endswith("대학교") else "교사"
    if word.endswith(_LESSONS) or (place is not None and is_place(word)):
        return "강사"
    return "강의" if word.endswith(("대학", "대학원", "여대")) else None


def _studies(reading: Reading) -> Iterator[Finding]:
    """재수해요, 휴학 중이에요, 취업 준비 중이에요, 공무원 시험 준비해요."""
    assert reading.predicate is not None, "it goes on"
    done = reading.predicate.lemma.removesuffix("하다")
    if reading.clause.head in ("거", "걸", "것"):
        return  # 휴학하는 걸로 했어
    if done in _STUDYING and reading.predicate.endings[-1:] not in (("어서",), ("고",)):  # 반수해서 약대 왔어
        yield _job(_STUDYING[done], done)
    elif done == "준비":
        named = ("".join(_without_time(phrase.words)) for phrase in _objects(reading))
        for thing in (name.removesuffix("시험") if name != "시험" else name for name in named):
            if thing in _PREPARING:
                yield _job(_PREPARING[thing], thing)
                return


def _plies(reading: Reading) -> Iterator[Finding]:
    """구로에서 개발해요, 용접해요 조선소에서, 도배한 지 20년, 앱 개발하는 사람입니다, 택배 일 해요."""
    craft, thing = _craft(reading)
    if craft is None:
        return
    there = next((p for p in (*reading.rest, *_alone_after(reading)) if p.has(*_THERE)), None)
    placed = there is not None and (is_place(there.words[-1]) or _is_workplace(there.words[-1]))
    being = reading.clause.head is not None and reading.clause.head != "지"
    lasting = _YEARS.search(reading.text, reading.clause.start, _reach(reading.after, reading.clause)) is not None
    known = bool(signals("trade", _WORKED_ON[craft]) & set(thing.split())) if craft in _WORKED_ON else False
    if placed or being or lasting or known or thing.endswith("일"):
        value = f"{thing} {craft}".strip() if craft != "일" else thing.removesuffix("일").strip()
        yield _job(value, value)
        if there is not None and placed and there.words[-1] != "회사":
            yield _at(_named(there))


def _lives_by(reading: Reading) -> Iterator[Finding]:
    """웹툰 그려서 먹고살아요, 글 써서 먹고살아."""
    before = reading.before
    lives = reading.says(*_LIVING) or "먹고살" in reading.text[reading.clause.start : reading.clause.start + 6]
    if not lives or before is None or before.predicate is None or before.predicate.negated:
        return
    done = next((p for p in reversed(before.phrases) if not p.particles or p.particles[0] in _OBJECT), None)
    if done is not None and done.pronoun is None and before.predicate.endings[-1:] in (("어서",), ("고",), ("며",)):
        yield _job(_named(done), done.text)


def _craft(reading: Reading) -> tuple[str | None, str]:
    """Return the craft that a clause tells of and what it is done to: 개발 | 앱."""
    assert reading.predicate is not None, "it goes on"
    crafts = signals("trade", "crafts")
    objects = list(_objects(reading))
    thing = objects[-1] if objects else None
    done = reading.predicate.lemma.removesuffix("하다")
    if done in crafts:
        return done, thing.words[-1] if thing is not None and not thing.pointed else ""
    if thing is None or thing.pointed or thing.adnominal:
        return None, ""
    if reading.says("하다") and thing.words[-1] in crafts:
        return thing.words[-1], " ".join(thing.words[:-1][-1:])
    work = _without_time(thing.words)
    if reading.says("하다", "다니다", "나가다") and work[-1:] == ("일",) and len(work) > 1:
        return ("일", " ".join(work)) if not signals("trade", "no_work") & set(work[:-1]) else (None, "")
    return None, ""


def _on_the_side(reading: Reading) -> Iterator[Finding]:
    """투잡으로 결혼식 사회 봐요, 부업은 사주 봐주는 거."""
    side = next((p for p in reading.clause.phrases if p.words[-1] in _ON_THE_SIDE), None)
    if side is None or not side.has("로", "으로", "은", "는", "이", "가"):
        return
    assert reading.predicate is not None, "it goes on"
    objects = [phrase for phrase in _objects(reading) if phrase is not side]
    done = reading.predicate.lemma.removesuffix("하다")
    value = _named(objects[-1]) if objects else done if done != reading.predicate.lemma else ""
    if value:
        yield Finding(attribute="part_time_job", value=value, shown=value, surface=value)


def _objects(reading: Reading) -> Iterator[Phrase]:
    """Yield what something is done to, the nearest to the verb first."""
    for phrase in reversed(reading.rest):
        fitting = not phrase.particles or phrase.particles[0] in _OBJECT
        if fitting and phrase.pronoun is None and _without_time(phrase.words):
            yield phrase


def _alone_after(reading: Reading) -> Sequence[Phrase]:
    """남자 중학교에서 of "수학 가르쳐요, 남자 중학교에서"."""
    after = reading.after
    return after.phrases if after is not None and after.predicate is None and len(after.phrases) == 1 else ()


def _reach(after: Clause | None, clause: Clause) -> int:
    return after.end if after is not None and (after.predicate is None or clause.head == "지") else clause.end


def _workplace(reading: Reading) -> Iterator[Finding]:
    there = next((phrase for phrase in reading.rest if phrase.has(*_THERE)), None)
    if there is not None and _is_workplace(there.words[-1]):
        yield _at(_named(there))


def _is_workplace(word: str) -> bool:
    return is_company(word) or word.endswith(("회사", "업체")) or word in signals("trade", "employers")


def _named(phrase: Phrase) -> str:
    """Return the words of `phrase` but for those that tell when."""
    return " ".join(_without_time(phrase.words))


def _without_time(words: Sequence[str]) -> tuple[str, ...]:
    """Return `words` but for those that tell when, how long or, stuck to its particle, where: 30년째, 영월서."""
    return tuple(
        word
        for word in words
        if word not in signals("trade", "when")
        and not word.endswith(("년째", "년차", "개월째"))
        and not (word.endswith("서") and is_place(word[:-1]))
    )


def _job(value: str, surface: str) -> Finding:
    return Finding(attribute="job", value=value, shown=value, surface=surface)


def _at(place: str) -> Finding:
    return Finding(attribute="workplace", value=place, shown=place, surface=place)
