"""Pets that are given away: 기니피그 사료값 올랐네, 고양이 집사입니다, 우리 루나 병원 데려갔다 왔어."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.lexicon import lexicon, signals
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import Part, Telling, ended, finding, person_named
from gieok.extract.korean.values import READERS
from gieok.extract.korean.whose import Whose
from gieok.language.clauses import Phrase

_OURS: Final = frozenset({"우리", "저희", "나"})
_OVER: Final = frozenset({"던", "ㄹ", "을", "려면", "으려면", "면", "ㄴ다면", "는다면", "다면", "ㄹ까", "을까"})
_GONE: Final = (
    "무지개다리",
    "무지개 다리",
    "하늘나라",
    "죽었",
    "별이 됐",
    "별이 되었",
    "떠나보냈",
    "세상을 떠",
    "하늘로 갔",
)
_KINDLESS: Final = frozenset({"반려견", "반려묘"})
_HOMES: Final = frozenset("집 우리집 본가 자취방 마당 시골집 고향집 친정 시골".split())
_BABIES: Final = frozenset("막둥이 애 애기 아기 아이 새끼 막내 반려견 반려묘 댕댕이 냥이 강아지 고양이 털뭉치".split())
_BESIDE: Final = ("앞", "옆", "뒤", "밖", "위", "밑")
_GENERIC: Final = frozenset({"고양이", "강아지", "개", "반려견", "반려묘"})
_ASTIR: Final = ("깨우다", "핥다", "짖다", "골골대다", "꾹꾹이하다", "할퀴다", "올라오다")
_WHEN: Final = (None, "시간", "때", "거", "것", "게", "중", "날", "일", "타이밍", "차례")
_NOT_MINE: Final = ("친구", "옆집", "이웃", "이모", "고모", "삼촌", "할머니", "언니", "오빠", "누나", "형", "동생")


def kept(telling: Telling) -> Iterator[Finding]:
    """Read which animals live with the speaker."""
    for place, part in enumerate(telling.parts):
        for phrase in part.clause.phrases:
            animal, after = _animal(phrase)
            if animal is None or not _may_be_ours(telling, part, animal):
                continue
            if animal in HOMONYMS and not part.says(*_RAISING):
                continue  # 우리 이제 말 놓을까?
            if animal in _KINDLESS and _names_a_kind(telling):
                continue  # 반려견이 두 마리야, 둘 다 푸들
            if _is_kept(telling, place, part, phrase, after):
                found = _pet(telling, animal)
                yield ended(found) if gone(telling.text) else found
                yield from _named(phrase, animal, after)
                yield from _aged(telling, place, phrase, animal)
                yield from (_pet(telling, other) for other in _beside(phrase, animal))
                return
    yield from _by_name(telling)


def _names_a_kind(telling: Telling) -> bool:
    words = (word for part in telling.parts for phrase in part.clause.phrases for word in phrase.words)
    return any(word not in _KINDLESS and _is_animal(word) for word in words)


def _animal(phrase: Phrase) -> tuple[str | None, tuple[str, ...]]:
    """Return the last animal that a phrase names, and the words after it."""
    for at in range(len(phrase.words) - 1, -1, -1):
        if _is_animal(phrase.words[at]):
            return phrase.words[at], _without_count(phrase.words[at + 1 :])
    return None, ()


def _without_count(after: tuple[str, ...]) -> tuple[str, ...]:
    """두 마리 아빠 is an 아빠."""
    at = next((at for at, word in enumerate(after) if word.endswith("마리")), -1)
    return after[at + 1 :]


def gone(text: str) -> bool:
    """Say whether an animal is spoken of that lives no more."""
    return any(said in text for said in _GONE)


def _is_animal(word: str) -> bool:
    animals = lexicon().of_class("animal")
    return word in animals or lexicon().canonical.get(word) in animals


def _may_be_ours(telling: Telling, part: Part, animal: str) -> bool:
    if part.about is None or (part.about.subject == "other" and part.about.subject_id != animal):
        return False
    if any(part_.about is not None and part_.about.subject_id in _NOT_MINE for part_ in telling.parts):
        return False
    return not any(phrase.words[0].removesuffix("네") in _NOT_MINE for phrase in part.clause.phrases if phrase.words)


_STRAYS: Final = frozenset("길냥이 길고양이 들고양이 유기묘 유기견".split())  #: fed by many, kept by few


def _is_kept(telling: Telling, place: int, part: Part, phrase: Phrase, after: tuple[str, ...]) -> bool:
    if part.closes in ("wish", "hypothetical", "hearsay") or (part.negated and part.says(*_KEEPING)):
        return False
    return (
        (_keeps(part) and part.clause.head is None and telling.mine(part) and part.mood == "statement" and not after)
        or (not _STRAYS & set(phrase.words) and _cared_for(part, after))
        or _keeper(telling, part, phrase, after)
        or _brought_up(telling, place, part, phrase)
        or _owned(part, phrase, after)
        or _lives_with(part, phrase)
        or _waits_at_home(telling, part, phrase)
        or _counted(telling, part, phrase)
    )


#: Animals whose names are common words first: speech, new, amount.
HOMONYMS: Final = frozenset({"말", "새", "양", "게", "벌"})
_RAISING: Final = ("키우다", "기르다", "모시다", "돌보다")
_KEEPING: Final = ("키우다", "기르다", "모시다", "있다", "없다", "아니다")


def _cared_for(part: Part, after: tuple[str, ...]) -> bool:
    """거북이 밥 줄 시간, 러시안블루 사료값."""
    if part.closes == "question" or part.clause.head not in _WHEN:
        return False  # 고양이 밥 주는 아저씨
    if not after:
        return part.says(*signals("pet", "care_verbs"))
    if after[0] not in signals("pet", "care"):
        return False
    doing = part.says(*signals("pet", "doing")) and not part.says("사다")
    return doing or after[0] in signals("pet", "care_only")


def _keeper(telling: Telling, part: Part, phrase: Phrase, after: tuple[str, ...]) -> bool:
    """고양이 집사입니다, 강아지 보호자로서."""
    years = after[1:] == () or after[-1].endswith(("년차", "개월차", "년째"))
    if not years or after[:1] == () or after[0] not in signals("pet", "keepers") or part.negated:
        return False
    if part.closes == "question":
        return False
    is_one = part.clause.predicate is None or part.says("이다")
    last = phrase is part.clause.phrases[-1] and not phrase.particles
    lives_as = phrase.has("로", "으로") and part.says("살다", "지내다")
    return lives_as or phrase.has("로서", "으로서") or (is_one and last and telling.mine(part))


def _brought_up(telling: Telling, place: int, part: Part, phrase: Phrase) -> bool:
    """제가 입양해서 키우는 고슴도치 사진; 앵무새 키우는 사람 여기 있음."""
    before = telling.parts[place - 1] if place else None
    if before is not None and phrase.modifier in signals("pet", "keeping") and gone(telling.text):
        return telling.mine(before)  # 키우던 햄스터가 어제 죽었어
    if before is not None and phrase.adnominal and before.clause.head is not None and _keeps(before):
        return telling.mine(before) and not any(p.has("이", "가") and not p.pronoun for p in before.clause.phrases)
    if not _keeps(part) or part.clause.head not in signals("pet", "bred_by") or phrase.has("이", "가", "은", "는"):
        return False
    following = telling.next(place)
    as_one = following is not None and any(p.has("로서", "으로서") for p in following.clause.phrases)
    return as_one or part.clause.head in ("입장", "처지", "집사", "나", "저") or telling.names_me(place)


def _keeps(part: Part) -> bool:
    keeping = part.says(*signals("pet", "keeping"))
    return keeping and not part.negated and part.ending not in _OVER and not part.past


def _owned(part: Part, phrase: Phrase, after: tuple[str, ...]) -> bool:
    """우리 고양이 모카가, 내 앵무새."""
    phrases = part.clause.phrases
    place = phrases.index(phrase)
    before = phrases[place - 1] if place else None
    if not _is_animal(phrase.words[0]) and phrase.words[0] not in ("집", "우리집", "막내", "첫째", "둘째"):
        return False  # 내 이름 대신 냥냥이
    if phrase.has("로", "으로", "처럼", "같이"):
        return False  # 너를 내 강아지로 임명한다
    ours = phrase.owner in _OURS or (before is not None and before.pronoun in ("우리", "저희") and not before.particles)
    house = phrase.words[0] in ("우리집", "집") and (before is not None and before.pronoun in ("우리", "저희"))
    if phrase.words[0] == "집" and not house:
        return False
    return (ours or house) and not part.says("없다", "아니다") and after[:1] not in (("카페",), ("인형",))


def _lives_with(part: Part, phrase: Phrase) -> bool:
    """고양이 두 마리랑 살아."""
    together = phrase.has("랑", "이랑", "와", "과", "하고") and part.says(*signals("pet", "company"))
    return together and not part.negated and not part.past and part.closes != "question"


def _waits_at_home(telling: Telling, part: Part, phrase: Phrase) -> bool:
    """집에 가면 고양이가 기다려."""
    housed = any(p.words[-1] in _HOMES and p.has("에", "엔") for p in part.clause.phrases)
    lone = part.clause.predicate is None and phrase is part.clause.phrases[-1] and part.closes == "statement"
    if housed and phrase.words[-1] not in _HOMES and (lone or (part.says("있다", "살다") and not part.negated)):
        return part.closes != "question" and not part.past  # 본가에 진돗개 있어; 우리 집엔 물고기만 열 마리
    home = any("집" in each.all_words or "퇴근" in each.all_words or each.says("퇴근하다") for each in telling.parts)
    waits = part.says("기다리다", "반기다", "마중나오다", "반겨주다", "있다", "살다") and not part.negated
    return home and waits and phrase.has("이", "가") and len(phrase.words) == 1 and part.closes == "statement"


def _counted(telling: Telling, part: Part, phrase: Phrase) -> bool:
    """앵무새 세 마리, 이름은 도 레 미; 강아지 한 마리 있어요; but 카페에 강아지 한 마리 있어요."""
    if "마리" not in phrase.words or phrase.adnominal or phrase.pointed or phrase.particles or not telling.mine(part):
        return False
    own = all(each is phrase or each.pronoun in ("나", "저") for each in part.clause.phrases)
    if not own or part.past or part.negated or part.closes == "question" or phrase.words[0] in signals("pet", "wild"):
        return False
    lone = part.clause.predicate is None and not part.clause.adverbs
    told = len(telling.parts) == 1 or any(
        {"이름", *signals("pet", "keepers")} & each.all_words for each in telling.parts if each is not part
    )
    return (lone and told) or (part.says("있다") and part.clause.head is None and part.mood == "statement")


def _beside(phrase: Phrase, animal: str) -> Iterator[str]:
    """강아지 한 마리 고양이 두 마리: the others that are counted with it."""
    for word, _, counter in zip(phrase.words, phrase.words[1:], phrase.words[2:], strict=False):
        if counter == "마리" and word != animal and _is_animal(word):
            yield word


def _pet(telling: Telling, animal: str) -> Finding:
    value = READERS["animal"](animal)
    assert value is not None, "an animal was found by the same reader"
    return finding("pet", value.value, surface=animal, whose=telling.me)


def _named(phrase: Phrase, animal: str, after: tuple[str, ...]) -> Iterator[Finding]:
    """우리 고양이 모카가, 우리 강아지 녀석 콩이가."""
    after = called_after(after)
    ownish = phrase.particles and len(after) == 1 and after[0] not in signals("pet", "no_name")
    proper = phrase.morphemes[-1].tag == "NNP" or not phrase.morphemes[-1].known
    if ownish and proper:
        yield finding("name", after[0], whose=Whose(subject="other", subject_id=animal))


def called_after(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return `words` without what an animal is called fondly before its name: 녀석 치즈."""
    return words[1:] if len(words) > 1 and words[0] in signals("kin_named", "fondly") else words


