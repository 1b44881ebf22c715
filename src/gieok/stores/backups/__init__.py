"""Backups of a bank: made while it is in use, chained, checked, and put back."""

from gieok.stores.backups.making import Backup, Stopped, back_up
from gieok.stores.backups.restoring import put_back
from gieok.stores.backups.shelf import Shelf, bank_digest, found

__all__ = ["Backup", "Shelf", "Stopped", "back_up", "bank_digest", "found", "put_back"]
