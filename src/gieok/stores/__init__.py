"""Stores: one folder for each kind of store, all behind `gieok.ports.Store`."""

from gieok.stores.location import open_store

__all__ = ["open_store"]
