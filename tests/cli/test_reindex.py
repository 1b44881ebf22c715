import json

import numpy as np
import pytest

from gieok.embedders import HashingEmbedder
from gieok.observe.index import reindex
from gieok.stores import open_store

LETIA = ("-u", "minsu", "-c", "letia")


@pytest.fixture
def told(run):
    for number in range(1, 6):
        run("observe", f"나 고양이 {number}마리를 키워", *LETIA)
    return run


def test_a_bank_of_another_embedder_asks_for_a_reindex_and_gets_it(told, monkeypatch):
    monkeypatch.setenv("GIEOK_EMBEDDER", "hashing:64")
    refused = told("recall", "고양이")
    assert refused.code == 1
    assert "gieok reindex" in refused.err

    done = json.loads(told("reindex", "--json").out)
    assert (done["from"], done["to"], done["dimension"]) == ("hashing-256", "hashing-64", 64)
    assert done["embedded"] >= 6
    assert told("recall", "고양이").code == 0
    assert told("doctor").code == 0
    assert "0 items" in told("reindex").out


def test_reindexing_makes_no_bank(run, tmp_path):
    assert run("reindex").code == 1
    assert list(tmp_path.iterdir()) == []


class Failing(HashingEmbedder):
    """Gives up after some batches."""

    def __init__(self, batches):
        super().__init__(64)
        self.batches = batches

    def embed(self, texts, *, purpose):
        if not self.batches:
            raise KeyboardInterrupt
        self.batches -= 1
        return super().embed(texts, purpose=purpose)


def test_an_interrupted_reindex_goes_on_where_it_stopped(run, tmp_path):
    from gieok.bank import open_bank

    path = tmp_path / "gieok.db"
    with open_bank(path) as bank:
        mind = bank.scope(user="minsu", character="letia")
        for number in range(100):
            mind.remember(f"기억 {number}", attribute="note", value=str(number))

    def anew(embedder):
        store = open_store(path, embedder="hashing-64", dimension=64, create=False, for_reindex=True)
        heard = []
        try:
            return reindex(store, embedder, progress=lambda *counts: heard.append(counts)), heard
        finally:
            store.close()

    with pytest.raises(KeyboardInterrupt):
        anew(Failing(batches=1))
    with open_bank(path) as bank:  # the old vectors still answer
        assert bank.info().embedder == "hashing-256"

    done, heard = anew(HashingEmbedder(64))
    assert done == 36
    assert heard == [(0, 36), (36, 36)]
    with open_bank(path, embedder="hashing:64") as bank:
        (hit, *_) = bank.scope(user="minsu", character="letia").recall("기억 42")
        assert hit.text == "기억 42"
        assert np.isclose(hit.parts.relevance, 1.0, atol=1e-3)
