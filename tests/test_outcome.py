"""The budget of a search."""

import pytest

from gridmill.solvers.outcome import Budget, Spent


def test_a_budget_counts_what_is_spent() -> None:
    budget = Budget(3)

    budget.spend()
    budget.spend()

    assert budget.nodes == 2


def test_one_node_more_than_allowed_is_refused_and_not_counted() -> None:
    budget = Budget(1)
    budget.spend()

    with pytest.raises(Spent):
        budget.spend()

    assert budget.nodes == 1
