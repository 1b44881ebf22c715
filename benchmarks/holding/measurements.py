"""All measurements, in the order in which they run: with the counts that the goals were set for."""

from __future__ import annotations

from typing import Final

from holding.measurement import Measurement

_PYTEST: Final = ("pytest", "-q", "-n", "auto", "--timeout=3600")


def _evaluation(name: str, *words: str, quick: tuple[str, ...] = (), needs: tuple[str, ...] = ()) -> Measurement:
    return Measurement(
        name=name,
        words=("gieok", *words, "--json"),
        quick=("gieok", *(quick or words), "--json"),
        needs=needs,
        told="stdout",
    )


def _retrieval(name: str, file: str, *options: str) -> Measurement:
    words = ("eval", "retrieval", "--data", f"{{data}}/{file}", *options)
    return _evaluation(name, *words, quick=(*words, "--queries", "20", "--embedder", "hashing"), needs=(file,))


def _benchmark(name: str, *words: str, quick: tuple[str, ...] = (), needs: tuple[str, ...] = ()) -> Measurement:
    script = f"benchmarks/{words[0]}"
    return Measurement(name=name, words=(script, *words[1:]), quick=(script, *(quick or words[1:])), needs=needs)


def _tests(name: str, *files: str, soak: bool = True) -> Measurement:
    words = (*_PYTEST, *files)
    return Measurement(name=name, words=(*words, "--soak") if soak else words, quick=words, told="junit")


def _planted(name: str, scripts: int, turns: int) -> Measurement:
    words = ("eval", "planted", "--split", "test", "--scripts", str(scripts), "--turns", str(turns))
    return _evaluation(name, *words, quick=("eval", "planted", "--split", "dev", "--scripts", "1"))


def _peers(name: str, peers: str, size: int, *, seconds: int) -> Measurement:
    """Return some peers at one size; whoever takes longer than `seconds` is measured at what it has reached by then."""
    words = ("--data", "{data}/locomo_dev.json", "--envs", "{envs}", "--sizes", str(size), "--peers", peers)
    return _benchmark(
        name,
        *("peers.py", *words, "--limit-seconds", str(seconds)),
        quick=(*words, "--limit-seconds", "3"),
        needs=("locomo_dev.json",),
    )


_MODEL: Final = ("gieok", "eval", "facts", "--data", "{data}/korean_facts_dev.jsonl", "--llm", "gguf:{model}")

MEASUREMENTS: Final = (
    # part 1
    _evaluation("bench", "bench", "--memories", "1000,10000", quick=("bench", "--memories", "1000", "--turns", "10")),
    _benchmark("starting", "starting.py", quick=("--runs", "1")),
    _tests("tests-remembering", "tests/engine/test_remembering.py"),
    _tests("tests-isolation", "tests/engine/test_isolation.py", "tests/unit/stores/test_isolation.py"),
    _tests(
        "tests-bad-input",
        "tests/engine/test_bad_input.py",
        "tests/engine/test_edges.py",
        "tests/unit/stores/test_opening.py",
    ),
    _tests("tests-kill", "tests/engine/test_crash.py"),
    _tests("tests-threads", "tests/engine/test_threads.py"),
    # part 2
    _evaluation("facts", "eval", "facts", "--data", "{data}/korean_facts_dev.jsonl", needs=("korean_facts_dev.jsonl",)),
    _planted("planted-101", 20, 101),
    _planted("planted-1000", 3, 1_000),
    _benchmark(
        "rules",
        "rule_path.py",
        "--data",
        "{data}",
        quick=("--data", "{data}", "--quick"),
        needs=("mood_3i4k_train.txt", "chatbot_smalltalk.csv", "korean_facts_dev.jsonl"),
    ),
    _tests("tests-forms", "tests/unit/extract/test_claims.py"),
    _tests("tests-wordings", "tests/unit/extract/test_gate.py"),
    _tests("tests-any-text", "tests/unit/extract/test_any_text.py"),
    # part 3
    _retrieval("locomo", "locomo_dev.json", "--ablate", "--tune"),
    _retrieval("parakqc", "parakqc_dev.tsv"),
    _retrieval("smilestyle", "smilestyle.tsv"),
    _benchmark(
        "peers",
        "peers.py",
        *("--data", "{data}/locomo_dev.json", "--envs", "{envs}", "--sizes", "1000"),
        quick=("--data", "{data}/locomo_dev.json", "--envs", "{envs}", "--sizes", "100", "--peers", "gieok"),
        needs=("locomo_dev.json",),
    ),
    _peers("peers-10000", "gieok,mem0", 10_000, seconds=300),
    _peers("mem0-100000", "mem0", 100_000, seconds=150),
    _benchmark("scale", "scale.py", quick=("--memories", "50000", "--scopes", "100", "--turns", "20")),
    # part 4
    _evaluation("year", "eval", "year", quick=("eval", "year", "--characters", "1", "--turns", "100")),
    _evaluation("emotions", "eval", "emotion", "--data", "training/emotions/dev.tsv"),
    _benchmark("upkeep", "upkeep.py", "--memories", "100000", quick=("--memories", "2000")),
    _tests("tests-numbers", "tests/unit/domain", "tests/unit/maintain", soak=False),
    _tests("tests-emotion-answers", "tests/unit/domain/test_emotion.py"),
    # part 5
    _tests(
        "tests-misbehaviour",
        "tests/engine/test_behind_the_scenes.py",
        "tests/unit/llms/test_misbehaviour.py",
        "tests/unit/embedders/test_endpoint.py",
    ),
    _tests("tests-real-model", "tests/unit/llms/test_gguf.py", "tests/engine/test_talking_for_real.py"),
    _benchmark("first-token", "first_token.py", "--memories", "1000", quick=("--memories", "60", "--questions", "20")),
    # part 6
    _tests("tests-schemathesis", "tests/serve/test_schemathesis.py"),
    _tests("tests-authorization", "tests/serve/test_authorization.py"),
    _benchmark("serve", "serve.py", quick=("--quick",)),
    _benchmark("serve-kill", "serve.py", "--kill", quick=("--kill", "--quick")),
    _tests("tests-serve-kill", "tests/serve/test_serve_kill.py"),
    _benchmark("proxy", "proxy.py", "--memories", "1000", quick=("--memories", "60", "--questions", "20")),
    _tests("tests-transcript", "tests/serve/test_proxy_transcript.py", "tests/serve/test_proxy_clients.py"),
    # the longest last: a model of 1.5 billion weights takes half an hour for 80 sentences
    Measurement(
        name="facts-with-model",
        words=(*_MODEL, "--json"),
        quick=(*_MODEL, "--limit", "2", "--json"),
        needs=("korean_facts_dev.jsonl",),
        needs_model=True,
        told="stdout",
        limit_minutes=90,
    ),
)


def named(names: str) -> list[Measurement]:
    """Return the measurements of a list with commas. Raises `ValueError`."""
    known = {each.name: each for each in MEASUREMENTS}
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    unknown = [name for name in wanted if name not in known]
    if unknown or not wanted:
        raise ValueError(f"there is no {', '.join(unknown) or 'name'}; there are {', '.join(known)}")
    return [known[name] for name in known if name in wanted]
