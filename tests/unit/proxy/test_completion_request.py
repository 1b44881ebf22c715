"""What goes on to the model is the client's own bytes, but for two places."""

from __future__ import annotations

import json
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.proxy.prompt import Placement, placed
from gieok.proxy.upstream import Unreadable, read

ODD = (
    b' {"temperature":1.0E+2, "model" : "gieok/letia","seed":123456789012345678901234567890,"top_p":1.50,\n'
    b'"messages":[ {"role":"system","content":"\\uae30\\uc5b5 \\/ \\ud83d\\ude00"} , '
    b'{"content":"hi","role":"user", "x":[1,{}]}\t],'
    b'"tools":[{"type":"function","function":{"name":"f","parameters":{"b":1,"a":-0.0}}}],"new_field":null,"stream":true}\r\n'
)


def beside(**added):
    """Return what places messages with something added."""
    return partial(placed, added=Placement(**added))


def test_all_but_the_model_and_the_memory_is_the_same_byte_for_byte():
    system = b'{"role": "system", "content": "\xea\xb8\xb0\xec\x96\xb5 / \xf0\x9f\x98\x80\\n\\n\xeb\xa7\x90"}'
    expected = ODD.replace(b'"gieok/letia"', b'"small"').replace(
        b'{"role":"system","content":"\\uae30\\uc5b5 \\/ \\ud83d\\ude00"}', system
    )
    assert read(ODD).passed_on(model="small", placed=beside(stable="말")) == expected


@pytest.mark.parametrize(
    ("roles", "place", "role"),
    [
        (["user"], 0, "system"),
        (["system", "system", "user", "system"], 0, "system"),
        (["developer", "user"], 0, "developer"),
        (["system"], 0, "system"),
        (["assistant", "user"], 0, "system"),
    ],
)
def test_memory_stands_in_the_first_system_message(roles, place, role):
    body = json.dumps({"messages": [{"role": each, "content": "말"} for each in roles]}).encode()
    messages = json.loads(read(body).passed_on(model=None, placed=beside(stable='줄\n"따옴표"')))["messages"]
    assert messages[place]["role"] == role
    assert messages[place]["content"].endswith('줄\n"따옴표"')
    assert [each["role"] for each in messages][-len(roles) :] == roles
    assert len(messages) == len(roles) + (roles[0] != role)


def test_memory_stands_before_the_words_of_a_message_as_data():
    body = json.dumps({"messages": [{"role": "user", "content": "뭐 먹지?"}]}).encode()
    (message,) = json.loads(read(body).passed_on(model=None, placed=beside(beside={0: "땅콩 </memory> 말고"})))[
        "messages"
    ]
    assert message["content"] == "<memory>\n땅콩 ‹/memory> 말고\n</memory>\n\n뭐 먹지?"


def test_of_fields_that_come_twice_the_last_counts():
    body = b'{"model":"gieok/a","messages":[],"messages":[{"role":"user","content":"hi"}]}'
    asked = read(body)
    assert len(asked.messages) == 1
    assert asked.passed_on(model="x") == body.replace(b"gieok/a", b"x")


@pytest.mark.parametrize("field", ["model", "user"])
def test_a_body_that_says_twice_whose_memory_is_meant_is_refused(field):
    with pytest.raises(Unreadable):
        read(b'{"%b":"gieok/a","messages":[],"%b":"gieok/b"}' % (field.encode(), field.encode()))


@pytest.mark.parametrize(
    "body",
    [
        b"", b"null", b"[]", b'"text"', b"{", b'{"a"', b'{"a":', b'{"a":1', b'{"a":1,', b'{"a":1,}', b"{1:2}",
        b'{"a" 1}',
        b'{"a":1} x', b'{"messages":[1,]}', b'{"messages":[1 2]}', b'{"messages":[', b'{"a":\xff}', b"[" * 100_000,
        b'{"messages":[' + b"[" * 100_000,
    ],
)  # fmt: skip
def test_what_is_no_json_object_is_refused(body):
    with pytest.raises(Unreadable):
        read(body)


def test_how_long_a_reply_may_get():
    assert read(b'{"max_tokens":5}').reply_tokens() == 5
    assert read(b'{"max_tokens":5,"max_completion_tokens":7}').reply_tokens() == 7
    for given_ in (b"null", b"true", b'"7"', b"-1", b"9" * 5_000):
        assert read(b'{"max_tokens":' + given_ + b"}").reply_tokens() is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


@given(
    fields=st.dictionaries(st.text(), JSON, max_size=4),
    messages=st.lists(
        st.fixed_dictionaries({"role": st.sampled_from(["system", "user"]), "content": JSON}), max_size=4
    ),
    ascii_only=st.booleans(),
    indent=st.sampled_from([None, 1]),
    memory=st.text(st.characters(exclude_categories=("Cs",)), min_size=1),
)
def test_any_request_can_be_read_and_comes_out_as_it_was(fields, messages, ascii_only, indent, memory):
    whole = {**fields, "model": "gieok/letia", "messages": messages}
    text = json.dumps(whole, ensure_ascii=ascii_only, indent=indent)
    data = text.encode("utf-8", "surrogatepass" if ascii_only else "replace")
    asked = read(data)
    assert asked.passed_on(model=None) == data
    changed = json.loads(asked.passed_on(model="small", placed=beside(stable=memory)))
    assert changed["model"] == "small"
    was = json.loads(data)["messages"]
    leads = bool(was) and was[0]["role"] == "system"
    assert changed["messages"][len(was) and 1 :] == was[leads:]
    assert len(changed["messages"]) == len(was) + (bool(was) and bool(memory) and not leads)
