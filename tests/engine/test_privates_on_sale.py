"""Which privates the views call on sale: those that whoever is up may buy of the bank now, whatever money they have."""

from __future__ import annotations

from tables import table

from engine import State, Title
from engine.ids import BANK, CorpId, PlayerId
from engine.viewing import table_view


def on_sale(position: tuple[Title, State]) -> list[str]:
    return [row.id for row in table_view(*position).privates if row.on_sale]


def test_only_the_first_private_in_line_is_on_sale() -> None:
    assert on_sale(table("1889", 3).opening().build()) == ["A"]


def test_money_does_not_matter() -> None:
    t, s = table("1889", 3).opening().build()
    s.cash[PlayerId("p1")] = 0
    assert on_sale((t, s)) == ["A"]


def test_nothing_is_on_sale_in_an_operating_round() -> None:
    laid = table("1889", 3).par("AR", 100, (0, 3)).operating("AR")
    t, s = laid.build()
    for private in t.privates:
        s.owner[private] = BANK
    assert s.operating == CorpId("AR")
    assert on_sale((t, s)) == []


def test_late_privates_of_1890_are_on_sale_from_the_second_turn() -> None:
    first, second = (table("1890", 4).private(K1="reserved", K3="reserved").stock(turn=turn) for turn in (1, 2))
    assert on_sale(first.build()) == []
    assert on_sale(second.build()) == ["K1", "K3"]
