"""People and animals around somebody: pets and their names, best friends, love and family."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.reading import Finding, Reading
from gieok.extract.korean.values import READERS
from gieok.extract.korean.whose import Whose
from gieok.language.clauses import Phrase

_PARTNERS: Final = frozenset("남친 여친 남자친구 여자친구 애인 남편 아내 와이프 썸남 썸녀 짝".split())
_SPOUSES: Final = frozenset({"남편", "아내", "와이프"})
_BEST_FRIENDS: Final = frozenset("베프 절친 단짝 찐친 소꿉친구 불알친구".split())
_SIBLINGS: Final = frozenset("언니 오빠 누나 형 동생 여동생 남동생 딸 아들 자매 형제 쌍둥이".split())
_COUNTS: Final = {"하나": 1, "둘": 2, "셋": 3, "넷": 4, "다섯": 5}
#: what happened between two people, and how things stand since
_TURNS_OF_LOVE: Final = {
    "헤어지다": "이별", "차이다": "이별", "이별하다": "이별", "결혼하다": "기혼", "이혼하다": "이혼", "약혼하다": "약혼",
    "사귀다": "연애중", "연애하다": "연애중", "갈라서다": "이혼", "파혼하다": "이별",
}  # fmt: skip


def love(reading: Reading) -> Iterator[Finding]:
    """나 헤어졌어, 저 남친 생겼어요, 여친 없어."""
    predicate = reading.predicate
    if predicate is None or reading.clause.head is not None:
        return
    status = _TURNS_OF_LOVE.get(predicate.lemma)
    if status is not None and not predicate.negated and (predicate.past or status == "연애중"):
        if not any(_is_object(phrase) for phrase in reading.rest):
            yield _status(status)
        return
    partner = next((phrase.words[-1] for phrase in reading.rest if phrase.words[-1] in _PARTNERS), None)
    if partner is None or reading.about.phrase is not None and reading.about.subject == "other":
        return
    if predicate.lemma in ("있다", "생기다") and not predicate.negated:
        yield _status("기혼" if partner in _SPOUSES else "연애중")
    elif predicate.lemma == "없다" or (predicate.lemma == "있다" and predicate.negated):
        yield _status("솔로")


def _is_object(phrase: Phrase) -> bool:
    return phrase.has("이", "가") and phrase.pronoun is None


def _status(status: str) -> Finding:
    return Finding(attribute="relationship_status", value=status, shown=status, surface=status)


def pets(reading: Reading) -> Iterator[Finding]:
    """우리 강아지, 우리 집 고양이 나비, 강아지 이름은 초코야."""
    for phrase in reading.clause.phrases:
        animal = next((word for word in phrase.words if READERS["animal"](word)), None)
        if animal is None:
            continue
        value = READERS["animal"](animal)
        ours = phrase.owner == "우리" or _ours(reading, phrase)
        if value is None or not ours:
            continue
        yield Finding(attribute="pet", value=value.value, shown=value.shown, surface=animal, whose=reading.me)
        after = phrase.words[phrase.words.index(animal) + 1 :]
        if len(after) == 1 and phrase.particles:
            yield Finding(attribute="name", value=after[0], shown=after[0], surface=after[0], whose=_pet(value.value))
    yield from _pet_name(reading)


def _ours(reading: Reading, phrase: Phrase) -> bool:
    place = reading.clause.phrases.index(phrase)
    before = reading.clause.phrases[place - 1] if place else None
    return phrase.words[0] in ("집", "우리집") or (before is not None and before.pronoun in ("우리", "저희"))


def _pet_name(reading: Reading) -> Iterator[Finding]:
    """강아지 이름은 초코야; 강아지 키워! 이름은 뭉치야."""
    phrase = reading.complement
    if phrase is None:
        return
    for label in reading.clause.phrases:
        if label is phrase or not label.words or label.words[-1] != "이름":
            continue
        animal = next((word for word in label.words if READERS["animal"](word)), None) or _animal_before(reading)
        name = READERS["name"](phrase.words[-1])
        if animal and name and label.owner is None:
            yield Finding(attribute="name", value=name.value, shown=name.value, surface=name.surface, whose=_pet(animal))
            return


def _animal_before(reading: Reading) -> str | None:
    if reading.before is None or reading.before.predicate is None:
        return None
    if reading.before.predicate.lemma not in ("키우다", "기르다", "있다", "데려오다", "입양하다"):
        return None
    words = (word for phrase in reading.before.phrases for word in phrase.words)
    return next((word for word in words if READERS["animal"](word)), None)


def _pet(animal: str) -> Whose:
    return Whose(subject="other", subject_id=animal)


def friends(reading: Reading) -> Iterator[Finding]:
    """베프 민지가 …: somebody's best friend has a name."""
    for phrase in reading.clause.phrases:
        if phrase.words[0] in _BEST_FRIENDS and len(phrase.words) == 2 and phrase.morphemes[-1].tag == "NNP":
            yield Finding(attribute="friend", value=phrase.words[1], shown=phrase.words[1], surface=phrase.words[1])


def siblings(reading: Reading) -> Iterator[Finding]:
    """위로 언니 둘 있고, 여동생 있어."""
    if not reading.says("있다", "없다") or reading.clause.head is not None:
        return
    for phrase in reading.rest:
        for place, word in enumerate(phrase.words):
            if word not in _SIBLINGS or phrase.has("은", "는", "랑", "한테"):
                continue
            count = next((_COUNTS[other] for other in phrase.words[place + 1 :] if other in _COUNTS), None)
            shown = f"{word} {count}명" if count else word
            absent = reading.says("없다") or reading.negated
            yield Finding(
                attribute="family", value=shown, shown=shown, surface=phrase.text, polarity="-" if absent else "+"
            )
            return


def called(reading: Reading) -> Iterator[Finding]:
    """나 김서준이라고 해, 친구들은 나보고 감자라고 불러."""
    predicate = reading.predicate
    phrase = reading.complement
    if predicate is None or phrase is None or predicate.reported is None or predicate.negated:
        return
    others = any(other.has("보고", "한테", "더러", "를", "을") and other.pronoun in ("나", "저") for other in reading.clause.phrases)
    said = READERS["name"](phrase.words[-1])
    if said is None:
        return
    if predicate.reported in ("부르다", "불리다") and (others or predicate.reported == "불리다"):
        yield Finding(attribute="nickname", value=said.value, shown=said.value, surface=said.surface)
    elif predicate.reported == "하다" and not others and _introduces(reading, phrase):
        yield Finding(attribute="name", value=said.value, shown=said.value, surface=said.surface)


def _introduces(reading: Reading, phrase: Phrase) -> bool:
    if reading.past or reading.words.is_job(phrase.words[-1]) or any(m.tag in ("SN", "NR") for m in phrase.morphemes):
        return False
    return len(phrase.words) == 1 and len(reading.clause.phrases) <= 2
