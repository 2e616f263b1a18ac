"""The tables of the memory: one file a noun."""

from memory.models.app import App, AppKey, Reach
from memory.models.audit import ActorKind, AuditDrop, AuditEvent, AuditSeal, Outcome
from memory.models.code import Baseline, Blob, CodeVersion, Tree
from memory.models.code_edit import CodeEdit, EditStatus
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
from memory.models.review import Approval, CommentResolution, LineComment, Side
from memory.models.staff import CarePlacement, RoleGrant, Team, TeamMembership
from memory.models.submission import Stream, Submission
from memory.models.to_read import HeldReading, HeldStatus, ReadStatus, ToRead
from memory.models.vectors import EmbeddedBlock
from memory.models.word_index import BLOCK, IndexedBlock, Posting, WordIndex

__all__ = [
    "BLOCK",
    "GENESIS",
    "ActorKind",
    "App",
    "AppKey",
    "Approval",
    "AuditDrop",
    "AuditEvent",
    "AuditSeal",
    "Baseline",
    "Blob",
    "CallOutcome",
    "CarePlacement",
    "CircuitStatus",
    "CodeEdit",
    "CodeVersion",
    "CommentResolution",
    "EditStatus",
    "EmbeddedBlock",
    "Erasure",
    "ErasureReason",
    "ErasureStatus",
    "Fact",
    "FactBody",
    "HeldReading",
    "HeldStatus",
    "IndexedBlock",
    "Job",
    "JobStatus",
    "LineComment",
    "MemoryUser",
    "Message",
    "MessageBody",
    "ModelCall",
    "ModelEndpoint",
    "Need",
    "NeedCause",
    "NeedStatus",
    "Outcome",
    "Posting",
    "Proposal",
    "ProposalOrigin",
    "ProposalStatus",
    "Reach",
    "ReadStatus",
    "Reading",
    "ReadingBody",
    "Record",
    "RoleGrant",
    "Side",
    "Stage",
    "Stream",
    "Submission",
    "Team",
    "TeamMembership",
    "ToRead",
    "Tree",
    "Waiting",
    "WordIndex",
]
