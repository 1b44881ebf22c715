"""The dataclasses of a package, for tests of what all of them have in common."""

from dataclasses import is_dataclass
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any


def values_of(package: ModuleType) -> list[type[Any]]:
    """Return the dataclasses that the modules of `package` define, by their names."""
    modules = [import_module(f"{package.__name__}.{each.name}") for each in iter_modules(package.__path__)]
    kinds = {
        kind for module in modules for kind in vars(module).values()
        if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == module.__name__
    }  # fmt: skip
    return sorted(kinds, key=lambda kind: kind.__qualname__)


def keys_in(value: Any) -> set[str]:
    """Return every key in nested dictionaries and lists."""
    if isinstance(value, dict):
        return {*value, *(key for each in value.values() for key in keys_in(each))}
    return {key for each in value for key in keys_in(each)} if isinstance(value, list) else set()
