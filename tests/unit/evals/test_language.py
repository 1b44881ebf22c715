"""Failures name lines by number, never by their words: those of the test split are not to be read."""

import pytest

from gieok.errors import InvalidQuery
from gieok_evals.planted.language import IDENTITY, LIFESTYLE, language
from gieok_evals.planted.wording import filled
from gieok_evals.statement import fold

SPLITS = ["dev", "test"]
CLOSED = {"age", "birthday", "gender", "family", "blood_type", "mbti", "height", "favorite.season"}
CLOSED |= {"relationship_status"}


@pytest.mark.parametrize("split", SPLITS)
def test_every_slot_has_values_frames_and_probes(split):
    words = language(split)
    slots = {*IDENTITY, *LIFESTYLE}
    assert set(words.values) == slots
    assert {frame.slot for frame in words.frames} == slots
    assert {probe.slot for probe in words.probes if probe.kind == "direct"} == slots
    assert {probe.slot for probe in words.probes if probe.kind == "indirect"} == slots


@pytest.mark.parametrize("split", SPLITS)
def test_every_sentence_can_be_filled_with_every_value(split):
    words = language(split)
    broken = []
    for kind in ("frames", "adversarial"):
        for number, line in enumerate(getattr(words, kind)):
            broken += (f"{kind} {number}" for value in words.values[line.slot] if not _fills(line.text, v=value))
    for number, line in enumerate(words.updates):
        pool = words.values[line.slot]
        broken += (f"updates {number}" for value in pool if not _fills(line.text, old=value, new=pool[0]))
    assert broken == []


@pytest.mark.parametrize("split", SPLITS)
def test_what_is_asked_or_chatted_has_no_place_to_fill(split):
    words = language(split)
    texts = [*words.small_talk, *words.replies, *(probe.text for probe in words.probes)]
    texts += (line.ask or "" for line in (*words.frames, *words.adversarial))
    assert [number for number, text in enumerate(texts) if "{" in text] == []


def test_open_slots_share_no_value_between_the_splits():
    dev, test = language("dev").values, language("test").values
    for slot in {*dev} - CLOSED - {"pet"}:
        assert not {fold(value.gold) for value in dev[slot]} & {fold(value.gold) for value in test[slot]}, slot
    names = [{value.forms["name"] for value in values["pet"]} for values in (dev, test)]
    assert not names[0] & names[1]


def test_an_unknown_split_is_refused():
    with pytest.raises(InvalidQuery, match="dev and test"):
        language("train")


def _fills(text, **values):
    try:
        return bool(filled(text, values).strip())
    except ValueError:
        return False