def _aged(telling: Telling, place: int, phrase: Phrase, animal: str) -> Iterator[Finding]:
    """열두 살 먹은 말티즈, 다섯 살 푸들."""
    before = telling.parts[place - 1] if place and phrase.adnominal else None
    told = before is not None and before.says("먹다", "되다") and before.clause.head == animal
    said = " ".join(p.text for p in before.clause.phrases) if told and before is not None else phrase.text
    age = READERS["age"](said) if "살" in said else None
    if age is not None:
        yield finding("age", age.value, surface=age.surface, whose=Whose(subject="other", subject_id=animal))


def _by_name(telling: Telling) -> Iterator[Finding]:
    """우리 루나 먹여야 하는데, 러시안블루 …: a name of ours, and the only animal that is spoken of."""
    animals = [
        animal
        for part in telling.parts
        for phrase in part.clause.phrases
        if (animal := _animal(phrase)[0]) is not None
        and animal not in signals("pet", "wild")
        and phrase.words[0].removesuffix("네") not in _NOT_MINE
    ]
    animals = [animal for animal in animals if animal not in _GENERIC] or animals
    if len(set(animals)) != 1 or any(part.closes in ("wish", "hypothetical", "hearsay") for part in telling.parts):
        return
    words = {word for part in telling.parts for word in part.all_words}
    if words & {"옆집", "이웃집", "이웃", "윗집", "아랫집", "앞집"}:
        return
    for part in telling.parts:
        name = _our_one(part)
        if name is not None and _homely(telling, part):
            yield _pet(telling, animals[0])
            if name not in ("애", "아이", "막내", "애기"):
                yield finding("name", name, whose=Whose(subject="other", subject_id=animals[0]))
            return
        if _our_baby(telling) and part.says("이다") and _is_said_to_be(part, animals[0]):
            yield _pet(telling, animals[0])
            return
        name = _is_a(telling, part, animals[0]) or _astir(telling, part)
        if name is not None:
            yield _pet(telling, animals[0])
            yield finding("name", name, whose=Whose(subject="other", subject_id=animals[0]))
            return


