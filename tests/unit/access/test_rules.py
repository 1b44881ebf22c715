import pytest

from gieok.access.hosts import host_of, origin_of, rules_of
from gieok.errors import InvalidSetting
from gieok.settings import Settings


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
