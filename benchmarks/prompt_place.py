"""How many tokens of its prompts a local model reads in twelve turns, asked directly and through the proxy.

    python benchmarks/prompt_place.py MODEL.gguf

The model keeps what it read last, so that it reads only what is new behind the same beginning. Its replies are fixed
by a seed, and the client sends the whole conversation with every turn, as chat clients do. A known user told six things
about themself in an earlier talk. Each talk begins with words of its own, so that it finds nothing of the others in the
model's cache. gieok waits for its memory however busy the machine is: a turn without memory would look cheap.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, get_args

import httpx2

from gieok.llms.gguf import GgufLlm
from gieok.settings import MemoryPlace

_PERSONA: Final = (
    "({talk}) You are Letia, a student of a school of magic, seventeen years old, the best of her year in potions and "
    "the worst in flying. You live in the north tower with an owl named Momo. You are kind and playful, you like to "
    "tease your friends a little, and you never speak about being a model. You answer briefly, in two or three "
    "sentences."
)
_BEFORE: Final = (  # said in an earlier talk
    "Hi, I'm Minsu!", "I'm allergic to peanuts.", "I have a cat named Nabi.", "I work as a nurse in Seoul.",
    "My favorite food is bibimbap.", "My sister lives in Busan.",
)  # fmt: skip
_SAID: Final = (
    "Hello again! I just came home, and it is raining the whole day here.",
    "Work was long today. Two people were ill, so that I had to do their work, too.",
    "What should I eat tonight? I don't want to cook anything that takes long.",
    "Good idea. By the way, I have bought a new guitar last weekend.",
    "I could play when I was at school, but I have forgotten nearly everything.",
    "Which song would you learn first, if you were me?",
    "I think I'll try that one. My cat runs away whenever I begin to play.",
    "Next month I want to visit my sister. Have you got an idea for a present?",
    "She likes books, most of all those about the sea.",
    "You are right, I'll look for one on Saturday. How was your own day?",
    "Tell me a short story about your owl before I go to bed.",
    "That was lovely. Good night, Letia, sleep well!",
)
_REPLY: Final = 32  #: tokens of a reply
_PORT: Final = 8429
#: gieok, as the command starts it, with a minute for its memory
_SERVE: Final = "from gieok.proxy import routes; routes._PATIENCE = 60.0; from gieok.cli import main; main()"
_NO_MEMORY: Final = "memory was not there in time"


def main(file: Path) -> None:
    """Print the tokens of each turn, directly and for each place of memory."""
    model = GgufLlm(file)
    url, key = model.address()
    direct = _talk("direct", url, key, "model")
    print(f"directly: {sum(direct)} tokens {direct}", flush=True)  # noqa: T201  # a report
    for place in get_args(MemoryPlace):
        for user, before in (("a new user", ()), ("a known user", _BEFORE)):
            with _gieok(url, key, place) as proxy:
                _talk("earlier", proxy, "none", "gieok/letia", before)
                read = _talk(f"{place}, {user}", proxy, "none", "gieok/letia")
            ratio = sum(read) / sum(direct)
            print(f"{place}, {user}: {sum(read)} tokens, {ratio:.2f} times {read}", flush=True)  # noqa: T201  # a report
    model.close()


@contextmanager
def _gieok(url: str, key: str, place: MemoryPlace) -> Iterator[str]:
    """Serve a new bank in front of the model."""
    address = f"http://127.0.0.1:{_PORT}"
    with TemporaryDirectory() as folder, httpx2.Client(trust_env=False) as client:
        settings = {"BANK": f"{folder}/bank.db", "PROXY_URL": url, "PROXY_KEY": key, "PROXY_MODEL": "model"}
        own = {f"GIEOK_{name}": value for name, value in (settings | {"PROXY_PLACE": place}).items()}
        served = subprocess.Popen(
            [sys.executable, "-c", _SERVE, "serve", "--port", str(_PORT)],
            env=os.environ | own, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            while not _ready(client, address):
                time.sleep(0.2)
            yield f"{address}/v1"
        finally:
            served.terminate()
            served.wait()


def _ready(client: httpx2.Client, address: str) -> bool:
    try:
        return client.get(f"{address}/readyz").is_success
    except httpx2.ConnectError:
        return False


def _talk(name: str, url: str, key: str, model: str, texts: Sequence[str] = _SAID) -> list[int]:
    """Return how many tokens of the prompt were read in each turn."""
    said: list[dict[str, str]] = [{"role": "system", "content": _PERSONA.format(talk=name)}]
    read: list[int] = []
    with httpx2.Client(timeout=300, headers={"authorization": f"Bearer {key}"}, trust_env=False) as client:
        for text in texts:
            said.append({"role": "user", "content": text})
            body = {"model": model, "messages": said, "max_tokens": _REPLY, "temperature": 0, "seed": 1}
            got = client.post(f"{url}/chat/completions", json=body).raise_for_status()
            if _NO_MEMORY in got.headers.get("x-gieok-context", ""):
                raise RuntimeError(_NO_MEMORY)
            answer: Any = got.json()
            read.append(answer["timings"]["prompt_n"])
            said.append({"role": "assistant", "content": answer["choices"][0]["message"]["content"]})
    return read


if __name__ == "__main__":
    main(Path(sys.argv[1]))