def _is_said_to_be(part: Part, animal: str) -> bool:
    return bool(part.clause.phrases) and part.clause.phrases[-1].words == (animal,)


def _our_baby(telling: Telling) -> bool:
    """우리 애기 …, 내 새끼 …."""
    for part in telling.parts:
        for before, phrase in zip((None, *part.clause.phrases), part.clause.phrases, strict=False):
            ours = phrase.owner in _OURS or (before is not None and before.pronoun in ("우리", "저희"))
            if ours and _BABIES & set(phrase.words):
                return True
    return False


def _our_one(part: Part) -> str | None:
    for before, phrase in zip(part.clause.phrases, part.clause.phrases[1:], strict=False):
        if before.pronoun not in ("우리", "저희") or before.particles:
            continue
        name = phrase.words[0]
        if name not in signals("pet", "ours_not") and not _is_animal(name) and len(name) <= 4:
            called = len(name) > 1 or (bool(phrase.words[1:]) and phrase.words[1] not in _BESIDE)
            return name if called else None
    return None


def _homely(telling: Telling, part: Part) -> bool:
    said = part.all_words | ({part.clause.predicate.lemma} if part.clause.predicate is not None else set())
    return bool((signals("pet", "homely") | signals("pet", "care")) & said) or any(
        word.startswith("때문") for word in said
    )


