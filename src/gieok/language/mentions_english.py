"""The people and pets that an English utterance speaks of: my sister, my friend Jake, Dr. Kim, whoever is known."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from gieok.domain.noticed import EntityKind, Mention

_FELT: Final = 0.6
_DENIED: Final = -0.6
_SENTENCE: Final = re.compile(r"[^.!?\n]+[.!?\n]*")
_TITLE_DOT: Final = re.compile(r"\b(Dr|Mr|Mrs|Ms|Prof)\.(?=\s)")
_CLAUSE: Final = re.compile(r"[,;:]|\b(?:and|but|so|because|when|while|who)\b")
_IF: Final = re.compile(r"\b[Ii]f\b")
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NAME: Final = r"(?P<name>[A-Z][^\W\d_]{1,20})"
_BACK: Final = 3  #: words before one of regard in which a "not" may stand


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    kin: frozenset[str]
    pets: frozenset[str]
    good: frozenset[str]
    bad: frozenset[str]
    feelings: frozenset[str]  #: of these, what the speaker feels
    denying: frozenset[str]
    unnamed: frozenset[str]  #: nobody in particular unless a name follows
    owned: re.Pattern[str]
    titled: re.Pattern[str]


@cache
def _words() -> _Words:
    raw = tomllib.loads(files(__package__).joinpath("mentions.en.toml").read_text(encoding="utf-8"))
    kin, friends, pets = (raw["people"][name].split() for name in ("kin", "relations", "pets"))
    kin = [word.replace("_", " ") for word in (*kin, *friends)]
    relations = "|".join(sorted(map(re.escape, (*kin, *pets)), key=len, reverse=True))
    titles = "|".join(raw["people"]["titles"].split())
    return _Words(
        kin=frozenset(kin),
        pets=frozenset(pets),
        good=frozenset(raw["regard"]["good"].split()),
        bad=frozenset(raw["regard"]["bad"].split()),
        feelings=frozenset(raw["regard"]["feelings"].split()),
        unnamed=frozenset(raw["people"]["unnamed"].split()),
        denying=frozenset(raw["regard"]["denying"].split()),
        owned=re.compile(
            rf"\b(?P<owner>[Mm]y|[Oo]ur)\s(?:[a-z]+\s){{0,2}}?(?P<relation>{relations})\b(?:,?\s{_NAME}\b)?(?P<of>['’]s)?"
        ),
        titled=re.compile(rf"\b(?P<title>{titles})\s{_NAME}\b"),
    )


def english_mentions(
    text: str, speaker: str, known: Mapping[str, EntityKind], parties: Collection[str]
) -> tuple[Mention, ...]:
    """Return whom `text`, which holds no Hangul, speaks of, each once."""
    found: dict[str, list[float]] = {}
    kinds: dict[str, EntityKind] = {}
    named: list[str] = []
    for sentence in _SENTENCE.findall(_TITLE_DOT.sub(r"\1", text)):
        here = {name: kind for name, kind in _named(sentence, known) if name not in parties}
        kinds |= here
        for name in here or named:
            found.setdefault(name, []).append(_regard(sentence, name) if len(here or named) == 1 else 0.0)
        named = list(here)  # one sentence on, "I hate it" still speaks of whoever was named last
    return tuple(
        Mention(name=name, kind=kinds[name], valence=_mean(valences), by=speaker) for name, valences in found.items()
    )


def _mean(valences: list[float]) -> float:
    felt = [valence for valence in valences if valence]
    return round(sum(felt) / len(felt), 3) if felt else 0.0


def _named(sentence: str, known: Mapping[str, EntityKind]) -> Iterator[tuple[str, EntityKind]]:
    words = _words()
    for match in words.owned.finditer(sentence):
        relation = match["relation"].lower()
        kind: EntityKind = "pet" if relation in words.pets else "person"
        if match["name"] or relation not in words.unnamed:
            yield match["name"] or relation, kind
    for match in words.titled.finditer(sentence):
        title = match["title"]
        yield f"{title}{'.' if title in ('Dr', 'Mr', 'Mrs', 'Ms', 'Prof') else ''} {match['name']}", "person"
    for name, kind in known.items():
        if name in sentence and re.search(rf"\b{re.escape(name)}\b", sentence):
            yield name, kind


def _regard(sentence: str, name: str) -> float:
    """Return how `sentence` speaks of `name`: by any word beside it, elsewhere only by what the speaker feels."""
    if sentence.rstrip().endswith("?") or _IF.search(sentence):
        return 0.0
    felt = (_felt(clause, name.split()[-1] in clause) for clause in _CLAUSE.split(sentence))
    return next((valence for valence in felt if valence), 0.0)


def _felt(clause: str, beside: bool) -> float:
    words = [word.lower().replace("’", "'") for word in _WORD.findall(clause)]
    for at, word in enumerate(words):
        if (word in _words().good or word in _words().bad) and (beside or word in _words().feelings):
            denied = any(each in _words().denying or each.endswith("n't") for each in words[max(0, at - _BACK) : at])
            return (_FELT if word in _words().good else -_FELT) * (_DENIED if denied else 1)
    return 0.0
