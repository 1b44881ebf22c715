"""Every public name is there and documented. `tests/compat/test_surface.py` holds that none is removed."""

import gieok


def test_every_public_name_is_there_and_tells_what_it_is():
    silent = [name for name in gieok.__all__ if not getattr(gieok, name).__doc__]
    assert not silent, f"no docstring: {silent}"
