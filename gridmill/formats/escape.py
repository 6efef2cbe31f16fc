"""Text from a file, made safe to show: no control characters, no terminal escapes, no broken bytes."""

SHOWN = 200  # characters of a faulty record that are kept: enough for a board with its tail, little enough for a column


def printable(text: str, limit: int = SHOWN) -> str:
    """``text`` with everything unprintable as ``\\xNN``, ``\\uNNNN`` or ``\\UNNNNNNNN``, at most ``limit`` characters.

    A byte that was not UTF-8 (decoded with ``surrogateescape``) shows as that byte. A backslash is doubled, so that
    what is shown can be read back; the cut never splits an escape.
    """
    if text.isprintable() and "\\" not in text:
        return text[:limit]
    shown: list[str] = []
    room = limit
    for sign in text[:limit]:
        piece = _escaped(sign)
        room -= len(piece)
        if room < 0:
            break
        shown.append(piece)
    return "".join(shown)


def _escaped(sign: str) -> str:
    code = ord(sign)
    if 0xDC80 <= code <= 0xDCFF:  # where surrogateescape puts the bytes 0x80 to 0xff
        return f"\\x{code - 0xDC00:02x}"
    if sign == "\\":
        return "\\\\"
    if sign.isprintable():
        return sign
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
