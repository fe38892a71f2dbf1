"""`common.NamedTuple` behaves as that of `typing`."""

from __future__ import annotations

import pickle

import pytest

from common import NamedTuple


class Card(NamedTuple):
    """A card."""

    id: str
    cost: int = 1

    @property
    def is_dear(self) -> bool:
        return self.cost > 4


def test_it_is_a_tuple_with_names_defaults_and_methods() -> None:
    temple, palace = Card("temple"), Card("palace", cost=5)
    assert temple == ("temple", 1)
    assert (palace.cost, palace.is_dear, temple.is_dear) == (5, True, False)
    assert palace._replace(id="docks") == Card("docks", 5)
    assert palace._asdict() == {"id": "palace", "cost": 5}
    assert Card._fields == ("id", "cost")
    assert Card.__doc__ == "A card."
    assert pickle.loads(pickle.dumps(palace)) == palace  # noqa: S301 - our own


def test_it_has_no_other_attributes() -> None:
    with pytest.raises(TypeError):
        Card()  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        Card("temple").cost = 2  # type: ignore[misc]
