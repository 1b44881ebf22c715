"""How somebody is spoken of in a clause: warmly, coldly, or neither; and which trait of theirs is told.

Who did it to whom is told by particles: 민지가 때렸어 speaks ill of 민지, 민지를 때렸어 does not.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, Literal

from gieok.language.clauses import Clause, Phrase, Predicate
from gieok.language.particles import nominalised

Role = Literal["subject", "object", "with", "to", "cause", "thanks", "beside"]
_Sort = Literal["feeling", "attitude", "conduct", "together"]

_SORTS: Final[tuple[_Sort, ...]] = ("feeling", "attitude", "conduct", "together")
_FELT: Final = 0.6
_STRONG: Final = 0.8
_NOT_GOOD: Final = -0.6
_NOT_BAD: Final = 0.3  #: who does not lie is not yet praised
_THANKS: Final = 0.6
_ROLES: Final[dict[str, Role]] = {
    **dict.fromkeys("이 가 은 는 ㄴ 께서 도 만 까지 마저 조차 야말로 이야말로".split(), "subject"),
    **dict.fromkeys("을 를 ㄹ".split(), "object"),
    **dict.fromkeys("랑 이랑 와 과 하고".split(), "with"),
    **dict.fromkeys("한테 에게 께 더러 보고 한테서 에게서".split(), "to"),
}
_COUNTS: Final[dict[_Sort, frozenset[Role]]] = {
    "feeling": frozenset({"subject", "to", "cause"}),
    "attitude": frozenset({"object"}),
    "conduct": frozenset({"subject", "cause"}),
    "together": frozenset({"with", "to"}),
}
_ME: Final = frozenset({"나", "저", "우리"})
_HEARSAY: Final = (("대",), ("대요",), ("ㄴ대",), ("는대",), ("래",), ("다고",))
_ABSTRACT: Final = frozenset("것 거 게 점 편 듯 줄 터 바 채 데 지 때".split())
_IF: Final = frozenset("면 으면 다면 ㄴ다면 는다면 라면 이라면 더라도 어도 아도 거나".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    good: Mapping[_Sort, frozenset[str]]
    bad: Mapping[_Sort, frozenset[str]]
    of_them: frozenset[str]
    thanks_to: frozenset[str]
    stronger: frozenset[str]
    traits: frozenset[str]


@cache
def _words() -> _Words:
    raw = tomllib.loads(files(__package__).joinpath("regard.ko.toml").read_text(encoding="utf-8"))
    more = raw["words"]
    return _Words(
        good={sort: frozenset(raw[sort]["good"].split()) for sort in _SORTS},
        bad={sort: frozenset(raw[sort]["bad"].split()) for sort in _SORTS},
        of_them=frozenset(more["of_them"].split()),
        thanks_to=frozenset(more["thanks_to"].split()),
        stronger=frozenset(more["stronger"].split()),
        traits=frozenset(more["traits"].split()),
    )


def role_of(phrase: Phrase, place: int) -> Role:
    """Return what the person who is the `place`th word of `phrase` is in its clause."""
    after = phrase.words[place + 1 :]
    if after and after[-1] in _words().thanks_to:
        return "thanks"
    if after:
        return "cause" if after[-1] in _words().of_them else "beside"
    return _ROLES.get(phrase.particles[0], "beside") if phrase.particles else "subject"


def regard(clause: Clause, role: Role, phrase: Phrase | None = None) -> float:
    """Return from -1 to 1 how `clause` speaks of the one who has `role` in it; `phrase` is where they stand."""
    if role == "thanks":
        return _THANKS
    predicate = clause.predicate
    if predicate is None or role == "beside" or clause.ends_with.startswith("?") or _supposed(predicate):
        return 0.0
    if role in ("subject", "object") and predicate.lemma == "보다" and "싶다" in predicate.auxiliaries:
        return 0.0 if predicate.negated else _STRONG
    if clause.head is not None and clause.head not in _ABSTRACT:
        return 0.0  # 민지가 싫은 날: what is disliked is not told
    if "싶다" in predicate.auxiliaries or "싶어하다" in predicate.auxiliaries:
        return 0.0
    for said in _said(clause, predicate, phrase):
        for sort in _SORTS:
            good, bad = said in _words().good[sort], said in _words().bad[sort]
            if (good or bad) and _counts(sort, role, clause, phrase):
                return _weighed(1.0 if good else -1.0, clause, predicate)
    return 0.0


def regard_before(phrase: Phrase) -> float:
    """Return how the words before somebody speak of them: 얄미운 동생, 고마운 민지 씨."""
    told = phrase.modifier
    if told is None or any(part.tag in ("VX", "VCN") for part in phrase.adnominal):
        return 0.0
    good = any(told in _words().good[sort] for sort in ("feeling", "conduct"))
    bad = any(told in _words().bad[sort] for sort in ("feeling", "conduct"))
    return _FELT if good else -_FELT if bad else 0.0


def feeling_only(clause: Clause) -> float:
    """Return how a clause that names nobody speaks of whoever was just named: 완전 고마워, 너무 화나."""
    if any(phrase.pronoun is not None and phrase.pronoun not in _ME for phrase in clause.phrases):
        return 0.0
    if clause.predicate is not None and clause.predicate.lemma == "좋다":
        return 0.0  # 연락해 보는 게 좋겠어
    return regard(clause, "cause")


def is_idiom(phrase: Phrase, clause: Clause) -> bool:
    """Whether a phrase is one word with the verb: 화를 of 화를 내."""
    said = phrase.words[-1] + clause.predicate.lemma if clause.predicate is not None else ""
    return any(said in words for sort in _SORTS for words in (_words().good[sort], _words().bad[sort]))


def trait(clause: Clause, phrase: Phrase) -> str:
    """Return the trait that `clause` tells of its subject `phrase`, as a noun phrase (성격이 급함), else ""."""
    predicate = clause.predicate
    if predicate is None or predicate.negated or predicate.past or clause.ends_with.startswith("?"):
        return ""
    if role_of(phrase, len(phrase.words) - 1) != "subject" or not phrase.particles or _supposed(predicate):
        return ""
    character = next((other for other in clause.phrases if other.words[-1] in ("성격", "성질")), None)
    if character is not None and predicate.form == "adjective":
        return f"성격이 {nominalised(predicate.stem)}"
    told = next((said for said in _said(clause, predicate, phrase) if said in _words().traits), None)
    if told is None:
        return ""
    return f"{told.removesuffix('이다')}임" if told.endswith("이다") else _shown(told, predicate)


def _shown(told: str, predicate: Predicate) -> str:
    noun = told.removesuffix(predicate.lemma)
    return f"{noun} {nominalised(predicate.stem)}".strip()


def _supposed(predicate: Predicate) -> bool:
    return predicate.endings[-1:] != () and predicate.endings[-1] in _IF


def _said(clause: Clause, predicate: Predicate, phrase: Phrase | None) -> Iterator[str]:
    """Yield what is said, with the noun that belongs to it first: 화내다, then 내다."""
    for other in reversed(clause.phrases[-3:]):
        if other is not phrase or predicate.form == "copula":
            yield other.words[-1] + predicate.lemma
    if predicate.lemma == "하다" and clause.adverbs:
        yield clause.adverbs[-1] + predicate.lemma
    yield predicate.lemma


def _counts(sort: _Sort, role: Role, clause: Clause, phrase: Phrase | None) -> bool:
    others = [other for other in clause.phrases if other is not phrase]
    if sort == "attitude" and role == "subject":
        return any(other.pronoun in _ME and other.has("을", "를", "ㄹ") for other in others)
    if sort == "feeling" and role == "subject" and phrase is not None:
        # 엄마는 꽃이 좋대: what is felt about is the nearer one; 민지가 내가 싫대 is the same with me
        after = [other for other in others if clause.phrases.index(other) > clause.phrases.index(phrase)]
        return not any(other.has("이", "가") for other in after) and not _their_own(clause)
    return role in _COUNTS[sort]


def _their_own(clause: Clause) -> bool:
    """민지가 화났어, 민지가 좋대: what somebody feels themself is not felt about them."""
    predicate = clause.predicate
    return predicate is not None and (predicate.form == "verb" or predicate.endings[-1:] in _HEARSAY)


def _weighed(valence: float, clause: Clause, predicate: Predicate) -> float:
    strong = any(adverb in _words().stronger for adverb in clause.adverbs)
    if predicate.negated:
        return _NOT_GOOD if valence > 0 else _NOT_BAD
    return valence * (_STRONG if strong else _FELT)
