"""Language models: adapters behind the port `Llm`, and the counted, typed model over them.

`create` returns the one that the settings name. Nothing is loaded or contacted before the first question.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from gieok.errors import ErrorText, InvalidSetting
from gieok.llms.counted import CountedModel
from gieok.llms.endpoint import Dialect, EndpointLlm, Patience
from gieok.llms.gguf import CONTEXT, GgufLlm
from gieok.ports import Llm
from gieok.ports.endpoints import PROVIDERS, Endpoint, endpoint

__all__ = ["CountedModel", "EndpointLlm", "GgufLlm", "Patience", "addressed", "create"]


_PLAIN: Final = Dialect()
_DIALECTS: Final = {"openai": Dialect(limit="max_completion_tokens")}  # its newer models take no other
_STALL: Final = 10.0
_ANY: Final = "vllm"  #: the provider of a plain URL
_CHOICES: Final = ", ".join([*(f"{name}:MODEL" for name in PROVIDERS), "gguf:PATH"])


def create(
    spec: str,
    *,
    url: str | None = None,
    key: str | None = None,
    seconds: float = 30.0,
    retries: int = 2,
    cooldown: float = 60.0,
    context: int = CONTEXT,
    environment: Mapping[str, str] = os.environ,
) -> Llm:
    """Return the model that a settings string names. Raises `InvalidSetting`.

    `url` overrides the endpoint of the prefix, which may then be left out. `context` is for gguf.
    """
    prefix, _, model = (part.strip() for part in spec.strip().partition(":"))
    patience = Patience(seconds=seconds, stall=min(_STALL, seconds), stream=10 * seconds, retries=retries)
    if prefix == "gguf" and url is None:
        if not model:
            raise InvalidSetting(ErrorText("model.no_file_named", spec=spec))
        path = Path(model).expanduser().absolute()
        if not path.is_file():
            raise InvalidSetting(ErrorText("model.no_file", spec=spec, path=path))
        _require("openai", "llm", spec)
        _require("xllamacpp", "local", spec)
        return GgufLlm(path, context=context, patience=patience)
    name, called = addressed(spec, url=url, key=key, environment=environment)
    _require("openai", "llm", spec)
    if called.lacks_key:
        raise InvalidSetting(ErrorText("model.key", spec=spec, key_variable=called.key_variable))
    return EndpointLlm(
        name,
        url=called.url,
        key=called.key,
        patience=patience,
        cooldown=cooldown,
        dialect=_DIALECTS.get(prefix, _PLAIN) if url is None else _PLAIN,
    )


def addressed(
    spec: str, *, url: str | None = None, key: str | None = None, environment: Mapping[str, str] = os.environ
) -> tuple[str, Endpoint]:
    """Return the name and the endpoint of the model that a settings string names. Raises `InvalidSetting`."""
    prefix, _, model = (part.strip() for part in spec.strip().partition(":"))
    known = prefix in PROVIDERS
    if not known and url is None:
        close = difflib.get_close_matches(prefix.lower(), [*PROVIDERS, "gguf"], n=1)
        hint = ErrorText("hint.similar_model", name=close[0]) if close else ""
        raise InvalidSetting(ErrorText("model.unknown", spec=spec, hint=hint, choices=_CHOICES))
    name = model if known else spec.strip()
    if not name:
        raise InvalidSetting(ErrorText("model.nameless", spec=spec, prefix=prefix))
    return name, endpoint(prefix if known else _ANY, url=url, key=key, environment=environment)


def _require(package: str, extra: str, spec: str) -> None:
    if find_spec(package) is None:
        raise InvalidSetting(ErrorText("model.package", spec=spec, package=package, extra=extra))
