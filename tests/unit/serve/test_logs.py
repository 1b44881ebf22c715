"""What the log says, and what it keeps to itself."""

import io
import json
import logging
from threading import Event
from time import sleep

import pytest

from gieok.domain.scope import Scope
from gieok.errors import InvalidQuery
from gieok.http import request_id
from gieok.serve.metrics import JsonFormatter, ShortFormatter, hashed_query_scope, hashed_scope, start_logging

SCOPE = Scope(user="민수", character="레티아")


def record(message, *args, error=None, **told):
    exc_info = (type(error), error, error.__traceback__) if error else None
    made = logging.LogRecord("gieok.test", logging.ERROR, "x.py", 1, message, args, exc_info)
    made.fields = told
    return made


def raised(error, cause=None):
    try:
        raise error from cause
    except type(error) as caught:
        return caught


def test_a_scope_is_hashed_and_an_error_in_a_message_is_told_by_its_kind():
    line = JsonFormatter(log_text=False).format(record("it failed in %s: %s", SCOPE, InvalidQuery("고양이?")))
    assert json.loads(line)["message"] == f"it failed in scope {hashed_scope(SCOPE)}: InvalidQuery"


def test_an_error_is_told_by_where_it_happened_and_so_is_its_cause():
    error = raised(RuntimeError("민수가"), cause=raised(ValueError("고양이를")))
    told = json.loads(JsonFormatter(log_text=False).format(record("oh", error=error)))["error"]
    assert "in raised" in told
    assert "builtins.RuntimeError\ncaused by\n" in told
    assert told.endswith("builtins.ValueError")
    assert "고양이" not in told
    assert "민수" not in told


def test_a_line_that_is_logged_during_a_request_has_its_id():
    known = request_id.current.set("r1")
    try:
        assert json.loads(JsonFormatter(log_text=False).format(record("hm")))["request_id"] == "r1"
    finally:
        request_id.current.reset(known)
    assert "request_id" not in json.loads(JsonFormatter(log_text=False).format(record("hm")))


def test_an_error_that_quotes_lets_none_through_either():
    error = raised(RuntimeError("\x1b]0;제목\x07\x9b2J"))
    written = ShortFormatter(log_text=True).format(record("oh", error=error))
    assert "RuntimeError: \ufffd]0;제목" in written
    assert all(line.isprintable() for line in written.split("\n"))


def test_the_same_scope_is_known_again_from_a_query_string():
    query = b"user=%EB%AF%BC%EC%88%98&character=%EB%A0%88%ED%8B%B0%EC%95%84&k=3"
    assert hashed_query_scope(query) == hashed_scope(SCOPE)
    assert hashed_query_scope(b"user=sera&" + query) == hashed_scope(SCOPE), (
        "the last of two is the one that is answered for"
    )
    assert hashed_query_scope(b"k=3") is None
    assert hashed_query_scope(b"user=%ff%fe") is not None


@pytest.fixture
def kept_root():
    """The loggers of this process are afterwards as they were; another test's server may have set some up."""
    known = [logging.getLogger(), *(logging.getLogger(name) for name in logging.root.manager.loggerDict)]
    before = [(logger, logger.handlers[:], logger.level, logger.propagate) for logger in known]
    for logger in known[1:]:
        logger.handlers[:], logger.propagate = [], True
    yield
    for logger, handlers, level, propagate in before:
        logger.handlers[:], logger.propagate = handlers, propagate
        logger.setLevel(level)


def test_what_the_front_has_told_is_not_told_again_by_the_server(kept_root):
    stream = io.StringIO()
    handler = start_logging(log_text=False, to=stream)
    logging.getLogger("uvicorn.error").error("Exception in ASGI application\n")
    logging.getLogger("uvicorn.error").error("something else")
    logging.getLogger("httpx2").info("POST http://bot/?token=1")
    handler.close()
    assert [json.loads(line)["message"] for line in stream.getvalue().splitlines()] == ["something else"]


def test_a_reader_that_does_not_read_holds_up_nobody(kept_root, monkeypatch):
    monkeypatch.setattr("gieok.serve.metrics._LINES", 5)
    entered, release, written = Event(), Event(), []

    class Slow(io.StringIO):
        def write(self, text):
            entered.set()
            release.wait(30)
            written.append(text)
            return len(text)

    handler = start_logging(log_text=False, to=Slow())
    log = logging.getLogger("gieok.test")
    log.info("first")
    entered.wait(30)
    for number in range(20):  # nobody reads meanwhile
        log.info("line %d", number)
    release.set()
    while "".join(written).count('"message"') < 6:
        sleep(0.01)
    log.info("last")
    handler.close()
    lines = "".join(written).splitlines()
    assert len(lines) == 8
    assert lines[1].startswith("15 lines of the log were dropped")
