"""What can be seen of an offered value and of the words around it, as names to be weighed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from gieok.extract.korean.kinds import is_company, is_country, is_place, is_school, major_of
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.offers import NOUNS, Morphemes, Offer
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.telling import Part
from gieok.extract.korean.values import FESTIVAL, READERS, Value
from gieok.language.cache import cached_by_text
from gieok.language.morphemes import Morpheme, corrected_morphemes
from gieok.language.numerals import holds_number
from gieok.language.terms import families_of

_CONTENT: Final = frozenset({"NNG", "NNP", "NP", "NNB", "NR", "VV", "VA", "XR", "MAG", "SL", "VX", "VCN", "MM", "IC"})
_CHECKED: Final = tuple(
    "age birth_year month_day mbti blood height weight season color animal exercise gender family status religion hand "
    "diet job".split()
)
_LISTED: Final = frozenset("animal exercise gender family status religion hand diet".split())  #: kinds by list alone
_FIRST: Final = frozenset({"나", "저", "내", "제", "우리", "저희", "본인"})
_NEAR: Final = 3
_COUNTED: Final = frozenset("age birth_year month_day blood height weight".split())
_RELATED: Final = frozenset("s cw v h f head b0 b1 a0 a1 ask nv mod".split())  #: names of words that have a family
_LETTERS_OR_DAY: Final = re.compile(rf"[A-Za-z]|[이비오]\s?형|{FESTIVAL.pattern}")


def seen_in_all(parts: Sequence[Part], said: Morphemes, asked: str) -> list[str]:
    """What is seen in the utterance, whatever it offers."""
    seen = {f"s:{name}" for name in _words(said.all)}
    seen |= {f"s2:{one}_{two}" for one, two in _pairs(said.all)}
    persons = {part.form for part in said.all if part.form in _FIRST}
    seen |= {f"me:{person}" for person in persons} or {"me:-"}
    words = lexicon()
    if any(part.form in words.kin or part.form in words.others for part in said.all):
        seen.add("kin")
    for part in parts:
        seen.add(f"about:{_about(part)}")
        seen.add(f"mood:{part.mood}")
    if parts:
        last = parts[-1]
        seen |= {f"close:{last.closes}", f"end:{last.ending}", f"mark:{last.clause.ends_with.strip()[:1]}"}
    seen.add(f"len:{min(len(said.all) // 6, 6)}")
    return [*seen, *(_asked(asked) if asked else ("ask:-",))]


@cached_by_text
def _asked(asked: str) -> tuple[str, ...]:
    parts = corrected_morphemes(asked[-200:])
    return ("ask:+", *(f"ask:{word}" for word in _words(parts)))


def _words(parts: Sequence[Morpheme]) -> set[str]:
    return {part.lemma for part in parts if part.tag in _CONTENT}


def _pairs(parts: Sequence[Morpheme]) -> Iterator[tuple[str, str]]:
    before = ""
    for part in parts:
        if part.tag in _CONTENT or part.tag in ("EF", "EC", "ETM", "JKB", "JX", "EP"):
            if before:
                yield before, part.lemma
            before = part.lemma


def _about(part: Part) -> str:
    return part.about.subject if part.about is not None else "-"


def seen_in_part(part: Part) -> list[str]:
    """What is seen in the clause that an offer stands in."""
    clause, predicate = part.clause, part.clause.predicate
    seen = [f"c:{_about(part)}:{part.mood}:{part.closes}", f"c:{_about(part)}", f"c:{part.mood}"]
    seen += [f"cw:{word}" for word in _words(clause.morphemes)]
    if predicate is not None:
        lemma = predicate.lemma
        seen += [
            f"v:{lemma}", f"v:{lemma}:{predicate.negated}", f"vf:{predicate.form}:{predicate.negated}:{predicate.past}",
            f"ve:{part.ending}",
        ]  # fmt: skip
    else:
        seen.append("v:-")
    if clause.head is not None:
        seen += [f"head:{clause.head}", "head"]
    return seen


def seen_of(offer: Offer, text: str, parts: Sequence[Part], said: Morphemes) -> list[str]:
    """What is seen of an offer itself and close to it."""
    own = said.all[offer.first : offer.last]
    value = text[offer.start : offer.end].strip()
    before, after = said.all[max(0, offer.first - _NEAR) : offer.first], said.all[offer.last : offer.last + _NEAR + 1]
    follows = _follows(after, own, text)
    predicate = parts[offer.part].clause.predicate
    lemma = predicate.lemma if predicate is not None else "-"
    kinds = kinds_of(value)
    seen = [
        "bias", f"w:{value}", f"h:{own[-1].form}", f"f:{own[0].form}", f"hs:{value[-1:]}", f"hs2:{value[-2:]}",
        f"tags:{'+'.join(part.tag for part in own[-3:])}", f"n:{len(own)}", f"len:{min(len(value), 8)}",
        f"shape:{offer.shape}", f"known:{all(part.known for part in own)}", f"p:{follows}", f"pv:{follows}:{lemma}",
    ]  # fmt: skip
    head, doing = _wide(own[-1].form), _wide(lemma)
    seen += (f"hf:{head}:{doing}", f"hp:{head}:{follows}", f"vp:{doing}:{follows}", f"hv:{head}:{lemma}")
    seen.append(f"hvp:{head}:{doing}:{follows}")
    seen += [f"k:{kind}" for kind in kinds]
    seen += [f"kv:{kind}:{lemma}" for kind in kinds]
    seen += [f"kp:{kind}:{follows}" for kind in kinds]
    for number, part in enumerate(reversed(before)):
        seen += (f"b{number}:{part.lemma}", f"bt{number}:{part.tag}")
    for number, part in enumerate(after):
        seen += (f"a{number}:{part.lemma}", f"at{number}:{part.tag}")
    if len(after) > 1:
        seen += (f"aa:{after[0].lemma}_{after[1].lemma}", f"ba:{before[-1].lemma if before else '^'}_{after[0].lemma}")
    else:
        seen.append("aa:$")
    if len(before) > 1:
        seen.append(f"bb:{before[-2].lemma}_{before[-1].lemma}")
    elif not before:
        seen.append("b:^")
    seen += _run(offer, said)
    following = parts[offer.part + 1].clause.predicate if offer.part + 1 < len(parts) else None
    seen.append(f"nv:{following.lemma if following is not None else '-'}")
    seen.append(f"last:{offer.part + 1 == len(parts)}:{follows}")
    return seen


def with_families(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names that are seen, and with each word the families that it belongs to."""
    related = (family for name in names for family in _families(name))
    return tuple(dict.fromkeys((*names, *related)))


