"""Hosts and origins: how they are read, and which ones a server accepts."""

import pytest

from gieok.access.hosts import Host, host_of, origin_of, rules_of
from gieok.errors import InvalidSetting
from gieok.settings import Settings


@pytest.mark.parametrize(
    ("text", "name", "port"),
    [
        ("localhost", "localhost", None),
        ("LocalHost:8420", "localhost", 8420),
        ("127.0.0.1:8420", "127.0.0.1", 8420),
        ("[::1]:8420", "::1", 8420),
        ("[0:0:0:0:0:0:0:1]", "::1", None),
        ("memory.example", "memory.example", None),
        ("xn--ok0b195b.example:443", "xn--ok0b195b.example", 443),
        ("a", "a", None),
    ],
)
def test_a_host_is_read(text, name, port):
    assert host_of(text) == Host(name=name, port=port)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " localhost",
        "localhost ",
        "localhost\n",
        "user@localhost",
        "localhost@evil.example",
        "localhost/",
        "localhost#evil.example",
        "localhost?",
        "localhost\\evil.example",
        "localhost:",
        "localhost:0",
        "localhost:65536",
        "localhost:84_20",
        "localhost:+80",
        "localhost:８０",
        "localhost:80:80",
        "localhost,evil.example",
        "ｌocalhost",
        "기억.example",
        "::1",
        "[::1",
        "[::1%25lo]",
        "[localhost]",
        "[::1]x",
        "-evil.example",
        "http://localhost",
        "a" * 300,
        "\xff",
    ],
)
def test_what_is_not_spelt_as_browsers_spell_it_is_no_host(text):
    assert host_of(text) is None


@pytest.mark.parametrize("text", ["localhost", "127.0.0.1", "127.8.9.1", "[::1]", "LOCALHOST:1"])
def test_loopback_goes_by_few_names(text):
    assert host_of(text).is_loopback


@pytest.mark.parametrize(
    "text",
    [
        "localhost.", "127.0.0.1.", "localhost.evil.example", "127.0.0.1.evil.example", "127.1", "2130706433",
        "0x7f.0.0.1", "0177.0.0.1", "0.0.0.0", "[::]", "10.0.0.1", "localhost-evil", "evil.example",
    ],
)  # fmt: skip
def test_what_looks_like_loopback_is_not(text):
    assert not host_of(text).is_loopback


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("https://App.Example", "https://app.example"),
        ("https://app.example:443", "https://app.example"),
        ("http://app.example:80", "http://app.example"),
        ("http://[0::1]:3000", "http://[::1]:3000"),
        ("tauri://localhost", "tauri://localhost"),
    ],
)
def test_an_origin_is_the_same_however_it_is_spelt(text, same):
    assert origin_of(text) == origin_of(same) is not None


@pytest.mark.parametrize(
    "text",
    [
        *(
            "null * https:// app.example //app.example https://app.example/ https://app.example/path "
            "https://user@app.example https://app.example,https://evil.example file:// https://앱.example "
            "https://app.example:99999"
        ).split(),
        "",
        "https://app.example https://evil.example",
        "https://app.example\r\nx: y",
    ],
)
def test_what_is_no_origin_is_none(text):
    assert origin_of(text) is None


HTTP = frozenset({"http"})


@pytest.mark.parametrize(
    ("origin", "host", "own"),
    [
        ("http://localhost:8420", "localhost:8420", True),
        ("http://[::1]:8420", "[::1]:8420", True),
        ("http://localhost", "localhost", True),
        ("http://localhost", "localhost:80", True),
        ("http://localhost:80", "localhost", True),
        ("http://localhost:3000", "localhost:8420", False),
        ("http://localhost", "localhost:8420", False),
        ("http://localhost:8420", "localhost", False),
        ("http://127.0.0.1:8420", "localhost:8420", False),
        ("https://localhost:8420", "localhost:8420", False),
        ("ftp://localhost:8420", "localhost:8420", False),
    ],
)
def test_a_page_is_of_the_server_with_its_scheme_name_and_port(origin, host, own):
    assert origin_of(origin).is_of(host_of(host), HTTP) is own


def rules(address="127.0.0.1", **settings):
    return rules_of(Settings(**settings), address)


@pytest.mark.parametrize("address", ["127.0.0.1", "localhost", "::1", "[::1]", "127.0.0.2"])
def test_on_this_machine_alone_no_key_is_asked_for(address):
    assert not rules(address).keys_required


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.168.0.2", "gieok.example", ""])
def test_as_soon_as_others_can_reach_it_a_key_is_asked_for(address):
    assert rules(address).keys_required


def test_names_that_are_set_hold_for_every_port_unless_they_name_one():
    ours = rules("0.0.0.0", serve_hosts="memory.example, other.example:8443 기억.example")
    known = ("memory.example", "memory.example:8420", "other.example:8443", "xn--ok0b195b.example", "localhost")
    assert all(ours.allows(host_of(name)) for name in known)
    assert not any(ours.allows(host_of(name)) for name in ("other.example", "a.memory.example", "evil.example"))


def test_a_page_that_came_by_https_through_a_proxy_is_the_servers_own():
    origin, host = origin_of("https://memory.example"), host_of("memory.example")
    assert rules(serve_hosts="memory.example").is_own(origin, host, "http")
    assert not rules("0.0.0.0").is_own(origin, host, "http")
    assert rules("0.0.0.0").is_own(origin, host, "wss")
    assert not rules("0.0.0.0", serve_hosts="memory.example").is_own(origin_of("http://memory.example"), host, "https")


def test_origins_are_listed_with_or_without_a_slash_and_in_any_script():
    ours = rules(serve_origins="https://App.example/, http://localhost:3000 https://기억.example")
    listed = ("https://app.example", "http://localhost:3000", "https://xn--ok0b195b.example")
    assert ours.origins == {origin_of(each) for each in listed}


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("serve_hosts", "https://memory.example"),
        ("serve_hosts", "*"),
        ("serve_hosts", "memory.example/path"),
        ("serve_origins", "*"),
        ("serve_origins", "null"),
        ("serve_origins", "app.example"),
        ("serve_origins", "https://app.example/path"),
        ("serve_origins", "https://*.example"),
        ("serve_hosts", "가" * 80),
    ],
)
def test_a_wrong_list_is_told_at_once(setting, value):
    with pytest.raises(InvalidSetting, match=setting):
        rules(**{setting: value})
