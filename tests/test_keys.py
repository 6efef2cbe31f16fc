"""The names of all keys."""

from gridmill.keys import Keys

KEYS = Keys("mine")
JOB = "2345678923"


def test_every_key_begins_with_the_prefix() -> None:
    names = [KEYS.jobs, KEYS.seq, KEYS.mark, KEYS.job(JOB), KEYS.led(JOB), KEYS.answers(JOB), KEYS.boards(JOB, 3)]

    assert all(name.startswith("mine:") for name in names)


def test_the_keys_of_a_job_have_its_id_as_their_hash_tag() -> None:
    """So all of them would be in one slot."""
    names = [
        KEYS.job(JOB),
        KEYS.led(JOB),
        KEYS.answers(JOB),
        KEYS.answer(JOB, "3:0:2:7"),
        KEYS.boards(JOB, 3),
        KEYS.side(JOB, 3),
    ]

    assert [name[name.index("{") + 1 : name.index("}")] for name in names] == [JOB] * 6


def test_no_two_keys_are_the_same() -> None:
    names = [KEYS.jobs, KEYS.seq, KEYS.mark]
    for job in (JOB, "3333333333"):
        names += [
            KEYS.job(job),
            KEYS.led(job),
            KEYS.answers(job),
            KEYS.answer(job, "1:0:2:1"),
            KEYS.answer(job, "draft"),
        ]
        names += [kind(job, number) for kind in (KEYS.boards, KEYS.side) for number in (1, 11)]

    assert len(set(names)) == len(names)


def test_a_chunks_key_is_the_prefix_that_the_steps_get_and_its_number() -> None:
    assert KEYS.boards(JOB, 12) == KEYS.boards(JOB) + "12"
    assert KEYS.side(JOB, 12) == KEYS.side(JOB) + "12"
    assert KEYS.answer(JOB, "12:0:2:7") == KEYS.answer(JOB) + "12:0:2:7"
