"""Every word list that a module of the language room names is in its data file, and none is there for nothing."""

import re
import tomllib
from pathlib import Path

import pytest

import gieok.language
from gieok.language.data_files import WordSets

ROOM = Path(gieok.language.__file__).parent
LISTS = tomllib.loads((ROOM / "word_sets.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("module", sorted(LISTS))
def test_the_lists_of_a_module_are_those_that_it_names(module: str) -> None:
    named = set(re.findall(r"_SETS\.(\w+)", (ROOM / f"{module}.py").read_text(encoding="utf-8")))
    assert named == set(LISTS[module]) - {"stop_words"}


def test_a_list_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(AttributeError, match="no list 'nothing' in mood"):
        _ = WordSets("word_sets.toml", "mood").nothing
