import hashlib
from dataclasses import replace

import pytest

from gieok.access.keys import Keyring, create_key, redact_keys, revoke
from gieok.domain.record import to_record
from gieok.domain.server_state import AccessKey
from gieok.errors import InvalidInput, InvalidQuery
from gieok.testing import day


class Drawer:
    """What a desk does with keys, in memory; it counts how often it is read."""

    def __init__(self, *keys: AccessKey) -> None:
        self.keys = {key.id: key for key in keys}
        self.reads = 0

    def keep_key(self, key: AccessKey) -> None:
        self.keys[key.id] = key

    def access_keys(self) -> list[AccessKey]:
        self.reads += 1
        return list(self.keys.values())


def ring_of(*keys):
    ring = Keyring(Drawer(*keys))
    ring.refresh()
    return ring


def test_a_secret_has_256_bits():
    token, _ = create_key("x", "reader", now=day(1))
    secret = token.split("_", 2)[2]
    assert secret.isalnum()
    assert 62 ** len(secret) > 2**256


def test_only_the_digest_is_kept():
    token, key = create_key("x", "reader", now=day(1))
    secret = token.split("_", 2)[2]
    assert key.digest == hashlib.sha256(secret.encode()).hexdigest()
    assert secret not in str(to_record(key))
    assert key.digest not in repr(key)


@pytest.mark.parametrize(
    "garbled",
    [
        lambda token: "",
        lambda token: token[:-1],
        lambda token: token + "x",
        lambda token: f" {token}",
        lambda token: f"{token}\n",
        lambda token: token.swapcase(),
        lambda token: token.replace("gk_", "sk_"),
        lambda token: token[:16] + "A" * 43,
        lambda token: token.split("_", 2)[2],
        lambda token: token.split("_", 2)[1],
        lambda token: token[:-1] + "\udcff",
        lambda token: token[:-1] + "٣",
        lambda token: "gk__" + "0" * 43,
    ],
)
def test_a_garbled_key_opens_nothing(garbled):
    token, key = create_key("x", "reader", now=day(1))
    assert ring_of(key).find(garbled(token)) is None


def test_the_digest_of_a_key_is_no_key():
    token, key = create_key("x", "reader", now=day(1))
    assert ring_of(key).find(f"gk_{key.id}_{key.digest}") is None
    assert ring_of(replace(key, digest="")).find(token) is None


def test_an_unknown_key_costs_the_same_comparison(monkeypatch):
    token, key = create_key("x", "reader", now=day(1))
    compared = []
    monkeypatch.setattr("gieok.access.keys.hmac.compare_digest", lambda one, other: compared.append((one, other)))
    ring = ring_of(key, replace(key, id="0" * 12, revoked_at=day(2)))
    for tried in (token, token[:16] + "A" * 43, token.replace(key.id, "1" * 12), token.replace(key.id, "0" * 12), "no"):
        ring.find(tried)
    assert [(len(one), len(other)) for one, other in compared] == [(64, 64)] * 5


def test_a_revoked_key_stops_opening_when_the_ring_is_read_again():
    token, key = create_key("x", "reader", now=day(1))
    drawer, now = Drawer(key), [100.0]
    ring = Keyring(drawer, fresh_seconds=1.0, ticks=lambda: now[0])
    ring.refresh()
    revoke(drawer, key.id, now=day(2))
    now[0] += 0.9
    assert not ring.is_stale
    now[0] += 0.1
    assert ring.is_stale
    ring.refresh()
    assert ring.find(token) is None


def test_revoking_twice_keeps_the_first_moment():
    _, key = create_key("x", "reader", now=day(1))
    drawer = Drawer(key)
    revoke(drawer, key.id, now=day(2))
    assert revoke(drawer, key.id, now=day(3)).revoked_at == day(2)


def test_a_whole_key_may_be_revoked_and_is_never_repeated():
    token, key = create_key("x", "reader", now=day(1))
    assert revoke(Drawer(key), token, now=day(2)).revoked_at == day(2)
    with pytest.raises(InvalidQuery) as refused:
        revoke(Drawer(), token, now=day(2))
    assert token.split("_", 2)[2] not in str(refused.value)


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "\x1b[2J", "ㄱ" * 201])
def test_a_key_needs_a_name_that_can_be_shown(name):
    with pytest.raises(InvalidInput, match="a key needs a name"):
        create_key(name, "reader", now=day(1))


def test_a_key_in_a_text_is_not_said():
    token, key = create_key("x", "reader", now=day(1))
    said = redact_keys(f"/memories?key={token}&x=1 gk_ gk_x {token[:-3]}")
    assert token.split("_")[2][:8] not in said
    assert said == f"/memories?key=gk_{key.id}_…&x=1 gk_ gk_x gk_{key.id}_…"
