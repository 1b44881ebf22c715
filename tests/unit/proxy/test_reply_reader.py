"""A reply is heard whatever pieces it comes in, and nothing that is sent stops the listening."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.proxy.history import ReplyReader


def event(delta: dict[str, object], *, index: int = 0, finish: str | None = None) -> bytes:
    chunk = {"choices": [{"index": index, "delta": delta, "finish_reason": finish}]}
    return b"data: %s\n\n" % json.dumps(chunk, ensure_ascii=False).encode()


SAID = "오늘은 🌧 비가 와요."
STREAM = (
    b": comment\n\nevent: message\n"
    + b"".join(event({"content": letter}) for letter in SAID)
    + event({"content": "다른 답"}, index=1)
    + event({}, finish="stop")
    + b'data: {"choices":[],"usage":{"total_tokens":3}}\n\ndata: [DONE]\n\n'
)


@given(st.lists(st.integers(0, len(STREAM)), max_size=40), st.booleans())
def test_a_stream_may_be_cut_anywhere(cuts, carriage_returns):
    stream = STREAM.replace(b"\n", b"\r\n") if carriage_returns else STREAM
    reader = ReplyReader(events=True)
    places = sorted({0, len(stream), *(min(cut, len(stream)) for cut in cuts)})
    for start, end in pairwise(places):
        reader.feed(stream[start:end])
    reader.end()
    assert (reader.text, reader.done, reader.ended) == (SAID, True, True)


@pytest.mark.parametrize(
    "stream",
    [
        b"data: {not json}\n\n",
        b"data: [1,2]\n\ndata: 3\n\ndata: null\n\n",
        b'data: {"choices":null}\n\ndata: {"choices":[null,{"delta":3},{"delta":{"content":7}}]}\n\n',
        b"<html>\n<body>",
        b"data: " + b"[" * 50_000 + b"\n\n",
        b"\xff\xfe\n\n",
    ],
)
def test_what_cannot_be_read_is_not_heard_and_what_follows_is(stream):
    reader = ReplyReader(events=True)
    reader.feed(stream)
    reader.feed(b"\n" + event({"content": "들려요"}))
    reader.end()
    assert reader.text == "들려요"
    assert not reader.done


@pytest.mark.parametrize(
    ("body", "text", "done"),
    [
        (
            {"choices": [{"index": 1, "message": {"content": "둘"}}, {"index": 0, "message": {"content": "하나"}}]},
            "하나",
            True,
        ),
        ({"choices": [{"message": {"content": None, "tool_calls": [{}]}, "finish_reason": "tool_calls"}]}, "", True),
        ({"choices": []}, "", True),
        ([], "", False),
    ],
)
def test_a_whole_body_is_heard_at_its_end(body, text, done):
    reader = ReplyReader(events=False)
    for byte in json.dumps(body).encode():
        reader.feed(bytes([byte]))
    reader.end()
    assert (reader.text, reader.done) == (text, done)


def test_a_packed_stream_is_heard():
    reader = ReplyReader(events=True, encoding="gzip")
    packed = gzip.compress(STREAM)
    for place in range(0, len(packed), 7):
        reader.feed(packed[place : place + 7])
    reader.end()
    assert reader.text == SAID
    broken = ReplyReader(events=True, encoding="gzip")
    broken.feed(b"this is not packed at all")
    broken.end()
    assert broken.text == ""


def test_what_is_packed_small_is_not_unpacked_without_end():
    """A thousandth of its size, as a line without an end."""
    reader, packed = ReplyReader(events=True, encoding="gzip"), gzip.compress(bytes(200_000_000), 1)
    tracemalloc.start()
    try:
        reader.feed(packed)
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()
