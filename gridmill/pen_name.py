"""The name under which a worker answers: the digest of a secret that it alone has, and shows with each answer.

So blame falls on whoever gave a false answer, or on nobody: another worker can write this one's host and name into its
tokens, but has no secret that fits them. (Whoever may read the answers sees secrets; an ACL keeps workers out.)
"""

from gridmill.digest import digest

SECRET_BYTES = 16  # nobody guesses it


def name_of(secret: str) -> str:
    """The name that goes with ``secret``: 16 hexadecimal digits."""
    return digest(secret.encode()).hex()[:16]


def proven(token: str, secret: str) -> tuple[str, str] | None:
    """Name and, as it says itself, host and process group of who made ``token``, if ``secret`` belongs to the name."""
    host, group, _, name, *_ = [*token.split("/"), "", "", "", ""]
    return (name, f"{host}/{group}") if secret and name_of(secret) == name else None
