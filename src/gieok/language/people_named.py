"""Whom a Korean clause names: kin, people by name or by title, pets, and whoever is known already.

Nobody is meant by 엄마들, 어떤 할머니 or 팀장이 되고 싶어, and nobody by kin that one does not have or asks about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gieok.domain.noticed import EntityKind
from gieok.domain.turn import USER
from gieok.language.clauses import Clause, Phrase, Predicate
from gieok.language.morphemes import Morpheme
from gieok.language.namelike import bare_name, mentioned_words, people_words, pieces, reads_as_name

_YOU: Final = frozenset("너 니 네 당신 너희 그대 자네".split())
_US: Final = frozenset({"우리", "저희", "나", "저", "내", "제"})
_LABELS: Final = frozenset("이름 본명 별명 닉네임 성함 애칭".split())
_LIKENING: Final = frozenset({"처럼", "같이", "만큼"})
_CALLING: Final = frozenset({"야", "아", "여", "이여"})
_PERSON_PARTICLES: Final = frozenset(
    "이 가 은 는 ㄴ 께서 도 을 를 ㄹ 랑 이랑 와 과 하고 한테 에게 께 더러 보고".split()
)
_ANIMATE_PARTICLES: Final = frozenset("한테 에게 께 더러 랑 이랑 하고".split())
_IF: Final = frozenset("면 으면 다면 ㄴ다면 는다면 라면 이라면 었으면".split())

Found = tuple[Phrase, int, str, EntityKind]
_Pieces = Sequence[tuple[str, tuple[Morpheme, ...]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """Who talks, and who is known to them."""

    speaker: str
    own: str  #: the speaker's name
    known: Mapping[str, EntityKind]
    parties: frozenset[str]
    called: frozenset[str]  #: forms of address that mean one of the two who talk
    fandom: bool  #: names are those of stars and heroes
    narrated: bool


def people_named(clause: Clause, talk: Talk) -> Iterator[Found]:
    """Yield whom `clause` names: the phrase, which of its words they are, their name and what they are."""
    for at, phrase in enumerate(clause.phrases):
        before = clause.phrases[at - 1] if at else None
        if phrase.pronoun is not None or _nobody(clause, phrase, before):
            continue
        pet = _pet(clause, phrase, before)
        found = (pet,) if pet is not None else _people(clause, phrase, before, talk)
        for place, name, kind in found:
            if name not in talk.parties:
                yield phrase, place, name, kind


def _nobody(clause: Clause, phrase: Phrase, before: Phrase | None) -> bool:
    """Whether a phrase means nobody in particular, or somebody of the other party's."""
    words = mentioned_words()
    last = phrase.words[-1]
    if phrase.words[0] in words.any_one or phrase.has(*_LIKENING) or (last.endswith("들") and last != "아들"):
        return True
    if phrase.owner in _YOU or (before is not None and before.pronoun in _YOU and not before.particles):
        return True
    predicate = clause.predicate
    if predicate is None:
        return False
    closing = phrase is clause.phrases[-1]
    if predicate.lemma == "같다" and closing and not phrase.has(*_PERSON_PARTICLES):
        return True
    if predicate.lemma in ("필요하다", "구하다", "찾다") and closing:
        return True
    if closing and _introduces(clause, predicate):
        return True
    becoming = predicate.lemma == "되다" and closing and phrase.has("이", "가")
    return becoming or any(other.words[-1] in words.wishing for other in clause.phrases)


def _introduces(clause: Clause, predicate: Predicate) -> bool:
    """저는 유빈이에요, 이름은 유빈이야, 유빈이라고 해요: somebody says their own name; 얘는 유빈이야 does not."""
    if predicate.form != "copula" and predicate.reported is None:
        return False
    subjects = clause.phrases[:-1]
    return all(phrase.pronoun in ("나", "저") or phrase.words[-1] in _LABELS for phrase in subjects)


def _pet(clause: Clause, phrase: Phrase, before: Phrase | None) -> tuple[int, str, EntityKind] | None:
    """우리 고양이 나비, 우리 집 강아지, 강아지 이름은 초코야."""
    words = mentioned_words()
    place = next((at for at, word in enumerate(phrase.words) if word in words.species), None)
    if place is None:
        return None
    after = phrase.words[place + 1 :]
    ours = _is_ours(phrase, before) or phrase.words[0] in ("집", "우리집")
    if after[:1] == ("이름",):
        name = clause.phrases[-1] if clause.phrases[-1] is not phrase else None
        copula = clause.predicate is not None and clause.predicate.form == "copula" and not clause.predicate.negated
        asked = clause.ends_with.startswith("?") or name is None or name.pronoun is not None
        return (place, bare_name(name.words[-1]), "pet") if name is not None and copula and not asked else None
    if len(after) == 1 and after[0] not in words.no_pet_names and phrase.particles and ours:
        return (place + 1, bare_name(after[0]), "pet")
    wished = clause.predicate is not None and "싶다" in clause.predicate.auxiliaries
    return (place, phrase.words[place], "pet") if ours and not wished else None


def _is_ours(phrase: Phrase, before: Phrase | None) -> bool:
    return phrase.owner in _US or (before is not None and before.pronoun in ("우리", "저희") and not before.particles)


