import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gieok.language.morphemes import analyse
from support.rows import from_rows


def tagged(text):
    return [f"{morpheme.form}/{morpheme.tag}" for morpheme in analyse(text)]


@pytest.mark.parametrize(
    "text", ["고양이 좋아해", "고양이 좋아함", "고양이 좋아한다", "고양이 조아해ㅋㅋ", "고양이 조아하는데"]
)
def test_liking_has_one_lemma_however_it_is_written(text):
    assert "좋아하다" in [morpheme.lemma for morpheme in analyse(text)]


@from_rows
def test_chat_is_read_as_meant(text, expected):
    assert tagged(text) == expected


@pytest.mark.parametrize("text", ["이름은한유진입니다", "나는한유진이야", "제이름은한유진이에요"])
def test_a_name_written_without_a_space_is_found(text):
    assert "한유진" in [morpheme.form for morpheme in analyse(text)]


def test_a_name_of_the_story_is_marked_as_unknown():
    assert not next(m for m in analyse("나는 레티아야") if m.form == "레티아").known


def test_irregular_stems_carry_a_plain_tag():
    assert "맵/VA" in tagged("매운 거 못 먹어")


def test_offsets_are_those_of_the_python_string():
    text = "😀나 👨\u200d👩\u200d👧고양이 𠮷 좋아\ud800해 " + "가" * 50 + " 강아지"
    for noun in ("고양이", "강아지"):
        found = next(morpheme for morpheme in analyse(text) if morpheme.form == noun)
        assert text[found.start : found.end] == noun


@settings(max_examples=150, deadline=None)
@given(
    st.text(alphabet=st.characters(exclude_categories=()), max_size=60),
    st.sampled_from(["", "나는 ", "조아해", "이름은"]),
)
def test_every_string_is_answered_with_spans_inside_it(text, opening):
    text = opening + text
    assert all(0 <= m.start <= m.end <= len(text) for m in analyse(text))


@pytest.mark.check
@pytest.mark.parametrize(
    "text",
    [
        "한" * 8000,
        "일" * 8000,
        "한일" * 4000,
        "한일이나은는" * 1334,
        "나는한유진" * 1600,
        "이름은한유진이 " * 1000,
        "a" * 8000,
        "😀" * 8000,
    ],
    ids=lambda text: text[:6],
)
def test_eight_thousand_hostile_characters_are_read_in_a_moment(text):
    analyse("먼저 사전을 읽게 함")
    started = time.process_time()
    analyse(text)
    assert time.process_time() - started < 10  # about half a second where nothing else runs


def test_neither_import_nor_english_loads_the_analyser():
    code = (
        "import sys; from gieok.language import morphemes, numerals, terms;"
        "terms.index_terms('I love running 🐈 ㅋㅋ'); numerals.find_numbers('스물다섯');"
        "assert not morphemes.loaded() and 'kiwipiepy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": ":".join(sys.path)}, check=True)
