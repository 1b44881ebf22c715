"""The sentences of a split, and how they are filled with values and typed.

`dev` and `test` were written by different authors. Rules may be written while reading `dev`; nobody who writes rules
reads `test`. In a sentence, {v}, {v.native}, {old} and {new} stand for values and {이/가} for the particle that fits.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, get_args

from gieok.errors import InvalidQuery
from gieok_evals.statements import fold

Split = Literal["dev", "test"]
UpdateKind = Literal["update", "correction", "retraction", "ended"]
Noise = Literal["tail", "spaces", "drawn_out", "typo", "particles"]
NOISES: Final[tuple[Noise, ...]] = get_args(Noise)

IDENTITY: Final = (
    "name age birthday gender job major school workplace residence hometown blood_type mbti height nickname family"
).split()
LIFESTYLE: Final = (
    "favorite.food favorite.color favorite.season favorite.movie favorite.music favorite.book favorite.game hobby "
    "exercise pet friend allergy phobia part_time_job relationship_status dream likes dislikes diet medication habit"
).split()
_COMPANIONS: Final = {
    "hobby": ("likes", "exercise"),
    "exercise": ("likes", "hobby"),
    "likes": ("favorite.food", "hobby"),
    "pet": ("likes",),
    "dream": ("goal", "plan"),
    "job": ("part_time_job",),
    "part_time_job": ("job",),
    "residence": ("hometown",),
    "hometown": ("residence",),
}
_COUNTS: Final = {"하나": 1, "둘": 2, "셋": 3, "넷": 4, "다섯": 5}

_PLACE: Final = re.compile(r"\{([^{}]*)\}")
_VALUE: Final = re.compile(r"(v|old|new)(?:\.(\w+))?")
_DROPPABLE: Final = frozenset({"을/를", "이/가", "은/는"})  #: particles that people leave out when they type
_TAILS: Final = ("ㅋㅋ", "ㅋㅋㅋ", " ㅎㅎ", "ㅠㅠ", " ㅠ", "ㅎ", " 😊", "🥲", "~", "!!", " ㅇㅇ", "...")
_MISSPELT: Final = {"좋아": "조아", "싫어": "시러", "많이": "마니", "괜찮": "괜찬", "있어": "잇어", "했어": "햇어"}

# A syllable block is 가 + (initial * 21 + vowel) * 28 + final.
_FIRST: Final = ord("가")
_VOWELS: Final = 21
_FINALS: Final = 28
_RIEUL, _SIOT, _SSANG_SIOT = 8, 19, 20  #: ㄹ, ㅅ and ㅆ among the finals
_IEUNG: Final = 11  #: ㅇ among the initials
_PLAIN_VOWEL: Final = {2: 0, 3: 1, 6: 4, 7: 5, 9: 0, 12: 8, 17: 13}  #: ㅑ→ㅏ ㅒ→ㅐ ㅕ→ㅓ ㅖ→ㅔ ㅘ→ㅏ ㅛ→ㅗ ㅠ→ㅜ
_DIGITS: Final = {"0": 1, "1": _RIEUL, "3": 1, "6": 1, "7": _RIEUL, "8": _RIEUL}  #: 영 일 삼 육 칠 팔
_LETTERS: Final = {"L": _RIEUL, "M": 1, "N": 1, "R": _RIEUL}  #: 엘 엠 엔 알
_UNITS: Final = {"cm": 0, "kg": 1}  #: 센티미터, 킬로그램


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A value of a slot."""

    gold: str  #: normalised
    forms: Mapping[str, str]  #: ways to write it, by name; "v" is the plain one
    alt: tuple[str, ...] = ()  #: other accepted spellings

    @property
    def accepted(self) -> tuple[str, ...]:
        *rest, last = self.gold.split()
        counted = [f"{' '.join(rest)} {_COUNTS[last]}명"] if rest and last in _COUNTS else []  # 형 둘 is 형 2명
        return (self.gold, *self.alt, *counted)

    @property
    def written(self) -> str:
        return self.forms["v"]

    @property
    def spellings(self) -> frozenset[str]:
        """The accepted spellings and the plain form, folded."""
        return frozenset(map(fold, (*self.accepted, self.written)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A sentence that states one fact about the user."""

    slot: str
    text: str
    register: str
    syntax: str
    directness: str
    ask: str | None = None  #: the character's question just before


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A fact that an adversarial turn states or seems to state; `value` may be "{v}"."""

    subject: str
    attribute: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Adversarial:
    """A turn that looks like a fact about the user but is not."""

    family: str
    text: str
    slot: str
    must_not: tuple[Said, ...]
    expect: tuple[Said, ...] = ()  #: facts that it does state, mostly of other people
    ask: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """A sentence that changes, corrects, retracts or ends a fact."""

    slot: str
    text: str
    kind: UpdateKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A question that only memory can answer."""

    slot: str
    text: str
    kind: Literal["direct", "indirect", "abstain", "other_subject"]
    attribute_if_abstain: str | None = None
    subject: str | None = None  #: of other_subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """Everything that scripts are generated from."""

    split: Split
    values: Mapping[str, tuple[Value, ...]]
    frames: tuple[Frame, ...]
    adversarial: tuple[Adversarial, ...]
    updates: tuple[Update, ...]
    probes: tuple[Probe, ...]
    small_talk: tuple[str, ...]
    replies: tuple[str, ...]


@cache
def language(split: str) -> Language:
    """Return the language of `split`, "dev" or "test"."""
    known = next((each for each in get_args(Split) if each == split), None)
    if known is None:
        raise InvalidQuery(f"there is no split {split!r}; the splits are dev and test")
    folder = files(__package__) / known

    def read(name: str) -> str:
        return str((folder / name).read_text(encoding="utf-8"))

    def lines(name: str) -> Iterator[dict[str, Any]]:
        return (json.loads(line) for line in read(f"{name}.jsonl").splitlines() if line.strip())

    def adversarial(line: Mapping[str, Any]) -> Adversarial:
        said = {key: tuple(Said(**each) for each in line.get(key, ())) for key in ("must_not", "expect")}
        return Adversarial(**{**line, **said})

    noise = json.loads(read("noise.json"))
    return Language(
        split=known,
        values={
            slot: tuple(Value(gold=each["gold"], forms=each["forms"], alt=tuple(each.get("alt", ()))) for each in pool)
            for slot, pool in json.loads(read("values.json")).items()
        },
        frames=tuple(Frame(**line) for line in lines("frames")),
        adversarial=tuple(map(adversarial, lines("adversarial"))),
        updates=tuple(Update(**line) for line in lines("updates")),
        probes=tuple(Probe(**line) for line in lines("probes")),
        small_talk=tuple(noise["small_talk"]),
        replies=tuple(noise["replies"]),
    )


def check_show(*, split: str, show: bool) -> None:
    """Raise `InvalidQuery` if sentences of the test split would be shown."""
    if show and split != "dev":
        raise InvalidQuery("sentences of the test split are not shown; --show-misses works with --split dev")


def companions(slot: str) -> tuple[str, ...]:
    """Return the attributes that may hold the same value besides `slot`: a favourite is also liked."""
    return ("likes",) if slot.startswith("favorite.") else _COMPANIONS.get(slot, ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of a sentence. Typing noise leaves values alone."""

    text: str
    value: bool = False


def particle(word: str, pair: str) -> str:
    """Return the form of `pair` that follows `word`: "을/를" is 을 after 책 and 를 after 고양이.

    The form after a consonant comes first. Letters and digits count as they are read in Korean.
    """
    after_consonant, _, after_vowel = pair.partition("/")
    final = _final(word)
    if final == _RIEUL and after_consonant.startswith("으로"):
        return after_vowel
    return after_consonant if final else after_vowel


def _final(word: str) -> int:
    """Return the final sound of `word`: 0 is a vowel, 8 is ㄹ, anything else another consonant."""
    sounds = [letter for letter in word if letter.isalnum()]
    if not sounds:
        return 0
    last = sounds[-1]
    if "가" <= last <= "힣":
        return (ord(last) - _FIRST) % _FINALS
    if word[-2:] in _UNITS:
        return _UNITS[word[-2:]]
    return _DIGITS.get(last, 0) or _LETTERS.get(last.upper(), 0)


def pieces(text: str, values: Mapping[str, Value], *, drop_particles: bool = False) -> tuple[Piece, ...]:
    """Return `text` with its places filled; raises `ValueError` for a place that cannot be filled.

    With `drop_particles`, particles before a space are left out where people leave them out.
    """
    found: list[Piece] = []
    last = ""
    rest = 0
    for place in _PLACE.finditer(text):
        between = text[rest : place.start()]
        found.append(Piece(text=between))
        last = between or last
        rest = place.end()
        if "/" not in place[1]:
            last = _value(place[1], values)
            found.append(Piece(text=last, value=True))
        elif not (drop_particles and place[1] in _DROPPABLE and text[rest : rest + 1] == " "):
            found.append(Piece(text=particle(last, place[1])))
    found.append(Piece(text=text[rest:]))
    return tuple(piece for piece in found if piece.text)


def _value(place: str, values: Mapping[str, Value]) -> str:
    named = _VALUE.fullmatch(place)
    if named is None or named[1] not in values or (named[2] or "v") not in values[named[1]].forms:
        raise ValueError(f"nothing fills {{{place}}}")
    return values[named[1]].forms[named[2] or "v"]


def joined(parts: Iterable[Piece]) -> str:
    return "".join(part.text for part in parts)


def filled(text: str, values: Mapping[str, Value]) -> str:
    return joined(pieces(text, values))


def typed(parts: Sequence[Piece], noise: Noise | None, dice: random.Random) -> tuple[Piece, ...]:
    """Return `parts` with typing noise; a noise that does not apply changes nothing.

    The noise "particles" is applied by `pieces`, not here.
    """
    if noise == "tail":
        return (*parts, Piece(text=dice.choice(_TAILS)))
    if noise == "drawn_out":
        return _drawn_out(parts, dice)
    if noise == "spaces":
        return tuple(part if part.value else replace(part, text=_squeezed(part.text, dice)) for part in parts)
    if noise == "typo":
        return tuple(part if part.value else replace(part, text=_misspelt(part.text)) for part in parts)
    return tuple(parts)


def _squeezed(text: str, dice: random.Random) -> str:
    """Drop about half of the spaces."""
    return "".join(letter for letter in text if letter != " " or dice.random() < 0.5)


def _drawn_out(parts: Sequence[Piece], dice: random.Random) -> tuple[Piece, ...]:
    """Repeat the last vowel (좋아해 → 좋아해애) if the sentence ends in one."""
    last = parts[-1]
    final = last.text[-1:]
    if last.value or not "가" <= final <= "힣" or (ord(final) - _FIRST) % _FINALS:
        return tuple(parts)
    vowel = (ord(final) - _FIRST) // _FINALS % _VOWELS
    echo = chr(_FIRST + (_IEUNG * _VOWELS + _PLAIN_VOWEL.get(vowel, vowel)) * _FINALS)
    return (*parts[:-1], replace(last, text=last.text + echo * dice.choice((1, 1, 2))))


def _misspelt(text: str) -> str:
    """Apply one common misspelling: 좋아 → 조아, or ㅅ for a final ㅆ."""
    for right, wrong in _MISSPELT.items():
        if right in text:
            return text.replace(right, wrong)
    for position, letter in enumerate(text):
        if "가" <= letter <= "힣" and (ord(letter) - _FIRST) % _FINALS == _SSANG_SIOT:
            return text[:position] + chr(ord(letter) - _SSANG_SIOT + _SIOT) + text[position + 1 :]
    return text
