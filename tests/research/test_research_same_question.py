"""Which questions ask the same."""

import pytest

from ragcrawler.research.same_question import asks_the_same


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("When was Enercon founded?", "In which year was Enercon founded?"),
        ("Who discovered penicillin?", "By whom was penicillin discovered?"),
        ("How many shops does Ikea have?", "What is the number of shops of IKEA?"),
        ("Which modules were removed in Python 3.11?", "What modules did Python 3.11 remove?"),
    ],
)
def test_form_order_and_question_word_do_not_matter(question: str, other: str) -> None:
    assert asks_the_same(question, other)


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("When was Python 3.1 released?", "When was Python 3.10 released?"),
        ("When was Enercon founded?", "Who founded Enercon?"),
        ("What did Rome import from Egypt?", "What did Rome export to Egypt?"),
        ("Which companies make wind turbines?", "Which companies make offshore wind turbines?"),
        ("What is it?", "Where is that?"),
    ],
)
def test_a_number_a_name_or_one_word_more_asks_for_something_else(question: str, other: str) -> None:
    assert not asks_the_same(question, other)
