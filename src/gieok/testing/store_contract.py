"""Alias of `gieok_contract`, the contract suite of stores: pip install gieok-contract."""

try:
    from gieok_contract import OTHER_VECTORS, VECTORS, Reopen, StoreContract
except ModuleNotFoundError as missing:
    if missing.name != "gieok_contract":
        raise
    message = "gieok.testing.store_contract needs the package gieok-contract; run: pip install gieok-contract"
    raise ModuleNotFoundError(message, name=missing.name) from missing

__all__ = ["OTHER_VECTORS", "VECTORS", "Reopen", "StoreContract"]
