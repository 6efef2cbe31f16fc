"""Every Redis key there is. Nobody else writes a key string.

The job id is the hash tag, so all keys of a job would share a slot.

    <prefix>:{job}:job      hash    state, tokens, place, spec            <prefix>:jobs  hash   job id -> created
    <prefix>:{job}:led      hash    one entry a piece                     <prefix>:seq   number last sequence number
    <prefix>:{job}:b:<n>    string  boards of chunk n                     <prefix>:mark  number highest one taken
    <prefix>:{job}:s:<n>    string  side data of chunk n
    <prefix>:{job}:a:<piece>:<seq>  string  answer to that sending of a piece
    <prefix>:{job}:answers  set     names of these, without what is before the piece
    <prefix>:{job}:declined string  why a worker refused, the last time
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Keys:
    """The key names under one prefix."""

    prefix: str

    @property
    def jobs(self) -> str:
        return f"{self.prefix}:jobs"

    @property
    def seq(self) -> str:
        return f"{self.prefix}:seq"

    @property
    def mark(self) -> str:
        return f"{self.prefix}:mark"

    def job(self, job: str) -> str:
        return f"{self.prefix}:{{{job}}}:job"

    def led(self, job: str) -> str:
        return f"{self.prefix}:{{{job}}}:led"

    def answers(self, job: str) -> str:
        return f"{self.prefix}:{{{job}}}:answers"

    def answer(self, job: str, name: str = "") -> str:
        return f"{self.prefix}:{{{job}}}:a:{name}"

    def declined(self, job: str) -> str:
        return f"{self.prefix}:{{{job}}}:declined"

    def boards(self, job: str, chunk: int | str = "") -> str:
        return f"{self.prefix}:{{{job}}}:b:{chunk}"

    def side(self, job: str, chunk: int | str = "") -> str:
        return f"{self.prefix}:{{{job}}}:s:{chunk}"
