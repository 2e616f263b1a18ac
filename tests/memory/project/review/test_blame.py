"""Each line of a file has the version that brought it."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from memory.project.lines import split_lines
from memory.project.review.blame import Brought, Stage, blame, runs
from memory.project.review.opcodes import opcodes

LINES = ["a\n", "b\n", "c\n", "\n", "a b\n", "x\r\n"]
TEXTS = st.lists(st.sampled_from(LINES), max_size=15).map("".join)
BASELINE = Brought(0, shared=True)


def own(version):
    return Brought(version, shared=False)


def stages_of(texts, baselines=()):
    over = dict(enumerate(baselines, 1))
    return [Stage(n, text, over.get(n, "")) for n, text in enumerate(texts, 1)]


def traced(texts, line):
    """The place in a chain of texts where a line of the last one came in, told backwards."""
    for place in range(len(texts) - 1, 0, -1):
        before, after = split_lines(texts[place - 1]), split_lines(texts[place])
        for code in opcodes(before, after):
            if code.new_start <= line < code.new_end:
                break
        if code.tag != "equal":
            return place, line
        line += code.old_start - code.new_start
    return 0, line


@settings(derandomize=True, max_examples=300)
@given(st.lists(TEXTS, min_size=1, max_size=6))
def test_a_line_is_in_the_version_that_brought_it_and_not_in_the_one_before(texts):
    lines = split_lines(texts[-1])
    found = blame(texts[0], stages_of(texts[1:]))
    assert len(found) == len(lines)
    for number, one in enumerate(found):
        place, line = traced(texts, number)
        assert one.version == place
        assert split_lines(texts[place])[line] == lines[number]
        if place:
            kept = opcodes(split_lines(texts[place - 1]), split_lines(texts[place]))
            equal = [code for code in kept if code.tag == "equal"]
            assert not any(code.new_start <= line < code.new_end for code in equal)


@settings(derandomize=True, max_examples=200)
@given(TEXTS, st.lists(st.tuples(TEXTS, TEXTS), max_size=5))
def test_only_lines_of_a_baseline_are_called_shared(first, stages):
    texts, baselines = [one for one, _ in stages], [other for _, other in stages]
    found = blame(first, stages_of(texts, baselines))
    for one, line in zip(found, split_lines([first, *texts][-1]), strict=True):
        if one.shared:
            assert line in split_lines([first, *baselines][one.version])


@settings(derandomize=True, max_examples=200)
@given(st.lists(st.sampled_from([BASELINE, own(1), own(2)]), max_size=20))
def test_the_runs_are_the_lines_in_order(brought):
    found = runs(brought)
    assert [one for one, start, end in found for _ in range(start, end)] == brought
    assert all(one[0] != other[0] for one, other in pairwise(found))


def test_lines_of_the_baseline_stay_the_baselines():
    assert blame("a\nb\n", []) == (BASELINE, BASELINE)
    assert blame("a\nb\n", stages_of(["a\nnew\nb\n"])) == (BASELINE, own(1), BASELINE)


def test_what_goes_and_comes_again_is_the_later_versions():
    assert blame("a\n", stages_of(["", "a\n"])) == (own(2),)


def test_what_a_newer_baseline_brings_is_not_called_the_persons_own():
    stages = [Stage(1, "a\nmine\n", "a\n"), Stage(2, "a\nmine\nshared\n", "a\nshared\n")]
    assert blame("a\n", stages) == (BASELINE, own(1), Brought(2, shared=True))
