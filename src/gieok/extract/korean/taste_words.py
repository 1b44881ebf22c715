"""The words of taste, read once from `tastes.ko.toml`: what kind of thing something is, and how liking is said."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from gieok.extract.korean.lexicon import lexicon

_COLOR_SHADES: Final = ("연", "진", "형광", "파스텔", "다크", "라이트", "네온", "밝은", "어두운", "옅은", "짙은")
_WITH_LINES: Final = frozenset({"movie", "book"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """What somebody does at a thing they like or dislike: all of `words`, said or denied."""

    words: frozenset[str]
    negated: bool
    likes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TasteWords:
    """What `tastes.ko.toml` holds; titles are kept without spaces."""

    kinds: Mapping[str, str]  #: 부산행 → "movie"
    ambiguous: frozenset[str]
    cues: Mapping[str, str]  #: 극장 → "movie"
    most: frozenset[str]
    adore: frozenset[str]
    best: frozenset[str]
    own_best: frozenset[str]  #: that are said of one's own taste alone: 최애, unlike 최고
    compounds: tuple[str, ...]
    pick: frozenset[str]
    top: frozenset[str]
    no_thing: frozenset[str]
    weak: frozenset[str]  #: a thing only with a word before it
    before_thing: frozenset[str]
    apart: frozenset[str]  #: no_thing and before_thing
    alone: frozenset[str]  #: no_thing and weak: no thing by themselves
    persons: frozenset[str]
    meeting: frozenset[str]
    parts: frozenset[str]  #: what follows the name of a film or a book and is a part of it
    described: frozenset[str]  #: nouns that are liked for what is said of them: 비 오는 날, 책방 냄새
    loved: frozenset[str]
    into: frozenset[str]
    fans: frozenset[str]
    no_party: frozenset[str]  #: words in -파 that name no side somebody takes
    joys: frozenset[str]
    needs: frozenset[str]  #: what nobody can do without, liked or not
    within: Mapping[str, str]  #: what somebody chooses among: 디저트 중에 → "favorite.food"
    genera: Mapping[str, str]  #: kinds of things, by all their names: 술, 음료수 → "음료"
    teams: Mapping[str, str]  #: 두산 → "야구팀"
    chosen: frozenset[str]  #: what is set against each other: 산보다 바다, 로코보다 스릴러
    belongings: frozenset[str]
    statistics: frozenset[str]
    wholly: frozenset[str]
    only: Mapping[str, frozenset[str]]
    reactions: tuple[Reaction, ...]
    lost_without: tuple[Reaction, ...]
    mocked: frozenset[str]
    hated: frozenset[str]  #: nouns: 극혐, 질색
    hating: frozenset[str]  #: verbs and adjectives
    refused: frozenset[str]  #: verbs that say it when they are denied: 못 먹어
    declined: frozenset[str]  #: verbs that turn down what is offered: 사절하다

    def kind_of(self, value: str) -> str:
        """Return the kind of thing that `value` is, or ""."""
        value = value.removesuffix(" 계열").removesuffix("계열")
        whole = value.replace(" ", "")
        last = value.split()[-1] if value.split() else ""
        known = self.kinds.get(whole) or self.kinds.get(last) or lexicon().class_of.get(last, "")
        if known:
            return known
        if _is_color(last, self.kinds):
            return "color"
        return "food" if last.endswith(lexicon().food_endings) else ""

    def talked_of(self, words: Iterable[str]) -> str:
        """Return the kind of thing that most of `words` betray, or ""."""
        counts: dict[str, int] = {}
        for word in words:
            kind = self.cues.get(word)
            if kind is not None:
                counts[kind] = counts.get(kind, 0) + 1
        return max(counts, key=lambda kind: counts[kind]) if counts else ""


def _is_color(word: str, kinds: Mapping[str, str]) -> bool:
    if word.endswith("색") and len(word) > 1 and word not in ("염색", "검색", "탐색", "수색", "본색", "특색", "기색"):
        return True
    shade = next((shade for shade in _COLOR_SHADES if word.startswith(shade)), "")
    return bool(shade) and kinds.get(word.removeprefix(shade)) == "color"


@cache
def taste_words() -> TasteWords:
    raw = tomllib.loads(files(__package__).joinpath("tastes.ko.toml").read_text(encoding="utf-8"))
    favourite, thing, devoted, averse = raw["favourite"], raw["thing"], raw["devotion"], raw["aversion"]
    return TasteWords(
        kinds={name: kind for kind, names in raw["kinds"].items() for name in _names(kind, names)},
        ambiguous=frozenset(raw["ambiguous"]["words"].split()),
        cues={word: kind for kind, words in raw["cues"].items() for word in words.split()},
        most=frozenset(favourite["most"].split()),
        adore=frozenset(favourite["adore"].split()),
        best=frozenset(favourite["best"].split()),
        own_best=frozenset(favourite["own_best"].split()),
        compounds=tuple(favourite["compounds"].split()),
        pick=frozenset(favourite["pick"].split()),
        top=frozenset(favourite["top"].split()),
        no_thing=frozenset(thing["no_thing"].split()),
        weak=frozenset(thing["weak"].split()),
        before_thing=frozenset(thing["before_thing"].split()),
        apart=frozenset([*thing["no_thing"].split(), *thing["before_thing"].split()]),
        alone=frozenset([*thing["no_thing"].split(), *thing["weak"].split()]),
        persons=frozenset(thing["persons"].split()),
        meeting=frozenset(thing["meeting"].split()),
        parts=frozenset(thing["parts"].split()),
        described=frozenset(thing["described"].split()),
        loved=frozenset(devoted["loved"].split()),
        into=frozenset(devoted["into"].split()),
        fans=frozenset(devoted["fans"].split()),
        no_party=frozenset(devoted["no_party"].split()),
        joys=frozenset(devoted["joys"].split()),
        needs=frozenset(devoted["needs"].split()),
        within={word: f"favorite.{kind}" for kind, words in raw["within"].items() for word in words.split()},
        genera={name: kind for kind, names in _genera(favourite["genera"]) for name in names},
        teams={name: kind for kind, names in raw["teams"].items() for name in names.split()},
        chosen=frozenset(favourite["chosen"].split()),
        statistics=frozenset(devoted["statistics"].split()),
        belongings=frozenset(devoted["belongings"].split()),
        wholly=frozenset(devoted["wholly"].split()),
        only={kind: frozenset(verbs.split()) for kind, verbs in devoted["only"].items()},
        reactions=(
            *_reactions(raw["reactions"]["like"], likes=True),
            *_reactions(raw["reactions"]["dislike"], likes=False),
        ),
        lost_without=tuple(_reactions(raw["reactions"]["without"], likes=True)),
        mocked=frozenset(raw["reactions"]["mocked"].split()),
        hated=frozenset(averse["nouns"].split()),
        hating=frozenset([*averse["verbs"].split(), *averse["adjectives"].split()]),
        refused=frozenset(averse["refused"].split()),
        declined=frozenset(averse["declined"].split()),
    )


def _genera(lines: str) -> list[tuple[str, list[str]]]:
    """Each kind has one name, or several in a line, of which the first is the one it goes by: 유튜버=유투버=유튭."""
    return [(group.split("=")[0], group.split("=")) for group in lines.split()]


def _names(kind: str, names: str) -> list[str]:
    if kind in _WITH_LINES:
        return [line.replace(" ", "") for line in names.splitlines() if line.strip()]
    return [word.replace("_", "") for word in names.split()]


def _reactions(lines: str, *, likes: bool) -> list[Reaction]:
    return [
        Reaction(words=frozenset(line.removeprefix("!").split()), negated=line.startswith("!"), likes=likes)
        for line in lines.splitlines()
        if line.strip()
    ]
