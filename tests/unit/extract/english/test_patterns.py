"""The data that the English rules read with."""

from __future__ import annotations

from gieok.domain.attributes import attribute
from gieok.extract.english.doings import READERS_OF_DOINGS
from gieok.extract.english.lexicon import lexicon
from gieok.extract.english.patterns import patterns
from gieok.extract.english.values import READERS


def test_every_pattern_names_an_attribute_of_the_schema() -> None:
    assert [attribute(key).key for key in patterns().by_attribute] == list(patterns().by_attribute)


def test_every_kind_of_value_has_a_reader() -> None:
    known = patterns()
    templates = [made for ways in (known.by_verb, known.mentions) for each in ways.values() for _, made in each]
    kinds = {part.slot for made in templates for part in made.parts if part.slot}
    kinds |= {pattern.value for pattern in known.by_attribute.values()}

    assert kinds <= set(READERS) | set(READERS_OF_DOINGS) | set(lexicon().classes)


def test_every_sentence_has_a_place_for_its_value() -> None:
    assert all("{v}" in pattern.sentence for pattern in patterns().by_attribute.values())
