"""Checksums of a release, and their signature with an SSH key that the maintainer holds.

python tools/release.py sums dist                        writes dist/SHA256SUMS
python tools/release.py sign dist ~/.ssh/id_ed25519      writes dist/SHA256SUMS.sig
python tools/release.py verify dist release_signers      checks both; release_signers is a file of allowed signers
"""

import subprocess
import sys
from hashlib import sha256
from pathlib import Path

WHO, NAMESPACE = "release@gieok", "gieok-release"


def sums(folder: Path) -> str:
    files = sorted(each for each in folder.iterdir() if each.suffix in (".whl", ".gz"))
    if not files:
        sys.exit(f"{folder}: nothing to release; run `make dist`")
    return "".join(f"{sha256(each.read_bytes()).hexdigest()}  {each.name}\n" for each in files)


def signed_by(action: str, *arguments: str, sums: bytes | None = None) -> None:
    done = subprocess.run(["ssh-keygen", "-Y", action, "-n", NAMESPACE, *arguments], input=sums, check=False)
    if done.returncode:
        sys.exit(f"the checksums could not be {'signed' if action == 'sign' else 'verified: do not use these files'}")


def main(action: str, where: str, key: str = "") -> None:
    folder = Path(where)
    listed, signature = folder / "SHA256SUMS", folder / "SHA256SUMS.sig"
    match action:
        case "sums":
            listed.write_text(sums(folder), encoding="utf-8")
            signature.unlink(missing_ok=True)
        case "sign":
            signature.unlink(missing_ok=True)  # ssh-keygen would ask whether it may be written over
            signed_by("sign", "-f", str(Path(key).expanduser()), str(listed))
        case "verify":
            signed_by("verify", "-f", key, "-I", WHO, "-s", str(signature), sums=listed.read_bytes())
            if listed.read_text(encoding="utf-8") != sums(folder):
                sys.exit("the files are not those whose checksums were signed: do not use them")
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
