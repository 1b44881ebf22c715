"""`gieok rekey`."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from gieok.cli.console import answers, print_json, waiting
from gieok.cli.opening import settings_for
from gieok.cli.options import AsJson, BankPath


def rekey(
    new_key_file: Annotated[
        str | None, typer.Option("--new-key-file", metavar="FILE", help="Holds the new key.", show_default=False)
    ] = None,
    new_key_command: Annotated[
        str | None, typer.Option("--new-key-command", metavar="COMMAND", help="Prints the new key.", show_default=False)
    ] = None,
    decrypt: Annotated[bool, typer.Option("--decrypt", help="Keep it without encryption from now on.")] = False,
    bank: BankPath = None,
    as_json: AsJson = False,
) -> None:
    """Encrypt a bank's file with another key (also GIEOK_NEW_KEY), for the first time, or no more."""
    from gieok.bank.rekeying import rekey as rekeyed
    from gieok.settings import NEW_KEY

    given = None if new_key_file or new_key_command or decrypt else os.environ.get(NEW_KEY)
    with waiting("writing the file anew …"):
        settings = rekeyed(
            new_key=given,
            new_key_file=new_key_file,
            new_key_command=new_key_command,
            decrypt=decrypt,
            settings=settings_for(bank),
        )
    if as_json:
        print_json({"location": settings.bank, "encrypted": not decrypt})
        return
    answers().print(f"{settings.bank}: {'not encrypted any more' if decrypt else 'encrypted with the new key'}")
    answers().print(_what_now(decrypt=decrypt, file=new_key_file, command=new_key_command))


def _what_now(*, decrypt: bool, file: str | None, command: str | None) -> str:
    old = "Backups that were made before still open with the old key alone."
    if decrypt:
        return f"Leave key, key_file and key_command (GIEOK_KEY …) out from now on. {old}"
    source = f'key_file = "{file}"' if file else "key_command" if command else "GIEOK_KEY"
    return f"From now on it opens with the new key: set {source} to it. {old}"
