"""How a schema file marks a record type and refers to a record of another type."""

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import TypeAliasType

    KindT = TypeVar("KindT")
    # To a type checker, Ref[Person] is text: the id of a Person.
    Ref = TypeAliasType("Ref", str, type_params=(KindT,))
else:

    class Ref:
        """The id of a record of another kind: `organiser: Ref[Person]` holds text."""

        def __class_getitem__(cls, item: object) -> type[str]:
            return str


def kind(
    collection: str, *, key: "tuple[str, ...]" = (), singleton: bool = False
) -> "Callable[[type[KindT]], type[KindT]]":
    """Mark a dataclass as a record type kept in `collection` and identified by its key fields.

    Of a singleton there is one record or none: `collection` is then it or None, not a list.
    The mark is read from the source by trusted code; at run time the class passes unchanged.
    """

    def mark(cls: "type[KindT]") -> "type[KindT]":
        return cls

    return mark
