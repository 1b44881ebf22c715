"""Writes sbom.cdx.json, which the wheel carries: all that gieok needs with its extras, as CycloneDX 1.6.

It is written from what is installed, on this system, in the pinned environment: the versions that gieok is tested
with. pyproject.toml has the ranges that an installation may choose from. The file has no date and no random number.
"""

import json
from importlib.metadata import Distribution, distribution
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "sbom.cdx.json"


def needed(found: Distribution, extras: frozenset[str]) -> dict[str, frozenset[str]]:
    """Return what a package needs on this machine, by name, each with the extras it is needed with."""
    wanted: dict[str, frozenset[str]] = {}
    for requirement in map(Requirement, found.requires or []):
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in extras | {""}):
            name = canonicalize_name(requirement.name)
            wanted[name] = wanted.get(name, frozenset()) | requirement.extras
    return wanted


def closure(name: str, extras: frozenset[str]) -> dict[str, set[str]]:
    """Return the names of what `name` needs, near and far, each with what it needs itself."""
    graph: dict[str, set[str]] = {}
    seen: dict[str, frozenset[str]] = {}
    left = [(name, extras)]
    while left:
        name, extras = left.pop()
        if name in seen and extras <= seen[name]:
            continue
        seen[name] = extras = extras | seen.get(name, frozenset())
        wanted = needed(distribution(name), extras)
        graph.setdefault(name, set()).update(wanted.keys() - {name})
        left += wanted.items()
    return graph


def licence(found: Distribution) -> str | None:
    told = found.metadata
    if expression := told.get("License-Expression"):
        return str(expression)
    classified = [each.rpartition(" :: ")[2] for each in told.get_all("Classifier") or [] if each.startswith("License")]
    return ", ".join(classified) or next(iter((told.get("License") or "").splitlines()), None)


def component(name: str) -> dict[str, object]:
    found = distribution(name)
    purl = f"pkg:pypi/{name}@{found.version}"
    told = licence(found)
    named = {"licenses": [{"license": {"name": told}}]} if told else {}
    return {"type": "library", "bom-ref": purl, "name": name, "version": found.version, "purl": purl, **named}


def written() -> str:
    graph = closure("gieok", frozenset({"all"}))
    parts = {name: component(name) for name in sorted(graph)}
    main = parts.pop("gieok")
    refs = {name: str(part["bom-ref"]) for name, part in {**parts, "gieok": main}.items()}
    body = {
        "metadata": {"component": main},
        "components": list(parts.values()),
        "dependencies": [
            {"ref": refs[name], "dependsOn": sorted(refs[each] for each in graph[name])} for name in sorted(graph)
        ],
    }
    number = uuid5(NAMESPACE_URL, json.dumps(body, sort_keys=True))
    head = {"bomFormat": "CycloneDX", "specVersion": "1.6", "serialNumber": f"urn:uuid:{number}", "version": 1}
    text = json.dumps({**head, **body}, ensure_ascii=False)
    return text.replace('{"type"', '\n{"type"').replace('{"ref"', '\n{"ref"') + "\n"  # a line for each


if __name__ == "__main__":
    TARGET.write_text(written(), encoding="utf-8")
