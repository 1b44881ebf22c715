"""Re-embedding a bank with the embedder that the settings name."""

from __future__ import annotations

from gieok.cli.console import answers, asides, print_json
from gieok.cli.opening import settings_for
from gieok.cli.options import AsJson, BankPath


def reindex(bank: BankPath = None, as_json: AsJson = False) -> None:
    """Embed the bank anew with the configured embedder; can be resumed."""
    from contextlib import closing

    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from gieok import embedders, stores
    from gieok.bank.reindexing import reindex as embed_anew

    settings = settings_for(bank)
    embedder = embedders.create(settings.embedder, url=settings.embedder_url, key=settings.embedder_key)
    store = stores.open_store(
        settings.bank,
        embedder=embedder.name,
        dimension=embedder.dimension,
        key=settings.key,
        create=False,
        for_reindex=True,
    )
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with closing(store), Progress(*columns, console=asides(), transient=True) as shown:
        before = store.info()
        task = shown.add_task(f"{before.embedder} → {embedder.name}", total=None)
        done = embed_anew(store, embedder, progress=lambda done, total: shown.update(task, completed=done, total=total))
    if as_json:
        print_json({"from": before.embedder, "to": embedder.name, "dimension": embedder.dimension, "embedded": done})
        return
    answers().print(f"{done:,} items embedded: {before.embedder} → {embedder.name} ({embedder.dimension} d)")
