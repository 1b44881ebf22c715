"""constraints.txt pins all that gieok needs, by name and version alone."""

import re
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

CONSTRAINTS = Path(__file__).parents[2] / "constraints.txt"
PIN = re.compile(r"([A-Za-z0-9._-]+)==([A-Za-z0-9.]+)")


def pins(text: str) -> dict[str, str]:
    """Name → version. A line that is neither a comment nor `name==version` fails: no addresses, no hashes."""
    found = {}
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        pin = PIN.fullmatch(line)
        assert pin, f"not a plain name==version: {line!r}"
        found[canonicalize_name(pin[1])] = pin[2]
    return found


def needed(name: str, extras: frozenset[str], seen: set[tuple[str, frozenset[str]]]) -> set[str]:
    """Return the names of all that `name[extras]` needs on this machine, near and far."""
    if (name, extras) in seen:
        return set()
    seen.add((name, extras))
    found = set()
    for line in requires(name) or []:
        wanted = Requirement(line)
        if wanted.marker and not any(wanted.marker.evaluate({"extra": extra}) for extra in {"", *extras}):
            continue
        found.add(canonicalize_name(wanted.name))
        found |= needed(canonicalize_name(wanted.name), frozenset(wanted.extras), seen)
    return found


def installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def test_everything_that_gieok_needs_is_pinned_and_installed_as_pinned():
    pinned = pins(CONSTRAINTS.read_text(encoding="utf-8"))
    own = {"gieok", "gieok-evals", "gieok-contract"}
    wanted = set().union(*(needed(name, frozenset({"dev"}), set()) for name in own)) - own
    assert {"numpy", "pytest", "matplotlib"} <= wanted
    assert {name: installed(name) for name in wanted} == {name: pinned.get(name) for name in wanted}


@pytest.mark.parametrize(
    "line", ["numpy @ file:///x.whl", "numpy>=2", "numpy==2.4 --hash=sha256:00", "-i https://example.org", "numpy"]
)
def test_the_check_refuses_addresses_and_ranges(line):
    with pytest.raises(AssertionError, match="not a plain"):
        pins(line)
