"""A real model, small enough to be asked in a test. Its answers are not judged, its wire is."""

import os
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from datetime import UTC, datetime
from urllib.parse import urlsplit

import pytest

from gieok.domain.answer import Message
from gieok.domain.json_text import json_in
from gieok.errors import ModelFailed
from gieok.llms import CountedModel, GgufLlm, Patience, create, gguf
from support.small_model import weights

HELLO = (Message(role="user", content="Say hello."),)
PATIENT = Patience(seconds=100.0, stall=60.0)
SCHEMA = {
    "type": "object",
    "properties": {"pet": {"type": "string", "maxLength": 12}, "count": {"type": "integer"}},
    "required": ["pet", "count"],
    "additionalProperties": False,
}
pytestmark = pytest.mark.real_model


@pytest.fixture(scope="module")
def llm():
    llm = GgufLlm(weights(), context=2048, patience=PATIENT)
    yield llm
    llm.close()
    assert gguf._SERVERS == {}


def test_an_answer_has_the_schema_that_was_asked_for(llm):
    done = llm.complete(HELLO, schema=SCHEMA, most_tokens=64)
    answer = json_in(done.text)
    assert set(answer) == {"pet", "count"}
    assert isinstance(answer["count"], int)
    assert done.prompt_tokens > 0
    assert done.answer_tokens > 0


def test_a_chat_comes_bit_by_bit_and_is_counted(llm):
    calls = []
    model = CountedModel(llm, record=calls.append, now=lambda: datetime.now(UTC))
    said = list(model.stream(HELLO, most_tokens=8))
    assert len(said) > 1
    (call,) = calls
    assert call.model == "SmolLM2-135M-Instruct.Q4_1"
    assert 0 < call.answer_tokens <= 8
    assert call.prompt_tokens > 0


def test_a_stream_that_is_left_lets_the_next_one_in(llm):
    for _ in range(gguf._AT_ONCE + 1):
        stream = llm.stream((Message(role="user", content="Count to a thousand."),), most_tokens=1_000)
        next(stream)
        stream.close()
    assert llm.complete(HELLO, most_tokens=2).text


def test_a_question_that_does_not_fit_is_refused(llm):
    with pytest.raises(ModelFailed) as caught:
        llm.complete((Message(role="user", content="hello " * 3_000),), most_tokens=2)
    assert caught.value.failure == "refused"


def test_who_names_the_same_file_shares_one_server(llm):
    llm.complete(HELLO, most_tokens=1)
    other = create(f"gguf:{weights()}", context=2048, seconds=100.0)
    other.complete(HELLO, most_tokens=1)
    assert len(gguf._SERVERS) == 1
    other.close()
    assert llm.complete(HELLO, most_tokens=1)


def test_without_its_key_nobody_is_answered(llm):
    llm.complete(HELLO, most_tokens=1)
    (server,) = gguf._SERVERS.values()
    stranger = gguf.EndpointLlm("x", url=server.url, key="guess", patience=PATIENT)
    with pytest.raises(ModelFailed) as caught:
        stranger.complete(HELLO, most_tokens=1)
    stranger.close()
    assert caught.value.failure == "refused"


def test_the_last_who_leaves_ends_the_server():
    before = threading.active_count()
    llm = GgufLlm(weights(), context=512, patience=PATIENT)
    llm.complete(HELLO, most_tokens=1)
    (server,) = (server for server in gguf._SERVERS.values() if server.context == 512)
    port = urlsplit(server.url).port
    assert port
    llm.close()
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", port), timeout=5)
    assert threading.active_count() == before
    with pytest.raises(ModelFailed, match="closed"):
        llm.complete(HELLO, most_tokens=1)


def test_a_broken_file_is_named_and_not_loaded_again(tmp_path):
    file = tmp_path / "broken.gguf"
    file.write_bytes(b"GGUF" + bytes(1000))
    llm = GgufLlm(file)
    for _ in range(2):
        with pytest.raises(ModelFailed, match=r"broken\.gguf does not load") as caught:
            llm.complete(HELLO, most_tokens=1)
        assert caught.value.failure == "refused"
        file.unlink(missing_ok=True)
    llm.close()


def test_a_process_that_forgets_to_close_ends_all_the_same():
    program = f"""
from pathlib import Path
from gieok.domain.answer import Message
from gieok.llms import GgufLlm, Patience
llm = GgufLlm(Path({str(weights())!r}), context=512, patience=Patience(seconds=100, stall=60))
next(llm.stream((Message(role="user", content="hi"),), most_tokens=50))
print("bye")
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=100, check=False, env=os.environ
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "bye\n", "")


def test_ctrl_c_while_a_file_loads_leaves_no_server_half_started(monkeypatch):
    opener = urllib.request.build_opener

    def interrupted(*handlers):
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        return opener(*handlers)

    monkeypatch.setattr("urllib.request.build_opener", interrupted)  # with it, a new server is waited for
    llm = GgufLlm(weights(), context=1024, patience=PATIENT)
    with pytest.raises(KeyboardInterrupt):
        llm.complete(HELLO, most_tokens=4)
    monkeypatch.undo()
    assert llm.complete(HELLO, most_tokens=4).text
    llm.close()
