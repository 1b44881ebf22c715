"""mem0's configuration as gieok's settings: what has a place here is taken over, the rest is named once."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, Final

from gieok.errors import InvalidSetting

_OWN: Final = "gieok"  #: a section of its own: settings by their names
_PROVIDERS: Final = ("openai", "gemini", "ollama", "vllm", "lmstudio")  #: that both know by the same name
_UNSAID: Final = ("version",)  #: means nothing here, and is in every example


def settings_in(config: object) -> dict[str, Any]:
    """Return the settings that a configuration of mem0 stands for: its dict, or an object that can be dumped as one.

    A model and an embedder are taken over where gieok knows their provider. Whatever has no place is named in one
    warning: vectors, history and links are kept in the bank itself.
    """
    given = _dumped(config)
    settings = dict(given.get(_OWN) or {})
    unused = [name for name, value in given.items() if value and name not in (_OWN, "llm", "embedder", *_UNSAID)]
    for name in ("llm", "embedder"):
        section = given.get(name)
        if section and not (taken := _model(name, section)):
            unused.append(f"{name} ({section.get('provider', 'without a provider')})")
        elif section:
            settings = taken | settings
    if unused:
        warnings.warn(
            f"gieok has no use for {', '.join(unused)}: vectors, history and links are in the bank itself, and its "
            "own settings stand in the section 'gieok' (docs/settings.md)",
            stacklevel=4,
        )
    return settings


def _dumped(config: object) -> dict[str, Any]:
    if config is None:
        return {}
    dump = getattr(config, "model_dump", None)
    given = dump(exclude_unset=True) if callable(dump) else config
    if not isinstance(given, Mapping):
        raise InvalidSetting(f"a configuration is a dict like mem0's, not {type(config).__name__}; no bank was opened")
    return dict(given)


def _model(name: str, section: Any) -> dict[str, Any]:
    """Return the settings of a model; nothing: its provider is not known, or it is not named."""
    if not isinstance(section, Mapping):
        raise InvalidSetting(f"{name} is a dict with a provider and its config; no bank was opened")
    provider, config = section.get("provider"), section.get("config") or {}
    model = config.get("model")
    if provider not in _PROVIDERS or not model:
        return {}
    dimension = config.get("embedding_dims") if name == "embedder" else None
    found = {
        name: f"{provider}:{model}" + (f"@{dimension}" if dimension else ""),
        f"{name}_key": config.get("api_key"),
        f"{name}_url": _address(provider, config),
    }
    return {setting: value for setting, value in found.items() if value is not None}


def _address(provider: str, config: Mapping[str, Any]) -> str | None:
    """Return where an endpoint is; mem0 speaks Ollama's own protocol, gieok the one below /v1."""
    url = config.get(f"{provider}_base_url") or config.get("base_url")
    if provider == "ollama" and isinstance(url, str) and not url.rstrip("/").endswith("/v1"):
        return f"{url.rstrip('/')}/v1"
    return url
