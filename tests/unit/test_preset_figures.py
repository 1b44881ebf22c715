"""The figures of the five documents, as presets and defaults have them; docs/coverage.md lists where they stand."""

from __future__ import annotations

from typing import Any

import pytest

from gieok.presets import DOCUMENT, PRESETS, preset
from gieok.settings import Settings, load

FIGURES: dict[str, dict[str, Any]] = {
    "heroine": {
        "weights_recency": 0.15, "weights_importance": 0.15, "weights_relevance": 0.50, "weights_keyword": 0.20,
        "weights_strength": 0.0, "weights_graph": 0.0, "combine": "sum",
        "recency_curve": "exponential", "recency_days": 30.0, "recency_since": "said",
        "recall_k": 10, "context_k": 10, "sharing": "none", "keyword": "auto",
    },
    "social": {
        "weights_recency": 0.3, "weights_importance": 0.2, "weights_strength": 0.0,
        "weights_relevance": 0.5 * 0.5, "weights_keyword": 0.5 * 0.3, "weights_graph": 0.5 * 0.2,
        "combine": "mean_of_sources", "recency_curve": "half_life", "recency_days": 30.0, "recency_since": "used",
        "recall_k": 10, "context_k": 10, "context_budget": 4_096,
        "upkeep": "auto", "upkeep_merge": "keep", "upkeep_reflect_at": 20, "upkeep_hours": 6.0,
        "tokens": "estimate", "deep_extraction": True,
    },
    "character": {
        "weights_relevance": 0.7, "weights_importance": 0.2, "weights_strength": 0.1,
        "weights_recency": 0.0, "weights_keyword": 0.0, "weights_graph": 0.0, "combine": "sum",
        "recall_k": 10, "context_said": 5, "context_k": 10 + 5, "recent_messages": 30, "recall_patience": 2.0,
        "upkeep": "auto", "upkeep_merge": "fuse", "upkeep_cap": 100, "upkeep_summarise_every": 5,
        "llm_cooldown": 60.0, "sharing": "none", "search_turns": True, "director": True, "behind_the_scenes": "auto",
    },
    "care": {
        "weights_relevance": 0.7, "weights_recency": 0.2, "weights_importance": 0.1,
        "weights_keyword": 0.0, "weights_strength": 0.0, "weights_graph": 0.0, "combine": "sum",
        "recency_curve": "exponential", "recency_days": 1 / 0.002, "recency_since": "said",
        "recall_k": 8, "context_k": 8, "recent_turns": 10, "upkeep_summarise_every": 10,
        "caps_memories": 1_200, "caps_memory_item": 150, "caps_pinned": 400, "tokens": "auto", "sharing": "none",
        "upkeep_summarise_after": 12, "upkeep_summarise_tokens": 6_000,
    },
    "vtuber": {
        "weights_relevance": 1.0, "weights_importance": 1.0, "weights_recency": 0.0, "weights_keyword": 0.0,
        "weights_strength": 0.0, "weights_graph": 0.0, "combine": "sum", "search_turns": False, "recent_turns": 6,
        "model_emotion": True,
    },
}  # fmt: skip
#: what the documents agree on, or one alone names, holds without a preset
WITHOUT_ONE = {
    "recent_turns": 8, "recall_k": 8, "caps_memories": 1_200, "caps_memory_item": 150, "caps_pinned": 400,
    "upkeep_summarise_after": 12, "upkeep_summarise_tokens": 6_000, "upkeep_reflect_at": 20, "upkeep_hours": 6.0,
    "context_budget": 4_096, "recall_patience": 2.0, "llm_cooldown": 60.0, "sharing": "none", "upkeep_cap": 0,
}  # fmt: skip


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_has_the_figures_of_its_document(name: str) -> None:
    settings = load(environment={}, given={"preset": name + DOCUMENT})

    assert {each: getattr(settings, each) for each in FIGURES[name]} == pytest.approx(FIGURES[name])


@pytest.mark.parametrize("name", PRESETS)
def test_every_value_of_a_preset_is_compared_with_its_document(name: str) -> None:
    assert set(preset(name + DOCUMENT)) <= set(FIGURES[name])


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_tuned_in_how_it_ranks_and_keeps_the_other_figures_of_its_document(name: str) -> None:
    tuned = {each for each, value in preset(name).items() if value != preset(name + DOCUMENT).get(each)}

    assert {"weights_keyword", "weights_graph"} <= tuned
    ranks = ("weights_", "combine", "search_turns", "context_k", "context_said")
    assert [each for each in tuned if not each.startswith(ranks)] == []
    assert preset(name + DOCUMENT).keys() <= preset(name).keys()


def test_what_no_preset_sets_has_the_documents_figure() -> None:
    assert {each: getattr(Settings(), each) for each in WITHOUT_ONE} == WITHOUT_ONE
