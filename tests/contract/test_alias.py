"""`gieok.testing.store_contract` is an alias of the package gieok-contract."""

import importlib
import sys

import pytest

import gieok_contract
from gieok.testing import store_contract


def test_the_alias_gives_what_the_package_gives():
    assert {name: getattr(store_contract, name) for name in store_contract.__all__} == {
        name: getattr(gieok_contract, name) for name in gieok_contract.__all__
    }


def test_without_the_package_the_alias_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "gieok_contract", None)
    monkeypatch.delitem(sys.modules, "gieok.testing.store_contract")
    with pytest.raises(ModuleNotFoundError, match="pip install gieok-contract"):
        importlib.import_module("gieok.testing.store_contract")