def _people(clause: Clause, phrase: Phrase, before: Phrase | None, talk: Talk) -> Iterator[tuple[int, str, EntityKind]]:
    words = mentioned_words()
    parts = pieces(phrase)
    for place, (word, _) in enumerate(parts):
        called = bare_name(word)
        if called in talk.known and _is_meant(clause, phrase, place, called):
            yield place, called, talk.known[called]
            return
        acting = talk.narrated and _acts(clause)
        if reads_as_name(parts, place, phrase, fandom=talk.fandom, acting=acting) and not phrase.has(*_CALLING):
            head = parts[place + 1][0] if place + 1 < len(parts) else ""
            theirs = head in people_words().kin and head not in words.after_name
            yield (place + 1, f"{called} {head}", "person") if theirs else (_head(parts, place), called, "person")
            return
        title = _title(parts, place, phrase, before, talk)
        if title is not None and not _not_had(clause, phrase):
            yield place, title, "person"
            return
        if _is_kin(clause, phrase, before, place, talk):
            yield (
                place,
                _kin_name(" ".join((*phrase.words[:place], called)), talk),
                "group" if called in words.groups else "person",
            )
            return


def _head(parts: _Pieces, place: int) -> int:
    """The last word of a name: 씨 of 민지 씨, 언니 of 윤아 언니."""
    after = parts[place + 1][0] if place + 1 < len(parts) else ""
    return place + 1 if after in mentioned_words().after_name or _post(after) else place


def _post(word: str) -> str | None:
    post = word.removesuffix("님")
    return post if post in mentioned_words().posts else None


def _title(parts: _Pieces, place: int, phrase: Phrase, before: Phrase | None, talk: Talk) -> str | None:
    """김 팀장님 → 김 팀장, 팀장님 → 팀장, 여자친구."""
    word = parts[place][0]
    words = mentioned_words()
    post = _post(word)
    surname = parts[place - 1][0] if place else ""
    if post is not None and surname in people_words().surnames:
        return f"{surname} {post}"
    glued = _post(word[1:]) if post is None and parts[place][1][0].form == word[0] in people_words().surnames else None
    if glued is not None and len(glued) > 1:
        return f"{word[0]} {glued}"
    alone = place == 0 and not phrase.pointed and (phrase.particles or len(parts) > 1)
    if not alone or talk.speaker != USER or word in talk.called:
        return None
    if word in words.standing or (post is not None and post != word):
        return post or word
    ours = phrase.owner in ("우리", "저희") or (phrase.owner is None and _is_ours(phrase, before))
    return post if post is not None and ours else None


def _is_kin(clause: Clause, phrase: Phrase, before: Phrase | None, place: int, talk: Talk) -> bool:
    word = bare_name(phrase.words[place])
    address = word in ("형", "누나", "오빠", "언니")  # said to one's face as well
    if not address and word not in people_words().kin:
        return False
    nearer = place == 1 and phrase.words[0] in mentioned_words().before_kin
    if (place and not nearer) or phrase.pointed or phrase.has(*_CALLING):
        return False
    if _not_had(clause, phrase) or _is_asked_of_you(clause):
        return False
    ours = _is_ours(phrase, before)
    if word in mentioned_words().vague or talk.speaker != USER:
        return ours  # of whom 부모님과 얘기해 보세요 speaks, only the other party knows
    if not address or ours:
        return bool(phrase.particles) or ours or len(phrase.words) > 1 or _is_longed_for(clause)
    with_particle = phrase.has(*_PERSON_PARTICLES) and len(phrase.words) == 1
    return with_particle and word not in talk.called and not clause.ends_with.startswith("?")


def _is_longed_for(clause: Clause) -> bool:
    """엄마 보고 싶어: a bare word before other verbs may as well call her."""
    predicate = clause.predicate
    return predicate is not None and (predicate.lemma, "싶다" in predicate.auxiliaries) in (
        ("보다", True),
        ("만나다", False),
    )


def _not_had(clause: Clause, phrase: Phrase) -> bool:
    """형 없어, 언니 있어?, 동생이 있었으면, 이모가 세 명이야."""
    predicate = clause.predicate
    if clause.phrases[-1].words[-1] == "명":
        return True
    if predicate is None or predicate.lemma not in ("있다", "없다") or phrase.has("한테", "에게", "은", "는"):
        return False
    if any(other.has("한테", "에게") for other in clause.phrases):
        return True  # 걔한테 여친이 있는데
    supposed = any(ending in _IF for ending in predicate.endings) or clause.ends_with.startswith("?")
    return predicate.lemma == "없다" or predicate.negated or supposed


def _is_asked_of_you(clause: Clause) -> bool:
    return clause.ends_with.startswith("?") and any(phrase.pronoun in _YOU for phrase in clause.phrases)


def _kin_name(called: str, talk: Talk) -> str:
    return called if talk.speaker == USER or not talk.own else f"{talk.own}의 {called}"


def _acts(clause: Clause) -> bool:
    """Whether the clause says what only somebody alive does."""
    return clause.predicate is not None and clause.predicate.lemma in mentioned_words().animate


def _is_meant(clause: Clause, phrase: Phrase, place: int, called: str) -> bool:
    """Whether a known name is that name here: of 하늘 or 초코 something else than the word must tell it."""
    word, parts = pieces(phrase)[place]
    proper = any(part.tag in ("NNP", "SL") or not part.known for part in parts) or called != word
    kin = called in people_words().kin
    if kin:
        return not _not_had(clause, phrase) and not _is_asked_of_you(clause) and not phrase.pointed
    if (
        clause.predicate is not None
        and clause.predicate.lemma in ("먹다", "마시다")
        and not phrase.has("이", "가", "은", "는")
    ):
        return False  # 초코 먹고 싶다
    if proper or phrase.has(*_ANIMATE_PARTICLES, *_CALLING) or _post(called) or called in mentioned_words().standing:
        return True
    return _acts(clause) and phrase.has("이", "가", "은", "는", "도", "을", "를")
