from datetime import date

from domains.people.schema import Person
from domains.preferences.schema import Order, Preference, Prohibition, Subject
from rules.disliked import find_dislikes
from uac import wishes_of

DISLIKE_TODAY = date(2026, 3, 2)


def dislike_words(preferences, prohibitions=None, status="ordered", for_whom=None):
    subjects = [
        Subject(id="tuna", name="tuna", part_of="seafood"),
        Subject(id="seafood", name="seafood"),
    ]
    order = Order(
        id="o",
        what="tuna salad",
        involves=["tuna"],
        for_whom=for_whom or [],
        on=date(2026, 3, 7),
        status=status,
    )
    wishes = wishes_of([order], [], [])
    persons = [Person(id="tom", name="Tom")]
    return find_dislikes(preferences, prohibitions or [], wishes, subjects, persons, DISLIKE_TODAY)


def test_a_dislike_is_information_for_the_one_who_has_it():
    hates = Preference(
        id="p", what="hates seafood", subject="seafood", attitude="hates", of_whom="tom"
    )
    assert dislike_words([hates]) == []
    found = dislike_words([hates], for_whom=["tom"])
    assert [a.severity for a in found] == ["info"]
    assert found[0].summary == (
        "Tuna salad on Saturday, March 7, 2026 involves what Tom hates: seafood"
    )


def test_an_idea_a_likeable_part_and_a_prohibition_are_silent():
    dislikes = Preference(id="p", what="no fan", subject="seafood", attitude="dislikes")
    assert len(dislike_words([dislikes])) == 1
    assert dislike_words([dislikes], status="considering") == []
    loves = Preference(id="q", what="loves tuna", subject="tuna", attitude="loves")
    assert dislike_words([dislikes, loves]) == []
    ban = Prohibition(id="b", what="no seafood", subject="seafood")
    assert dislike_words([dislikes], [ban]) == []


def test_days_on_which_it_stands():
    for until, count in ((6, 0), (7, 1)):
        one = Preference(
            id="p", what="x", subject="tuna", attitude="hates", until=date(2026, 3, until)
        )
        assert len(dislike_words([one])) == count
