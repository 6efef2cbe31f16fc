"""Torture with real processes: ``make chaos SEED=n``.

Puzzles go the whole way while a seeded plan kills, stops and cuts off everything that takes part, a worker lies, and
some boards kill whoever solves them. The answers must be, byte for byte, those of a run in which nothing happens.

`tests.simulation` does the same to the protocol, in one process and under its own clock: far more faults, none real.
"""
