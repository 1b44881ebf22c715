"""Turning knobs: what changes, what stays, and the way back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gieok.presets import PRESETS
from gieok.settings import Settings
from gieok.web.ask import CHOICES, DEFAULT, KNOBS, OWN, Knobs

SET = Settings(weights_graph=0.9, recall_k=5, context_budget=700, preset="heroine")


def test_every_preset_can_be_chosen() -> None:
    assert set(CHOICES) == {OWN, DEFAULT, *PRESETS}


@pytest.mark.parametrize("knob", KNOBS, ids=lambda knob: knob.name)
def test_every_knob_turns_its_setting_and_no_other_and_stops_at_its_ends(knob) -> None:
    turned = Knobs.of(SET).turned(knob.name, knob.least + knob.step)

    assert turned.value(knob.name) == knob.least + knob.step
    assert replace(turned.settings, **{knob.name: getattr(SET, knob.name)}) == SET
    assert Knobs.of(SET).turned(knob.name, -5).value(knob.name) == knob.least
    assert Knobs.of(SET).turned(knob.name, 1e9).value(knob.name) == knob.most


def test_a_knob_reaches_what_the_bank_is_set_to() -> None:
    generous = Knobs.of(Settings(context_budget=32_000))

    assert generous.turned("context_budget", 30_000).value("context_budget") == 30_000


def test_turning_the_number_of_turns_ends_the_rule_by_messages() -> None:
    character = Knobs.of(SET).chosen("character")

    assert character.settings.recent_messages == 30
    assert character.turned("recent_turns", 3).settings.recent_messages == 0


def test_a_preset_sets_everything_that_it_sets_and_back_restores_all() -> None:
    turned = Knobs.of(SET).turned("weights_keyword", 0.5).switched("talk", on=False).chosen("social")

    assert turned.settings == replace(SET, preset=None).as_preset("social")
    assert turned.without == {"talk"}
    assert turned.is_changed
    assert turned.back() == Knobs.of(SET)
    assert not turned.back().is_changed


def test_what_ranks_as_the_bank_does_is_not_called_changed() -> None:
    plain = Knobs.of(Settings())

    assert not plain.chosen(DEFAULT).ranks_otherwise
    assert plain.chosen("vtuber").ranks_otherwise
    assert not plain.switched("talk", on=False).ranks_otherwise
    assert plain.switched("talk", on=False).is_changed
    assert not plain.switched("talk", on=False).switched("talk", on=True).is_changed


def test_no_model_is_asked_while_knobs_are_turned() -> None:
    knobs = Knobs.of(replace(SET, rerank=True, compress=True, rewrite_query=True)).chosen("care")

    for settings in (knobs.own, knobs.settings):
        assert {settings.rerank, settings.compress, settings.rewrite_query} == {False}
