"""Who a process is in the ledger."""

import os
import re
import socket

import pytest

from gridmill.pen_name import name_of, proven
from worker.identity import Identity, host, is_of


def test_a_token_names_host_group_process_and_worker() -> None:
    me = Identity()

    who = f"{re.escape(host())}/{os.getpgrp()}/{os.getpid()}/{name_of(me.secret)}"
    assert re.fullmatch(rf"{who}/[0-9a-f]{{12}}", me.new_token())


def test_no_two_pieces_have_the_same_token_and_no_two_workers_the_same_name() -> None:
    me = Identity()

    assert me.new_token() != me.new_token()
    assert me.name != Identity().name


def test_a_worker_can_prove_that_a_token_is_its_own() -> None:
    me = Identity()

    assert proven(me.new_token(), me.secret) == (me.name, f"{host()}/{os.getpgrp()}")


def test_a_token_is_of_its_whole_process_group() -> None:
    token = f"{host()}/12/345/abc"

    assert is_of(token, 12)
    assert not any(is_of(token, group) for group in (1, 123, 345))


def test_another_machine_may_have_the_same_numbers() -> None:
    assert not is_of("elsewhere/12/345/abc", 12)


def test_so_is_why_it_declines() -> None:
    assert is_of(f"{host()}/12: another version", 12)
    assert not is_of(f"{host()}/123: another version", 12)


def test_a_machine_may_have_any_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ledger refuses tokens with blanks, or with anything beyond ASCII."""
    monkeypatch.setattr(socket, "gethostname", lambda: "Grete's Rechner/Büro" + 300 * "x")

    assert re.fullmatch(r"Grete_s_Rechner_B_rox+", host())
    assert len(Identity().new_token()) < 200