@lru_cache(maxsize=8192)
def _families(name: str) -> tuple[str, ...]:
    place, _, word = name.partition(":")
    if place not in _RELATED:
        return ()
    return tuple(f"{place}{width}:{family}" for width, family in zip("wn", families_of(word), strict=False))


def _wide(word: str) -> str:
    """The wide family of a word; "" if it has none."""
    return "".join(map(str, families_of(word)[:1]))


def beside(offer: Offer, given_up: Sequence[Offer]) -> Iterator[str]:
    """Where an offer stands to the known values that are mentioned."""
    for old in given_up:
        if old.overlaps(offer):
            yield "old"
        else:
            yield f"old:{'before' if old.first < offer.first else 'after'}:{old.part == offer.part}"


def _run(offer: Offer, said: Morphemes) -> Iterator[str]:
    """Whether the offer is a whole run of nouns, and what else stands in it."""
    left = said.all[offer.first - 1] if offer.first else None
    right = said.all[offer.last] if offer.last < len(said.all) else None
    cut_left = left is not None and left.tag in NOUNS
    cut_right = right is not None and right.tag in NOUNS
    yield f"cut:{cut_left}:{cut_right}"
    if cut_left and left is not None:
        joined = "+" if left.end == said.all[offer.first].start else "_"
        yield f"rl:{joined}{left.form}"
        yield f"rlt:{joined}{left.tag}"
    if cut_right and right is not None:
        joined = "+" if said.all[offer.last - 1].end == right.start else "_"
        yield f"rr:{joined}{right.form}"
        yield f"rrt:{joined}{right.tag}"
    if left is not None and left.tag == "ETM":
        stem = said.all[offer.first - 2].lemma if offer.first > 1 else ""
        yield f"mod:{stem}"


def _follows(after: Sequence[Morpheme], own: Sequence[Morpheme], text: str) -> str:
    """The particles or the copula right behind an offer, or the kind of what else follows."""
    if not after:
        return "$"
    first = after[0]
    if first.tag[0] == "J":
        second = after[1].form if len(after) > 1 and after[1].tag == "JX" else ""
        return f"{first.form}{second}"
    if first.tag in ("VCP", "VCN", "XSV", "XSA"):
        return first.form
    return first.tag


@lru_cache(maxsize=1024)
def kinds_of(value: str) -> tuple[str, ...]:
    """What `value` can be, as far as lists, endings and readers of values tell."""
    words = lexicon()
    parts = value.split()
    last = parts[-1] if parts else ""
    bare = value.replace(" ", "")
    listed = any(word in words.class_of or word in words.canonical for word in (bare, *parts))
    counted = _may_count(value)
    kinds = (kind for kind in _CHECKED if (listed or kind not in _LISTED) and (counted or kind not in _COUNTED))
    found = [f"r:{kind}" for kind in kinds if _reads(kind, value)]
    found += [f"t:{kind}" for kind in (taste_words().kind_of(value),) if kind]
    found += [f"c:{words.class_of[last]}"] if last in words.class_of else []
    checks = (
        ("city", last in words.cities), ("kin", last in words.kin), ("other", last in words.others),
        ("place", is_place(bare)), ("school", is_school(bare)), ("company", is_company(bare)),
        ("country", is_country(bare)), ("major", major_of(bare) is not None),
        ("named", _like_a_name(bare)), ("no_taste", last in words.no_taste), ("spot", last in words.places),
    )  # fmt: skip
    found += [name for name, so in checks if so]
    return tuple(found) or ("-",)


def _reads(kind: str, value: str) -> bool:
    read = READERS[kind](value)
    return read is not None and (kind not in ("animal", "exercise", "gender", "family", "status", "job") or read.alone)


@lru_cache(maxsize=4096)
def read_as(kind: str, value: str) -> Value | None:
    """Return `value` as one of `kind`; most words hold no number and need no closer look."""
    if kind in _COUNTED and not _may_count(value):
        return None
    return READERS[kind](value)


@lru_cache(maxsize=1024)
def _may_count(value: str) -> bool:
    return holds_number(value) or _LETTERS_OR_DAY.search(value) is not None


def _like_a_name(value: str) -> bool:
    words = lexicon()
    given = len(value) in (2, 3) and all(syllable in words.given for syllable in value[-2:])
    return given and (len(value) == 2 or value[0] in words.surnames)
