"""What somebody cannot bear, told by what happens: 메밀 한 젓가락에 목이 붓고, 엘리베이터만 타면 식은땀."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.lexicon import signals
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.symptoms import portion_cut, touched
from gieok.extract.korean.telling import Part, Telling, ended, finding
from gieok.extract.korean.whose import PERSONS
from gieok.language.clauses import Phrase

_ONCE: Final = (
    "면",
    "으면",
    "다가",
    "었다가",
    "니까",
    "으니까",
    "고",
    "더니",
    "었더니",
    "자마자",
    "어도",
    "고서",
    "어서",
)
_SPOKEN_OF: Final = ("란", "이란", "라는", "이라는", "라던")  #: 결혼 공포증이란 말도 있더라
_CAUSE: Final = ("을", "를", "만", "에", "도", "은", "는", "한테", "이", "가", "이랑", "랑")
_EXAMINED: Final = (
    "검사",
    "병원",
    "의사",
    "진단",
    "결과",
    "피부과",
    "내과",
    "이비인후과",
    "소아과",
    "쌤이",
    "샘이",
    "선생님이",
    "원장님",
)


def allergic(telling: Telling) -> Iterator[Finding]:
    """Read allergies whose cause stands apart, or which are told by the reaction."""
    if any(part.closes == "hypothetical" for part in telling.parts):
        return
    for place, part in enumerate(telling.parts):
        cause = (
            _by_word(telling, place, part)
            or _by_reaction(telling, place, part)
            or _by_portion(telling, part)
            or _by_blame(telling, part)
        )
        if cause is not None:
            yield finding("allergy", _without_portion(telling, cause), whose=telling.me)
            return


def _without_portion(telling: Telling, cause: str) -> str:
    """땅콩버터 한 입 is 땅콩버터; where 땅콩 is shunned since, it is 땅콩."""
    said = portion_cut(cause)
    shunned = (p.text for part in telling.parts if part.negated for p in part.clause.phrases if p.has("은", "는"))
    return next((thing for thing in shunned if len(thing) > 1 and said.startswith(thing)), said)


def _by_word(telling: Telling, place: int, part: Part) -> str | None:
    """알러지 있어 나, 토마토에; 조심해야 하는 게 사과예요, 알레르기라서; 검사했더니 나 밀가루 알레르기래."""
    named = next((p for p in part.clause.phrases if _names_it(p)), None)
    heard = part.mood == "hearsay" and any(word in telling.text for word in _EXAMINED)
    if named is None or not telling.mine(part) or (_denied(part) and not _blamed(named)):
        return None
    if part.closes not in ("statement", "fragment") and not heard:
        return None
    if (part.clause.head or "").removesuffix("들") in PERSONS and not _is_me(telling, place):
        return None
    inside = _cause_before(telling, part, named)
    if inside is not None:
        return inside if heard or _stated(part, named) else None
    beside = (*telling.parts[place + 1 : place + 3], *reversed(telling.parts[max(0, place - 2) : place]))
    for other in beside:
        if (other.negated and not other.says("먹다")) or other.closes == "question":
            continue
        cause = next((p for p in reversed(other.clause.phrases) if _may_cause(telling, p, other)), None)
        if cause is not None:
            return telling.said(cause)
    return None


def _denied(part: Part) -> bool:
    return part.negated or part.says("없다", "아니다")


def _blamed(named: Phrase) -> bool:
    """복숭아 알레르기 때문에 못 먹어: what is denied is the eating."""
    return len(named.words) > 2 and named.words[-1] in ("때문", "땜", "땜시", "탓")


def _is_me(telling: Telling, place: int) -> bool:
    following = telling.next(place)
    named = following.clause.phrases if following is not None and following.says("이다") else ()
    said = bool(named) and not named[-1].particles
    return said or telling.names_me(place)


def _names_it(phrase: Phrase) -> bool:
    return any(word in signals("allergy", "words") for word in phrase.words)


_HAVING: Final = ("진단", "판정", "환자", "반응", "때문", "땜", "땜시", "탓", "체질", "보유자")


def _stated(part: Part, named: Phrase) -> bool:
    """Whether an allergy that is named is one somebody has: not 알레르기 약, not 알레르기 검사."""
    if part.ending.endswith(("다고", "라고")):
        return False  # 있다고 가정하면
    after = named.words[next(at for at, word in enumerate(named.words) if word in signals("allergy", "words")) + 1 :]
    diagnosed = after[:1] in tuple((word,) for word in _HAVING)
    says = part.clause.predicate is None or part.says(
        "있다", "이다", "심하다", "생기다", "받다", "나다", "올라오다", "오다"
    )
    return diagnosed or (not after and says)


def _cause_before(telling: Telling, part: Part, named: Phrase) -> str | None:
    at = next(at for at, word in enumerate(named.words) if word in signals("allergy", "words"))
    said = " ".join(named.words[:at])
    none = signals("allergy", "no_cause") | telling.words.no_allergen
    return touched(said, named) if said and said.split()[-1] not in none else None


def _may_cause(telling: Telling, phrase: Phrase, part: Part) -> bool:
    """A thing right beside the word: 토마토에, 사과예요, 아몬드만 조심하면 돼."""
    if phrase.pronoun is not None or phrase.pointed or phrase.words[-1] in signals("allergy", "no_cause"):
        return False
    if _names_it(phrase) or phrase.morphemes[-1].tag == "NNB":
        return False
    if part.clause.predicate is None:
        return len(part.clause.phrases) == 1 and (not phrase.particles or phrase.has("에", "요", "이요"))
    inside = part.says("들어가다", "들다") and part.clause.head in ("거", "것", "건", "음식", "게")
    shunned = inside or part.says(*signals("allergy", "shunning")) or (part.says("먹다", "마시다") and part.negated)
    is_it = part.says("이다") and phrase is part.clause.phrases[-1] and _of_thing(part, phrase)
    return (shunned and (not phrase.particles or phrase.has("을", "를", "만", "은", "는"))) or is_it


def _of_thing(part: Part, phrase: Phrase) -> bool:
    subject = next((p for p in part.clause.phrases if p is not phrase and p.has("이", "가", "은", "는", "ㄴ")), None)
    thing = subject is None or subject.pronoun is not None or subject.words[-1] in ("것", "거", "게", "건")
    return thing and not phrase.particles


def _by_reaction(telling: Telling, place: int, part: Part) -> str | None:
    """강아지 안으면 바로 재채기에 눈물 콧물이야; 새우 먹었다가 두드러기 난 적 있음."""
    if not telling.mine(part) or not part.says(*signals("allergy", "taking")) or part.negated:
        return None
    if not part.ending.endswith(_ONCE) or part.closes in ("question", "wish"):
        return None
    then = telling.parts[place + 1 : place + 4]
    if not any(_reacts(each) for each in then) or any(each.closes == "question" for each in then):
        return None
    cause = next((p for p in reversed(part.clause.phrases) if _taken(telling, p)), None)
    return telling.said(cause) if cause is not None else None


def _reacts(part: Part) -> bool:
    if part.negated or (part.mood in ("wish", "hearsay") or "같다" in _lemmas(part)):
        return False
    return bool(signals("allergy", "marks") & part.all_words) or part.says(*signals("allergy", "signs"))


def _helpers(part: Part) -> frozenset[str]:
    return part.clause.predicate.auxiliaries if part.clause.predicate is not None else frozenset()


def _lemmas(part: Part) -> frozenset[str]:
    return frozenset({part.clause.predicate.lemma}) if part.clause.predicate is not None else frozenset()


def _taken(telling: Telling, phrase: Phrase) -> bool:
    fitting = not phrase.particles or phrase.has(*_CAUSE)
    return fitting and phrase.pronoun is None and phrase.words[-1] not in signals("allergy", "no_cause")


def _by_blame(telling: Telling, part: Part) -> str | None:
    """고양이 털 때문에 재채기가 멈추질 않아."""
    if not telling.mine(part) or part.closes != "statement":
        return None
    if not {"두드러기", "재채기", "발진", "콧물"} & part.all_words and not part.says(*signals("allergy", "signs")):
        return None
    for phrase in part.clause.phrases:
        if phrase.words[-1] in ("때문", "땜") and phrase.words[:-1]:
            cause = phrase.words[:-1]
            known = cause[-1] in signals("allergy", "no_cause") or cause[-1] in signals("allergy", "words")
            return None if known or phrase.pointed else " ".join(cause)
    return None


def _by_portion(telling: Telling, part: Part) -> str | None:
    """메밀국수 한 젓가락에 목이 부어서."""
    if not telling.mine(part) or part.closes == "question" or not _reacts(part):
        return None
    for phrase in part.clause.phrases:
        if phrase.has("에", "만") and phrase.words[-1] in signals("allergy", "portion") and len(phrase.words) > 2:
            return " ".join(phrase.words[:-2])
    return None


def afraid(telling: Telling) -> Iterator[Finding]:
    """Read fears told by what the body does, and fears whose object stands apart."""
    for place, part in enumerate(telling.parts):
        if part.about is None or part.about.subject == "other" or part.closes in ("question", "wish", "hearsay"):
            continue
        thing = _named_fear(telling, place, part)
        if thing is None and "공포증" not in telling.text:
            shivering = _shivering(telling, place, part) or _out_of_the_question(telling, part)
            thing = shivering or _fear_beside(telling, place)
        if thing:
            yield finding("phobia", thing, whose=telling.me)
            return
    yield from _overcome(telling)


def _overcome(telling: Telling) -> Iterator[Finding]:
    """이제 뱀 사진 봐도 멀쩡해, 공포증 극복함."""
    if not any(part.says("극복하다", "이겨내다") and not part.negated for part in telling.parts):
        return
    for phrase in (phrase for part in telling.parts for phrase in part.clause.phrases):
        thing = next((word for word in phrase.words if word in signals("fear", "feared")), None)
        if thing is not None:
            yield ended(finding("phobia", thing, whose=telling.me))
            return


def _named_fear(telling: Telling, place: int, part: Part) -> str | None:
    """새 공포증 있는 나한테; 무대공포증 때문에; 구멍 무늬 공포가 심한 편이라."""
    for phrase in part.clause.phrases:
        at = next((at for at, word in enumerate(phrase.words) if word.endswith(tuple(signals("fear", "words")))), None)
        denied = part.negated and part.says("있다", "이다", "심하다", "아니다")
        if at is None or denied or part.says("없다", "극복하다", "이기다"):
            continue
        word = phrase.words[at]
        bare = word.removesuffix("공포증").removesuffix("공포").removesuffix("포비아")
        after = phrase.words[at + 1 :]
        told = after[:1] in (("때문",), ("땜",), ("환자",)) or (
            not after and part.says("있다", "심하다", "이다", "크다")
        )
        if (part.clause.head or "").removesuffix("들") in PERSONS and not telling.names_me(place):
            continue
        if not told or part.ending in _SPOKEN_OF or "영화" in after or (word == "공포" and not phrase.words[:at]):
            continue
        return word if word.endswith("공포증") and bare else " ".join((*phrase.words[:at], bare)).strip()
    return None


def _shivering(telling: Telling, place: int, part: Part) -> str | None:
    """높은 곳 생각만 해도 식은땀이 나요; 엘리베이터 앞에서 얼어붙는 사람 나임; 지네 때문에 기절할 뻔."""
    then = telling.parts[place : place + 4]
    hard = any(_dreads(each) for each in then) or (_blames(part) and any(_cannot_go(each) for each in then))
    soft = any(signals("fear", "soft_signs") & each.all_words and each.says(*signals("fear", "soft")) for each in then)
    if not hard and not soft:
        return None
    someone = part.clause.head in ("사람", "어른이", "인간", "어른") and not telling.names_me(place)
    describing = part.clause.head is not None and part.clause.predicate is not None
    adjective = describing and part.clause.predicate is not None and part.clause.predicate.form == "adjective"
    if (someone and not part.clause.final) or adjective:
        return None
    for phrase in part.clause.phrases:
        thing, known = _dreaded(telling, phrase, part)
        if thing == "불" and part.says("끄다", "꺼지다"):
            return "어둠"
        if thing is not None and (known or (hard and phrase.words[-1] in signals("fear", "around"))):
            return thing
    return None


def _blames(part: Part) -> bool:
    return any(phrase.words[-1] in ("때문", "땜") for phrase in part.clause.phrases)


def _cannot_go(part: Part) -> bool:
    return part.says("가다", "타다", "들어가다", "지나가다", "올라가다", "자다") and "못" in part.clause.adverbs


def _out_of_the_question(telling: Telling, part: Part) -> str | None:
    """겁쟁이라고 놀려도 육교만은 진짜 안 돼; 뱀은 진짜 안 돼, 기절해."""
    scared = any(word in telling.text for word in ("겁", "무서", "무섭", "공포"))
    fleeing = any(_dreads(each) and not each.past for each in telling.parts)
    if not (scared or fleeing) or not part.says("되다") or not part.negated or part.past:
        return None
    for phrase in part.clause.phrases:
        topic = phrase.has("만") or (fleeing and phrase.has("은", "는"))
        if topic and phrase.words[-1] in signals("fear", "feared") and not phrase.pointed:
            return phrase.text
    return None


def _dreads(part: Part) -> bool:
    trembles = part.says(*signals("fear", "reactions")) and not part.negated
    return trembles or bool(
        signals("fear", "signs")
        & (part.all_words - ({"소리"} if not part.says("지르다") and part.ending != "어도" else set()))
        and part.says("나다", "돋다", "지르다", "저리다", "풀리다", "오다", "흐르다", "질리다")
    )


def _dreaded(telling: Telling, phrase: Phrase, part: Part, *, met: bool = False) -> tuple[str | None, bool]:
    """Return the thing that a phrase is about, and whether people are known to fear it."""
    if phrase.pronoun is not None or phrase.pointed or signals("fear", "no_fear") & set(phrase.words):
        return None, False
    words = list(phrase.words)
    while len(words) > 1 and words[-1] in signals("fear", "around"):
        words.pop()
    said = " ".join(words)
    place = bool(phrase.adnominal) and words[0] in ("곳", "데", "물")
    if place:
        said = telling.said(phrase)
        said = said[: said.index(words[0]) + len(words[0])] if words[0] in said else said
    fitting = not phrase.particles or phrase.has(
        "만", "도", "에", "에서", "을", "를", "한테", "이", "가", "앞에서", "은", "는", "라도", "이라도"
    )
    met = (
        met
        or part.ending == "라도"
        or len(words) < len(phrase.words)
        or part.says(*signals("fear", "meeting"))
        or part.clause.head is not None
    )
    known = words[-1] in signals("fear", "feared") or place
    if len(said) < 2 and not known:
        return None, False
    return (said, known) if fitting and met and words[-1] not in signals("fear", "around") else (None, False)


def _fear_beside(telling: Telling, place: int) -> str | None:
    """무서워 좁은 곳; 못 견디는 게 거미예요, 무서워서; 쥐만은 못 버텨 무서워서; 천둥 무섭다고 하면 웃는데."""
    part = telling.parts[place]
    if not part.says("무섭다", "무서워하다", "무서워지다", "두렵다", "겁나다") or part.negated:
        return None
    if part.past and "지다" not in _helpers(part):
        return None
    own = [
        phrase
        for phrase in part.clause.phrases
        if phrase.pronoun is None
        and not phrase.has("한테", "에게", "에서")
        and phrase.text not in ("제일", "가장", "진짜")
    ]
    if own and own[-1].words[-1] in ("거", "것", "게", "건") and own[-1].adnominal and place:
        met = telling.parts[place - 1].clause.phrases  # 비행기 타는 게 무서워
        return next((word for p in reversed(met) for word in p.words if word in signals("fear", "feared")), None)
    if own:
        thing, known = _dreaded(telling, own[-1], part, met=True)
        return (
            thing
            if known and (not own[-1].particles or own[-1].has("이", "가", "은", "는", "만", "을", "를"))
            else None
        )
    near = (*telling.parts[place + 1 : place + 3], *reversed(telling.parts[max(0, place - 2) : place]))
    for other in near:
        for phrase in reversed(other.clause.phrases):
            words = phrase.words[-1:] if other.says("이다", "버티다", "견디다", "참다") else phrase.words
            place_feared = bool(phrase.adnominal) and words[0] in ("곳", "데")
            known = " ".join(words) in signals("fear", "feared") or place_feared
            fitting = other.clause.predicate is None or other.says(
                "이다", "버티다", "견디다", "참다", "타다", "가다", "보다"
            )
            if (
                phrase.words[-1] in ("때문", "땜")
                and phrase.words[-2:-1]
                and phrase.words[-2] in signals("fear", "feared")
            ):
                return phrase.words[-2]
            if known and fitting and phrase.pronoun is None:
                return telling.said(phrase) if phrase.adnominal and words[0] in ("곳", "데") else words[-1]
    return None
