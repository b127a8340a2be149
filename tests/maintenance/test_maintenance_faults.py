"""The n-th call of a dependency fails: nothing is said that is not so, and the next run makes it whole.

`benchmarks/fault_injection.py` does this for all n; here it is a sample.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fault_injection import Phase, Phases, Programs, Site, Trial
from fault_seams import Fault
from power_cut.system_calls import is_supported

from tests.warm_python import Python

_HOLDS_PROGRAMS = pytest.mark.skipif(
    not is_supported(), reason="the kernel cannot hold a program at its calls"
)


@pytest.fixture(scope="module")
def programs(python: Python) -> Programs:
    return Programs(python)


@pytest.fixture(scope="module")
def first_crawl(tmp_path_factory: pytest.TempPathFactory, programs: Programs) -> Iterator[Phase]:
    site = Site()
    yield Phases(tmp_path_factory.mktemp("faults"), programs, site).make("crawl")
    site.close()


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        pytest.param(Fault("sqlite", "error", 1, "seeds.from_crawler"), 1, id="the state cannot be opened"),
        pytest.param(
            Fault("sqlite", "error", 1, "page_effects.judge"), 130, id="the state cannot be written"
        ),
        pytest.param(Fault("sqlite", "timeout", 1, "seeds.handle_failure"), 130, id="the state is locked"),
        pytest.param(Fault("sqlite", "timeout", 2, "COMMIT < catalogue"), 4, id="the catalogue is locked"),
        pytest.param(Fault("store", "error", 1, "QdrantEdgeStore.close"), 4, id="the store cannot be closed"),
        pytest.param(Fault("store", "away", 1, "QdrantEdgeStore.flush"), 3, id="the store stays away"),
        pytest.param(Fault("store", "death", 2, "QdrantEdgeStore.flush"), -9, id="death before a flush"),
        pytest.param(Fault("embedder", "away", 1), 3, id="the model is away"),
        pytest.param(
            Fault("disk", "away", 1, "report.json"), 4, id="no room for the report", marks=_HOLDS_PROGRAMS
        ),
    ],
)
def test_a_fault_is_told_and_the_next_run_makes_it_whole(
    programs: Programs, first_crawl: Phase, tmp_path: Path, fault: Fault, code: int
) -> None:
    result = Trial(tmp_path / "trial", programs, first_crawl).run(fault)
    assert result.failed, "no such call was made"
    assert (result.code, result.wrong) == (code, [])
