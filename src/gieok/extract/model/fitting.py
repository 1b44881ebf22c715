"""Whether a value is of the kind that its name says, or the words around it speak of such a thing.

Small models find the right words and call them by the wrong name: a baby on the way is a hobby, a bus line an age. What
the rules know of kinds (jobs, places, animals …) and of how an attribute is spoken of tells most of that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Final

from gieok.extract.korean.kinds import is_company, is_country, is_place, is_school, major_of
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.namelike import may_name
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.values import READERS
from gieok.extract.likely import squeeze
from gieok.extract.model.values import Meant
from gieok.language.morphemes import analyse
from gieok.language.text import has_hangul

SURE: Final = 0.02  #: the share of the learned reader that is enough by itself
LIKELY: Final = 0.002  #: … that is enough with something besides; words called at random by some name have less
FAINT: Final = 0.0005  #: … of what one pursues, which is told in too many ways to be learned
_PURSUITS: Final = frozenset("hobby exercise skill".split())
_SIBLINGS: Final = frozenset("언니 오빠 누나 형 애 아이 쌍둥이".split())  #: words for one's own, and for others too
_ME: Final = frozenset("나 저 난 전 내 제".split())
_UNNAMED: Final = frozenset("trait opinion note mood".split())  #: told without being called so
_HAPPENING: Final = frozenset("event timeline plan goal dream habit todo promise decision milestone".split())
_TASTES: Final = frozenset({"likes", "dislikes"})
_KINDS: Final[Mapping[str, Callable[[str], bool]]] = {
    "job": lambda value: lexicon().is_job(value.split()[-1]),
    "residence": lambda value: is_place(value.split()[-1]),
    "hometown": lambda value: is_place(value.split()[-1]),
    "nationality": lambda value: is_country(value),
    "school": lambda value: is_school(value.split()[-1]),
    "workplace": lambda value: is_company(value.split()[-1]),
    "major": lambda value: major_of(value.split()[-1]) is not None,
    "family": lambda value: _is_family(value),
}
_ALWAYS_OF_KIND: Final = frozenset({"family", "friend", "pet"})  #: nothing else will do


def fits(attribute: str, meant: Meant, sentence: str, likelihood: float | None) -> bool:
    """Say whether `sentence` can tell that `attribute` is what is `meant`; English is not looked at so closely.

    `likelihood` is what the learned reader gives it, None where it has not learned such things.
    """
    if not has_hangul(sentence):
        return True
    if likelihood is not None and _is_likely(likelihood, attribute, meant, sentence):
        return True
    if attribute in _ALWAYS_OF_KIND and not _of_own(attribute, meant.value, sentence):
        return False
    if attribute in _HAPPENING:
        return _happens(meant.value, sentence)
    if attribute in _UNNAMED:
        return _described(meant.value, sentence)
    if attribute == "family":
        return True
    spoken_of = _named(attribute, sentence)
    if likelihood is None or meant.alone:
        return spoken_of
    return spoken_of and (attribute not in _KINDS or _KINDS[attribute](meant.value))


def _is_likely(likelihood: float, attribute: str, meant: Meant, sentence: str) -> bool:
    enough = FAINT if attribute in _PURSUITS else SURE
    if likelihood >= enough:
        return True
    return likelihood >= LIKELY and _backed(attribute, meant, sentence)


def _backed(attribute: str, meant: Meant, sentence: str) -> bool:
    """Whether something besides speaks for it: its kind, a word for such things, or that one speaks of oneself."""
    if meant.alone or _named(attribute, sentence):
        return True
    if attribute.startswith("favorite."):
        return taste_words().kind_of(meant.value) == attribute.removeprefix("favorite.")
    return _KINDS[attribute](meant.value) if attribute in _KINDS else bool(_words(sentence) & _ME)


def _named(attribute: str, sentence: str) -> bool:
    if attribute in _TASTES or attribute.startswith("favorite."):
        return bool(_words(sentence) & _taste())
    return is_spoken_of(attribute, sentence)


def _of_own(attribute: str, value: str, sentence: str) -> bool:
    if attribute == "pet":
        return any(READERS["animal"](word) is not None for word in (value, *_words(sentence)))
    return may_name(value) if attribute == "friend" else _KINDS[attribute](value)


def _is_family(value: str) -> bool:
    return READERS["family"](value) is not None or any(
        word in lexicon().kin or word in _SIBLINGS for word in value.split()
    )


def _described(value: str, sentence: str) -> bool:
    """Whether it says how something is, and does not only name it: 겁이 많음, 길치 of "나 길치야"; not 회의."""
    if len(value.split()) > 1 or any(part.tag in ("VA", "VV", "XSA", "XSV") for part in analyse(value)):
        return True
    return any(noun.form == value and after.tag == "VCP" for noun, after in pairwise(analyse(sentence)))


def _happens(value: str, sentence: str) -> bool:
    """Whether it is more than a thing: 합격 of "합격했어", 도예 공방 등록; not 사탕."""
    if len(value.split()) > 1:
        return True
    parts = analyse(sentence)
    done = {noun.form for noun, after in pairwise(parts) if after.tag in ("XSV", "XSA")}
    return value in done or any(part.tag in ("VV", "VA", "XSV") for part in analyse(value))


def is_spoken_of(attribute: str, sentence: str) -> bool:
    """Whether the attribute is named, or a verb stands there that takes its values: 생일, 태어나다."""
    pattern = patterns().by_attribute.get(attribute)
    if pattern is None:
        return False
    verbs = {lemma for verb in pattern.verbs for lemma in verb.lemmas if not verb.needs}
    whole = squeeze(sentence)
    return bool(verbs & _words(sentence)) or any(label in whole for label in pattern.labels if len(label) > 1)


def _words(sentence: str) -> frozenset[str]:
    parts = analyse(sentence)
    return frozenset(part.form for part in parts) | {part.lemma for part in parts} | set(sentence.split())


def _taste() -> frozenset[str]:
    words, known = lexicon(), taste_words()
    named = words.like | words.dislike | known.adore | known.best | known.own_best | known.top | known.pick
    return named | known.loved | known.into | known.fans | known.joys
