"""How fast this installation is with one file, every answer checked; for ``gridmill bench``.

What is measured, each as the median of several repetitions, in puzzles a second:

    kernel    one core: packed boards in memory → replies in memory, by the solver that is asked for
    cores     the same by one process a core at the same time
    verify    one core: `gridmill.judge` about the kernel's replies
    parse     one core: the file → packed chunks
    pipeline  file to file: read, enqueued, solved by one worker a core, judged, written and published

The stages of one core go by CPU time, so that a machine that has other work does not count against them; ``cores`` and
``pipeline`` go by the clock. ``kernel``, ``cores`` and ``verify`` use a sample of the file's boards (`sample`).
``pipeline`` is `gridmill.mill.solve` with a private server. Its time begins when server and workers are ready and the
first record is read; it ends when the last answer is written and the output has its name.
"""

from gridmill.bench.report import Report as Report
from gridmill.bench.report import run as run
