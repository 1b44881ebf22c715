"""The page on tuning: every line of settings on it can be set, and every setting that it names is one."""

import re
from dataclasses import fields

import pytest

from gieok.settings import Settings, load
from support.pages import DOCS

PAGE = (DOCS / "tuning.md").read_text(encoding="utf-8")
LINES = sorted(set(re.findall(r"^\| `([a-z_]+ = [^`]+)` \|", PAGE, re.MULTILINE)))
NAMES = {each.name for each in fields(Settings)}


@pytest.mark.parametrize("line", LINES)
def test_every_line_can_stand_in_a_settings_file(line, tmp_path):
    (tmp_path / "gieok.toml").write_text(f"{line}\n", encoding="utf-8")
    settings = load(tmp_path / "gieok.toml", environment={})
    name, _, value = line.partition(" = ")
    given = getattr(settings, name)
    assert value == (f'"{given}"' if isinstance(given, str) else str(given).lower()) or float(value) == given


def test_every_setting_that_is_named_exists_and_every_symptom_has_a_knob():
    variables = {name.lower() for name in re.findall(r"GIEOK_([A-Z_]+)", PAGE)}
    prefixes = tuple({name.partition("_")[0] + "_" for name in NAMES if "_" in name})
    named = {word for word in re.findall(r"`([a-z]+_[a-z_]+)`", PAGE) if word.startswith(prefixes)}
    elsewhere = {"over_cap", "over_budget", "item_too_long", "self_disclosure", "per_day", "up_to", "end_scene"}
    assert (variables | named) - elsewhere - NAMES == set()
    symptoms = re.split(r"^### ", PAGE, flags=re.MULTILINE)[1:]
    assert len(symptoms) >= 18
    assert [each.splitlines()[0] for each in symptoms if "| Knob | Why |" not in each] == []


def test_what_the_page_says_a_claim_is_worth_it_is_worth(tmp_path):
    import gieok

    told = {"시험": "0.53", "고양이를 좋아함": "0.60", "부산에 삶": "0.69", "땅콩 알레르기가 있음": "0.78"}
    worth = {}
    with gieok.open(tmp_path / "bank.db", embedder="hashing") as bank:
        letia = bank.scope(user="minsu", character="letia")
        for said in ("내일 시험이야", "나 고양이 좋아해", "나 부산 살아", "나 땅콩 알레르기 있어"):
            for decision in letia.observe(said).decisions:
                assert isinstance(decision, gieok.Remember)
                worth[decision.claim.content] = f"{decision.promotion.score + 1e-9:.2f}"
    assert {name: worth[name] for name in told} == told
    assert all(figure in PAGE for figure in told.values())
