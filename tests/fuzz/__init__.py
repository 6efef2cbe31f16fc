"""Every parser and decoder, given anything: `targets` says what must hold, ``tests/corpus/`` keeps what did not."""
