"""The tables of the memory: one file a noun."""

from memory.models.app import App, AppKey, Reach
from memory.models.audit import ActorKind, AuditDrop, AuditEvent, AuditSeal, Outcome
from memory.models.code import Baseline, Blob, CodeVersion, Tree
from memory.models.erasure import Erasure, ErasureReason, ErasureStatus
from memory.models.fact import Fact, FactBody
from memory.models.job import Job, JobStatus
from memory.models.memory_user import GENESIS, MemoryUser
from memory.models.message import Message, MessageBody
from memory.models.model_call import (
    CallOutcome,
    CircuitStatus,
    ModelCall,
    ModelEndpoint,
    Stage,
)
from memory.models.need import Need, NeedCause, NeedStatus
from memory.models.proposal import Proposal, ProposalOrigin, ProposalStatus, Waiting
from memory.models.reading import Reading, ReadingBody
from memory.models.record import Record
from memory.models.staff import CarePlacement, RoleGrant, Team, TeamMembership
from memory.models.submission import Stream, Submission
from memory.models.to_read import HeldReading, HeldStatus, ReadStatus, ToRead

__all__ = [
    "GENESIS",
    "ActorKind",
    "App",
    "AppKey",
    "AuditDrop",
    "AuditEvent",
    "AuditSeal",
    "Baseline",
    "Blob",
    "CallOutcome",
    "CarePlacement",
    "CircuitStatus",
    "CodeVersion",
    "Erasure",
    "ErasureReason",
    "ErasureStatus",
    "Fact",
    "FactBody",
    "HeldReading",
    "HeldStatus",
    "Job",
    "JobStatus",
    "MemoryUser",
    "Message",
    "MessageBody",
    "ModelCall",
    "ModelEndpoint",
    "Need",
    "NeedCause",
    "NeedStatus",
    "Outcome",
    "Proposal",
    "ProposalOrigin",
    "ProposalStatus",
    "Reach",
    "ReadStatus",
    "Reading",
    "ReadingBody",
    "Record",
    "RoleGrant",
    "Stage",
    "Stream",
    "Submission",
    "Team",
    "TeamMembership",
    "ToRead",
    "Tree",
    "Waiting",
]
