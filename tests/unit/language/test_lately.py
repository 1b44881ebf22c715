"""What was read of the latest texts is not read again, and no more than these are kept."""

from __future__ import annotations

import pytest

from gieok.language.cache import cached_by_text


@pytest.fixture
def read():
    """A reader that notes what it reads."""
    noted = []

    @cached_by_text
    def reader(text, speaker="user", *, seen=False):
        noted.append((text, speaker, seen))
        return (speaker, len(text), seen)

    reader.noted = noted
    return reader


def test_the_same_words_are_read_once(read):
    assert read("안녕") == read("안녕") == ("user", 2, False)

    assert read.noted == [("안녕", "user", False)]


def test_the_same_words_of_somebody_else_are_read_anew(read):
    assert [read("안녕", "character"), read("안녕", seen=True), read("안녕")] == [
        ("character", 2, False),
        ("user", 2, True),
        ("user", 2, False),
    ]

    assert len(read.noted) == 3


@pytest.mark.parametrize(("length", "kept"), [(5, 512), (301, 32)])
def test_only_the_latest_texts_are_kept_and_of_long_ones_few(read, length, kept):
    texts = [f"{number:05}".ljust(length, "가") for number in range(kept + 1)]
    for text in texts:
        read(text)
    read.noted.clear()

    read(texts[-1])
    read(texts[1])
    assert read.noted == []
    read(texts[0])
    assert [text for text, *_ in read.noted] == [texts[0]]


def test_a_reader_that_fails_is_asked_again():
    tries = []

    @cached_by_text
    def reader(text):
        tries.append(text)
        raise ValueError(text)

    for _ in range(2):
        with pytest.raises(ValueError, match="안녕"):
            reader("안녕")
    assert tries == ["안녕", "안녕"]
