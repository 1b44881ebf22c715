"""Bodies are read as JSON by the letter."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.http.problems import HTTPProblem
from gieok.http.router import strict_json

texts = st.text(st.characters(exclude_categories=["Cs"]))
numbers = st.integers(-(10**17), 10**17) | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)


@given(values, st.booleans())
def test_what_json_can_say_comes_back(value: object, ascii_only: bool) -> None:
    assert strict_json(json.dumps(value, ensure_ascii=ascii_only).encode()) == value


@given(st.binary())
def test_anything_else_is_refused_and_never_breaks(body: bytes) -> None:
    with suppress(HTTPProblem):
        json.dumps(strict_json(body), ensure_ascii=False, allow_nan=False).encode()


def test_a_byte_order_mark_is_no_mistake() -> None:
    assert strict_json(b'\xef\xbb\xbf{"text": "\xec\x95\x88\xeb\x85\x95"}') == {"text": "안녕"}


@pytest.mark.parametrize("half", [r'"\ud83d"', r'{"\ude3a": 1}', r'["안녕 \udfff"]'])
def test_half_a_letter_is_refused_wherever_it_stands(half: str) -> None:
    with pytest.raises(HTTPProblem, match="both halves"):
        strict_json(half.encode())


@pytest.mark.parametrize("opening", [b"[", b'{"\\u0041": '])
def test_however_deep_it_is_it_is_read_or_refused(opening: bytes) -> None:
    closing = b"]" if opening == b"[" else b"}"
    for depth in range(0, 1_100, 5):
        with suppress(HTTPProblem):
            strict_json(opening * depth + b"1" + closing * depth)
