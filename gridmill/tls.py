"""TLS: what goes wrong with certificates, in words for the person who gave the address."""

import os
from collections.abc import Mapping

from gridmill.errors import BrokerError

# What OpenSSL says, and what it means; the first that fits.
_FAULTS = {
    "Hostname mismatch": "its certificate is for another name; give the name that is in it",
    "IP address mismatch": "its certificate is for another name, not for this address; give the name that is in it",
    "CERTIFICATE_VERIFY_FAILED": "its certificate is not to be trusted; name the authority that has signed it in the "
    "address, rediss://HOST:6379/0?ssl_ca_certs=/path/to/ca.pem",
    "WRONG_VERSION_NUMBER": "it does not speak TLS there; give redis://, or its port for TLS",
    "alert certificate required": "it wants a certificate of ours; add ssl_certfile=/path&ssl_keyfile=/path",
    "EOF occurred in violation": "it ended the connection; where it wants a certificate of ours, add "
    "ssl_certfile=/path&ssl_keyfile=/path",
    "alert unknown ca": "it does not trust the certificate in ssl_certfile",
}


def fault(text: str) -> str:
    """What a failure to connect has to do with TLS, with the remedy and ``text``; empty when nothing."""
    found = next((meaning for sign, meaning in _FAULTS.items() if sign.lower() in text.lower()), "")
    return f"{found} ({text.rstrip('.')})" if found else ""


def require_files(options: Mapping[str, str]) -> None:
    """Raises BrokerError for an option of an address that names a file which is not there."""
    for name, value in options.items():
        if name != "ssl_cert_reqs" and not os.path.isfile(value):
            raise BrokerError(f"{name}={value}: there is no such file")
