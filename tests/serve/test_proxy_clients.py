"""What SillyTavern, RisuAI, Open WebUI and others send when people edit, re-roll, delete, stop and go on.

The transcripts were written by somebody who had not seen the proxy, from what each client sends. Each holds requests
with what the model answers, and the conversations as they stand in the client's windows at the end.
"""

import json
import lzma
from pathlib import Path
from typing import Any

import httpx2
import pytest

from gieok.domain.turn import LONGEST_UTTERANCE
from support.misbehaving import LONG, Act, Exchange
from support.proxied import Proxied, proxied

TRANSCRIPTS: list[dict[str, Any]] = json.loads(
    lzma.decompress(Path(__file__).with_name("transcripts.json.xz").read_bytes())
)
#: What `make test` replays, so that everything that people do in a client is done once; `make soak` replays all.
SAMPLE = {
    "reroll_thrice_risuai",
    "edit_last_reply_in_place_sillytavern",
    "edit_middle_branch_return_librechat",
    "delete_last_one_and_three_sillytavern",
    "window_greeting_kept_risuai",
    "two_chats_same_greeting_interleaved_sillytavern",
    "continue_sillytavern",
    "stop_then_go_on_openwebui",
    "error_retry_and_error_then_other_sillytavern",
    "tool_call_round_trip_script",
    "image_parts_openwebui",
    "title_and_tag_tasks_openwebui",
}


def replayed(transcript: dict[str, Any]) -> Any:
    name = transcript["name"]
    return pytest.param(transcript, id=name, marks=() if name in SAMPLE else pytest.mark.soak)


def test_every_transcript_of_the_sample_is_there() -> None:
    assert {each["name"] for each in TRANSCRIPTS} >= SAMPLE


@pytest.mark.parametrize("transcript", [replayed(each) for each in TRANSCRIPTS])
def test_the_log_is_what_stands_in_the_clients_windows(tmp_path, transcript):
    with proxied(tmp_path) as chat, httpx2.Client(timeout=60) as client:
        for step in transcript["steps"]:
            upstream = step["upstream"]
            chat.model.will(answering(upstream))
            if upstream["kind"] == "cut":
                stop_after(upstream["after"], client, chat, step)
            else:
                answer = send(client, chat, step)
                assert answer.status_code == upstream.get("status", 200), answer.text
        assert sorted(conversations(chat)) == sorted(kept(each) for each in transcript["sessions"])


def conversations(chat: Proxied) -> list[list[tuple[str, str]]]:
    found: dict[tuple[str, str | None], list[tuple[str, str]]] = {}
    for known in chat.bank.scopes():
        for turn in chat.bank.mind(known.scope).turns(1_000):
            lines = found.setdefault((str(known.scope), turn.session), [])
            lines += [("assistant" if each.speaker == "character" else "user", each.text) for each in turn.utterances]
    return [*found.values()]


def kept(conversation: list[list[str]]) -> list[tuple[str, str]]:
    return [(role, text.strip()[:LONGEST_UTTERANCE].rstrip()) for role, text in conversation]


def send(client: httpx2.Client, chat: Proxied, step: dict[str, Any]) -> httpx2.Response:
    return client.post(f"{chat.url}/chat/completions", json=step["body"], headers=step["headers"])


def stop_after(letters: int, client: httpx2.Client, chat: Proxied, step: dict[str, Any]) -> None:
    """Read so many letters of the reply, hang up, and wait until that is kept."""
    said = ""
    with client.stream("POST", f"{chat.url}/chat/completions", json=step["body"], headers=step["headers"]) as answer:
        for line in answer.iter_lines():
            if line.startswith("data: {"):
                said += json.loads(line[6:])["choices"][0]["delta"].get("content") or ""
            if len(said) >= letters:
                break
    assert chat.turns.until(lambda: any(said.strip() == talk[-1][1] for talk in conversations(chat)))


def answering(upstream: dict[str, Any]) -> Act:
    def act(exchange: Exchange) -> None:
        if upstream["kind"] == "error":
            exchange.json({"error": {"message": "the model has a bad day"}}, code=upstream["status"])
        elif exchange.streaming:
            streamed(exchange, upstream)
        else:
            message = {"role": "assistant", "content": upstream.get("text"), **called(upstream)}
            exchange.json({"id": "x", "object": "chat.completion", "choices": [{"index": 0, "message": message}]})

    return act


def streamed(exchange: Exchange, upstream: dict[str, Any]) -> None:
    text, whole = upstream.get("text", ""), upstream["kind"] != "cut"
    bits = [text[place : place + 7] for place in range(0, len(text), 7)] if whole else list(text[: upstream["after"]])
    exchange.head(type="text/event-stream")
    for delta in (*({"content": bit} for bit in bits), called(upstream)):
        choice = {"index": 0, "delta": delta}
        exchange.event({"id": "x", "object": "chat.completion.chunk", "choices": [choice]})
    if not whole:
        exchange.pause(LONG)
    exchange.send(b"data: [DONE]\n\n")
    exchange.end()


def called(upstream: dict[str, Any]) -> dict[str, Any]:
    if upstream["kind"] != "tool_calls":
        return {}
    return {"tool_calls": [{"index": number, **call} for number, call in enumerate(upstream["calls"])]}
