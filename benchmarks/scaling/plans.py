"""How a server goes about every statement that the engine sends it: told by its own auto_explain."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from unittest.mock import patch

import psycopg

from gieok.stores.postgres import connection as postgres

_TELLING: Final = (
    "LOAD 'auto_explain'", "SET auto_explain.log_min_duration = 0", "SET auto_explain.log_analyze = on",
    "SET auto_explain.log_buffers = on", "SET auto_explain.log_timing = off", "SET auto_explain.log_format = json",
    "SET auto_explain.log_nested_statements = on", "SET client_min_messages = log",
)  # fmt: skip
_OURS: Final = re.compile(r"(?<![:\w]):[a-z]\w*")
_SENT: Final = re.compile(r"\$\d+")


def _plainly(sql: str, place: re.Pattern[str]) -> str:
    return " ".join(place.sub("?", sql).split())


_NAMES: Final = {_plainly(sql, _OURS): name for name, sql in postgres.QUERIES.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One statement as it was carried out."""

    sql: str
    root: dict[str, Any]  #: as EXPLAIN (FORMAT json) has it

    @property
    def name(self) -> str:
        """Its name in queries.sql, or how it begins."""
        if '"$1' in self.sql or "FOR KEY SHARE" in self.sql:
            return "(a reference)"
        return _NAMES.get(_plainly(self.sql, _SENT), " ".join(self.sql.split()[:4]))

    @property
    def generic(self) -> bool:
        """Whether the plan serves all values: what was asked for stands in it as a parameter."""
        return any(_SENT.search(str(step.get(key, ""))) for step in self.steps() for key in _CONDITIONS)

    @property
    def buffers(self) -> int:
        return int(self.root.get("Shared Hit Blocks", 0)) + int(self.root.get("Shared Read Blocks", 0))

    def steps(self) -> Iterator[dict[str, Any]]:
        left = [self.root]
        while left:
            step = left.pop()
            yield step
            left += step.get("Plans", [])

    def whole_tables(self) -> set[str]:
        """Return the tables that it reads from end to end."""
        return {str(step["Relation Name"]) for step in self.steps() if step["Node Type"] == "Seq Scan"}


_CONDITIONS: Final = ("Index Cond", "Recheck Cond", "Filter", "Join Filter", "Hash Cond", "Subplans Removed")


@dataclass(slots=True)
class Plans:
    """What was told so far."""

    told: list[Plan] = field(default_factory=list)

    def take(self) -> list[Plan]:
        taken, self.told = self.told, []
        return taken

    def hear(self, diagnostic: psycopg.errors.Diagnostic) -> None:
        text = diagnostic.message_primary or ""
        if "plan:\n" in text:
            plan = json.loads(text.partition("plan:\n")[2])
            self.told.append(Plan(sql=plan["Query Text"], root=plan["Plan"]))


@contextmanager
def overheard(mode: str = "auto") -> Iterator[Plans]:
    """Hear the plans of the banks that are opened meanwhile, by a superuser; `mode`: auto, or whose plans are forced.

    Whatever may be prepared is prepared at once, so that "force_generic_plan" reaches it.
    """
    plans, prepared = Plans(), postgres.prepared

    def telling(raw: psycopg.Connection[Any]) -> None:
        prepared(raw)
        raw.add_notice_handler(plans.hear)
        for statement in (*_TELLING, f"SET plan_cache_mode = {mode}"):
            raw.execute(statement)

    with patch.object(postgres, "prepared", telling), patch.object(postgres, "_PREPARED_AFTER", 0):
        yield plans
