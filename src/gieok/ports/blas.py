"""Limits BLAS to one thread per process, since gieok's matrices are small."""

from __future__ import annotations

from functools import cache


@cache
def use_one_thread() -> None:
    """Make BLAS use one thread from now on.

    With more, the threads of several callers compete for the cores, and a fork while they work hangs OpenBLAS; so does
    changing the count during a multiplication. Hence it is set once, before the first product.
    """
    from threadpoolctl import ThreadpoolController

    ThreadpoolController().select(user_api="blas").limit(limits=1)
