"""What comes in place of something given up: the value that stands where a new one is named.

After 이다, in 로 with what turns (바뀌다, 갈아타다), or with what is done now (다니다, 살다, 키우다). What is merely
done once (피자 먹었어), asked for or wished takes no place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.korean.farewells import Manner, Spot, bought, verbs_of
from gieok.extract.korean.favourite_kinds import genus_of
from gieok.extract.korean.kinds import KINDS
from gieok.extract.korean.lexicon import change_words, lexicon, signals
from gieok.extract.korean.patterns import Pattern, patterns
from gieok.extract.korean.reading import BOUND_NOUNS
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.values import READERS, Value
from gieok.language.clauses import Clause, Phrase, clauses
from gieok.language.mood import mood
from gieok.language.wording import josa

_BEST: Final = frozenset("최고 1등 일등 으뜸 원픽 최애 1위 1순위 일순위 인생작".split())
_IDLE: Final = frozenset(
    "이젠 나 저 내 제 이제 지금 요즘 거 것 사실 원래 말 이번 주 취미 꿈 별명 최애 다시 진짜 내가 제가 "
    "입 입맛 취향 체질 정확 실제 얘기 이야기 현재 요새 최근 "
    "그거 그게 이거 이게 오늘 어제 정정 수정 종 쪽 편 때 중 참 그것 우리 동안 뒤 후 "
    " 다음 전 옆 마음 생각 친구 사람 애 제목 이름 상태 "
    "미안 죄송 죄송해요 진심 정말 솔직 올해 작년 지난달 이번달 이쪽 저쪽 그쪽 오타 실수 착각".split()
)
_PREFERRED: Final = frozenset("좋다 좋아지다 끌리다 좋아하다 땡기다 당기다 맛있다 재밌다 재미있다 낫다".split())
_GROWN: Final = frozenset("좋아지다 끌리다".split())
_ONCE: Final = frozenset("오늘 어제 내일 방금 아까 점심 저녁 아침 모레 그제 한번 잠깐".split())
_BEGINNINGS: Final = {
    "workplace": frozenset("출근 입사 재직 근무 취업 합격 이직 직원 사원 신입 소속".split()),
    "school": frozenset("입학 합격 재학 편입 학생 재학생 신입생 등록 소속".split()),
    "exercise": frozenset("등록 시작 수강 회원권 회원".split()),
    "nationality": frozenset("사람 국적 국민 시민권 영주권 시민".split()),
    "residence": frozenset("입주 전입 거주 주민 생활 자취 입성 사람 삼 산다".split()),
}
_DEEDS: Final = frozenset("성공 완료 이직 이사 변경 전과 편입 취업 확정 결정 환승 정착".split())
_COME_TO: Final = frozenset({"residence", "workplace", "school", "major"})
_COMING: Final = frozenset("오다 가다 옮겨오다 넘어오다 내려오다 올라오다".split())
_DAY: Final = re.compile(r"\d{1,2}일")
_ALLERGY: Final = re.compile(r"([가-힣]{1,8})\s?(?:알레르기|알러지)(?!\s?(?:없|아니))")
_LONE: Final = re.compile(
    r"([가-힣A-Za-z]{1,8}?)(?:(?:이?요|이?라고|이?라니까)(?=[\s.,!~ㅋㅎㅠ]|$)|(?:이야|야|임)?\s?(?=[.,!~ㅋㅎㅠ]|$))"
)
_MISSPOKEN: Final = re.compile(r"헷갈|잘못|실수|라고|라니까|했잖|오타|착각")
_QUOTES: Final = re.compile("['\"‘’“”]")
_TASTES: Final = ("likes", "favorite.", "hobby", "exercise", "dislikes")


def replacement(
    text: str, manner: Manner, at: Spot, start: int, said: Sequence[Clause], pattern: Pattern, old: str, *, strict: bool
) -> Value | None:
    """Return the value that `text` names in place of `old`, which is given up at `at`: after `start`, or before it.

    With `strict` it must be of the attribute's own kind.
    """
    after = _QUOTES.sub("", text[start:]) if manner != "unlike" else ""
    earlier = said[: at.place + 1] if manner not in ("replaced", "said") else ()
    for told, clauses_of_it, outdone in ((after, clauses(after), False), (text, earlier, True)):
        for place in range(len(clauses_of_it)):
            spots = _named(told, manner, clauses_of_it, place, pattern, outdone=outdone and manner == "outdone")
            for first, last in spots:
                value = _read(told[first:last], pattern, old, strict=strict)
                if value is not None and not (told is text and first < at.end and last > at.start):
                    return value
    denied = manner == "replaced" and ("아니" in text[at.end : start] or _MISSPOKEN.search(after))  # not 커피 말고 물!
    return _right_after(after, pattern, old) if denied else None


def _right_after(after: str, pattern: Pattern, old: str) -> Value | None:
    """오이 아니고 가지!; 와인 말고 위스키요 제가 헷갈렸어요; 새우는 아니고 게 알레르기래요: a word of the same kind."""
    allergy = _ALLERGY.match(after) if pattern.attribute == "allergy" else None
    if allergy is not None:
        return Value(value=allergy[1], shown=allergy[1], surface=allergy[1])
    word = _LONE.match(after) if pattern.attribute.startswith(_TASTES) else None
    kind = taste_words().kind_of(old)
    if word is None or not kind or taste_words().kind_of(word[1]) != kind:
        return None
    return READERS["noun"](word[1])


def _without_best(said: str) -> str:
    """안성탕면이 최애, where 이 is taken for a part of the name."""
    name, _, last = said.rpartition(" ")
    return name[:-1] if last in _BEST and name[1:] and josa(name[:-1], "이/가") == name else said


def _read(words: str, pattern: Pattern, old: str, *, strict: bool) -> Value | None:
    said = _without_kind(_without_copula(_without_best(words.strip(" ,.!~?")), pattern.attribute), pattern)
    if not said or _idle(said) or genus_of(said.split()[-1]) == pattern.attribute:
        return None
    taste = pattern.attribute.startswith("favorite.") or pattern.attribute in ("likes", "hobby")
    if taste and len(said) > 2:
        said = said.removesuffix("파")
    if pattern.value == "month_day" and _DAY.fullmatch(said):
        said = f"{int(old[:2])}월 {said}"  # 3월 8일 말고 18일
    value = READERS[pattern.value](said)
    if value is None and not strict and (pattern.free or pattern.value in ("noun", "name", "job")):
        value = READERS["noun"](said)
    if value is None or value.value == old or _idle(value.value):
        return None
    people = taste_words().persons | lexicon().kin | lexicon().address
    if pattern.attribute.startswith(_TASTES) and (value.value in people or said in people):
        return None  # 그건 우리 언니고
    jobless = pattern.attribute in ("workplace", "school", "residence") and lexicon().is_job(value.value)
    return None if jobless else value  # 네이버 그만뒀어 이제 백수임


def _without_copula(said: str, attribute: str) -> str:
    """아시아나야, read as one name, is 아시아나."""
    bare = said.removesuffix("야")
    kind = _NAMED_KINDS.get(attribute)
    return bare if kind is not None and bare != said and KINDS[kind](bare.split()) is not None else said


_NAMED_KINDS: Final = {"workplace": "company", "school": "school", "residence": "town"}


def _without_kind(said: str, pattern: Pattern) -> str:
    """다이소 알바 is 다이소, 네이버 출근 첫 주 is 네이버."""
    words = said.removesuffix(" 쪽").removesuffix(" 쪽으").split()
    if pattern.attribute in _BEGINNINGS:
        first = next((at for at, word in enumerate(words) if word in _BEGINNINGS[pattern.attribute]), None)
        words = words[:first] if first else words
    while len(words) > 1 and words[-1] in pattern.labels | pattern.nouns:
        words.pop()
    while len(words) > 1 and (words[0] in _IDLE or words[0] in pattern.labels | pattern.nouns):
        words.pop(0)
    return " ".join(words)


def _idle(value: str) -> bool:
    last = value.split()[-1] if value.split() else ""
    words = change_words()
    idle = last in _IDLE or last in words.wrong["nouns"] or value in words.over_nouns
    idle = idle or last in signals("values", "none")
    return idle or _is_label(last) or last.startswith(("최애", "인생"))


def _is_label(word: str) -> bool:
    return word in patterns().by_label or word in patterns().by_favourite or word in _BEST


def newly_named(text: str, pattern: Pattern, old: str) -> Value | None:
    """Return the value that `text`, an answer, names in place of `old`, which it does not name itself."""
    nowhere = Spot(start=-1, end=-1, place=-1, phrase=None)
    return replacement(text, "over", nowhere, 0, (), pattern, old, strict=False)


def _named(
    text: str, manner: Manner, said: Sequence[Clause], place: int, pattern: Pattern, *, outdone: bool
) -> Iterator[tuple[int, int]]:
    """Yield where in `text` a new value may stand."""
    clause = said[place]
    if outdone:
        yield from _tried(said, place)
    if clause.predicate is not None and clause.predicate.negated:
        return
    meant = clause.predicate is not None and clause.predicate.lemma in change_words().became["meant"]
    if meant and clause.head in ("거", "것", "건"):
        yield from (_whole(said, place, p) for p in clause.phrases if p.has("을", "를"))
    yield from (_whole(said, place, p) for p in clause.phrases if p.has("야", "이야"))  # 다이소 알바야 내가 하는 알바
    if clause.head is not None or not _may_name(clause, pattern.attribute):
        return
    done = list(doings(clause))
    yield from done
    if not done:
        slots = (phrase for phrase in _slots(clause, manner, pattern) if not _is_bound(phrase, pattern.attribute))
        yield from (_whole(said, place, phrase) for phrase in slots)


def _is_bound(phrase: Phrase, attribute: str) -> bool:
    """안 나간 지 좀 됐어요, 사서 될거임: no place, no job."""
    return attribute in _COME_TO | {"job", "part_time_job"} and phrase.words[0] in BOUND_NOUNS


def _may_name(clause: Clause, attribute: str) -> bool:
    """Whether a clause of this mood names a value; what one wishes may be a dream, what one asks for a nickname."""
    said = mood(clause)
    if said == "question" and clause.predicate is not None and not clause.ends_with.startswith("?"):
        said = "wish" if clause.predicate.endings[-1:] in (("ㄹ래",), ("을래",)) else said  # 프로파일러 할래
    return said in ("statement", "fragment", "hearsay", _FURTHER.get(attribute))


_FURTHER: Final = {"dream": "wish", "goal": "wish", "plan": "wish", "nickname": "command", "name": "command"}


def _slots(clause: Clause, manner: Manner, pattern: Pattern) -> Iterator[Phrase]:
    """Yield the phrases that stand where a new value is named."""
    predicate = clause.predicate
    fitting = [p for p in clause.phrases if p.pronoun is None and not p.pointed and not p.has("도", "부터", "까지")]
    fitting = [p for p in fitting if p.words[0] != "지"]  # 안 나간 지 반년
    if predicate is None or predicate.form == "copula":
        yield from _said_to_be(clause, fitting, manner)
        return
    hoped = _wished(clause) and pattern.attribute not in ("dream", "goal", "plan")
    taste = pattern.attribute.startswith(_TASTES)
    if hoped or (taste and _ONCE & ({word for p in clause.phrases for word in p.words} | set(clause.adverbs))):
        return
    words = change_words().became
    verbs = set(verbs_of(clause))
    if pattern.attribute in _COME_TO and verbs & _COMING and predicate.past:
        bare = pattern.attribute == "major"  # 국문과 탈출해서 문헌정보 왔음
        yield from (p for p in reversed(fitting) if p.has("로", "으로") or (bare and not p.particles))
    if bought(clause):
        yield from (p for p in reversed(fitting) if not p.particles or p.has("을", "를"))  # 그 돈으로 클라이밍 끊음
        return
    if verbs & (words["turned"] | words["begun"]):
        yield from (p for p in reversed(fitting) if p.has("로", "으로"))
        if verbs & words["begun"]:
            yield from (p for p in reversed(fitting) if not p.particles or p.has("에", "을", "를", "이", "가"))
        return
    if any(p.has("로", "으로") and patterns().by_label.get(p.words[-1]) is pattern for p in fitting):
        yield from (p for p in fitting if p.has("을", "를"))  # 요리사를 목표로 하기로 했어
    better = manner != "compared" or _better(clause, pattern)
    now = not predicate.past or bool(verbs & _GROWN)  # 고양이가 더 좋아졌어
    if manner != "left" and better and now and any(_now(verb, pattern) for verb in verbs):
        yield from (p for p in reversed(fitting) if not p.has("은", "는", "보다", "한테", "랑", "이랑", "하고"))


def _now(verb: str, pattern: Pattern) -> bool:
    """Whether doing `verb` with something says that the attribute is so now."""
    return any(fitting.fits(pattern.attribute) for fitting in change_words().now.get(verb, ()))


def _wished(clause: Clause) -> bool:
    return clause.predicate is not None and "싶다" in clause.predicate.auxiliaries


def _better(clause: Clause, pattern: Pattern) -> bool:
    """강아지가 더 좋아, of things one may like."""
    taste = pattern.attribute.startswith(_TASTES)
    return taste and clause.predicate is not None and clause.predicate.lemma in _PREFERRED


def _said_to_be(clause: Clause, fitting: Sequence[Phrase], manner: Manner) -> Iterator[Phrase]:
    last = clause.phrases[-1] if clause.phrases else None
    if last is None or (manner == "compared" and clause.predicate is None):
        return
    if last.words[-1] in _DEEDS:  # 삼성전자로 이직 성공
        yield from (p for p in reversed(fitting) if p.has("로", "으로"))
        return
    if manner == "compared" and not any(p.has("보다") for p in clause.phrases):
        return
    side_job = len(last.words) > 1 and last.words[-1] in ("알바", "아르바이트")  # 인형탈 알바야
    if not side_job and (_BEST & set(last.words) or _is_label(last.words[-1])):
        stuck = last if last.words[-1] in _BEST and len(last.words) > 1 else None
        yield from (p for p in reversed(fitting) if p is stuck or p.has("이", "가", "은", "는"))
    elif manner == "taken_back" and clause.predicate is None:
        return  # … 거짓말이었어 미안
    elif last in fitting and (
        not last.particles or (clause.predicate is None and last.has("로", "으로", "요", "이요"))
    ):
        yield last


def _tried(said: Sequence[Clause], place: int) -> Iterator[tuple[int, int]]:
    """마파두부 먹어보고 …는 2등으로 밀려났어."""
    clause = said[place]
    if (
        clause.predicate is not None
        and not clause.predicate.negated
        and clause.predicate.lemma in change_words().became["tried"]
    ):
        for phrase in clause.phrases:
            if phrase.pronoun is None and (not phrase.particles or phrase.has("을", "를")):
                yield _whole(said, place, phrase)


def _whole(said: Sequence[Clause], place: int, phrase: Phrase) -> tuple[int, int]:
    """Return where `phrase` stands, with what modifies it: 눈 오는 날."""
    start, end = phrase.morphemes[0].start, max(part.end for part in phrase.morphemes)
    before = said[place - 1] if place else None
    if phrase.adnominal and before is not None and before.head is not None and phrase.words[0].startswith(before.head):
        inside = [p for p in before.phrases if p.pronoun is None and not p.has("은", "는")]
        start = min([part.start for part in phrase.adnominal] + [p.morphemes[0].start for p in inside[-1:]])
    return start, end


def doings(clause: Clause) -> Iterator[tuple[int, int]]:
    """전시회 다니기로 갈아탐, 식물 키우기입니다: a verb in -기, with its object."""
    words = change_words().became
    turning = bool({"이다", *words["turned"], *words["begun"]} & set(verbs_of(clause) or ("이다",)))
    for number, part in enumerate(clause.morphemes):
        begins = any(m.form == "시작" for m in clause.morphemes[number + 1 :])
        if part.tag != "ETN" or part.form != "기" or number == 0 or not (turning or begins):
            continue
        objects = [p for p in clause.phrases if p.pronoun is None and p.morphemes[-1].end <= part.start]
        near = [p for p in objects if not p.particles or p.has("을", "를")]
        yield (near[-1].morphemes[0].start if near else clause.morphemes[number - 1].start), part.end
