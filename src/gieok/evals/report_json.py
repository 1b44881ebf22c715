"""Reports as JSON: every field by its name, shares as {hits, of, rate}, extraction with its derived figures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from gieok.evals.figures import Extraction, Share


def as_json(report: object) -> str:
    return json.dumps(plain(report), ensure_ascii=False, indent=2)


def plain(value: object) -> Any:
    """Return `value` as what JSON knows."""
    if isinstance(value, Share):
        return {"hits": value.hits, "of": value.of, "rate": _rounded(value.rate)}
    if isinstance(value, Extraction):
        counts = {"found": value.found, "missed": value.missed, "extra": value.extra}
        derived = {"precision": value.precision, "recall": value.recall, "f1": value.f1}
        return counts | {name: _rounded(figure) for name, figure in derived.items()}
    if is_dataclass(value):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return _rounded(value) if isinstance(value, float) else value


def _rounded(figure: float | None) -> float | None:
    return None if figure is None else round(figure, 4)
