import re
import subprocess
import sys

import numpy as np
import pytest

from gieok.embedders import HashingEmbedder, UniversalEncoder, create
from gieok.errors import EmbedderMismatch, InvalidSetting


def test_rows_have_unit_length_and_a_blank_text_has_none():
    rows = HashingEmbedder().embed(["고양이를 좋아해", "I love cats", " ", "\ud800"], purpose="document")
    assert rows.shape == (4, 256)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 1, 0, 1])


def test_shared_words_are_nearer_than_none():
    cat, cats, work = HashingEmbedder().embed(["고양이 좋아", "고양이가 좋아", "회사 다녀"], purpose="query")
    assert cat @ cats > 0.5 > cat @ work


def test_another_process_gives_the_same_vector():
    code = "from gieok.embedders import create; print(create('hashing:8').embed(['고양이'], purpose='query').tolist())"
    seeds = [{"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)} for seed in ("1", "2")]
    first, second = (
        subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True) for env in seeds
    )
    assert first.stdout == second.stdout


def test_settings_name_an_embedder():
    assert isinstance(create("universal"), UniversalEncoder)
    assert create("hashing").name == "hashing-256"
    assert create("hashing:64").dimension == 64


@pytest.mark.parametrize("name", ["universal", "hashing", "hashing:64", "hashing:65536"])
def test_the_name_that_a_bank_records_names_the_same_embedder(name):
    built_with = create(name)
    advice = re.search('set embedder = "(.*)"', str(EmbedderMismatch(built_with=built_with.name, configured="bge-m3")))
    again = create(advice[1])
    assert type(again) is type(built_with)
    assert (again.name, again.dimension) == (built_with.name, built_with.dimension)


@pytest.mark.parametrize(
    "name",
    [
        *("bert", "", "universal:3", "use-m3-256", "hashing:", "hashing-", "hashing:0", "hashing:x", "hashing:٣"),
        *("hashing:0000640", "hashing:65537", "hashing:1000000", "hashing-256-3"),
    ],
)
def test_an_unknown_name_lists_what_there_is(name):
    with pytest.raises(InvalidSetting, match='"universal", "hashing"'):
        create(name)