def _astir(telling: Telling, part: Part) -> str | None:
    """새벽마다 나비가 올라와서 깨우는데."""
    following = telling.next(telling.parts.index(part))
    stirs = part.says(*_ASTIR) and (not part.says("올라오다") or (following is not None and following.says(*_ASTIR)))
    subject = next((p for p in part.clause.phrases if p.has("이", "가") and p.pronoun is None), None)
    if not stirs or part.past or subject is None or len(subject.words) != 1 or _is_animal(subject.words[0]):
        return None
    return subject.words[0] if 2 <= len(subject.words[0]) <= 3 and subject.words[0] not in telling.words.kin else None


def _is_a(telling: Telling, part: Part, animal: str) -> str | None:
    """초코가 리트리버라."""
    phrases = part.clause.phrases
    if not part.says("이다") or part.past or part.closes == "question" or len(phrases) < 2:
        return None
    ours = phrases[0].pronoun in ("우리", "저희") and not phrases[0].particles
    subject, kind = phrases[1 if ours else 0], phrases[-1]
    if kind.words != (animal,) or not subject.has("이", "가", "은", "는") or len(subject.words) != 1:
        return None
    if ours and subject.particles[:2] == ("이", "는"):
        return f"{subject.text}이"  # 우리 콩이는 말티즈야
    return person_named(subject, telling.words)
