"""A server with a certificate: whoever trusts it is answered, and nothing goes over the wire in the clear."""

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from support.serve_command import Command


def certified(folder: Path) -> tuple[Path, Path]:
    """Write a certificate of 127.0.0.1 for a day, signed by itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "gieok")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    cert_file, key_file = folder / "cert.pem", folder / "key.pem"
    cert_file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    pem = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    key_file.write_bytes(key.private_bytes(*pem))
    return cert_file, key_file


def test_with_a_certificate_only_those_who_speak_tls_are_answered(tmp_path: Path):
    cert, key = certified(tmp_path)
    scope = {"user": "민수", "character": "레티아"}
    with Command(tmp_path, "--tls-cert", str(cert), "--tls-key", str(key)) as server:
        address = server.address()
        assert address.startswith("https://")
        with httpx2.Client(base_url=address, verify=ssl.create_default_context(cafile=cert), timeout=60) as client:
            told = client.post("/v1/turns", params=scope, json={"text": "나 고양이 좋아해", "reply": "저도요!"})
            assert told.status_code == 201, told.text
            assert "고양이" in client.get("/v1/facts", params=scope).text
        with pytest.raises(httpx2.ConnectError, match="certificate"):
            httpx2.get(f"{address}/healthz", timeout=60)
        with pytest.raises(httpx2.TransportError):
            httpx2.get(f"{address.replace('https', 'http')}/healthz", timeout=60)
