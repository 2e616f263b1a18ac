"""The tables of the memory: one file a noun."""

from memory.models.app import App, AppKey
from memory.models.code import Baseline, Blob, CodeVersion, Tree
from memory.models.fact import Fact, FactBody
from memory.models.job import Job, JobStatus
from memory.models.memory_user import GENESIS, MemoryUser
from memory.models.message import Message, MessageBody
from memory.models.proposal import Proposal, ProposalStatus, Waiting
from memory.models.reading import Reading, ReadingBody
from memory.models.record import Record
from memory.models.submission import Stream, Submission

__all__ = [
    "GENESIS",
    "App",
    "AppKey",
    "Baseline",
    "Blob",
    "CodeVersion",
    "Fact",
    "FactBody",
    "Job",
    "JobStatus",
    "MemoryUser",
    "Message",
    "MessageBody",
    "Proposal",
    "ProposalStatus",
    "Reading",
    "ReadingBody",
    "Record",
    "Stream",
    "Submission",
    "Tree",
    "Waiting",
]
