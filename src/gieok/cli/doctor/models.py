"""The language models: which are configured, how they answered of late, and what to do about their failures."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import urlsplit

from gieok.bank.models import NamedModel, created, deep_model, fast_model
from gieok.cli.doctor.banks import is_a_new_file, opened_as_it_is
from gieok.cli.doctor.findings import Check, State, model_remedy
from gieok.cli.troubles import told
from gieok.errors import GieokError, ModelFailed, SettingsError

if TYPE_CHECKING:
    from gieok.domain.model import CallSum, Failure
    from gieok.ports import Embedder, Llm
    from gieok.settings import Settings

_DAYS: Final = 7
_QUESTION: Final = {"ko": "한 단어로만 인사해 줘.", "en": "Greet me in one word."}
_TOKENS: Final = 256  #: a model that thinks first needs more than the word


def configured(settings: Settings, *, ask: bool) -> Iterator[Check]:
    """Tell which models there are; nobody is contacted unless `ask`."""
    roles = list(_roles(settings))
    if not roles:
        yield Check(name="model", detail="none is configured, and none is needed: rules do the work")
    for role, named in roles:
        try:
            llm = created(named, settings)
            described = _shown(named)
        except (SettingsError, ValueError) as trouble:
            wrong = told(trouble) if isinstance(trouble, GieokError) else str(trouble)
            remedy = "put the setting right, or leave it out: rules do without"
            yield Check(name=role, state="bad", detail=wrong, remedy=remedy)
            continue
        with closing(llm):
            yield Check(name=role, detail=described)
            if ask:
                yield _answer(role, llm, settings)


def asked(settings: Settings, embedder: Embedder) -> Iterator[Check]:
    """Tell how the calls of the last days went, task by task; a bank that cannot be opened was found out before."""
    if is_a_new_file(settings.bank):
        return
    try:
        store = opened_as_it_is(settings, embedder)
    except GieokError:
        return
    with closing(store):
        sums = store.model_calls()
    first = (datetime.now(UTC) - timedelta(days=_DAYS)).date().isoformat()
    recent = sorted((each for each in sums if each.day > first), key=lambda each: each.task)
    for task, calls in groupby(recent, key=lambda each: each.task):
        yield of_task(task, list(calls), settings.language)


def of_task(task: str, calls: Sequence[CallSum], language: str) -> Check:
    """Sum up the calls of one task; it is bad when more than half of them failed."""
    ends: Counter[Failure | None] = Counter()
    for each in calls:
        ends[each.failure] += each.calls
    cancelled = ends.pop("cancelled", 0)
    failed: Counter[Failure] = Counter({failure: count for failure, count in ends.items() if failure is not None})
    count, tokens = sum(each.calls for each in calls), sum(each.prompt_tokens + each.answer_tokens for each in calls)
    cost = sum(each.cost for each in calls)
    parts = [
        f"{count:,} {'call' if count == 1 else 'calls'} in {_DAYS} days",
        f"{sum(each.seconds for each in calls) / count:.1f} s each",
        f"{tokens:,} tokens",
        f"{cost:.4f} in all" if cost else "",
        f"{cancelled:,} cancelled" if cancelled else "",
        ", ".join(f"{failure} {number:,}" for failure, number in failed.most_common()),
    ]
    state: State = "ok"
    if failed:
        state = "bad" if 2 * failed.total() > count else "note"
    return Check(
        name=task.replace("_", " "),
        state=state,
        detail=", ".join(filter(None, parts)),
        remedy=model_remedy(failed.most_common(1)[0][0], language) if failed else "",
    )


def _roles(settings: Settings) -> Iterator[tuple[str, NamedModel]]:
    for role, named in (("model", fast_model(settings)), ("deep model", deep_model(settings))):
        if named is not None:
            yield role, named


def _shown(named: NamedModel) -> str:
    if named.url is None:
        return named.spec
    parts = urlsplit(named.url)  # an address may hold a password; it is not shown
    return f"{named.spec} at {parts.hostname}{f':{parts.port}' if parts.port else ''}"


def _answer(role: str, llm: Llm, settings: Settings) -> Check:
    from gieok.domain.answer import Message

    name = f"{role} asked"
    start = time.perf_counter()
    try:
        done = llm.complete((Message(role="user", content=_QUESTION[settings.language]),), most_tokens=_TOKENS)
    except ModelFailed as trouble:
        remedy = model_remedy(cast("Failure", trouble.failure), settings.language)
        return Check(name=name, state="bad", detail=told(trouble), remedy=remedy)
    text = " ".join(done.text.split())
    said = f"{text[:40]}…" if len(text) > 40 else text
    return Check(name=name, detail=f"“{said}” in {time.perf_counter() - start:.1f} s")
