"""A hundred questions over long conversations, judged, and some that nobody can answer.

Turns are messages and the sentences extracted from them facts, as a reader would have made them; no
model reads. The recorded answers quote the conversations, which may be used for no commerce, and
are not part of the project.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from uac_site.benchmarks.asking import Json, asked, each, left_out, spread
from uac_site.benchmarks.evidence import CATEGORIES, Conversation, Question, read_conversations
from uac_site.benchmarks.inside import Inside
from uac_site.benchmarks.judge import NO_VERDICT, Judged, judge
from uac_site.benchmarks.measure import Bound, Result
from uac_site.benchmarks.recall import Site, say, state
from uac_site.benchmarks.recorded import Stage, chosen, staged
from uac_site.benchmarks.talk import Talker, introduced
from uac_site.env import BASE_DIR

NAME = "ask_conversations"
CASSETTES = BASE_DIR / "var" / "cassettes"
ANSWERABLE, UNANSWERABLE = 100, 25
UNKNOWABLE = 5  # the category
WANTED, REFUSED = 0.75, 0.8


@dataclass(frozen=True)
class Asked:
    """A question with what was answered."""

    conversation: str
    question: Question
    body: Json

    @property
    def unanswerable(self) -> bool:
        """Whether nothing tells the answer."""
        return self.question.category == UNKNOWABLE


def run(inside: Inside) -> Result:
    """Post, ask, judge."""
    if left_out(inside, CASSETTES / NAME):
        return Result([], "conversations: left out, no answers are recorded")
    every = read_conversations(inside.options.data)
    ids = chosen(inside, [one.id for one in every])
    picked = [(one, question) for one, question in questions_of(every) if one.id in ids]
    with staged(inside, NAME, CASSETTES, stages=("ask",)) as stage:
        found: list[Asked] = []
        for conversation in (one for one in every if one.id in ids):
            own = [question for one, question in picked if one is conversation]
            found += _ask(inside, stage, conversation, own)
        stage.record_as("judged")
        answerable = [one for one in found if not one.unanswerable]
        judged = judge(
            stage,
            [(one.question.text, one.question.answer, one.body["answer"]) for one in answerable],
        )
        told = stage.player.told
    return report(inside, found, dict(zip(map(id, answerable), judged, strict=True)), told)


def questions_of(
    conversations: Sequence[Conversation],
) -> list[tuple[Conversation, Question]]:
    """A hundred that have an answer and some that have none, evenly over all; always the same."""
    every = [(one, question) for one in conversations for question in one.questions]
    with_answer = [pair for pair in every if pair[1].category != UNKNOWABLE]
    without = [pair for pair in every if pair[1].category == UNKNOWABLE]
    return [*spread(with_answer, ANSWERABLE), *spread(without, UNANSWERABLE)]


def _ask(
    inside: Inside, stage: Stage, conversation: Conversation, questions: Sequence[Question]
) -> list[Asked]:
    stage.record_as("")
    talker = _told(stage, conversation)
    stage.record_as(conversation.id)

    def ask(question: Question) -> Asked:
        body = asked(inside, stage, talker.path, question.text)
        return Asked(conversation.id, question, body)

    found = each(stage, questions, ask)
    inside.say(f"{conversation.id}: {len(found)} questions asked")
    return found


def _told(stage: Stage, conversation: Conversation) -> Talker:
    site = Site(stage.client, [conversation], [])
    talker = introduced(stage.client, conversation.id, {"display_name": conversation.speaker})
    say(site, talker, conversation.turns)
    state(site, talker, conversation)
    return talker


def report(inside: Inside, found: Sequence[Asked], judged: dict[int, Judged], told: str) -> Result:
    """The figures by category, and what was judged wrong."""
    counts: Counter[tuple[int, bool]] = Counter()
    for one in found:
        verdict = judged.get(id(one))
        unknown = one.body["how"] == "unknown"  # not so a question that was refused
        good = unknown if one.unanswerable else bool(verdict and verdict.right)
        counts[one.question.category, good] += 1
        if not good:
            why = verdict.why if verdict else f"not unknown but {one.body['how']}"
            inside.say(f"{one.conversation}, category {one.question.category}: {why}"[:300])
    inside.show(
        "Questions over conversations",
        ("category", "asked", "right"),
        [
            (title, counts[number, True] + counts[number, False], counts[number, True])
            for number, title in CATEGORIES.items()
        ],
    )
    refused = counts[UNKNOWABLE, True]
    nobody_knows = refused + counts[UNKNOWABLE, False]
    right = sum(count for (category, good), count in counts.items() if good) - refused
    given = sum(one != NO_VERDICT for one in judged.values())
    return Result(
        [
            Bound("judged", given, len(judged), at_least=True),
            Bound("right over conversations", right, WANTED * len(judged), at_least=True),
            Bound("not known, as it is", refused, REFUSED * nobody_knows, at_least=True),
        ],
        f"conversations: {right} of {len(judged)} right,"
        f" {refused} of {nobody_knows} refused; {told}",
    )
