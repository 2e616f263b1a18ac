"""A contract that is to be cancelled is told of by one rule or the other on each day."""

from datetime import date, timedelta

import pytest
from domains.commitments.schema import Commitment
from domains.finance.schema import Contract
from rules.commitment_due import CommitmentRecords, find_commitments_due
from rules.contract_renewal import find_contract_renewals

RENEWS = date(2026, 3, 31)
GYM = Contract(id="gym", name="gym", renews_on=RENEWS, status="to cancel")
FROM, TO = date(2026, 2, 1), RENEWS + timedelta(days=30)


def days_told(commitments):
    """The days on which a rule speaks of the contract, by rule."""
    around = CommitmentRecords(contracts={"gym": GYM})
    days = [FROM + timedelta(days=n) for n in range((TO - FROM).days + 1)]
    renewal = {d for d in days if find_contract_renewals([GYM], commitments, {}, {}, d)}
    due = {d for d in days if find_commitments_due(commitments, around, d)}
    return renewal, due


@pytest.mark.parametrize("ahead", [-10, -1, 0, 1, 2, 5, 20, 29, 30, 31, 45, 70, 120])
@pytest.mark.parametrize("said", [None, date(2026, 1, 1)])
@pytest.mark.parametrize("more", [{}, {"by_whom": "ann"}, {"done_on": FROM}, {"thing": "key"}])
def test_no_day_is_silent_because_of_both(ahead, said, more):
    due_on = RENEWS - timedelta(days=ahead)
    one = Commitment(id="c", title="cancel", contract="gym", due_on=due_on, said_on=said, **more)
    alone, _ = days_told([])
    renewal, due = days_told([one])
    assert renewal <= alone
    last_days = {day for day in alone if day >= RENEWS - timedelta(days=3)}
    assert last_days <= renewal | due
    if more:
        assert renewal == alone
