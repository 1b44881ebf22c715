import threading

import numpy as np
import pytest

from gieok.embedders import UniversalEncoder, create
from gieok.embedders.universal import _REMEMBERED
from gieok.errors import EmbedderFailed


@pytest.fixture(scope="module")
def encoder():
    encoder = UniversalEncoder()
    encoder.warm()
    return encoder


class SlowLibrary:
    """Stands in for the model: slow, counts its batches, fails on texts with a bomb in them."""

    def __init__(self):
        self.batches = []
        self.first_entered = threading.Event()
        self.go_on = threading.Event()

    def encode(self, texts):
        self.batches.append(list(texts))
        self.first_entered.set()
        self.go_on.wait(5)
        if any("💣" in text for text in texts):
            raise RuntimeError("boom")
        rows = np.zeros((len(texts), 512), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[sum(map(ord, text)) % 512] = 1
        return rows


def embed_at_once(encoder, texts, library):
    """Embed each text in its own thread, all of them waiting behind the first."""
    results = {}

    def run(text):
        try:
            results[text] = encoder.embed([text], purpose="query")[0]
        except EmbedderFailed as error:
            results[text] = error

    threads = [threading.Thread(target=run, args=(text,)) for text in texts]
    threads[0].start()
    assert library.first_entered.wait(5)
    for thread in threads[1:]:
        thread.start()
    while len(encoder._waiting) < len(texts):
        threading.Event().wait(0.005)
    library.go_on.set()
    for thread in threads:
        thread.join(5)
        assert not thread.is_alive()
    return results


@pytest.fixture
def stubbed():
    encoder, library = UniversalEncoder(), SlowLibrary()
    encoder._encoder = library
    return encoder, library


def test_like_and_dislike_are_as_near_as_the_design_says(encoder):
    like, dislike, mother, father = encoder.embed(
        ["고양이를 좋아함", "고양이를 싫어함", "엄마랑 싸웠어", "아빠랑 싸웠어"], purpose="document"
    )
    assert like @ dislike == pytest.approx(0.89, abs=0.01)
    assert mother @ father == pytest.approx(0.76, abs=0.01)


def test_rows_are_finite_and_of_unit_length_but_for_blank_texts(encoder):
    rows = encoder.embed(["고양이", "", " \n", "\ud800", "😀", "가" * 8000], purpose="query")
    assert np.isfinite(rows).all()
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 0, 0, 1, 1, 1], abs=1e-5)
    assert encoder.embed([], purpose="query").shape == (0, 512)


def test_sixteen_threads_get_what_one_alone_would_get(encoder):
    texts = [f"나는 고양이 {n}마리와 살아" + " 정말로" * n for n in range(16)]
    alone = UniversalEncoder()
    expected = {text: alone.embed([text], purpose="query")[0] for text in texts}
    results = {}
    threads = [
        threading.Thread(target=lambda text=text: results.update({text: encoder.embed([text], purpose="query")[0]}))
        for text in texts
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    for text in texts:
        assert results[text] == pytest.approx(expected[text], abs=1e-5)


def test_texts_that_queue_up_are_encoded_in_one_batch(stubbed):
    encoder, library = stubbed
    embed_at_once(encoder, [f"문장 {n}" for n in range(16)], library)
    assert [len(batch) for batch in library.batches] == [1, 15]


def test_a_text_asked_for_again_is_not_encoded_again(stubbed):
    encoder, library = stubbed
    library.go_on.set()
    for _ in range(3):
        encoder.embed(["오늘 뭐 먹지", "오늘 뭐 먹지"], purpose="query")
    assert library.batches == [["오늘 뭐 먹지"]]


def test_only_the_latest_texts_are_remembered(stubbed):
    encoder, library = stubbed
    library.go_on.set()
    encoder.embed([f"문장 {n}" for n in range(1100)], purpose="document")
    assert len(encoder._recent) == _REMEMBERED
    assert not encoder._waiting


def test_a_text_that_fails_leaves_nobody_waiting_and_spoils_no_other(stubbed):
    encoder, library = stubbed
    results = embed_at_once(encoder, ["하나", "둘", "💣", "셋"], library)
    assert isinstance(results.pop("💣"), EmbedderFailed)
    assert all(isinstance(row, np.ndarray) for row in results.values())


def test_a_model_that_cannot_be_loaded_says_so_with_its_cause(monkeypatch):
    encoder = UniversalEncoder()
    monkeypatch.setattr(encoder, "_load", lambda: (_ for _ in ()).throw(OSError("weights.npz is missing")))
    with pytest.raises(EmbedderFailed, match=r"weights\.npz is missing") as failure:
        encoder.embed(["고양이", "강아지"], purpose="query")
    assert isinstance(failure.value.__cause__, OSError)


def test_banks_of_one_process_share_the_encoder():
    assert create("universal") is create("use-m3-512")
