"""Settings: one value, read once; unknown names fail and suggest."""

from __future__ import annotations

from pathlib import Path

import pytest

from gieok.domain.promotion import PromotionWeights
from gieok.errors import InvalidSetting, UnknownSetting
from gieok.settings import Settings, load


def test_a_call_beats_the_environment_and_that_the_file(tmp_path: Path) -> None:
    file = tmp_path / "gieok.toml"
    file.write_text('bank = "file.db"\nrecall_k = 3\n[weights]\nrecency = 0.2\n[caps]\nmemory-item = 99\n')
    settings = load(file, environment={"GIEOK_BANK": "env.db", "GIEOK_RECALL_K": "5"}, given={"bank": "call.db"})

    assert (settings.bank, settings.recall_k, settings.weights_recency) == ("call.db", 5, 0.2)
    assert settings.caps_memory_item == 99


def test_without_a_file_the_defaults_hold() -> None:
    assert load(environment={}) == Settings()


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"GIEOK_EMBEDER": "x"}, r"unknown setting GIEOK_EMBEDER .*did you mean GIEOK_EMBEDDER\?"),
        ({"GIEOK_ZZZ": "x"}, "unknown setting GIEOK_ZZZ"),
    ],
)
def test_unknown_names_fail_and_suggest(environment: dict[str, str], message: str) -> None:
    with pytest.raises(UnknownSetting, match=message):
        load(environment=environment)


def test_an_unknown_name_in_a_table_is_named_with_its_table(tmp_path: Path) -> None:
    file = tmp_path / "gieok.toml"
    file.write_text("[weights]\nrecensy = 1\n")

    with pytest.raises(UnknownSetting, match=r"weights_recensy .*gieok\.toml.*weights_recency"):
        load(file, environment={})


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"GIEOK_RECALL_K": "many"}, "whole number"),
        ({"GIEOK_RECALL_K": "0"}, "above 0"),
        ({"GIEOK_SEARCH_TURNS": "maybe"}, "true or false"),
        ({"GIEOK_TIMEZONE": "Seoul/Asia"}, "zone name"),
        ({"GIEOK_WEIGHTS_RECENCY": "-1"}, "negative"),
        ({"GIEOK_PROMOTION_NOVELTY": "-0.1"}, "negative"),
        ({"GIEOK_PROMOTION_EMOTION": "inf"}, "must be a number"),
        ({f"GIEOK_PROMOTION_{part.upper()}": "0" for part in PromotionWeights.__slots__}, "nothing would ever"),
        ({"GIEOK_RECENCY_CURVE": "linear"}, "half_life"),
        ({"GIEOK_CONFIG": "nowhere.toml"}, "no settings file"),
        ({"GIEOK_LANGUAGE": "kr"}, "language must be one of ko, en, not 'kr'"),
        ({"GIEOK_RECALL_K": "-3"}, "recall_k must be above 0, not -3"),
        ({"GIEOK_WEIGHTS_RECENCY": "nan"}, "must be a number"),
    ],
)
def test_values_of_the_wrong_kind_are_refused(environment: dict[str, str], message: str) -> None:
    with pytest.raises(InvalidSetting, match=message):
        load(environment=environment)


def test_a_broken_file_says_where(tmp_path: Path) -> None:
    file = tmp_path / "gieok.toml"
    file.write_text("bank = \n")

    with pytest.raises(InvalidSetting, match="line 1"):
        load(file, environment={})


def test_a_key_is_never_shown() -> None:
    names = ("GIEOK_KEY", "GIEOK_EMBEDDER_KEY", "GIEOK_LLM_KEY")
    assert "secret" not in repr(load(environment=dict.fromkeys(names, "secret")))


@pytest.mark.parametrize(
    ("bank", "shown"),
    [
        ("postgresql://h/db?user=a&password=geheim", "postgresql://h/db"),
        ("postgresql://a:geheim@h/db?schema=team_a&sslpassword=geheim", "postgresql://a@h/db?schema=team_a"),
        ("postgresql://a:ge@heim?geheim@h/db", "postgresql://a@h/db"),
        ("other://h/db?token=geheim", "other://h/db"),
        ("bank?password=mine.db", "bank?password=mine.db"),
    ],
)
def test_where_the_memories_are_is_told_without_a_password_wherever_that_stands(bank: str, shown: str) -> None:
    assert load(given={"bank": bank}, environment={}).bank_shown == shown


def test_an_address_is_never_shown_for_it_may_hold_a_password() -> None:
    names = ("GIEOK_EMBEDDER_URL", "GIEOK_LLM_URL", "GIEOK_LLM_DEEP_URL")
    assert "secret" not in repr(load(environment=dict.fromkeys(names, "http://me:secret@10.0.0.7/v1")))


@pytest.mark.parametrize("price", ["inf 0", "0 nan", "-1 0", "1", "a b"])
def test_a_price_is_two_numbers(price: str) -> None:
    with pytest.raises(InvalidSetting, match="llm_price"):
        load(environment={"GIEOK_LLM_PRICE": price})


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (b"bank = memories.db\n", "line 1.*need quotes"),
        ('bank = "기억.db"'.encode("utf-16"), "not UTF-8"),
    ],
)
def test_a_file_that_is_no_settings_file_is_told_what_to_do(tmp_path: Path, written: bytes, message: str) -> None:
    file = tmp_path / "gieok.toml"
    file.write_bytes(written)

    with pytest.raises(InvalidSetting, match=message):
        load(file, environment={})
