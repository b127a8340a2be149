"""Facts to rows: what agrees, what contradicts, and what is confirmed."""

from ragcrawler.research.evidence.facts import Fact, FactState, PageQuote, fact_id
from ragcrawler.research.evidence.values import Value, normal_form
from ragcrawler.research.table import build_rows
from ragcrawler.research.table.rows import flatten
from ragcrawler.research.templates import parse_template

TEMPLATE = parse_template('{"name": "str", "founded": "date", "products": "list[str]?"}', "makers")
FIELDS = {leaf.path: leaf.field for leaf in TEMPLATE.leaves}


def fact(
    path: str,
    value: Value,
    host: str = "a.org",
    *,
    row: str = "acme",
    text: str = "",
    state: FactState = "supported",
    suspicious: bool = False,
) -> Fact:
    quote = PageQuote(f"https://{host}/x", "hash", 0, 1, text or f"{host} says {value}")
    normal = normal_form(value, FIELDS[path])
    number = fact_id((row,), path, normal + host + text, quote)
    return Fact(number, (row,), path, value, normal, quote, state, "q", suspicious)


def cell(*facts: Fact, path: str = "founded") -> tuple[str, list[Value]]:
    (row,) = build_rows([fact("name", "Acme"), *facts], TEMPLATE)
    return row.cells[path].state, [value.value for value in row.cells[path].values]


def test_two_hosts_confirm_a_value() -> None:
    assert cell(fact("founded", "1999")) == ("single", ["1999"])
    assert cell(fact("founded", "1999"), fact("founded", "1999", "b.org")) == ("confirmed", ["1999"])


def test_a_sentence_that_is_copied_confirms_nothing() -> None:
    same = [fact("founded", "1999", host, text="It began in 1999.") for host in ("a.org", "b.org")]
    assert cell(*same) == ("single", ["1999"])


def test_a_page_that_gives_instructions_confirms_nothing() -> None:
    both = fact("founded", "1999"), fact("founded", "1999", "b.org", suspicious=True)
    assert cell(*both) == ("single", ["1999"])


def test_a_contradiction_shows_both_values_the_better_borne_out_one_first() -> None:
    lie, truth = fact("founded", "1950", "c.org"), fact("founded", "1999")
    assert cell(lie, truth, fact("founded", "1999", "b.org")) == ("contradicted", ["1999", "1950"])


def test_a_year_and_a_day_of_it_agree() -> None:
    assert cell(fact("founded", "1999"), fact("founded", "4 May 1999", "b.org")) == (
        "confirmed",
        ["4 May 1999"],
    )


def test_several_values_of_a_list_do_not_contradict_each_other() -> None:
    state, values = cell(fact("products", "pumps"), fact("products", "fans"), path="products")
    assert (state, sorted(map(str, values))) == ("single", ["fans", "pumps"])


def test_what_no_quote_bears_out_is_in_no_row() -> None:
    rows = build_rows([fact("name", "Acme"), fact("founded", "1999", state="unverified")], TEMPLATE)
    assert [sorted(row.cells) for row in rows] == [["name"]]
    assert build_rows([fact("name", "Acme", state="unverified"), fact("founded", "1999")], TEMPLATE) == []


def test_a_row_says_what_it_lacks_and_is_flattened_by_path() -> None:
    (row,) = build_rows([fact("name", "Acme"), fact("products", "fans")], TEMPLATE)
    assert row.missing(TEMPLATE) == ["founded"]
    assert flatten(row, TEMPLATE) == {"name": "Acme", "products": ["fans"]}


def test_rows_with_as_many_hosts_are_in_the_order_of_their_names_and_numbers() -> None:
    names = ["Acme 10", "Acme 9", "Acme", "Zeta"]
    rows = build_rows([fact("name", name, row=name.lower()) for name in names], TEMPLATE)
    assert [row.name(TEMPLATE) for row in rows] == ["Acme", "Acme 9", "Acme 10", "Zeta"]


def test_facts_in_another_order_give_the_same_rows() -> None:
    facts = [
        fact("name", "Acme"),
        fact("name", "ACME", "b.org"),
        fact("founded", "1999", "c.org"),
        fact("founded", "2001", "b.org"),
        fact("products", "rope", "d.org"),
        fact("products", "anvil", "a.org"),
    ]
    assert build_rows(facts, TEMPLATE) == build_rows(facts[::-1], TEMPLATE)
