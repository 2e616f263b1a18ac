"""`users/{id}/alerts/{alert_id}/prove`: an alert's rule is run again, and compared."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from alerts import access
from alerts.rerun import BUSY, Busy
from alerts.rerun.proof import NotProvable, Proof, prove
from memory.access import NotFound
from memory.api.base import UserView, refusals
from memory.api.fields import Strict
from memory.api.problems import Problem
from memory.rights import Right


class DifferenceOut(Strict):
    """A part of the alert, as stored and as found; JSON as text."""

    name: str
    stored: str
    found: str


class ProofOut(Strict):
    """What came of running the rule again: `same` is byte for byte what the alert shows."""

    same: bool
    found: bool
    intact: bool
    same_tables: bool
    through_fact: int
    through_reading: int | None
    version: str
    on: str
    stored_digest: str
    found_digest: str
    differences: list[DifferenceOut]


class ProveView(UserView):
    rights = {"POST": Right.ALERTS_READ}
    http_method_names = ["post"]

    @extend_schema(
        operation_id="prove_alert",
        request=None,
        responses={200: ProofOut, **refusals(401, 403, 404, 409, 429, 503)},
    )
    def post(self, request: Request, user_id: UUID, alert_id: int) -> Response:
        """Run the alert's rule again over the log as it was then, with the code of then.

        Nothing is stored. `same_tables` says whether the reference tables are still those of then:
        they are not kept by version.
        """
        user = self.memory_user(request, user_id)
        alert = access.alert(self.key(request), alert_id, self.right(request))
        if alert.user_id != user.pk:
            raise NotFound
        try:
            proof = prove(alert)
        except NotProvable as error:
            raise Problem(409, "Not provable", f"It cannot be run again: {error}.") from error
        except Busy as error:
            raise Problem(503, "Busy", BUSY) from error
        return Response(proof_json(proof))


def proof_json(proof: Proof) -> dict[str, object]:
    """A proof as the API shows it."""
    stored = ProofOut.model_fields.keys() - {"on", "differences"}
    return {
        **{name: getattr(proof, name) for name in stored},
        "on": proof.on.isoformat(),
        "differences": [
            {"name": one.name, "stored": one.stored, "found": one.found}
            for one in proof.differences
        ],
    }
