"""Have somebody answer the prompts of conversations, one by one, and keep the answers.

Usage: python training/record.py OUT_FOLDER CONVERSATIONS.jsonl… [--ids a03/x,a09/y] [--port 8765]

It serves this machine: GET /prompt/ID gives the next prompt of a conversation (with ?system, its instructions);
POST /answer/ID takes its answer and gives the next prompt, or DONE. One that cannot be read is refused with the reason.
What is recorded already is not asked again; `gieok eval dialogues --llm recorded:OUT_FOLDER` replays it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

from gieok.domain.answer import Message
from gieok.domain.json_text import json_in
from gieok.llms import CountedModel
from gieok.ports import Completion
from gieok.prompts.tasks import TASKS
from gieok_evals import dialogues
from gieok_evals.banks import temporary_bank
from gieok_evals.models import Recorded, key_of

DONE = "DONE"


class Asked(Recorded):
    """Answers from the record, else waits for somebody's."""

    def __init__(self, path: Path, talk: str) -> None:
        path.touch()
        super().__init__(path)
        self.talk = talk
        self.asked: Queue[tuple[Message, ...] | None] = Queue()
        self.answered: Queue[str] = Queue()
        self.waiting: tuple[Message, ...] | None = None

    def complete(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None, most_tokens: int
    ) -> Completion:
        key = key_of(messages)
        if key not in self._by_key:
            self.asked.put(tuple(messages))
            answer = json_in(self.answered.get())
            record = {
                "key": key,
                "conversation": self.talk,
                "version": TASKS["extract"].version,
                "prompt": messages[-1].content,
                "answer": answer,
            }
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
            self._by_key[key] = answer
        return Completion(text=json.dumps(self._by_key[key], ensure_ascii=False))

    def next(self) -> tuple[Message, ...] | None:
        if self.waiting is None:
            self.waiting = self.asked.get()
        return self.waiting

    def answer(self, text: Any) -> str:
        found = json_in(str(text))
        if not isinstance(found, dict) or not isinstance(found.get("facts"), list):
            raise ValueError('the answer is no JSON object with a list "facts"')
        self.waiting = None
        self.answered.put(str(text))
        return ""


def played(asked: Asked, talk: dialogues.Dialogue, like: Any) -> None:
    model = CountedModel(asked, record=lambda call: None, now=like.clock.now)
    with temporary_bank(like=like, model=model) as bank:
        dialogues.play(bank, talk)
    asked.asked.put(None)


def main() -> None:
    ask = argparse.ArgumentParser(description="Record answers.")
    ask.add_argument("out", type=Path)
    ask.add_argument("files", type=Path, nargs="+")
    ask.add_argument("--ids", default="")
    ask.add_argument("--port", type=int, default=8765)
    args = ask.parse_args()
    wanted = set(args.ids.split(",")) - {""}
    talks = {talk.id: talk for talk in dialogues.load(args.files) if not wanted or talk.id in wanted}
    args.out.mkdir(parents=True, exist_ok=True)
    known: dict[str, Asked] = {}
    with temporary_bank() as like:

        def of(talk: str) -> Asked:
            if talk not in known:
                known[talk] = Asked(args.out / f"{talk.replace('/', '-')}.jsonl", talk)
                Thread(target=played, args=(known[talk], talks[talk], like), daemon=True).start()
            return known[talk]

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path, _, query = self.path.removeprefix("/prompt/").partition("?")
                self._tell(of(path).next(), system=query == "system")

            def do_POST(self) -> None:
                asked = of(self.path.removeprefix("/answer/"))
                try:
                    asked.answer(self.rfile.read(int(self.headers["Content-Length"])).decode())
                except ValueError as trouble:
                    self._send(400, f"REFUSED: {trouble}")
                else:
                    self._tell(asked.next(), system=False)

            def _tell(self, messages: tuple[Message, ...] | None, *, system: bool) -> None:
                self._send(200, DONE if messages is None else messages[0 if system else -1].content)

            def _send(self, status: int, text: str) -> None:
                body = f"{text}\n".encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                return

        print(f"{len(talks)} conversations on 127.0.0.1:{args.port}", flush=True)
        ThreadingHTTPServer(("127.0.0.1", args.port), Handler).serve_forever()


if __name__ == "__main__":
    main()
