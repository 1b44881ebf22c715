"""One BLAS thread for the whole process: gieok's matrices are small."""

from __future__ import annotations

from functools import cache


@cache
def use_one_thread() -> None:
    """Let BLAS use one thread from now on.

    With more, the threads of several callers fight over the cores, and a fork while they work hangs OpenBLAS for good;
    so does setting the count anew while somebody multiplies. Hence it is set once, before the first product.
    """
    from threadpoolctl import ThreadpoolController

    ThreadpoolController().select(user_api="blas").limit(limits=1)
