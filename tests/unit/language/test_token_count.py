"""Tokens are estimated rather high, and counted where the vocabulary is at hand; nothing is fetched for it."""

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.language import token_count
from gieok.language.token_count import bytewise_tokens, estimate_tokens, token_counter

ADDRESS = "https://example.org/words.tiktoken"
WORDS = b"dmVyeQ== 0\n"


class WordEncoding:
    """Stands in for a tiktoken encoding: a token a word."""

    def encode_ordinary(self, text: str) -> list[int]:
        return list(range(len(text.split())))


@pytest.fixture
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of tiktoken's for one small vocabulary, and a tiktoken that must not be asked for any other."""
    vocabulary = token_count._Vocabulary(address=ADDRESS, sha256=hashlib.sha256(WORDS).hexdigest())
    monkeypatch.setitem(token_count._VOCABULARIES, "o200k_base", vocabulary)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    library = ModuleType("tiktoken")
    kept = tmp_path / hashlib.sha1(ADDRESS.encode()).hexdigest()

    def get_encoding(name: str) -> WordEncoding:
        assert kept.read_bytes() == WORDS, "tiktoken would go to the network now"
        return WordEncoding()

    library.get_encoding = get_encoding  # type: ignore[attr-defined]  # a module made up for the test
    monkeypatch.setitem(sys.modules, "tiktoken", library)
    token_counter.cache_clear()
    yield tmp_path
    token_counter.cache_clear()


def kept(folder: Path, contents: bytes) -> None:
    (folder / hashlib.sha1(ADDRESS.encode()).hexdigest()).write_bytes(contents)


def test_a_syllable_counts_one_and_five_letters_count_one():
    assert estimate_tokens("나는 고양이를 좋아해") == 9
    assert estimate_tokens("understanding") == 3
    assert estimate_tokens("2026-03-05") == 6
    assert estimate_tokens("") == 0


def test_a_vocabulary_without_hangul_spells_it_in_bytes():
    assert bytewise_tokens("고양이") == len("고양이".encode())
    assert bytewise_tokens("cats") == estimate_tokens("cats")


@pytest.mark.parametrize("count", [estimate_tokens, bytewise_tokens])
@given(first=st.text(), second=st.text())
def test_more_text_never_costs_less_and_together_never_more_than_apart(count, first, second):
    together = count(first + second)
    assert max(count(first), count(second)) <= together
    assert together <= count(first) + count(second)


def test_tokens_are_counted_where_the_vocabulary_is_in_the_cache(cache_folder):
    kept(cache_folder, WORDS)
    assert token_counter("auto")("나는 고양이를 좋아해") == 3
    assert token_counter("estimate")("나는 고양이를 좋아해") == 9


@pytest.mark.parametrize("contents", [None, b"half of i"])
def test_a_vocabulary_that_is_missing_or_damaged_is_not_asked_for(cache_folder, contents):
    if contents is not None:
        kept(cache_folder, contents)
    assert token_counter("auto") is estimate_tokens


def test_a_cache_that_is_switched_off_holds_nothing(cache_folder, monkeypatch):
    kept(cache_folder, WORDS)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    assert token_counter("auto") is estimate_tokens


def test_the_cache_without_a_name_lies_in_the_temporary_folder(cache_folder, monkeypatch):
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR")
    monkeypatch.delenv("DATA_GYM_CACHE_DIR", raising=False)
    monkeypatch.setattr(token_count.tempfile, "gettempdir", lambda: str(cache_folder))
    (cache_folder / "data-gym-cache").mkdir()
    kept(cache_folder / "data-gym-cache", WORDS)
    kept(cache_folder, WORDS)
    assert token_counter("auto")("두 낱말") == 2


def test_without_tiktoken_tokens_are_estimated_and_a_name_asked_for_is_missed_aloud(cache_folder, monkeypatch, caplog):
    kept(cache_folder, WORDS)
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    assert token_counter("auto") is estimate_tokens
    assert not caplog.records
    assert token_counter("o200k_base") is estimate_tokens
    assert "o200k_base is not at hand" in caplog.text
