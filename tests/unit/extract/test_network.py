import numpy as np

from gieok.extract.learned import network as tagger
from gieok.extract.learned.network import Network, Piece, network, window_of

PIECES = (
    Piece("나 고양이 진짜 좋아해", tagger.USER),
    Piece("저도 고양이 좋아해요!", tagger.CHARACTER),
    Piece("My sister Anna lives in Boston", tagger.OTHER),
    Piece("ㅋ", tagger.USER),
    Piece("내 동생 지수는 " + "땅콩이랑 " * 30 + "알레르기가 있어", tagger.USER),
    Piece("지수, ", tagger.NAMES),
)


def fresh() -> Network:
    return Network(network()._w, network().meta)


def test_pieces_that_are_encoded_together_do_not_see_each_other():
    together, alone = fresh().encode(PIECES), [fresh().encode([piece])[0] for piece in PIECES]
    for one, other in zip(together, alone, strict=True):
        assert np.allclose(one.raw, other.raw, atol=1e-5)
        assert np.allclose(one.normed, other.normed, atol=1e-5)
        assert all(np.allclose(*pair, atol=1e-5) for pair in zip(one.pairs, other.pairs, strict=True))


def test_the_layers_that_are_fused_compute_what_they_do_one_by_one():
    net = fresh()
    w, x = net._w, np.random.default_rng(1).normal(size=(7, net._size)).astype(np.float32)
    normed = net._norm(x, "cross.0.n1")
    weight, bias = net._fused["cross.0.n1"]
    fused = net._centred(x) @ weight + bias
    query = (normed @ w["cross.0.query.weight"] + w["cross.0.query.bias"]) / np.sqrt(net._size / 4)
    pair = normed @ w["cross.0.pair.weight"] + w["cross.0.pair.bias"]
    assert np.allclose(fused, np.hstack([query, pair]), atol=1e-4)


def test_a_piece_that_was_used_lately_is_kept(monkeypatch):
    monkeypatch.setattr(tagger, "_KEPT", 2)
    net = fresh()
    first, second, third = PIECES[:3]
    (kept,) = net.encode([first])
    net.encode([second])
    net.encode([first])
    net.encode([third])
    assert list(net._encoded) == [first, third]
    assert net.encode([first])[0] is kept


def test_what_is_read_does_not_depend_on_what_was_encoded_before():
    window = window_of(PIECES[:2], ("지수",), PIECES[2])
    ready = fresh()
    ready.encode([piece for piece in window if piece])
    found, wanted = ready.read(window, 0.3), fresh().read(window, 0.3)
    assert [(each.start, each.end) for each in found] == [(each.start, each.end) for each in wanted] != []
    assert np.allclose([each.chance for each in found], [each.chance for each in wanted], atol=1e-4)
