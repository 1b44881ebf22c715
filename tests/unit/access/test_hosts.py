import pytest

from gieok.access.hosts import Host, host_of, origin_of


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
